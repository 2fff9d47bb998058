"""Watching a single input, call after call: for looking at, where nothing is to be counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.tap.call import Call
from attlas.tap.capture import capture
from attlas.tap.lazy_weights import LazyWeights
from attlas.tap.tap import Tap

if TYPE_CHECKING:
    from attlas.subject import Subject


def watch(
    subject: Subject, batch: Batch, see: Callable[[Kind, int, LazyWeights], None], kernel: str | None = None
) -> None:
    """Runs the model over a batch of one, and shows every attention call as it passes."""
    if not subject.interface:
        for captured in capture(subject, batch):
            see(captured.kind, captured.layer, LazyWeights.over(captured.weights[None]))
        return

    def listen(call: Call) -> None:
        see(call.kind, call.layer, LazyWeights.at(call))

    with Tap(subject, kernel=kernel, listener=listen) as tap:
        tap.run(batch)
