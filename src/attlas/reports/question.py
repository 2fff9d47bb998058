"""A question to an atlas: what it names, what it does not, and what a topic says of each head."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from attlas.atlas.catalogue import CATALOGUE
from attlas.reports.ask_answer import AnsweredHead
from attlas.reports.columns import Column
from attlas.reports.evidence import gain_of, judge_effect
from attlas.reports.matching import FILLERS, QuestionUnit, examples_in, plain_words, spelled, units_of
from attlas.reports.named_layers import groups_in, layers_in, without_layers
from attlas.reports.sentences import BESIDE, SPREAD, claim_and_evidence
from attlas.statistics.claims import CLAIMS, MENTIONED_SHARE
from attlas.statistics.verdicts import Verdict
from attlas.wording.vocabulary import RELATIONS

if TYPE_CHECKING:
    from attlas.atlas import Atlas
    from attlas.reports.asking import Search
    from attlas.reports.page_contract import CardRelation, Direction, Sentence, Topic

MOST = 5  # heads in an answer
ADDRESS = re.compile(
    r"(?<![\w.])(?:(?:encoder|decoder|cross)\.)?\d+\.(?:0|[1-9]\d*)(?![\w.]*\d)(?!\s*(?:%|nats?\b))"
)
REMOVES = r"remov|cut|drop|delete|discard|lose|prun|take out|throw|get rid|without|turn\w* off|switch\w* off"
WORTH = re.compile(
    rf"\b({REMOVES}|disabl|ablat|knock|important|matter|need|essential|effect|useful|useless|worth)"
)
HARMLESS = re.compile(
    rf"\b(?:{REMOVES})\w*\b.*\b(?:without|safely|no (?:harm|loss)|harmless|free)|\bsafely (?:{REMOVES})"
)
#: what an answer stands beside anyway
BASELINE = re.compile(
    r"\b(?:fixed[- ]offset|positional|offset|majority|random|distance)?[- ]?baselines?\b|\bfixed offset\b"
)
LEAST_HARM = re.compile(
    r"\b(?:hurt|harm|damage|cost|matter|lose|change|affect)\w* (?:the )?(?:\w+ )?(?:least|nothing|little)\b"
    r"|\bleast (?:hurt|harm|damag|important|needed|useful|effect|impact)\w*|\bsafe to (?:cut|remove"
    r"|prune|drop|delete)"
)
NEGATED = re.compile(r"\b(?:not|never|(?<!at )least|fewest|hardly|avoid|ignore)\b")
YES_OR_NO = re.compile(r"^(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should)\b")
_ABOVE = r"above|over|more than|greater than|larger than|higher than|at least|exceed(?:s|ing)?|>=?|≥"
_BELOW = r"below|under|less than|fewer than|smaller than|lower than|at most|<=?|≤"
BOUND = re.compile(
    rf"(?<!\w)(?:(?P<above>{_ABOVE})|{_BELOW})\s*(?P<value>\d+(?:\.\d+)?)\s*(?P<part>%|percent)?"
)


@dataclass(frozen=True)
class Bound:
    """What a number must be above, or below."""

    above: bool
    value: float
    words: str

    def holds(self, value: float) -> bool:
        return value >= self.value if self.above else value <= self.value


@dataclass(frozen=True)
class Question:
    """A question to an atlas, and what is known of the atlas."""

    text: str
    atlas: Atlas
    search: Search
    addresses: Sequence[str]
    model: str  # as a command takes them
    folder: str

    @cached_property
    def plain(self) -> str:
        return spelled(plain_words(self.text), self.search.words, self.search.words)

    @cached_property
    def units(self) -> list[QuestionUnit]:
        """What it names beside heads, layers and bounds."""
        said = BASELINE.sub(" ", BOUND.sub(" ", without_layers(ADDRESS.sub(" ", self.plain))))
        return units_of(said, self.search.phrases)

    @cached_property
    def unknown(self) -> list[str]:
        """Its words that mean nothing here, besides examples and those that say nothing anywhere."""
        least = FILLERS | examples_in(self.plain)
        words = (unit.words for unit in self.units if not self.search.knows(unit))
        return [word for word in words if word not in least and not word.isdecimal()]

    @property
    def understood(self) -> bool:
        """Whether more of what it names means something here than does not."""
        return len(self.unknown) < max(1, sum(self.search.knows(unit) for unit in self.units))

    @cached_property
    def topics(self) -> list[Topic]:
        """What answers it, a number first that it calls by its name (entropy); nothing where it is not
        understood."""
        best = self.search.index.best(self.units) if self.understood else []
        return sorted(best, key=lambda topic: not self._names(topic))

    def _names(self, topic: Topic) -> bool:
        column = column_of_topic(self, topic)
        if column is None or column.known.is_share or column.name == "pattern_score":
            return False
        return bool({unit.words for unit in self.units} & {*column.known.title.split()})

    @property
    def named(self) -> list[str]:
        return list(dict.fromkeys(ADDRESS.findall(BOUND.sub(" ", self.text) if self.bound else self.text)))

    @cached_property
    def last_layer(self) -> int:
        return max((head.layer for head in self.atlas.addresses), default=-1)

    @cached_property
    def layers(self) -> list[int]:
        """The layers that it names, by number, as a range, or by where they lie."""
        return layers_in(self.plain, self.last_layer)

    @cached_property
    def groups(self) -> list[list[int]]:
        """The same, as what is put side by side: two layers, early ones and late ones."""
        return groups_in(self.plain, self.last_layer)

    @cached_property
    def bound(self) -> Bound | None:
        """above 50 % · at most 0.01; what is more than another head is none."""
        bounded = BOUND.search(self.plain)
        if bounded is None or ("than" in bounded[0] and ADDRESS.search(self.plain[: bounded.start()])):
            return None
        value = float(bounded["value"]) / (100 if bounded["part"] else 1)
        return Bound(bool(bounded["above"]), value, bounded[0].strip())

    def command(self, study: str) -> tuple[str, str]:
        """What a study would tell, and its command."""
        declared = CATALOGUE[study]
        return declared.tells, declared.command_for(self.model, self.folder)

    def head(
        self, place: int, sentence: Sentence, about: str = "", chapter: str = "", sure: bool = True
    ) -> AnsweredHead:
        claim, evidence = claim_and_evidence(sentence, self.addresses)
        return AnsweredHead(self.addresses[place], claim, about, chapter, sure=sure, evidence=evidence)


def impossible(units: Sequence[QuestionUnit], atlas: Atlas) -> str:
    """Why no head of this model can do what was asked; empty where it may."""
    asked = {term for unit in units for term in unit.terms}
    if "next" in asked and set(atlas.kinds) == {"decoder"}:
        return "No head can: in a decoder, a token sees only those before it."
    if not atlas.has("entropy", "all"):
        return ""
    reads = {name: atlas.has("to_class", name) for name in ("sep", "cls")}
    for term, token in (("sep", "[SEP]"), ("cls", "[CLS]")):
        if term in asked and not reads[term]:
            return f"No head can: the model reads no {token}."
    return (
        "No head can: the model reads no special tokens."
        if "delimiter" in asked and not any(reads.values())
        else ""
    )


def column_of(q: Question, name: str, group: str = "") -> Column | None:
    columns = q.search.sentences.columns.all
    return next((c for c in columns if c.name == name and (not group or c.group == group)), None)


@dataclass(frozen=True)
class Told:
    """What a topic says of one head: its verdict, by how much it does it, its number, and a sentence."""

    place: int
    verdict: Verdict
    size: float
    value: float
    sentence: Sentence

    @property
    def shown(self) -> bool:
        return self.verdict == "shown"


def say_topic(q: Question, topic: Topic, way: str = "") -> list[Told]:
    """What a topic says of every head, and not of its best ones alone; of a relation in one direction, or in
    that which the head finds better."""
    column = column_of_topic(q, topic)
    if "needless" in topic["needs"] and column_of(q, "estimated_effect") is not None:
        return _told_by_attribution(q)
    if column is None or column.known.family == "link":
        return _told_of_relation(q, topic, way)
    if column.name == "pattern_score":
        return _told_of_pattern(q, topic, column)
    return _told_of_effect(q, topic) if column.known.family == "effect" else _told_of_column(q, topic, column)


def _told_of_pattern(q: Question, topic: Topic, column: Column) -> list[Told]:
    sentences, wanted = q.search.sentences, (q.atlas.chapters[topic["chapter"]], column.group)
    return [
        Told(place, f.verdict, f.strength, f.score, sentences.pattern(f))
        for place, followed in enumerate(sentences.evidence.patterns)
        for f in followed
        if (f.chapter, f.pattern) == wanted
    ]


def _told_of_relation(q: Question, topic: Topic, way: str) -> list[Told]:
    sentences, best = q.search.sentences, dict[int, Told]()
    for place, of_head in enumerate(sentences.evidence.relations):
        for r in of_head:
            of_topic = (r["chapter"], r["title"]) == (topic["chapter"], topic["title"])
            gain = gain_of(r)
            if of_topic and way in ("", r["direction"]) and (place not in best or gain > best[place].size):
                best[place] = Told(place, verdict_of(r), gain, r["value"], sentences.relation(r))
    return list(best.values())


def verdict_of(relation: CardRelation) -> Verdict:
    """Whether a head finds a relation: one that gets no more than the baseline surely does not."""
    return "shown" if relation["sure"] else "undecided" if gain_of(relation) > 0 else "small"


def _told_by_attribution(q: Question) -> list[Told]:
    column = column_of(q, "estimated_effect")
    assert column is not None
    sizes = np.abs(column.values) + 2 * column.stderr
    said, small = "Without it the loss would hardly change, by attribution.", CLAIMS["loss"].size
    return [
        Told(
            p,
            "shown" if size < small else "undecided",
            float(size),
            float(column.values[p]),
            [said, BESIDE, column.said(p)],
        )
        for p, size in enumerate(sizes)
    ]


def _told_of_effect(q: Question, topic: Topic) -> list[Told]:
    sentences, turned = q.search.sentences, "needless" in topic["needs"]
    turn: dict[Verdict, Verdict] = {"small": "shown", "shown": "small"} if turned else {}
    every = []
    for place, effects in enumerate(sentences.evidence.effects):
        for e in effects:
            if e["chapter"] == topic["chapter"]:
                verdict, size = judge_effect(e).verdict, abs(e["change"])
                said = sentences.effect(e, place)
                every.append(Told(place, turn.get(verdict, verdict), size, e["change"], said))
    return every


def _told_of_column(q: Question, topic: Topic, column: Column) -> list[Told]:
    """Of a share, whether it is a fifth of the head's attention and beyond what untrained heads give; any
    other number is only more or less."""
    sentences, sign = q.search.sentences, -1 if topic["title"].startswith("least ") else 1
    every = []
    for place in range(len(q.addresses)):
        value = float(column.values[place])
        if math.isfinite(value):
            place_of_attention = column.known.goes_somewhere
            large = not place_of_attention or value >= MENTIONED_SHARE
            if column.name == "entropy":
                even = sentences.columns.even_entropy(column, place) or math.inf
                large = value > SPREAD[-2][0] * even if sign > 0 else value <= SPREAD[0][0] * even
            shown = large and (not place_of_attention or sentences.is_beyond_untrained(column, place))
            verdict: Verdict = "shown" if shown else "undecided" if large else "small"
            every.append(Told(place, verdict, sign * value, value, sentences.of_value(column, place)))
    return every


def column_of_topic(q: Question, topic: Topic) -> Column | None:
    return None if topic["statistic"] is None else q.search.sentences.columns.all[topic["statistic"]]


_FROM_TO = re.compile(r"\bfrom (?:the |an? |its |their )?([a-z ]+?) to (?:the |an? |its |their )?([a-z]+)")


def ways_in(said: str) -> list[tuple[str, Direction]]:
    """The relations that a question names from one end to the other: from verbs to their subjects."""
    ways: list[tuple[str, Direction]] = []
    for ends in _FROM_TO.finditer(said):
        start, goal = (end.strip().removesuffix("s") for end in ends.groups())
        for group, link in RELATIONS.items():
            if link.dependent.endswith(start) and link.governor.endswith(goal):
                ways.append((group, "to"))
            elif link.governor.endswith(start) and link.dependent.endswith(goal):
                ways.append((group, "from"))
    return ways
