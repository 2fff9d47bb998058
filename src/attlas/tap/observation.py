"""What was seen in one forward pass, and the observers that are shown it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.tap.direct import DirectLogits
from attlas.tap.lazy_weights import LazyWeights
from attlas.tap.needs import Needs
from attlas.tap.stream import HeadWrites
from attlas.tap.totals import Totals


class ObservedCall(NamedTuple):
    """What one attention call showed."""

    kind: Kind
    layer: int
    heads: int
    weights: Tensor | None = None  # batch head query key
    lazy_weights: LazyWeights | None = None
    outputs: Tensor | None = None  # batch head dim: what a head gives, summed over the real queries
    classes: tuple[str, ...] = ()
    gradients: Tensor | None = None  # batch head class: Σ|dL/dα| over the class's keys
    pairs: Tensor | None = None  # batch class: how many weights each of those sums covers
    gates: Tensor | None = None  # batch head: dL/dgate, L being the row's loss
    moved: Tensor | None = None  # batch head key: the length of the vector that a weight moves


@dataclass(frozen=True)
class Observation:
    """A batch and what the model made of it. All beyond the batch is there when some observer needs it."""

    batch: Batch
    calls: tuple[ObservedCall, ...] = ()
    totals: tuple[Totals, ...] = ()
    norm_totals: tuple[Totals, ...] = ()  # the same of weights by norm
    output: Any = None  # what the model returned
    losses: Tensor | None = None  # batch
    hidden_states: tuple[Tensor, ...] = ()  # batch token dim: the first layer's input, every layer's output
    writes: tuple[HeadWrites, ...] = ()  # what the heads of each call added to the residual stream
    direct: DirectLogits | None = None  # what each part added to the logits of the loss's targets
    outcomes: Tensor | None = None  # edit batch: what a sweep measured, first without any edit
    beside: Observation | None = None  # what a second model made of the same batch


class Observer(Protocol):
    """`needs` says what a tap must compute; `update` is shown each forward pass once it is over.

    A reducer is an observer whose counts merge (`attlas.reducers.reducer`).
    """

    @property
    def needs(self) -> Needs: ...

    def update(self, observation: Observation) -> None: ...
