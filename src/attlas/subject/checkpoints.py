"""Models as files: folders that transformers saved, and GGUF files. Everything is read by transformers' own
loaders, and nothing that is read may run code of its own."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import re
import shutil
import struct
import tempfile
import threading
import warnings
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import nn

from attlas.errors import AttlasError, option
from attlas.subject.model_files import is_gguf, only_pickles
from attlas.subject.projections import KEPT, load_smaller
from attlas.subject.quantised import is_quantised, reading_gguf

#: what a tokenizer is saved as; where a folder has none of these, transformers would make up an empty one
TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model", "*.spm", "*.tiktoken", "*.vocab")
SPREAD = "auto"  # the device of a model that is spread over all there are, memory and disk
_CONVERT = "transformers' from_pretrained(FOLDER, weights_only=False) and save_pretrained(NEW) convert it"
#: transformers builds models under settings of the whole process (the default dtype, how weights begin)
ONE_AT_A_TIME = threading.RLock()
_REMOTE = "contains custom code"  # how transformers begins to say that it would have to run some


def read_model(
    path: str, name: str, dtype: torch.dtype, trust_remote_code: bool, placed: str | None = None
) -> nn.Module:
    """The model as the class that it was saved from, with its weights in `dtype`; without a head for
    predictions that the files have no weights for. `placed` is the device that it is read to, or `auto`,
    which spreads it over what there is; None: to memory."""
    from safetensors import SafetensorError

    os.environ.setdefault("DISABLE_SAFETENSORS_CONVERSION", "1")  # else transformers asks the hub for it
    try:
        with ONE_AT_A_TIME, no_bars(), no_reports(), warnings.catch_warnings():
            # on the way to an error of one line
            warnings.filterwarnings("ignore", "Detected pickle protocol", UserWarning)
            _refuse_whole_numbers(Path(path))
            return _read(path, name, dtype, trust_remote_code, placed)
    except AttlasError:
        raise
    except SafetensorError as error:
        raise AttlasError(f"the weights of {name} cannot be read: {error}") from error
    except Exception as error:  # a config can be wrong in as many ways as transformers has lines
        raise _in_words(error, path, name) from error


def read_tokenizer(path: str, trust_remote_code: bool) -> Any:
    """The model's tokenizer, or None for models that come with none."""
    import transformers

    local = Path(path)
    if local.is_dir() and not any(any(local.glob(name)) for name in TOKENIZERS):
        return None
    where, options = _place(path)
    try:
        with no_bars():
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                where, trust_remote_code=trust_remote_code, **options
            )
        return _usable(tokenizer)
    except Exception as error:
        if not local.exists():
            return None
        if _REMOTE in str(error):
            raise _custom_code(f"the tokenizer of {path}") from error
        if (any(local.glob("*.spm")) or any(local.glob("*.model"))) and find_spec("sentencepiece") is None:
            raise AttlasError(
                f"the tokenizer of {path} needs sentencepiece: pip install sentencepiece"
            ) from error
        raise AttlasError(f"the tokenizer of {path} cannot be read: {first_line(error)}") from error


def _usable(tokenizer: Any) -> Any:
    """The tokenizer, if it can cut a text: files may hold anything under the names of its settings."""
    longest = tokenizer.model_max_length
    if isinstance(longest, bool) or not isinstance(longest, int | float) or not longest >= 1:
        raise ValueError(f"its model_max_length is {str(longest)[:40]!r}, and should be a number of tokens")
    tokenizer("a")
    return tokenizer


def read_processor(path: str, trust_remote_code: bool) -> Any:
    """What makes a model's inputs of texts and pictures; an error says why there is none."""
    import transformers

    try:
        with no_bars(), no_reports():
            processor = transformers.AutoProcessor.from_pretrained(path, trust_remote_code=trust_remote_code)
    except Exception as error:
        if _REMOTE in str(error):
            raise _custom_code(f"the processor of {path}") from error
        raise AttlasError(f"{path} has no processor that can read pictures: {first_line(error)}") from error
    if not hasattr(processor, "image_processor"):
        raise AttlasError(
            f"{path} has no processor that can read pictures: it needs preprocessor_config.json"
        )
    return processor


def stored_dtype(folder: str | Path) -> torch.dtype | None:
    """What the weights in a folder's safetensors are stored as; None where that is not one thing."""
    from safetensors import safe_open

    names: set[str] = set()
    for path in Path(folder).glob("*.safetensors"):
        with safe_open(path, "pt") as file:
            names |= {file.get_slice(name).get_dtype() for name in file.keys()}  # noqa: SIM118
    stored = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    return stored.get(names.pop()) if len(names) == 1 else None


def first_line(error: BaseException) -> str:
    """What an error says, in a line: what follows an announcement ("Validation error for field 'x':")."""
    lines = [line.strip() for line in str(error).strip().split("\n")]
    first = lines[1] if lines[0].endswith(":") and len(lines) > 1 else lines[0]
    return re.sub(r"^\w+Error: ", "", first) or type(error).__name__


def _place(path: str) -> tuple[str, dict[str, Any]]:
    """Where transformers looks, and the options that it needs."""
    return (
        (str(Path(path).absolute().parent), {"gguf_file": Path(path).name}) if is_gguf(path) else (path, {})
    )


def _read(
    path: str, name: str, dtype: torch.dtype, trust_remote_code: bool, placed: str | None = None
) -> nn.Module:
    import transformers

    where, options = _place(path)
    config = transformers.AutoConfig.from_pretrained(where, trust_remote_code=trust_remote_code, **options)
    if not trust_remote_code:
        _refuse_odd_parts(config, name)
    _forget_implementation(config)
    # what does not fit is named below: transformers would only say that something does not
    options |= {"dtype": dtype, "output_loading_info": True, "ignore_mismatched_sizes": True}
    if placed is not None:
        options["device_map"] = placed if placed == SPREAD else {"": placed}
        if placed == SPREAD:  # what fits nowhere else waits here
            options["offload_folder"] = tempfile.mkdtemp(prefix="attlas-offload-")
    if is_gguf(path):
        # it does not say what it was saved from: what writes has a language-model head that gradients need
        seq2seq = transformers.AutoModelForSeq2SeqLM
        reads_and_writes = type(config) in seq2seq._model_mapping
        classes = [seq2seq if reads_and_writes else transformers.AutoModelForCausalLM]
    else:
        options |= {"use_safetensors": not only_pickles(Path(path)), "weights_only": True}  # and no code
        classes = _declared_classes(config)
    base = transformers.AutoModel
    if hasattr(config, KEPT):  # heads were taken out, and transformers has no way to say which
        saved_as = classes[0] if classes else base._model_mapping[type(config)]
        model, lacking = load_smaller(saved_as, Path(path), config, dtype)
        return _without_pooler(model, lacking, name)
    for model_class in (*classes, base):
        trust = {"trust_remote_code": trust_remote_code} if model_class is base else {}
        reading = reading_gguf(trust_remote_code) if is_gguf(path) else contextlib.nullcontext[Any]({})
        with reading as unpacking:
            # with the config at hand: reading it out of the file once more takes as long as the weights
            model, info = model_class.from_pretrained(where, config=config, **options, **trust, **unpacking)
        lacking = _lacking(model, info, name)
        if not lacking:
            break
    if "offload_folder" in options:  # goes with the model, or at the end
        weakref.finalize(model, shutil.rmtree, options["offload_folder"], ignore_errors=True)
    return _without_pooler(model, lacking, name)


def _refuse_odd_parts(config: Any, name: str) -> None:
    """Refuse the config of a part of a model where the model has no such part: nobody has read it."""
    import transformers

    for part in ("text_config", "vision_config"):
        inner = getattr(config, part, None)
        if inner is not None and not isinstance(inner, transformers.PretrainedConfig):
            raise AttlasError(
                f"{name} cannot be loaded: its config.json has a {part}, which no model of type "
                f"{config.model_type} has"
            )


def _forget_implementation(config: Any) -> None:
    """Forget how attention is to be computed: a config, and each of those in it, may name code on the hub."""
    import transformers

    config._attn_implementation_internal = None
    for inner in vars(config).values():
        if isinstance(inner, transformers.PretrainedConfig):
            _forget_implementation(inner)


def _refuse_whole_numbers(folder: Path) -> None:
    """Refuse weights whose file calls them whole numbers, as it does those of quantised models alone: they
    would be taken for what they say they are."""
    from safetensors import safe_open

    if not folder.is_dir() or is_quantised(folder):
        return
    for path in folder.glob("*.safetensors"):
        with safe_open(path, "pt") as file:
            for name in file.keys():  # noqa: SIM118
                if name.endswith(".weight") and (kind := file.get_slice(name).get_dtype())[0] in "IU":
                    raise _unfit(str(folder), f"{name} is stored as {kind}, and the model is not quantised")


def _declared_classes(config: Any) -> list[Any]:
    """The class that the weights were saved from, which has the language-model head that gradients need; and
    where it has a second head, the one with that head alone."""
    import transformers

    declared = config.architectures
    first = declared[0] if isinstance(declared, list) and declared else ""
    first = first if isinstance(first, str) else ""
    names = dict.fromkeys((first, first.replace("ForPreTraining", "ForMaskedLM")))
    classes = [getattr(transformers, name, None) for name in names]
    return [c for c in classes if isinstance(c, type) and issubclass(c, transformers.PreTrainedModel)]


def _lacking(model: Any, info: Any, name: str) -> list[str]:
    """The weights that the files do not have, which transformers has filled at random: they may not be used.
    Weights of another size, and layers that the config does not have, are an error."""
    for weight, there, expected in sorted(info["mismatched_keys"]):
        raise _unfit(name, f"{weight} is {_size(there)}, and {_size(expected)} by the config")
    layers = {_numberless(weight) for weight in model.state_dict()}
    more = sorted(key for key in info["unexpected_keys"] if _numberless(key) in layers)
    # some come with a layer that predicts two tokens at once, which transformers leaves out
    if more and not getattr(model.config, "num_nextn_predict_layers", 0):
        raise _unfit(name, f"{more[0]} is of a layer that the config does not have")
    # buffers begin with a value that is always the same
    return sorted(info["missing_keys"] - {buffer for buffer, _ in model.named_buffers()})


def _without_pooler(model: Any, lacking: list[str], name: str) -> nn.Module:
    """The model, if it lacks nothing but what sums a text up, which transformers can leave out, too."""
    if other := [weight for weight in lacking if not weight.startswith("pooler.")]:
        raise _unfit(name, f"they lack {other[0]}")
    if lacking:
        model.pooler = None
    return model  # type: ignore[no-any-return]


def _unfit(name: str, why: str) -> AttlasError:
    return AttlasError(f"the weights of {name} do not fit its config.json: {why}")


def _numberless(weight: str) -> str:
    return re.sub(r"\b\d+\b", "#", weight)


def _size(shape: Sequence[int]) -> str:
    return " x ".join(map(str, shape))


def _in_words(error: Exception, path: str, name: str) -> AttlasError:
    """What went wrong in transformers, for somebody who does not know it from inside."""
    message = str(error)
    if _REMOTE in message:
        return _custom_code(name)
    broken = pickle.UnpicklingError, EOFError, struct.error
    if only_pickles(Path(path)) and (isinstance(error, broken) or "Weights only load failed" in message):
        return AttlasError(
            f"the weights of {name} are a pickle that is damaged, or holds more than tensors and could run "
            f"code; if you trust it, {_CONVERT}"
        )
    if "cannot be loaded with `safetensors`" in message:
        return AttlasError(f"{name} has no safetensors on the hub: {_CONVERT}")
    if is_gguf(path) and isinstance(error, struct.error | IndexError | ValueError):
        return AttlasError(f"{name} is damaged, or not a whole GGUF file: {first_line(error)}")
    if Path(path).exists():
        if isinstance(error, KeyError):
            return AttlasError(f"{name} cannot be loaded: its config.json names {error}, which is unknown")
        if isinstance(error, TypeError | AttributeError | ArithmeticError):
            return AttlasError(
                f"{name} cannot be loaded: its config.json has a value that a {_kind_of(path)} cannot be "
                "built with"
            )
        if "can't allocate memory" in message:
            return AttlasError(
                f"{name} cannot be loaded: with the sizes in its config.json, memory is too small"
            )
        return AttlasError(f"{name} cannot be loaded: {first_line(error)}")
    return AttlasError(
        f"{name} is neither a folder here nor a model that could be fetched from the hub "
        f"({first_line(error)}); `mini` is always there"
    )


def _kind_of(path: str) -> str:
    """What a folder's config.json says that the model is."""
    try:
        config = json.loads((Path(path) / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "model"
    return f"model of type {config.get('model_type')}"


def _custom_code(what: str) -> AttlasError:
    return AttlasError(
        f"{what} comes with code of its own, which would have to run: read it, and if you trust it, "
        f"give {option('trust_remote_code', True)}"
    )


@contextlib.contextmanager
def no_bars() -> Iterator[None]:
    """Show no progress bars meanwhile: transformers draws them while it reads, a library should not. The
    first thread of several takes them away, and the last one brings them back."""
    from transformers.utils import logging

    with _quiet.lock:
        if not _quiet.threads:
            _quiet.shown = logging.is_progress_bar_enabled()
            logging.disable_progress_bar()
        _quiet.threads += 1
    try:
        yield
    finally:
        with _quiet.lock:
            _quiet.threads -= 1
            if _quiet.shown and not _quiet.threads:
                logging.enable_progress_bar()


@dataclass
class _Quiet:
    """Who wants no bars of transformers' now, and whether there were any before."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    threads: int = 0
    shown: bool = True


_quiet = _Quiet()


@contextlib.contextmanager
def no_reports() -> Iterator[None]:
    """Silence transformers' lists of weights that are missing or left over: one line says what matters."""
    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(before)
