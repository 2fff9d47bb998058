"""Predictive tokens: does a head look at what the model's prediction depends on? Found by intervention."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from attlas.corpora.batches import Batch
from attlas.reducers.reducer import check_numbers
from attlas.reducers.sums import ItemMeans
from attlas.studies.patterns.pattern_scores import PatternScore, scores_of
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


@dataclass(frozen=True)
class MaskedBatch(Batch):
    """One text many times: row 0 as it is, and others with tokens hidden. `pairs` says which rows tell how
    much a query's prediction depends on a key: with the key, without it, query, key. `hidden` says which keys
    no query may see, for models that would count places from an attention mask, so that all later tokens
    moved: those that build ALiBi from it."""

    pairs: Tensor  # pair 4
    hidden: Tensor | None = None  # row key

    @contextmanager
    def during_pass(self, model: nn.Module) -> Iterator[None]:
        hooks = [
            module.register_forward_pre_hook(self._hide, with_kwargs=True)
            for module in (layers_with_alibi(model) if self.hidden is not None else ())
        ]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()

    def _hide(self, _: nn.Module, args: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        mask = kwargs["attention_mask"]  # row (head or 1) query key, added to the scores
        assert self.hidden is not None
        hidden = mask.masked_fill(self.hidden[:, None, None], torch.finfo(mask.dtype).min)
        return args, {**kwargs, "attention_mask": hidden}


def layers_with_alibi(model: nn.Module) -> list[nn.Module]:
    """Those that are given distances as a bias (BLOOM, Falcon)."""
    return [m for m in model.modules() if "alibi" in inspect.signature(m.forward).parameters]


class Predictive(ItemMeans):
    """How much of a row's attention goes to tokens that the prediction in that row depends on.

    The row is of the pass that made the prediction: in an encoder, of the text in which the query is masked.
    `predictive_plain` has there the row of the text in which nothing is; a decoder has no such difference.

    The effect of a key is how far the predicted distribution moves when the key is hidden (total variation),
    as a share of the largest effect that any key has on that query. The score is the attention-weighted
    effect; 1 means that all attention goes to the token that matters most. The null has for each key the mean
    effect that keys at the same distance have on the other queries of the text: what position alone would
    give.
    """

    name = "predictive"
    needs = Needs(lazy_weights=True, output=True)

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        assert isinstance(batch, MaskedBatch)
        logits = getattr(observation.output, "logits", None)
        if logits is None:
            logits = observation.output.prediction_logits  # BertForPreTraining
        one_text = replace(batch, ids=batch.ids[:1])
        length = next(iter(batch.sides.values())).real.shape[1]
        effect = effects(logits, batch.pairs, length)
        known = torch.zeros_like(effect, dtype=torch.bool)
        known[batch.pairs[:, 2], batch.pairs[:, 3]] = True
        for call in observation.calls:
            assert call.lazy_weights is not None
            weights = call.lazy_weights.rows(0, length)  # text head query key
            check_numbers(weights)
            plain, made = weights[0], _rows_of_predictions(weights, batch.pairs)
            columns = [predictive_scores(rows, effect, known) for rows in (made, plain)]
            values = torch.stack([torch.stack([s, n, s - n], -1) for s, n, _ in columns], 1)[None]
            masked = bool((batch.pairs[:, 0] > 0).any())
            there = [tells and (masked or column == 0) for column, (_, _, tells) in enumerate(columns)]
            present = torch.tensor(there, device=values.device).view(1, 1, -1, 1)
            self.add_items(f"{call.kind}.{call.layer}", values, present, one_text)  # item head column 3

    def scores(self) -> list[PatternScore]:
        return scores_of(self, (("predictive", 0), ("predictive_plain", 0)))


def _rows_of_predictions(weights: Tensor, pairs: Tensor) -> Tensor:
    """head query key: each query's row in the text in which its prediction was made with all keys in view
    (that in which it alone is masked); the plain text's where nothing was asked of it."""
    text_of = torch.zeros(weights.shape[2], dtype=torch.long, device=weights.device)
    text_of[pairs[:, 2]] = pairs[:, 0]  # the same for all keys of a query
    places = torch.arange(weights.shape[2], device=weights.device)
    return weights[text_of, :, places].transpose(0, 1)  # query head key, turned


def effects(logits: Tensor, pairs: Tensor, length: int) -> Tensor:
    """query key: how far the prediction of a query moves when a key is hidden, from 0 to 1."""
    moved = torch.zeros(length, length, dtype=torch.float64, device=logits.device)
    for row in sorted(set(pairs[:, 1].tolist())):  # the vocabulary is large: one hidden key at a time
        with_key, _, query, key = pairs[pairs[:, 1] == row].T
        plain = logits[with_key, query].float().softmax(-1)
        without = logits[row, query].float().softmax(-1)
        moved[query, key] = (plain - without).abs().sum(-1).double() / 2
    return moved


def predictive_scores(weights: Tensor, effect: Tensor, known: Tensor) -> tuple[Tensor, Tensor, bool]:
    """head, twice: scores and nulls of weights (head query key); and whether any query tells."""
    largest = torch.where(known, effect, 0.0).amax(-1, keepdim=True)
    share = torch.where(known & (largest > 0), effect / largest.clamp(min=1e-12), 0.0)
    tells = (known.sum(-1) > 1) & (largest[:, 0] > 0)  # query
    expected = torch.where(known, _by_distance(share, known & tells[:, None]), 0.0)
    count = tells.sum().clamp(min=1)
    of = weights.double() * tells[None, :, None]
    score, null = (torch.einsum("hqk,qk->h", of, values) / count for values in (share, expected))
    return score, null, bool(tells.any())


def _by_distance(share: Tensor, known: Tensor) -> Tensor:
    """query key: the mean share of the keys at the same distance from the other queries; where there are
    none, the mean of the query's own keys."""
    length = len(share)
    place = torch.arange(length, device=share.device)
    distance = place[None] - place[:, None] + length - 1  # query key
    # a row's keys are at distances of their own: summed over rows in order, on every device
    spread = torch.zeros(length, 2 * length - 1, dtype=torch.float64, device=share.device)
    sums, counts = (spread.scatter(1, distance, values.double()).sum(0) for values in (share * known, known))
    others = counts[distance] - known.double()
    total = sums[distance] - share * known
    query_mean = (share * known).sum(-1, keepdim=True) / known.sum(-1, keepdim=True).clamp(min=1)
    return torch.where(others > 0, total / others.clamp(min=1), query_mean.expand_as(total))
