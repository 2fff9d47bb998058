"""A head's contact sheet: the maps of texts in which it does about what it does on average."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from attlas.address import Head
from attlas.atlas import Atlas
from attlas.atlas.atlas import AnyHead
from attlas.atlas.registry import REGISTRY
from attlas.errors import AttlasError, call, option
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.reader_words import token
from attlas.figures.theme import TEXT, Theme, token_fonts
from attlas.figures.weight_marks import draw_cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_TOKENS = 24  # that are spelled along an axis; of a longer text the first are shown


def contact_sheet(atlas: Atlas, head: AnyHead, chapter: str | None = None) -> FigureSpec:
    """The typical maps that `attlas patterns` kept of a head. Colours run from 0 to a map's largest
    weight."""
    address = atlas.address(head)
    chapter = chapter or atlas.chapter_with(array=f"{address.kind}.typical")
    maps, items, heads = (
        None if chapter is None else atlas.array(f"{address.kind}.{name}", chapter)
        for name in ("typical", "typical_items", "heads")
    )
    if chapter is None or maps is None or items is None or heads is None:
        keeping = call("patterns", "MODEL", option("atlas", "ATLAS"))
        raise AttlasError(f"{atlas.path or 'the atlas'} has no typical maps: {keeping} keeps them")
    (place,) = np.flatnonzero((heads == (address.layer, address.head)).all(1))
    panels: list[Panel] = []
    for weights, (document, item) in zip(maps[place], items[place].tolist(), strict=True):
        tokens = atlas.token_list(f"typical.{document}.{item}.{address.kind}", chapter)
        if tokens is not None:
            panels.append(_panel(weights, list(tokens)[:MOST_TOKENS], len(panels) + 1))
    file = f"head-{address}" if len(atlas.kinds) == 1 else f"head-{address.full}"
    return FigureSpec(
        "contact-sheet",
        file,
        "",
        f"Head {address}",
        "Maps of texts whose score for the head's pattern is nearest to its mean.",
        (Group(address.kind, tuple(panels), note=(_called(atlas, address, chapter),)),),
    )


def _called(atlas: Atlas, head: Head, chapter: str) -> str:
    """Head 7.1: duplicate token, then local"""
    names = (atlas.names(of, head.kind, chapter).get(head) for of in ("pattern", "second_pattern"))
    said = [REGISTRY["pattern"].group_name(name) for name in names if name]
    return f"Head {head}: {', then '.join(said) or 'no pattern'}. A row is what a token attends to."


def _panel(weights: npt.NDArray[Any], tokens: Sequence[str], number: int) -> Panel:
    shown = weights[: len(tokens), : len(tokens)].astype(float)
    return Panel(
        f"Text {number}",
        f"Attention between the first {len(tokens)} tokens; the largest weight is {shown.max():.2f}.",
        partial(_draw, weights=shown, tokens=[token(t, 11) for t in tokens]),
        width=330,
        height=330,
    )


def _draw(ax: Axes, theme: Theme, weights: npt.NDArray[Any], tokens: Sequence[str]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("heat", theme.heat)
    draw_cells(ax, weights, colours, 0, float(weights.max()) or 1)
    for axis, rotation in ((ax.xaxis, 90), (ax.yaxis, 0)):
        axis.set_ticks(range(len(tokens)), tokens, rotation=rotation, fontfamily=token_fonts())
    ax.tick_params(length=0, labelsize=TEXT - 3)
    ax.grid(False)
    ax.spines[:].set_visible(False)
