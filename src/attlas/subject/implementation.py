"""How a model attends: by which implementation, for a while, and what it returns of it.

transformers hooks what records attention into a model that returns it: that stays out of copies, and of
models that Attlas has looked at.
"""

from __future__ import annotations

import copy
import inspect
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from torch import Tensor, nn

from attlas.address import Kind
from attlas.subject.sharing import implementations

#: to an implementation whose name has this in it, transformers hands the images of a batch all at once, one
#: after the other, with the places where they end; for any other it makes a call for each image and window
PACKED = "-flash"


@contextmanager
def attending(model: nn.Module, implementation: str, packed: str | None = None) -> Iterator[None]:
    """All parts of the model attend by it, as transformers names it, in this thread; afterwards as before.
    Also those that refuse `set_attn_implementation`, and heed their config all the same (Falcon). What reads
    images in packs attends as `packed`."""
    configs = {id(m.config): m.config for m in model.modules() if hasattr(m, "config")}
    packing = _packing(model) if packed else frozenset()
    named = [
        (config, packed if packed and id(config) in packing else implementation)
        for config in configs.values()
    ]
    with implementations(named):
        yield


def _packing(model: Any) -> frozenset[int]:
    """Which configs (their id) are of parts that can be handed all images at once."""
    whole = model.config
    text = {id(whole), id(getattr(whole, "text_config", whole))}
    return frozenset(
        id(module.config)
        for module in model.modules()
        if hasattr(module, "config")
        and id(module.config) not in text
        and "cu_seqlens" in inspect.signature(module.forward).parameters
    )


def returned_attentions(output: Any, alone: Kind | None = None) -> Iterator[tuple[Kind, int, Tensor]]:
    """Each layer's weights (batch head query key) among a model's outputs.

    `alone` is the kind of a model that has one kind only; without it, whether the first row looks ahead
    tells, which padding would hide.
    """
    kinds: dict[str, Kind] = {
        "encoder_attentions": "encoder",
        "decoder_attentions": "decoder",
        "cross_attentions": "cross",
    }
    for field, kind in kinds.items():
        for layer, weights in enumerate(getattr(output, field, None) or ()):
            yield kind, layer, weights
    for layer, weights in enumerate(getattr(output, "attentions", None) or ()):
        ahead = weights is not None and bool((weights[..., 0, 1:] > 0).any())
        yield alone or ("encoder" if ahead else "decoder"), layer, weights


#: where transformers makes the hooks that record `output_attentions` and the like: functions that no pickle
#: can hold, and that it installs again where they are asked for
RECORDING = "transformers.utils.output_capturing"
INSTALLED = "_output_capturing_hooks_installed"


def without_recording_hooks(model: nn.Module) -> nn.Module:
    """The same model, with the same tensors, without those hooks. The model itself is not changed."""
    return _twin(model, {})


def _twin(module: nn.Module, made: dict[int, nn.Module]) -> nn.Module:
    if id(module) not in made:
        twin = made[id(module)] = copy.copy(module)  # a module that is used twice stays one
        attributes: dict[str, Any] = twin.__dict__
        attributes.pop(INSTALLED, None)
        attributes["_forward_hooks"] = type(module._forward_hooks)(
            (key, hook) for key, hook in module._forward_hooks.items() if not _records(hook)
        )
        attributes["_modules"] = {
            name: None if child is None else _twin(child, made) for name, child in module._modules.items()
        }
    return made[id(module)]


@dataclass(eq=False)
class _Recording:
    """The hooks that transformers installs in a model while some thread watches it."""

    before: set[int]
    marked: set[int]  # modules that had theirs already
    watching: int = 0  # how many threads
    wanted: bool = False  # another thread's own call may need them


_recordings: WeakKeyDictionary[nn.Module, _Recording] = WeakKeyDictionary()
_lock = threading.Lock()


@contextmanager
def removing_recording_hooks(model: nn.Module) -> Iterator[None]:
    """Removes those hooks that transformers installs meanwhile, when the last who watches has ended."""
    with _lock:
        if model not in _recordings:
            before = {key for module in model.modules() for key in module._forward_hooks}
            marked = {id(module) for module in model.modules() if INSTALLED in module.__dict__}
            _recordings[model] = _Recording(before, marked)
        recording = _recordings[model]
        recording.watching += 1
    try:
        yield
    finally:
        with _lock:
            recording.watching -= 1
            if not recording.watching:
                del _recordings[model]
                if not recording.wanted:
                    _remove_recording_hooks(model, recording)


def keep_recording_hooks(model: nn.Module) -> None:
    """Another thread calls the model while this one watches: what transformers installs now may be for it."""
    with _lock:
        if (recording := _recordings.get(model)) is not None:
            recording.wanted = True


def _remove_recording_hooks(model: nn.Module, recording: _Recording) -> None:
    for module in model.modules():
        if id(module) not in recording.marked:
            module.__dict__.pop(INSTALLED, None)
        for key, hook in list(module._forward_hooks.items()):
            if key not in recording.before and _records(hook):
                del module._forward_hooks[key]


def _records(hook: Any) -> bool:
    return getattr(hook, "__module__", None) == RECORDING
