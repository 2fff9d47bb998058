"""Two views side by side on one scale, and what is different between them."""

from __future__ import annotations

from attlas.errors import AttlasError

from .contract import Pane, Scene
from .display import View
from .inputs import LayerMaps, Maps
from .pack import Block, pack
from .rows import Strongest
from .scene import Packed
from .view_options import ViewOptions


def compare(first: View, second: View, names: tuple[str, str] | None = None) -> View:
    """Two inputs, or two models, in one view: what is chosen in one is chosen in both.

    Where both have the same number of tokens, and no rows were cut short, a third pane shows first minus
    second.
    """
    kinds = [maps.attention for maps in first.maps]
    if kinds != [maps.attention for maps in second.maps]:
        raise AttlasError(
            f"{first.scene['title']} and {second.scene['title']} have other kinds of attention: "
            "they cannot be shown side by side"
        )
    called = names or _names(first, second)
    block = Block()
    options = ViewOptions(layer=first.scene["selection"]["layer"], heads=first.scene["selection"]["heads"])
    attentions, notes = pack(first.maps, block, options)
    others, more = pack(second.maps, block, options)
    panes: list[Pane] = [{"name": called[1], "sides": second.scene["sides"], "attentions": others}]
    difference = _difference(first, second)
    if difference:
        packed, _ = pack(difference, block, options)
        panes.append(
            {"name": f"{called[0]} − {called[1]}", "sides": first.scene["sides"], "attentions": packed}
        )
    else:
        notes.append("No difference is shown: the two have other tokens or heads, or are too long.")
    scene: Scene = {
        **first.scene,
        "title": f"{first.scene['title']} beside {second.scene['title']}",
        "attentions": attentions,
        "notes": list(dict.fromkeys([*first.scene["notes"], *second.scene["notes"], *notes, *more])),
        "call": "",
        "name": called[0],
        "panes": panes,
        "bytes": block.size,
    }
    return View(Packed(scene, block.deflated()), first.maps)


def _names(first: View, second: View) -> tuple[str, str]:
    title, other = first.scene["title"], second.scene["title"]
    return (title, other) if title != other else ("A", "B")


def _difference(first: View, second: View) -> list[Maps]:
    """First minus second, of the layers and heads that both have; empty where that means nothing."""
    result = []
    for maps, other in zip(first.maps, second.maps, strict=True):
        if maps.shape != other.shape:
            return []
        theirs = {layer.layer: layer for layer in other.layers}
        layers = []
        for layer in maps.layers:
            match = theirs.get(layer.layer)
            if match is None or match.heads != layer.heads:
                return []
            if isinstance(layer.weights, Strongest) or isinstance(match.weights, Strongest):
                return []
            layers.append(LayerMaps(layer.layer, layer.heads, layer.weights - match.weights))
        result.append(Maps(maps.attention, layers, shares=False))
    return result
