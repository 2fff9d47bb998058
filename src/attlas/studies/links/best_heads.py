"""The best head of every group of links: chosen on one half of the corpus, reported on the other.

Four passes. The first counts links and baselines, without the model; the second asks every head on the half
that heads are chosen on; the third on the other; the last keeps the chosen heads at work
in a few stretches of text. The original's way (`faithful`) chooses and reports on all of it, in one pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.atlas.chapter import Chapter
from attlas.corpora.alignment import From
from attlas.corpora.halves import Half, Unit, are_even
from attlas.corpora.source import Source
from attlas.corpora.windows import what_was_read
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError, option
from attlas.reducers.reducer import Reducer
from attlas.row import Row
from attlas.statistics.claims import SURE
from attlas.statistics.hypotheses import holm_by_key
from attlas.studies.links.accuracy import LinkAccuracy, Units, ratio
from attlas.studies.links.heads_at_work import FirstLinks, HeadAtWork, Place, add_heads_at_work, heads_at_work
from attlas.studies.links.link_questions import (
    DIRECTIONS,
    EVERYTHING,
    BaselineCounts,
    DirectedHead,
    Direction,
    FindLinks,
    PartCounts,
)
from attlas.studies.provenance import about, corpus_name, of_documents, refuse_nothing_read
from attlas.studies.study import RunPass, Study
from attlas.wording.numbers import percent

ALL = "all"
MOST_AT_WORK = 9  # groups whose heads are kept at work
FAR = 0.1  # above the baseline: a head that is so far above it and not sure is worth a word


@dataclass(frozen=True)
class LinkQuestion:
    """What heads are asked, where, and how the answers are reported."""

    find: FindLinks
    baselines: Sequence[str]  # the guesses that links have
    statistics: Mapping[Direction, str]
    source: Source
    without: str  # what to say of a corpus without links
    choosing: Source | None = None  # another corpus to choose heads on; without it, half of `source`
    faithful: bool = False
    rows: From = "mean"
    untabled: frozenset[str] = frozenset()
    min_count: int = 100  # links that a group needs to be in the table
    seed: int = 0
    every_baseline: bool = False  # a column for each, beside the best


@dataclass(frozen=True)
class CorpusParts:
    """The parts where heads are chosen and where they are reported, with what the baselines do there."""

    choosing: Source
    reporting: Source
    chosen: PartCounts
    reported: PartCounts
    how: str
    separate: bool  # False: chosen and reported on the same windows
    units: Units  # what errors where heads are reported are over
    places: Mapping[str, Sequence[Place]]  # group -> links to show heads at work on
    read: Merged  # of the first pass

    def summary(self) -> str:
        if not self.separate:
            return self.how
        chosen, reported = self._part(self.chosen), self._part(self.reported)
        return f"{self.how}: chosen on {chosen}, reported on {reported}"

    def _part(self, part: PartCounts) -> str:
        return of_documents(part.windows, part.documents if self.units == "document" else 0, "windows")


@dataclass(frozen=True)
class LinkResults:
    """What a study of links found: the parts of its chapter."""

    table: pd.DataFrame
    rows: Sequence[Row]
    arrays: Mapping[str, npt.NDArray[Any]]
    at_work: Sequence[HeadAtWork]
    notes: Sequence[str]


def count_links(question: LinkQuestion, run: RunPass, also: Sequence[Reducer] = ()) -> CorpusParts:
    """The first pass, without the model; `also` are further reducers that need none."""
    halves: tuple[Unit, ...] = ("name", "turn")
    parts = {
        f"{by}.{'chosen' if chosen else 'reported'}": Half(chosen, question.seed, by)
        for by in halves
        for chosen in (True, False)
    }
    counter = BaselineCounts("baselines", question.find, question.baselines, {**EVERYTHING, **parts})
    reducers: list[Reducer] = [counter, FirstLinks("places", question.find), *also]
    done = run(Pass("baselines", question.source, reducers, doing="counting links"))
    counted, first = done.reducer(BaselineCounts), done.reducer(FirstLinks)
    whole = counted.part_counts("all")
    refuse_nothing_read(question.source, done)
    if not whole.links:
        raise AttlasError(f"{corpus_name(question.source)} {question.without}")
    choosing = reporting = question.source
    chosen = reported = whole
    units: Units | None = None
    if question.faithful:
        how = "the original's way: heads chosen and reported on the same windows"
    elif question.choosing is not None:
        counter = BaselineCounts("baselines", question.find, question.baselines, EVERYTHING)
        doing = "counting links to choose heads on"
        counting = Pass("baselines-choosing", question.choosing, [counter], doing=doing)
        choosing, chosen = question.choosing, run(counting).reducer(BaselineCounts).part_counts("all")
        how = "heads chosen on another corpus"
    else:
        by: Unit = "name"
        how = "halves of the corpus by document"
        if not are_even(*(counted.part_counts(f"name.{part}").windows for part in ("chosen", "reported"))):
            # a corpus of very few documents cannot be halved between them
            by, units, how = "turn", "window", "halves of the corpus, every other window"
        choosing, reporting = (question.source.only(Half(half, question.seed, by)) for half in (True, False))
        chosen, reported = (counted.part_counts(f"{by}.{part}") for part in ("chosen", "reported"))
    if units is None:  # documents, unless there is one only
        units = "document" if reported.documents > 1 else "window"
    return CorpusParts(
        choosing, reporting, chosen, reported, how, not question.faithful, units, first.places, done
    )


def best_heads(question: LinkQuestion, parts: CorpusParts, run: RunPass) -> LinkResults:
    """The other passes."""
    wanted = _groups(question, parts)
    # the strongest there is where heads are reported, so that none wins cheaply
    baselines = parts.reported.best()
    empty = LinkAccuracy("links", question.find, question.statistics, question.rows, baselines, parts.units)
    chosen_on = _ask_heads(run, "choosing", "choosing heads", parts.choosing, parts.chosen, empty)
    best = {group: head for group in wanted if (head := chosen_on.best(group)) is not None}
    notes = [what_was_read(parts.read.counts, parts.read.problems), parts.summary(), _ERRORS[parts.units]]
    if not parts.separate:
        table = _table(question, parts, chosen_on, best)
        shown = _at_work(question, parts, best, run)
        return LinkResults(table, chosen_on.rows(), _grids(chosen_on, best, {}), shown, notes)
    reported = _ask_heads(
        run, "reporting", "testing the chosen heads", parts.reporting, parts.reported, empty
    )
    raw = {(group, head): p for group in best for head, p in reported.beats_baseline(group).items()}
    p_all = holm_by_key(raw)
    # heads were chosen on other windows, so only the groups were tried here; `p_all` also covers those who
    # look for the best of all heads in this part
    p = holm_by_key({group: raw[group, head] for group, head in best.items()})
    table = _table(question, parts, reported, best, _Tests(chosen_on, p, p_all))
    grids = _grids(reported, best, p_all)
    if question.choosing is None:
        reported.merge(chosen_on)
    notes.append(_CORRECTION.format(n=len(p_all), units=parts.units))
    notes += [unsure(table)] if unsure(table) else []
    return LinkResults(table, reported.rows(), grids, _at_work(question, parts, best, run), notes)


_ERRORS: dict[Units, str] = {
    "document": "standard errors are over documents: where the corpus names none, a sentence is its own",
    "window": "very few documents: standard errors, intervals and tests are over windows, and say nothing of "
    "other documents",
}
_CORRECTION = (
    "95%: Student's, over {units}s; p: more often right than the best offset or rule (sign test over "
    "{units}s), Holm-corrected for the groups; `p_all` in the table, for all {n:,} heads x directions x "
    "groups"
)


def unsure(table: pd.DataFrame) -> str:
    """Groups whose head is far above the baseline, on too few links to be sure of it; empty if none is."""
    far = table["accuracy"] - table["baseline_accuracy"] >= FAR
    some = [
        f"{r['group']} ({r['links']:,} links, {percent(r['accuracy'])} to {percent(r['baseline_accuracy'])})"
        for r in table[far & (table["p"] >= SURE)].to_dict("records")
    ]
    return f"too few links to be sure that the head beats the baseline: {', '.join(some)}" if some else ""


def _ask_heads(
    run: RunPass, name: str, doing: str, source: Source, part: PartCounts, empty: LinkAccuracy
) -> LinkAccuracy:
    """Every head, asked in a part of the corpus. All weights are needed: the kernel is one that makes them
    all."""
    asking = Pass(name, source, [empty], kernel="eager", doing=doing, items=part.windows)
    return run(asking).reducer(LinkAccuracy)


def _groups(question: LinkQuestion, parts: CorpusParts) -> list[str]:
    """Groups with enough links in all, and some in both parts; the most frequent first."""
    halves = parts.separate and question.choosing is None
    count = {
        group: n + (parts.chosen.links[group] if halves else 0)
        for group, n in parts.reported.links.items()
        if group in parts.chosen.links and group not in question.untabled
    }
    frequent = sorted((g for g, n in count.items() if n >= question.min_count), key=lambda g: (-count[g], g))
    if not frequent:
        raise AttlasError(
            f"no group of links comes {question.min_count} times or more: "
            f"give a larger corpus, or a smaller {option('min_count')}"
        )
    return frequent


class _Tests(NamedTuple):
    """What is known of heads that were chosen elsewhere."""

    chosen_on: LinkAccuracy
    p: Mapping[str, float]  # group: of its chosen head
    p_all: Mapping[tuple[str, DirectedHead], float]


def _table(
    question: LinkQuestion,
    parts: CorpusParts,
    reported: LinkAccuracy,
    best: Mapping[str, DirectedHead],
    tests: _Tests | None = None,
) -> pd.DataFrame:
    """One line per group; without `tests`, its head was chosen on the same windows, and has no intervals."""
    records = []
    for group, head in best.items():
        record = _head_columns(question, parts, group, head, reported.table(group)[head])
        record["accuracy"] = reported.accuracy(group, head)
        if tests is not None:
            record["low"], record["high"] = reported.intervals(group)[head]
        record |= _baseline_columns(question, parts, group)
        if tests is not None:
            record["gain_low"], record["gain_high"] = reported.intervals(group, over_baseline=True)[head]
            record |= {
                "p": tests.p[group],
                "p_all": tests.p_all[group, head],
                "heads_better": sum(value < SURE for (g, _), value in tests.p_all.items() if g == group),
                "when_chosen": tests.chosen_on.accuracy(group, head),
            }
        records.append(record)
    return pd.DataFrame(records)


def _head_columns(
    question: LinkQuestion, parts: CorpusParts, group: str, head: DirectedHead, sums: Mapping[str, float]
) -> dict[str, Any]:
    """Counted from 0; `from_1` as the papers write heads, counted from 1. `documents` is how many the links
    come from; 0 where errors are over windows."""
    documents = int(sums["units"]) if parts.units == "document" else 0
    return {
        "group": group,
        "links": parts.reported.links[group],
        "documents": documents,
        "kind": head.kind,
        "layer": head.layer,
        "head": head.head,
        "direction": head.direction,
        "statistic": question.statistics[head.direction],
        "from_1": head.address.from_1,
    }


def _baseline_columns(question: LinkQuestion, parts: CorpusParts, group: str) -> dict[str, Any]:
    best = parts.reported.best()[group]
    columns = {"baseline": best, "baseline_accuracy": parts.reported.accuracy(group, best)}
    if question.every_baseline:
        columns |= {name: parts.reported.accuracy(group, name) for name in question.baselines}
    return columns


def _grids(
    accuracy: LinkAccuracy, best: Mapping[str, DirectedHead], p_all: Mapping[tuple[str, DirectedHead], float]
) -> dict[str, npt.NDArray[np.float64]]:
    """KIND.accuracy, KIND.low, KIND.high and KIND.p_all, group direction layer head: every head where heads
    are reported, for the groups of the table in its order. What figures, pages and answers show, so that they
    have the table's numbers. Without `p_all` (heads chosen and reported on the same windows), accuracies
    alone."""
    grids: dict[str, npt.NDArray[np.float64]] = {}
    for g, group in enumerate(best):
        table, between = accuracy.table(group), accuracy.intervals(group)
        for kind in dict.fromkeys(head.kind for head in table):
            heads = [head for head in table if head.kind == kind]
            shape = max(h.layer for h in heads) + 1, max(h.head for h in heads) + 1
            for head in heads:
                numbers = {"accuracy": ratio(table[head])[0]}
                if p_all:
                    low, high = between[head]
                    numbers |= {"low": low, "high": high, "p_all": p_all[group, head]}
                for name, number in numbers.items():
                    grid = grids.setdefault(f"{kind}.{name}", np.full((len(best), 2, *shape), np.nan))
                    grid[g, DIRECTIONS.index(head.direction), head.layer, head.head] = number
    return grids


def _at_work(
    question: LinkQuestion, parts: CorpusParts, best: Mapping[str, DirectedHead], run: RunPass
) -> list[HeadAtWork]:
    shown = dict([(group, head) for group, head in best.items() if group != ALL][:MOST_AT_WORK])
    return heads_at_work(question.find, shown, parts.places, question.source, run, question.rows)


def chapter_of(study: Study, parts: CorpusParts, results: LinkResults, notes: Sequence[str] = ()) -> Chapter:
    """The chapter of a study of links; `notes` are said beside what all of them say."""
    made = about(study.describe(), parts.read, [*results.notes, *notes])
    chapter = Chapter(study.name, made, results.rows, {"best": results.table}, results.arrays)
    return add_heads_at_work(chapter, results.at_work)
