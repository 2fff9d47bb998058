"""The weights between the tokens of a passage: for looking at, not for counting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from attlas.corpora.batches import sides_of
from attlas.corpora.source import ItemId
from attlas.reducers.reducer import State, reading_order
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Array = npt.NDArray[np.float32]


class PassageWeights:
    """For every item, what each token of a passage gives to each of them, and to the first token of all, as
    every head sees it. For a few items, not for a corpus."""

    name = "passage_weights"
    needs = Needs(lazy_weights=True)

    def __init__(self, passages: Mapping[str, slice]) -> None:
        self.passages = passages  # side -> which of an item's tokens
        self.kept: dict[
            tuple[ItemId, str], Array
        ] = {}  # item, kind.layer -> head query 1+key: the first token
        # of all, NaN where it is one of the passage, then the passage

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if any(side not in self.passages for side in sides_of(call.kind)):
                continue  # patches of images
            assert call.lazy_weights is not None
            asking_side, looked_at_side = (self.passages[side] for side in sides_of(call.kind))
            queries, keys = (
                side.real.cpu()
                for side in (observation.batch.queries(call.kind), observation.batch.keys(call.kind))
            )
            for row, item in enumerate(observation.batch.ids):
                asking = queries[row].nonzero()[asking_side, 0]
                looked_at = keys[row].nonzero()[looked_at_side, 0]
                first, past = int(asking[0]), int(asking[-1]) + 1
                weights = call.lazy_weights.rows(first, past)[row].float().cpu()
                sink = int(keys[row].nonzero()[0, 0])
                to_first = (
                    weights[:, :, [sink]]
                    if sink < looked_at[0]
                    else torch.full_like(weights[:, :, :1], torch.nan)
                )
                both = torch.cat([to_first, weights[:, :, looked_at]], -1)
                self.kept[item, f"{call.kind}.{call.layer}"] = both.numpy()

    def merge(self, other: PassageWeights) -> None:
        self.kept |= other.kept

    def state(self) -> State:
        return {f"{i.document}.{i.place}/{at}": weights for (i, at), weights in self.kept.items()}

    def restore(self, state: State) -> None:
        self.kept = {}
        for key, weights in state.items():
            item, _, at = key.partition("/")
            document, place = item.split(".")
            self.kept[ItemId(int(document), int(place)), at] = weights

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """`kind.maps` (head query key) of the first item, all heads of a kind in reading order; and
        `kind.maps_first` (head query), the weight on the first token of all, where it is not among the
        keys."""
        if not self.kept:
            return {}
        first = min(item for item, _ in self.kept)
        layers = sorted((at for item, at in self.kept if item == first), key=reading_order)
        kinds = dict.fromkeys(at.partition(".")[0] for at in layers)
        arrays: dict[str, Array] = {}
        for kind in kinds:
            weights = np.concatenate([self.kept[first, at] for at in layers if at.startswith(f"{kind}.")])
            arrays[f"{kind}.maps"] = np.ascontiguousarray(weights[:, :, 1:])
            if not np.isnan(weights[:, :, 0]).any():
                arrays[f"{kind}.maps_first"] = np.ascontiguousarray(weights[:, :, 0])
        return arrays
