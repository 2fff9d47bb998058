"""What a view can show: a model that reads a text or an image, tensors, an atlas, two views. Each gives a
`View`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.edits import Edit as Change
from attlas.errors import AttlasError
from attlas.options.view_options import ViewOptions
from attlas.subject import Subject, load
from attlas.views.atlas_data import check_heads, from_atlas, look_at_document, read_atlas
from attlas.views.block import Block
from attlas.views.contract import LinkReason, Pane, Scene, SceneEdit, SceneName, SceneStatistic, SideName
from attlas.views.display import View
from attlas.views.first_look import names_on
from attlas.views.images import batch_of, images_of, name_patches, patches_of
from attlas.views.inputs import LayerMaps, Maps, is_generated, prompt_length, read, whole
from attlas.views.model import generate_text, look, second_text
from attlas.views.pack import pack
from attlas.views.reasons import reasons_in
from attlas.views.rows import Strongest
from attlas.views.scene import About, Packed, build
from attlas.views.tokens import Writing
from attlas.wording.numbers import model_title

_MOST_QUOTED = 2000  # characters of a text in the call that a page offers to copy


def view_model(
    model: Any,
    text: str,
    text_b: str | None = None,
    *,
    options: ViewOptions | None = None,
    generate: int = 0,
    why: bool = False,
    atlas: Any = None,
    edits: Sequence[Change] = (),
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
) -> View:
    """A model reads a text: `model` is a name, a folder, a transformers model or a `Subject`.

    `generate` is how many tokens it adds, greedily. With `why`, a click on a strong link shows who wrote its
    query and its key. `atlas` is one of this model, whose statistics and names order, colour and filter the
    heads; `edits` change attention while the model reads.
    """
    options = options or ViewOptions()
    if not isinstance(text, str):
        raise AttlasError("a model needs a text to attend to: view(model, text), or view(attentions, tokens)")
    named_by = read_atlas(atlas)
    subject = load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)
    if subject.tokenizer is None and "pixel_values" in subject.accepts:
        raise AttlasError(f"{subject.name} reads images, and {text!r} is not an image file")
    statistics, names = _atlas_of(subject, named_by)
    b_start: int | None
    if generate:
        batch, b_start, notes = generate_text(subject, text, generate)
        # an encoder-decoder writes all of the decoder's text but its first token, which is given to it
        generated = 1 if subject.encoder_decoder else b_start
    else:
        generated = None
        batch, b_start, notes = subject.encode(text, text_b), second_text(subject, text, text_b), []
    looked = look(subject, batch, options, edits=edits)
    more = [f"generate={generate}"] if generate else []
    reasons: Sequence[LinkReason] = ()
    if why:
        more.append("why=True")
        known = names or names_on(looked.maps, looked.tokens)
        reasons = reasons_in(subject, batch, options, known, edits)
    about = About(
        title=model_title(subject.name),
        b_start=b_start,
        statistics=statistics,
        names=names,
        edits=[_scene_edit(change.resolved(subject.heads)) for change in edits],
        notes=notes,
        call=_python_call(subject.name, text, text_b, more=", ".join(more)),
        writing={"decoder": Writing(generated, looked.probabilities)},
        reasons=reasons,
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
    options = options or ViewOptions(kind="image")
    subject = load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)
    statistics, names = _atlas_of(subject, read_atlas(atlas))
    batch, picture, patches = batch_of(subject, image)
    side: SideName = "decoder" if "decoder" in batch.sides else "encoder"
    looked = look(subject, batch, options, tokens={side: patches})
    shown = image if isinstance(image, str | Path) else "IMAGE"
    about = About(
        title=model_title(subject.name),
        prettify=False,
        statistics=statistics,
        names=names,
        call=_python_call(subject.name, str(shown)),
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
    options = options or ViewOptions(kind="image")
    subject = load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code, images=True)
    statistics, names = _atlas_of(subject, read_atlas(atlas))
    batch = subject.encode_images(text, pictures)
    patches = patches_of(subject, batch)
    images = images_of(subject, batch, patches)
    strings: dict[SideName, list[str]] = {
        "decoder": subject.strings(batch.sides["decoder"]),
        "vision": [str(number) for number in range(patches)],
    }
    tokens = {side: name_patches(several, images, side) for side, several in strings.items()}
    looked = look(subject, batch, options, tokens, edits)
    about = About(
        title=model_title(subject.name),
        prettify=False,
        statistics=statistics,
        names=names,
        edits=[_scene_edit(change.resolved(subject.heads)) for change in edits],
        call=_python_call(subject.name, text, more=f"images={[str(p) for p in pictures]!r}"),
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
    strings = {side: names for side, names in sides.items() if names is not None}
    include = options.include_layers, options.include_heads
    if attentions and attention is not None:
        raise AttlasError(
            "pass either attentions or encoder_attention, decoder_attention and cross_attention, not both"
        )
    notes: list[str] = []
    generated: int | None = None
    if attentions:
        maps = read(attentions, strings, *include, check)
    elif attention is None:
        raise AttlasError(
            "there is no attention to view, only None: transformers gives none under SDPA; load the model "
            'with attn_implementation="eager" and pass outputs.attentions, or let Attlas run it: '
            "view(model, text)"
        )
    else:
        if not strings:
            raise AttlasError(
                "attentions came without tokens: view(attentions, tokens), with one string per token"
            )
        strings, notes = _drop_unread_token(attention, strings)
        generated = prompt_length(attention)
        maps = read({"encoder": attention}, strings, *include, check)
        if maps[0].causal:
            maps, strings = [_as_decoder(maps[0])], {"decoder": strings["encoder"]}
    statistics, names = from_atlas(atlas)
    about = About(
        b_start=sentence_b_start,
        prettify=prettify_tokens,
        statistics=statistics,
        names=names,
        notes=notes,
        call="attlas.view(attentions, tokens" if not attentions else "",
        writing={"decoder": Writing(generated)},
    )
    return View(build(maps, strings, options, about), maps)


def view_atlas(atlas: Any, *, options: ViewOptions | None = None, beside: Any = None) -> View:
    """The long document that an atlas keeps: no model runs. `beside` is another atlas to order heads by."""
    kept, other = read_atlas(atlas), read_atlas(beside)
    assert kept is not None
    looked, options = look_at_document(kept, options or ViewOptions())
    name = str(kept.manifest["model"]["name"])
    if other is not None:
        check_heads(other, kept.addresses, name)
    statistics, names = from_atlas(other if other is not None else kept)
    about = About(
        title=model_title(name),
        statistics=statistics,
        names=names,
        call=_python_call(str(kept.path or "ATLAS")),
    )
    return View(build(looked.maps, looked.tokens, options, about), looked.maps)


def compare(first: View, second: View, names: tuple[str, str] | None = None) -> View:
    """Two inputs, or two models, side by side in one view: what is chosen in one is chosen in both.

    Where both have the same number of tokens, and no rows were cut short, a third pane shows first minus
    second.
    """
    kinds = [maps.attention for maps in first.maps]
    if kinds != [maps.attention for maps in second.maps]:
        raise AttlasError(
            f"{first.scene['title']} and {second.scene['title']} have other kinds of attention: "
            "they cannot be shown side by side"
        )
    titles = names or _pane_names(first, second)
    block = Block()
    options = ViewOptions(layer=first.scene["selection"]["layer"], heads=first.scene["selection"]["heads"])
    attentions, notes = pack(first.maps, block, options)
    others, more = pack(second.maps, block, options)
    panes: list[Pane] = [{"name": titles[1], "sides": second.scene["sides"], "attentions": others}]
    difference = _difference(first, second)
    if difference:
        packed, _ = pack(difference, block, options)
        panes.append(
            {"name": f"{titles[0]} − {titles[1]}", "sides": first.scene["sides"], "attentions": packed}
        )
    else:
        notes.append("No difference is shown: the two have other tokens or heads, or are too long.")
    scene: Scene = {
        **first.scene,
        "title": f"{first.scene['title']} beside {second.scene['title']}",
        "attentions": attentions,
        "notes": list(dict.fromkeys([*first.scene["notes"], *second.scene["notes"], *notes, *more])),
        "call": "",
        "name": titles[0],
        "panes": panes,
        "bytes": block.size,
    }
    scene.pop("reasons", None)  # they lie in the bytes of the first alone
    return View(Packed(scene, block.compress()), first.maps)


def _atlas_of(subject: Subject, atlas: Atlas | None) -> tuple[list[SceneStatistic], list[SceneName]]:
    """Statistics and names of a model's heads, where there is an atlas of it."""
    if atlas is not None:
        check_heads(atlas, subject.heads, subject.name)
    return from_atlas(atlas)


def _scene_edit(change: Any) -> SceneEdit:
    heads = [(head.kind, head.layer, head.head) for head in sorted(getattr(change, "heads", ()))]
    return {"edit": getattr(change, "name", type(change).__name__.lower()), "heads": heads}


def _python_call(name: str, text: str | None = None, text_b: str | None = None, more: str = "") -> str:
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


def _drop_unread_token(attention: Any, tokens: dict[SideName, Any]) -> tuple[dict[SideName, Any], list[str]]:
    """The tokens without the last that `generate` gave, which was never read and has no row; and a note."""
    names = tokens.get("encoder")
    if not is_generated(attention) or names is None:
        return tokens, []
    keys = next((layer.shape[2] for layer in whole(attention) if layer is not None), 0)
    if len(names) != keys + 1:
        return tokens, []
    return {"encoder": names[:-1]}, ["The last token was written but not read, so it has no attention."]


def _pane_names(first: View, second: View) -> tuple[str, str]:
    title, other = first.scene["title"], second.scene["title"]
    return (title, other) if title != other else ("A", "B")


def _difference(first: View, second: View) -> list[Maps]:
    """First minus second, of the layers and heads that both have; empty where that means nothing."""
    result = []
    for maps, other in zip(first.maps, second.maps, strict=True):
        if maps.shape != other.shape:
            return []
        theirs = {layer.layer: layer for layer in other.layers}
        layers = []
        for layer in maps.layers:
            match = theirs.get(layer.layer)
            if match is None or match.heads != layer.heads:
                return []
            if isinstance(layer.weights, Strongest) or isinstance(match.weights, Strongest):
                return []
            layers.append(LayerMaps(layer.layer, layer.heads, layer.weights - match.weights))
        result.append(Maps(maps.attention, layers, shares=False))
    return result
