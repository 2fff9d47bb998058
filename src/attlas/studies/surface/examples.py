"""For each head, the tokens it attends to most strongly."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.corpora.batches import Batch
from attlas.corpora.source import ItemId
from attlas.reducers.reducer import State, reading_order
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall

NOTHING = -2.0  # less than any excess
FEWEST_KEYS = 8  # a row that sees fewer tells little, unless its text has no more


class ItemExample(NamedTuple):
    """A query and a key, counted among an item's real tokens, and the weight between them."""

    head: Head
    weight: float
    id: ItemId
    query: int
    key: int
    sample: str = "strongest"


class StrongestInRows(NamedTuple):
    """The strongest key of every row. The excess of a row that does not count is NOTHING."""

    excess: Tensor  # batch head query
    weights: Tensor  # batch head query
    real_keys: Tensor  # batch head query: the key, counted among the real tokens
    real_query: Tensor  # batch query: the query, likewise


class _Candidates(NamedTuple):
    """head rank ...: the best first."""

    weights: npt.NDArray[np.float64]  # 2: excess and weight
    places: npt.NDArray[np.int64]  # 4: document, place, query, key


class Examples:
    """The strongest weight of each of the `keep` items where it is strongest: one example an item, so that no
    text fills the list.

    A weight counts by its excess, by how much it is beyond what its row offers: with v keys to be seen,
    (α - 1/v) / (1 - 1/v), which is 0 where a row is even and 1 where one key has all of it. Rows that see
    fewer than 8 keys are left out, unless their text has no more: under a causal mask the first token can
    look nowhere but at itself. In decoders the first token does not count as a key, since it is where they
    park attention that they do not need (`to_first` says how much); what is shown is where a head looks
    apart from that. Ties go to the item that comes first.
    """

    name = "examples"
    needs = Needs(lazy_weights=True)

    def __init__(self, keep: int = 5) -> None:
        self.keep = keep
        self.best: dict[str, _Candidates] = {}  # by kind.layer

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        ids = torch.tensor(batch.ids, dtype=torch.long)  # batch 2
        for call in observation.calls:
            excess, weight, query, key = (t.cpu() for t in _strongest(call, batch))
            item = ids[:, None].expand(-1, call.heads, -1)
            weights = torch.stack([excess, weight], -1).double().transpose(0, 1)
            places = torch.cat([item, query[..., None], key[..., None]], -1).transpose(0, 1)
            self._keep(f"{call.kind}.{call.layer}", _Candidates(weights.numpy(), places.numpy()))

    def _keep(self, name: str, candidates: _Candidates) -> None:
        if name in self.best:
            known = self.best[name]
            candidates = _Candidates(
                np.concatenate([known.weights, candidates.weights], 1),
                np.concatenate([known.places, candidates.places], 1),
            )
        by_id = candidates.places[..., 1], candidates.places[..., 0]
        order = np.lexsort((*by_id, -candidates.weights[..., 0]))[:, : self.keep, None]
        self.best[name] = _Candidates(
            np.take_along_axis(candidates.weights, order, 1), np.take_along_axis(candidates.places, order, 1)
        )

    def merge(self, other: Examples) -> None:
        for name, candidates in other.best.items():
            self._keep(name, candidates)

    def state(self) -> State:
        return {
            f"{name}/{what}": array
            for name, candidates in self.best.items()
            for what, array in candidates._asdict().items()
        }

    def restore(self, state: State) -> None:
        names = dict.fromkeys(key.partition("/")[0] for key in state)
        self.best = {
            n: _Candidates(*(np.array(state[f"{n}/{what}"]) for what in _Candidates._fields)) for n in names
        }

    def examples(self) -> list[ItemExample]:
        """Strongest first within each head."""
        examples = []
        for name in sorted(self.best, key=reading_order):
            kind, _, layer = name.partition(".")
            for head, (weights, places) in enumerate(zip(*self.best[name], strict=True)):
                where = Head(cast(Kind, kind), int(layer), head)
                for (excess, weight), (document, place, query, key) in zip(
                    weights.tolist(), places.tolist(), strict=True
                ):
                    if excess > NOTHING:
                        examples.append(ItemExample(where, weight, ItemId(document, place), query, key))
        return examples


def _strongest(call: ObservedCall, batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """batch head, four times: the largest excess of an item, its weight, its query and its key; an item
    without any has NOTHING."""
    rows = strongest_in_rows(call, batch)
    excess, query = rows.excess.max(-1)  # batch head
    weight, key = (t.gather(-1, query[..., None])[..., 0] for t in (rows.weights, rows.real_keys))
    return excess, weight, rows.real_query.gather(1, query), key


def strongest_in_rows(call: ObservedCall, batch: Batch) -> StrongestInRows:
    """Places are counted among the real tokens, whichever side padding is on."""
    assert call.lazy_weights is not None
    queries, keys = batch.queries(call.kind).real, batch.keys(call.kind).real
    sinks = call.kind == "decoder"
    weights, at = call.lazy_weights.strongest(2 if sinks else 1)  # batch head query k
    if sinks:
        first = keys.int().argmax(-1)[:, None, None]
        parked = (at[..., 0] == first)[..., None]
        weights, at = (torch.where(parked, t[..., -1:], t[..., :1]) for t in (weights, at))
        counts = at[..., 0] != first  # a text of one token has no other key
    else:
        counts = torch.ones_like(at[..., 0], dtype=torch.bool)
    weights, at = weights[..., 0], at[..., 0]
    visible = call.lazy_weights.visible()
    enough = queries & (visible >= keys.sum(-1, keepdim=True).clamp(max=FEWEST_KEYS))
    even = 1 / visible.clamp(min=1).double()[:, None]
    excess = (weights.double() - even) / (1 - even).clamp(min=torch.finfo(torch.float32).eps)
    excess = excess.masked_fill(~(counts & enough[:, None]), NOTHING)
    real_query, real_key = (real.long().cumsum(-1) - 1 for real in (queries, keys))
    real_keys = real_key[:, None].expand(-1, at.shape[1], -1).gather(2, at)
    return StrongestInRows(excess, weights, real_keys, real_query)
