"""The view in a notebook: an anywidget whose traits are what is chosen in it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, cast

import anywidget
import traitlets

from attlas.views.contract import CHOICES, SELECTION
from attlas.views.scene import Packed
from attlas.views.view_page import bundle

if TYPE_CHECKING:
    from attlas.views.display import View


class AttentionWidget(anywidget.AnyWidget):
    """Read the traits to learn what the reader chose; set them to choose for the reader."""

    _esm, _css = bundle()

    key = traitlets.Unicode().tag(sync=True)  # what pages in frames call this widget by
    scene = traitlets.Dict().tag(sync=True)
    data = traitlets.Bytes().tag(sync=True)

    kind = traitlets.Enum(CHOICES["kind"], help="head, model, text, matrix, neuron or image").tag(sync=True)
    attention = traitlets.Enum(CHOICES["attention"], help="encoder, decoder or cross").tag(sync=True)
    layer = traitlets.Int(help="the layer shown, from 0").tag(sync=True)
    heads = traitlets.List(traitlets.Int(), help="the heads shown, from 0").tag(sync=True)
    pinned = traitlets.List(traitlets.Any(), help='pinned tokens: ("query", 3) or ("key", 5)').tag(sync=True)
    level = traitlets.Enum(CHOICES["level"], help="pieces or words").tag(sync=True)
    layout = traitlets.Enum(CHOICES["layout"], help="columns or rows").tag(sync=True)
    sentences = traitlets.Enum(CHOICES["sentences"], help="from and to which sentence").tag(sync=True)
    threshold = traitlets.Float(
        allow_none=True, help="links below this weight are hidden; None: automatic"
    ).tag(sync=True)
    order = traitlets.Unicode(help="of the model view: layer, a statistic, or asked").tag(sync=True)
    reverse = traitlets.Bool(help="the other way round").tag(sync=True)
    colour = traitlets.Enum(CHOICES["colour"], help="head, behaviour, pattern or shape").tag(sync=True)
    behaviour = traitlets.Unicode(help="only heads with this behaviour").tag(sync=True)
    pattern = traitlets.Unicode(help="only heads with this pattern").tag(sync=True)
    shape = traitlets.Unicode(help="only heads with this shape").tag(sync=True)
    asked = traitlets.List(
        traitlets.Int(), allow_none=True, help="rank all heads by the weight from this token to that one"
    ).tag(sync=True)
    weighting = traitlets.Enum(CHOICES["weighting"], help="weights, or by norm").tag(sync=True)
    direction = traitlets.Enum(CHOICES["direction"], help="of the text view").tag(sync=True)
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

    def replace(self, view: View) -> None:
        """Show another view in place of this one, wherever it is shown: of another text, or after an edit.

        What is chosen stays as far as it fits: pinned tokens where the same token stands.
        """
        scene = view.scene
        opened = scene["selection"]
        layers = {maps["attention"]: maps["layers"] for maps in scene["attentions"]}
        attention = self.attention if self.attention in layers else opened["attention"]
        heads_of = {layer["layer"]: layer["heads"] for layer in layers[attention]}
        layer = next(at for at in (self.layer, opened["layer"], min(heads_of)) if at in heads_of)
        heads = [head for head in self.heads if head in heads_of[layer]] or heads_of[layer]
        # all at once: no header may meet the bytes of another
        with self.hold_sync():
            self.scene, self.data = cast(dict[str, Any], scene), view.packed.data
            self.attention, self.layer, self.heads = attention, layer, heads

    def shows(self, packed: Packed) -> bool:
        """Whether this is what the widget shows, and not another view in its place."""
        return self.data is packed.data

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
