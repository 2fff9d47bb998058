"""Models of transformers inside what wraps them: pipelines, nnsight, bridges of TransformerLens."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import transformers
from torch import nn

from attlas.errors import AttlasError

#: package -> the attribute of its objects that holds transformers' own model
_WRAPPERS = {"transformers": "model", "nnsight": "_module", "transformer_lens": "original_model"}
#: where each module that TransformerLens puts into a model keeps the one that was there
_BRIDGED = "_original_component."


def unwrapped(model: Any, tokenizer: Any) -> tuple[Any, Any]:
    """The model and tokenizer inside a pipeline of transformers, a model of nnsight or a bridge of
    TransformerLens; anything else unmodified."""
    if isinstance(model, transformers.PreTrainedModel | str | Path):
        return model, tokenizer
    packages = {kind.__module__.partition(".")[0] for kind in type(model).__mro__}
    if "peft" in packages:  # its models have a parent in transformers, and a `model` that is not all of them
        return model, tokenizer
    for package in packages & _WRAPPERS.keys():
        inner = getattr(model, _WRAPPERS[package], None)
        if isinstance(inner, nn.Module):
            if package == "transformer_lens":
                inner = _without_bridges(inner, model)
            return inner, tokenizer or getattr(model, "tokenizer", None)
    if "transformer_lens" in packages:
        raise AttlasError(
            "a HookedTransformer has weights of its own: give a TransformerBridge (boot_transformers), "
            "or the model of transformers"
        )
    return model, tokenizer


def _without_bridges(bridged: Any, bridge: Any) -> Any:
    """A bridge computes attention in modules of its own, where nothing else sees it. This is the model as it
    was before: built anew, with the same tensors as weights."""
    if getattr(bridge, "compatibility_mode", False):
        raise AttlasError(
            "this bridge is in compatibility mode, which changes the weights: give it before "
            "enable_compatibility_mode()"
        )
    config = deepcopy(bridged.config)
    config._attn_implementation = None  # the bridge sets eager; this model chooses for itself
    plain = type(bridged)(config)
    kept = {name.replace(_BRIDGED, ""): tensor for name, tensor in bridged.state_dict().items()}
    missing = [name for name in plain.state_dict() if name not in kept]
    if missing:
        raise AttlasError(
            f"the bridge has no weight {missing[0]}: give the model of transformers that it was made of"
        )
    plain.load_state_dict({name: kept[name] for name in plain.state_dict()}, assign=True)
    plain.tie_weights()
    return plain.train(bridged.training)
