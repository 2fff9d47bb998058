"""The verb `view`: the same name and defaults in Python and in the terminal.

Heavy libraries load when a verb runs, not when it is imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

if TYPE_CHECKING:
    from attlas.atlas import Atlas

    from .contract import AttentionKind, SideName, Theme, ViewKind
    from .display import View
    from .inputs import Maps

    Source = Any
    Text = str | Sequence[str]
else:
    # the terminal knows strings and numbers only, and reads these annotations
    Source = Text = str
    View = Path
    ViewKind = Literal["head", "model", "neuron", "matrix"]
    AttentionKind = Literal["encoder", "decoder", "cross"]
    Theme = Literal["system", "light", "dark"]

InPython = Parameter(parse=False)


def view(
    model: Source = "mini",
    text: Text | None = None,
    text_b: str | None = None,
    *,
    kind: ViewKind = "head",
    layer: int | None = None,
    heads: Sequence[int] | None = None,
    attention: AttentionKind | None = None,
    out: Path | None = None,
    figure: Path | None = None,
    atlas: Path | None = None,
    theme: Theme = "system",
    title: str | None = None,
    include_layers: Sequence[int] | None = None,
    include_heads: Sequence[int] | None = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    sentence_b_start: Annotated[int | None, InPython] = None,
    prettify_tokens: Annotated[bool, InPython] = True,
    encoder_attention: Annotated[Any, InPython] = None,
    decoder_attention: Annotated[Any, InPython] = None,
    cross_attention: Annotated[Any, InPython] = None,
    encoder_tokens: Annotated[Any, InPython] = None,
    decoder_tokens: Annotated[Any, InPython] = None,
) -> View:
    """Look at attention: links of heads, the whole model, neurons, or the map as a matrix.

    Example: attlas view mini "I went to the store." "At the store, I bought fresh strawberries."

    In the terminal the page opens in the browser, unless --out or --figure says where it goes. In Python the
    view is returned, and a notebook shows it. There `view(attentions, tokens)` takes tensors you have: one
    [1, heads, n, n] a layer, torch or numpy, with `sentence_b_start` for the sentence filter; or
    `encoder_attention`, `decoder_attention`, `cross_attention` with `encoder_tokens` and `decoder_tokens`.

    Parameters
    ----------
    model
        The embedded `mini`, a folder that transformers saved, or a name on the hub. Or an atlas that keeps a
        long document: that is shown then, and no model runs.
    text
        What the model reads.
    text_b
        A second sentence; what the decoder reads, for an encoder-decoder model.
    kind
        The view that opens first.
    layer
        The layer shown first, counted from 0.
    heads
        The heads shown first, counted from 0; all if not given.
    attention
        Which attention is shown first, where a model has several.
    out
        Write the view as one self-contained HTML file.
    figure
        Draw it as a still picture: .svg, .pdf or .png.
    atlas
        An atlas of this model, whose statistics and labels order and filter the model view.
    theme
        Light or dark; as the system is if not given.
    title
        The name at the top; the model's if not given.
    include_layers
        Only these layers: long inputs then keep more of each.
    include_heads
        Only these heads.
    device
        Where the model runs; a GPU if there is one.
    dtype
        float32, bfloat16 or float16.
    trust_remote_code
        Run code that comes with the model. Off for a reason.
    """
    from .choice import Choice
    from .display import View as Made
    from .scene import build
    from .statistics import check_heads, from_atlas

    choice = Choice(kind, attention, layer, heads)
    opened = _opened(atlas)
    statistics, labels = from_atlas(opened) if opened is not None else ([], [])
    own = {"encoder": encoder_attention, "decoder": decoder_attention, "cross": cross_attention}
    given = {name: tensors for name, tensors in own.items() if tensors is not None}
    maps: list[Maps]
    sides: dict[SideName, Sequence[str]]
    if _are_tensors(model) or given:
        sides = {"encoder": encoder_tokens, "decoder": decoder_tokens} if given else {"encoder": text}  # type: ignore[dict-item]
        maps, sides = _of_tensors(model, given, sides, include_layers, include_heads)
        b_start, name = sentence_b_start, "attention"
    elif (kept := _stored(model, text)) is not None:
        from .stored import look as look_at

        looked, choice = look_at(kept, choice, include_layers, include_heads)
        maps, sides, b_start, name = looked.maps, dict(looked.tokens), None, kept.manifest["model"]["name"]
        if opened is None:
            statistics, labels = from_atlas(kept)
        else:
            check_heads(opened, kept.addresses, name)
    else:
        from .model import look

        subject = _subject(model, device, dtype, trust_remote_code)
        if opened is not None:
            check_heads(opened, subject.heads, subject.name)
        looked = look(
            subject,
            _one_text(text),
            text_b,
            choice=choice,
            include_layers=include_layers,
            include_heads=include_heads,
        )
        maps, sides, b_start, name = looked.maps, dict(looked.tokens), looked.b_start, subject.name
    packed = build(
        maps,
        sides,
        choice=choice,
        title=title or name,
        theme=theme,
        b_start=b_start,
        prettify=prettify_tokens,
        statistics=statistics,
        labels=labels,
    )
    made = Made(packed, maps)
    if out is not None:
        made.save(out)
    if figure is not None:
        made.figure(figure)
    return made


def _opened(atlas: Any) -> Atlas | None:
    from attlas.atlas import load_atlas

    return load_atlas(atlas) if isinstance(atlas, str | Path) else atlas


def _are_tensors(source: Any) -> bool:
    return isinstance(source, list | tuple) or hasattr(source, "shape")


def _of_tensors(
    source: Any,
    given: dict[str, Any],
    sides: dict[SideName, Sequence[str]],
    include_layers: Sequence[int] | None,
    include_heads: Sequence[int] | None,
) -> tuple[list[Maps], dict[SideName, Sequence[str]]]:
    from attlas.errors import AttlasError

    from .inputs import Maps, read

    known = {side: tokens for side, tokens in sides.items() if tokens is not None}
    if given and _are_tensors(source):
        raise AttlasError(
            "pass either attentions or encoder_attention, decoder_attention and cross_attention, not both"
        )
    if given:
        return read(given, known, include_layers, include_heads), known  # type: ignore[arg-type]
    if not known:
        raise AttlasError("attentions came without tokens: view(attentions, tokens), with a string a token")
    maps = read({"encoder": source}, known, include_layers, include_heads)
    if not maps[0].causal:
        return maps, known
    return [Maps("decoder", maps[0].layers)], {"decoder": known["encoder"]}


def _stored(source: Any, text: Any) -> Atlas | None:
    """The atlas to view, by its folder or itself; None where the source is something else."""
    named = isinstance(source, str | Path) and (Path(source) / "manifest.json").is_file()
    if not named and not hasattr(source, "manifest"):
        return None
    from attlas.atlas import load_atlas
    from attlas.errors import AttlasError

    atlas: Atlas = load_atlas(source) if named else source
    if text is not None:
        raise AttlasError(
            f"{atlas.path or 'the atlas'} holds a document of its own: leave the text out, or name a model "
            "and give the atlas with --atlas"
        )
    return atlas


def _subject(model: Any, device: str | None, dtype: str, trust_remote_code: bool) -> Any:
    from attlas.subject import Subject, load

    if isinstance(model, Subject):
        return model
    return load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)


def _one_text(text: Any) -> str:
    from attlas.errors import AttlasError

    if not isinstance(text, str):
        raise AttlasError("a model needs a text to attend to: view(model, text), or view(attentions, tokens)")
    return text
