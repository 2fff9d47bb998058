"""Where subjects come from: the embedded default, a folder, the hub, an object in memory, which another
library may have wrapped."""

from __future__ import annotations

import os
import socket
from copy import deepcopy
from dataclasses import dataclass, replace
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import torch
import transformers
from torch import nn

from attlas.corpora.recording import is_recording
from attlas.errors import AttlasError, option, printable
from attlas.extras import install_command
from attlas.progress import tell
from attlas.subject.adapters import base_of, is_adapter, with_adapters, without_wrappers
from attlas.subject.checkpoints import (
    SPREAD,
    first_line,
    read_model,
    read_processor,
    read_tokenizer,
)
from attlas.subject.model_files import check_model, is_gguf
from attlas.subject.quantised import is_quantised, quantised_by
from attlas.subject.recorded import load_recording
from attlas.subject.subject import Subject
from attlas.subject.untrained import INITIALISE, Initialise, initialise_model

#: package -> the attribute of its objects that holds transformers' own model
_WRAPPERS = {"transformers": "model", "nnsight": "_module", "transformer_lens": "original_model"}
#: where each module that TransformerLens puts into a model keeps the one that was there
_BRIDGED = "_original_component."


def unwrap_model(model: Any, tokenizer: Any) -> tuple[Any, Any]:
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


MINI = "mini"
DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


@dataclass(frozen=True)
class Origin:
    """How a subject was loaded, in the words of `load`: another process loads the same one from this."""

    model: str
    device: str | None
    dtype: str
    trust_remote_code: bool
    initialise: Initialise | None = None
    images: bool = False
    initial_seed: int = 0

    def load(self) -> Subject:
        return load(**vars(self))


def load(
    model: str | Path | nn.Module | Subject = MINI,
    tokenizer: Any = None,
    *,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    initialise: Initialise | None = None,
    images: bool = False,
    initial_seed: int = 0,
) -> Subject:
    """The subject to study.

    `model` is the embedded `mini`, a folder that transformers saved, a GGUF file, a name on the hub, a
    model already in memory (then give its tokenizer, if it has one), or attention that was recorded
    (`attlas.corpora.recording`); a subject is given back. Weights are
    read from safetensors; where a folder has none, from a pickle of nothing but tensors. Code that comes with
    a model runs only if `trust_remote_code` is given. `initialise` gives the same architecture with weights
    at random, which `initial_seed` draws: all of them (`random`), or all but the tables of embeddings
    (`embeddings`), as a control for what a model has learned. With `images`, the model reads pictures with
    its text: what reads them has heads, too.
    """
    if initialise not in (None, *INITIALISE):
        raise AttlasError(
            f"a model cannot be initialised as {initialise!r}: choose one of {', '.join(INITIALISE)}"
        )
    if isinstance(model, Subject) and images and not model.images:
        return _with_images(model)
    if isinstance(model, Subject):
        if initialise is None:
            return model
        return load(model.model, model.tokenizer, initialise=initialise, initial_seed=initial_seed)
    model, tokenizer = unwrap_model(model, tokenizer)
    if isinstance(model, nn.Module):
        model = without_wrappers(model)
        model = model if initialise is None else initialise_model(model, initialise, initial_seed)
        if not hasattr(model, "config"):
            raise AttlasError(f"{type(model).__name__} is not a model of transformers: it has no config")
        name = getattr(model.config, "_name_or_path", "") or type(model).__name__
        on_device = model if device is None else _on(model, device)
        processor = tokenizer if hasattr(tokenizer, "image_processor") else None
        tokenizer = getattr(tokenizer, "tokenizer", tokenizer)  # a processor has one
        return Subject(on_device, tokenizer, name, processor=processor, images=images)
    if not isinstance(model, str | Path) or not str(model).strip():
        raise AttlasError(f"a model is a name, a folder, a file, or a module of PyTorch, not {model!r}"[:200])
    if device is not None and not device.strip():
        raise AttlasError(f"{option('device')} is empty: choose cpu or cuda, or leave it out")
    if dtype not in DTYPES:
        raise AttlasError(f"there is no dtype {dtype!r}: choose one of {', '.join(DTYPES)}")
    name = str(model)
    path = str(files("attlas") / "data" / "mini") if name == MINI else name
    if is_recording(path):
        if tokenizer is not None or initialise is not None:
            raise AttlasError(f"{name} is recorded attention: it has tokens of its own, and no weights")
        return load_recording(path, name, device or "cpu")
    adapters = Path(path) if is_adapter(path) else None
    if adapters is not None:
        path = base_of(adapters)
    if Path(path).exists():
        check_model(Path(path), name if adapters is None else path)
    elif is_gguf(path):
        raise AttlasError(f"{name}: no such file")
    elif not _can_be_had(path):
        raise AttlasError(
            f"{name} is not a folder here, and there is no network to fetch it from the hub; "
            f"`{MINI}` needs no network"
        )
    unpacking = ": its weights are unpacked, which takes a while" if is_gguf(path) else ""
    tell(f"loading {printable(Path(name).name)}{unpacking}")
    placed = _place_for(path, device)
    module = read_model(path, name, DTYPES[dtype], trust_remote_code, placed)
    if adapters is not None:
        module = with_adapters(module, adapters)
    if initialise is not None:
        module = initialise_model(module, initialise, initial_seed)
        name = f"{name} ({'random but for its embeddings' if initialise == 'embeddings' else 'random'})"
    origin = (
        Origin(str(adapters or path), device, dtype, trust_remote_code, initialise, images, initial_seed)
        if tokenizer is None
        else None
    )
    processor = read_processor(path, trust_remote_code) if images else None
    if adapters is not None and tokenizer is None:
        tokenizer = read_tokenizer(str(adapters), trust_remote_code)
    tokenizer = tokenizer or read_tokenizer(path, trust_remote_code)
    module = module if placed is not None else _on(module, device)
    return Subject(module, tokenizer, name, origin, processor, images)


def _place_for(path: str, device: str | None) -> str | None:
    """Where transformers is to put the model while it reads it; None where it is moved later."""
    if device != SPREAD and not is_quantised(path):
        return None
    if find_spec("accelerate") is None:
        raise AttlasError(
            "to load a quantised model, or one that is spread over devices, install accelerate: "
            f"{install_command('gguf')}"
        )
    return device or ("cuda:0" if torch.cuda.is_available() else "cpu")


def _with_images(subject: Subject) -> Subject:
    """The same model, reading pictures with its text."""
    origin = None if subject.origin is None else replace(subject.origin, images=True)
    processor = subject.processor
    if processor is None and origin is not None:
        processor = read_processor(origin.model, origin.trust_remote_code)
    return Subject(subject.model, subject.tokenizer, subject.name, origin, processor, images=True)


def _on(model: nn.Module, device: str | None) -> nn.Module:
    if str(device).startswith("meta"):
        raise AttlasError("the device 'meta' holds no numbers: choose cpu or cuda")
    if quantised_by(model) is not None:  # transformers has put it on a device, and it may not be moved
        return model
    try:
        return model.to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    except (RuntimeError, AssertionError) as error:
        raise AttlasError(f"there is no device {device!r} here ({first_line(error)})") from error


def _can_be_had(name: str) -> bool:
    """Whether a model is in the hub's cache or the hub can be reached: asking it takes many retries."""
    from huggingface_hub import constants, try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        if isinstance(try_to_load_from_cache(name, "config.json"), str):
            return True
    except HFValidationError:
        raise AttlasError(f"{name} is neither a folder here nor a name on the hub (OWNER/MODEL)") from None
    if constants.HF_HUB_OFFLINE:
        return False
    if any(os.environ.get(v) for v in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")):
        return True  # then the proxy looks names up
    try:
        socket.getaddrinfo(urlsplit(constants.ENDPOINT).hostname, 443)
    except OSError:
        return False
    return True
