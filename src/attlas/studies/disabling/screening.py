"""Screening before a sweep: one backward pass estimates what the loss would change without every head, on one
half of the documents. The strongest heads are then disabled one by one on the other half, which did not
choose them: few exact tests have power where hundreds have none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.corpora.batches import Batch
from attlas.corpora.halves import Half, Unit, are_even
from attlas.corpora.source import Source
from attlas.edits.head_edit import HeadEdit
from attlas.edits.sweep import predicting_few
from attlas.engines.passes import Pass
from attlas.engines.run import Merged
from attlas.engines.worker import on_threads
from attlas.reducers.reducer import Sums
from attlas.row import Row
from attlas.statistics.clusters import estimates, moments_by_document
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation
from attlas.tap.tap import Tap

#: what an edit puts in the place of a head's output can be said beforehand, so that a gradient estimates it
SCREENED_BY = ("mean", "zero")


class HalfCounts(Sums):
    """How many items there are, and how many of them are in the first half, by document."""

    name = "halves"
    needs = Needs()

    def __init__(self, seed: int = 0) -> None:
        self.first = Half(True, seed)
        super().__init__()

    def update(self, observation: Observation) -> None:
        ids = observation.batch.ids
        self.add("items", torch.tensor([len(ids), sum(map(self.first.holds, ids))], dtype=torch.float64))

    def by(self) -> Unit:
        """By document; where few documents would leave one half with hardly an item, by item."""
        items, first = self._counts()
        return "document" if are_even(first, items - first) else "item"

    def first_is_larger(self) -> bool:
        """Whether more items are in the first half."""
        items, first = self._counts()
        return self.by() == "document" and 2 * first > items

    def _counts(self) -> tuple[int, int]:
        items, first = self.sums["items"].tolist() if self.sums else (0, 0)
        return int(items), int(first)


def halves_of(source: Source, seed: int, run: RunPass) -> tuple[Unit, Source, Source]:
    """What two halves of a source are made of, the half that chooses, and the half that judges: the larger,
    since an order takes fewer documents than a test."""
    counted = run(Pass("halves", source, [HalfCounts(seed)], doing="halving the items"))
    counts = counted.reducer(HalfCounts)
    by, larger = counts.by(), counts.first_is_larger()
    return by, source.only(Half(not larger, seed, by)), source.only(Half(larger, seed, by))


@dataclass(frozen=True)
class Attribution:
    """Outcomes are the loss as it is, then for every head what changes, to first order, if it gives its mean
    instead (or nothing, without means): Σ over tokens of gradient · (mean - output)."""

    means: Mapping[Head, Floats] | None = None
    seed: int = 0
    kernel: str | None = None

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        return (self._observe(subject, batch) for batch in batches)

    def _observe(self, subject: Subject, batch: Batch) -> Observation:
        outputs, leaves = dict[tuple[Kind, int], Tensor](), dict[tuple[Kind, int], Tensor]()

        def watch(output: Tensor, heads: Sequence[Head]) -> Tensor:
            at = heads[0].kind, heads[0].layer
            outputs[at] = output.detach()
            leaves[at] = torch.zeros_like(output, requires_grad=True)
            return output + leaves[at]

        prepared, measured = objective(subject, batch, self.seed)
        watching = HeadEdit("watch", subject.heads, output=watch)
        # sums in a backward pass depend on how many threads share them
        threads = 1 if subject.device.type == "cpu" else torch.get_num_threads()
        with (
            on_threads(threads),
            torch.enable_grad(),
            Tap(subject, edits=[watching], kernel=self.kernel),
            predicting_few(subject, measured, 1),
        ):
            losses = measured(subject.run(prepared.inputs))
            by_layer = torch.autograd.grad(
                losses.sum(), list(leaves.values()), allow_unused=True, materialize_grads=True
            )
        gradients = dict(zip(leaves, by_layer, strict=True))
        apart = {at: self._changes(at, output, gradients[at]) for at, output in outputs.items()}
        changed = [apart[head.kind, head.layer][:, head.head] for head in subject.heads]
        return Observation(batch, outcomes=torch.stack([losses.detach().double(), *changed]).cpu())

    def _changes(self, at: tuple[Kind, int], output: Tensor, gradient: Tensor) -> Tensor:
        """batch head"""
        gradient = gradient.double()
        change = -torch.einsum("bhqd,bhqd->bh", gradient, output.double())
        if self.means is None:
            return change
        heads = (Head(*at, number) for number in range(output.shape[1]))
        means = torch.stack([torch.as_tensor(self.means[head]).double() for head in heads])
        return change + torch.einsum("bhqd,hd->bh", gradient, means.to(gradient.device))


@dataclass(frozen=True)
class Screening:
    """`table` has a row for every head, in order; `read` is the pass that gave it."""

    table: pd.DataFrame
    read: Merged

    def strongest(self, many: int) -> list[Head]:
        """The heads with the largest estimates, in reading order."""
        order = self.table.assign(size=self.table["estimate"].abs())
        order = order.sort_values("size", ascending=False, kind="stable")
        return sorted(Head.from_row(row) for row in order[:many].to_dict("records"))

    def rows(self, edit: str) -> list[Row]:
        records = self.table.to_dict("records")
        return [Row.from_record(r, "estimated_effect", edit, "estimate") for r in records]


def screen(
    subject: Subject,
    source: Source,
    means: Mapping[Head, Floats] | None,
    run: RunPass,
    seed: int = 0,
    kernel: str | None = None,
) -> Screening:
    """Estimate what the loss changes without each head."""
    sweep = Attribution(means, seed, kernel)
    done = run(Pass("screen", source, [Outcomes()], sweep=sweep, seed=seed, doing="estimating every head"))
    outcomes = done.reducer(Outcomes)
    known = estimates(moments_by_document(outcomes.table()[1:], outcomes.ids()))
    numbers = [known.at(place) for place in range(len(subject.heads))]
    rows = [
        (head.kind, head.layer, head.head, *number)
        for head, number in zip(subject.heads, numbers, strict=True)
    ]
    columns = ["kind", "layer", "head", "estimate", "stderr", "n", "documents"]
    return Screening(pd.DataFrame(rows, columns=columns), done)
