"""What two models make of the same items: how alike the maps of their heads are, how every mean changes, and
which head of one does what a head of the other did. Reducers of passes that have a model beside the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

import torch
from torch import Tensor

from attlas.address import KINDS, Head, Kind
from attlas.array_types import Floats
from attlas.reducers.divergence import summed_divergence
from attlas.reducers.means import Mean, Means, mean_rows
from attlas.reducers.reducer import ItemMeans, Reducer, State, reading_order, table
from attlas.row import Row
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall

AnyReducer = TypeVar("AnyReducer", bound=Reducer)
BLOCK_BYTES = (2**24, 2**28)  # weights of one layer that are held at once, without and with a GPU


class MapChanges(ItemMeans):
    """`map_cosine` and `map_distance`: the cosine between a head's maps in both models, each map taken as one
    long vector, and the Jensen-Shannon divergence (nats) between their rows, averaged over a segment's
    tokens; then both averaged over segments.

    The original's maps have their padding in them, whose rows mean nothing: `padded` takes it along.
    """

    name = "map_changes"
    needs = Needs(lazy_weights=True)

    def __init__(self, padded: bool = False) -> None:
        self.padded = padded
        super().__init__()

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        for first, second in _call_pairs(observation):
            queries, keys = batch.queries(first.kind).real, batch.keys(first.kind).real
            if self.padded:
                queries, keys = torch.ones_like(queries), torch.ones_like(keys)
            values = _alike(first, second, queries, keys)  # batch head 2
            present = torch.ones(1, 1, 1, dtype=torch.bool, device=values.device)
            self.add_items(f"{first.kind}.{first.layer}", values, present, batch)

    def rows(self) -> list[Row]:
        return table(self, [("map_cosine", ""), ("map_distance", "")])


def _alike(first: ObservedCall, second: ObservedCall, queries: Tensor, keys: Tensor) -> Tensor:
    """batch head 2: cosine, and mean divergence of rows."""
    own_weights, other_weights = first.lazy_weights, second.lazy_weights
    assert own_weights is not None
    assert other_weights is not None
    rows = queries.shape[1]
    block = max(1, BLOCK_BYTES[queries.device.type == "cuda"] // (8 * first.heads * keys.numel()))
    sums = torch.zeros(4, len(queries), first.heads, dtype=torch.float64, device=queries.device)
    for start in range(0, rows, block):
        stop = min(start + block, rows)
        inside = queries[:, None, start:stop, None] & keys[:, None, None]
        a, b = (weights.rows(start, stop).double() * inside for weights in (own_weights, other_weights))
        sums += torch.stack(
            [(a * b).sum((2, 3)), (a * a).sum((2, 3)), (b * b).sum((2, 3)), _divergence(a, b)]
        )
    product, first_square, second_square, divergence = sums
    cosine = product / (first_square * second_square).sqrt().clamp(min=1e-300)
    return torch.stack([cosine.clamp(max=1), divergence / queries.sum(-1)[:, None]], -1)


def _divergence(a: Tensor, b: Tensor) -> Tensor:
    """batch head: Σ over rows of ½KL(a‖m) + ½KL(b‖m), m = ½(a + b)."""
    middle = (a + b) / 2
    entropies = [torch.xlogy(x, x).sum((2, 3)) for x in (a, b, middle)]
    return ((entropies[0] + entropies[1]) / 2 - entropies[2]).clamp(min=0)


class OtherModel(Generic[AnyReducer]):
    """A reducer of one model, here of the one beside the first: it sees what that made of the items."""

    def __init__(self, reducer: AnyReducer) -> None:
        self.reducer = reducer
        self.name = f"other_{reducer.name}"
        self.needs = reducer.needs

    def update(self, observation: Observation) -> None:
        assert observation.beside is not None
        self.reducer.update(observation.beside)

    def merge(self, other: OtherModel[AnyReducer]) -> None:
        self.reducer.merge(other.reducer)

    def state(self) -> State:
        return self.reducer.state()

    def restore(self, state: State) -> None:
        self.reducer.restore(state)


class PairedMeans(ItemMeans):
    """Means over segments in both models, and of the differences, second less first: a difference's standard
    error is that of pairs, since both models read the same segments."""

    WHICH = ("first", "second", "change")

    def __init__(self, means: Sequence[Mean], name: str = "paired") -> None:
        self.name = name
        self.means = tuple(means)
        self._places = Means(means)
        self.needs = self._places.needs
        super().__init__()

    def update(self, observation: Observation) -> None:
        assert observation.beside is not None
        for kind in dict.fromkeys(totals.kind for totals in observation.totals):
            both = [
                self._places.by_item([t for t in seen.totals if t.kind == kind], observation.batch)
                for seen in (observation, observation.beside)
            ]
            if both[0] is None or both[1] is None:
                continue
            (first, in_first), (second, in_second) = both[0], both[1]
            present = in_first & in_second
            for which, values in zip(self.WHICH, (first, second, second - first), strict=True):
                self.add_items(f"{kind}/{which}", values, present, observation.batch)

    def rows_of(self, which: str) -> list[Row]:
        """The rows of the first model, of the second, or of the change."""
        return mean_rows(self, self.means, f"/{which}")


class CrossDistances(ItemMeans):
    """Jensen-Shannon divergence (nats) between every head of the first model and every head of the second, on
    the same tokens; averaged over a segment's tokens, then over segments. For a sample."""

    name = "cross_distances"
    needs = Needs(lazy_weights=True)

    def __init__(self, heads: Sequence[Head]) -> None:
        self.heads: dict[Kind, list[Head]] = {k: [h for h in heads if h.kind == k] for k in KINDS}
        super().__init__()

    def update(self, observation: Observation) -> None:
        assert observation.beside is not None
        batch = observation.batch
        for kind, heads in self.heads.items():
            if not heads:
                continue
            calls = [*_calls(observation, kind), *_calls(observation.beside, kind)]
            queries, keys = batch.queries(kind), batch.keys(kind)
            both = summed_divergence(calls, queries.real, keys.real)  # batch head head, of both models
            crossed = both[:, : len(heads), len(heads) :] / queries.count("all")[:, None, None]
            present = torch.ones(1, 1, 1, dtype=torch.bool, device=crossed.device)
            self.add_items(kind, crossed, present, batch)

    def arrays(self) -> dict[str, Floats]:
        return {
            f"{kind}.cross_distances": self.mean(kind).mean for kind in sorted(self.sums, key=reading_order)
        }

    def distances(self, kind: Kind) -> Floats:
        """head of the first, head of the second"""
        return self.mean(kind).mean


def _calls(observation: Observation, kind: Kind) -> list[ObservedCall]:
    return sorted((c for c in observation.calls if c.kind == kind), key=lambda c: c.layer)


def _call_pairs(observation: Observation) -> Iterator[tuple[ObservedCall, ObservedCall]]:
    """The same layer of both models."""
    assert observation.beside is not None
    others = {(c.kind, c.layer): c for c in observation.beside.calls}
    for call in observation.calls:
        yield call, others[call.kind, call.layer]
