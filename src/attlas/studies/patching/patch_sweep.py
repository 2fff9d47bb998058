"""Patching over batches of pairs: every head by itself, and from head to head.

Edits put what heads gave in one run into another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attlas.address import Head
from attlas.array_types import Floats
from attlas.corpora.batches import Batch
from attlas.edits import zero
from attlas.edits.head_edit import HeadEdit
from attlas.edits.sweep import Sweep
from attlas.errors import AttlasError
from attlas.studies.disabling.sweep_trial import agree
from attlas.studies.patching.head_runs import (
    Outputs,
    direct_contributions,
    head_run,
    integrated_gradients,
    logit_difference,
    with_weights_of,
)
from attlas.studies.patching.pair_texts import PairBatch
from attlas.subject import Subject
from attlas.tap.observation import Observation


def patch(heads: Sequence[Head], outputs: Outputs) -> HeadEdit:
    """The heads give what stands in `outputs` (a row for every row of the batch)."""
    return HeadEdit("patch", tuple(heads), output=_Given(outputs))


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
        return HeadEdit(
            "path", (receiver,), output=lambda output, _: self.computed[receiver][:, None].to(output)
        )


def _of_heads(outputs: Outputs, heads: Sequence[Head]) -> Tensor:
    """batch head query dim, of these heads of one layer."""
    layer = outputs[heads[0].kind, heads[0].layer]
    return layer[:, [head.head for head in heads]]


INTO = ("clean", "corrupt")  # the run that is patched; what is put there comes from the other
WHAT = ("output", "weights")
LOGITS = "logits"  # the end of a path that goes through no other head


class Patched(NamedTuple):
    """The effects of patching one way."""

    plain: Floats  # pair: the logit difference without a patch
    exact: dict[str, Floats]  # what is patched -> head pair: how it changes
    attributed: dict[str, Floats]  # the same to first order
    integrated: dict[str, Floats]  # and by integrated gradients
    direct: Floats  # head pair: what the head adds straight to the logit difference, without a patch


@dataclass(frozen=True)
class PatchSweep:
    """Outcomes are, for each run that is patched: the logit difference, then for output and weights of every
    head the change in it, then the same to first order, then by integrated gradients; and what every head
    adds straight to the difference."""

    shared: bool = True
    kernel: str | None = None

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        return (self._observe(subject, batch) for batch in batches)

    def _observe(self, subject: Subject, batch: Batch) -> Observation:
        assert isinstance(batch, PairBatch)
        assert batch.corrupt is not None
        batches = {"clean": batch, "corrupt": batch.corrupt}
        runs = {into: head_run(subject, batches[into], self.kernel) for into in INTO}
        parts: list[Tensor] = []
        for into, other in (INTO, INTO[::-1]):
            patches = (runs[other].outputs, with_weights_of(runs[other], runs[into], self.kernel))
            edits = [patch([head], outputs) for outputs in patches for head in subject.heads]
            parts += changes(subject, batches[into], edits, self.shared, self.kernel)
            steps = integrated_gradients(subject, batches[into], batches[other], self.kernel)
            for gradients in (None, steps):
                for outputs in patches:
                    by_layer = runs[into].attribute(outputs, gradients)
                    parts.append(torch.stack([by_layer[h.kind, h.layer][:, h.head] for h in subject.heads]))
            parts.append(direct_contributions(subject, batches[into], self.kernel))
        return Observation(batch, outcomes=torch.cat([part.double().cpu() for part in parts]))

    @staticmethod
    def read(outcomes: Floats, heads: int) -> dict[str, Patched]:
        """Read outcomes pair by pair (outcome pair), by the run that is patched."""
        patched = {}
        for into, part in zip(INTO, np.split(outcomes, len(INTO)), strict=True):
            plain, rest = part[0], np.split(part[1:], 3 * len(WHAT) + 1)
            assert all(len(values) == heads for values in rest)
            exact, attributed, integrated = (dict(zip(WHAT, rest[i : i + 2], strict=True)) for i in (0, 2, 4))
            patched[into] = Patched(plain, exact, attributed, integrated, rest[-1])
        return patched


@dataclass(frozen=True)
class ControlSweep:
    """Outcomes are the logit difference of the clean text, then how every head's output from the other text
    changes it."""

    shared: bool = True
    kernel: str | None = None

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        return (self._observe(subject, batch) for batch in batches)

    def _observe(self, subject: Subject, batch: Batch) -> Observation:
        assert isinstance(batch, PairBatch)
        assert batch.corrupt is not None
        other = head_run(subject, batch.corrupt, self.kernel, gradients=False).outputs
        edits = [patch([head], other) for head in subject.heads]
        return Observation(
            batch, outcomes=torch.cat(changes(subject, batch, edits, self.shared, self.kernel)).cpu()
        )


@dataclass(frozen=True)
class PathSweep:
    """Outcomes are the logit difference of the clean run, then the change in it by every one of `paths`."""

    senders: tuple[Head, ...]
    shared: bool = True
    kernel: str | None = None

    @property
    def paths(self) -> list[tuple[Head, Head | None]]:
        """The paths from each head to the logits, and then to every later one."""
        to_logits: list[tuple[Head, Head | None]] = [(sender, None) for sender in self.senders]
        return to_logits + [(sender, later) for sender in self.senders for later in self._after(sender)]

    def _after(self, sender: Head) -> list[Head]:
        return [h for h in self.senders if h.kind == sender.kind and h.layer > sender.layer]

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        return (self._observe(subject, batch) for batch in batches)

    def _observe(self, subject: Subject, batch: Batch) -> Observation:
        assert isinstance(batch, PairBatch)
        assert batch.corrupt is not None
        clean, corrupt = (
            head_run(subject, text, self.kernel, gradients=False).outputs for text in (batch, batch.corrupt)
        )
        frozen = {
            sender: Frozen(sender, frozenset(self._after(sender)), clean, corrupt) for sender in self.senders
        }
        direct = [held.edit(subject.heads) for held in frozen.values()]
        plain, to_logits = changes(subject, batch, direct, self.shared, self.kernel)
        through = [frozen[sender].path_to(later) for sender in self.senders for later in self._after(sender)]
        _, to_heads = changes(subject, batch, through, self.shared, self.kernel)
        return Observation(batch, outcomes=torch.cat([plain, to_logits, to_heads]).cpu())


def changes(
    subject: Subject, batch: PairBatch, edits: Sequence[HeadEdit], shared: bool, kernel: str | None
) -> tuple[Tensor, Tensor]:
    """1 batch: the logit difference; edit batch: how each edit changes it."""
    sweep = Sweep([edit.resolved(subject.heads) for edit in edits], logit_difference, shared, kernel=kernel)
    outcomes = sweep.observe(subject, batch).outcomes
    assert outcomes is not None
    return outcomes[:1], outcomes[1:] - outcomes[:1]


@dataclass(frozen=True)
class SharingTrial:
    """Can the model be run from the middle on? One head of every layer is switched off on the first pairs,
    in both ways."""

    kernel: str | None = None

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        layers = {(head.kind, head.layer): head for head in reversed(subject.heads)}
        edits = [zero(head) for head in layers.values()]
        for batch in batches:
            assert isinstance(batch, PairBatch)
            shared, whole = (changes(subject, batch, edits, way, self.kernel) for way in (True, False))
            if not bool(whole[1].any()):
                raise AttlasError(f"switching heads off changes nothing in the output of {subject.name}")
            same = agree(torch.cat(shared), torch.cat(whole), next(subject.model.parameters()).dtype)
            yield Observation(batch, outcomes=torch.tensor([[same]]))
