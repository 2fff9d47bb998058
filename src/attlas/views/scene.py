"""A scene: everything one view shows, as the header and the bytes of the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from attlas.choices import MapKind
from attlas.errors import AttlasError, option
from attlas.options.view_options import ViewOptions
from attlas.views.block import Block
from attlas.views.contract import (
    NAME_KINDS,
    SCHEMA,
    VIEW_KINDS,
    Attention,
    LinkReason,
    Palette,
    Scene,
    SceneEdit,
    SceneImage,
    SceneName,
    SceneStatistic,
    Selection,
    SideName,
)
from attlas.views.first_look import names_on, opening
from attlas.views.inputs import Maps
from attlas.views.pack import pack
from attlas.views.palette import head_colours
from attlas.views.reasons import pack_reasons, strongest_link
from attlas.views.text_measures import statistics_on
from attlas.views.tokens import Writing, side


@dataclass(frozen=True)
class Packed:
    """A header and its bytes, deflated."""

    scene: Scene
    data: bytes


@dataclass(frozen=True)
class About:
    """What a view shows beside its maps."""

    title: str = "attention"
    b_start: int | None = None
    prettify: bool = True
    statistics: Sequence[SceneStatistic] = ()
    names: Sequence[SceneName] = ()
    edits: Sequence[SceneEdit] = ()
    notes: Sequence[str] = ()
    call: str = ""
    images: Sequence[SceneImage] = ()
    writing: Mapping[SideName, Writing] = field(default_factory=dict)
    reasons: Sequence[LinkReason] = ()


def build(
    maps: Sequence[Maps],
    tokens: Mapping[SideName, Sequence[str]],
    options: ViewOptions,
    about: About | None = None,
) -> Packed:
    """Pack maps and tokens for the front end."""
    about = about or About()
    _check_b_start(about.b_start, tokens)
    _check_kind(options, maps, about)
    block = Block()
    opened = opening(maps, tokens, options)
    options = opened.options
    attentions, notes = pack(maps, block, options)
    selection = _open_selection(attentions, options)
    # tiles know nothing of words and sentences
    tiled = any("tiles" in layer for attention in attentions for layer in attention["layers"])
    most = 1 + max(head for attention in maps for layer in attention.layers for head in layer.heads)
    palette: Palette = {"light": list(head_colours(most, "light")), "dark": list(head_colours(most, "dark"))}
    # the sentences are those of the side a single text has; a decoder's own text has no second one
    of_b: SideName = "encoder" if "encoder" in tokens else "decoder"
    scene: Scene = {
        "schema": SCHEMA,
        "title": options.title or about.title,
        "theme": options.theme,
        "sides": {
            name: side(
                strings,
                about.b_start if name == of_b and not tiled else None,
                about.prettify,
                not tiled,
                about.writing.get(name),
            )
            for name, strings in tokens.items()
        },
        "attentions": attentions,
        "statistics": [*about.statistics, *statistics_on(maps)],
        "names": list(about.names) or names_on(maps, tokens),
        "names_from": "atlas" if about.names else "text",
        "palette": palette,
        "selection": selection,
        "edits": list(about.edits),
        "notes": [*about.notes, *notes],
        "why": opened.why,
        "call": about.call,
        "bytes": block.size,
    }
    if about.images:
        scene["images"] = list(about.images)
    if about.reasons:
        scene["reasons"] = pack_reasons(about.reasons, block)
        scene["bytes"] = block.size
        if not options.pinned and options.kind in ("head", "matrix"):
            selection["pinned"] = strongest_link(about.reasons, selection)
    _check_choices(scene)
    return Packed(scene, block.compress())


def _check_kind(options: ViewOptions, maps: Sequence[Maps], about: About) -> None:
    if options.kind not in VIEW_KINDS:
        raise AttlasError(f"there is no {options.kind!r} view: choose one of {', '.join(VIEW_KINDS)}")
    if options.kind == "neuron" and not any(layer.vectors for m in maps for layer in m.layers):
        raise AttlasError(
            "the neuron view needs queries and keys, which weights alone do not hold: pass a model and a text"
        )
    if options.kind == "image" and not about.images:
        raise AttlasError("the image view needs a picture: pass a vision model and an image")


def _open_selection(attentions: Sequence[Attention], options: ViewOptions) -> Selection:
    by_kind: dict[MapKind, Attention] = {listed["attention"]: listed for listed in attentions}
    attention = options.attention or attentions[0]["attention"]
    if attention not in by_kind:
        raise AttlasError(f"there is no {attention} attention here: choose one of {', '.join(by_kind)}")
    layers = {layer["layer"]: layer for layer in by_kind[attention]["layers"]}
    layer = min(layers) if options.layer is None else options.layer
    if layer not in layers:
        raise AttlasError(
            f"there is no layer {layer} here: {attention} attention has layers {_span_text(list(layers))}"
        )
    known = layers[layer]["heads"]
    heads = known if options.heads is None else list(options.heads)
    for head in heads:
        if head not in known:
            raise AttlasError(
                f"there is no head {layer}.{head} here: layer {layer} has heads {_span_text(known)}"
            )
    if not heads:
        raise AttlasError("heads is empty: name at least one head, or leave it out for all")
    if len(set(heads)) < len(heads):
        raise AttlasError(f"{option('heads', heads)} names a head twice: name each once")
    return {
        "kind": options.kind,
        "attention": attention,
        "layer": layer,
        "heads": heads,
        "pinned": [(end, int(token)) for end, token in options.pinned],
        "level": options.level,
        "layout": options.layout,
        "sentences": options.sentences,
        "threshold": options.threshold,
        "order": options.order,
        "reverse": options.reverse,
        "colour": options.colour,
        "behaviour": options.behaviour,
        "pattern": options.pattern,
        "shape": options.shape,
        "asked": options.asked,
        "weighting": options.weighting,
        "direction": options.direction,
        "without_first": bool(options.without_first),
        "square": options.square,
    }


def _check_choices(scene: Scene) -> None:
    """Check that what was asked for is there: a statistic to order by, names, tokens to pin."""
    selection = scene["selection"]
    of = next(
        attention for attention in scene["attentions"] if attention["attention"] == selection["attention"]
    )
    counts = {
        "query": len(scene["sides"][of["queries"]]["tokens"]),
        "key": len(scene["sides"][of["keys"]]["tokens"]),
    }
    for end, token in [*selection["pinned"], *zip(("query", "key"), selection["asked"] or (), strict=False)]:
        if end not in counts or not 0 <= token < counts[end]:
            raise AttlasError(
                f"there is no token {(end, token)!r} here: say query or key, 0 to {min(counts.values()) - 1}"
            )
    orders = ["layer", "asked", *(attention["name"] for attention in scene["statistics"])]
    if selection["order"] not in orders:
        short = [name.removesuffix(" (this text)") for name in orders]
        if selection["order"] not in short:
            raise AttlasError(
                f"heads cannot be ordered by {selection['order']!r}: choose one of {', '.join(short)}"
            )
        selection["order"] = orders[short.index(selection["order"])]
    _check_names(scene)
    if selection["square"] is not None and not 8 <= selection["square"] <= 400:
        raise AttlasError(f"square is {selection['square']}: choose 8 to 400 pixels")
    most = 1 if of["shares"] else 1e6  # no weight of a row that sums to 1 is larger
    if selection["threshold"] is not None and not 0 <= selection["threshold"] <= most:
        upper = "from 0 to 1" if of["shares"] else "0 or more"
        raise AttlasError(f"{option('threshold', selection['threshold'])} is not a weight: choose {upper}")


def _check_names(scene: Scene) -> None:
    selection = scene["selection"]
    known = {kind: [name["name"] for name in scene["names"] if name["kind"] == kind] for kind in NAME_KINDS}
    kind = selection["colour"]
    if kind != "head" and kind not in known:
        raise AttlasError(f"heads cannot be coloured by {kind!r}: choose head or {', '.join(NAME_KINDS)}")
    if kind != "head" and not known[kind]:
        raise AttlasError(f"heads cannot be coloured by {kind}: no atlas names the {kind}s of these heads")
    for kind in NAME_KINDS:
        wanted = selection[kind]
        if wanted and wanted not in known[kind]:
            there = ", ".join(known[kind]) or "none: give an atlas that names them"
            raise AttlasError(f"no head has the {kind} {wanted!r}: known are {there}")


def _check_b_start(b_start: int | None, tokens: Mapping[SideName, Sequence[str]]) -> None:
    count = len(next(iter(tokens.values())))
    if b_start is not None and not 0 < b_start < count:
        raise AttlasError(
            f"sentence_b_start is {b_start}, but sentence B must begin between token 1 and token {count - 1}"
        )


def _span_text(numbers: Sequence[int]) -> str:
    if list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(str(number) for number in numbers)
