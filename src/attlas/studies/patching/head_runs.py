"""What every head gave in one run of a model, what each number of it counts for the logit difference, and
edits that put what one run gave into another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.corpora.batches import Batch
from attlas.edits.head_edit import HeadEdit
from attlas.edits.sweep import predicting_few
from attlas.engines.worker import on_threads
from attlas.studies.patching.pair_source import PairBatch
from attlas.subject import Subject
from attlas.subject.losses import logits_of
from attlas.tap.call import Call
from attlas.tap.kernels import kernel as kernel_named
from attlas.tap.request import KernelRequest
from attlas.tap.tap import Tap

#: of every layer that attends: batch head query dim
Outputs = Mapping[tuple[Kind, int], Tensor]


@dataclass(frozen=True)
class LogitDifference:
    """batch: the answer's logit less that of the wrong one, at the place of the answer."""

    places: Tensor  # batch token: one in each row
    answers: Tensor  # batch
    wrongs: Tensor  # batch

    def __call__(self, output: Any) -> Tensor:
        logits = logits_of(output)
        logits = logits if logits.ndim == 2 else logits[self.places]  # batch piece
        rows = torch.arange(len(logits), device=logits.device)
        return logits[rows, self.answers].double() - logits[rows, self.wrongs].double()


def logit_difference(subject: Subject, batch: Batch, seed: int = 0) -> tuple[Batch, LogitDifference]:
    """What a sweep over pairs measures."""
    assert isinstance(batch, PairBatch)
    return batch, LogitDifference(batch.places, batch.answers, batch.wrongs)


@dataclass
class HeadRun:
    """`gradients` are those of the logit difference by what heads gave, through all that comes after."""

    outputs: dict[tuple[Kind, int], Tensor] = field(default_factory=dict)
    gradients: dict[tuple[Kind, int], Tensor] = field(default_factory=dict)
    calls: dict[tuple[Kind, int], Call] = field(default_factory=dict)

    def listen(self, call: Call) -> None:
        """To be a tap's listener."""
        plain = {name: getattr(call, name).detach() for name in ("query", "key", "value")}
        self.calls[call.kind, call.layer] = replace(call, **plain, edits=())

    def attributed(self, patch: Outputs) -> dict[tuple[Kind, int], Tensor]:
        """batch head: to first order, what changes if heads gave `patch` instead."""
        return {
            at: torch.einsum("bhqd,bhqd->bh", self.gradients[at].double(), (patch[at] - outputs).double())
            for at, outputs in self.outputs.items()
        }


def head_run(subject: Subject, batch: PairBatch, kernel: str | None, gradients: bool = True) -> HeadRun:
    """One forward pass, and one backward."""
    run, leaves = HeadRun(), dict[tuple[Kind, int], Tensor]()

    def watch(output: Tensor, heads: Sequence[Head]) -> Tensor:
        at = heads[0].kind, heads[0].layer
        run.outputs[at] = output.detach()
        leaves[at] = torch.zeros_like(output, requires_grad=gradients)
        return output + leaves[at]

    _, measured = logit_difference(subject, batch)
    watching = HeadEdit("watch", subject.heads, output=watch)
    # sums in a backward pass depend on how many threads share them
    threads = 1 if gradients and subject.device.type == "cpu" else torch.get_num_threads()
    with (
        on_threads(threads),
        torch.set_grad_enabled(gradients),
        Tap(subject, edits=[watching], kernel=kernel, listener=run.listen),
        predicting_few(subject, measured, 1),
    ):
        difference = measured(subject.run(batch.inputs))
        if gradients:
            by_layer = torch.autograd.grad(
                difference.sum(), list(leaves.values()), allow_unused=True, materialize_grads=True
            )
            run.gradients = dict(zip(leaves, by_layer, strict=True))
    return run


def with_weights_of(weights: HeadRun, values: HeadRun, kernel: str | None) -> dict[tuple[Kind, int], Tensor]:
    """What heads give that attend as in one run to the values of another."""
    outputs = {}
    for at, call in weights.calls.items():
        both = replace(call, value=values.calls[at].value)
        nothing = KernelRequest.nothing(len(both.key), both.key.shape[2], both.key.device)
        with torch.no_grad():
            outputs[at] = kernel_named(kernel, both.query.device)().call(both, nothing).output
    return outputs


def patch(head: Head, outputs: Outputs) -> HeadEdit:
    """The head gives what stands in `outputs` (a row for every row of the batch)."""
    return HeadEdit("patch", (head,), output=_Given(outputs))


@dataclass(frozen=True, eq=False)
class _Given:
    outputs: Outputs

    def __call__(self, output: Tensor, heads: Sequence[Head]) -> Tensor:
        return _of_heads(self.outputs, heads).to(output)


@dataclass(frozen=True, eq=False)
class Frozen:
    """Every head from the sender's layer on gives what it gave in the clean run, and the sender what it gave
    in the corrupt one. `computed` has what the receivers would have given by themselves: with all heads
    before them held, only the sender's change reaches them, straight or through feed-forward layers."""

    sender: Head
    receivers: frozenset[Head]
    clean: Outputs
    corrupt: Outputs
    computed: dict[Head, Tensor] = field(default_factory=dict)  # batch query dim

    def edit(self, heads: Sequence[Head]) -> HeadEdit:
        after = [h for h in heads if (h.kind, h.layer) >= (self.sender.kind, self.sender.layer)]
        return HeadEdit("freeze", tuple(after), output=self)

    def __call__(self, output: Tensor, heads: Sequence[Head]) -> Tensor:
        held = _of_heads(self.clean, heads).to(output)
        for place, head in enumerate(heads):
            if head in self.receivers:
                self.computed[head] = output[:, place]
            if head == self.sender:
                held[:, place] = _of_heads(self.corrupt, [head])[:, 0].to(output)
        return held

    def path_to(self, receiver: Head) -> HeadEdit:
        """The receiver gives what it makes of the sender's change."""
        return HeadEdit("path", (receiver,), output=self._received(receiver))

    def _received(self, receiver: Head) -> Callable[[Tensor, Sequence[Head]], Tensor]:
        return lambda output, _: self.computed[receiver][:, None].to(output)


def _of_heads(outputs: Outputs, heads: Sequence[Head]) -> Tensor:
    """batch head query dim, of these heads of one layer."""
    layer = outputs[heads[0].kind, heads[0].layer]
    return layer[:, [head.head for head in heads]]
