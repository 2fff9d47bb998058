"""A row of results: one value of one head."""

from typing import NamedTuple

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
