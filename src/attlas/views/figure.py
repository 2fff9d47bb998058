"""Still pictures of a view, for papers: drawn from the weights themselves, without a browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from attlas.errors import AttlasError

from .contract import Scene, SideName, ViewKind
from .inputs import SIDES, LayerMaps, Maps
from .rows import Floats, Strongest

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

FORMATS = (".svg", ".pdf", ".png")
MOST_LINKED = 200
_ROW = 0.21  # inches a token
_POSITIVE, _NEGATIVE = "#0067b1", "#c1470a"


def draw(scene: Scene, maps: Sequence[Maps], path: Path) -> Path:
    """Draw the chosen view into a file; its ending says the format."""
    if path.suffix.lower() not in FORMATS:
        raise AttlasError(f"{path} has no ending that figures know: name it .svg, .pdf or .png")
    import matplotlib
    from matplotlib.figure import Figure

    drawings: dict[ViewKind, Callable[[Scene, Maps, Figure], None]] = {
        "head": _head,
        "model": _model,
        "neuron": _neuron,
        "matrix": _matrix,
    }
    selection = scene["selection"]
    chosen = next(each for each in maps if each.attention == selection["attention"])
    # text stays text in SVG and PDF, so that it can be searched and set in the paper's own font
    with matplotlib.rc_context({"svg.fonttype": "none", "pdf.fonttype": 42, "text.usetex": False}):
        figure = Figure(layout="constrained")
        drawings[selection["kind"]](scene, chosen, figure)
        try:
            figure.savefig(path, dpi=200, metadata=_undated(path))
        except OSError as error:
            raise AttlasError(f"cannot write {path}: {error.strerror or error}") from error
    return path


def _undated(path: Path) -> dict[str, None]:
    """The same picture must give the same file."""
    return {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower(), {})


def _head(scene: Scene, maps: Maps, figure: Figure) -> None:
    queries, keys = _names(scene, maps)
    longest = max(len(queries), len(keys))
    if longest > MOST_LINKED or maps.layers[0].tiles is not None:
        raise AttlasError(f"{longest} tokens are too many for links in a figure: choose the matrix view")
    figure.set_size_inches(4.6, 0.35 + _ROW * longest)
    axes = figure.add_subplot()
    selection = scene["selection"]
    layer = _layer(maps, selection["layer"])
    _links(axes, scene, layer, selection["heads"])
    _token_axes(axes, queries, keys)
    heads = ", ".join(str(head) for head in selection["heads"])
    every = selection["heads"] == layer.heads
    named = (
        "all heads"
        if every and len(layer.heads) > 1
        else f"head{'s' * (len(selection['heads']) > 1)} {heads}"
    )
    axes.set_title(f"{_plain(scene['title'])} · layer {layer.layer}, {named}", fontsize=9)


def _model(scene: Scene, maps: Maps, figure: Figure) -> None:
    queries, keys = maps.shape
    columns = max(len(layer.heads) for layer in maps.layers)
    figure.set_size_inches(0.4 + 0.62 * columns, 0.35 + 0.62 * len(maps.layers))
    # one pair of axes for all thumbnails: a pair each takes matplotlib many seconds
    axes = figure.add_subplot()
    step = 1.12
    for down, layer in enumerate(maps.layers):
        axes.text(-0.2, (down * step) + 0.5, str(layer.layer), fontsize=7, ha="right", va="center")
        for across, head in enumerate(layer.heads):
            x, y = across * step, down * step
            if max(queries, keys) > 64 or layer.tiles is not None:
                extent = (x, x + 1, y + 1, y)
                small = _shrunk(layer, across)
                if layer.tiles is not None:
                    small = np.sqrt(small / _ceiling(small))
                axes.imshow(small, cmap="Blues", vmin=0, vmax=1, extent=extent, aspect="auto")
            else:
                _thumbnail(axes, _dense(layer, across), x, y, _colour(scene, head))
            axes.add_patch(_frame(x, y))
            if down == 0:
                axes.text(x + 0.5, -0.2, str(head), fontsize=7, ha="center", va="bottom")
    axes.set(xlim=(-0.6, columns * step), ylim=(len(maps.layers) * step, -0.6), aspect="equal")
    axes.set_axis_off()
    axes.set_title(f"{_plain(scene['title'])} · layers down, heads across", fontsize=9)


def _thumbnail(axes: Axes, weights: Floats, x: float, y: float, colour: str) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgb

    pairs = np.argwhere(weights >= 0.05)
    strength = weights[pairs[:, 0], pairs[:, 1]]
    heights = y + 0.05 + 0.9 * (pairs + 0.5) / np.array(weights.shape)
    ends = np.broadcast_to(np.array([x + 0.05, x + 0.95]), heights.shape)
    colours = [(*to_rgb(colour), float(s) ** 0.8) for s in strength]
    axes.add_collection(
        LineCollection(list(np.stack([ends, heights], axis=-1)), colors=colours, linewidths=0.7)
    )


def _frame(x: float, y: float) -> Rectangle:
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), 1, 1, fill=False, edgecolor="#cfd6df", linewidth=0.5)


def _colour(scene: Scene, head: int) -> str:
    palette = scene["palette"]["light"]
    return palette[head % len(palette)]


def _matrix(scene: Scene, maps: Maps, figure: Figure) -> None:
    queries, keys = _names(scene, maps)
    selection = scene["selection"]
    layer = _layer(maps, selection["layer"])
    head = selection["heads"][0]
    named = max(len(queries), len(keys)) <= 80
    size = min(9.0, 1.6 + 0.2 * max(len(queries), len(keys)))
    figure.set_size_inches(size + 0.6, size)
    axes = figure.add_subplot()
    index = layer.heads.index(head)
    whole = layer.tiles is None and max(len(queries), len(keys)) <= 2048
    weights = _dense(layer, index) if whole else _shrunk(layer, index, 1024)
    wide, high = len(keys), len(queries)
    if layer.tiles is not None:  # the last ones may reach past the end
        high, wide = (count * layer.tiles.size for count in weights.shape)
    extent = (-0.5, wide - 0.5, high - 0.5, -0.5)
    most = float(weights.max()) if layer.tiles is None else _ceiling(weights)
    image = axes.imshow(
        np.sqrt(weights), cmap="Blues", vmin=0, vmax=most**0.5, extent=extent, interpolation="nearest"
    )
    axes.set(xlim=(-0.5, len(keys) - 0.5), ylim=(len(queries) - 0.5, -0.5))
    if named:
        axes.set_xticks(range(len(keys)), keys, rotation=90, fontsize=7)
        axes.set_yticks(range(len(queries)), queries, fontsize=7)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
    else:
        axes.set(xlabel="attended to", ylabel="attends")
    bar = figure.colorbar(image, ax=axes, shrink=0.6, extend="max" if most < weights.max() else "neither")
    ticks = np.linspace(0, most**0.5, 5)
    bar.set_ticks(
        list(ticks), labels=[f"{tick**2:.2f}" if layer.tiles is None else f"{tick**2:.2g}" for tick in ticks]
    )
    if layer.tiles is not None:
        bar.set_label(f"share of attention, tiles of {layer.tiles.size:,} tokens", fontsize=8)
    axes.set_title(f"{_plain(scene['title'])} · head {layer.layer}.{head}", fontsize=9)


def _neuron(scene: Scene, maps: Maps, figure: Figure) -> None:
    queries, keys = _names(scene, maps)
    selection = scene["selection"]
    layer = _layer(maps, selection["layer"])
    head = layer.heads.index(selection["heads"][0])
    if layer.vectors is None:
        raise AttlasError(f"layer {layer.layer} has no vectors in this view: name it with include_layers")
    query = min(1, len(queries) - 1)
    q, k, v = layer.vectors.query[head, query], layer.vectors.key[head], layer.vectors.value[head]
    weights = _dense(layer, head)[query]
    dots = k @ q * layer.vectors.scaling
    figure.set_size_inches(9, 0.9 + _ROW * len(keys))
    panels = figure.subplots(1, 5, sharey=True, width_ratios=(3, 3, 0.9, 0.9, 3))
    strips = (("key k", k), ("q × k", q * k), ("value v", v))
    for axes, (name, values) in zip((panels[0], panels[1], panels[4]), strips, strict=True):
        most = 3 * float(np.sqrt((values**2).mean())) or 1.0
        axes.imshow(values, aspect="auto", cmap=_diverging(), vmin=-most, vmax=most, interpolation="nearest")
        axes.set_xticks([])
        axes.set_title(name, fontsize=8)
    rows = np.arange(len(keys))
    signs = [_POSITIVE if dot > 0 else _NEGATIVE for dot in dots]
    panels[2].barh(rows, dots, color=signs)
    panels[2].set_title("q·k scaled", fontsize=8)
    panels[3].barh(rows, weights, color=_colour(scene, selection["heads"][0]))
    panels[3].set_title("softmax", fontsize=8)
    panels[3].set_xlim(0, 1)
    panels[0].set_yticks(rows, keys, fontsize=8)
    for axes in panels:
        axes.tick_params(length=0, labelsize=8)
        for spine in axes.spines.values():
            spine.set_visible(False)
    address = f"head {layer.layer}.{selection['heads'][0]}"
    figure.suptitle(f"{_plain(scene['title'])} · {address}, query of “{queries[query]}”", fontsize=9)


def _links(axes: Axes, scene: Scene, layer: LayerMaps, heads: Sequence[int]) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgb

    # a cubic with level ends, as the view draws it; weak links fade faster where heads are many
    t = np.linspace(0, 1, 24)
    bend = 3 * t**2 - 2 * t**3
    fade = min(1.6, 0.65 + 0.1 * (len(heads) - 1))
    links = []
    for place, head in enumerate(heads):
        weights = _dense(layer, layer.heads.index(head))
        # heads that do the same would hide each other: each leaves a token at its own place
        aside = (place - (len(heads) - 1) / 2) * min(0.12, 0.6 / len(heads))
        for query, key in np.argwhere(weights >= 0.01):
            weight = float(weights[query, key])
            curve = np.stack([t, query + aside + (key - query) * bend], axis=1)
            links.append(
                (weight**fade, curve, (*to_rgb(_colour(scene, head)), weight**fade), 0.3 + 2.2 * weight)
            )
    links.sort(key=lambda link: link[0])
    _, curves, colours, widths = zip(*links, strict=True)
    axes.add_collection(LineCollection(curves, colors=colours, linewidths=widths))


def _token_axes(axes: Axes, queries: Sequence[str], keys: Sequence[str]) -> None:
    axes.set(xlim=(0, 1), ylim=(max(len(queries), len(keys)) - 0.5, -0.5), xticks=[])
    axes.set_yticks(range(len(queries)), queries, fontsize=9)
    right = axes.secondary_yaxis("right")
    right.set_yticks(range(len(keys)), keys, fontsize=9)
    for each in (axes, right):
        each.tick_params(length=0)
        for spine in each.spines.values():
            spine.set_visible(False)


def _names(scene: Scene, maps: Maps) -> tuple[list[str], list[str]]:
    def of(side: SideName) -> list[str]:
        return [_plain(token) for token in scene["sides"][side]["tokens"]]

    queries, keys = SIDES[maps.attention]
    return of(queries), of(keys)


def _plain(text: str) -> str:
    """Cut to what fits, and with nothing that matplotlib or XML would take for its own."""
    kept = "".join(character if character.isprintable() else "\ufffd" for character in text)
    return (kept if len(kept) <= 24 else kept[:23] + "…").replace("$", r"\$")


def _layer(maps: Maps, layer: int) -> LayerMaps:
    return next(each for each in maps.layers if each.layer == layer)


def _dense(layer: LayerMaps, head: int) -> Floats:
    if not isinstance(layer.weights, Strongest):
        whole: Floats = layer.weights[head]
        return whole
    _, queries, keys = layer.shape
    full = np.zeros((queries, keys), dtype=np.float32)
    np.put_along_axis(full, layer.weights.columns[head], layer.weights.weights[head], axis=-1)
    return full


def _shrunk(layer: LayerMaps, head: int, size: int = 64) -> Floats:
    """The map in size x size squares, each the strongest weight in it; or the tiles, where there are."""
    if layer.tiles is not None:
        shares: Floats = layer.tiles.shares[head]
        return shares
    _, queries, keys = layer.shape
    small = np.zeros((min(size, queries), min(size, keys)), dtype=np.float32)
    rows = np.arange(queries) * small.shape[0] // queries
    if isinstance(layer.weights, Strongest):
        columns, weights = layer.weights.columns[head], layer.weights.weights[head]
    else:
        weights = layer.weights[head]
        columns = np.broadcast_to(np.arange(keys), weights.shape)
    np.maximum.at(
        small, (np.broadcast_to(rows[:, None], weights.shape), columns * small.shape[1] // keys), weights
    )
    return small


def _ceiling(shares: Floats) -> float:
    """The share that gets the strongest colour: one tile that has it all would leave the others pale."""
    return float(np.quantile(shares.max(axis=1), 0.9)) or 1.0


def _diverging() -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("signed", [_NEGATIVE, "#ffffff", _POSITIVE])
