"""The small pictures of a site: thumbnails of models, maps of heads, previews of links. PNGs with a palette:
some kilobytes each, drawn in milliseconds."""

from __future__ import annotations

import base64
import io
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

Bytes = npt.NDArray[np.uint8]
RGB = tuple[int, int, int]

SHADES = 16  # of a map
ACCENT: RGB = (0, 103, 177)
WIDE, HIGH = 600, 315  # of a preview, as the readers of cards ask
_EDGE, _PAPER, _INK = 24, (255, 255, 255), (27, 32, 40)


def map_picture(levels: Bytes) -> str:
    """A map as the address of a picture: one pixel per weight, more opaque where it is larger, so that it is
    right on a light page and on a dark one. `levels` are 0 to 255."""
    opaque = bytes(round(255 * shade / (SHADES - 1)) for shade in range(SHADES))
    return _as_address(_png(levels // (256 // SHADES), [ACCENT] * SHADES, opaque))


def grid_picture(colours: list[list[str]]) -> str:
    """A thumbnail of a model's heads as the address of a picture, one pixel per head: layers from top to
    bottom, rows of colours such as #0067b1."""
    return _as_address(_png(_places(colours), _palette_of(colours)))


def preview(title: str, text: str, picture: Bytes | list[list[str]] | None) -> bytes:
    """The picture of a preview card: a title, a sentence, and beside them a map (levels from 0 to 255) or the
    heads of a model (colours)."""
    from PIL import Image, ImageDraw

    side = HIGH - 2 * _EDGE
    left = _EDGE if picture is None else side + 2 * _EDGE
    written = Image.new("L", (WIDE, HIGH), 255)
    draw = ImageDraw.Draw(written)
    y = float(_EDGE)
    for line in _lines(title, 30, WIDE - left - _EDGE, 2):
        draw.text((left, y), line, fill=0, font=_font(30))
        y += 38
    y += 8
    for line in _lines(text, 18, WIDE - left - _EDGE, int((HIGH - _EDGE - y) // 25)):
        draw.text((left, y), line, fill=60, font=_font(18))
        y += 25
    grey = (255 - np.asarray(written)) // (256 // SHADES)
    palette = [_between(_PAPER, _INK, shade / (SHADES - 1)) for shade in range(SHADES)]
    if isinstance(picture, np.ndarray):
        palette += [_between(_PAPER, ACCENT, shade / (SHADES - 1)) for shade in range(SHADES)]
        grey = _beside(grey, SHADES + picture // (256 // SHADES), side)
    elif picture:
        palette += _palette_of(picture)
        grey = _beside(grey, SHADES + _places(picture), side)
    return _png(grey, palette)


def _beside(page: Bytes, cells: Bytes, side: int) -> Bytes:
    """The page with cells enlarged into the square on its left, none blurred."""
    high, wide = cells.shape
    times = max(1, side // max(high, wide))
    enlarged = np.repeat(np.repeat(cells, times, 0), times, 1)[:side, :side]
    page = page.astype(np.uint8)
    top, left = (HIGH - enlarged.shape[0]) // 2, _EDGE + (side - enlarged.shape[1]) // 2
    page[top : top + enlarged.shape[0], left : left + enlarged.shape[1]] = enlarged
    return page


def _palette_of(colours: list[list[str]]) -> list[RGB]:
    return [_rgb(colour) for colour in dict.fromkeys(colour for row in colours for colour in row)]


def _places(colours: list[list[str]]) -> Bytes:
    """Each colour's place in the palette."""
    order = {c: place for place, c in enumerate(dict.fromkeys(colour for row in colours for colour in row))}
    return np.array([[order[colour] for colour in row] for row in colours], np.uint8)


def _rgb(colour: str) -> RGB:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _between(this: RGB, other: RGB, part: float) -> RGB:
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(this, other, strict=True))
    return red, green, blue


def _lines(text: str, size: int, wide: float, most: int) -> list[str]:
    """The text in lines that fit; what is too much ends in an ellipsis."""
    font, lines, line = _font(size), [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > wide:
            lines.append(line)
            longer = word
        line = longer
        if len(lines) > most:
            break
    lines.append(line)
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"{lines[most - 1]} …"] if most else []


@cache
def _font(size: int) -> FreeTypeFont:
    import matplotlib
    from PIL import ImageFont

    return ImageFont.truetype(Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf"), size)


def _png(places: Bytes, palette: list[RGB], opaque: bytes | None = None) -> bytes:
    """Pixels that are places in a palette, as a PNG. `opaque` is how opaque each colour is."""
    from PIL import Image

    image = Image.fromarray(np.ascontiguousarray(places, np.uint8), "P")
    image.putpalette([part for colour in palette for part in colour])
    file = io.BytesIO()
    bits = 4 if len(palette) <= 16 else 8
    image.save(file, "PNG", bits=bits, **({} if opaque is None else {"transparency": opaque}))
    return file.getvalue()


def _as_address(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"
