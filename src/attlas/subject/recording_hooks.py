"""What transformers hooks into a model that returns its attention: it stays out of copies, and of models that
Attlas has looked at."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
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
        attributes: dict[str, Any] = twin.__dict__
        attributes.pop(INSTALLED, None)
        attributes["_forward_hooks"] = type(module._forward_hooks)(
            (key, hook) for key, hook in module._forward_hooks.items() if not _records(hook)
        )
        attributes["_modules"] = {
            name: None if child is None else _twin(child, made) for name, child in module._modules.items()
        }
    return made[id(module)]


@contextmanager
def removing_recording_hooks(model: nn.Module) -> Iterator[None]:
    """Removes those hooks that transformers installs meanwhile."""
    before = {key for module in model.modules() for key in module._forward_hooks}
    installed = {id(module) for module in model.modules() if INSTALLED in module.__dict__}
    try:
        yield
    finally:
        for module in model.modules():
            if id(module) not in installed:
                module.__dict__.pop(INSTALLED, None)
            for key, hook in list(module._forward_hooks.items()):
                if key not in before and _records(hook):
                    del module._forward_hooks[key]


def _records(hook: Any) -> bool:
    return getattr(hook, "__module__", None) == RECORDING
