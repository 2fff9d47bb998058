"""A random sample of rows: statistics of a pass from some of its queries, where all of them would take long.

Totals are sums over rows, so that a sample in which a row stands for n rows (itself and n - 1 others) gives
each sum without bias. The sample is stratified: the rows of an item that belong to the same groups of queries
are cut into runs of neighbours, and one row of each run is drawn at random. Groups of few rows ([CLS], say)
are taken whole. What is drawn depends on the item and on nothing else: not on the batch, the machine or the
model, so that two models are compared on the same rows.

No term has to be added to the standard errors: each item's rows are drawn for themselves, and the spread of
the items' values, of which standard errors are made, has the sampling's share in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from attlas.corpora.source import ItemId, seeded
from attlas.errors import AttlasError
from attlas.tap.call import Call
from attlas.tap.mask import Mask
from attlas.tap.needs import KernelRequest

LEAST = 8  # rows that are drawn at least of each set of rows that belong to the same groups
SEED = 0


def check_fraction(rows: float | None) -> float | None:
    """The fraction of rows that somebody asked for; None and 1 are every row."""
    if rows is not None and not (isinstance(rows, int | float) and 0 < rows <= 1):
        raise AttlasError(f"rows={rows}: a fraction of the rows is above 0 and at most 1, as in 1/16")
    return rows


@dataclass(frozen=True, eq=False)
class RowSample:
    places: Tensor  # batch row: which queries, in order; those that stand for none come last
    stands_for: Tensor  # batch row, float: how many rows each stands for
    #: what was made of masks, and of a request, kept for the next layer
    _masks: dict[int, tuple[Mask, Mask]] = field(default_factory=dict)
    _requests: dict[int, tuple[KernelRequest, KernelRequest]] = field(default_factory=dict)

    def of(self, call: Call, request: KernelRequest) -> tuple[Call, KernelRequest]:
        """The call and the request of these rows alone."""
        if id(call.mask) not in self._masks:
            mask = call.mask.at(self.places, call.query.shape[2], call.key.shape[2])
            mask = replace(mask, bias=self._at(call.mask.bias))
            self._masks[id(call.mask)] = call.mask, mask
        if id(request) not in self._requests:
            self._requests[id(request)] = request, self._request(request)
        query = self._at(call.query)
        assert query is not None
        few = replace(call, query=query, mask=self._masks[id(call.mask)][1], bias=self._at(call.bias))
        return few, self._requests[id(request)][1]

    def _at(self, tensor: Tensor | None) -> Tensor | None:
        """batch head query ... -> batch head row ...; one may stand for the whole batch, or all queries."""
        if tensor is None or tensor.shape[2] == 1:
            return tensor
        index = torch.arange(len(self.places), device=self.places.device)[:, None]
        return tensor.expand(len(self.places), -1, -1, -1)[index, :, self.places].transpose(1, 2)

    def _request(self, request: KernelRequest) -> KernelRequest:
        groups = self._at(request.groups[:, :, :, None])
        assert groups is not None
        weighted = groups[..., 0] * self.stands_for[:, None]
        return replace(
            request, groups=weighted.contiguous(), places=self.places, lazy_weights=False, prepared={}
        )


def sample_rows(
    groups: Tensor, items: Sequence[ItemId], fraction: float, most: int | None = None
) -> RowSample:
    """About that fraction of each item's rows that belong to any group (`groups` is batch group query); of
    those that belong to the same groups, `most`."""
    queries, device = groups.shape[2], groups.device
    # rows of the same groups side by side, in order of place; rows of no group last
    number = _mix(torch.arange(groups.shape[1], device=device) + 1)
    which = (groups * number[:, None]).sum(1)  # batch query: another number for other groups, 0 for none
    which = torch.where(which == 0, torch.iinfo(torch.int64).max, which)
    which, order = which.sort(dim=-1, stable=True)
    start = torch.searchsorted(which, which)
    count = torch.searchsorted(which, which, right=True) - start
    rank = torch.arange(queries, device=device) - start
    # the rank-th of `count` rows is in one of `several` runs, from the `first`-th on
    several = (count * fraction).ceil().long().clamp(LEAST, most).minimum(count)
    run = rank * several // count
    first = -(-run * count // several)
    size = -(-(run + 1) * count // several) - first
    seeds = torch.tensor([seeded(SEED, "rows", *item) for item in items], device=device)[:, None]
    drawn = _mix(seeds + _mix(start + first)) % size == rank - first
    drawn &= which != torch.iinfo(torch.int64).max
    # those that were drawn, in order of place
    place = torch.where(drawn, order, queries)
    place, by_place = place.sort(dim=-1)
    most = max(1, int(drawn.sum(-1).max()))
    place, size = place[:, :most], size.gather(1, by_place)[:, :most]
    return RowSample(place.clamp(max=queries - 1), torch.where(place < queries, size, 0).float())


def _mix(numbers: Tensor) -> Tensor:
    """Each number (int64) becomes one of 62 bits that looks random, on every machine: splitmix64's end."""
    numbers = (numbers ^ (numbers >> 30 & 2**34 - 1)) * -0x40A7B892E31B1A47
    numbers = (numbers ^ (numbers >> 27 & 2**37 - 1)) * -0x6B2FB644ECCEEE15
    return (numbers ^ (numbers >> 31 & 2**33 - 1)) & 2**62 - 1
