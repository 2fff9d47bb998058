"""A control whose attention is as peaked as the model's own: a model at random attends almost evenly, so that
its heads tell a probe less than any peaked ones would, whatever they look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.corpora.batches import Batch
from attlas.edits.head_edit import HeadEdit, Rows
from attlas.options.option_groups import TextOptions
from attlas.studies.study_items import text_items
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap
from attlas.tap.call import Call, WeightChange

SEGMENTS, LENGTH = 16, 64  # of the embedded text, in which both are made equally peaked
LEAST, MOST = 1e-3, 1e6  # powers that are tried
STEPS = 60  # of halving between them


def peaked_like(model: Subject, control: Subject, segments: int = SEGMENTS) -> HeadEdit:
    """Raises the weights of each head of `control` to a power, and shares them out again, so that their mean
    entropy is that of the same head of `model`: what a softmax of larger scores would give. Layer by layer,
    since each changes what the next one sees."""
    source = text_items(model, TextOptions(segments=segments, length=LENGTH)).source
    items = [item for shard in source.shards() for item in source.prepare(shard).items][:segments]
    batches = [batch for item in items for batch in source.batches(model, [item])]  # without padding
    wanted = {at: _entropy(maps) for at, maps in _maps(model, batches).items()}
    powers: dict[tuple[Kind, int], Tensor] = {}
    for at, entropy in wanted.items():
        edits = [_sharpen(powers, control.heads)] if powers else []
        powers[at] = _power(_maps(control, batches, edits)[at], entropy)
    return _sharpen(powers, control.heads)


def _sharpen(powers: Mapping[tuple[Kind, int], Tensor], heads: Sequence[Head]) -> HeadEdit:
    chosen = tuple(head for head in heads if (head.kind, head.layer) in powers)
    return HeadEdit("sharpened", chosen, weights_in=_Powers(dict(powers)))


@dataclass(frozen=True)
class _Powers:
    """Raise the weights of each layer's heads to powers of their own."""

    by_layer: dict[tuple[Kind, int], Tensor]  # head

    def __call__(self, call: Call, rows: Rows) -> WeightChange:
        power = self.by_layer[call.kind, call.layer][:, None, None]
        return lambda weights, _: _raise_weights(weights, power.to(weights.device))


def _raise_weights(weights: Tensor, power: Tensor) -> Tensor:
    """Raise in float64, since weights of a model at random differ in the last digits of float32."""
    scores = weights.double().clamp(min=torch.finfo(torch.float32).tiny).log() * power
    raised = scores.masked_fill(weights <= 0, -torch.inf).softmax(-1)
    return raised.nan_to_num().to(weights.dtype)


def _power(maps: Sequence[Tensor], entropy: Tensor) -> Tensor:
    """head: the larger the power, the smaller the entropy."""
    low, high = (torch.full_like(entropy, bound).log() for bound in (LEAST, MOST))
    for _ in range(STEPS):
        middle = (low + high) / 2
        too_even = _entropy([_raise_weights(m, middle.exp()[:, None, None]) for m in maps]) > entropy
        low, high = torch.where(too_even, middle, low), torch.where(too_even, high, middle)
    return ((low + high) / 2).exp()


def _entropy(maps: Sequence[Tensor]) -> Tensor:
    """head: the mean over rows, from maps of head query key."""
    rows = [torch.special.entr(m.double()).sum(-1) for m in maps]
    return torch.cat(rows, -1).mean(-1)


def _maps(
    subject: Subject, batches: Sequence[Batch], edits: Sequence[HeadEdit] = ()
) -> dict[tuple[Kind, int], list[Tensor]]:
    """(kind, layer) -> the maps of each text, head query key, in the order in which layers run."""
    kept = _EveryMap()
    with Tap(subject, [kept], edits) as tap:
        for batch in batches:
            tap.run(batch)
    return kept.maps


class _EveryMap:
    needs = Needs(lazy_weights=True)

    def __init__(self) -> None:
        self.maps: dict[tuple[Kind, int], list[Tensor]] = {}

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.lazy_weights is not None:
                rows = call.lazy_weights.rows(0, call.lazy_weights.shape[2])[0]
                self.maps.setdefault((call.kind, call.layer), []).append(rows.double().cpu())
