"""Query-focused retrieval: does a head look from a question at the passage that answers it?

As Zhang et al. (2025) measure it, on the needles of `retrieval`: all tokens of the question count, and the
whole of their attention, before the model has written anything.
"""

from __future__ import annotations

import torch
from torch import Tensor

from attlas.reducers.reducer import check_numbers
from attlas.reducers.sums import ItemMeans
from attlas.studies.patterns.pattern_scores import PatternScore, scores_of
from attlas.studies.patterns.retrieval import AnswerBatch
from attlas.tap.lazy_weights import LazyWeights
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

READERS = 64  # tokens before the question, which ask nothing


class QueryFocus(ItemMeans):
    """The attention of a question's tokens on what answers it, averaged over them. The null is what the last
    tokens of the text before the question pay to it, who ask nothing: many heads look at whatever is odd in
    a text. Tokens that cannot see the answer any more do not count; a layer where none can has no score."""

    name = "query_focus"
    needs = Needs(lazy_weights=True)

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        assert isinstance(batch, AnswerBatch)
        if "decoder" not in batch.sides or not len(batch.question):
            return
        asking = int(batch.question[0]), int(batch.question[-1]) + 1
        between = max(int(batch.first[-1]) + 1, asking[0] - READERS), asking[0]
        for call in observation.calls:
            weights = call.lazy_weights
            if call.kind != "decoder" or weights is None or between[0] >= between[1]:
                continue
            (score, asks), (null, reads) = (_paid(weights, *rows, batch.first) for rows in (asking, between))
            values = torch.stack([score, null, score - null], -1)[None, :, None]  # item head column 3
            self.add_items(f"{call.kind}.{call.layer}", values, (asks & reads).view(1, 1, 1, 1), batch)

    def scores(self) -> list[PatternScore]:
        return scores_of(self, (("query_focus", 0),))


def _paid(weights: LazyWeights, start: int, stop: int, first: Tensor) -> tuple[Tensor, Tensor]:
    """head: the mean attention of these queries on the answer, of those that can see any of it; and whether
    some can."""
    rows = weights.rows(start, stop)[0].double()  # head query key
    check_numbers(rows)
    seen = torch.ones(rows.shape[1:], dtype=torch.bool, device=rows.device)
    if weights.call is not None and (allowed := weights.call.mask.allowed(start, stop)) is not None:
        seen = allowed[0, 0]
    can = seen[:, first].any(-1)  # query
    mean = (rows[:, :, first].sum(-1) * can).sum(-1) / can.sum().clamp(min=1)
    return mean, can.any()
