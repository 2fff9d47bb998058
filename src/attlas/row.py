"""A row of results: one value of one head."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from attlas.address import Kind


class Row(NamedTuple):
    """One row of `heads.parquet`. `n` is the number of segments behind the value, and `documents` the number
    of documents that they come from; 0 where items do not come from documents. `effective` is how many
    documents of equal size would say as much: degrees of freedom are one less."""

    kind: Kind
    layer: int
    head: int
    statistic: str
    group: str
    value: float
    stderr: float
    n: int
    documents: int = 0
    effective: float = 0.0

    @classmethod
    def from_record(cls, record: Mapping[Any, Any], statistic: str, group: str, value: str) -> Row:
        """The statistic of a head from its row in a table, where it is the column `value`."""
        at = record["kind"], record["layer"], record["head"]
        return cls(*at, statistic, group, record[value], record["stderr"], record["n"], record["documents"])
