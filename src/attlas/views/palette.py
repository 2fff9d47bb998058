"""A colour for every head: all as light and vivid as each other, so that only a weight makes a link strong.

A head keeps its hue in both themes. Hues follow each other so that the next one is as far as can be from
those before, also for people who see red and green alike; numbers stand beside colours everywhere, since
no palette of this kind tells a dozen heads apart for every eye.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from coloraide import Color

ThemeName = Literal["light", "dark"]

BACKGROUND: dict[ThemeName, str] = {"light": "#ffffff", "dark": "#14171c"}
BARE: dict[ThemeName, str] = {"light": "#8b95a1", "dark": "#7d8794"}  # of what has no name
# lightness and chroma in OKLCh: the most vivid that every hue has within sRGB, and that text can stand on
TONES: dict[ThemeName, tuple[float, float]] = {"light": (0.54, 0.09), "dark": (0.75, 0.125)}
_FIRST = 250.0  # blue
_AROUND = 12  # hues before they come closer together
_SHIFTS = (0.0, 15.0, 7.5, 22.5)
_EYES = ("normal", "protan", "deutan")


@cache
def head_colours(count: int, theme: ThemeName) -> tuple[str, ...]:
    """Colours of heads 0 to count - 1 on the page of this theme; after 48 they begin again."""
    hues = [(hue + shift) % 360 for shift in _SHIFTS for hue in _hues()]
    lightness, chroma = TONES[theme]
    return tuple(
        Color("oklch", [lightness, chroma, hues[head % len(hues)]]).convert("srgb").to_string(hex=True)
        for head in range(count)
    )


@cache
def _hues() -> tuple[float, ...]:
    """Twelve hues, each the farthest from those before to the eye that tells them apart least."""
    left = [(_FIRST + 360 / _AROUND * step) % 360 for step in range(_AROUND)]
    chosen = [left.pop(0)]
    while left:
        farthest = max(left, key=lambda hue: min(_apart(hue, other) for other in chosen))
        left.remove(farthest)
        chosen.append(farthest)
    return tuple(chosen)


def _apart(hue: float, other: float) -> float:
    some, others = (Color("oklch", [*TONES["light"], each]) for each in (hue, other))
    normal, *blind = (distance(some, others, eyes) for eyes in _EYES)
    # colour-blind eyes see all colours nearer together: without this weight they alone would choose
    return min(0.6 * normal, *blind)


def distance(some: Color, other: Color, eyes: str = "normal") -> float:
    """How far apart two colours are in OKLab to normal eyes, or to those that lack a kind of cone."""
    if eyes != "normal":
        some, other = some.filter(eyes), other.filter(eyes)
    return some.distance(other, space="oklab")
