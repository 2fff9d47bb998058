"""For each head, the tokens it attends to most strongly."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.reducers.reducer import Row, State, reading_order
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, Seen


class Example(NamedTuple):
    """A query and a key, counted among a segment's real tokens, and the weight between them."""

    head: Head
    weight: float
    segment: int
    query: int
    key: int


class Examples:
    """The strongest weight of each of the `keep` segments where it is strongest: one example a segment, so
    that no text fills the list. Ties go to the earlier segment."""

    name = "examples"
    needs = Needs(look=True)

    def __init__(self, keep: int = 5) -> None:
        self.keep = keep
        self.best: State = {}  # kind.layer -> head rank 4: weight, segment, query, key; weight -1 is empty

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        for seen in observation.seen:
            queries, keys = batch.queries(seen.kind).real, batch.keys(seen.kind).real
            top, query, key = _strongest(seen, queries)
            # count positions among the real tokens, whichever side the padding is on
            query = queries.long().cumsum(-1).gather(1, query) - 1
            key = keys.long().cumsum(-1).gather(1, key) - 1
            segment = torch.tensor([i.document for i in batch.ids], device=top.device)[:, None].expand_as(query)
            found = torch.stack([top.double(), segment.double(), query.double(), key.double()], -1)
            self._keep(f"{seen.kind}.{seen.layer}", found.transpose(0, 1).cpu().numpy())

    def _keep(self, name: str, found: npt.NDArray[np.float64]) -> None:
        both = np.concatenate([self.best[name], found], 1) if name in self.best else found  # head example 4
        order = np.lexsort((both[..., 1], -both[..., 0]))[:, : self.keep]
        self.best[name] = np.take_along_axis(both, order[..., None], 1)

    def merge(self, other: Examples) -> None:
        for name, found in other.best.items():
            self._keep(name, found)

    def state(self) -> State:
        return dict(self.best)

    def restore(self, state: State) -> None:
        self.best = {name: np.array(found) for name, found in state.items()}

    def result(self) -> list[Row]:
        return []

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        return {}

    def examples(self) -> list[Example]:
        """Strongest first within each head."""
        found = []
        for name in sorted(self.best, key=reading_order):
            kind, _, layer = name.partition(".")
            for head, rows in enumerate(self.best[name]):
                where = Head(cast(Kind, kind), int(layer), head)
                found += [Example(where, w, int(s), int(q), int(k)) for w, s, q, k in rows if w >= 0]
        return found


def _strongest(seen: Seen, queries: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """batch head, three times: the largest weight of a real token, its query and its key."""
    assert seen.look is not None
    weights, keys = seen.look.strongest(1)
    top, query = weights[..., 0].masked_fill(~queries[:, None], -1).max(-1)
    return top, query, keys[..., 0].gather(-1, query[..., None])[..., 0]
