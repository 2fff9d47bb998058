"""A colour for every head: as far apart as can be, also for people who see red and green alike.

Greedy: start from colours known to be safe, then add, again and again, the candidate farthest from
all chosen so far, where far means far in normal vision and in both common kinds of colour
blindness. Every candidate stands out from the page (contrast of 3 to 1 at least).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BACKGROUND = {"light": "#ffffff", "dark": "#14171c"}
_SEEDS = {
    "light": ("#0067b1", "#c1470a", "#00805f"),
    "dark": ("#58b4f5", "#f08a4b", "#2fc597"),
}
# Machado, Oliveira and Fernandes 2009, severity 1.0, applied to linear RGB
_PROTAN = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
_DEUTAN = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))


@cache
def head_colours(count: int, theme: Literal["light", "dark"]) -> tuple[str, ...]:
    """Colours of heads 0 to count - 1 on the page of this theme."""
    chosen = list(_SEEDS[theme])[:count]
    candidates = _candidates(theme)
    seen = _visions(candidates)
    gap = _gap(seen, _visions(chosen)).min(axis=1)
    while len(chosen) < count:
        best = int(gap.argmax())
        chosen.append(candidates[best])
        gap = np.minimum(gap, _gap(seen, seen[:, best : best + 1])[:, 0])
    return tuple(chosen)


def distances(some: Sequence[str], others: Sequence[str]) -> Floats:
    """How far each colour is from each other one to the eye that tells them apart least (OKLab)."""
    nearest: Floats = _apart(_visions(some), _visions(others)).min(axis=0)
    return nearest


def _gap(some: Floats, others: Floats) -> Floats:
    # colour-blind eyes see all colours nearer together: without this weight they alone would choose,
    # and everybody else would get twelve kinds of blue
    normal, *blind = _apart(some, others)
    nearest: Floats = np.minimum(0.6 * normal, np.minimum(*blind))
    return nearest


def _apart(some: Floats, others: Floats) -> Floats:
    """vision some others: distances in OKLab."""
    result: Floats = np.linalg.norm(some[:, :, None] - others[:, None], axis=-1)
    return result


def _visions(colours: Sequence[str]) -> Floats:
    """vision colour 3: what normal, protan and deutan eyes see."""
    linear = _linear(colours)
    return np.stack([_oklab(np.clip(linear @ np.array(m).T, 0, 1)) for m in (np.eye(3), _PROTAN, _DEUTAN)])


def contrast(colour: str, background: str) -> float:
    """The contrast ratio of WCAG 2."""
    light, dark = sorted((_luminance([colour])[0], _luminance([background])[0]), reverse=True)
    return float((light + 0.05) / (dark + 0.05))


def _candidates(theme: Literal["light", "dark"]) -> list[str]:
    steps = range(0, 256, 17)
    every = [f"#{r:02x}{g:02x}{b:02x}" for r in steps for g in steps for b in steps]
    luminance, page = _luminance(every), _luminance([BACKGROUND[theme]])[0]
    ratio = (np.maximum(luminance, page) + 0.05) / (np.minimum(luminance, page) + 0.05)
    lab = _oklab(_linear(every))
    vivid = np.hypot(lab[:, 1], lab[:, 2]) > 0.08  # greys are for the page's own text
    # nearly black on white and nearly white on black look like text, too
    calm = (lab[:, 0] > 0.36) & (lab[:, 0] < 0.93)
    return [colour for colour, keep in zip(every, (ratio >= 3) & vivid & calm, strict=True) if keep]


def _linear(colours: Sequence[str]) -> Floats:
    srgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours]) / 255
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def _luminance(colours: Sequence[str]) -> Floats:
    result: Floats = _linear(colours) @ np.array([0.2126, 0.7152, 0.0722])
    return result


def _oklab(linear: Floats) -> Floats:
    cones = linear @ np.array(
        [
            [0.4122214708, 0.2119034982, 0.0883024619],
            [0.5363325363, 0.6806995451, 0.2817188376],
            [0.0514459929, 0.1073969566, 0.6299787005],
        ]
    )
    result: Floats = np.cbrt(cones) @ np.array(
        [
            [0.2104542553, 1.9779984951, 0.0259040371],
            [0.7936177850, -2.4285922050, 0.7827717662],
            [-0.0040720468, 0.4505937099, -0.8086757660],
        ]
    )
    return result
