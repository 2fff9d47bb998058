"""The verb `view`: attention of a model on a text, or of your own tensors, to look at."""

from __future__ import annotations

import html
import tempfile
import webbrowser
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attlas.errors import AttlasError

from .contract import AttentionKind, Scene, SideName, Theme, ViewKind
from .inputs import Maps, read
from .page import page
from .scene import Choice, Packed, build
from .statistics import from_atlas

if TYPE_CHECKING:
    from .widget import AttentionWidget


@dataclass(frozen=True)
class View:
    """A view, not yet shown: a notebook shows it by itself; `save`, `figure` and `open` put it elsewhere."""

    packed: Packed
    maps: Sequence[Maps]

    @property
    def scene(self) -> Scene:
        """What the view shows, as the front end gets it."""
        return self.packed.scene

    @cached_property
    def widget(self) -> AttentionWidget:
        """The view as a widget, whose traits (kind, layer, heads, pinned, ...) are what is chosen in it."""
        try:
            from .widget import AttentionWidget
        except ImportError as error:
            raise AttlasError("views in notebooks need anywidget: pip install 'attlas[notebook]'") from error
        return AttentionWidget(self.packed)

    def html(self) -> str:
        """A self-contained page."""
        return page(self.packed)

    def save(self, path: str | Path) -> Path:
        """Write the self-contained page."""
        file = Path(path)
        try:
            file.write_text(self.html(), encoding="utf-8", newline="\n")
        except OSError as error:
            raise AttlasError(f"cannot write {file}: {error.strerror or error}") from error
        return file

    def figure(self, path: str | Path) -> Path:
        """Draw what is chosen as a still picture: SVG, PDF or PNG by the name's ending; needs no browser."""
        from .figure import draw

        return draw(self.scene, self.maps, Path(path))

    def open(self) -> Path:
        """Show the page in the browser, from a temporary file."""
        file = self.save(Path(tempfile.mkdtemp(prefix="attlas-")) / "view.html")
        webbrowser.open(file.as_uri())
        return file

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """How notebooks show it: as a widget, or where anywidget is missing as a page within the page."""
        try:
            from . import widget  # noqa: F401
        except ImportError:
            inner = html.escape(self.html(), quote=True)
            return {
                "text/html": f'<iframe srcdoc="{inner}" style="width:100%;height:720px;border:0"></iframe>',
                "text/plain": repr(self),
            }
        return self.widget._repr_mimebundle_(**options)

    def _display_(self) -> AttentionWidget:
        """How marimo shows it."""
        return self.widget

    def __repr__(self) -> str:
        selection = self.scene["selection"]
        return f"<{selection['kind']} view of {self.scene['title']}>"


def view(
    source: Any = None,
    text: str | Sequence[str] | None = None,
    text_b: str | None = None,
    *,
    kind: ViewKind = "head",
    layer: int | None = None,
    heads: Sequence[int] | None = None,
    attention: AttentionKind | None = None,
    atlas: str | Path | None = None,
    theme: Theme = "system",
    title: str | None = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    include_layers: Collection[int] | None = None,
    include_heads: Collection[int] | None = None,
) -> View:
    """Look at attention.

    `view("mini", "I went to the store.", "At the store, I bought fresh strawberries.")` runs a model: the
    name of one, its folder, a transformers model or a Subject. `view(attentions, tokens)` shows tensors you
    have: one [1, heads, n, n] a layer, torch or numpy; for encoder-decoder models pass `encoder_attention`,
    `decoder_attention`, `cross_attention` with `encoder_tokens` and `decoder_tokens`, any of them.

    `kind` is the view that opens first (head, model, neuron, matrix), `layer` and `heads` what it shows;
    `atlas` is a folder made by `attlas map`, whose statistics and labels order and filter the model view.
    """
    choice = Choice(kind, attention, layer, heads)
    statistics, labels = from_atlas(atlas) if atlas is not None else ([], [])
    own = {"encoder": encoder_attention, "decoder": decoder_attention, "cross": cross_attention}
    given: dict[AttentionKind, Any] = {k: v for k, v in own.items() if v is not None}  # type: ignore[misc]
    maps: list[Maps]
    tokens: Mapping[SideName, Sequence[str]]
    if _is_model(source, given):
        from .model import look

        subject = _subject("mini" if source is None else source)
        looked = look(
            subject,
            _one_text(text),
            text_b,
            first_layer=layer or 0,
            include_layers=include_layers,
            include_heads=include_heads,
        )
        maps, tokens, b_start = looked.maps, looked.tokens, looked.b_start
        name = subject.name
    else:
        maps, tokens = _tensors(
            source, text, given, encoder_tokens, decoder_tokens, include_layers, include_heads
        )
        b_start, name = sentence_b_start, "attention"
    packed = build(
        maps,
        tokens,
        choice=choice,
        title=title or name,
        theme=theme,
        b_start=b_start,
        prettify=prettify_tokens,
        statistics=statistics,
        labels=labels,
    )
    return View(packed, maps)


def _is_model(source: Any, given: Mapping[AttentionKind, Any]) -> bool:
    if given and source is not None:
        raise AttlasError(
            "pass either attentions or encoder_attention, decoder_attention and cross_attention, not both"
        )
    if given:
        return False
    is_tensors = isinstance(source, list | tuple) or hasattr(source, "shape")
    return not is_tensors


def _subject(source: Any) -> Any:
    from attlas.subject import Subject, load

    return source if isinstance(source, Subject) else load(source)


def _one_text(text: str | Sequence[str] | None) -> str:
    if not isinstance(text, str):
        raise AttlasError("a model needs a text to attend to: view(model, text), or view(attentions, tokens)")
    return text


def _tensors(
    source: Any,
    tokens: str | Sequence[str] | None,
    given: dict[AttentionKind, Any],
    encoder_tokens: Sequence[str] | None,
    decoder_tokens: Sequence[str] | None,
    include_layers: Collection[int] | None,
    include_heads: Collection[int] | None,
) -> tuple[list[Maps], Mapping[SideName, Sequence[str]]]:
    if given:
        sides: dict[SideName, Sequence[str] | None] = {"encoder": encoder_tokens, "decoder": decoder_tokens}
        known = {side: tokens for side, tokens in sides.items() if tokens is not None}
        return read(given, known, include_layers, include_heads), known
    if tokens is None:
        raise AttlasError("attentions came without tokens: view(attentions, tokens), with a string a token")
    maps = read({"encoder": source}, {"encoder": tokens}, include_layers, include_heads)
    if not maps[0].causal:
        return maps, {"encoder": tokens}
    return [Maps("decoder", maps[0].layers)], {"decoder": tokens}
