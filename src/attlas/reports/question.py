"""A question to an atlas, what it names, and what a topic says of each head."""

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
from attlas.reports.matching import QuestionUnit, units_of
from attlas.reports.sentences import claim_and_evidence
from attlas.statistics.claims import CLAIMS, MENTIONED_SHARE

if TYPE_CHECKING:
    from attlas.atlas import Atlas
    from attlas.reports.asking import Search
    from attlas.reports.page_contract import Sentence, Topic

MOST = 5  # heads in an answer
ADDRESS = re.compile(r"(?<![\w.])(?:(?:encoder|decoder|cross)\.)?\d+\.\d+(?![\w.]*\d)")
LAYER = re.compile(r"\blayers?\s+(\d+)(?:\s*(?:and|to|with|vs\.?|versus|,)\s*(?:layer\s+)?(\d+))?")
_REMOVES = r"remov|cut|drop|delete|discard|lose|prun|take out|throw|get rid|without|turn\w* off|switch\w* off"
WORTH = re.compile(rf"\b({_REMOVES}|disabl|ablat|knock|important|matter|need|essential|effect|useless|worth)")
HARMLESS = re.compile(rf"\b(?:{_REMOVES})\w*\b.*\b(?:without|safely|no (?:harm|loss)|harmless|free)")
NEGATED = re.compile(r"\b(?:not|never|least|fewest|hardly|avoid|ignore)\b|n't\b")


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
        return self.text.lower().strip()

    @cached_property
    def units(self) -> list[QuestionUnit]:
        """What it names beside heads and layers."""
        without = LAYER.sub(" ", ADDRESS.sub(" ", self.plain))
        return units_of(without, self.search.phrases)

    @cached_property
    def topics(self) -> list[Topic]:
        return self.search.index.best(self.units)

    @property
    def named(self) -> list[str]:
        return list(dict.fromkeys(ADDRESS.findall(self.text)))

    def command(self, study: str) -> tuple[str, str]:
        """What a study would tell, and its command."""
        declared = CATALOGUE[study]
        return declared.tells, declared.command_for(self.model, self.folder)

    def head(self, place: int, sentence: Sentence, about: str = "", chapter: str = "") -> AnsweredHead:
        claim, evidence = claim_and_evidence(sentence, self.addresses)
        return AnsweredHead(self.addresses[place], claim, about, chapter, evidence=evidence)


def column_of(q: Question, name: str, group: str = "") -> Column | None:
    columns = q.search.sentences.columns.all
    return next((c for c in columns if c.name == name and (not group or c.group == group)), None)


@dataclass(frozen=True)
class Told:
    """What a topic says of one head: whether it is shown, by how much, and in a sentence."""

    place: int
    shown: bool
    size: float
    sentence: Sentence


def told(q: Question, topic: Topic) -> list[Told]:
    """What a topic says of every head, and not of its best ones alone."""
    sentences, chapter = q.search.sentences, q.atlas.chapters[topic["chapter"]]
    evidence = sentences.evidence
    column = None if topic["statistic"] is None else sentences.columns.all[topic["statistic"]]
    heads = range(len(q.addresses))
    if column is not None and column.name == "pattern_score":
        followed = ((p, f) for p in heads for f in evidence.patterns[p])
        wanted = ((p, f) for p, f in followed if (f.chapter, f.pattern) == (chapter, column.group))
        return [Told(p, f.sure, f.strength, sentences.pattern(f)) for p, f in wanted]
    if column is None or column.known.family == "link":
        best: dict[int, Told] = {}
        for place in heads:
            for relation in evidence.relations[place]:
                if (relation["chapter"], relation["title"]) == (topic["chapter"], topic["title"]):
                    gain = gain_of(relation)
                    if place not in best or gain > best[place].size:
                        best[place] = Told(place, relation["sure"], gain, sentences.relation(relation))
        return list(best.values())
    estimated = column_of(q, "estimated_effect") if "needless" in topic["needs"] else None
    if estimated is not None:
        sizes = np.abs(estimated.values) + 2 * estimated.stderr
        said: Sentence = ["Without it the loss would hardly change, by attribution."]
        return [Told(p, bool(sizes[p] < CLAIMS["loss"].size), float(sizes[p]), said) for p in heads]
    if column.known.family == "effect":
        tried = ((p, e) for p in heads for e in evidence.effects[p] if e["chapter"] == topic["chapter"])
        wanted_verdict = "small" if "needless" in topic["needs"] else "shown"
        return [
            Told(p, judge_effect(e).verdict == wanted_verdict, abs(e["change"]), sentences.effect(e, p))
            for p, e in tried
        ]
    values = [(p, float(column.values[p])) for p in heads if math.isfinite(column.values[p])]
    return [Told(p, v >= MENTIONED_SHARE, v, sentences.of_value(column, p)) for p, v in values]


def column_of_topic(q: Question, topic: Topic) -> Column | None:
    return None if topic["statistic"] is None else q.search.sentences.columns.all[topic["statistic"]]
