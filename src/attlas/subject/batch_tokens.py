"""How many tokens a model takes at once: as many as suit its device, and fit beside its weights."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from attlas.corpora.batches import TOKENS_IN_A_BATCH

SHARE = 0.5  # of the memory that is free: the other half is for statistics, and for what is not foreseen


def batch_tokens(model: nn.Module, devices: tuple[torch.device, ...]) -> int:
    """Of the batches that nobody gave a size, padding included."""
    if devices[0].type != "cuda":
        return TOKENS_IN_A_BATCH["cpu"]
    free = min(_free(device) for device in devices if device.type == "cuda")
    fit = free * SHARE / bytes_of_a_token(model)
    return max(1, min(TOKENS_IN_A_BATCH["cuda"], int(fit)))


def bytes_of_a_token(model: nn.Module) -> int:
    """What a forward pass holds for a token at once, generously: some vectors of the model's width, some of
    its widest layer's, and the prediction, with a copy in float32 for a loss."""
    head: Any = getattr(model, "get_output_embeddings", lambda: None)()
    config: Any = getattr(model.config, "text_config", model.config)
    width = getattr(config, "hidden_size", 0)
    layers = (m for m in model.modules() if isinstance(m, nn.Linear) and m is not head)
    widest = max((layer.out_features for layer in layers), default=4 * width)
    vocabulary = 0 if head is None else getattr(config, "vocab_size", 0)
    weights: torch.dtype = getattr(model, "dtype", torch.float32)
    number = max(2, weights.itemsize)  # what is kept in eight bits is multiplied in sixteen
    return int(number * (8 * width + 4 * widest) + (number + 4) * vocabulary)


def _free(gpu: torch.device) -> int:
    """What the driver has left, and what torch holds without using it."""
    left, _ = torch.cuda.mem_get_info(gpu)
    return int(left + torch.cuda.memory_reserved(gpu) - torch.cuda.memory_allocated(gpu))
