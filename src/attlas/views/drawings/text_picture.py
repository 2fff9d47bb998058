"""The text as prose, glowing where a token looks; and patches glowing over an image."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

import numpy as np

from attlas.array_types import Floats32
from attlas.views.drawings.neuron import chosen_query
from attlas.views.drawings.still import Still, fit_text, weight_text
from attlas.views.inputs import SIDES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST = 1500  # units in a picture


def draw(still: Still, figure: Figure) -> None:
    """Words in lines, each as strong as the weight on it (or from it), the mean over the chosen heads."""
    from matplotlib.colors import to_rgb

    asked, weights, direction = _glow(still)
    units = (still.keys if direction == "from" else still.queries)[:_MOST]
    width = still.width or 6.9
    per_line = int(width * 14)
    lines: list[list[int]] = [[]]
    used = 0
    for i, unit in enumerate(units):
        length = len(fit_text(unit.text)) + 1
        if used + length > per_line:
            lines.append([])
            used = 0
        lines[-1].append(i)
        used += length
    figure.set_size_inches(width, 0.7 + 0.21 * len(lines))
    axes = figure.add_subplot()
    axes.set(xlim=(0, per_line), ylim=(len(lines), 0))
    axes.set_axis_off()
    most = float(np.abs(weights).max()) or 1.0
    for row, line in enumerate(lines):
        x = 0
        for i in line:
            text = fit_text(units[i].text)
            strong = float(min(1, abs(weights[i]) / most)) ** 0.7
            colour = still.colours.positive if weights[i] >= 0 else still.colours.negative
            box = {"facecolor": (*to_rgb(colour), 0.85 * strong), "edgecolor": "none", "pad": 1.2}
            if still.queries[asked].start == units[i].start:
                box |= {"edgecolor": still.colours.ink, "linewidth": 0.8}
            ink = still.colours.page if strong > 0.6 else still.colours.ink
            axes.text(x, row + 0.5, text, fontsize=8, va="center", color=ink, bbox=box, family="monospace")
            x += len(text) + 1
    verb = "attends to" if direction == "from" else "is attended to by"
    name = fit_text((still.queries if direction == "from" else still.keys)[asked].text)
    axes.set_title(f"{still.title}: “{name}” {verb}", fontsize=9, color=still.colours.ink)
    figure.supxlabel(f"full colour: {weight_text(most)}", fontsize=7, color=still.colours.quiet)


def draw_image(still: Still, figure: Figure) -> None:
    """The picture, each patch lit by the weight on it, once for every chosen head."""
    from PIL import Image as pillow

    side = SIDES[still.maps.attention][1]
    image = next(i for i in still.scene["images"] if i["side"] == side)
    picture = pillow.open(io.BytesIO(base64.b64decode(image["source"].split(",", 1)[1])))
    asked = next((piece for end, piece in still.selection["pinned"] if end == "query"), 0)
    names = still.scene["sides"][side]["tokens"]
    heads = still.heads
    columns = min(len(heads), 4)
    rows = -(-len(heads) // columns)
    width = still.width or 1.9 * columns
    figure.set_size_inches(width, 0.6 + rows * (width / columns + 0.2))
    panels = figure.subplots(rows, columns, squeeze=False)
    grey = np.asarray(picture.convert("L"), dtype=np.float32) / 255
    for panel in panels.ravel():
        panel.set_axis_off()
    for panel, head in zip(panels.ravel(), heads, strict=False):
        weights = still.weights(head)[asked]
        count = image["rows"] * image["columns"]
        patches = weights[image["before"] :][:count].reshape(image["rows"], image["columns"])
        panel.imshow(grey, cmap="gray", extent=(0, 1, 1, 0))
        shade = np.sqrt(patches / max(float(patches.max()), 1e-9))
        panel.imshow(shade, cmap="viridis", alpha=0.65, extent=(0, 1, 1, 0), vmin=0, vmax=1)
        on_class = f", on {names[0]} {weight_text(float(weights[0]))}" if image["before"] else ""
        panel.set_title(
            f"{still.layer.layer}.{head}: up to {weight_text(float(patches.max()))}{on_class}",
            fontsize=6,
            color=still.colours.ink,
        )
    figure.suptitle(
        f"{fit_text(still.scene['title'], 40)} · from {names[asked]}", fontsize=9, color=still.colours.ink
    )


def _glow(still: Still) -> tuple[int, Floats32, str]:
    """The unit that is asked about, and the weights from or to it, the mean over the chosen heads."""
    direction = still.selection["direction"]
    units = still.queries if direction == "from" else still.keys
    maps = np.mean([still.weights(head) for head in still.heads], axis=0)
    pinned = next((piece for _, piece in still.selection["pinned"]), None)
    if pinned is None:
        asked = min(chosen_query(still, maps), len(units) - 1)
    else:
        asked = next((i for i, unit in enumerate(units) if unit.start <= pinned < unit.end), 0)
    return asked, maps[asked] if direction == "from" else maps[:, asked], direction
