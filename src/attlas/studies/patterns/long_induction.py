"""Long induction: does a head look far back at what is being repeated?

The needle is given back word by word, so that each of its tokens but the first can be found by the one before
it, as induction does. `retrieval` asks for what the model says itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.corpora.source import ItemId, seeded
from attlas.reducers.reducer import check_numbers
from attlas.reducers.sums import ItemMeans
from attlas.studies.patterns.pattern_scores import PatternScore, scores_of
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

SHUFFLES = 16


@dataclass(frozen=True)
class NeedleBatch(Batch):
    """A text of one row, and where the tokens of its needle stand in it: first, and when they are copied."""

    first: Tensor  # token
    again: Tensor  # token


class LongInduction(ItemMeans):
    """The share of the needle's tokens for which a head's strongest weight, in the row that predicts the
    token, falls on that token where it first stood. The null is the same with the needle's tokens at other
    places between the first token and the copy, drawn from the item's id.

    A token that the row cannot see any more (a window shorter than the distance) does not count; a layer
    where none can be seen has no score.
    """

    name = "long_induction"
    needs = Needs(lazy_weights=True)

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        super().__init__()

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        assert isinstance(batch, NeedleBatch)
        queries = batch.again - 1  # which predict the copy
        other = elsewhere(batch.first, int(batch.again[0]), self.seed, batch.ids[0])  # shuffle token
        for call in observation.calls:
            weights = call.lazy_weights
            if call.kind != "decoder" or weights is None:
                continue
            start, stop = int(queries[0]), int(queries[-1]) + 1
            rows = weights.rows(start, stop)[0]  # head query key
            check_numbers(rows)
            seen = torch.ones(rows.shape[1:], dtype=torch.bool, device=rows.device)
            if weights.call is not None and (allowed := weights.call.mask.allowed(start, stop)) is not None:
                seen = allowed[0, 0]
            can = seen.gather(1, batch.first[:, None])[:, 0]  # query
            best = rows.argmax(-1)  # head query
            score = _share(best == batch.first, can)
            null = torch.stack([_share(best == places, can) for places in other]).mean(0)
            values = torch.stack([score, null, score - null], -1)[None, :, None]  # item head column 3
            there = can.any().view(1, 1, 1, 1)
            self.add_items(f"{call.kind}.{call.layer}", values, there, batch)

    def scores(self) -> list[PatternScore]:
        return scores_of(self, (("long_induction", 0),))


def elsewhere(first: Tensor, before: int, seed: int, item: ItemId) -> Tensor:
    """shuffle token: other places of the needle's tokens, from the second token to `before`."""
    rng = torch.Generator().manual_seed(seeded(seed, "needle", *item))
    drawn = [1 + torch.randperm(before - 1, generator=rng)[: len(first)] for _ in range(SHUFFLES)]
    return torch.stack(drawn).to(first.device)


def _share(hits: Tensor, counts: Tensor) -> Tensor:
    """head: of the queries that count."""
    return (hits & counts).sum(-1).double() / counts.sum().clamp(min=1)
