"""What a model that reads images with its text takes: which inputs, and which token stands for a piece."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from attlas.subject.placement import home_of

_CHANNELS = ("num_channels", "in_channels", "in_chans")  # what configs call the number of colours


def image_token(model: Any) -> int | None:
    """The id of the token that stands for a piece of an image; None for a model that reads text alone."""
    names = ("image_token_id", "image_token_index")
    return next((i for name in names if isinstance(i := getattr(model.config, name, None), int)), None)


def reads_images(model: Any) -> bool:
    """Whether the model takes images with its text, and shows what it makes of them."""
    return image_token(model) is not None and hasattr(model, "get_image_features")


def small_images(model: Any) -> Iterator[dict[str, Tensor]]:
    """One small image, in each form that the model may take: as a picture, as one of an item's pictures, or
    as a list of patches with the grid they make."""
    first: nn.Parameter = next(model.parameters())
    device, vision = home_of(model), model.config.vision_config
    channels = next((getattr(vision, name) for name in _CHANNELS if hasattr(vision, name)), 3)
    if "image_grid_thw" in inspect.signature(model.get_image_features).parameters:
        side = 2 * vision.spatial_merge_size
        numbers = channels * vision.temporal_patch_size * vision.patch_size**2
        patches = torch.zeros(side * side, numbers, dtype=first.dtype, device=device)
        yield {
            "pixel_values": patches,
            "image_grid_thw": torch.tensor([[1, side, side]], device=device),
        }
        return
    size = vision.image_size
    height, width = (size, size) if isinstance(size, int) else size
    # pictures of nothing but zeros are padding to some
    picture = torch.ones(1, channels, height, width, dtype=first.dtype, device=device)
    yield {"pixel_values": picture}
    yield {"pixel_values": picture[None]}
