"""A model that goes to another process leaves behind what transformers hooked into it."""

from __future__ import annotations

import copy
from typing import Any

from torch import nn

#: where transformers makes the hooks that record `output_attentions` and the like: functions that no pickle
#: can hold, and that it installs again where they are asked for
RECORDING = "transformers.utils.output_capturing"
INSTALLED = "_output_capturing_hooks_installed"


def without_recording_hooks(model: nn.Module) -> nn.Module:
    """The same model, with the same tensors, without those hooks. The one that is given stays as it is."""
    return _twin(model, {})


def _twin(module: nn.Module, made: dict[int, nn.Module]) -> nn.Module:
    if id(module) not in made:
        twin = made[id(module)] = copy.copy(module)  # a module that is used twice stays one
        own: dict[str, Any] = twin.__dict__
        own.pop(INSTALLED, None)
        own["_forward_hooks"] = type(module._forward_hooks)(
            (key, hook)
            for key, hook in module._forward_hooks.items()
            if getattr(hook, "__module__", None) != RECORDING
        )
        own["_modules"] = {
            name: None if child is None else _twin(child, made) for name, child in module._modules.items()
        }
    return made[id(module)]
