"""The pictures that a model read with its text, as it saw them, and which of its tokens are their pieces.

A model may crop a picture, shrink it or cut it into tiles: what is shown are those, made again of its inputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .contract import Image, SideName
from .images import data_url, picture_of

if TYPE_CHECKING:
    from attlas.corpora.batches import Batch
    from attlas.subject import Subject

Pixels = npt.NDArray[np.float32]  # high wide colour, as a processor made them


def patches_of(subject: Subject, batch: Batch) -> int:
    """How many patches what reads images has: known once they attend."""
    from attlas.tap import Tap

    counts: list[int] = []
    with Tap(
        subject, listener=lambda call: counts.append(call.query.shape[2] * (call.kind == "vision"))
    ) as tap:
        tap.run(batch)
    return max(counts)


def images_of(subject: Subject, batch: Batch, patches: int) -> list[Image]:
    """Of a batch of one: where each picture's pieces stand among the tokens of the decoder, and among so many
    patches of what reads images. Pictures whose pieces make no grid are left out."""
    places = batch.sides["decoder"].members("image")[0].nonzero()[:, 0].tolist()
    seen = list(_seen(subject, batch))
    images: list[Image] = []
    for number, (pixels, tokens) in enumerate(seen):
        count = tokens or len(places) // len(seen)
        before = sum(known or len(places) // len(seen) for _, known in seen[:number])
        mine = places[before : before + count]
        if mine and mine[-1] - mine[0] == count - 1:
            images += _placed(subject, pixels, "decoder", mine[0], count)
        if not tokens and patches % len(seen) == 0:  # packed patches stand in an order of their own
            patches_of_one = patches // len(seen)
            images += _with_class(subject, pixels, number * patches_of_one, patches_of_one)
    return images


def names_of(tokens: list[str], images: list[Image], side: SideName) -> list[str]:
    """The tokens of a side, those of pictures named by row and column."""
    named = list(tokens)
    several = [image for image in images if image["side"] == side]
    for number, image in enumerate(several):
        which = f"{number + 1}:" if len(several) > 1 else ""
        for i in range(image["rows"] * image["columns"]):
            row, column = divmod(i, image["columns"])
            named[image["before"] + i] = f"{which}{row}·{column}"
    return named


def _placed(subject: Subject, pixels: Pixels, side: SideName, before: int, count: int) -> Iterator[Image]:
    grid = _grid(count, pixels.shape[0] / pixels.shape[1])
    if grid is not None:
        shown = data_url(picture_of(_as_colours(subject, pixels)))
        yield {"source": shown, "rows": grid[0], "columns": grid[1], "before": before, "side": side}


def _with_class(subject: Subject, pixels: Pixels, start: int, count: int) -> Iterator[Image]:
    """Patches, perhaps after a class token."""
    for extra in (0, 1):
        if _grid(count - extra, pixels.shape[0] / pixels.shape[1]) is not None:
            yield from _placed(subject, pixels, "vision", start + extra, count - extra)
            return


def _grid(count: int, ratio: float) -> tuple[int, int] | None:
    """Rows and columns of so many pieces, of a picture so many times as high as wide."""
    rows = round((max(0, count) * ratio) ** 0.5)
    if rows < 1 or count % rows or abs(rows * rows / count / ratio - 1) > 0.05:
        return None
    return rows, count // rows


def _seen(subject: Subject, batch: Batch) -> Iterator[tuple[Pixels, int]]:
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


def _as_colours(subject: Subject, pixels: Pixels) -> npt.NDArray[np.uint8]:
    known = getattr(subject.processor, "image_processor", None)
    half = [0.5, 0.5, 0.5]
    mean, spread = (np.asarray(getattr(known, n, None) or half) for n in ("image_mean", "image_std"))
    colours: npt.NDArray[np.uint8] = ((pixels * spread + mean).clip(0, 1) * 255).astype(np.uint8)
    return colours
