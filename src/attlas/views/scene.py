"""A scene: everything one view shows, as the header and the bytes of the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attlas.errors import AttlasError

from .choice import Choice
from .contract import (
    SCHEMA,
    VIEW_KINDS,
    Label,
    Palette,
    Scene,
    Selection,
    SideName,
    Statistic,
    Theme,
)
from .inputs import Maps
from .pack import Block, pack
from .palette import head_colours
from .statistics import of_this_text
from .tokens import side


@dataclass(frozen=True)
class Packed:
    """A header and its bytes, deflated."""

    scene: Scene
    data: bytes


def build(
    maps: Sequence[Maps],
    tokens: Mapping[SideName, Sequence[str]],
    *,
    choice: Choice,
    title: str = "attention",
    theme: Theme = "system",
    b_start: int | None = None,
    prettify: bool = True,
    statistics: Sequence[Statistic] = (),
    labels: Sequence[Label] = (),
) -> Packed:
    """Pack maps and tokens for the front end."""
    selection = _selection(maps, choice)
    _check_b_start(b_start, tokens)
    block = Block()
    attentions, notes = pack(maps, block, choice)
    # tiles know nothing of words and sentences
    tiled = any("tiles" in layer for each in attentions for layer in each["layers"])
    most = 1 + max(head for each in maps for layer in each.layers for head in layer.heads)
    palette: Palette = {"light": list(head_colours(most, "light")), "dark": list(head_colours(most, "dark"))}
    # the sentences are those of the side a single text has; a decoder's own text has no second one
    of_b: SideName = "encoder" if "encoder" in tokens else "decoder"
    scene: Scene = {
        "schema": SCHEMA,
        "title": title,
        "theme": theme,
        "sides": {
            name: side(given, b_start if name == of_b and not tiled else None, prettify, with_words=not tiled)
            for name, given in tokens.items()
        },
        "attentions": attentions,
        "statistics": [*statistics, *of_this_text(maps)],
        "labels": list(labels),
        "palette": palette,
        "selection": selection,
        "notes": notes,
        "bytes": block.size,
    }
    return Packed(scene, block.deflated())


def _selection(maps: Sequence[Maps], choice: Choice) -> Selection:
    if choice.kind not in VIEW_KINDS:
        raise AttlasError(f"there is no {choice.kind!r} view: choose one of {', '.join(VIEW_KINDS)}")
    by_kind = {each.attention: each for each in maps}
    attention = choice.attention or maps[0].attention
    if attention not in by_kind:
        raise AttlasError(f"there is no {attention} attention here: choose one of {', '.join(by_kind)}")
    layers = {layer.layer: layer for layer in by_kind[attention].layers}
    layer = min(layers) if choice.layer is None else choice.layer
    if layer not in layers:
        raise AttlasError(
            f"there is no layer {layer} here: {attention} attention has layers {_span(list(layers))}"
        )
    heads = layers[layer].heads if choice.heads is None else list(choice.heads)
    for head in heads:
        if head not in layers[layer].heads:
            raise AttlasError(
                f"there is no head {layer}.{head} here: layer {layer} has heads {_span(layers[layer].heads)}"
            )
    if not heads:
        raise AttlasError("heads is empty: name at least one head, or leave it out for all")
    if choice.kind == "neuron" and not any(each.vectors for m in maps for each in m.layers):
        raise AttlasError(
            "the neuron view needs queries and keys, which weights alone do not hold: pass a model and a text"
        )
    return {
        "kind": choice.kind,
        "attention": attention,
        "layer": layer,
        "heads": heads,
        "pinned": [],
        "level": "pieces",
        "layout": "columns",
        "sentences": "all",
    }


def _check_b_start(b_start: int | None, tokens: Mapping[SideName, Sequence[str]]) -> None:
    count = len(next(iter(tokens.values())))
    if b_start is not None and not 0 < b_start < count:
        raise AttlasError(
            f"sentence_b_start is {b_start}, but sentence B must begin between token 1 and token {count - 1}"
        )


def _span(numbers: Sequence[int]) -> str:
    if list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(str(number) for number in numbers)
