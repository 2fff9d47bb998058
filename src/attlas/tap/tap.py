"""Tap: watch a model's attention, and change it, for as long as a `with` block lasts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from operator import or_
from types import TracebackType
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.subject.sharing import evaluating
from attlas.tap.call import Call
from attlas.tap.kernels import KernelPass, KernelResult
from attlas.tap.kernels import kernel as kernel_named
from attlas.tap.needs import KernelRequest, Needs
from attlas.tap.observation import Observation, Observer
from attlas.tap.seam import Seam, seam_of
from attlas.tap.totals import Totals

if TYPE_CHECKING:
    from attlas.edits import Edit
    from attlas.subject import Subject


class Tap:
    """Watches every attention head of a subject through one seam.

        with Tap(subject, [Means(entropy())], edits=[uniform(["7.9"])]) as tap:
            tap.run(batch)

    In each attention call the kernel computes the weights, the edits change them, the observers see them.
    Closing the tap leaves the model as it was, also after an exception. Taps nest: the edits of every open
    tap apply, outermost first, and every observer sees the outcome. While a tap is open the model may also be
    called directly; its inputs are then annotated as well as the tokenizer allows. Without a name, the kernel
    is the one that suits the subject's device. A `listener` is shown every attention call.

    A tap belongs to the thread that opens it, and under asyncio to the task. Others may use the same model
    meanwhile: their calls run as if there were no tap, and taps of their own see and change their own calls.

    With `rows`, a fraction such as 1/16, sums over rows come from a random sample of them, without bias
    (`attlas.tap.row_sample`), and the model attends by itself: for long texts. Observers that need every
    weight still get them all. Without it, rows are sampled only where no quick kernel takes the model's
    attention, which is logged; with 1, never.
    """

    def __init__(
        self,
        subject: Subject,
        observers: Sequence[Observer] = (),
        edits: Sequence[Edit] = (),
        kernel: str | None = None,
        listener: Callable[[Call], None] | None = None,
        rows: float | None = None,
    ) -> None:
        if not hasattr(subject, "heads"):
            raise AttlasError(
                f"a tap is opened on a subject, not a {type(subject).__name__}: attlas.load gives one"
            )
        _check_all("observers", observers, "update")
        _check_all("edits", edits, "resolved")
        self.subject = subject
        self.observers = tuple(observers)
        self.needs = reduce(or_, (observer.needs for observer in self.observers), Needs())
        self.kernel = kernel_named(kernel, subject.device, rows)
        if len(subject.devices) > 1:
            self.kernel = partial(DevicePasses, partial(_begin_on, kernel, rows))
        if rows is not None and rows < 1:
            _say_who_needs_every_row(self.observers)
        self.listener = listener
        self.seam: Seam | None = None  # while it is open
        self._opened = ExitStack()
        self.ran = False  # whether the model was called while this tap was open
        self.reached: set[tuple[Kind, int]] = set()  # the layers that attended meanwhile
        if edits and not subject.interface:
            raise AttlasError(subject.uneditable)
        self.edits = tuple(edit.resolved(subject.heads) for edit in edits)

    def __enter__(self) -> Tap:
        with ExitStack() as opened:
            opened.enter_context(evaluating(self.subject.model))
            self.seam = seam_of(self.subject)
            self.seam.open(self)
            self._opened = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.seam is not None
        with self._opened:
            self.seam.close(self)
        self.seam = None
        if kind is None and self.ran:
            for edit in self.edits:
                if any((head.kind, head.layer) not in self.reached for head in edit.every_head):
                    raise AttlasError(f"the model ran, but {edit} never took effect")

    def run(
        self, batch: Batch, losses: Callable[[Any], Tensor] | None = None, *, predictions: bool = False
    ) -> Any:
        """One forward pass. `losses` (model output -> batch) gives a loss for each row, for observers that
        need losses or gradients.

        Predictions are made where somebody reads them: an observer that needs the output, the losses, or you.
        The model's output is returned where they are, and None where not.
        """
        if not isinstance(batch, Batch):
            raise AttlasError(
                f"a tap runs a batch, not a {type(batch).__name__}: subject.encode(text) gives one"
            )
        if self.seam is None:
            raise AttlasError("the tap is not open: run batches inside `with Tap(...) as tap:`")
        if self not in self.seam.taps:
            raise AttlasError("the tap was opened in another thread or task: open one in each")
        needs = self.seam.needs
        wanted = needs.losses or needs.differentiates or needs.direct
        if wanted and losses is None:
            what = "gradients" if needs.differentiates else "targets" if needs.direct else "losses"
            raise AttlasError(f"an observer asks for {what}: give Tap.run the losses of the model's output")
        if losses is not None and not wanted:
            raise AttlasError("losses were given, but no observer asks for losses or gradients")
        targets = getattr(losses, "labels", None)
        if needs.direct and targets is None:
            raise AttlasError("direct contributions are to the logits of tokens: the losses have no labels")
        predictions = predictions or needs.output or losses is not None
        with (
            torch.inference_mode(False),
            torch.set_grad_enabled(needs.differentiates),
            batch.during_pass(self.subject.model),
            self.seam.forward_pass(batch) as forward,
        ):
            with self.seam.watched_stream() as stream:
                inputs = {name: _ordinary(tensor) for name, tensor in batch.inputs.items()}
                output = self.subject.run(inputs, predictions, **self.seam.options)
            loss_of_rows = None if losses is None else losses(output)
            if needs.differentiates and loss_of_rows is not None:
                forward.add_gradients(loss_of_rows)
            if not self.subject.interface:
                forward.read_returned(output)
            observation = forward.observation(output, loss_of_rows)
            observation = replace(observation, **stream.observe(targets))
        self.seam.show(observation)
        return output if predictions else None


def _ordinary(tensor: Tensor) -> Tensor:
    """A tensor that gradients may be taken of, also where it was made inside `torch.inference_mode()`."""
    return tensor.clone() if tensor.is_inference() else tensor


def _begin_on(kernel: str | None, rows: float | None, device: torch.device) -> KernelPass:
    """A pass on one of several devices: what is fused on a GPU is tiled elsewhere."""
    on_gpu = kernel != "triton" or device.type == "cuda"
    return kernel_named(kernel if on_gpu else None, device, rows)()


def _say_who_needs_every_row(observers: Sequence[Observer]) -> None:
    names = [getattr(o, "name", type(o).__name__) for o in observers if o.needs.every_row]
    if names:
        logging.getLogger("attlas").warning(
            "rows are not sampled for %s: every row is needed", ", ".join(names)
        )


def _check_all(what: str, members: Any, method: str) -> None:
    """Each of what is given has the method that makes it one."""
    if not isinstance(members, Sequence):
        raise AttlasError(f"give the {what} of a tap as a list, not as a {type(members).__name__}")
    if wrong := [member for member in members if not hasattr(member, method)]:
        raise AttlasError(f"{wrong[0]!r} is not one of the {what} that a tap takes")


@dataclass
class DevicePasses:
    """A forward pass over several devices, each of which has a kernel of its own."""

    begin: Callable[[torch.device], KernelPass]
    passes: dict[torch.device, KernelPass] = field(default_factory=dict)

    def _on(self, device: torch.device) -> KernelPass:
        if device not in self.passes:
            self.passes[device] = self.begin(device)
        return self.passes[device]

    def call(self, call: Call, request: KernelRequest) -> KernelResult:
        return self._on(call.query.device).call(call, request)

    def add_rows(self, kind: Kind, layer: int, rows: Tensor, request: KernelRequest) -> None:
        self._on(rows.device).add_rows(kind, layer, rows, request)

    def totals(self) -> tuple[Totals, ...]:
        return tuple(totals for on_device in self.passes.values() for totals in on_device.totals())


@dataclass(frozen=True)
class CapturedCall:
    """One attention call of one input. Vectors are there when asked for, as the dot products saw them."""

    kind: Kind
    layer: int
    weights: Tensor  # head query key
    query: Tensor | None = None  # head query dim, after rotary embedding
    key: Tensor | None = None  # head key dim, one copy per query head
    value: Tensor | None = None  # head key dim
    scaling: float | None = None


class _WeightsKeeper:
    needs = Needs(weights=True)

    def __init__(self) -> None:
        self.kept: list[tuple[Kind, int, Tensor]] = []

    def update(self, observation: Observation) -> None:
        self.kept += [(c.kind, c.layer, c.weights[0]) for c in observation.calls if c.weights is not None]


def capture(
    subject: Subject, batch: Batch, *, vectors: bool = False, edits: Sequence[Edit] = ()
) -> list[CapturedCall]:
    """The whole weights of every attention call of a batch of one, in the order of the model's calls: for
    looking at. Statistics over corpora use reducers instead."""
    if len(batch.ids) != 1:
        raise AttlasError(f"capture takes one text at a time, and the batch has {len(batch.ids)}")
    keep, calls = _WeightsKeeper(), list[Call]()
    listener = calls.append if vectors and subject.interface else None
    with Tap(subject, [keep], edits=edits, kernel="eager", listener=listener) as tap:
        tap.run(batch)
    if not calls:
        return [CapturedCall(kind, layer, weights) for kind, layer, weights in keep.kept]
    return [
        CapturedCall(
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
