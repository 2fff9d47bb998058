"""What is known of a head, in sentences made of the numbers.

Every claim carries its evidence: an interval, a baseline, or what other heads do. What could be chance is
called so, and where nothing is known the card says it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from attlas.address import Head
from attlas.atlas.catalogue import declaration_of
from attlas.atlas.catalogue.row_sentences import say_patching, say_programs, value_of
from attlas.reports.columns import Column, Columns
from attlas.reports.evidence import Evidence, Followed, gain_of, judge_effect
from attlas.reports.page_contract import CardEffect, CardRelation, Sentence
from attlas.statistics.claims import CLAIMS, HALF_OF_ATTENTION, MENTIONED_SHARE
from attlas.statistics.verdicts import Verdict, judge
from attlas.wording.numbers import chance_of, count, format_percents, number, percent, uncertain
from attlas.wording.pattern_sentences import pattern_detail, resting_share, rests_more, say_name_verdict
from attlas.wording.vocabulary import ALL, PATTERN_DOES

#: the part of a sentence that stands between its claim and its evidence
BESIDE = "\n"
NOTHING = "Nothing is known of this head beyond its statistics."
MOST = 2  # relations that a card begins with, and tasks in which patching the head matters
RIGHT_ANGLE = 0.2  # a cosine that is nearer to 0 is called one, as those of untrained heads are
_RESTS = {"both": "by weight and by output", "by weight": "by weight", "by output": "by output"}
#: pattern -> the columns that say the same
SAME = {
    "previous": {"to_previous"},
    "next": {"to_next"},
    "sink": {"to_first", "to_class.cls"},
    "delimiter": {"to_class.sep", "to_class.cls"},
    "self": {"to_self"},
    "punctuation": {"to_class.punct"},
}
#: how spread attention is, by its entropy as a share of that of even attention
SPREAD = ((0.3, "at very few tokens"), (0.55, "at a few tokens"), (0.8, "broadly"), (9.0, "nearly evenly"))

#: how much of a head's attention goes somewhere, by its share
_PARTS = (
    (HALF_OF_ATTENTION, "most"),
    (MENTIONED_SHARE, "much"),
    (0.05, "a little"),
    (-math.inf, "hardly any"),
)


class Noted(NamedTuple):
    """A sentence, and what its numbers are of: `chapter 2`, `statistic 12 94` (a column, and a head)."""

    sentence: Sentence
    about: str = ""


class Sentences:
    """The sentences of an atlas. Heads are places in `atlas.addresses`."""

    def __init__(self, columns: Columns, evidence: Evidence) -> None:
        self.columns = columns
        self.evidence = evidence
        self.atlas = columns.atlas

    def card(self, place: int) -> tuple[list[Noted], bool]:
        """The sentences that a card begins with, and whether anything is known beyond statistics."""
        named = self.named_pattern(place)
        first = [
            *self._explained(place),
            *self.relations(place),
            *([Noted(self.pattern(named), self.of_pattern(named, place))] if named else []),
            *(self._tested(place, named.pattern) if named else ()),
            *self._looks(place, named.pattern if named else ""),
        ]
        effects = [
            Noted(self.effect(e), f"chapter {e['chapter']}")
            for e in self.evidence.effects[place]
            if judge_effect(e).shown
        ]
        effects += self.patched(place)
        changes = list(self._changes(place))
        spread, writes = self._spread(place), list(self.writes(place))
        if not first and not effects and not changes:  # untrained heads write, too
            return [Noted([NOTHING]), *spread, *writes], False
        return [*first, *spread, *writes, *effects, *changes], True

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id(column): number for number, column in enumerate(self.columns.all)}

    def of_column(self, column: Column, place: int | None = None) -> str:
        """What a note tells of: a statistic, and of which head."""
        of_head = "" if place is None else f" {place}"
        return f"statistic {self._numbers[id(column)]}{of_head}"

    def of_pattern(self, followed: Followed, place: int) -> str:
        wanted = "pattern_score", followed.pattern, followed.chapter
        column = next((c for c in self.columns.all if (c.name, c.group, c.chapter) == wanted), None)
        return "" if column is None else self.of_column(column, place)

    def relations(self, place: int) -> Iterator[Noted]:
        asked = [r for r in self.evidence.relations[place] if r["group"] != ALL]
        sure = [r for r in asked if r["sure"] and gain_of(r) > 0]
        chosen = [r for r in asked if r["best"] and not r["sure"]]
        for relation in (sure or chosen)[:MOST]:
            yield Noted(self.relation(relation), f"chapter {relation['chapter']}")

    def relation(self, relation: CardRelation) -> Sentence:
        """Finds the verb of a direct object 63 % of the time. 63 % of 87 in 31 documents of EWT; 95 % 52–74;
        best fixed offset -2: 44 %; p < 0.001"""
        finds, value = relation["finds"], percent(relation["value"], 0)
        if relation["sure"]:
            claim = f"Finds {finds} {value} of the time."
        elif relation["best"]:
            claim = f"Best of all heads at finding {finds}, which could be chance."
        else:
            claim = f"Finds {finds} {value} of the time, which could be chance."
        many = relation["documents"]
        where = f"in {count(many, 'document')} of" if many else "on"
        read = f"{value} of {relation['n']:,} {where} {self.corpus(relation['chapter'])}"
        return [claim, BESIDE, "; ".join([read, *_evidence(relation)])]

    def named_pattern(self, place: int) -> Followed | None:
        head = self.columns.heads[place]
        name = self.pattern_names.get(head)
        return next((f for f in self.evidence.patterns[place] if f.pattern == name), None)

    @cached_property
    def pattern_names(self) -> dict[Head, str]:
        return self.atlas.names("pattern")

    def pattern(self, followed: Followed) -> Sentence:
        """Nearly always looks at the previous token. Score 0.98 ± 0.01; chance 0.01; p < 0.001. Of a head
        that mostly rests: Partly looks at the previous token when it acts; rests on [SEP] otherwise."""
        does = PATTERN_DOES.get(followed.pattern, f"follows the pattern {followed.pattern}")
        more = pattern_detail(followed.row)
        does += f" ({more})" if more else ""
        rest = resting_share(followed.row)
        if not followed.sure:
            pass  # an untrained head gives as much to the first token and separators
        elif rests_more(followed.row):
            does += f" when it acts; rests on {followed.row['rest_on']} otherwise"
        elif rest >= MENTIONED_SHARE:
            does += f"; also rests on {followed.row['rest_on']}"
        doubt = "" if followed.sure or not followed.strong else ", which could be chance"
        score, null = uncertain(followed.score, followed.stderr, 2), number(followed.null, 2)
        evidence = [f"score {score}", f"chance {null}"]
        if followed.untrained is not None:
            evidence.append(f"untrained heads {number(followed.untrained, 2)}")
        evidence += [chance_of(followed.p)] if followed.p is not None else []
        evidence += [f"rests {number(rest, 2)}"] if rest >= MENTIONED_SHARE else []
        return [f"{_strength(followed)} {does}{doubt}.", BESIDE, "; ".join(evidence)]

    def _tested(self, place: int, pattern: str) -> Iterator[Noted]:
        """The name holds: by it alone, the head does 83 % of what it does for the loss (95 % 71 to 95; ..."""
        for chapter, row in self.evidence.tested[place]:
            if row["pattern"] == pattern:
                claim, _, evidence = say_name_verdict(row).partition(": ")
                yield Noted([f"{_upper(claim)}.", BESIDE, evidence], f"chapter {chapter}")

    def _explained(self, place: int) -> Iterator[Noted]:
        """Attends as a sum of programs: 58% the previous token and 20% the start of its sentence; 11% of what
        it moves is not explained. Explained 89 %; 95 % 84–93; even attention: 40 %; untrained heads: up to
        5 % beyond that"""
        for chapter, row in self.evidence.explained[place][:1]:
            low, high, even, twin = (value_of(row, name) for name in ("low", "high", "even", "untrained"))
            evidence = [f"explained {percent(row['explained'], 0)}"]
            evidence += [f"95 % {format_percents(low, high)}"] if math.isfinite(low + high) else []
            evidence += [f"even attention: {percent(even, 0)}"] if math.isfinite(even) else []
            beyond = f"untrained heads: up to {percent(twin, 0)} beyond that"
            evidence += [beyond] if math.isfinite(even + twin) else []
            claim = f"{_upper(say_programs(row))}."
            yield Noted([claim, BESIDE, "; ".join(evidence)], f"chapter {chapter}")

    def _looks(self, place: int, pattern: str) -> list[Noted]:
        """The place or class that gets most of its attention, if that is much."""
        best: Column | None = None
        for column in self.targets:
            value = column.values[place]
            if column.key in SAME.get(pattern, ()) or not value >= MENTIONED_SHARE:
                continue
            if not self.is_beyond_untrained(column, place):
                continue
            if value > 2 * self.columns.median(column, place) or value > HALF_OF_ATTENTION:
                best = column if best is None or value > best.values[place] else best
        return [] if best is None else [Noted(self.share(best, place), self.of_column(best, place))]

    @cached_property
    def targets(self) -> list[Column]:
        """Columns of where attention goes: not those that say the same of the first token as of [CLS]."""
        cls, first = self.columns.get("to_class", "cls"), self.columns.get("to_first")
        first_is_cls = cls is not None and first is not None and np.array_equal(cls.values, first.values)
        chosen = []
        for column in self.columns.all:
            known = column.known
            if not known.goes_somewhere or known.curve or column.group == "other":
                continue
            if column is self.columns.get(column.name, column.group) and not (
                column is first and first_is_cls
            ):
                chosen.append(column)
        return chosen

    def share(self, column: Column, place: int) -> Sentence:
        """Gives most of its attention to the previous token. 98.1 ± 0.1 %; median head 1.2 %"""
        median = column.plainly(self.columns.median(column, place))
        title, value = column.known.write_title(column.group), float(column.values[place])
        part = next(words for least, words in _PARTS if value >= least)
        return [
            f"Gives {part} of its attention to {title}.",
            BESIDE,
            f"{column.said(place)}; median head {median}{self._beside(column, place)}",
        ]

    def of_value(self, column: Column, place: int) -> Sentence:
        """What a column says of a head."""
        if column.name == "entropy" and column.group == "all":
            return self.entropy(column, place)
        return self.share(column, place) if column.known.goes_somewhere else self.value(column, place)

    def value(self, column: Column, place: int) -> Sentence:
        """Is 0.31 nats from the other heads of the layer on average. 0.31 ± 0.01 nats; median head 0.25"""
        said = column.known.write_sentence(column.group, column.plainly(float(column.values[place])))
        median = column.plainly(self.columns.median(column, place))
        evidence = f"{column.said(place)}; median head {median}{self._beside(column, place)}"
        return [f"{_upper(said)}.", BESIDE, evidence]

    def _beside(self, column: Column, place: int) -> str:
        """; untrained: 0.97"""
        twin = self.columns.untrained(column, place)
        return "" if twin is None else f"; untrained: {column.plainly(twin)}"

    def is_beyond_untrained(self, column: Column, place: int) -> bool:
        """Whether a share is shown to be larger than any that an untrained head gives; true where no twin was
        measured, since then only chance can be the null."""
        most = self.columns.most_untrained(column, place)
        value, measured = float(column.values[place]), column.estimate(place)
        if most is None or not math.isfinite(measured.low):
            return most is None or value - most.value >= CLAIMS["share"].size
        return judge("share", measured, untrained=most).shown

    def _spread(self, place: int) -> list[Noted]:
        """Looks at a few tokens: entropy 2.31 ± 0.02 nats (even attention 4.85)."""
        column = self.columns.get("entropy", "all")
        if column is None or not math.isfinite(column.values[place]):
            return []
        return [Noted(self.entropy(column, place), self.of_column(column, place))]

    def entropy(self, column: Column, place: int) -> Sentence:
        even = self.columns.even_entropy(column, place)
        if even is None:
            beside = f"median head {column.plainly(self.columns.median(column, place))}"
            return ["Spreads its attention.", BESIDE, f"entropy {column.said(place)}; {beside}"]
        how = next(word for limit, word in SPREAD if column.values[place] / max(even, 1e-9) <= limit)
        twin = self.columns.untrained(column, place)
        beside = f"entropy {column.said(place)}; even attention {even:.2f}"
        if twin is None:
            return [f"Looks {how}.", BESIDE, beside]
        alike = abs(column.values[place] - twin) < CLAIMS["spread"].size * even
        same = ", as untrained heads do" if alike else ""
        return [f"Looks {how}{same}.", BESIDE, f"{beside}; untrained: {twin:.2f}"]

    def writes(self, place: int) -> Iterator[Noted]:
        """Writes 1.90 times as much as its layer's heads on average, 0.12 of the stream's length."""
        for chapter, row in self.evidence.written[place][:1]:
            length, cosine = (self._value(name, place) for name in ("write_length", "write_cosine"))
            beside = f", {number(length, 2)} of the stream's length" if length is not None else ""
            way = "" if cosine is None else f", {_direction(cosine)} (cosine {cosine:+.2f})"
            rests = "" if row["rests"] == "neither" else f" It rests {_RESTS[str(row['rests'])]}."
            words = f" Raises {row['raises']}; lowers {row['lowers']}." if row.get("raises") else ""
            times = number(row["beside_layer"], 2)
            said = f"Writes {times} times as much as its layer's heads."
            yield Noted([said, BESIDE, f"on average{beside}{way}.{rests}{words}"], f"chapter {chapter}")

    def _value(self, name: str, place: int) -> float | None:
        column = self.columns.get(name)
        value = math.nan if column is None else float(column.values[place])
        return value if math.isfinite(value) else None

    def effect(self, effect: CardEffect, place: int | None = None) -> Sentence:
        """Without it the loss rises by 0.029. +0.0290 (95 % +0.0128 to +0.0452); corrected p = 0.014; 80
        items of 16 documents; the head gives its mean output"""
        change, low, high = effect["change"], effect["low"], effect["high"]
        known = low is not None and high is not None
        evidence = [f"{change:+.4f}" + (f" (95 % {low:+.4f} to {high:+.4f})" if known else "")]
        if effect["p"] is not None:
            evidence.append(f"corrected {chance_of(effect['p'])}")
        read = count(effect["n"], "item")
        read += f" of {count(effect['documents'], 'document')}" if effect["documents"] else ""
        evidence += [read, effect["edit_title"]]
        if effect["edit"] == "uniform":
            evidence.append("which wakes heads that rest: `mean` tells whether they are needed")
        verdict = judge_effect(effect).verdict
        return [f"Without it {_say_change(effect, verdict)}.", BESIDE, "; ".join(evidence)]

    def patched(self, place: int) -> Iterator[Noted]:
        """On agreement it speaks for the answer: its output, patched from the corrupt text into the clean
        one, moves the logit difference by -3.350 (95 % -3.964 to -2.737), p < 0.001."""
        for chapter, row in self.evidence.patched[place][:MOST]:
            claim, _, evidence = say_patching(row).partition(": ")
            yield Noted([f"On {self.corpus(chapter)} {claim}.", BESIDE, evidence], f"chapter {chapter}")

    def _changes(self, place: int) -> Iterator[Noted]:
        for change in self.evidence.changes[place][:1]:
            first, second, low, high = (
                "–" if (value := change[name]) is None else number(value, 3)
                for name in ("first", "second", "low", "high")
            )
            claim = f"In {change['other']} its {change['title']} is {second} instead of {first}."
            evidence = f"change {low} to {high}; {chance_of(change['p'] or 0.0)}"
            yield Noted([claim, BESIDE, evidence], f"chapter {change['chapter']}")

    def corpus(self, chapter: int) -> str:
        about = self.atlas.about(self.atlas.chapters[chapter])
        corpus = about.get("corpus")
        name = str(corpus.get("name", "")) if isinstance(corpus, dict) else str(corpus or "")
        return name.removesuffix(".conllu") or "its corpus"


def sentence_text(sentence: Sequence[str | int], addresses: Sequence[str]) -> str:
    """A sentence as text, heads by their addresses; its evidence after a space."""
    return join_evidence(claim_and_evidence(sentence, addresses))


def join_evidence(said: tuple[str, str]) -> str:
    """A claim and its evidence in one line."""
    claim, evidence = said
    return f"{claim} {_upper(evidence)}" if evidence else claim


def claim_and_evidence(sentence: Sequence[str | int], addresses: Sequence[str]) -> tuple[str, str]:
    """What a sentence claims, and what it rests on."""
    text = "".join(part if isinstance(part, str) else addresses[part] for part in sentence)
    claim, _, evidence = text.partition(BESIDE)
    return claim, evidence


def chapter_title(study: str, corpus: str) -> str:
    """Where heads look, on wikipedia"""
    declared = declaration_of({"study": study})
    title = declared.title if declared else study.replace("_", " ").capitalize() or "A study"
    return f"{title}, on {corpus}" if corpus else title


def _direction(cosine: float) -> str:
    """The direction of what a head writes, beside the stream that it adds to."""
    if abs(cosine) < RIGHT_ANGLE:
        return "at about a right angle to it"
    return "along it" if cosine > 0 else "against it: it erases"


def _say_change(effect: CardEffect, verdict: Verdict) -> str:
    score, change = effect["score"], effect["change"]
    if score == "embedding":
        how = {"shown": f"moves by {number(abs(change), 3)}", "small": "hardly moves"}.get(
            verdict, "may move"
        )
        return f"the embedding of a text {how}"
    if verdict == "small":
        return f"the {score} hardly changes"
    if verdict != "shown":
        return f"the {score} may change, which could be chance"
    return f"the {score} {'rises' if change > 0 else 'falls'} by {number(abs(change), 3)}"


def _strength(followed: Followed) -> str:
    """How strongly a head follows a pattern; how sure that is stands beside it."""
    if not followed.strong:
        return "Hardly"
    limits = ((0.9, "Nearly always"), (HALF_OF_ATTENTION, "Mostly"))
    return next((words for least, words in limits if followed.strength >= least), "Partly")


def _evidence(relation: CardRelation) -> Iterator[str]:
    if relation["low"] is not None and relation["high"] is not None:
        yield f"95 % {format_percents(relation['low'], relation['high'])}"
    if relation["baseline"] is not None:
        yield f"{relation['baseline_title']}: {percent(relation['baseline'], 0)}"
    if relation["p"] is not None:
        yield chance_of(relation["p"])


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def lower(text: str) -> str:
    return text[:1].lower() + text[1:]
