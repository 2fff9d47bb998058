"""How far back the heads of a decoder look: what stays within the last k tokens, one curve per layer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.atlas.words import number
from attlas.figures import panels
from attlas.figures.chart import chart
from attlas.figures.head_measures import Grid, mean_of, measure, sample_note
from attlas.figures.layout import Group, Panel
from attlas.figures.theme import ROW, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REACH = (
    "The share of attention that stays within the last k tokens: the token itself and those before it. A "
    "line is the mean of a layer's heads; the dashed one is attention that is even over the tokens so far. "
    "Tokens that see no more than the window do not count."
)
_PANELS = {"to_near": "Of all attention", "rest_to_near": "Of what does not fall on the first token"}


def reach_chapters(atlas: Atlas) -> list[str]:
    return [c for c in atlas.chapters if any(atlas.has(name, "4", chapter=c) for name in _PANELS)]


@chart(
    "reach",
    title="How far back attention reaches",
    caption=REACH,
    chapters=reach_chapters,
    surface=True,
    place=5,
)
def reach(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """Decoders: how much stays within 1, 2, 4, 8 ... tokens, one curve per layer, of all attention and of
    the rest, beside even attention."""
    made = []
    for name, title in _PANELS.items():
        groups = atlas.groups(name, kind, chapter)
        measures = {int(group): m for group in groups if (m := measure(atlas, chapter, kind, name, group))}
        if not measures:
            continue
        windows = list(measures)
        layers = np.stack([m.by_layer()[0] for m in measures.values()], -1)  # layer window
        even = even_share(atlas, chapter, windows, name == "rest_to_near")
        said = ", ".join(
            f"within {window} tokens {number(mean_of(m.values), 2)}" for window, m in measures.items()
        )
        made.append(
            Panel(
                title,
                f"Mean of all heads: {said}.",
                partial(_curves, windows=windows, layers=layers, even=even),
                height=270 + ROW,
                margins=(44, 8, 8, 48 + ROW),
            )
        )
    absent = "" if made else "Only heads that look back alone have such a curve."
    return Group(kind, tuple(made), note=sample_note(atlas, chapter, "distances"), absent=absent)


def even_share(atlas: Atlas, chapter: str, windows: Sequence[int], of_rest: bool) -> list[float]:
    """What attention that is even over the tokens so far would have, in a segment of typical length, for the
    windows that fit into it; empty where the chapter does not say how long segments are."""
    log_length = (atlas.about(chapter).get("corpus") or {}).get("mean_log_length")
    if log_length is None:
        return []
    length = round(math.exp(float(log_length)))
    shares = []
    for window in windows:
        seen = np.arange(window + 2 + of_rest, length + 1, dtype=float)  # tokens in view of those that count
        if not len(seen):
            break
        # of the rest, tokens count by their rest: (seen - 1) / seen where attention is even
        near = (window + 1) / seen
        shares.append(float(near.sum() / ((seen - 1) / seen).sum() if of_rest else near.mean()))
    return shares


def _curves(ax: Axes, theme: Theme, windows: Sequence[int], layers: Grid, even: Sequence[float]) -> None:
    last = len(layers) - 1
    places = np.arange(len(windows))
    for layer, shares in enumerate(layers):
        ax.plot(places, shares, color=panels.layer_shade(theme, layer, last), linewidth=1.5, alpha=0.9)
    if len(even):
        ax.plot(places[: len(even)], even, color=theme.ink, linewidth=1.4, dashes=(4, 3))
    ax.set_xlim(-0.2, len(windows) - 0.8)
    ax.set_xticks(places, [str(window) for window in windows])
    ax.set_ylim(0, 1.03)
    ax.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    ax.set_xlabel("tokens back")
    panels.layer_legend(ax, theme, last, bbox_to_anchor=(0, -0.2))
