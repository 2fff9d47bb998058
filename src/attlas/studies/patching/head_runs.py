"""One run of a model over pairs: what every head gave, and what each number of it counts for the logit
difference, from one backward pass, from several, or straight through the stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn

from attlas.address import Head, Kind
from attlas.corpora.batches import Batch
from attlas.edits.head_edit import HeadEdit
from attlas.edits.sweep import predicting_few
from attlas.engines.worker import on_threads
from attlas.errors import AttlasError
from attlas.studies.patching.pair_texts import PairBatch
from attlas.subject import Subject
from attlas.subject.losses import TokenLosses, logits_of
from attlas.subject.sharing import in_this_thread
from attlas.tap.call import Call
from attlas.tap.direct import NO_TARGET
from attlas.tap.kernels import kernel as kernel_named
from attlas.tap.needs import KernelRequest, Needs
from attlas.tap.observation import Observation
from attlas.tap.tap import Tap

STEPS = 5  # of integrated gradients, on the way from one text to the other
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
        """Keep a call; a tap's listener."""
        plain = {name: getattr(call, name).detach() for name in ("query", "key", "value")}
        self.calls[call.kind, call.layer] = replace(call, **plain, edits=())

    def attribute(self, patch: Outputs, gradients: Outputs | None = None) -> dict[tuple[Kind, int], Tensor]:
        """batch head: to first order, what changes if heads gave `patch` instead; by these gradients, or by
        those of this run."""
        gradients = self.gradients if gradients is None else gradients
        return {
            at: torch.einsum("bhqd,bhqd->bh", gradients[at].double(), (patch[at] - outputs).double())
            for at, outputs in self.outputs.items()
        }


def head_run(
    subject: Subject,
    batch: PairBatch,
    kernel: str | None,
    gradients: bool = True,
    embeddings: Tensor | None = None,
) -> HeadRun:
    """One forward pass, and one backward. The model may read other embeddings than those of its tokens."""
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
        _embedding(subject, embeddings),
    ):
        difference = measured(subject.run(batch.inputs))
        if gradients:
            by_layer = torch.autograd.grad(
                difference.sum(), list(leaves.values()), allow_unused=True, materialize_grads=True
            )
            run.gradients = dict(zip(leaves, by_layer, strict=True))
    return run


@contextmanager
def _embedding(subject: Subject, embeddings: Tensor | None) -> Iterator[None]:
    """Whatever its tokens are, the model reads these (batch token model)."""
    if embeddings is None:
        yield
        return

    def instead(_: nn.Module, __: tuple[Any, ...], output: Tensor) -> Tensor:
        return embeddings if output.shape == embeddings.shape else output

    handle = _embeddings_of(subject).register_forward_hook(in_this_thread(instead))
    try:
        yield
    finally:
        handle.remove()


def _embeddings_of(subject: Subject) -> nn.Module:
    model: Any = subject.model
    table: nn.Module = model.get_input_embeddings()
    return table


def integrated_gradients(
    subject: Subject, batch: PairBatch, other: PairBatch, kernel: str | None
) -> dict[tuple[Kind, int], Tensor]:
    """batch head query dim: gradients as in `HeadRun`, averaged over steps on the straight way from the
    embeddings of the other text to those of this one (the middle of each step)."""
    table = _embeddings_of(subject)
    with torch.no_grad():
        here, there = (table(text.inputs["input_ids"]) for text in (batch, other))
    sums: dict[tuple[Kind, int], Tensor] = {}
    for step in range(STEPS):
        between = there + (step + 0.5) / STEPS * (here - there)
        run = head_run(subject, batch, kernel, embeddings=between)
        for at, gradient in run.gradients.items():
            sums[at] = sums.get(at, 0.0) + gradient / STEPS
    return sums


class _Directly:
    needs = Needs(direct=True)

    def __init__(self) -> None:
        self.added: dict[tuple[Kind, int], Tensor] = {}  # batch query head

    def update(self, observation: Observation) -> None:
        assert observation.direct is not None
        self.added = observation.direct.heads


def direct_contributions(subject: Subject, batch: PairBatch, kernel: str | None) -> Tensor:
    """head batch: what each head adds straight to the logit difference; not a number where a model has parts
    that Attlas does not know."""
    to_logits = []
    for tokens in (batch.answers, batch.wrongs):
        labels = torch.full_like(batch.inputs["input_ids"], NO_TARGET)
        labels[batch.places] = tokens
        watch = _Directly()
        try:
            with Tap(subject, [watch], kernel=kernel) as tap:
                tap.run(batch, TokenLosses(labels))
        except AttlasError:
            break
        of_heads = [watch.added.get((h.kind, h.layer)) for h in subject.heads]
        nothing = torch.zeros(len(batch.ids), device=labels.device)
        to_logits.append(
            torch.stack(
                [
                    nothing if added is None else added[..., head.head].float().sum(1)
                    for head, added in zip(subject.heads, of_heads, strict=True)
                ]
            )
        )
    if len(to_logits) < 2:
        return torch.full((len(subject.heads), len(batch.ids)), torch.nan)
    return to_logits[0] - to_logits[1]


def with_weights_of(weights: HeadRun, values: HeadRun, kernel: str | None) -> dict[tuple[Kind, int], Tensor]:
    """What heads give that attend as in one run to the values of another."""
    outputs = {}
    for at, call in weights.calls.items():
        both = replace(call, value=values.calls[at].value)
        nothing = KernelRequest.nothing(len(both.key), both.key.shape[2], both.key.device)
        with torch.no_grad():
            outputs[at] = kernel_named(kernel, both.query.device)().call(both, nothing).output
    return outputs
