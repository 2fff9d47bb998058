"""An atlas as columns: one number per head, head after head in reading order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas
from attlas.atlas.registry import Statistic, in_order, statistic
from attlas.atlas.schema import ADDRESS
from attlas.atlas.untrained_heads import Untrained
from attlas.figures.head_measures import even_of
from attlas.statistics.clusters import degrees
from attlas.statistics.verdicts import Estimate, estimate
from attlas.wording.names import NAMING
from attlas.wording.numbers import number, percent

WITH_UNIT = ("nats", "tokens", "tokens²", "tokens' worth")


@dataclass(frozen=True, eq=False)
class Column:
    """One statistic of all heads; NaN where a head has none."""

    name: str
    group: str
    chapter: str
    values: Floats
    stderr: Floats
    n: npt.NDArray[np.int64]  # 0 where a head has none
    documents: npt.NDArray[np.int64]  # that the n come from; 0 where they do not come from documents
    effective: Floats  # documents of equal size that would say as much

    @property
    def known(self) -> Statistic:
        return statistic(self.name)

    @property
    def key(self) -> str:
        return f"{self.name}.{self.group}" if self.group else self.name

    def said(self, place: int) -> str:
        """98.1 % ± 0.1 · 2.31 ± 0.02 nats"""
        value, stderr = float(self.values[place]), float(self.stderr[place])
        if self.known.is_share:
            return f"{percent(value).removesuffix(' %')}{_error(100 * stderr, 1)} %"
        digits = 2 if abs(value) >= 0.1 else 4
        unit = f" {self.known.unit}" if self.known.unit in WITH_UNIT else ""
        return f"{number(value, digits)}{_error(stderr, digits)}{unit}"

    def estimate(self, place: int) -> Estimate:
        """Of one head, with its interval over documents."""
        freedom = float(degrees(self.n[place], self.effective[place]))
        value, stderr = float(self.values[place]), float(self.stderr[place])
        return estimate(value, stderr, freedom, int(self.documents[place]))

    def plainly(self, value: float) -> str:
        """A number of this statistic's unit, without an error."""
        return percent(value) if self.known.is_share else number(value, 2 if abs(value) >= 0.1 else 4)


def _error(stderr: float, digits: int) -> str:
    """As long as its value: ± 0.02, ± <0.01; nothing where there is none."""
    if not math.isfinite(stderr):
        return ""
    least = 10.0**-digits
    return f" ± <{least:.{digits}f}" if 0 < stderr < least / 2 else f" ± {stderr:.{digits}f}"


class Columns:
    """The columns of an atlas, in the order of its chapters and of the registry."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.heads = atlas.addresses
        self._medians: dict[tuple[int, str], float] = {}
        self._of_twins: dict[str, Untrained | None] = {}

    @cached_property
    def all(self) -> list[Column]:
        places = {head: place for place, head in enumerate(self.heads)}
        rows = self.atlas.heads[~self.atlas.heads["statistic"].isin(NAMING)]
        at = [
            places[Head(cast(Kind, k), int(la), int(h))]
            for k, la, h in rows[list(ADDRESS)].itertuples(index=False)
        ]
        order = {chapter: number for number, chapter in enumerate(self.atlas.chapters)}
        columns = []
        keys = ["chapter", "statistic", "group"]
        for key, measured in rows.assign(at=at).groupby(keys, sort=False):
            chapter, name, group = cast(tuple[str, str, str], key)
            columns.append(_column(chapter, name, group, measured, len(self.heads)))
        columns.sort(key=lambda c: (order[c.chapter], in_order(c.name), c.name, _place(c.group)))
        return columns

    @cached_property
    def _first(self) -> dict[tuple[str, str], Column]:
        """By statistic and group: of the first chapter that has it."""
        return {(c.name, c.group): c for c in reversed(self.all)}

    def get(self, name: str, group: str = "") -> Column | None:
        return self._first.get((name, group))

    @cached_property
    def kinds(self) -> npt.NDArray[np.str_]:
        return np.array([head.kind for head in self.heads])

    def median(self, column: Column, place: int) -> float:
        """Over the heads of the same kind."""
        key = id(column), str(self.kinds[place])
        if key not in self._medians:
            self._medians[key] = float(np.nanmedian(column.values[self.kinds == key[1]]))
        return self._medians[key]

    def untrained(self, column: Column, place: int) -> float | None:
        """What untrained heads have, to stand beside a head's value: None where no twin was measured."""
        twins = self._twins(column.chapter)
        return None if twins is None else twins.beside(column.name, column.group, str(self.kinds[place]))

    def most_untrained(self, column: Column, place: int) -> Estimate | None:
        """The most that any untrained head has, with its interval."""
        twins = self._twins(column.chapter)
        return None if twins is None else twins.most(column.name, column.group, str(self.kinds[place]))

    def layers_apart_untrained(self, column: Column, kind: str) -> float:
        """By how much the layers of the untrained twin differ in their means; 0 where none was measured."""
        twins = self._twins(column.chapter)
        return 0.0 if twins is None else twins.layers_apart(column.name, column.group, kind)

    def _twins(self, chapter: str) -> Untrained | None:
        if chapter not in self._of_twins:
            self._of_twins[chapter] = Untrained.of(self.atlas, chapter)
        return self._of_twins[chapter]

    def even_entropy(self, column: Column, place: int) -> float | None:
        """What even attention would have; None where the chapter does not say."""
        even = even_of(self.atlas, column.chapter)
        return even.of(cast(Kind, str(self.kinds[place]))) if even is not None else None


def _column(chapter: str, name: str, group: str, rows: pd.DataFrame, heads: int) -> Column:
    values, stderr, effective = np.full(heads, np.nan), np.full(heads, np.nan), np.zeros(heads)
    n, documents = np.zeros(heads, np.int64), np.zeros(heads, np.int64)
    at = rows["at"].to_numpy()
    values[at], stderr[at], n[at], documents[at] = (rows[c] for c in ("value", "stderr", "n", "documents"))
    effective[at] = np.where(rows["effective"] > 0, rows["effective"], rows["documents"])
    return Column(name, group, chapter, values, stderr, n, documents, effective)


def _place(group: str) -> tuple[int, int, str]:
    """Special classes first, numbers by size."""
    first = {"sep": 0, "cls": 1, "punct": 2}
    return first.get(group, 3), int(group) if group.lstrip("+-").isdecimal() else 0, group
