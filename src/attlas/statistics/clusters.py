"""Means of items that come in documents, with errors that count documents.

Items of one document are alike: a hundred segments of one article say less than one of each of a hundred.
So a document is what was drawn, and the mean Σ values / Σ items is a ratio of two sums over documents:

    variance = G/(G-1) · Σ (s_d - mean · n_d)² / n²        G = n² / Σ n_d²

where document d gave n_d items whose values sum to s_d. G is the number of *effective* documents: as many of
equal size would say as much. Student's t has G - 1 degrees of freedom. Where every document gives as many
items, G is their number, and this is the usual standard error. Where sizes differ, the largest decide, and
their count would promise too much: five times too many p below 1e-4 (`benchmarks/tails.py`).
All of it follows from seven sums (`MOMENTS`), which parts of a corpus add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from attlas.array_types import Floats
from attlas.corpora.source import ItemId

#: over items: their number, the sum of their values, that of the squares; over documents: how many have an
#: item, and the sums of s_d², s_d · n_d and n_d²
MOMENTS = ("items", "sum", "squares", "documents", "sum²", "sum·items", "items²")
ONE_DOCUMENT = (
    "one document: standard errors, intervals and tests are over its {items}, and say nothing of others"
)


class Estimates(NamedTuple):
    """Means of any shape. A mean of no item is NaN, as is the standard error of one item."""

    mean: Floats
    stderr: Floats
    items: Floats
    documents: Floats
    effective: Floats  # documents of equal size that would say as much

    @property
    def degrees(self) -> Floats:
        return degrees(self.items, self.effective)

    def at(self, *place: int) -> tuple[float, float, int, int]:
        """One of them, as plain numbers."""
        mean, stderr, items, documents, _ = (several[place].item() for several in self)
        return mean, stderr, int(items), int(documents)

    def for_row(self, *place: int) -> tuple[float, float, int, int, float]:
        """The same, and the effective documents, as a row has them."""
        return *self.at(*place), self.effective[place].item()


def estimates(moments: Floats) -> Estimates:
    """Means and errors from the seven sums (7 ...). One document says nothing of others: then its items are
    what was drawn."""
    items, total, squares, documents, total2, both, items2 = moments
    mean, over_documents = ratio_and_stderr(documents, total, items, total2, both, items2)
    _, over_items = ratio_and_stderr(items, total, items, squares, total, items)
    several = documents > 1
    effective = np.where(several, effective_units(items, items2), documents)
    return Estimates(mean, np.where(several, over_documents, over_items), items, documents, effective)


def moments_by_document(values: Floats, ids: Sequence[ItemId]) -> Floats:
    """The seven sums (7 ...) of values (... item)."""
    sums, items = document_sums(values, ids)
    over_items = (
        np.full(values.shape[:-1], float(values.shape[-1])),
        values.sum(-1),
        np.square(values).sum(-1),
    )
    documents, items2 = (np.full(values.shape[:-1], float(n)) for n in (len(items), (items**2).sum()))
    return np.stack([*over_items, documents, np.square(sums).sum(-1), sums @ items, items2])


def document_sums(values: Floats, ids: Sequence[ItemId]) -> tuple[Floats, Floats]:
    """... document: the sum of each document's values (... item); document: how many items it has."""
    documents = np.array([item.document for item in ids])
    order = np.argsort(documents, kind="stable")
    _, first, items = np.unique(documents[order], return_index=True, return_counts=True)
    return np.add.reduceat(values[..., order], first, axis=-1), items.astype(np.float64)


def degrees(items: npt.ArrayLike, effective: npt.ArrayLike) -> Floats:
    """Degrees of freedom: the number of effective documents minus one. Where there is one document, or their
    number is unknown, the number of items minus one."""
    units = np.asarray(effective, np.float64)
    freedom: Floats = np.maximum(np.where(units > 1, units, np.asarray(items, np.float64)) - 1, 1)
    return freedom


def effective_units(below: npt.ArrayLike, below2: npt.ArrayLike) -> Floats:
    """(Σ n)² / Σ n², from the sums over units: how many units of equal size would say as much."""
    below, below2 = (np.asarray(sums, np.float64) for sums in (below, below2))
    with np.errstate(divide="ignore", invalid="ignore"):
        effective: Floats = np.where(below2 > 0, below**2 / below2, 0.0)
    return effective


def ratio_and_stderr(
    units: npt.ArrayLike,
    above: npt.ArrayLike,
    below: npt.ArrayLike,
    above2: npt.ArrayLike,
    both: npt.ArrayLike,
    below2: npt.ArrayLike,
) -> tuple[Floats, Floats]:
    """Σ above / Σ below over units (documents, say), and its standard error with the units as what was drawn
    at random, since the parts of one unit are not independent (linearised ratio estimator).

    Given are the number of units and the sums over them of above, below, above², above·below and below².
    """
    units, above, below, above2, both, below2 = (
        np.asarray(sums, np.float64) for sums in (units, above, below, above2, both, below2)
    )
    effective = effective_units(below, below2)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(below > 0, above / below, np.nan)
        residuals = np.maximum(above2 - 2 * value * both + value**2 * below2, 0)
        stderr = np.sqrt(residuals * effective / (effective - 1)) / below
    return value, np.where(units > 1, stderr, np.nan)
