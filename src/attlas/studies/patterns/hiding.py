"""Texts with one token hidden at a time: what the intervention for predictive tokens runs over.

An encoder is shown the text with the query's token masked, and with each other token masked as well. A
decoder predicts at every place at once, so each token is hidden once, from all later ones, by the attention
mask. All others stay at their places, also in models that count places from that mask.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from attlas.corpora.batches import Batch
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId, PreparedShard, Shard, Source, seeded
from attlas.studies.patterns.predictive import MaskedBatch, layers_with_alibi
from attlas.subject import Subject


@dataclass(frozen=True)
class HiddenTokens:
    """Segments of another source; of each, `queries` tokens of an encoder's, and all of a decoder's."""

    source: Source
    queries: int = 4
    seed: int = 0

    @property
    def limit(self) -> int | None:
        return self.source.limit

    def describe(self) -> dict[str, Any]:
        return {**self.source.describe(), "queries": self.queries, "hidden": "one token at a time"}

    def shards(self) -> Iterator[Shard]:
        return self.source.shards()

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        return self.source.prepare(shard, most)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> HiddenTokens:
        return replace(self, source=self.source.only(chosen))

    def batches(self, subject: Subject, items: Sequence[Segment]) -> Iterator[Batch]:
        for item in items:
            yield hidden_batch(subject, item, self.queries, self.seed)


def hidden_batch(subject: Subject, item: Segment, queries: int = 4, seed: int = 0) -> MaskedBatch:
    if subject.kinds == ("decoder",):
        return _hidden_from_later(subject, item)
    return _masked(subject, item, queries, seed)


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


def _masked(subject: Subject, item: Segment, queries: int, seed: int) -> MaskedBatch:
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
