"""What `shuffle` does: a head keeps its values, and attends as it did to another input of the same length.

Who lends to whom follows from the make-up of the batch alone, which is the same on every engine: rows of
equal length stand in a circle, in an order drawn from the seed and their number, and each takes the weights
of the next. A row that is the only one of its length has nobody to borrow from, and does not change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.corpora.source import seeded
from attlas.edits.head_edit import Rows
from attlas.tap.call import Call, WeightChange


def without_partner(batch: Batch, kind: Kind) -> Tensor:
    """batch: the rows that `shuffle` does not change, since no other is as long."""
    real = batch.keys(kind).real
    lenders = torch.tensor(_lenders(real, 0))
    return lenders == torch.arange(len(lenders))


@dataclass(frozen=True)
class Shuffle:
    seed: int

    def __call__(self, call: Call, rows: Rows) -> WeightChange:
        seen = _padding(call)
        if seen is not None and rows is not None:
            seen = seen[list(rows)]
        count = call.query.shape[0] if rows is None else len(rows)
        lenders = _circle(list(range(count)), self.seed) if seen is None else _lenders(seen, self.seed)
        return _Borrow(tuple(lenders))


@dataclass(frozen=True)
class _Borrow:
    lenders: tuple[int, ...]  # row -> the row whose weights it takes

    def __call__(self, weights: Tensor, allowed: Tensor | None) -> Tensor:
        return weights[torch.tensor(self.lenders, device=weights.device)]


def _padding(call: Call) -> Tensor | None:
    """batch anything: equal in rows of equal length; None where all rows are alike."""
    if call.mask.form != "other":
        return call.mask.keys
    seen = call.mask.visible(call.query.shape[2], call.key.shape[2], call.query.device)
    return seen if len(seen) == call.query.shape[0] else None


def _lenders(seen: Tensor, seed: int) -> list[int]:
    groups: dict[bytes, list[int]] = {}
    for row, pattern in enumerate(seen.cpu().numpy()):
        groups.setdefault(pattern.tobytes(), []).append(row)
    lenders = [0] * len(seen)
    for group in groups.values():
        for row, lender in zip(group, _circle(group, seed), strict=True):
            lenders[row] = lender
    return lenders


def _circle(rows: list[int], seed: int) -> list[int]:
    """Return, for each of the rows, the one that it takes from: never itself, where there are two or more."""
    order = np.random.default_rng(seeded(seed, "shuffle", len(rows))).permutation(len(rows))
    follows = np.empty(len(rows), np.int64)
    follows[order] = np.roll(order, -1)
    return [rows[i] for i in follows]
