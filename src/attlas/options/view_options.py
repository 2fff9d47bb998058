"""How a view opens: which view, which heads, what is chosen in it. The same in Python and in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from attlas.address import Head
from attlas.choices import (
    Colouring,
    Direction,
    Layout,
    Level,
    MapKind,
    Sentences,
    Theme,
    ViewKind,
    Weighting,
)


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class ViewOptions:
    """How a view opens.

    Parameters
    ----------
    kind
        The view that opens first.
    layer
        The layer shown first, counted from 0.
    heads
        Which heads. Those of the layer, counted from 0, are shown first. Default: all.
    attention
        Which attention is shown first, where a model has several, or its rollout.
    theme
        Light or dark. Default: as your system.
    title
        Title of the page. Default: the model's name.
    include_layers
        Only these layers: long inputs then keep more of each.
    include_heads
        Only these heads.
    level
        Show the tokenizer's pieces, or whole words.
    layout
        Tokens in columns, or in rows.
    sentences
        Show only links within or between the two sentences.
    threshold
        Hide links below this weight. Default: 0.01, or more where there would be too many links.
    order
        What the model view is ordered by: layer, or a statistic's name.
    reverse
        Reverse the order.
    colour
        What colours mean in the model view: the head, or its behaviour, pattern or shape in an atlas.
    behaviour
        Only heads with this behaviour, in the model view: previous, broad, ...
    pattern
        A pattern, as in induction. Shows only heads with it.
    shape
        A shape, as in vertical. Shows only heads with it.
    weighting
        Plain weights, or by norm: times the length of the vector that a weight moves.
    without_first
        Leave out the first token. Default: where it takes much of the attention.
    square
        Pixels per side of a head in the model view. Default: as fits.
    direction
        In the text view: what a token attends to (from), or what attends to it (to).
    asked
        Rank all heads by their weight from one token to another.
    pinned
        Show only links of these tokens: ("query", 3), ("key", 5).
    """

    panel: ClassVar[str] = "View"
    kind: ViewKind = "head"
    layer: int | None = None
    heads: Sequence[int] | None = None
    attention: MapKind | None = None
    theme: Theme = "system"
    title: str | None = None
    include_layers: Sequence[int] | None = None
    include_heads: Sequence[int] | None = None
    level: Level = "pieces"
    layout: Layout = "columns"
    sentences: Sentences = "all"
    threshold: float | None = None
    order: str = "layer"
    reverse: bool = False
    colour: Colouring = "head"
    behaviour: str = ""
    pattern: str = ""
    shape: str = ""
    weighting: Weighting = "weights"
    without_first: bool | None = None
    square: int | None = None
    direction: Direction = "from"
    asked: tuple[int, int] | None = None
    pinned: Sequence[tuple[Literal["query", "key"], int]] = ()

    def first(self, heads: Sequence[Head]) -> list[Head]:
        """All these heads, the chosen ones before the others of their layer, and that layer before others."""
        attention = (self.attention or heads[0].kind).removesuffix(" rollout")
        of_kind = [head.layer for head in heads if head.kind == attention]
        layer = min(of_kind, default=0) if self.layer is None else self.layer

        def far(head: Head) -> tuple[bool, bool, bool]:
            chosen = self.heads is None or head.head in self.heads
            return head.kind != attention, head.layer != layer, not chosen

        return sorted(heads, key=far)

    def includes(self, layer: int, head: int) -> bool:
        """Whether this head is among those that are shown at all."""
        return (self.include_layers is None or layer in self.include_layers) and (
            self.include_heads is None or head in self.include_heads
        )
