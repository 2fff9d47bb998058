"""The seam: the one place where Attlas reaches into a model.

transformers looks its attention function up by name for every call. While a tap is open, that name is ours.
A model has one seam however many taps a thread opens on it: the edits of all of them change the attention,
outermost first, and then the observers of all of them see the result. Several threads may share a model: each
has a seam of its own, which does not exist for the others.
"""

from __future__ import annotations

import inspect
import itertools
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import reduce
from operator import or_
from threading import get_ident
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.subject.implementation import (
    PACKED,
    attending,
    keep_recording_hooks,
    removing_recording_hooks,
)
from attlas.tap.call import Call, CallEdit
from attlas.tap.direct import DirectPaths, StreamWatches
from attlas.tap.forward import Forward
from attlas.tap.kernels import outside_autocast
from attlas.tap.lazy_weights import MovedLengths
from attlas.tap.making_masks import PatchRows, as_mask, mask_function
from attlas.tap.mask import Mask
from attlas.tap.needs import KernelRequest, Needs
from attlas.tap.observation import Observation, ObservedCall
from attlas.tap.stream import StreamWatch, no_writes, output_maps

if TYPE_CHECKING:
    from attlas.subject import Subject
    from attlas.tap.tap import Tap

MATRICES = 2  # masks of a model's own that are kept, for layers of two sorts

_numbers = itertools.count()
_seams: WeakKeyDictionary[nn.Module, dict[int, Seam]] = WeakKeyDictionary()  # by thread
_lock = threading.Lock()
#: the taps that are open here: asyncio runs the tasks of one thread in contexts of their own
_open: ContextVar[tuple[Tap, ...]] = ContextVar("attlas_taps", default=())


def seam_of(subject: Subject) -> Seam:
    """The seam of this thread into a model."""
    with _lock:
        return _seams.setdefault(subject.model, {}).setdefault(get_ident(), Seam(subject))


class Seam:
    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.thread = get_ident()
        self._attending: dict[Tap, AbstractContextManager[None]] = {}
        self._names: tuple[str, str | None] = "eager", None  # the implementation; of packed images
        self.forward: Forward | None = None
        self._announced = False  # whether the pass under way was begun by `forward_pass`
        self._repeats: Any = None  # the kernel's pass, where it may answer a call like an earlier one's
        self._calls: Counter[nn.Module] = Counter()
        # what matrices of the model's own say, since every layer gets the same: as long as one is held, no
        # other object has its id
        self._matrices: dict[int, tuple[Tensor, Mask]] = {}
        self._patch_rows: PatchRows | None = None
        self._attached = ExitStack()
        self._stream: StreamWatches | None = None
        self._lengths: MovedLengths | None = None

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A copy would watch the calls of the model that it was copied from."""
        raise AttlasError(
            f"{self.subject.name} cannot be copied or pickled while a tap is open on it: close the tap first"
        )

    @property
    def taps(self) -> tuple[Tap, ...]:
        """The taps that are open in this thread and context, outermost first."""
        if get_ident() != self.thread:
            return ()
        return tuple(tap for tap in _open.get() if tap.seam is self)

    def open(self, tap: Tap) -> None:
        self._stream = None
        if not self._attending:
            self._attach()
        attends = attending(self.subject.model, *self._names)
        attends.__enter__()
        self._attending[tap] = attends
        _open.set((*_open.get(), tap))

    def close(self, tap: Tap) -> None:
        _open.set(tuple(other for other in _open.get() if other is not tap))
        self._attending.pop(tap).__exit__(None, None, None)
        self._stream = None
        if not self._attending:
            self._detach()

    def _attach(self) -> None:
        model = self.subject.model
        if self.subject.interface:
            name = f"attlas-{next(_numbers)}"
            self._names = name, name + PACKED
            for registered in (name, name + PACKED):
                AttentionInterface.register(registered, self._attend)
                # without a mask function of the same name, transformers drops the padding mask in silence
                AttentionMaskInterface.register(registered, mask_function)
                self._attached.callback(AttentionInterface._global_mapping.pop, registered)
                self._attached.callback(AttentionMaskInterface._global_mapping.pop, registered)
        self._attached.enter_context(removing_recording_hooks(model))
        before = model.register_forward_pre_hook(self._before_forward, with_kwargs=True)
        after = model.register_forward_hook(self._after_forward)
        self._attached.callback(before.remove)
        self._attached.callback(after.remove)

    def _detach(self) -> None:
        self._attached.close()
        self.forward = self._repeats = None
        self._forget_calls()
        with _lock:
            here = _seams[self.subject.model]
            here.pop(self.thread, None)
            if not here:
                del _seams[self.subject.model]

    @property
    def needs(self) -> Needs:
        return reduce(or_, (tap.needs for tap in self.taps), Needs())

    @property
    def options(self) -> dict[str, Any]:
        """The options with which the model shows its attention."""
        options = {} if self.subject.interface else {"output_attentions": True}
        return {**options, "output_hidden_states": True} if self.needs.hidden_states else options

    @contextmanager
    def forward_pass(self, batch: Batch) -> Iterator[Forward]:
        """A pass over a batch that is known beforehand, through the whole model or a part of it."""
        self._announced = True
        try:
            yield self._begin(batch, self.needs)
        finally:
            self._announced = False
            self.forward = self._repeats = None

    def watched_stream(self) -> AbstractContextManager[StreamWatches]:
        """What the parts of a forward pass within write, as far as somebody asks."""
        if self._stream is None:
            needs = self.needs
            if needs.direct and needs.differentiates:
                raise AttlasError("gradients and direct contributions are taken in passes of their own")
            self._stream = StreamWatches(
                StreamWatch(self.subject) if needs.writes else None,
                DirectPaths(self.subject, needs) if needs.direct else None,
            )
        return self._stream.watching()

    def _forget_calls(self) -> None:
        self._calls.clear()
        self._matrices.clear()
        self._patch_rows = None

    def _begin(self, batch: Batch, needs: Needs) -> Forward:
        self._forget_calls()
        for tap in self.taps:
            tap.ran = True
        begin = self.taps[-1].kernel
        by_norm = (self._moved_lengths(), begin()) if needs.norm_totals or needs.moved else None
        self.forward = Forward(self.subject, batch, needs, begin(), by_norm)
        alone = not any(tap.edits or tap.listener for tap in self.taps)
        only_totals = Needs(needs.totals, output=needs.output, losses=needs.losses, writes=needs.writes)
        can_repeat = alone and needs == only_totals and hasattr(self.forward.kernel, "repeat")
        self._repeats = self.forward.kernel if can_repeat else None
        return self.forward

    def _moved_lengths(self) -> MovedLengths:
        if self._lengths is None:
            if (reason := no_writes(self.subject)) is not None:
                raise AttlasError(f"attention by norm cannot be measured: {reason}")
            self._lengths = MovedLengths(self.subject, output_maps(self.subject))
        return self._lengths

    def _before_forward(self, model: nn.Module, args: Any, kwargs: dict[str, Any] | None = None) -> Any:
        """Somebody calls the model while a tap is open: its inputs are annotated as well as can be."""
        if kwargs is None or not (taps := self.taps):  # a hook that goes just now is called without them
            keep_recording_hooks(model)
            return None
        if self._announced:
            return None
        self._forget_calls()
        self.forward = self._repeats = None
        for tap in taps:
            tap.ran = True
        needs = self.needs
        if needs.writes or needs.direct:
            raise AttlasError("what heads write is measured by Tap.run, not when the model is called")
        if needs != Needs():
            named = inspect.signature(model.forward).bind_partial(*args, **kwargs).arguments
            batch = self.subject.annotate({k: v for k, v in named.items() if isinstance(v, Tensor)})
            self._begin(batch, needs)
        return args, {**kwargs, **self.options}

    def _after_forward(self, model: nn.Module, args: Any, output: Any) -> None:
        if not self.taps or self._announced or self.forward is None:
            return
        forward, self.forward, self._repeats = self.forward, None, None
        if not self.subject.interface:
            forward.read_returned(output)
        self.show(forward.observation(output))

    def show(self, observation: Observation) -> None:
        """Hands a finished pass to every observer."""
        device = next(iter(observation.batch.sides.values())).real.device
        with torch.no_grad(), outside_autocast(device):
            for tap in self.taps:
                for observer in tap.observers:
                    observer.update(observation)

    def _attend(
        self,
        module: nn.Module,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attention_mask: Any,
        scaling: float | None = None,
        dropout: float = 0.0,
        is_causal: bool | None = None,
        softcap: float | None = None,
        position_bias: Tensor | None = None,
        s_aux: Tensor | None = None,
        indices: Tensor | None = None,
        block_indices: Tensor | None = None,
        cu_seq_lens_q: Tensor | None = None,
        **_: Any,
    ) -> tuple[Tensor, None]:
        """What Attlas registers in transformers' AttentionInterface; the arguments are transformers'."""
        if block_indices is not None:  # MiniMax-M3: unseen, they would give other weights in silence
            raise AttlasError(
                f"{self.subject.name} chooses blocks of keys by an index, which Attlas cannot observe"
            )
        causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
        scaling = query.shape[-1] ** -0.5 if scaling is None else scaling
        address, repeated = self._address(module)
        if address is None:
            if cu_seq_lens_q is not None and attention_mask is None:
                attention_mask = PatchRows(len(query), self.subject.name).mask(None, cu_seq_lens_q, query)
            # what reads images in a vision-language model attends as ever: only heads that read text have one
            mask = self._mask(attention_mask, query, key, causal)
            call = Call("encoder", 0, query, key, value, mask, scaling)
            return self._without_observers(call).transpose(1, 2).contiguous(), None
        kind, layer = address
        shape = query.shape
        if kind == "vision":
            patches = self._patches(len(query))
            attention_mask = patches.mask(attention_mask, cu_seq_lens_q, query)
            query, key, value = (patches.by_item(tensor) for tensor in (query, key, value))
        # all that decides how a fused kernel is launched, but for the tensors: later layers are launched
        # alike, since all that the host does for one would take longer than its attention
        like = kind, id(attention_mask), causal, softcap, dropout, position_bias is None, s_aux is None
        can_repeat = self._repeats is not None and not repeated and indices is None
        if can_repeat:
            output = self._repeats.repeat(like, layer, query, key, value, scaling)
            if output is not None:
                self.forward.calls.append(ObservedCall(kind, layer, query.shape[1]))  # type: ignore[union-attr]
                return self._pass_on(output.reshape(shape[0], shape[2], shape[1], -1)), None
        mask = self._mask(attention_mask, query, key, causal)
        call = Call(
            kind,
            layer,
            query,
            key,
            value,
            mask if indices is None else mask.among(indices, key.shape[2]),
            scaling=scaling,
            softcap=softcap,
            bias=position_bias,
            sinks=s_aux,
            dropout=dropout,
        )
        if edits := self._edits(call):
            call = replace(call, edits=edits)
        if repeated or self.forward is None:
            output = self._without_observers(call, repeated)
        else:
            output = self.forward.answer(call)
        if can_repeat:
            self._repeats.remember(like, attention_mask)
        for tap in self.taps:
            if tap.listener is not None and not repeated:
                tap.listener(call)
        joined = output.transpose(1, 2).reshape(shape[0], shape[2], shape[1], -1).contiguous()
        return self._pass_on(joined), None

    def _pass_on(self, output: Tensor) -> Tensor:
        """What heads give (batch query head dim), for who watches what becomes of it."""
        if self._stream is not None:
            self._stream.take_outputs(output)
        return output

    def _patches(self, images: int) -> PatchRows:
        """How the patches of this pass stand by item; in a pass without observers they are not moved."""
        items = images if self.forward is None else len(self.forward.batch.ids)
        if self._patch_rows is None:
            if self.forward is not None:
                self.forward.check_images()
            self._patch_rows = PatchRows(items, self.subject.name)
        return self._patch_rows

    def _mask(self, handed: Mask | Tensor | None, query: Tensor, key: Tensor, causal: bool) -> Mask:
        if not isinstance(handed, Tensor):
            return as_mask(handed, query, key, causal)
        if id(handed) not in self._matrices:
            while len(self._matrices) >= MATRICES:  # a model that makes one for every layer
                self._matrices.pop(next(iter(self._matrices)))
            self._matrices[id(handed)] = handed, as_mask(handed, query, key, causal)
        return self._matrices[id(handed)][1]

    def _address(self, module: nn.Module) -> tuple[tuple[Kind, int] | None, bool]:
        """The address of a call, and whether it repeats the one before; None if the survey did not meet the
        module."""
        times = self._calls.get(module, 0)
        call = module, times
        address = self.subject.addresses.get(call)
        if address is None and (module, 0) in self.subject.addresses:
            raise AttlasError(
                f"{self.subject.name}: {type(module).__name__} was called more often in one forward pass "
                "than in the survey, so that its layer is unknown"
            )
        self._calls[module] = times + 1
        return address, call in self.subject.repeated

    def _edits(self, call: Call) -> tuple[CallEdit, ...]:
        edits: list[CallEdit] = []
        for tap in self.taps:
            for edit in tap.edits:
                edits += edit.at(call)
            tap.reached.add((call.kind, call.layer))
        return tuple(edits)

    def _without_observers(self, call: Call, repeated: bool = False) -> Tensor:
        if repeated and self.needs.differentiates:
            raise AttlasError(
                f"{self.subject.name} uses the weights of a head twice in a layer: gradients cannot be taken"
            )
        nothing = KernelRequest.nothing(call.key.shape[0], call.key.shape[2], call.key.device)
        return call.edit_output(self.taps[-1].kernel().call(call, nothing).output)
