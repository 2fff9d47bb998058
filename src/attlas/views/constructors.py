"""What a view can show: a model that reads a text or an image, tensors, an atlas. Each gives a `View`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attlas.address import Kind
from attlas.atlas.words import model_title
from attlas.errors import AttlasError

from .contract import SceneEdit, SceneName, SceneStatistic, SideName
from .display import View
from .generated import prompt_length
from .inputs import Maps, read
from .scene import About, build
from .statistics import check_heads, from_atlas
from .tokens import Writing
from .view_options import ViewOptions

if TYPE_CHECKING:
    from attlas.atlas import Atlas
    from attlas.corpora.batches import Batch
    from attlas.edits import Edit as Change
    from attlas.subject import Subject

_MOST_QUOTED = 2000  # characters of a text in the call that a page offers to copy


def view_model(
    model: Any,
    text: str,
    text_b: str | None = None,
    *,
    options: ViewOptions | None = None,
    generate: int = 0,
    atlas: Any = None,
    edits: Sequence[Change] = (),
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
) -> View:
    """A model reads a text: `model` is a name, a folder, a transformers model or a `Subject`.

    `generate` is how many tokens it adds, greedily. `atlas` is one of this model, whose statistics and
    names order, colour and filter the heads; `edits` change attention while the model reads.
    """
    from .model import look, second_text

    options = options or ViewOptions()
    if not isinstance(text, str):
        raise AttlasError("a model needs a text to attend to: view(model, text), or view(attentions, tokens)")
    opened = _opened(atlas)
    subject = _subject(model, device, dtype, trust_remote_code)
    if subject.tokenizer is None and "pixel_values" in subject.accepts:
        raise AttlasError(f"{subject.name} reads images, and {text!r} is not an image file")
    statistics, names = _known(opened, subject)
    b_start: int | None
    if generate:
        from .writing import written

        batch, b_start, notes = written(subject, text, generate)
        # an encoder-decoder writes all of the decoder's text but its first token, which is given to it
        generated = 1 if subject.encoder_decoder else b_start
    else:
        generated = None
        batch, b_start, notes = subject.encode(text, text_b), second_text(subject, text, text_b), []
    looked = look(subject, batch, options, edits=edits)
    about = About(
        title=model_title(subject.name),
        b_start=b_start,
        statistics=statistics,
        names=names,
        edits=[_edit(change) for change in edits],
        notes=notes,
        call=_call(subject.name, text, text_b, f"generate={generate}" if generate else ""),
        writing={"decoder": Writing(generated, looked.probabilities)},
    )
    return View(build(looked.maps, looked.tokens, options, about), looked.maps)


def view_image(
    model: Any,
    image: Any,
    *,
    options: ViewOptions | None = None,
    atlas: Any = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
) -> View:
    """A vision model (ViT, DeiT, DINO) looks at an image: a file, a PIL image, an array or a tensor."""
    from .images import batch_of
    from .model import look

    options = options or ViewOptions(kind="image")
    subject = _subject(model, device, dtype, trust_remote_code)
    statistics, names = _known(_opened(atlas), subject)
    batch, picture, patches = batch_of(subject, image)
    looked = look(subject, batch, options, tokens={_side(batch): patches})
    shown = image if isinstance(image, str | Path) else "IMAGE"
    about = About(
        title=model_title(subject.name),
        prettify=False,
        statistics=statistics,
        names=names,
        call=_call(subject.name, str(shown), None, ""),
        images=[picture],
    )
    return View(build(looked.maps, looked.tokens, options, about), looked.maps)


def view_pictured(
    model: Any,
    text: str,
    pictures: Sequence[Any],
    *,
    options: ViewOptions | None = None,
    atlas: Any = None,
    edits: Sequence[Change] = (),
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
) -> View:
    """A model reads a text with pictures: files, PIL images or arrays."""
    from attlas.subject import load

    from .model import look
    from .read_pictures import images_of, names_of, patches_of

    options = options or ViewOptions(kind="image")
    loading = {"device": device, "dtype": dtype, "trust_remote_code": trust_remote_code}
    subject = load(model, images=True, **loading)  # type: ignore[arg-type]
    statistics, names = _known(_opened(atlas), subject)
    batch = subject.encode_images(text, pictures)
    patches = patches_of(subject, batch)
    images = images_of(subject, batch, patches)
    strings: dict[SideName, list[str]] = {
        "decoder": subject.strings(batch.sides["decoder"]),
        "vision": [str(number) for number in range(patches)],
    }
    tokens = {side: names_of(several, images, side) for side, several in strings.items()}
    looked = look(subject, batch, options, tokens, edits)
    about = About(
        title=model_title(subject.name),
        prettify=False,
        statistics=statistics,
        names=names,
        edits=[_edit(change) for change in edits],
        call=_call(subject.name, text, None, f"images={[str(p) for p in pictures]!r}"),
        images=images,
        writing={"decoder": Writing(None, looked.probabilities)},
    )
    return View(build(looked.maps, tokens, options, about), looked.maps)


def view_tensors(
    attention: Any = None,
    tokens: Sequence[str] | None = None,
    *,
    options: ViewOptions | None = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,
    check: bool = True,
    atlas: Any = None,
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
) -> View:
    """Attention that you have: one [1, heads, n, n] tensor a layer, torch or numpy, and its tokens.

    Or what `generate(..., output_attentions=True)` gives; or the attention of an encoder, a decoder and
    between them, any of the three. Rows must sum to 1, unless `check` is False: then any numbers are drawn.
    """
    options = options or ViewOptions()
    by_kind: dict[Kind, Any] = {
        "encoder": encoder_attention,
        "decoder": decoder_attention,
        "cross": cross_attention,
    }
    attentions = {kind: tensors for kind, tensors in by_kind.items() if tensors is not None}
    sides: dict[SideName, Any] = (
        {"encoder": encoder_tokens, "decoder": decoder_tokens} if attentions else {"encoder": tokens}
    )
    known = {side: names for side, names in sides.items() if names is not None}
    include = options.include_layers, options.include_heads
    if attentions and attention is not None:
        raise AttlasError(
            "pass either attentions or encoder_attention, decoder_attention and cross_attention, not both"
        )
    notes: list[str] = []
    generated: int | None = None
    if attentions:
        maps = read(attentions, known, *include, check)
    elif attention is None:
        raise AttlasError(
            "there is no attention to view, only None: transformers gives none under SDPA; load the model "
            'with attn_implementation="eager" and pass outputs.attentions, or let Attlas run it: '
            "view(model, text)"
        )
    else:
        if not known:
            raise AttlasError(
                "attentions came without tokens: view(attentions, tokens), with one string per token"
            )
        known, notes = _all_but_the_last(attention, known)
        generated = prompt_length(attention)
        maps = read({"encoder": attention}, known, *include, check)
        if maps[0].causal:
            maps, known = [_as_decoder(maps[0])], {"decoder": known["encoder"]}
    opened = _opened(atlas)
    statistics, names = from_atlas(opened) if opened is not None else ([], [])
    about = About(
        b_start=sentence_b_start,
        prettify=prettify_tokens,
        statistics=statistics,
        names=names,
        notes=notes,
        call="attlas.view(attentions, tokens" if not attentions else "",
        writing={"decoder": Writing(generated)},
    )
    return View(build(maps, known, options, about), maps)


def view_atlas(atlas: Any, *, options: ViewOptions | None = None, beside: Any = None) -> View:
    """The long document that an atlas keeps: no model runs. `beside` is another atlas to order heads by."""
    from .stored import look

    kept = _opened(atlas)
    assert kept is not None
    looked, options = look(kept, options or ViewOptions())
    name = str(kept.manifest["model"]["name"])
    other = _opened(beside)
    if other is not None:
        check_heads(other, kept.addresses, name)
    statistics, names = from_atlas(other if other is not None else kept)
    about = About(
        title=model_title(name),
        statistics=statistics,
        names=names,
        call=_call(str(kept.path or "ATLAS"), None, None, ""),
    )
    return View(build(looked.maps, looked.tokens, options, about), looked.maps)


def _opened(atlas: Any) -> Atlas | None:
    from attlas.atlas import load_atlas

    if atlas is not None and not hasattr(atlas, "manifest"):
        return load_atlas(atlas)
    return atlas  # type: ignore[no-any-return]


def _known(atlas: Atlas | None, subject: Subject) -> tuple[list[SceneStatistic], list[SceneName]]:
    if atlas is None:
        return [], []
    check_heads(atlas, subject.heads, subject.name)
    return from_atlas(atlas)


def _subject(model: Any, device: str | None, dtype: str, trust_remote_code: bool) -> Subject:
    from attlas.subject import load

    return load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)


def _side(batch: Batch) -> SideName:
    return "decoder" if "decoder" in batch.sides else "encoder"


def _edit(change: Any) -> SceneEdit:
    heads = [(head.kind, head.layer, head.head) for head in sorted(getattr(change, "heads", ()))]
    return {"edit": type(change).__name__.lower(), "heads": heads}


def _call(name: str, text: str | None, text_b: str | None, more: str) -> str:
    """The Python call less its options and its last bracket."""
    if len(text or "") + len(text_b or "") > _MOST_QUOTED:
        text, text_b = "...", None
    arguments = [repr(part) for part in (name, text, text_b) if part is not None]
    return f"attlas.view({', '.join([*arguments, more] if more else arguments)}"


def _as_decoder(maps: Maps) -> Maps:
    """Causal maps are a decoder's, of whose heads nobody asks whether they look ahead."""
    layers = [
        replace(layer, measures={name: m for name, m in layer.measures.items() if name != "next"})
        for layer in maps.layers
    ]
    return Maps("decoder", layers, maps.shares)


def _all_but_the_last(attention: Any, tokens: dict[SideName, Any]) -> tuple[dict[SideName, Any], list[str]]:
    """The last token that `generate` gave was never read: it has no row."""
    from .generated import is_generated, whole

    names = tokens.get("encoder")
    if not is_generated(attention) or names is None:
        return tokens, []
    keys = next((layer.shape[2] for layer in whole(attention) if layer is not None), 0)
    if len(names) != keys + 1:
        return tokens, []
    return {"encoder": names[:-1]}, ["The last token was written but not read, so it has no attention."]
