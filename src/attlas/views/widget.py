"""The view in a notebook: an anywidget whose traits are what is chosen in it."""

from __future__ import annotations

import secrets
from typing import Any

import anywidget
import traitlets

from .contract import MAP_KINDS, NAME_KINDS, VIEW_KINDS
from .scene import Packed
from .view_page import bundle

SELECTION = (
    *("kind", "attention", "layer", "heads", "pinned", "level", "layout", "sentences", "threshold"),
    *("order", "reverse", "colour", "behaviour", "pattern", "shape", "asked", "weighting", "direction"),
    *("without_first", "square"),
)


class AttentionWidget(anywidget.AnyWidget):
    """Read the traits to learn what the reader chose; set them to choose for the reader."""

    _esm, _css = bundle()

    key = traitlets.Unicode().tag(sync=True)  # what pages in frames call this widget by
    scene = traitlets.Dict().tag(sync=True)
    data = traitlets.Bytes().tag(sync=True)

    kind = traitlets.Enum(VIEW_KINDS, help="head, model, text, matrix, neuron or image").tag(sync=True)
    attention = traitlets.Enum(MAP_KINDS, help="encoder, decoder or cross").tag(sync=True)
    layer = traitlets.Int(help="the layer shown, from 0").tag(sync=True)
    heads = traitlets.List(traitlets.Int(), help="the heads shown, from 0").tag(sync=True)
    pinned = traitlets.List(traitlets.Any(), help='pinned tokens: ("query", 3) or ("key", 5)').tag(sync=True)
    level = traitlets.Enum(("pieces", "words"), help="pieces or words").tag(sync=True)
    layout = traitlets.Enum(("columns", "rows"), help="columns or rows").tag(sync=True)
    sentences = traitlets.Enum(("all", "a-a", "b-b", "a-b", "b-a"), help="from and to which sentence").tag(
        sync=True
    )
    threshold = traitlets.Float(
        allow_none=True, help="links below this weight are hidden; None: automatic"
    ).tag(sync=True)
    order = traitlets.Unicode(help="of the model view: layer, a statistic, or asked").tag(sync=True)
    reverse = traitlets.Bool(help="the other way round").tag(sync=True)
    colour = traitlets.Enum(("head", *NAME_KINDS), help="head, behaviour, pattern or shape").tag(sync=True)
    behaviour = traitlets.Unicode(help="only heads with this behaviour").tag(sync=True)
    pattern = traitlets.Unicode(help="only heads with this pattern").tag(sync=True)
    shape = traitlets.Unicode(help="only heads with this shape").tag(sync=True)
    asked = traitlets.List(
        traitlets.Int(), allow_none=True, help="rank all heads by the weight from this token to that one"
    ).tag(sync=True)
    weighting = traitlets.Enum(("weights", "norm"), help="weights, or by norm").tag(sync=True)
    direction = traitlets.Enum(("from", "to"), help="of the text view").tag(sync=True)
    without_first = traitlets.Bool(help="without what is on the first token").tag(sync=True)
    square = traitlets.Int(
        allow_none=True, help="pixels on a side of a head in the model view; None: as fits"
    ).tag(sync=True)

    def __init__(self, packed: Packed, **traits: Any) -> None:
        selection = packed.scene["selection"]
        chosen = {name: selection[name] for name in SELECTION}  # type: ignore[literal-required]
        chosen["asked"] = None if selection["asked"] is None else list(selection["asked"])
        chosen |= {"key": secrets.token_hex(16), "scene": packed.scene, "data": packed.data}
        # all at once: the front end looks at a model as soon as it is there
        super().__init__(**chosen, **traits)

    @traitlets.validate("layer")
    def _known_layer(self, proposal: Any) -> int:
        known = [layer["layer"] for layer in self._layers()]
        if known and proposal["value"] not in known:
            raise traitlets.TraitError(f"there is no layer {proposal['value']} here; layers are {known}")
        return int(proposal["value"])

    @traitlets.validate("heads")
    def _known_heads(self, proposal: Any) -> list[int]:
        known = {head for layer in self._layers() for head in layer["heads"]}
        wrong = set(proposal["value"]) - known
        if known and (wrong or not proposal["value"]):
            raise traitlets.TraitError(f"heads must be some of {sorted(known)}, not {proposal['value']}")
        return list(proposal["value"])

    def _layers(self) -> list[Any]:
        attentions = self.scene.get("attentions", [])
        return [
            layer
            for attention in attentions
            if attention["attention"] == self.attention
            for layer in attention["layers"]
        ]
