"""Atlas: the tables and arrays of one run, and the questions one asks of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.address import KINDS, Head, Kind
from attlas.errors import AttlasError

#: column of the overview -> statistic and group
OVERVIEW = {
    "previous": ("to_previous", ""),
    "self": ("to_self", ""),
    "next": ("to_next", ""),
    "cls": ("to_class", "cls"),
    "sep": ("to_class", "sep"),
    "punct": ("to_class", "punct"),
    "first": ("to_first", ""),
    "entropy": ("entropy", "all"),
    "largest": ("largest", ""),
}


@dataclass(frozen=True)
class Atlas:
    """`heads` is tidy, one row per value; `arrays` holds what is not a scalar per head; `examples` what each
    head attends to most strongly; `manifest` where it all came from."""

    manifest: dict[str, Any]
    heads: pd.DataFrame
    arrays: dict[str, npt.NDArray[Any]] = field(default_factory=dict)
    examples: pd.DataFrame = field(default_factory=pd.DataFrame)
    path: Path | None = None

    @property
    def kinds(self) -> tuple[Kind, ...]:
        have = set(self.heads["kind"])
        return tuple(k for k in KINDS if k in have)

    @property
    def addresses(self) -> tuple[Head, ...]:
        """Every head, in reading order."""
        rows = self.heads[["kind", "layer", "head"]].drop_duplicates()
        heads = [Head(k, int(la), int(h)) for k, la, h in rows.itertuples(index=False)]
        return tuple(sorted(heads, key=lambda h: (KINDS.index(h.kind), h.layer, h.head)))

    def has(self, statistic: str, group: str = "", kind: Kind | None = None) -> bool:
        return not self._rows(statistic, group, kind).empty

    def grid(
        self, statistic: str, group: str = "", kind: Kind | None = None, column: str = "value"
    ) -> npt.NDArray[np.float64]:
        """layer head: one statistic of every head; NaN where a head has none."""
        kind = kind or self.kinds[0]
        rows = self._rows(statistic, group, kind)
        if rows.empty:
            raise AttlasError(
                f"the atlas has no {statistic}{f' ({group})' if group else ''} for {kind} heads"
            )
        of_kind = self.heads[self.heads["kind"] == kind]
        grid = np.full((int(of_kind["layer"].max()) + 1, int(of_kind["head"].max()) + 1), np.nan)
        grid[rows["layer"], rows["head"]] = rows[column]
        return grid

    def head(self, head: Head | str) -> pd.DataFrame:
        """Everything about one head: statistic, group, value, stderr, n."""
        address = Head.parse(head, self.addresses) if isinstance(head, str) else head
        of = self.heads
        chosen = (of["kind"] == address.kind) & (of["layer"] == address.layer) & (of["head"] == address.head)
        return of[chosen].drop(columns=["kind", "layer", "head"]).reset_index(drop=True)

    def overview(self) -> pd.DataFrame:
        """A row a head: its label and its main statistics."""
        labels = self.labels()
        rows = [(h.kind, h.layer, h.head, labels.get(h, "")) for h in self.addresses]
        table = pd.DataFrame(rows, columns=["kind", "layer", "head", "label"]).set_index(
            ["kind", "layer", "head"]
        )
        values = self.heads.set_index(["kind", "layer", "head", "statistic", "group"])["value"]
        for name, (statistic, group) in OVERVIEW.items():
            if self.has(statistic, group):
                table[name] = values.xs((statistic, group), level=("statistic", "group"))
        return table.reset_index()

    def labels(self, kind: Kind | None = None) -> dict[Head, str]:
        rows = self.heads[self.heads["statistic"] == "label"]
        if kind is not None:
            rows = rows[rows["kind"] == kind]
        return {
            Head(k, int(la), int(h)): str(g)
            for k, la, h, g in rows[["kind", "layer", "head", "group"]].itertuples(index=False)
        }

    def _rows(self, statistic: str, group: str, kind: Kind | None) -> pd.DataFrame:
        chosen = (self.heads["statistic"] == statistic) & (self.heads["group"] == group)
        if kind is not None:
            chosen &= self.heads["kind"] == kind
        return self.heads[chosen]
