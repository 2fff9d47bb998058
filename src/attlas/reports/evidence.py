"""What chapters concluded of each head, with baseline, interval and p: relations, patterns, effects, changes.

Everything here is read from an atlas; nothing is measured. A head is its place in `atlas.addresses`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.address import Head
from attlas.atlas import Atlas
from attlas.atlas.catalogue.result_tables import records
from attlas.atlas.catalogue.row_sentences import baseline_name, does_task, told_programs
from attlas.atlas.registry import statistic
from attlas.atlas.schema import ADDRESS
from attlas.reports.page_contract import CardEffect, CardRelation, Change, Direction, Match
from attlas.statistics.claims import SURE, least_strength
from attlas.statistics.verdicts import Judgement, Verdict, judge_row, kind_of_score
from attlas.wording.names import NONE
from attlas.wording.vocabulary import DIRECTION, EDITS, link_words

MOST_RELATIONS = 6  # on a card
MOST_CHANGES = 6
WAYS = ("to", "from")  # as arrays of accuracies have them
#: what a probe of links keeps of every head where it reports heads; each is group direction layer head
JUDGED = ("accuracy", "low", "high", "p_all")

#: the number of a chapter, and a row of one of its tables
ChapterRow = tuple[int, dict[str, Any]]


class LargestPart(NamedTuple):
    """What makes up the most of a head as a sum of programs; `none` where that is not shown."""

    chapter: int
    program: str
    share: float


@dataclass(frozen=True)
class Followed:
    """How far a head follows a pattern, beside what chance would give it."""

    chapter: str
    pattern: str
    score: float
    stderr: float
    null: float
    strength: float  # from chance (0) to perfect (1)
    p: float | None
    n: int
    row: Mapping[str, Any]  # of the table: reach, which, rest and rest_on

    @property
    def strong(self) -> bool:
        """Whether the head follows it enough to be named for it."""
        return self.strength >= least_strength(self.pattern)

    @property
    def sure(self) -> bool:
        """Whether it is shown: as the study judged it, beside chance and the untrained twin."""
        return self.verdict == "shown"

    @property
    def verdict(self) -> Verdict:
        """Of an older atlas: by its size and p alone."""
        if self.row.get("verdict"):
            return cast(Verdict, str(self.row["verdict"]))
        if not self.strong:
            return "small"
        return "shown" if self.p is None or self.p < SURE else "undecided"

    @property
    def untrained(self) -> float | None:
        value = self.row.get("untrained")
        return None if value is None or not math.isfinite(value) else float(value)


class Evidence:
    """What an atlas knows of its heads beyond the columns of statistics."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.places = {head: place for place, head in enumerate(atlas.addresses)}

    @cached_property
    def relations(self) -> list[list[CardRelation]]:
        """For each head, every relation that has a baseline, the largest gain over it first."""
        return self._by_head(self._relations(), key=lambda r: -gain_of(r))

    @cached_property
    def patterns(self) -> list[list[Followed]]:
        """For each head, every pattern that was scored, strongest first."""
        return self._by_head(self._patterns(), key=lambda f: -f.strength)

    @cached_property
    def tested(self) -> list[list[ChapterRow]]:
        """For each head, the tests of its name: the chapter's number, and a row of its table."""
        return self._by_head(self._rows_of("name_tests", "pattern", "explained", "verdict"))

    @cached_property
    def written(self) -> list[list[ChapterRow]]:
        """For each head, what it writes: the chapter's number, and a row of its table."""
        return self._by_head(self._rows_of("written", "on_sink", "beside_layer", "rests"))

    @cached_property
    def explained(self) -> list[list[ChapterRow]]:
        """For each head that is shown to be a sum of programs, or surely is none: the chapter's number, and
        the row of its table."""
        return self._by_head(self._explained())

    @cached_property
    def largest_parts(self) -> list[LargestPart | None]:
        """For each head, the largest part of its sum of programs; None where that was not asked."""
        return [parts[0] if parts else None for parts in self._by_head(self._largest_parts())]

    @cached_property
    def effects(self) -> list[list[CardEffect]]:
        return self._by_head(self._effects())

    @cached_property
    def patched(self) -> list[list[ChapterRow]]:
        """For each head, the largest effect beyond chance that patching it has in each task that the model
        does, the surest first: the chapter's number, and the row of its table."""
        return self._by_head(self._patched(), key=lambda patched: patched[1]["p"])

    @cached_property
    def changes(self) -> list[list[Change]]:
        return self._by_head(self._changes(), key=lambda c: 1.0 if c["p"] is None else c["p"])

    @cached_property
    def matches(self) -> list[list[Match]]:
        return self._by_head(self._matches())

    def _by_head(self, items: Iterator[tuple[Head, Any]], key: Any = None) -> list[list[Any]]:
        lists: list[list[Any]] = [[] for _ in self.places]
        for head, item in items:
            if head in self.places:
                lists[self.places[head]].append(item)
        return [sorted(items, key=key) for items in lists] if key is not None else lists

    def _tables(self, name: str, *columns: str) -> Iterator[tuple[int, str, pd.DataFrame]]:
        for number, chapter in enumerate(self.atlas.chapters):
            table = self.atlas.tables.get(f"{chapter}/{name}")
            if table is not None and {*ADDRESS, *columns} <= set(table.columns):
                yield number, chapter, table

    def _relations(self) -> Iterator[tuple[Head, CardRelation]]:
        needed = ("group", "direction", "accuracy", "baseline", "baseline_accuracy")
        for number, chapter, table in self._tables("best", *needed):
            chosen = {str(row["group"]): row for row in records(table)}
            rows = self.atlas.heads[self.atlas.heads["chapter"] == chapter]
            rows = rows[rows["statistic"].isin(list(DIRECTION)) & rows["group"].isin(list(chosen))]
            order = {str(group): place for place, group in enumerate(table["group"])}
            grids = {kind: self._judged(chapter, kind) for kind in self.atlas.kinds}
            for row in cast(list[dict[str, Any]], rows.to_dict("records")):
                way = WAYS.index(DIRECTION[row["statistic"]])
                at = order[row["group"]], way, row["layer"], row["head"]
                judged = {name: _finite_or_none(grid[at]) for name, grid in grids[row["kind"]].items()}
                yield head_of(row), _relation(number, row, chosen[row["group"]], judged)

    def _judged(self, chapter: str, kind: str) -> dict[str, npt.NDArray[np.float64]]:
        """What the chapter found of all heads on the windows that its table, and its baseline, report on. The
        rows of the atlas are over all windows."""
        grids = {name: self.atlas.array(f"{kind}.{name}", chapter) for name in JUDGED}
        return {name: grid for name, grid in grids.items() if grid is not None}

    def _patterns(self) -> Iterator[tuple[Head, Followed]]:
        needed = ("pattern", "score", "stderr", "null", "strength", "p", "n")
        for _, chapter, table in self._tables("patterns", *needed):
            for row in records(table):
                if row["score"] is None or row["strength"] is None:
                    continue
                stderr = math.nan if row["stderr"] is None else float(row["stderr"])
                scores = float(row["score"]), stderr, float(row["null"] or 0), float(row["strength"])
                judged = row["p"], int(row["n"]), row
                yield head_of(row), Followed(chapter, str(row["pattern"]), *scores, *judged)

    def _rows_of(self, name: str, *columns: str) -> Iterator[tuple[Head, ChapterRow]]:
        for number, _, table in self._tables(name, *columns):
            for row in records(table):
                yield head_of(row), (number, row)

    def _explained(self) -> Iterator[tuple[Head, ChapterRow]]:
        for number, _, table in self._tables("explained", "explained", "high", "verdict", "reads"):
            for row in records(told_programs(table, {})):
                yield head_of(row), (number, row)

    def _largest_parts(self) -> Iterator[tuple[Head, LargestPart]]:
        for number, chapter, table in self._tables("explained", "verdict"):
            programs = self.atlas.tables.get(f"{chapter}/programs")
            if programs is None or not {*ADDRESS, "program", "rank", "share"} <= set(programs.columns):
                continue
            first = programs[programs["rank"] == 0]
            made_of = {head_of(row): (row["program"], row["share"]) for row in records(first)}
            for row in records(table):
                shown = row["verdict"] == "shown" and head_of(row) in made_of
                name, share = made_of[head_of(row)] if shown else (NONE, math.nan)
                yield head_of(row), LargestPart(number, str(name), float(share))

    def _patched(self) -> Iterator[tuple[Head, ChapterRow]]:
        needed = ("what", "into", "effect", "low", "high", "p")
        for number, chapter, table in self._tables("patched", *needed):
            if does_task(self.atlas.tables_of(chapter)):
                strongest = table.sort_values("effect", key=abs, ascending=False)
                shown = [judge_row("logits", row, "effect").shown for row in records(strongest)]
                for row in records(strongest[shown].drop_duplicates(list(ADDRESS))):
                    yield head_of(row), (number, row)

    def _effects(self) -> Iterator[tuple[Head, CardEffect]]:
        for number, _, table in self._tables("disabled", "edit", "score", "change"):
            for row in records(table):
                yield (
                    head_of(row),
                    {
                        "chapter": number,
                        "edit": str(row["edit"]),
                        "edit_title": EDITS.get(str(row["edit"]), str(row["edit"])),
                        "score": str(row["score"]),
                        "plain": row["plain"],
                        "disabled": row["disabled"],
                        "change": row["change"],
                        "low": row["low"],
                        "high": row["high"],
                        "p": row["p"],
                        "n": int(row["n"]),
                        "documents": int(row.get("documents") or 0),
                    },
                )

    def _changes(self) -> Iterator[tuple[Head, Change]]:
        """Those that are shown."""
        for number, chapter, table in self._tables(
            "changes", "statistic", "group", "first", "second", "change", "p"
        ):
            for row in records(table):
                by_size = statistic(str(row["statistic"])).changes_by_size
                if not (by_size and judge_row("change", row).shown):
                    continue
                yield (
                    head_of(row),
                    {
                        "chapter": number,
                        "other": self._other(chapter),
                        "title": statistic(str(row["statistic"])).write_name(str(row["group"])),
                        "first": row["first"],
                        "second": row["second"],
                        "low": row["low"],
                        "high": row["high"],
                        "p": row["p"],
                    },
                )

    def _matches(self) -> Iterator[tuple[Head, Match]]:
        for number, chapter, table in self._tables("matching", "match_layer", "match_head", "distance"):
            for row in records(table):
                yield (
                    head_of(row),
                    {
                        "chapter": number,
                        "other": self._other(chapter),
                        "layer": int(row["match_layer"]),
                        "head": int(row["match_head"]),
                        "distance": row["distance"],
                        "own_distance": row.get("own_distance"),
                    },
                )

    def _other(self, chapter: str) -> str:
        from attlas.wording.numbers import model_title

        other = self.atlas.about(chapter).get("other")
        return model_title(str(other.get("name", ""))) if isinstance(other, dict) else "the other model"


def judge_effect(effect: CardEffect) -> Judgement:
    """What may be said of a model without the head."""
    return judge_row(kind_of_score(effect["score"]), effect)


def gain_of(relation: CardRelation) -> float:
    return relation["value"] - (relation["baseline"] or 0.0)


def head_of(row: Any) -> Head:
    return Head.from_row(row)


def _finite_or_none(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _relation(
    chapter: int, row: dict[str, Any], best: dict[str, Any], judged: Mapping[str, float | None]
) -> CardRelation:
    """How a head does beside the baseline. The head that was chosen for the relation, on other windows, has
    the numbers of the table, with a p that is corrected for the relations; that of any other is corrected for
    all heads as well."""
    direction = cast(Direction, DIRECTION[row["statistic"]])
    chosen = head_of(row) == head_of(best) and direction == best["direction"]
    numbers, p = (best, best.get("p")) if chosen else (judged, judged.get("p_all"))
    value, baseline = numbers.get("accuracy"), float(best["baseline_accuracy"] or 0.0)
    gain = {"gain": value, "low": numbers.get("low"), "high": numbers.get("high"), "p": p}
    words = link_words(row["statistic"], row["group"])
    return {
        "chapter": chapter,
        "statistic": None,
        "group": row["group"],
        "title": words.title,
        "finds": words.finds(direction),
        "direction": direction,
        "way": words.way(direction),
        "value": float(row["value"]) if value is None else value,
        "low": numbers.get("low"),
        "high": numbers.get("high"),
        "baseline": best["baseline_accuracy"],
        "baseline_title": baseline_name(best),
        "p": p,
        "best": chosen,
        "sure": p is not None and judge_row("gain", gain, "gain", chance=baseline).shown,
        "n": int(best["links"]),
        "documents": int(best.get("documents") or 0),
    }
