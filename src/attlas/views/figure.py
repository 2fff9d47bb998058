"""Still pictures of a view, for papers: what is chosen, drawn from the weights without a browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from attlas.choices import FIGURE_FORMATS, FigureFormat, ViewKind
from attlas.errors import AttlasError
from attlas.figures.figure_formats import figure_bytes
from attlas.figures.theme import any_characters
from attlas.views.contract import Scene, Selection
from attlas.views.drawings import grid, link_picture, matrix, neuron, text_picture
from attlas.views.drawings.still import Still
from attlas.views.inputs import LayerMaps, Maps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWINGS: dict[ViewKind, Callable[[Still, Figure], None]] = {
    "head": link_picture.draw,
    "model": grid.draw,
    "text": text_picture.draw,
    "matrix": matrix.draw,
    "neuron": neuron.draw,
    "image": text_picture.draw_image,
}


def draw(
    scene: Scene,
    maps: Sequence[Maps],
    path: Path,
    selection: Selection | None = None,
    width: float | None = None,
    theme: Literal["light", "dark"] = "light",
    dots: int = 200,
) -> bytes:
    """The picture as the bytes of a file; the ending of its name says the format."""
    format_of(path)
    if width is not None and not 1 <= width <= 50:
        raise AttlasError(f"width is {width}: it is that of a column in inches, from 1 to 50")
    import matplotlib
    from matplotlib.figure import Figure

    chosen = scene["selection"] if selection is None else selection
    still = Still(scene, _chosen_maps(maps, chosen), chosen, theme, width, dots)
    # text stays text in SVG and PDF, so that it can be searched and set in the paper's own font
    settings: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": "attlas",
        "pdf.fonttype": 42,
        "text.usetex": False,
    }
    with matplotlib.rc_context(settings), any_characters():
        figure = Figure(layout="constrained", facecolor=still.colours.page)
        DRAWINGS[chosen["kind"]](still, figure)
        return figure_bytes(figure, format_of(path), dots)


def format_of(path: Path) -> FigureFormat:
    """The format that the ending of a file's name says."""
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FIGURE_FORMATS:
        *others, last = (f".{name}" for name in FIGURE_FORMATS)
        raise AttlasError(f"{path} has no ending that figures know: name it {', '.join(others)} or {last}")
    return ending


def _chosen_maps(maps: Sequence[Maps], selection: Selection) -> Maps:
    """The maps that are chosen: a kind of attention, or its rollout."""
    kind, _, rolled = selection["attention"].partition(" ")
    chosen = next(candidate for candidate in maps if candidate.attention == kind)
    if not rolled:
        return chosen
    layers = [
        LayerMaps(layer.layer, [0], np.asarray(layer.rollout)[None])
        for layer in chosen.layers
        if layer.rollout is not None
    ]
    return replace(chosen, layers=layers)
