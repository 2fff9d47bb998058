"""A picture and a vision model: what it read, and the picture to draw its patches on."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from attlas.errors import AttlasError

from .contract import Image

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from torch import Tensor

    from attlas.corpora.batches import Batch
    from attlas.subject import Subject

ENDINGS = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"}
_SHOWN = 448  # pixels on a side of the picture in the page


def is_picture(image: Any) -> bool:
    """A file with a picture's ending, a PIL image, or an array of pixels."""
    if isinstance(image, str | Path):
        return Path(image).suffix.lower() in ENDINGS and Path(image).is_file()
    return hasattr(image, "shape") or (hasattr(image, "convert") and hasattr(image, "size"))


def batch_of(subject: Subject, image: Any) -> tuple[Batch, Image, list[str]]:
    """What the model reads, the picture as it read it, and a name for every token."""
    if "pixel_values" not in subject.accepts:
        raise AttlasError(f"{subject.name} does not read images: it has no pixel_values among its inputs")
    rows, columns = _patches(subject)
    pixels, picture = _pixels(subject, image)
    batch = subject.annotate({"pixel_values": pixels.to(subject.device)})
    tokens = next(iter(batch.sides.values())).real.shape[1]
    before = tokens - rows * columns
    if before < 0:
        raise AttlasError(
            f"{subject.name} has {tokens} tokens and {rows} x {columns} patches: only models whose tokens "
            "are patches (ViT, DeiT, DINO) can be shown over their image"
        )
    names = ["[CLS]", *(f"[REG{i}]" for i in range(1, before))][:before]
    names += [f"{row}·{column}" for row in range(rows) for column in range(columns)]
    return (
        batch,
        {"source": data_url(picture), "rows": rows, "columns": columns, "before": before, "side": "encoder"},
        names,
    )


def _patches(subject: Subject) -> tuple[int, int]:
    config: Any = subject.model.config
    size, patch = getattr(config, "image_size", None), getattr(config, "patch_size", None)
    if size is None or patch is None:
        raise AttlasError(f"{subject.name} does not say how large its images and patches are")
    (high, wide), (tall, broad) = _pair(size), _pair(patch)
    return high // tall, wide // broad


def _pair(size: Any) -> tuple[int, int]:
    return (int(size[0]), int(size[1])) if isinstance(size, list | tuple) else (int(size), int(size))


def _pixels(subject: Subject, image: Any) -> tuple[Tensor, Picture]:
    """pixel_values [1, 3, high, wide], and the picture they show."""
    import torch

    config: Any = subject.model.config
    high, wide = _pair(config.image_size)
    mean, spread = _normalisation(subject.name)
    if hasattr(image, "shape") and tuple(image.shape) in ((1, 3, high, wide), (3, high, wide)):
        array = np.asarray(image.detach().cpu() if hasattr(image, "detach") else image)
        if array.dtype.kind == "f":  # as a processor made them
            pixels = torch.as_tensor(array, dtype=torch.float32).reshape(1, 3, high, wide)
            shown = pixels[0].permute(1, 2, 0).numpy() * spread + mean
            return pixels, picture_of((shown.clip(0, 1) * 255).astype(np.uint8))
    picture = _opened(image).resize((wide, high), resample=2)
    colours = np.asarray(picture, dtype=np.float32) / 255
    values = torch.as_tensor((colours - mean) / spread).permute(2, 0, 1)[None].float()
    return values, picture


def _normalisation(name: str) -> tuple[Any, Any]:
    """Mean and spread of each colour, as the model's image processor says; 0.5 where it does not."""
    settings: dict[str, Any] = {}
    if (file := _processor_file(name)) is not None:
        try:
            settings = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise AttlasError(f"{file} cannot be read as JSON: {error}") from error
    half = [0.5, 0.5, 0.5]
    mean, spread = (settings.get(name) or half for name in ("image_mean", "image_std"))
    return np.asarray(mean, np.float32), np.asarray(spread, np.float32)


def _processor_file(name: str) -> Path | None:
    """Beside the model: in its folder, or where the hub's files are kept; a model in memory has none."""
    from huggingface_hub import hf_hub_download, try_to_load_from_cache
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    file = "preprocessor_config.json"
    if Path(name).is_dir():
        return Path(name) / file if (Path(name) / file).is_file() else None
    try:
        if not isinstance(try_to_load_from_cache(name, "config.json"), str):
            return None
        return Path(hf_hub_download(name, file))
    except (HFValidationError, HfHubHTTPError, OSError):
        return None


def _opened(image: Any) -> Picture:
    from PIL import Image as pillow
    from PIL import UnidentifiedImageError

    if isinstance(image, str | Path):
        try:
            with pillow.open(image) as picture:
                return picture.convert("RGB")
        except UnidentifiedImageError:
            raise AttlasError(f"{image} is not an image that can be read") from None
        except OSError as error:
            raise AttlasError(f"{image}: {error.strerror or error}") from error
    if hasattr(image, "convert"):
        return image.convert("RGB")  # type: ignore[no-any-return]
    array = np.asarray(image.detach().cpu() if hasattr(image, "detach") else image)
    while array.ndim > 3 and array.shape[0] == 1:
        array = array[0]
    if array.ndim == 3 and array.shape[0] in (1, 3) and array.shape[2] not in (1, 3):
        array = array.transpose(1, 2, 0)
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3)):
        raise AttlasError(f"an image has shape {array.shape}: it must be [high, wide, 3] or [3, high, wide]")
    if array.dtype.kind == "f":
        array = (array.clip(0, 1) * 255).astype(np.uint8)
    return picture_of(array)


def picture_of(array: Any) -> Picture:
    from PIL import Image as pillow

    return pillow.fromarray(array.squeeze().astype(np.uint8)).convert("RGB")


def data_url(picture: Picture) -> str:
    smaller = picture.copy()
    smaller.thumbnail((_SHOWN, _SHOWN))
    out = io.BytesIO()
    smaller.save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode("ascii")
