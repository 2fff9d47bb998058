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
from attlas.atlas.catalogue.row_sentences import say_patching, say_programs
from attlas.reports.columns import Column, Columns
from attlas.reports.evidence import Evidence, Followed, gain_of, judge_effect
from attlas.reports.page_contract import CardEffect, CardRelation, Sentence
from attlas.statistics.claims import CLAIMS, HALF_OF_ATTENTION, MENTIONED_SHARE
from attlas.statistics.clusters import degrees
from attlas.statistics.verdicts import Judgement, estimate, judge
from attlas.wording.numbers import chance_of, count, format_percents, number, uncertain
from attlas.wording.pattern_sentences import pattern_detail, resting_share, rests_more, say_name_verdict
from attlas.wording.vocabulary import ALL, PATTERN_DOES

NOTHING = "Nothing is known of this head beyond its statistics."
MOST = 2  # relations that a card begins with, and tasks in which patching the head matters
RIGHT_ANGLE = 0.1  # a cosine that is nearer to 0 is called one
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
_SPREAD = ((0.3, "at very few tokens"), (0.55, "at a few tokens"), (0.8, "broadly"), (9.0, "nearly evenly"))


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
        named = self._named_pattern(place)
        first = [
            *self._relations(place),
            *([Noted(self.pattern(named), self.of_pattern(named, place))] if named else []),
            *(self._tested(place, named.pattern) if named else ()),
            *self._explained(place),
            *self._looks(place, named.pattern if named else ""),
        ]
        effects = [
            Noted(self.effect(e), f"chapter {e['chapter']}")
            for e in self.evidence.effects[place]
            if judge_effect(e).shown
        ]
        effects += self._patched(place)
        changes = list(self._changes(place))
        spread, writes = self._spread(place), list(self._writes(place))
        if not first and not effects and not changes and not writes:
            return [Noted([NOTHING]), *spread], False
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

    def _relations(self, place: int) -> Iterator[Noted]:
        asked = [r for r in self.evidence.relations[place] if r["group"] != ALL]
        sure = [r for r in asked if r["sure"] and gain_of(r) > 0]
        chosen = [r for r in asked if r["best"] and not r["sure"]]
        for relation in (sure or chosen)[:MOST]:
            yield Noted(self.relation(relation), f"chapter {relation['chapter']}")

    def relation(self, relation: CardRelation) -> Sentence:
        """Finds the verb of a direct object: 63 % of 87 in 31 documents of EWT (95 % 52–74; best fixed offset
        -2: 44 %)."""
        finds = relation["finds"]
        finds_best = relation["best"] and not relation["sure"]
        said = "Best of all heads at finding" if finds_best else "Finds"
        doubt = "" if relation["sure"] else ", which could be chance"
        value, corpus = _percent(relation["value"]), self.corpus(relation["chapter"])
        many = relation["documents"]
        where = f"in {count(many, 'document')} of" if many else "on"
        text = f"{said} {finds}: {value} of {relation['n']:,} {where} {corpus}"
        return [f"{text} ({'; '.join(_evidence(relation))}){doubt}."]

    def _named_pattern(self, place: int) -> Followed | None:
        head = self.columns.heads[place]
        name = self.pattern_names.get(head)
        return next((f for f in self.evidence.patterns[place] if f.pattern == name), None)

    @cached_property
    def pattern_names(self) -> dict[Head, str]:
        return self.atlas.names("pattern")

    def pattern(self, followed: Followed) -> Sentence:
        """Looks at the previous token: score 0.98 ± 0.01, by chance 0.01 (p < 0.001). Of a head that mostly
        rests: Looks at the previous token when it acts: score ... Rests on [SEP], 0.62."""
        does = PATTERN_DOES.get(followed.pattern, f"follows the pattern {followed.pattern}")
        more = pattern_detail(followed.row)
        does += f" ({more})" if more else ""
        does += " when it acts" if rests_more(followed.row) else ""
        rest = resting_share(followed.row)
        resting = (
            f" Rests on {followed.row['rest_on']}, {number(rest, 2)}." if rest >= MENTIONED_SHARE else ""
        )
        p = f" ({chance_of(followed.p)})" if followed.p is not None else ""
        doubt = "" if followed.sure else ", which could be chance"
        score, null = uncertain(followed.score, followed.stderr, 2), number(followed.null, 2)
        twin = followed.row.get("untrained")
        beside = f", untrained {number(float(twin), 2)}" if twin is not None else ""
        return [f"{_upper(does)}: score {score}, by chance {null}{beside}{p}{doubt}.{resting}"]

    def _tested(self, place: int, pattern: str) -> Iterator[Noted]:
        """The name holds: by it alone, the head does 83 % of what it does for the loss (95 % 71 to 95; ..."""
        for chapter, row in self.evidence.tested[place]:
            if row["pattern"] == pattern:
                yield Noted([f"{_upper(say_name_verdict(row))}."], f"chapter {chapter}")

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
        """Gives 98.1 ± 0.1 % of its attention to the previous token (median head 1.2 %)."""
        median = column.plainly(self.columns.median(column, place))
        title = column.known.titled(column.group)
        beside = self._beside(column, place)
        return [f"Gives {column.said(place)} of its attention to {title} (median head {median}{beside})."]

    def value(self, column: Column, place: int) -> Sentence:
        """Is 0.31 ± 0.01 nats from the other heads of the layer on average (median head 0.25)."""
        said = column.known.said(column.group, column.said(place))
        median = column.plainly(self.columns.median(column, place))
        return [f"{_upper(said)} (median head {median}{self._beside(column, place)})."]

    def _beside(self, column: Column, place: int) -> str:
        """; untrained: 0.97"""
        twin = self.columns.untrained(column, place)
        return "" if twin is None else f"; untrained: {column.plainly(twin)}"

    def is_beyond_untrained(self, column: Column, place: int) -> bool:
        """Whether a share is shown to be larger than any that an untrained head gives; true where no twin was
        measured, since then only chance can be the null."""
        most = self.columns.most_untrained(column, place)
        freedom = float(degrees(column.n[place], column.effective[place]))
        value, stderr = float(column.values[place]), float(column.stderr[place])
        measured = estimate(value, stderr, freedom, int(column.documents[place]))
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
            return [f"Spreads its attention with an entropy of {column.said(place)} ({beside})."]
        how = next(word for limit, word in _SPREAD if column.values[place] / max(even, 1e-9) <= limit)
        twin = self.columns.untrained(column, place)
        if twin is None:
            return [f"Looks {how}: entropy {column.said(place)} (even attention {even:.2f})."]
        alike = abs(column.values[place] - twin) < CLAIMS["spread"].size * even
        same = ", as untrained heads do" if alike else ""
        beside = f"even attention {even:.2f}; untrained: {twin:.2f}"
        return [f"Looks {how}{same}: entropy {column.said(place)} ({beside})."]

    def _writes(self, place: int) -> Iterator[Noted]:
        """Writes 1.90 times as much as its layer's heads on average, 0.12 of the stream's length."""
        for chapter, row in self.evidence.written[place][:1]:
            length, cosine = (self._value(name, place) for name in ("write_length", "write_cosine"))
            beside = f", {number(length, 2)} of the stream's length" if length is not None else ""
            way = "" if cosine is None else f", {_direction(cosine)} (cosine {cosine:+.2f})"
            rests = "" if row["rests"] == "neither" else f" It rests {_RESTS[str(row['rests'])]}."
            words = f" Raises {row['raises']}; lowers {row['lowers']}." if row.get("raises") else ""
            said = f"Writes {number(row['beside_layer'], 2)} times as much as its layer's heads on average"
            yield Noted([f"{said}{beside}{way}.{rests}{words}"], f"chapter {chapter}")

    def _explained(self, place: int) -> Iterator[Noted]:
        """Attends as a sum of programs: 58% the previous token and 20% the start of its sentence; 11% of what
        it moves is not explained."""
        for chapter, row in self.evidence.explained[place][:1]:
            words = say_programs(row)
            yield Noted([f"{words[0].upper()}{words[1:]}."], f"chapter {chapter}")

    def _value(self, name: str, place: int) -> float | None:
        column = self.columns.get(name)
        value = math.nan if column is None else float(column.values[place])
        return value if math.isfinite(value) else None

    def effect(self, effect: CardEffect) -> Sentence:
        """Without it the loss rises by 0.0041 (95 % 0.0012 to 0.0070; corrected p = 0.020)."""
        change, low, high = effect["change"], effect["low"], effect["high"]
        moves = f"{'rises' if change > 0 else 'falls'} by {number(abs(change))}"
        evidence = []
        if low is not None and high is not None and low * high > 0:
            near, far = sorted((abs(low), abs(high)))
            evidence.append(f"95 % {number(near)} to {number(far)}")
        elif low is not None and high is not None:  # it may do either: signs say which
            moves = f"changes by {change:+.4f}"
            evidence.append(f"95 % {low:+.4f} to {high:+.4f}")
        if effect["p"] is not None:
            evidence.append(f"corrected {chance_of(effect['p'])}")
        doubt = _doubt(judge_effect(effect))
        beside = f" ({'; '.join(evidence)})" if evidence else ""
        return [f"Without it the {effect['score']} {moves}{beside}{doubt}."]

    def _patched(self, place: int) -> Iterator[Noted]:
        """On agreement it speaks for the answer: its output, patched from the corrupt text into the clean
        one, moves the logit difference by -3.350 (95 % -3.964 to -2.737), p < 0.001."""
        for chapter, row in self.evidence.patched[place][:MOST]:
            text = f"On {self.corpus(chapter)} {say_patching(row)}."
            yield Noted([text], f"chapter {chapter}")

    def _changes(self, place: int) -> Iterator[Noted]:
        for change in self.evidence.changes[place][:1]:
            first, second, low, high = (
                "–" if (value := change[name]) is None else number(value, 3)
                for name in ("first", "second", "low", "high")
            )
            text = (
                f"In {change['other']} its {change['title']} is {second} instead of {first} "
                f"(change {low} to {high}; {chance_of(change['p'] or 0.0)})."
            )
            yield Noted([text], f"chapter {change['chapter']}")

    def corpus(self, chapter: int) -> str:
        about = self.atlas.about(self.atlas.chapters[chapter])
        corpus = about.get("corpus")
        name = str(corpus.get("name", "")) if isinstance(corpus, dict) else str(corpus or "")
        return name.removesuffix(".conllu") or "its corpus"


def sentence_text(sentence: Sequence[str | int], addresses: Sequence[str]) -> str:
    """A sentence as text, heads by their addresses."""
    return "".join(part if isinstance(part, str) else addresses[part] for part in sentence)


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


def _doubt(judged: Judgement) -> str:
    """What stands behind a claim that is not shown."""
    if judged.verdict == "small":
        return f": shown to be less than {judged.kind.size:g}"
    return "" if judged.shown else ", which could be chance"


def _evidence(relation: CardRelation) -> Iterator[str]:
    if relation["low"] is not None and relation["high"] is not None:
        yield f"95 % {format_percents(relation['low'], relation['high'])}"
    if relation["baseline"] is not None:
        yield f"{relation['baseline_title']}: {_percent(relation['baseline'])}"
    if relation["p"] is not None:
        yield chance_of(relation["p"])


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def lower(text: str) -> str:
    return text[:1].lower() + text[1:]
