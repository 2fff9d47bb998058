"""Capture: the whole weights of one input, for looking at. Statistics over corpora use reducers instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.tap.call import Call
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation
from attlas.tap.tap import Tap

if TYPE_CHECKING:
    from attlas.edits import Edit
    from attlas.subject import Subject


@dataclass(frozen=True)
class Captured:
    """One attention call of one input. Vectors are there when asked for, as the dot products saw them."""

    kind: Kind
    layer: int
    weights: Tensor  # head query key
    query: Tensor | None = None  # head query dim, after rotary embedding
    key: Tensor | None = None  # head key dim, one copy per query head
    value: Tensor | None = None  # head key dim
    scaling: float | None = None


class _Keep:
    needs = Needs(weights=True)

    def __init__(self) -> None:
        self.seen: list[tuple[Kind, int, Tensor]] = []

    def update(self, observation: Observation) -> None:
        self.seen += [(s.kind, s.layer, s.weights[0]) for s in observation.seen if s.weights is not None]


def capture(
    subject: Subject, batch: Batch, *, vectors: bool = False, edits: Sequence[Edit] = ()
) -> list[Captured]:
    """Every attention call of a batch of one, in the order of the model's calls."""
    keep, calls = _Keep(), list[Call]()
    listener = calls.append if vectors and subject.interface else None
    with Tap(subject, [keep], edits, "eager", listener) as tap:
        tap.run(batch)
    if not calls:
        return [Captured(kind, layer, weights) for kind, layer, weights in keep.seen]
    return [
        Captured(
            kind,
            layer,
            weights,
            call.query[0].detach(),
            call.per_head(call.key)[0].detach(),
            call.per_head(call.value)[0].detach(),
            call.scaling,
        )
        for (kind, layer, weights), call in zip(keep.seen, calls, strict=True)
    ]
