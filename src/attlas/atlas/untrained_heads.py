"""What untrained twins gave, to stand beside the numbers of a model: read from a chapter's table `twin`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from attlas.atlas.registry import statistic
from attlas.atlas.schema import ADDRESS

if TYPE_CHECKING:
    from attlas.atlas.atlas import Atlas
    from attlas.statistics.verdicts import Estimate

TABLE = "twin"
#: the twin whose attention is as its class initialises it; the other one is made peaked
PLAIN = "untrained"


class Untrained:
    """`beside` is the number that is shown beside a model's: for a share or a score, the most that any head
    of either twin gives; for everything else, what the median head of the plain twin has."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.table = table

    @classmethod
    def of(cls, atlas: Atlas, chapter: str) -> Untrained | None:
        """None where no twin was measured."""
        table = atlas.tables.get(f"{chapter}/{TABLE}")
        needed = {*ADDRESS, "twin", "statistic", "group", "value", "stderr", "documents"}
        return None if table is None or not needed <= set(table.columns) else cls(table)

    def beside(self, name: str, group: str, kind: str) -> float | None:
        key = name, group, kind
        if statistic(name).is_share:
            most = self._most.get(key)
            return None if most is None else float(most["value"])
        return self._median.get(key)

    def most(self, name: str, group: str, kind: str) -> Estimate | None:
        """The most that any untrained head gives, with its interval."""
        from attlas.statistics.verdicts import estimate  # who only reads an atlas needs no scipy

        row = self._most.get((name, group, kind))
        if row is None:
            return None
        return estimate(float(row["value"]), float(row["stderr"]), *_read(row))

    def layers_apart(self, name: str, group: str, kind: str) -> float:
        """By how much the means of the plain twin's layers differ at most; 0 where it has none."""
        t = self.table
        rows = t[
            (t["twin"] == PLAIN) & (t["statistic"] == name) & (t["group"] == group) & (t["kind"] == kind)
        ]
        means = rows.groupby("layer")["value"].mean()
        return float(means.max() - means.min()) if len(means) else 0.0

    def gain(self, pattern: str, kind: str) -> Estimate | None:
        """By how much the score of any untrained head exceeds chance, at most."""
        from attlas.statistics.verdicts import estimate

        row = self._gains.get((pattern, kind))
        if row is None:
            return None
        return estimate(float(row["gain"]), float(row["stderr"]), *_read(row))

    @cached_property
    def _most(self) -> dict[tuple[str, str, str], dict[Hashable, Any]]:
        rows = self.table.sort_values("value", kind="stable").groupby(["statistic", "group", "kind"]).tail(1)
        return {(r["statistic"], r["group"], r["kind"]): r for r in rows.to_dict("records")}

    @cached_property
    def _median(self) -> dict[tuple[str, str, str], float]:
        plain = self.table[self.table["twin"] == PLAIN]
        medians = plain.groupby(["statistic", "group", "kind"])["value"].median()
        rows = medians.reset_index().to_dict("records")
        return {(r["statistic"], r["group"], r["kind"]): float(r["value"]) for r in rows}

    @cached_property
    def _gains(self) -> dict[tuple[str, str], dict[Hashable, Any]]:
        at = [*ADDRESS, "twin", "group"]
        scores = self.table[self.table["statistic"] == "pattern_score"]
        nulls = self.table[self.table["statistic"] == "pattern_null"][[*at, "value"]]
        both = scores.merge(nulls, on=at, suffixes=("", "_null"))
        both = both.assign(gain=both["value"] - both["value_null"]).sort_values("gain", kind="stable")
        return {
            (r["group"], r["kind"]): r for r in both.groupby(["group", "kind"]).tail(1).to_dict("records")
        }


def _read(row: Mapping[Hashable, Any]) -> tuple[float, int]:
    """Degrees of freedom, and the documents that were read; items, where there are none."""
    from attlas.statistics.clusters import degrees

    documents = int(row["documents"])
    freedom = degrees(row["n"], row.get("effective") or documents)
    return float(freedom), documents or int(row["n"])
