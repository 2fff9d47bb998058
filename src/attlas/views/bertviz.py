"""BertViz's two functions over Attlas's views: change the import, and old notebooks work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from attlas.errors import AttlasError

from .display import View
from .verbs import view

Action = Literal["view", "return"]


@dataclass(frozen=True)
class Page:
    """A page as BertViz returns it: the HTML is in `data`."""

    data: str


def head_view(
    attention: Any = None,
    tokens: Sequence[str] | None = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,
    layer: int | None = None,
    heads: Sequence[int] | None = None,
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    include_layers: Sequence[int] | None = None,
    html_action: Action = "view",
) -> View | Page | None:
    """The head view of attention tensors, with BertViz's arguments."""
    made = view(
        attention,
        tokens,
        kind="head",
        layer=layer,
        heads=heads,
        sentence_b_start=sentence_b_start,
        prettify_tokens=prettify_tokens,
        encoder_attention=encoder_attention,
        decoder_attention=decoder_attention,
        cross_attention=cross_attention,
        encoder_tokens=encoder_tokens,
        decoder_tokens=decoder_tokens,
        include_layers=include_layers,
    )
    return _act(made, html_action)


def model_view(
    attention: Any = None,
    tokens: Sequence[str] | None = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,
    display_mode: Literal["dark", "light"] = "dark",
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    include_layers: Sequence[int] | None = None,
    include_heads: Sequence[int] | None = None,
    html_action: Action = "view",
) -> View | Page | None:
    """The model view of attention tensors, with BertViz's arguments."""
    made = view(
        attention,
        tokens,
        kind="model",
        theme=display_mode,
        sentence_b_start=sentence_b_start,
        prettify_tokens=prettify_tokens,
        encoder_attention=encoder_attention,
        decoder_attention=decoder_attention,
        cross_attention=cross_attention,
        encoder_tokens=encoder_tokens,
        decoder_tokens=decoder_tokens,
        include_layers=include_layers,
        include_heads=include_heads,
    )
    return _act(made, html_action)


def _act(made: View, action: Action) -> View | Page | None:
    if action == "return":
        return Page(made.html())
    if action != "view":
        raise AttlasError(f"html_action is {action!r}: it must be 'view' or 'return'")
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        return made
    if get_ipython() is None:
        return made
    display(made)  # type: ignore[no-untyped-call]
    return None
