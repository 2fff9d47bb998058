"""Pictures that a model reads: what it saw, and the picture to draw its patches on.

A model may crop a picture, shrink it or cut it into tiles: what is shown is made again from its inputs.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from attlas.corpora.pictured_texts import PICTURE_ENDINGS
from attlas.errors import AttlasError
from attlas.views.contract import SceneImage, SideName

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from torch import Tensor

    from attlas.corpora.batches import Batch
    from attlas.subject import Subject

Pixels = npt.NDArray[np.float32]  # high wide colour, as a processor made them

_SHOWN = 448  # pixels on a side of the picture in the page


def is_picture(image: Any) -> bool:
    """A file with a picture's ending, a PIL image, or an array of pixels."""
    if isinstance(image, str | Path):
        return Path(image).suffix.lower() in PICTURE_ENDINGS and Path(image).is_file()
    return hasattr(image, "shape") or (hasattr(image, "convert") and hasattr(image, "size"))


def batch_of(subject: Subject, image: Any) -> tuple[Batch, SceneImage, list[str]]:
    """What the model reads, the picture as it read it, and a name for every token."""
    if "pixel_values" not in subject.accepts:
        raise AttlasError(f"{subject.name} does not read images: it has no pixel_values among its inputs")
    rows, columns = _patch_grid(subject)
    pixels, picture = _model_pixels(subject, image)
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


def _patch_grid(subject: Subject) -> tuple[int, int]:
    config: Any = subject.model.config
    size, patch = getattr(config, "image_size", None), getattr(config, "patch_size", None)
    if size is None or patch is None:
        raise AttlasError(f"{subject.name} does not say how large its images and patches are")
    (high, wide), (tall, broad) = _pair(size), _pair(patch)
    return high // tall, wide // broad


def _pair(size: Any) -> tuple[int, int]:
    return (int(size[0]), int(size[1])) if isinstance(size, list | tuple) else (int(size), int(size))


def _model_pixels(subject: Subject, image: Any) -> tuple[Tensor, Picture]:
    """pixel_values [1, 3, high, wide], and the picture they show."""
    import torch

    from attlas.subject.image_inputs import open_picture, picture_of

    config: Any = subject.model.config
    high, wide = _pair(config.image_size)
    mean, spread = _normalisation(subject.name)
    if hasattr(image, "shape") and tuple(image.shape) in ((1, 3, high, wide), (3, high, wide)):
        array = np.asarray(image.detach().cpu() if hasattr(image, "detach") else image)
        if array.dtype.kind == "f":  # as a processor made them
            pixels = torch.as_tensor(array, dtype=torch.float32).reshape(1, 3, high, wide)
            shown = pixels[0].permute(1, 2, 0).numpy() * spread + mean
            return pixels, picture_of((shown.clip(0, 1) * 255).astype(np.uint8))
    picture = open_picture(image).resize((wide, high), resample=2)
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


def data_url(picture: Picture) -> str:
    smaller = picture.copy()
    smaller.thumbnail((_SHOWN, _SHOWN))
    out = io.BytesIO()
    smaller.save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode("ascii")


def patches_of(subject: Subject, batch: Batch) -> int:
    """The number of patches of the part that reads images, found by running it."""
    from attlas.tap import Tap

    counts: list[int] = []
    with Tap(
        subject, listener=lambda call: counts.append(call.query.shape[2] * (call.kind == "vision"))
    ) as tap:
        tap.run(batch)
    return max(counts)


def images_of(subject: Subject, batch: Batch, patches: int) -> list[SceneImage]:
    """Where the pieces of each picture in a batch of one are: among the tokens of the decoder, and among the
    patches of the part that reads images. Pictures whose pieces make no grid are left out."""
    places = batch.sides["decoder"].members("image")[0].nonzero()[:, 0].tolist()
    pictures = list(_pictures_read(subject, batch))
    images: list[SceneImage] = []
    for number, (pixels, tokens) in enumerate(pictures):
        count = tokens or len(places) // len(pictures)
        before = sum(known or len(places) // len(pictures) for _, known in pictures[:number])
        mine = places[before : before + count]
        if mine and mine[-1] - mine[0] == count - 1:
            images += _image_on_tokens(subject, pixels, "decoder", mine[0], count)
        if not tokens and patches % len(pictures) == 0:  # packed patches stand in an order of their own
            patches_of_one = patches // len(pictures)
            images += _with_class(subject, pixels, number * patches_of_one, patches_of_one)
    return images


def name_patches(tokens: list[str], images: list[SceneImage], side: SideName) -> list[str]:
    """The tokens of a side, those of pictures named by row and column."""
    named = list(tokens)
    several = [image for image in images if image["side"] == side]
    for number, image in enumerate(several):
        which = f"{number + 1}:" if len(several) > 1 else ""
        for i in range(image["rows"] * image["columns"]):
            row, column = divmod(i, image["columns"])
            named[image["before"] + i] = f"{which}{row}·{column}"
    return named


def _image_on_tokens(
    subject: Subject, pixels: Pixels, side: SideName, before: int, count: int
) -> Iterator[SceneImage]:
    from attlas.subject.image_inputs import picture_of

    grid = _grid(count, pixels.shape[0] / pixels.shape[1])
    if grid is not None:
        shown = data_url(picture_of(_colours_of(subject, pixels)))
        yield {"source": shown, "rows": grid[0], "columns": grid[1], "before": before, "side": side}


def _with_class(subject: Subject, pixels: Pixels, start: int, count: int) -> Iterator[SceneImage]:
    """The patches of one picture, perhaps after a class token."""
    for extra in (0, 1):
        if _grid(count - extra, pixels.shape[0] / pixels.shape[1]) is not None:
            yield from _image_on_tokens(subject, pixels, "vision", start + extra, count - extra)
            return


def _grid(count: int, ratio: float) -> tuple[int, int] | None:
    """Rows and columns of this many pieces, of a picture whose height is `ratio` times its width."""
    rows = round((max(0, count) * ratio) ** 0.5)
    if rows < 1 or count % rows or abs(rows * rows / count / ratio - 1) > 0.05:
        return None
    return rows, count // rows


def _pictures_read(subject: Subject, batch: Batch) -> Iterator[tuple[Pixels, int]]:
    """Each picture, or tile; and how many tokens it is, where the model's inputs say so."""
    pixels = batch.inputs["pixel_values"].float().cpu()
    grids = batch.inputs.get("image_grid_thw")
    if grids is None:
        for picture in pixels.flatten(0, -4):
            yield picture.permute(1, 2, 0).numpy(), 0
        return
    whole: Any = subject.model.config
    vision = whole.vision_config
    merge, patch, deep = vision.spatial_merge_size, vision.patch_size, vision.temporal_patch_size
    start = 0
    for frames, high, wide in grids.tolist():
        if frames == 1:  # patches come by squares of those that become one token
            patches = pixels[start : start + high * wide].view(
                high // merge, wide // merge, merge, merge, -1, deep, patch, patch
            )
            picture = patches[:, :, :, :, :, 0].permute(0, 2, 5, 1, 3, 6, 4)
            yield picture.reshape(high * patch, wide * patch, -1).numpy(), high * wide // merge**2
        start += frames * high * wide


def _colours_of(subject: Subject, pixels: Pixels) -> npt.NDArray[np.uint8]:
    known = getattr(subject.processor, "image_processor", None)
    half = [0.5, 0.5, 0.5]
    mean, spread = (np.asarray(getattr(known, n, None) or half) for n in ("image_mean", "image_std"))
    colours: npt.NDArray[np.uint8] = ((pixels * spread + mean).clip(0, 1) * 255).astype(np.uint8)
    return colours
