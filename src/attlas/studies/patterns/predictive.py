"""Predictive tokens: does a head look at what the model's prediction depends on? Found by intervention,
over texts with one token hidden at a time.

An encoder is shown the text with the query's token masked, and with each other token masked as well. A
decoder predicts at every place at once, so each token is hidden once, from all later ones, by the
attention mask. All others stay at their places, also in models that count places from that mask."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attlas.corpora.batches import Batch
from attlas.corpora.segments import Segment
from attlas.corpora.source import SourceOver, seeded
from attlas.reducers.reducer import check_numbers
from attlas.studies.patterns.pattern_scores import ScoreMeans
from attlas.subject import Subject
from attlas.subject.sharing import in_this_thread
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
            module.register_forward_pre_hook(in_this_thread(self._hide), with_kwargs=True)
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
    """The modules that are given distances as a bias (BLOOM, Falcon)."""
    return [m for m in model.modules() if "alibi" in inspect.signature(m.forward).parameters]


class Predictive(ScoreMeans):
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
    columns = (("predictive", 0), ("predictive_plain", 0))
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
            score, null = (
                torch.stack(several, -1)[None] for several in zip(*[c[:2] for c in columns], strict=True)
            )
            masked = bool((batch.pairs[:, 0] > 0).any())
            there = [tells and (masked or column == 0) for column, (_, _, tells) in enumerate(columns)]
            present = torch.tensor(there, device=score.device).view(1, 1, -1)
            self.add_scores(f"{call.kind}.{call.layer}", score, null, present, one_text)


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


@dataclass(frozen=True)
class HiddenTokens(SourceOver):
    """Segments of another source; of each, `queries` tokens of an encoder's, and all of a decoder's."""

    queries: int = 4
    seed: int = 0

    def describe(self) -> dict[str, Any]:
        return {**self.source.describe(), "queries": self.queries, "hidden": "one token at a time"}

    def batches(self, subject: Subject, items: Sequence[Segment]) -> Iterator[Batch]:
        for item in items:
            yield hidden_batch(subject, item, self.queries, self.seed)


def hidden_batch(subject: Subject, item: Segment, queries: int = 4, seed: int = 0) -> MaskedBatch:
    if subject.kinds == ("decoder",):
        return _hidden_from_later(subject, item)
    return _mask_each_token(subject, item, queries, seed)


def _hidden_from_later(subject: Subject, item: Segment) -> MaskedBatch:
    """Row j + 1 hides the j-th of the keys. The first token is not hidden: much rests on it."""
    special = set(subject.tokenizer.all_special_ids)
    ids, length = torch.from_numpy(np.asarray(item.ids, np.int64)), len(item.ids)
    keys = [k for k in range(1, length - 1) if int(ids[k]) not in special]
    seen = torch.ones(len(keys) + 1, length, dtype=torch.long)
    seen[torch.arange(1, len(keys) + 1), torch.tensor(keys, dtype=torch.long)] = 0
    pairs = [
        (0, row, query, key)
        for row, key in enumerate(keys, 1)
        for query in range(key + 1, length)
        if ids[query] != ids[key]
    ]
    return _batch(subject, item, ids.repeat(len(seen), 1), pairs, seen)


def _mask_each_token(subject: Subject, item: Segment, queries: int, seed: int) -> MaskedBatch:
    """Row 0 is the text; then, for each query, it is masked, and each other token as well."""
    special = set(subject.tokenizer.all_special_ids)
    mask = subject.tokenizer.mask_token_id
    ids = torch.from_numpy(np.asarray(item.ids, np.int64))
    words = [i for i in range(len(ids)) if int(ids[i]) not in special]
    rng = np.random.default_rng(seeded(seed, "hidden", *item.id))
    rows, pairs = [ids], list[tuple[int, int, int, int]]()
    for query in sorted(rng.choice(words, min(queries, len(words)), replace=False).tolist()):
        without = ids.clone()
        without[query] = mask
        base = len(rows)
        rows.append(without)
        for key in words:
            if ids[key] != ids[query]:
                hidden = without.clone()
                hidden[key] = mask
                pairs.append((base, len(rows), query, key))
                rows.append(hidden)
    return _batch(subject, item, torch.stack(rows), pairs)


def _batch(
    subject: Subject,
    item: Segment,
    ids: torch.Tensor,
    pairs: Sequence[tuple[int, int, int, int]],
    seen: torch.Tensor | None = None,
) -> MaskedBatch:
    inputs = {"input_ids": ids.to(subject.device)}
    if "token_type_ids" in subject.accepts and int(getattr(subject.model.config, "type_vocab_size", 0)) > 1:
        types = torch.from_numpy(np.asarray(item.types, np.int64)).repeat(len(ids), 1)
        inputs["token_type_ids"] = types.to(subject.device)
    sides = subject.annotate(inputs, (item.id,) * len(ids)).sides  # all tokens are real: one is not looked at
    hidden = None
    if seen is not None and layers_with_alibi(subject.model):
        hidden = seen.to(subject.device) == 0
    elif seen is not None:
        inputs["attention_mask"] = seen.to(subject.device)
        if "position_ids" in subject.accepts and not subject.counts_from_padding:
            inputs["position_ids"] = torch.arange(ids.shape[1], device=subject.device).repeat(len(ids), 1)
    rows = torch.tensor(pairs, dtype=torch.long, device=subject.device).view(-1, 4)
    return MaskedBatch(inputs, sides, (item.id,) * len(ids), rows, hidden)
