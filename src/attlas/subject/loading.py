"""Where subjects come from: the embedded default, a folder, the hub, an object in memory."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

import torch
from torch import nn

from attlas.errors import AttlasError
from attlas.subject.smaller import KEPT, load_smaller
from attlas.subject.subject import Subject

MINI = "mini"
#: what may be left to chance: every weight, or all but the tables of embeddings
Initialise = Literal["random", "embeddings"]
INITIALISE: tuple[Initialise, ...] = get_args(Initialise)
DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


@dataclass(frozen=True)
class Origin:
    """How a subject was loaded: another process loads the same one from this."""

    model: str
    device: str | None
    dtype: str
    trust_remote_code: bool
    initialise: Initialise | None = None

    def load(self) -> Subject:
        return load(
            self.model,
            device=self.device,
            dtype=self.dtype,
            trust_remote_code=self.trust_remote_code,
            initialise=self.initialise,
        )


def load(
    model: str | Path | nn.Module | Subject = MINI,
    tokenizer: Any = None,
    *,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    initialise: Initialise | None = None,
) -> Subject:
    """The subject to study.

    `model` is the embedded `mini`, a folder that transformers saved, a name on the hub, or a model already in
    memory (then give its tokenizer, if it has one); a subject is given back. Weights are read from
    safetensors only, and code that comes with a model runs only if `trust_remote_code` is given. `initialise`
    gives the same architecture with weights at random, always the same ones: all of them (`random`), or all
    but the tables of embeddings (`embeddings`), as a control for what a model has learned.
    """
    if initialise not in (None, *INITIALISE):
        raise AttlasError(
            f"a model cannot be initialised as {initialise!r}: choose one of {', '.join(INITIALISE)}"
        )
    if isinstance(model, Subject):
        return model if initialise is None else load(model.model, model.tokenizer, initialise=initialise)
    if isinstance(model, nn.Module):
        model = model if initialise is None else _initialised(model, initialise)
        name = getattr(model.config, "_name_or_path", "") or type(model).__name__
        return Subject(model if device is None else _on(model, device), tokenizer, name)
    if dtype not in DTYPES:
        raise AttlasError(f"there is no dtype {dtype!r}: choose one of {', '.join(DTYPES)}")
    name = str(model)
    path = str(files("attlas") / "data" / "mini") if name == MINI else name
    if Path(path).is_dir():
        _check_folder(Path(path))
    elif Path(path).exists():
        raise AttlasError(f"{name} is a file: a model is a folder with config.json and model.safetensors")
    elif not _can_be_had(path):
        raise AttlasError(
            f"{name} is not a folder here, and there is no network to fetch it from the hub; "
            f"`{MINI}` is always there"
        )
    with _no_bars():
        module = _pretrained(path, name, DTYPES[dtype], trust_remote_code)
    if initialise is not None:
        module = _initialised(module, initialise)
        name = f"{name} ({'random but for its embeddings' if initialise == 'embeddings' else 'random'})"
    origin = Origin(path, device, dtype, trust_remote_code, initialise) if tokenizer is None else None
    return Subject(_on(module, device), tokenizer or _tokenizer(path, trust_remote_code), name, origin)


def _initialised(model: nn.Module, initialise: Initialise) -> nn.Module:
    """Another model of the same configuration, as its class makes it before training."""
    made: Any = type(model)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        fresh: nn.Module = made(model.config)
    if initialise == "embeddings":
        tables = {name: m for name, m in model.named_modules() if isinstance(m, nn.Embedding)}
        for name, module in fresh.named_modules():
            if name in tables:
                module.load_state_dict(tables[name].state_dict())
    return fresh.to(next(model.parameters()).dtype)


def _on(model: nn.Module, device: str | None) -> nn.Module:
    if str(device).startswith("meta"):
        raise AttlasError("the device 'meta' holds no numbers: choose cpu or cuda")
    try:
        return model.to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    except (RuntimeError, AssertionError) as error:
        raise AttlasError(f"there is no device {device!r} here ({_first_line(error)})") from error


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


def _check_folder(folder: Path) -> None:
    config = folder / "config.json"
    if not config.is_file():
        raise AttlasError(
            f"{folder} is not a model: it has no config.json (transformers' save_pretrained writes one)"
        )
    try:
        if not isinstance(json.loads(config.read_text(encoding="utf-8")), dict):
            raise ValueError("it is not a JSON object")
    except (OSError, ValueError) as error:
        raise AttlasError(f"{config} cannot be read as JSON: {error}") from error
    if not any(folder.glob("*.safetensors")):
        raise AttlasError(f"{folder} has no *.safetensors: Attlas reads weights from safetensors only")


def _pretrained(path: str, name: str, dtype: torch.dtype, trust_remote_code: bool) -> nn.Module:
    import transformers
    from safetensors import SafetensorError

    options: dict[str, Any] = {"dtype": dtype, "use_safetensors": True}
    try:
        config = transformers.AutoConfig.from_pretrained(path, trust_remote_code=trust_remote_code)
        config._attn_implementation_internal = None  # a config may name code on the hub
        # the class the weights were saved from has the language-model head that gradients need
        saved_as: Any = getattr(transformers, next(iter(config.architectures or []), ""), None)
        if not (isinstance(saved_as, type) and issubclass(saved_as, transformers.PreTrainedModel)):
            saved_as = transformers.AutoModel
            options["trust_remote_code"] = trust_remote_code
        if hasattr(config, KEPT):  # heads were taken out, and transformers has no way to say which
            return load_smaller(saved_as, Path(path), config, dtype)
        model, found = saved_as.from_pretrained(path, config=config, output_loading_info=True, **options)
        _check_complete(name, found)
        made: nn.Module = model
        return made
    except SafetensorError as error:
        raise AttlasError(f"the weights of {name} cannot be read: {error}") from error
    except AttlasError:
        raise
    except Exception as error:  # a config can be wrong in as many ways as transformers has lines
        if Path(path).is_dir():
            raise AttlasError(f"{name} cannot be loaded: {_first_line(error)}") from error
        raise AttlasError(
            f"{name} is neither a folder here nor a model that could be fetched from the hub "
            f"({_first_line(error)}); `{MINI}` is always there"
        ) from error


def _check_complete(name: str, found: Any) -> None:
    """Weights that the files lack are filled at random: an atlas of noise. A new head on top does no harm."""
    wrong = [key for key, *_ in found.get("mismatched_keys", ())]
    layers = [key for key in found.get("missing_keys", ()) if re.search(r"\d", key)]
    if unfit := [*wrong, *layers]:
        raise AttlasError(f"the weights of {name} do not fit its config.json: see {unfit[0]}")


def _tokenizer(path: str, trust_remote_code: bool) -> Any:
    """The model's tokenizer, or None for models that come with none."""
    import transformers

    folder = Path(path)
    files = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model", "*.spm", "*.tiktoken", "*.vocab")
    if folder.is_dir() and not any(any(folder.glob(name)) for name in files):
        return None  # transformers would make up an empty one
    try:
        return transformers.AutoTokenizer.from_pretrained(path, trust_remote_code=trust_remote_code)
    except Exception as error:
        if folder.is_dir():
            raise AttlasError(f"the tokenizer of {path} cannot be read: {_first_line(error)}") from error
        return None


@contextlib.contextmanager
def _no_bars() -> Iterator[None]:
    """transformers draws a progress bar while it loads; a library should not."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0] or type(error).__name__
