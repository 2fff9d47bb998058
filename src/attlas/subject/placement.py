"""Where a model lies: on one device, on several, or partly in memory or on disk until it is needed.

accelerate spreads a model over devices (`device_map`): each of its parts then has a hook that says where the
part is computed and brings its inputs there, and weights that wait elsewhere are on no device meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from attlas.subject.quantised import bytes_of

NOWHERE = torch.device("meta")


def home_of(model: nn.Module) -> torch.device:
    """The device that inputs are put on: where the first part is computed."""
    first: Tensor = next(model.parameters())
    if first.device != NOWHERE:
        return first.device
    return next(_computed_on(model), torch.device("cpu"))


def devices_of(model: nn.Module) -> tuple[torch.device, ...]:
    """Every device that the model computes on; most have one."""
    there = dict.fromkeys(parameter.device for parameter in model.parameters())
    there |= dict.fromkeys(_computed_on(model))
    return tuple(device for device in there if device != NOWHERE)


def _computed_on(model: nn.Module) -> Iterator[torch.device]:
    for hook in (hook for module in model.modules() for hook in _hooks_of(module)):
        device = getattr(hook, "execution_device", None)
        if device is not None:
            yield torch.device("cuda", device) if isinstance(device, int) else torch.device(device)


def _hooks_of(module: nn.Module) -> tuple[Any, ...]:
    """Those of accelerate's."""
    hook = getattr(module, "_hf_hook", None)
    return () if hook is None else tuple(getattr(hook, "hooks", (hook,)))


def weights_of(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """Every tensor of the model by name, in order of names; those that wait elsewhere are fetched one at a
    time."""
    waiting: dict[str, Any] = {}
    for name, module in model.named_modules():
        for hook in _hooks_of(module):
            if getattr(hook, "weights_map", None) is not None:
                waiting[name] = hook.weights_map
    for name, tensor in sorted(model.state_dict().items()):
        if tensor.device == NOWHERE:
            module, _, parameter = name.rpartition(".")
            tensor = waiting[module][parameter]
        yield name, tensor


def layout_of(model: nn.Module) -> dict[str, int]:
    """How many bytes of weights lie on each device, in memory ("cpu") or on disk."""
    bytes_on: Counter[str] = Counter()
    placed: dict[str, Any] = getattr(model, "hf_device_map", None) or {}
    # to some that quantise, what they pack is no parameter
    for name, weights in (*model.named_parameters(), *model.named_buffers()):
        parts = [part for part in placed if part == "" or name == part or name.startswith(f"{part}.")]
        where = placed[max(parts, key=len)] if parts else weights.device
        named = f"cuda:{where}" if isinstance(where, int) else str(where)
        bytes_on[named] += bytes_of(weights)
    return dict(bytes_on)
