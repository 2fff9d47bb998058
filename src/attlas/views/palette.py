"""A colour for every head, chosen so that each is as far as can be from those before it, to every eye.

Distances are those that normal eyes see, and eyes that lack the cones for red or for green, on the light page
and on the dark one; a head keeps its hue in both. Lightness helps to tell heads apart, in a band that keeps
text readable on every colour. Numbers stand beside colours everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from coloraide import Color

from attlas.choices import ThemeName

Place = tuple[float, float, float]  # in OKLab

BACKGROUND: dict[ThemeName, str] = {"light": "#ffffff", "dark": "#14171c"}
BARE: dict[ThemeName, str] = {"light": "#8b95a1", "dark": "#7d8794"}  # of what has no name
#: of names that say least, though many heads have them: one hue each on both pages, and little of it
QUIET: dict[str, dict[ThemeName, str]] = {
    "local": {"light": "#5c718c", "dark": "#8a9fbb"},
    "broad": {"light": "#7d6b56", "dark": "#b09a82"},
}
EYES = ("normal", "protan", "deutan")
MOST = 48  # colours before they begin again
_FIRST = 250  # blue
_BANDS: dict[ThemeName, tuple[float, float]] = {"light": (0.38, 0.58), "dark": (0.88, 0.62)}  # of lightness
_STEPS, _TURN = 5, 10  # lightnesses, and degrees between hues, that are tried
_VIVID, _DULL = 0.17, 0.05  # chroma
_READABLE = 4.5  # contrast of text and ground, as WCAG asks


@dataclass(frozen=True)
class _Candidate:
    hue: int
    step: int
    light: str
    dark: str
    seen: tuple[Place, ...]  # by each eye, on the light page and then on the dark one


@cache
def head_colours(count: int, theme: ThemeName) -> tuple[str, ...]:
    """Colours of heads 0 to count - 1 on the page of this theme; after 48 they begin again."""
    chosen = _choose_colours()
    return tuple(getattr(chosen[head % len(chosen)], theme) for head in range(count))


def distance(some: Color, other: Color, eyes: str = "normal") -> float:
    """How far apart two colours are in OKLab to normal eyes, or to those that lack a kind of cone."""
    if eyes != "normal":
        some, other = some.filter(eyes), other.filter(eyes)
    return some.distance(other, space="oklab")


@cache
def _choose_colours() -> tuple[_Candidate, ...]:
    """Colours, each the farthest from those before, to the eye and on the page that tell them apart least."""
    left = _candidates()
    first = min(left, key=lambda candidate: abs(candidate.hue - _FIRST) + abs(candidate.step - _STEPS // 2))
    chosen, near = [first], [_least_distance(candidate, first) for candidate in left]
    while len(chosen) < MOST:
        farthest = max(range(len(left)), key=near.__getitem__)
        chosen.append(left[farthest])
        near = [
            min(was, _least_distance(candidate, chosen[-1]))
            for was, candidate in zip(near, left, strict=True)
        ]
    return tuple(chosen)


def _candidates() -> list[_Candidate]:
    """Every hue in every lightness, as vivid as a screen can show it, if text can stand on it."""
    result = []
    for step in range(_STEPS):
        for hue in range(0, 360, _TURN):
            light, dark = (_colour(theme, step, hue) for theme in ("light", "dark"))
            if light is not None and dark is not None:
                seen = tuple(_place(colour, eyes) for colour in (light, dark) for eyes in EYES)
                result.append(_Candidate(hue, step, _hex(light), _hex(dark), seen))
    return result


def _colour(theme: ThemeName, step: int, hue: int) -> Color | None:
    start, end = _BANDS[theme]
    lightness, chroma = start + (end - start) * step / (_STEPS - 1), _VIVID
    colour = Color("oklch", [lightness, chroma, hue])
    while chroma >= _DULL and not colour.in_gamut("srgb"):
        chroma -= 0.005
        colour = Color("oklch", [lightness, chroma, hue])
    return colour if chroma >= _DULL and colour.contrast(BACKGROUND[theme]) >= _READABLE else None


def _hex(colour: Color) -> str:
    return colour.convert("srgb").to_string(hex=True)


def _place(colour: Color, eyes: str) -> Place:
    seen = (colour if eyes == "normal" else colour.filter(eyes)).convert("oklab")
    return float(seen["l"]), float(seen["a"]), float(seen["b"])


def _least_distance(some: _Candidate, other: _Candidate) -> float:
    # other eyes see all colours nearer together: without this weight they alone would choose
    weights = (0.6, 1.0, 1.0) * 2
    return min(
        weight * math.dist(place, another)
        for weight, place, another in zip(weights, some.seen, other.seen, strict=True)
    )
