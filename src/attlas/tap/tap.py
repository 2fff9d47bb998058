"""Tap: watch a model's attention, and change it, for as long as a `with` block lasts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.tap.call import Call
from attlas.tap.kernels import kernel as kernel_named
from attlas.tap.needs import Needs
from attlas.tap.seam import seam_of

if TYPE_CHECKING:
    from attlas.edits import Edit
    from attlas.reducers import Reducer
    from attlas.subject import Subject
    from attlas.tap.observation import Observation


class Tap:
    """Watches every attention head of a subject through one seam.

        with Tap(subject, reducers=[entropy()], edits=[uniform(heads)]) as tap:
            tap.run(batch)

    In each attention call the kernel computes the weights, the edits change them, the reducers see them.
    Closing the tap leaves the model as it was, also after an exception. Taps nest: the edits of every open
    tap apply, outermost first, and every reducer sees the outcome. While a tap is open the model may also be
    called directly; its inputs are then annotated as well as the tokenizer allows. Without a name, the kernel
    is the one that suits the subject's device.
    """

    def __init__(
        self,
        subject: Subject,
        reducers: Sequence[Reducer] = (),
        edits: Sequence[Edit] = (),
        kernel: str | None = None,
        listener: Callable[[Call], None] | None = None,
    ) -> None:
        self.subject = subject
        self.reducers = tuple(reducers)
        self.edits = tuple(edits)
        self.watchers = _together(self.reducers)
        self.needs = reduce(or_, (reducer.needs for reducer in self.reducers), Needs())
        self.kernel = kernel_named(kernel, subject.device)
        self.listener = listener  # is shown every attention call
        self.applied: set[Edit] = set()
        self.ran = False  # whether the model was called while this tap was open
        for edit in self.edits:
            edit.check(subject.heads)
            if not subject.interface:
                raise AttlasError(
                    f"{type(subject.model).__name__} does not use transformers' attention interface: "
                    "its heads can be observed, but not edited"
                )

    def __enter__(self) -> Tap:
        self.seam = seam_of(self.subject)
        self.seam.open(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.seam.close(self)
        missed = [edit for edit in self.edits if edit not in self.applied]
        if kind is None and self.ran and missed:
            raise AttlasError(f"the model ran, but {missed[0]} never took effect")

    def run(self, batch: Batch, loss: Callable[[Any], Tensor] | None = None) -> Any:
        """One forward pass. With `loss` (model output -> scalar), gradients by class are observed as well."""
        if loss is None and self.needs.gradients:
            raise AttlasError("a reducer asks for gradients: give Tap.run the loss to differentiate")
        self.seam.next_batch = batch
        self.seam.keep_next = loss is not None
        if loss is None:
            with torch.no_grad():
                return self.subject.model(**batch.inputs)
        with torch.enable_grad():
            output = self.subject.model(**batch.inputs)
            self.seam.add_gradients(loss(output))
        self.seam.finish()
        return output


class _Watcher(Protocol):
    def update(self, observation: Observation) -> None: ...


def _together(reducers: Sequence[Reducer]) -> list[_Watcher]:
    """What is shown each observation: reducers that can work together do, the others alone."""
    watchers: list[_Watcher] = []
    joined: dict[Any, list[Reducer]] = {}
    for reducer in reducers:
        join = getattr(reducer, "together", None)
        if join is None:
            watchers.append(reducer)
        else:
            joined.setdefault(join, []).append(reducer)
    return [*watchers, *(join(several) for join, several in joined.items())]
