"""Query-focused retrieval: does a head look from a question at the passage that answers it?

As Zhang et al. (2025) measure it, on the needles of `retrieval`: all tokens of the question count, and the
whole of their attention, before the model has written anything.
"""

from __future__ import annotations

import torch
from torch import Tensor

from attlas.corpora.source import ItemId, seeded
from attlas.reducers.reducer import check_numbers
from attlas.reducers.sums import ItemMeans
from attlas.studies.patterns.pattern_scores import PatternScore, scores_of
from attlas.studies.patterns.retrieval import AnswerBatch
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

SPANS = 16  # other passages


class QueryFocus(ItemMeans):
    """The attention of a question's tokens on what answers it, averaged over them. The null is that on other
    passages of the text as long as the answer, drawn from the item's id. Tokens that cannot see the answer
    any more do not count; a layer where none can has no score."""

    name = "query_focus"
    needs = Needs(lazy_weights=True)

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        super().__init__()

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        assert isinstance(batch, AnswerBatch)
        if "decoder" not in batch.sides or not len(batch.question):
            return
        start, stop = int(batch.question[0]), int(batch.question[-1]) + 1
        spans = other_spans(batch.first, start, self.seed, batch.ids[0])  # span token
        for call in observation.calls:
            weights = call.lazy_weights
            if call.kind != "decoder" or weights is None or not len(spans):
                continue
            rows = weights.rows(start, stop)[0].double()  # head query key
            check_numbers(rows)
            seen = torch.ones(rows.shape[1:], dtype=torch.bool, device=rows.device)
            if weights.call is not None and (allowed := weights.call.mask.allowed(start, stop)) is not None:
                seen = allowed[0, 0]
            can = seen[:, batch.first].any(-1)  # query
            score = _mean(rows[:, :, batch.first].sum(-1), can)
            null = _mean(rows[:, :, spans].sum(-1).mean(-1), can)
            values = torch.stack([score, null, score - null], -1)[None, :, None]  # item head column 3
            self.add_items(f"{call.kind}.{call.layer}", values, can.any().view(1, 1, 1, 1), batch)

    def scores(self) -> list[PatternScore]:
        return scores_of(self, (("query_focus", 0),))


def other_spans(first: Tensor, before: int, seed: int, item: ItemId) -> Tensor:
    """span token: places of passages between the first token and the question that share no token with the
    answer. There may be none in a very short text."""
    size, at = len(first), int(first[0])
    starts = torch.arange(1, max(1, before - size + 1))
    starts = starts[(starts + size <= at) | (starts > int(first[-1]))]
    rng = torch.Generator().manual_seed(seeded(seed, "query_focus", *item))
    drawn = starts[torch.randperm(len(starts), generator=rng)[:SPANS]]
    return (drawn[:, None] + torch.arange(size)).to(first.device)


def _mean(values: Tensor, counts: Tensor) -> Tensor:
    """head: of the queries that count."""
    return (values * counts).sum(-1) / counts.sum().clamp(min=1)
