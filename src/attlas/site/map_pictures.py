"""A head's map as lines between tokens, in SVG: of the part of a text in which most of its attention goes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import numpy.typing as npt

_LINE, _FAINTEST = 20, 0.05  # pixels from token to token; weights below are not drawn
_LONGEST = 11  # letters of a token


def densest_window(weights: npt.NDArray[np.float64], size: int) -> int:
    """Where the square of `size` tokens on the diagonal begins that holds most attention."""
    sums = np.pad(weights.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    starts = np.arange(min(weights.shape) - size + 1)
    ends = starts + size
    held = sums[ends, ends] - sums[starts, ends] - sums[ends, starts] + sums[starts, starts]
    return int(held.argmax())


def link_picture(weights: npt.NDArray[np.float64], tokens: Sequence[str]) -> str:
    """Two columns of the same tokens, and a line for every weight that can be seen."""
    lines = []
    for query, key in np.argwhere(weights >= _FAINTEST).tolist():
        curve = f"M92 {_y(query)}C130 {_y(query)} 150 {_y(key)} 188 {_y(key)}"
        lines.append(f'<path d="{curve}" stroke-opacity="{min(1.0, weights[query, key]):.2f}"/>')
    words = [
        f'<text x="{x}" y="{_y(at) + 4}"{end}>{escape(_short(token))}</text>'
        for x, end in ((88, ' text-anchor="end"'), (192, ""))
        for at, token in enumerate(tokens)
    ]
    return (
        f'<svg class="links" viewBox="0 0 280 {_LINE * len(tokens)}" role="img" '
        f'aria-label="Links between {len(tokens)} tokens">'
        f'<g fill="none" stroke="currentColor" stroke-width="2">{"".join(lines)}</g>{"".join(words)}</svg>'
    )


def _y(at: int) -> int:
    return _LINE * at + _LINE // 2


def _short(token: str) -> str:
    return token if len(token) <= _LONGEST else f"{token[: _LONGEST - 1]}…"
