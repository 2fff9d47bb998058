"""Models that others have wrapped: adapters of peft (LoRA and its like), and compiled models.

A model with adapters is studied as the model that they make of it: they are merged into a copy, which shares
all weights that no adapter changes. So every number is that of the merged model, also where an analysis reads
weights.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import torch
from torch import nn

from attlas.errors import AttlasError
from attlas.extras import require

ADAPTER = "adapter_config.json"


def without_wrappers(model: nn.Module) -> nn.Module:
    """The model itself: of a compiled one, what was compiled; of one with adapters, a merged copy."""
    inner = getattr(model, "_orig_mod", model)
    return _merge_adapters(inner) if _has_adapters(inner) else inner


def is_adapter(folder: str | Path) -> bool:
    """Whether a folder holds adapters for another model, and not a model."""
    folder = Path(folder)
    return (folder / ADAPTER).is_file() and not (folder / "config.json").is_file()


def base_of(folder: Path) -> str:
    """The model that the adapters in a folder were trained on."""
    try:
        settings = json.loads((folder / ADAPTER).read_text(encoding="utf-8"))
        base = settings["base_model_name_or_path"]
        if not isinstance(base, str) or not base.strip() or "\0" in base:
            raise ValueError("it names no base model")
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        said = f"it lacks {error}" if isinstance(error, KeyError) else error
        raise AttlasError(f"{folder / ADAPTER} cannot be read: {said}") from error
    if settings.get("megatron_config") is not None:  # which names a module to import
        raise AttlasError(f"{folder / ADAPTER} is made for Megatron, which Attlas does not read")
    beside = folder / base
    return str(beside) if not Path(base).is_absolute() and (beside / "config.json").is_file() else base


def with_adapters(base: nn.Module, folder: Path) -> nn.Module:
    """The base model with the adapters of a folder merged into it."""
    require("peft", "a folder of adapters", "peft")
    from peft import PeftModel

    try:
        return _merge_adapters(PeftModel.from_pretrained(base, str(folder)), keep=False)
    except AttlasError:
        raise
    except Exception as error:  # a config can be wrong in as many ways as peft has lines
        said = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise AttlasError(f"the adapters in {folder} cannot be read: {said[:300]}") from error


def _has_adapters(model: nn.Module) -> bool:
    return any(type(module).__module__.partition(".")[0] == "peft" for module in model.modules())


def _merge_adapters(model: Any, keep: bool = True) -> nn.Module:
    """The model with its active adapters merged; `keep` leaves the one that was given as it is."""
    from peft import PeftModel
    from peft.tuners.tuners_utils import BaseTunerLayer

    if not isinstance(model, PeftModel):
        raise AttlasError(
            f"{type(model).__name__} has adapters that transformers loaded: give the model as peft wraps it "
            "(peft.PeftModel.from_pretrained), or the folder of the adapters"
        )
    settings = model.active_peft_config
    if settings.is_prompt_learning:
        raise AttlasError(
            f"{settings.peft_type.value} adds tokens or keys in front of a text, which no model without it "
            "has: only adapters that change weights are studied"
        )
    if keep:
        changed = {
            id(parameter)
            for module in model.modules()
            if isinstance(module, BaseTunerLayer)
            for parameter in module.parameters()
        }
        shared = {id(p): p for p in model.parameters() if id(p) not in changed}
        modes = {name: module.training for name, module in model.get_base_model().named_modules()}
        model = copy.deepcopy(model, dict[int, Any](shared))
    else:
        modes = {}
    with torch.no_grad():
        merged: nn.Module = model.merge_and_unload(safe_merge=True)
    for name, module in merged.named_modules():
        module.training = modes.get(name, False)
    return merged.requires_grad_(True) if not keep else merged
