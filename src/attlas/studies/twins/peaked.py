"""A twin whose attention is as peaked as the model's own: a model at random attends almost evenly, so that
its heads tell less than any peaked ones would, whatever they look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.edits.head_edit import HeadEdit, Rows
from attlas.options.option_groups import TextOptions
from attlas.studies.study_items import text_items
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap
from attlas.tap.call import Call, WeightChange

SEGMENTS, LENGTH = 16, 64  # of the embedded text, in which both are made equally peaked
LEAST, MOST = 1e-3, 1e6  # powers that are tried
STEPS = 24  # of halving between them, which leaves two parts in a million
ROWS = 24  # of each segment, that entropies are compared on

Layer = tuple[Kind, int]


def peaked_like(model: Subject, control: Subject, segments: int = SEGMENTS) -> HeadEdit:
    """Raises the weights of each head of `control` to a power, and shares them out again, so that their mean
    entropy is that of the same head of `model`: what a softmax of larger scores would give. The powers are
    found while the control runs, layer by layer, since each changes what the next one sees."""
    batches = _same_length(model, segments)
    reading = _Entropies()
    with Tap(model, [reading]) as tap:
        for batch in batches:
            tap.run(batch)
    fitting = _FitPowers(reading.by_layer, len(batches))
    chosen = tuple(head for head in control.heads if (head.kind, head.layer) in reading.by_layer)
    runs = len(reading.by_layer) * (len(batches) - 1) + 1  # a layer's last batch is the next one's first
    with Tap(control, edits=[HeadEdit("fitted", chosen, weights_in=fitting)], kernel="eager") as tap:
        for batch in islice(cycle(batches), runs):
            tap.run(batch)
    return HeadEdit("sharpened", chosen, weights_in=_Powers(fitting.powers))


def _same_length(subject: Subject, segments: int) -> list[Batch]:
    """Batches without padding: segments of the length that most have. One, where the memory takes it."""
    fitting = LENGTH if subject.longest is None else min(LENGTH, subject.longest)
    source = text_items(subject, TextOptions(segments=2 * segments, length=fitting)).source
    items = [item for shard in source.shards() for item in source.prepare(shard).items]
    ((length, _),) = Counter(len(item.ids) for item in items).most_common(1)
    alike = [item for item in items if len(item.ids) == length][:segments]
    return list(source.batches(subject, alike))


@dataclass(frozen=True)
class _Powers:
    """Raise the weights of each layer's heads to powers of their own."""

    by_layer: Mapping[Layer, Tensor]  # head

    def __call__(self, call: Call, rows: Rows) -> WeightChange:
        power = self.by_layer[call.kind, call.layer][:, None, None]
        return lambda weights, _: _raise_weights(weights, power.to(weights))


@dataclass(frozen=True)
class _FitPowers:
    """Find the powers that give each layer's heads the entropies of another model, and use them. A layer's
    are found once it has seen all batches, so that they do not depend on how many there are; those after it
    wait."""

    entropies: Mapping[Layer, Tensor]  # head
    batches: int
    powers: dict[Layer, Tensor] = field(default_factory=dict)
    seen: dict[Layer, list[Tensor]] = field(default_factory=dict)  # rows of the first layer without powers

    def __call__(self, call: Call, rows: Rows) -> WeightChange:
        at = call.kind, call.layer

        def change(weights: Tensor, _: Tensor | None) -> Tensor:
            if at not in self.powers:
                if self.seen.keys() - {at}:
                    return weights
                seen = self.seen.setdefault(at, [])
                seen.append(_some_rows(weights))
                if len(seen) < self.batches:
                    return weights
                self.powers[at] = _power(torch.cat(self.seen.pop(at)), self.entropies[at])
            return _raise_weights(weights, self.powers[at][:, None, None].to(weights))

        return change


def _raise_weights(weights: Tensor, power: Tensor) -> Tensor:
    return (_scores(weights) * power).softmax(-1).nan_to_num().to(weights.dtype)


def _scores(weights: Tensor) -> Tensor:
    """Logarithms of weights over the largest of their row: near 0, where float32 tells those of a model at
    random apart, and minus infinity where a query may not look."""
    weights = weights.float()
    largest = weights.amax(-1, keepdim=True).clamp(min=torch.finfo(torch.float32).tiny)
    return (
        (weights / largest)
        .clamp(min=torch.finfo(torch.float32).tiny)
        .log()
        .masked_fill(weights <= 0, -torch.inf)
    )


def _power(rows: Tensor, entropy: Tensor) -> Tensor:
    """head: the larger the power, the smaller the entropy."""
    scores = _scores(rows)
    low, high = (torch.full_like(entropy, bound).log() for bound in (LEAST, MOST))
    for _ in range(STEPS):
        middle = (low + high) / 2
        raised = (scores * middle.exp()[:, None, None].to(scores)).softmax(-1).nan_to_num()
        too_even = _entropy(raised) > entropy
        low, high = torch.where(too_even, middle, low), torch.where(too_even, high, middle)
    return ((low + high) / 2).exp()


def _some_rows(weights: Tensor) -> Tensor:
    """batch head row key: evenly spaced rows, since a causal head is narrow at the beginning."""
    return weights[:, :, :: max(1, weights.shape[2] // ROWS)]


def _entropy(weights: Tensor) -> Tensor:
    """head: the mean over the rows of batch head query key."""
    entropy: Tensor = torch.special.entr(weights.double()).sum(-1).mean((0, 2)).cpu()
    return entropy


class _Entropies:
    """The mean entropy of each head, layer by layer, over batches of texts of one length."""

    needs = Needs(lazy_weights=True)

    def __init__(self) -> None:
        self._sums: dict[Layer, Tensor] = {}
        self._texts: Counter[Layer] = Counter()

    @property
    def by_layer(self) -> dict[Layer, Tensor]:
        return {at: total / self._texts[at] for at, total in self._sums.items()}

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.lazy_weights is not None:
                at, rows = (call.kind, call.layer), call.lazy_weights.rows(0, call.lazy_weights.shape[2])
                self._sums[at] = self._sums.get(at, 0) + len(rows) * _entropy(_some_rows(rows))
                self._texts[at] += len(rows)
