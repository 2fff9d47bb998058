"""The verb `view`, in Python and in the terminal. What is shown has a constructor each; how, `Options`.

Heavy libraries load when a verb runs, not when it is imported.
"""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from attlas.arguments import checked_values

from .options import Options

if TYPE_CHECKING:
    from .display import View
else:
    View = Path  # the terminal reads annotations


#: what `view` takes besides, where a plain type is wanted
_PLAIN = {"out": "Path | None", "figure": "Path | None", "generate": "int", "dtype": "str"}


def view(what: Any = "mini", text: Any = None, text_b: str | None = None, **more: Any) -> View:
    """Look at attention: links of heads, the whole model, the text, the map, neurons, or an image.

    `view(model, text)` runs a model: the embedded `mini`, a folder, a name on the hub, or one in memory; with
    `generate=20` it goes on writing. `view(model, image)` shows patches over a picture.
    `view(attentions, tokens)` takes tensors you have, `view(atlas)` the long document that an atlas keeps.
    These are `view_model`, `view_image`, `view_tensors` and `view_atlas` of `attlas.views`, with the
    arguments each has; how the view opens is said with the fields of `attlas.views.Options`, as in
    `view("mini", text, kind="model")`.
    """
    names = {field.name for field in fields(Options)}
    how = {name: more.pop(name) for name in list(more) if name in names}
    how |= checked_values(Options.__annotations__, how, {})
    more |= checked_values(_PLAIN, more, {})
    options = replace(more.pop("options", Options()), **how)
    out, figure = more.pop("out", None), more.pop("figure", None)
    _check_files(out, figure)
    made = _made(what, text, text_b, options, "kind" in how, more)
    if out is not None:
        made.save(out)
    if figure is not None:
        made.figure(figure)
    return made


def view_command(
    model: str = "mini",
    words: Annotated[str | None, Parameter(allow_leading_hyphen=False)] = None,
    text_b: str | None = None,
    *,
    text: Path | None = None,
    generate: int = 0,
    options: Annotated[Options | None, Parameter(name="*")] = None,
    atlas: Path | None = None,
    out: Path | None = None,
    figure: Path | None = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
) -> View:
    """Look at attention: links of heads, the whole model, the text, the map, neurons, or an image.

    Example: attlas view mini "I went to the store." "At the store, I bought fresh strawberries."

    The page opens in the browser, unless --out or --figure says where it goes.

    Parameters
    ----------
    model
        The embedded `mini`, a folder that transformers saved, a GGUF file, or a name on the hub. Or what is
        shown without a model: an atlas that keeps a long document, recorded attention (.npz, .safetensors).
    words
        What the model reads: a text, or for a vision model an image file. Of recorded attention, the number
        of the text, from 0.
    text_b
        A second sentence; what the decoder reads, for an encoder-decoder model.
    text
        Read the text from this UTF-8 file.
    generate
        Let the model write so many tokens more, the likeliest each time, and show them too.
    atlas
        An atlas of this model, whose statistics and names order, colour and filter the model view.
    out
        Write the view as one self-contained HTML file.
    figure
        Draw it as a still picture: .svg, .pdf or .png.
    device
        Where the model runs; a GPU if there is one.
    dtype
        float32, bfloat16 or float16.
    trust_remote_code
        Run code that comes with the model. Off for a reason.
    """
    from attlas.errors import AttlasError

    if text is not None:
        if words is not None:
            raise AttlasError("give the text itself, or --text FILE, not both")
        words = _read(text)
    options = options or Options()
    more: dict[str, Any] = {"device": device, "dtype": dtype, "trust_remote_code": trust_remote_code}
    if generate:
        more["generate"] = generate
    if atlas is not None:
        more["atlas"] = atlas
    _check_files(out, figure)
    made = _made(model, words, text_b, options, options.kind != "head", more)
    if out is not None:
        made.save(out)
    if figure is not None:
        made.figure(figure)
    return made


def _made(
    what: Any, text: Any, text_b: str | None, options: Options, chosen: bool, more: dict[str, Any]
) -> View:
    """The view of whatever this is. `chosen`: somebody said which kind of view."""
    from attlas.corpora.recording import is_recording
    from attlas.errors import AttlasError

    from .images import is_picture

    tensors = _are_tensors(what) or any(name.endswith("_attention") for name in more)
    recorded = isinstance(what, str | Path) and not tensors and is_recording(what)
    if not (tensors or recorded or what is None or _is_atlas(what)):
        _check_text(text)  # before what takes seconds to import
    from . import constructors

    def made(constructor: Any, *given: Any, of: Options = options) -> View:
        try:
            return constructor(*given, options=of, **more)  # type: ignore[no-any-return]
        except TypeError as error:
            if "unexpected keyword argument" not in str(error) or constructor.__name__ not in str(error):
                raise
            name = str(error).rsplit("'", 2)[-2]
            raise AttlasError(f"there is no option {name!r} for this kind of view") from None

    if tensors:
        if what is not None and not _are_tensors(what):
            what = None  # the default model
        return made(constructors.view_tensors, what, text)
    if what is None:
        return made(constructors.view_tensors, None, text)
    if _is_atlas(what):
        if text is not None:
            raise AttlasError(
                f"{getattr(what, 'path', None) or what} holds a document of its own: leave the text out, "
                "or name a model and give the atlas with --atlas"
            )
        if "atlas" in more:
            more["beside"] = more.pop("atlas")
        for name in ("device", "dtype", "trust_remote_code"):
            more.pop(name, None)
        return made(constructors.view_atlas, what)
    if recorded:
        for name in ("device", "dtype", "trust_remote_code"):
            more.pop(name, None)
        return made(constructors.view_tensors, *_recorded(what, text))
    if is_picture(text):
        if not chosen:
            return made(constructors.view_image, what, text, of=replace(options, kind="image"))
        return made(constructors.view_image, what, text)
    return made(constructors.view_model, what, text, text_b)


def _check_text(text: Any) -> None:
    from attlas.errors import AttlasError

    if text is None:
        raise AttlasError("a model needs a text to attend to: view(model, text), or view(attentions, tokens)")
    if isinstance(text, str) and not text.strip():
        raise AttlasError("the text is empty")


def _recorded(file: str | Path, text: Any) -> tuple[Any, list[str]]:
    """Weights and tokens of one text of a recording: of the first, if none is chosen."""
    from attlas.corpora.recording import Recording
    from attlas.errors import AttlasError

    recording = Recording.read(file)
    last = len(recording.texts) - 1
    number = 0 if text is None else int(text) if str(text).isdecimal() else -1
    if not 0 <= number <= last:
        raise AttlasError(f"{file} has the texts 0 to {last}: name one of those, and not {text!r}")
    return recording.weights(number), list(recording.texts[number][1])


def _are_tensors(what: Any) -> bool:
    return isinstance(what, list | tuple) or hasattr(what, "shape")


def _is_atlas(what: Any) -> bool:
    if isinstance(what, str | Path):
        return (Path(what) / "manifest.json").is_file()
    return hasattr(what, "manifest")


def _check_files(out: Any, figure: Any) -> None:
    """What cannot be written is said before a model runs."""
    from attlas.files import check_writable

    for path in (out, figure):
        if path is not None:
            check_writable(Path(path))
    if figure is not None:
        from .figure import check_ending

        check_ending(Path(figure))


def _read(file: Path) -> str:
    from attlas.errors import AttlasError

    try:
        text = file.read_text(encoding="utf-8")
        if "\0" in text:
            raise AttlasError(f"{file} is not text: it has a zero byte")
        return text
    except UnicodeDecodeError:
        raise AttlasError(f"{file} is not UTF-8 text") from None
    except OSError as error:
        raise AttlasError(f"{file}: {error.strerror or error}") from error
