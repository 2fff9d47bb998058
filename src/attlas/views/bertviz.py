"""BertViz's functions over Attlas's views: change the import, and old notebooks work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from attlas.errors import AttlasError
from attlas.options.view_options import ViewOptions
from attlas.subject import Subject
from attlas.views.constructors import view_model, view_tensors
from attlas.views.display import View, frame_page

Action = Literal["view", "return"]


@dataclass(frozen=True, repr=False)
class Page:
    """A page as BertViz returns it: the HTML is in `data`, and a notebook shows it."""

    data: str

    def _repr_html_(self) -> str:
        return frame_page(self.data)

    def __repr__(self) -> str:
        return f"<page of {len(self.data):,} characters; its HTML is in .data>"


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
    made = view_tensors(
        attention,
        tokens,
        options=ViewOptions(
            layer=_first_layer(layer, include_layers), heads=heads, include_layers=include_layers
        ),
        sentence_b_start=sentence_b_start,
        prettify_tokens=prettify_tokens,
        check=False,
        encoder_attention=encoder_attention,
        decoder_attention=decoder_attention,
        cross_attention=cross_attention,
        encoder_tokens=encoder_tokens,
        decoder_tokens=decoder_tokens,
    )
    return _show_or_return(made, html_action)


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
    made = view_tensors(
        attention,
        tokens,
        options=ViewOptions(
            "model",
            _first_layer(None, include_layers),
            theme=display_mode,
            include_layers=include_layers,
            include_heads=include_heads,
        ),
        sentence_b_start=sentence_b_start,
        prettify_tokens=prettify_tokens,
        check=False,
        encoder_attention=encoder_attention,
        decoder_attention=decoder_attention,
        cross_attention=cross_attention,
        encoder_tokens=encoder_tokens,
        decoder_tokens=decoder_tokens,
    )
    return _show_or_return(made, html_action)


def show(
    model: Any,
    model_type: str | None,
    tokenizer: Any,
    sentence_a: str,
    sentence_b: str | None = None,
    display_mode: Literal["dark", "light"] = "dark",
    layer: int | None = None,
    head: int | None = None,
    html_action: Action = "view",
) -> View | Page | None:
    """The neuron view, with the arguments of BertViz's `neuron_view.show`; `model_type` is not needed."""
    # queries and keys come from the model itself: any transformers model will do, not BertViz's copies alone
    made = view_model(
        Subject(model, tokenizer),
        sentence_a,
        sentence_b,
        options=ViewOptions("neuron", layer, None if head is None else [head], theme=display_mode),
    )
    return _show_or_return(made, html_action)


def _first_layer(layer: int | None, include_layers: Sequence[int] | None) -> int:
    """The layer that BertViz would open on."""
    return layer if layer is not None else min(include_layers or [0])


def _show_or_return(made: View, action: Action) -> View | Page | None:
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
