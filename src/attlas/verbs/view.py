"""`attlas view`: attention to look at, of a model that reads a text or an image, of tensors, of an atlas."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from attlas.errors import AttlasError, option
from attlas.files import refuse_irregular
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.options.view_options import ViewOptions

if TYPE_CHECKING:
    from attlas.views import View

Tensors = Annotated[Any, o.IN_PYTHON, o.Written("Sequence[Tensor] | None")]
Tokens = Annotated[Sequence[str] | None, o.IN_PYTHON]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(arbitrary_types_allowed=True))
class TensorOptions(o.OptionGroup):
    """Attention that you have computed.

    Parameters
    ----------
    sentence_b_start
        Where the second sentence begins.
    prettify_tokens
        Write tokens without their tokenizer's marks.
    check
        Refuse rows that do not sum to 1.
    encoder_attention
        Attention of an encoder, one tensor [1, heads, n, n] per layer.
    decoder_attention
        Attention of a decoder.
    cross_attention
        Attention from a decoder to an encoder.
    encoder_tokens
        Tokens of the encoder.
    decoder_tokens
        Tokens of the decoder.
    """

    panel: ClassVar[str] = "Tensors"
    sentence_b_start: Annotated[int | None, o.IN_PYTHON] = None
    prettify_tokens: Annotated[bool, o.IN_PYTHON] = True
    check: Annotated[bool, o.IN_PYTHON] = True
    encoder_attention: Tensors = None
    decoder_attention: Tensors = None
    cross_attention: Tensors = None
    encoder_tokens: Tokens = None
    decoder_tokens: Tokens = None


@verb("Look")
def view(
    model: Annotated[
        Any, o.Written("str | Path | Subject | Module | Atlas | Sequence[Tensor] | None"), o.A_MODEL
    ] = "mini",
    text: Annotated[Any, o.Written("Any")] = None,
    text_b: str | None = None,
    /,
    *,
    images: Annotated[Sequence[Any], o.Written("Sequence[Any]")] = (),
    file: o.File | None = None,
    generate: o.CountOrZero = 0,
    why: bool = False,
    atlas: o.AtlasOrFolder | None = None,
    page: o.OutputFile | None = None,
    figure: o.OutputFile | None = None,
    overwrite: o.Overwrite = False,
    edits: Annotated[Sequence[Any], o.IN_PYTHON, o.Written("Sequence[Edit]")] = (),
    view_options: ViewOptions = ViewOptions(),
    tensor_options: TensorOptions = TensorOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> View:
    """Look at attention: links of heads, the whole model, the text, the map, neurons, or an image.

    In the terminal, the page opens in the browser unless --page or --figure says where it goes. In Python,
    `view(attentions, tokens)` shows tensors you have.

    Example: attlas view mini "I went to the store." "At the store, I bought fresh strawberries."

    Parameters
    ----------
    model
        Or what is shown without a model: an atlas that keeps a long document, recorded attention (.npz,
        .safetensors).
    text
        What the model reads. A text, or for a vision model an image file. For recorded attention, the number
        of the text, from 0.
    text_b
        A second sentence; for an encoder-decoder, what the decoder reads.
    images
        Pictures that the model reads with the text: --images cat.png dog.png. In Python also PIL images.
    file
        Read the text from this UTF-8 file.
    generate
        Generate this many more tokens, greedily, and show them too.
    why
        Say why heads look where they look: click a strong link to see who wrote its query and its key.
    atlas
        It is of this model, and its statistics and names order, colour and filter the heads.
    page
        The HTML file to write. It holds the view, and needs nothing else.
    figure
        Draw it as a still picture: .svg, .pdf or .png.
    edits
        Changes to attention while the model reads, of `attlas.edit`.
    """
    if file is not None:
        if text is not None:
            raise AttlasError(f"give the text itself, or {option('file')}, not both")
        text = _read(file)
    if figure is not None:
        _check_format(figure)
    extras = {"generate": generate, "why": why, "edits": tuple(edits), **tensor_options.values()}
    defaults = {"generate": 0, "why": False, "edits": (), **TensorOptions().values()}
    chosen = {name: value for name, value in extras.items() if value is not defaults[name]}
    made = _view_of(model, text, text_b, images, atlas, chosen, view_options, load_options)
    if page is not None:
        made.save(page)
    if figure is not None:
        made.figure(figure)
    return made


def _view_of(
    model: Any,
    text: Any,
    text_b: str | None,
    images: Sequence[Any],
    atlas: Any,
    chosen: dict[str, Any],
    view_options: ViewOptions,
    load_options: o.LoadOptions,
) -> View:
    """The view of whatever this is."""
    from attlas.views.images import is_picture

    tensors = _are_tensors(model) or any(name.endswith("_attention") for name in chosen)
    recorded = isinstance(model, str | Path) and not tensors and _is_recording(model)
    if not (tensors or recorded or model is None or _is_atlas(model)):
        _check_text(text)  # before what takes seconds to import
    from attlas.views import constructors

    if tensors or model is None:
        attention = model if _are_tensors(model) else None  # else it is the default model
        return _build(constructors.view_tensors, (attention, text), view_options, chosen, atlas=atlas)
    if _is_atlas(model):
        if text is not None:
            raise AttlasError(
                f"{getattr(model, 'path', None) or model} holds a document of its own: leave the text out, "
                f"or name a model and give the atlas with {option('atlas')}"
            )
        return _build(constructors.view_atlas, (model,), view_options, chosen, beside=atlas)
    if recorded:
        weights, tokens = _read_weights(model, text)
        chosen = {"sentence_b_start": _begin_second(tokens), **chosen}
        return _build(constructors.view_tensors, (weights, tokens), view_options, chosen, atlas=atlas)
    loading = {"atlas": atlas, **load_options.values()}
    if images:
        opens_as = replace(view_options, kind="image") if view_options.kind == "head" else view_options
        return _build(constructors.view_pictured, (model, text, images), opens_as, chosen, **loading)
    if is_picture(text):
        opens_as = replace(view_options, kind="image") if view_options.kind == "head" else view_options
        return _build(constructors.view_image, (model, text), opens_as, chosen, **loading)
    return _build(constructors.view_model, (model, text, text_b), view_options, chosen, **loading)


def _build(
    constructor: Callable[..., View],
    shown: tuple[Any, ...],
    view_options: ViewOptions,
    chosen: dict[str, Any],
    **more: Any,
) -> View:
    if other := chosen.keys() - inspect.signature(constructor).parameters.keys():
        raise AttlasError(f"{option(min(other))} is not for this kind of view")
    return constructor(*shown, options=view_options, **chosen, **more)


def _check_text(text: Any) -> None:
    if text is None:
        raise AttlasError("a model needs a text to attend to: view(model, text), or view(attentions, tokens)")
    if isinstance(text, str) and not text.strip():
        raise AttlasError("the text is empty")


def _is_recording(model: str | Path) -> bool:
    """What is no file is none: nothing is imported to know that."""
    if not Path(model).is_file():
        return False
    from attlas.corpora.recording import is_recording

    return is_recording(model)


def _read_weights(file: str | Path, text: Any) -> tuple[Any, list[str]]:
    """Weights and tokens of one text of a recording: of the first, if none is chosen."""
    from attlas.corpora.recording import Recording

    recording = Recording.read(file)
    last = len(recording.texts) - 1
    number = 0 if text is None else int(text) if str(text).isdecimal() else -1
    if not 0 <= number <= last:
        raise AttlasError(f"{file} has the texts 0 to {last}: name one of those, and not {text!r}")
    return recording.weights(number), list(recording.texts[number][1])


def _begin_second(tokens: list[str]) -> int | None:
    """Where the second of two sentences begins: after the separators between them."""
    between = [place for place in range(1, len(tokens) - 1) if tokens[place] in ("[SEP]", "</s>")]
    begins = next((place + 1 for place in between if place + 1 not in between), None)
    return begins if begins is not None and begins < len(tokens) - 1 else None


def _are_tensors(what: Any) -> bool:
    return isinstance(what, list | tuple) or hasattr(what, "shape")


def _is_atlas(what: Any) -> bool:
    if isinstance(what, str | Path):
        return (Path(what) / "manifest.json").is_file()
    return hasattr(what, "manifest")


def _check_format(figure: Path) -> None:
    """Refuse a picture that cannot be drawn before a model runs."""
    from attlas.views.display import format_of

    format_of(figure)


def _read(file: Path) -> str:
    refuse_irregular(file)
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise AttlasError(f"{file} is not UTF-8 text") from None
    except OSError as error:
        raise AttlasError(f"{file}: {error.strerror or error}") from error
    if "\0" in text:
        raise AttlasError(f"{file} is not text: it has a zero byte")
    return text
