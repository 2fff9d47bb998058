"""A model's weights: where they lie, how many tokens fit beside them, and their fingerprint."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from torch import Tensor, nn

from attlas.corpora.batches import TOKENS_IN_A_BATCH
from attlas.subject.quantised import bytes_of, parts_of

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
    """The hooks that accelerate put on a module."""
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


PIECE = 2**24  # bytes that are hashed together


def fingerprint_of(model: nn.Module) -> str:
    """The hash by which runs, atlases and trained probes know a model again. Equal weights give the same one,
    wherever they came from and lie; any other weight gives another.

    A tensor of more than a piece goes in by the hashes of its pieces, which threads take side by side: one
    core hashes about a gigabyte a second.
    """
    digest = hashlib.sha256()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for name, tensor in weights_of(model):
            digest.update(name.encode())
            for part in parts_of(tensor.detach()):
                pieces = list(_pieces(part))
                if len(pieces) == 1:
                    digest.update(_bytes(pieces[0]))
                    continue
                for piece in threads.map(_hash_of, pieces):
                    digest.update(piece)
    return digest.hexdigest()


def _pieces(tensor: Tensor) -> Iterator[Tensor]:
    """The tensor's numbers in order, in pieces that are copied only when they are read."""
    flat = tensor.contiguous().flatten()
    numbers = PIECE // flat.element_size()
    for start in range(0, max(1, len(flat)), numbers):
        yield flat[start : start + numbers]


def _hash_of(piece: Tensor) -> bytes:
    return hashlib.sha256(_bytes(piece)).digest()


def _bytes(piece: Tensor) -> Any:
    if piece.is_cuda:  # to pinned memory, which is several times as fast
        piece = torch.empty_like(piece, device="cpu", pin_memory=True).copy_(piece)
    return piece.cpu().view(torch.uint8).numpy()


SHARE = 0.5  # of the memory that is free: the other half is for statistics, and for what is not foreseen
HELD_ON_A_CPU = 2**30  # bytes that wait for a backward pass, about


def batch_tokens(model: nn.Module, devices: tuple[torch.device, ...], layers: int = 0) -> int:
    """How many tokens a batch has, padding included, where nobody says: as many as suit the device, and fit
    beside the weights. `layers` as in `bytes_of_a_token`."""
    if devices[0].type == "cuda":
        free = min(_free(device) for device in devices if device.type == "cuda")
        fit = free * SHARE / bytes_of_a_token(model, layers)
        return max(1, min(TOKENS_IN_A_BATCH["cuda"], int(fit)))
    if not layers:
        return TOKENS_IN_A_BATCH["cpu"]
    return max(1, min(TOKENS_IN_A_BATCH["cpu"], HELD_ON_A_CPU // bytes_of_a_token(model, layers)))


def bytes_of_a_token(model: nn.Module, layers: int = 0) -> int:
    """What a forward pass holds for a token at once, generously: some vectors of the model's width, some of
    its widest layer's, and the prediction, with a copy in float32 for a loss. Where a loss is differentiated,
    the vectors of all `layers` wait for it, and the prediction and its copy have gradients."""
    head: Any = getattr(model, "get_output_embeddings", lambda: None)()
    config: Any = getattr(model.config, "text_config", model.config)
    width = getattr(config, "hidden_size", 0)
    maps = (m for m in model.modules() if isinstance(m, nn.Linear) and m is not head)
    widest = max((linear.out_features for linear in maps), default=4 * width)
    vocabulary = 0 if head is None else getattr(config, "vocab_size", 0)
    weights: torch.dtype = getattr(model, "dtype", torch.float32)
    number = max(2, weights.itemsize)  # what is kept in eight bits is multiplied in sixteen
    vectors, prediction = number * (8 * width + 4 * widest), (number + 4) * vocabulary
    return int(layers * vectors + 2 * prediction if layers else vectors + prediction)


def _free(gpu: torch.device) -> int:
    """What the driver has left, and what torch holds without using it."""
    left, _ = torch.cuda.mem_get_info(gpu)
    return int(left + torch.cuda.memory_reserved(gpu) - torch.cuda.memory_allocated(gpu))
