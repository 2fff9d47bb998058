"""A sweep: one number of every row of a batch, without any edit and with each of many.

What comes before an edit is computed once: the plain run keeps what its blocks gave, and an edited run begins
at the first block that it changes. Edits that begin at the same block run together, each on a copy of the
batch, as long as the copies do not fill more than a batch of usual size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, Protocol, TypeGuard

import torch
from torch import Tensor, nn

from attlas.address import Kind
from attlas.corpora.batches import Batch, Tokens
from attlas.edits.head_edit import HeadEdit, by_row
from attlas.edits.shuffling import without_partner
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.subject.blocks import blocks_of, stacks_of
from attlas.subject.losses import objective
from attlas.subject.sharing import in_this_thread, replaced_forwards
from attlas.tap.call import Call
from attlas.tap.observation import Observation
from attlas.tap.tap import Tap


@dataclass
class Kept:
    """What the blocks of one forward pass gave, in the order of their calls, and in which of these calls each
    layer attended. Those that end a stack are read by others than the next block."""

    blocks: tuple[nn.Module, ...]
    rows: int
    ends: frozenset[nn.Module] = frozenset()
    outputs: list[Any] = field(default_factory=list)
    calls: dict[tuple[Kind, int], int] = field(default_factory=dict)

    def listen(self, call: Call) -> None:
        """To be a tap's listener while a pass is being kept."""
        # a block has given nothing yet while it attends
        self.calls[call.kind, call.layer] = len(self.outputs)


@contextmanager
def keeping(kept: Kept) -> Iterator[None]:
    """A forward pass within fills `kept`."""

    def keep(_: nn.Module, forward: Callable[..., Any]) -> Callable[..., Any]:
        def keeping_forward(*args: Any, **kwargs: Any) -> Any:
            output = forward(*args, **kwargs)
            kept.outputs.append(output)
            return output

        return keeping_forward

    with replaced_forwards(kept.blocks, keep):
        yield


@contextmanager
def replaying(kept: Kept, first: int, copies: int) -> Iterator[None]:
    """A forward pass within computes from the block call `first` on, for `copies` copies of the batch."""
    made = 0

    def replay(block: nn.Module, forward: Callable[..., Any]) -> Callable[..., Any]:
        def replaying_forward(*args: Any, **kwargs: Any) -> Any:
            nonlocal made
            made += 1
            if made > first:
                return forward(*args, **kwargs)
            whole = made == first or block in kept.ends
            return _copy(kept.outputs[made - 1], kept.rows, copies, whole)

        return replaying_forward

    with replaced_forwards(kept.blocks, replay):
        yield


def _copy(output: Any, rows: int, copies: int, whole: bool) -> Any:
    """What a block gave, for copies of the batch one after the other. Not `whole`: what the next block, which
    does not compute either, takes no notice of. Should a model read it all the same, all it gives is not a
    number, so that nobody takes it for a result."""
    if isinstance(output, Tensor):
        if (
            whole
            or copies == 1
            or output.ndim == 0
            or output.shape[0] != rows
            or not output.is_floating_point()
        ):
            return spread(output, rows, copies)
        return output.new_full((), torch.nan).expand(copies * rows, *output.shape[1:])
    if isinstance(output, tuple | list):
        return type(output)(_copy(part, rows, copies, whole) for part in output)
    return output


def spread(tensor: Tensor, rows: int, copies: int) -> Tensor:
    """A batch's tensor for copies of the batch, one after the other."""
    if copies == 1 or tensor.ndim == 0 or tensor.shape[0] != rows:
        return tensor
    return tensor.expand(copies, *tensor.shape).flatten(0, 1)


#: tokens in the copies of a batch that run together, by device
TOKENS_AT_ONCE = {"cpu": 4096, "cuda": 65_536}
#: numbers in their predictions: a vocabulary is large
PREDICTIONS_AT_ONCE = {"cpu": 2**26, "cuda": 2**30}
FEW = 0.5  # of all tokens: where fewer have a label, no others are predicted
#: a subject, a batch and a seed -> the batch to run, and a number of every row from the model's output
Measure = Callable[["Subject", Batch, int], tuple[Batch, Callable[[Any], Tensor]]]


@dataclass(frozen=True)
class Sweep:
    """`edits`, each to be tried by itself. `measure` says what is taken of the model's output: its own loss,
    if nothing else is given. Without `shared`, every edit is a whole run of the model. All of it pickles."""

    edits: Sequence[HeadEdit]
    measure: Measure = objective
    shared: bool = True
    seed: int = 0  # of masked words, where a loss needs them
    kernel: str | None = None

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        return (self.observe(subject, batch) for batch in batches)

    def observe(self, subject: Subject, batch: Batch) -> Observation:
        """What there is to see: `outcomes` is edit batch (or edit batch column, where several numbers are
        measured), the first without any edit. It is not a number where an edit could not be made in a row
        (`shuffle`)."""
        prepared, measured = self.measure(subject, batch, self.seed)
        with torch.no_grad():
            kept, plain = self._run_plain(subject, prepared, measured)
            if bool(plain.isnan().any()):
                raise AttlasError(f"the loss of {subject.name} is not a number: its weights are broken")
            outcomes = [plain.double(), *([plain.new_zeros(0).double()] * len(self.edits))]
            most = copies_at_once(subject, prepared, measured)
            for first, places in self._together(subject, kept, most):
                edits = [self.edits[i] for i in places]
                edited = _run_edited(subject, edits, prepared, measured, kept, first, self.kernel)
                for place, values in zip(places, edited, strict=True):
                    outcomes[place + 1] = _where_made(self.edits[place], batch, values.double())
        return Observation(batch, outcomes=torch.stack(outcomes))

    def _run_plain(
        self, subject: Subject, batch: Batch, measured: Callable[[Any], Tensor]
    ) -> tuple[Kept | None, Tensor]:
        ends = frozenset(stack[-1] for stack in stacks_of(subject))
        kept = Kept(blocks_of(subject) if self.shared else (), len(batch.ids), ends)
        with (
            Tap(subject, kernel=self.kernel, listener=kept.listen) as tap,
            keeping(kept),
            predicting_few(subject, measured, 1) if kept.blocks else nullcontext(),
        ):
            plain = measured(tap.run(batch, predictions=True))
        return (kept if kept.blocks else None), plain

    def _together(self, subject: Subject, kept: Kept | None, most: int) -> Iterator[tuple[int, list[int]]]:
        """The first block that is to be computed, and the places of edits that run together from there."""
        starts: dict[int, list[int]] = {}
        for place, edit in enumerate(self.edits):
            heads = edit.resolved(subject.heads).every_head
            first = 0 if kept is None else min(kept.calls[h.kind, h.layer] for h in heads)
            starts.setdefault(first, []).append(place)
        for first, places in sorted(starts.items()):
            for start in range(0, len(places), most):
                yield first, places[start : start + most]


def _run_edited(
    subject: Subject,
    edits: Sequence[HeadEdit],
    batch: Batch,
    measured: Callable[[Any], Tensor],
    kept: Kept | None,
    first: int,
    kernel: str | None,
) -> list[Tensor]:
    """What is measured of the batch with each of the edits."""
    rows, copies = len(batch.ids), len(edits)
    change = edits[0] if copies == 1 else by_row([edit for edit in edits for _ in range(rows)])
    with ExitStack() as stack:
        few = _FewTokens(kept, spread(measured.places, rows, copies)) if kept and _few(measured) else None
        listener = None if few is None else few.listen
        tap = stack.enter_context(Tap(subject, edits=[change], kernel=kernel, listener=listener))
        if few is not None:
            stack.enter_context(few.computing())
        if kept is not None:
            stack.enter_context(replaying(kept, first, copies))
            stack.enter_context(predicting_few(subject, measured, copies))
        output = tap.run(copy_batch(batch, copies), predictions=True)
    return [measured(_part(output, copy, copies)) for copy in range(copies)]


def copies_at_once(subject: Subject, batch: Batch, measured: Callable[[Any], Tensor]) -> int:
    """How many copies of a batch run together: by their tokens, and by the predictions that they make."""
    device = subject.device.type if subject.device.type in TOKENS_AT_ONCE else "cpu"
    tokens = sum(side.real.numel() for side in batch.sides.values())
    places = int(measured.places.sum()) if _few(measured) else tokens
    numbers = places * getattr(subject.unembedding, "out_features", 1)
    return max(1, min(TOKENS_AT_ONCE[device] // tokens, PREDICTIONS_AT_ONCE[device] // max(1, numbers)))


class MeasuredAtPlaces(Protocol):
    """What reads predictions at some tokens alone: of an output with logits for every token (batch token
    piece), or for those alone (place piece)."""

    @property
    def places(self) -> Tensor:
        """batch token: where something is predicted."""
        ...

    def __call__(self, output: Any) -> Tensor: ...


def _few(measured: Callable[[Any], Tensor]) -> TypeGuard[MeasuredAtPlaces]:
    places = getattr(measured, "places", None)
    return places is not None and float(places.float().mean()) < FEW


class _FewTokens:
    """The last block of an encoder, computed after its attention for those tokens alone that have a label:
    nothing reads the others. A model that does would not pass the comparison with whole runs."""

    def __init__(self, kept: Kept, places: Tensor) -> None:
        self.kept, self.places = kept, places  # row token
        self.attended = False

    def listen(self, call: Call) -> None:
        """To be the tap's listener."""
        self.attended = self.kept.calls[call.kind, call.layer] == len(self.kept.outputs) - 1

    @contextmanager
    def computing(self) -> Iterator[None]:
        last = self.kept.blocks[-1]
        if len(self.kept.ends) != 1 or last not in self.kept.ends:
            yield
            return
        with replaced_forwards(tuple(m for m in last.modules() if isinstance(m, nn.Linear)), self._linear):
            yield

    def _linear(self, _: nn.Module, forward: Callable[..., Any]) -> Callable[..., Any]:
        def few_forward(inputs: Tensor) -> Tensor:
            if not self.attended or inputs.shape[:-1] != self.places.shape:
                whole: Tensor = forward(inputs)
                return whole
            some: Tensor = forward(inputs[self.places])
            outputs = some.new_zeros(*inputs.shape[:-1], some.shape[-1])
            outputs[self.places] = some
            return outputs

        return few_forward


@contextmanager
def predicting_few(subject: Subject, measured: Callable[[Any], Tensor], copies: int) -> Iterator[None]:
    """Where few tokens are measured, as masked words are, only those are predicted: over a large vocabulary
    that is much of the work."""
    head = subject.unembedding
    if not (_few(measured) and isinstance(head, nn.Linear)):
        yield
        return
    places = spread(measured.places, len(measured.places), copies)
    hook = head.register_forward_pre_hook(in_this_thread(lambda _, inputs: (inputs[0][places], *inputs[1:])))
    try:
        yield
    finally:
        hook.remove()


def copy_batch(batch: Batch, copies: int) -> Batch:
    """The batch several times over, as the rows of one."""
    rows = len(batch.ids)

    def tokens(side: Tokens) -> Tokens:
        ids = None if side.ids is None else spread(side.ids, rows, copies)
        return Tokens(spread(side.real, rows, copies), {}, ids)

    if copies == 1:
        return batch
    # the pictures of an item may be many rows, of which there is one item then
    pictured = rows == 1 and any(side.has("image") for side in batch.sides.values())
    inputs = {
        name: torch.cat([tensor] * copies) if pictured else spread(tensor, rows, copies)
        for name, tensor in batch.inputs.items()
    }
    sides = {name: tokens(side) for name, side in batch.sides.items()}
    return replace(batch, inputs=inputs, sides=sides, ids=batch.ids * copies)


def _part(output: Any, copy: int, copies: int) -> Any:
    """What the model gave for one copy."""
    if copies == 1:
        return output
    values = {
        name: value.chunk(copies)[copy]
        for name, value in output.items()
        if isinstance(value, Tensor) and value.ndim and value.shape[0] % copies == 0
    }
    return SimpleNamespace(**values)


def _where_made(edit: HeadEdit, batch: Batch, values: Tensor) -> Tensor:
    """The values, and none where the edit could not be made."""
    if bool(values.isnan().any()):
        raise AttlasError(f"with {edit}, the loss is not a number")
    if edit.name == "shuffle":
        for kind in {head.kind for head in edit.every_head}:
            alone = without_partner(batch, kind).to(values.device)
            values = values.masked_fill(alone.view(-1, *[1] * (values.ndim - 1)), torch.nan)
    return values
