"""Capture: the whole weights of one input, for looking at. Statistics over corpora use reducers instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
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


class _CallKeeper:
    def __init__(self, last: int | None) -> None:
        self.needs = Needs(weights=last is None, lazy_weights=last is not None)
        self.last = last
        self.kept: list[tuple[Kind, int, Tensor]] = []

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.weights is not None:
                self.kept.append((call.kind, call.layer, call.weights[0]))
            elif call.lazy_weights is not None and self.last is not None:
                queries = observation.batch.queries(call.kind).real.shape[1]
                rows = call.lazy_weights.rows(max(0, queries - self.last), queries)[0]
                self.kept.append((call.kind, call.layer, rows[..., -self.last :]))


def capture(
    subject: Subject,
    batch: Batch,
    *,
    vectors: bool = False,
    edits: Sequence[Edit] = (),
    last: int | None = None,
) -> list[Captured]:
    """Every attention call of a batch of one, in the order of the model's calls.

    With `last`, the weights between that many last tokens only: the others are not kept, however many.
    """
    if len(batch.ids) != 1:
        raise AttlasError(f"capture takes one text at a time, and the batch has {len(batch.ids)}")
    keep, calls = _CallKeeper(last), list[Call]()
    listener = calls.append if vectors and subject.interface else None
    with Tap(subject, [keep], edits, "eager" if last is None else None, listener) as tap:
        tap.run(batch)
    if not calls:
        return [Captured(kind, layer, weights) for kind, layer, weights in keep.kept]
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
        for (kind, layer, weights), call in zip(keep.kept, calls, strict=True)
    ]
