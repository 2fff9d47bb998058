"""The survey: one small forward pass that finds every attention call of a model and its address.

Nothing is guessed from module names. The encoder is given 6 tokens and the decoder 4, so the shape of a call
tells self-attention from cross attention; whether a row may look ahead tells decoders from encoders.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface, masking_utils

from attlas.address import KINDS, Head, Kind
from attlas.errors import AttlasError
from attlas.subject.image_inputs import reads_images, small_images
from attlas.subject.implementation import PACKED, attending, removing_recording_hooks, returned_attentions
from attlas.subject.sharing import in_this_thread
from attlas.subject.weights import home_of
from attlas.tap.call import Call
from attlas.tap.making_masks import as_mask

ENCODER_TOKENS, DECODER_TOKENS = 6, 4
SOUND = ("input_features", "input_values")  # what models that read sound call it
_NAMES = "attlas-survey", f"attlas-survey{PACKED}"
_ONE_AT_A_TIME = threading.RLock()  # the name is known to the whole process, and models may be shared


@dataclass(frozen=True)
class Survey:
    heads: tuple[Head, ...]
    addresses: dict[tuple[nn.Module, int], tuple[Kind, int]]
    interface: bool  # False: the weights come from what the model returns
    length: int  # positions of the first call, for inputs that are not token ids
    calls: list[Any]  # in order: what told one from another
    repeated: frozenset[tuple[nn.Module, int]] = frozenset()  # calls with the weights of the one before
    without_attention: dict[int, str] = field(default_factory=dict)  # layer -> what it has instead


@dataclass(frozen=True)
class _SeenCall:
    module: nn.Module
    occurrence: int
    heads: int
    queries: int
    keys: int
    looks_ahead: bool
    again: bool  # the queries and keys of the call before, with other values (DiffLlama)
    block: int | None  # of the model's layers, the one that was running


def survey(model: nn.Module, name: str, images: bool = False) -> Survey:
    """Survey a model: with `images`, also of what reads them."""
    seen = _survey_text(model, name)
    return _with_vision(seen, model, name) if images else seen


def _with_vision(seen: Survey, model: Any, name: str) -> Survey:
    """The layers that patches of an image attend in, in the order of their calls."""
    if not reads_images(model):
        raise AttlasError(f"{name} ({type(model).__name__}) does not read images with its text")
    if not seen.interface:
        raise AttlasError(f"{name} does not use transformers' attention interface: images cannot be observed")
    for inputs in small_images(model):
        try:
            calls = _watch_calls(model, name, inputs, model.get_image_features)
        except AttlasError as error:
            failed = error
            continue
        # what asks patches for a summary has queries of its own, and is left alone
        of_patches = [call for call in calls if call.queries == call.keys]
        addresses: dict[tuple[nn.Module, int], tuple[Kind, int]] = {
            (call.module, call.occurrence): ("vision", layer) for layer, call in enumerate(of_patches)
        }
        heads = [Head("vision", layer, h) for layer, call in enumerate(of_patches) for h in range(call.heads)]
        return replace(seen, heads=(*seen.heads, *heads), addresses=seen.addresses | addresses)
    raise failed


def _survey_text(model: nn.Module, name: str) -> Survey:
    inputs = _small_inputs(model, name)
    calls = _watch_calls(model, name, inputs)
    if not calls:
        return _survey_returned(model, name, inputs)
    encoder_decoder = bool(getattr(model.config, "is_encoder_decoder", False))
    addresses: dict[tuple[nn.Module, int], tuple[Kind, int]] = {}
    heads: list[Head] = []
    order: Counter[Kind] = Counter()
    for call in calls:
        kind = _kind(call, encoder_decoder)
        if call.again:
            addresses[call.module, call.occurrence] = kind, order[kind] - 1
            continue
        # hybrid models have layers without attention
        layer = max(order[kind], _number(call))
        order[kind] = layer + 1
        addresses[call.module, call.occurrence] = kind, layer
        heads += [Head(kind, layer, h) for h in range(call.heads)]
    heads.sort(key=_reading_order)
    repeated = frozenset((call.module, call.occurrence) for call in calls if call.again)
    attending = {head.layer for head in heads}
    rest = {n: what for n, what in _layers(model).items() if n not in attending}
    return Survey(tuple(heads), addresses, True, calls[0].queries, calls, repeated, rest)


def _number(call: _SeenCall) -> int:
    """The number of a call's layer, as the model counts them; -1 where the model does not say. A module that
    is called again and again (ALBERT, Zamba) says that of the first call, if any."""
    index = getattr(call.module, "layer_idx", None)
    if isinstance(index, int) and index >= 0 and call.occurrence == 0:
        return index
    return -1 if call.block is None else call.block


def _blocks(model: nn.Module) -> dict[nn.Module, int]:
    """The layers of a decoder, numbered: the first list of modules that has as many as its config says."""
    config: Any = getattr(model.config, "text_config", model.config)
    count = getattr(config, "num_hidden_layers", None)
    lists = (m for m in model.modules() if isinstance(m, nn.ModuleList) and len(m) == count)
    return {block: number for number, block in enumerate(next(lists, ()))}


def _layers(model: nn.Module) -> dict[int, str]:
    """What each layer is, in the config's word for it, or by its class."""
    config: Any = getattr(model.config, "text_config", model.config)
    names = getattr(config, "layer_types", None) or getattr(config, "layers_block_type", None) or ()
    blocks = _blocks(model)
    if len(names) != len(blocks):
        names = [type(block).__name__ for block in blocks]
    return dict(enumerate(names)) if not getattr(config, "is_encoder_decoder", False) else {}


def attends_alike(whole: Survey, model: nn.Module, part: nn.Module, name: str) -> bool:
    """Whether a part of the model, run alone on the same inputs, makes the attention calls of the whole."""
    inputs = _small_inputs(model, name)
    try:
        calls = _watch_calls(part, name, inputs)
        return (calls if calls or whole.interface else _returned_shapes(part, inputs)) == whole.calls
    except (AttlasError, TypeError):  # it takes other inputs
        return False


def _kind(call: _SeenCall, encoder_decoder: bool) -> Kind:
    if encoder_decoder:
        if call.queries != call.keys:
            return "cross"
        return "encoder" if call.queries != DECODER_TOKENS else "decoder"
    return "encoder" if call.looks_ahead else "decoder"


def _reading_order(head: Head) -> tuple[int, int, int]:
    return KINDS.index(head.kind), head.layer, head.head


def _watch_calls(
    model: nn.Module, name: str, inputs: dict[str, Tensor], run: Callable[..., Any] | None = None
) -> list[_SeenCall]:
    """Every attention call while the model, or what `run` runs of it, reads the inputs."""
    calls: list[_SeenCall] = []
    times: Counter[nn.Module] = Counter()
    last: list[Tensor] = []
    blocks = _blocks(model)
    running: list[nn.Module] = []

    def enter(block: nn.Module, _: Any) -> None:
        running[:] = [block]

    def attend(
        module: nn.Module,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attention_mask: Any,
        scaling: float | None = None,
        is_causal: bool | None = None,
        position_bias: Tensor | None = None,
        **_: Any,
    ) -> tuple[Tensor, None]:
        causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
        mask = as_mask(attention_mask, query, key, causal)
        first_row = mask.allowed(0, 1)
        ahead = key.shape[2] > 1 and (first_row is None or bool(first_row[..., 0, 1:].any()))
        again = bool(last) and query is last[0] and key is last[1]
        last[:] = query, key
        block = next((blocks[b] for b in running if any(module is part for part in b.modules())), None)
        shape = query.shape[1], query.shape[2], key.shape[2]
        calls.append(_SeenCall(module, times[module], *shape, ahead, again, block))
        times[module] += 1
        scaling = query.shape[-1] ** -0.5 if scaling is None else scaling
        call = Call("encoder", 0, query, key, value, mask, scaling, bias=position_bias)
        return call.mix(call.weights()).transpose(1, 2).contiguous(), None

    with _ONE_AT_A_TIME:
        for registered in _NAMES:
            AttentionInterface.register(registered, attend)
            # an ordinary mask: models outside the interface add it to their scores
            AttentionMaskInterface.register(registered, masking_utils.eager_mask)
        hooks = [block.register_forward_pre_hook(in_this_thread(enter)) for block in blocks]
        try:
            with attending(model, *_NAMES), torch.no_grad():
                (run or model)(**inputs)
        except AttlasError:
            raise
        except Exception as error:
            raise AttlasError(
                f"{name} ({type(model).__name__}) cannot be run on {' and '.join(inputs)} alone: "
                f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"
            ) from error
        finally:
            for hook in hooks:
                hook.remove()
            for registered in _NAMES:
                AttentionInterface._global_mapping.pop(registered)
                AttentionMaskInterface._global_mapping.pop(registered)
    return calls


def _survey_returned(model: nn.Module, name: str, inputs: dict[str, Tensor]) -> Survey:
    """Models outside the interface (MPNet, DeBERTa-v2, XLNet, ...): what do they return?"""
    returned = _returned_shapes(model, inputs)
    heads = [Head(kind, layer, h) for kind, layer, shape in returned for h in range(shape[1])]
    if not heads:
        raise AttlasError(
            f"{name} ({type(model).__name__}) shows no attention weights: it does not use transformers' "
            "attention interface and returns none (state-space models and linear attention have none)"
        )
    return Survey(tuple(heads), {}, False, 0, returned)


def _returned_shapes(model: nn.Module, inputs: dict[str, Tensor]) -> list[tuple[Kind, int, torch.Size]]:
    # what Falcon returns otherwise is not masked: its scores want a mask that can be added
    with _ONE_AT_A_TIME, attending(model, "eager"), removing_recording_hooks(model), torch.no_grad():
        output = model(**inputs, output_attentions=True)
    # what RWKV returns under that name are no weights
    returned = [seen for seen in returned_attentions(output) if _are_weights(seen[2])]
    return [(kind, layer, weights.shape) for kind, layer, weights in returned]


def _are_weights(returned: Any) -> bool:
    return (
        isinstance(returned, Tensor)
        and returned.ndim == 4
        and bool((returned >= 0).all())
        and bool((returned.float() <= 1.001).all())
    )


def _small_inputs(model: nn.Module, name: str) -> dict[str, Tensor]:
    whole: Any = model.config
    config = getattr(whole, "text_config", whole)
    device = home_of(model)
    main = getattr(model, "main_input_name", "input_ids")
    if main == "input_ids":
        # plain ids from the middle of the vocabulary: special ones may mean images or padding
        middle = int(config.vocab_size) // 2
        ids = torch.arange(ENCODER_TOKENS, device=device)[None] % (config.vocab_size - middle) + middle
        inputs = {"input_ids": ids}
        if getattr(whole, "is_encoder_decoder", False):
            inputs["decoder_input_ids"] = ids[:, :DECODER_TOKENS]
        return inputs
    if main == "pixel_values":
        vision = getattr(whole, "vision_config", whole)
        size = vision.image_size
        height, width = (size, size) if isinstance(size, int) else size
        channels = getattr(vision, "num_channels", 3)
        return {main: torch.zeros(1, channels, height, width, device=device)}
    if main in SOUND:
        return _small_sound(model, main, device)
    raise AttlasError(f"{name} takes {main}: Attlas knows models that take text, images or sound")


def _small_sound(model: Any, main: str, device: torch.device) -> dict[str, Tensor]:
    config = model.config
    if main == "input_values":  # samples: enough for a few positions
        strides = math.prod(getattr(config, "conv_stride", (320,)))
        return {main: torch.zeros(1, (ENCODER_TOKENS + 1) * strides, device=device)}
    frames = getattr(config, "max_source_positions", ENCODER_TOKENS)  # Whisper reads as many, always
    bands = int(getattr(config, "num_mel_bins", 0) or getattr(config, "input_feat_per_channel", 80))
    wide = main == "input_features" and hasattr(config, "num_mel_bins")
    inputs = {main: torch.zeros(1, bands, 2 * frames) if wide else torch.zeros(1, 4 * ENCODER_TOKENS, bands)}
    if getattr(config, "is_encoder_decoder", False):
        inputs["decoder_input_ids"] = torch.arange(DECODER_TOKENS)[None] + config.vocab_size // 2
    return {name: tensor.to(device) for name, tensor in inputs.items()}
