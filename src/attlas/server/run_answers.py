"""From a request to its answer, with the library's own functions. Runs in the process that has the models."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from torch import Tensor

from attlas.address import Head
from attlas.edits.head_edit import heads_named
from attlas.errors import AttlasError
from attlas.options.view_options import ViewOptions
from attlas.server import messages as c
from attlas.server.served import beside_request
from attlas.studies.one_text import edit_effect as effects
from attlas.studies.one_text.place_predictions import Likely, Prediction, place_logprobs, predict
from attlas.studies.one_text.prediction_writes import (
    PredictionWrites,
    no_prediction_writes,
    prediction_writes,
)
from attlas.studies.one_text.read_text import ReadText, model_kind, read_text
from attlas.studies.one_text.text_edits import FOLLOWED, EditedModel, Switch, edit_of, head_outputs
from attlas.subject import Subject
from attlas.views.atlas_data import from_atlas
from attlas.views.constructors import compare, view_model
from attlas.views.model import second_text
from attlas.views.reasons import reason_of
from attlas.views.tokens import side
from attlas.wording.names import PATTERNS

if TYPE_CHECKING:
    from attlas.views import View

#: what is being done, how much of it is done, and of how much (0: nobody knows)
Say = Callable[[str, int, int], None]
#: a model's id -> the model, loaded
Load = Callable[[str], EditedModel]
#: a model's id -> its atlas
AtlasOf = Callable[[str], Any]


def answer_run(request: c.RunRequest, load: Load, atlas_of: AtlasOf, say: Say) -> c.RunResult:
    """Run a text, what stands beside it, and show both."""
    began = time.monotonic()
    beside = None if request.beside is None else beside_request(request, request.beside)
    first, first_view = _run(request, load(request.model), atlas_of(request.model), say)
    second, second_view = (
        (None, None) if beside is None else _run(beside, load(beside.model), atlas_of(beside.model), say)
    )
    view = first_view
    if first_view is not None and second_view is not None:
        say("putting both side by side", 0, 0)
        try:
            view = compare(first_view, second_view)
        except AttlasError as error:  # models of different kinds: their predictions can still be compared
            first.notes.append(f"The maps below are of {request.model} alone: {error}.")
    scene = None if view is None else _scene(view)
    return c.RunResult(run=first, beside=second, scene=scene, seconds=time.monotonic() - began)


def _run(request: c.RunRequest, model: EditedModel, atlas: Any, say: Say) -> tuple[c.Run, View | None]:
    subject = model.subject
    say("reading the text", 0, 0)
    text = read(subject, request.text, request.text_b)
    logprobs = place_logprobs(subject, text, text.places) if text.places else None
    predictions = predict(subject, text, logprobs)
    switches = switches_of(request.edits, subject)
    patch_text = None if request.patch_text is None else read(subject, request.patch_text, request.text_b)
    if any(switch.by == "mean" or switch.by == "pattern" for switch in switches) and not model.has_means:
        model.means(lambda done, total: say("taking mean outputs, once per model", done, total))
    effect = embedding = None
    if text.kind == "embedding":
        say("comparing with random heads" if switches else "reading the text", 0, 0)
        embedding = _embedding(model, text, switches, request)
    elif switches and text.places:
        say("comparing with random heads", 0, 0)
        effect = _effect(model, text, switches, request, patch_text)
    ranked, unranked = None, no_prediction_writes(subject)
    if request.ranked and unranked is None and text.places:
        say("ranking heads by what they write", 0, 0)
        ranked = _rank_writes(subject, text, request, logprobs)
    view = None
    if request.scene:
        say("drawing the maps", 0, 0)
        patch = None if patch_text is None else head_outputs(subject, patch_text)
        edits = edit_of(model, text, switches, patch).edits if switches else ()
        view = view_model(
            subject, request.text, request.text_b, options=ViewOptions(), atlas=atlas, edits=edits
        )
    run = c.Run(
        model=request.model,
        kind=text.kind,
        tokens=tokens_of(subject, text, request.text, request.text_b),
        predictions=[_prediction(prediction, subject) for prediction in predictions],
        unpredicted=text.unpredicted,
        ranked=ranked,
        unranked=unranked,
        effect=effect,
        embedding=embedding,
        notes=[],
    )
    return run, view


def _rank_writes(
    subject: Subject, text: ReadText, request: c.RunRequest, logprobs: Tensor | None
) -> c.Writes:
    at = text.check_place(request.place)
    known = None if logprobs is None else logprobs[text.places.index(at)]
    return message_of_writes(prediction_writes(subject, text, at, request.token, logprobs=known), subject)


def answer_writes(request: c.WritesRequest, load: Load, say: Say) -> c.Writes:
    """Rank heads by what they write into one predicted token."""
    subject = load(request.model).subject
    say("ranking heads by what they write", 0, 0)
    text = read(subject, request.text, request.text_b)
    return message_of_writes(prediction_writes(subject, text, request.place, request.token), subject)


def answer_why(asked: c.WhyRequest, load: Load, atlas_of: AtlasOf, say: Say) -> dict[str, Any]:
    """Who wrote the query and the key of a link, with the edits of its run in force."""
    request = asked.run
    model = load(request.model)
    subject = model.subject
    heads = heads_named(asked.head, subject.heads)
    if len(heads) != 1:
        raise AttlasError(f"one head is asked why at once, and not {asked.head!r}")
    say("reading the text", 0, 0)
    text = read(subject, request.text, request.text_b)
    switches = switches_of(request.edits, subject)
    if any(switch.by in ("mean", "pattern") for switch in switches) and not model.has_means:
        model.means(lambda done, total: say("taking mean outputs, once per model", done, total))
    patch_text = None if request.patch_text is None else read(subject, request.patch_text, request.text_b)
    patch = None if patch_text is None else head_outputs(subject, patch_text)
    edits = edit_of(model, text, switches, patch).edits if switches else ()
    say("taking the link apart", 0, 0)
    batch = subject.encode(request.text, request.text_b)
    _, names = from_atlas(atlas_of(request.model))
    return dict(reason_of(subject, batch, heads[0], (asked.query, asked.key), names, edits))


def read(subject: Subject, text: str, text_b: str | None) -> ReadText:
    """A text within the limits."""
    made = read_text(subject, text, text_b)
    if len(made.ids) > c.MOST_TOKENS:
        raise AttlasError(f"the text has {len(made.ids):,} tokens: the app takes at most {c.MOST_TOKENS:,}")
    return made


def switches_of(edits: Sequence[c.EditRequest], subject: Subject) -> list[Switch]:
    """Every head that is switched off, and how."""
    switches: list[Switch] = []
    for edit in edits:
        heads: list[Head] = []
        for written in edit.heads:
            heads += heads_named(written, subject.heads)
        switches += [Switch(head, edit.by, edit.pattern or "") for head in heads]
    return switches


def about(model: EditedModel, seconds: float) -> c.ModelAbout:
    """What the page is told of a model once it was loaded."""
    subject = model.subject
    kinds = subject.kinds
    kind = model_kind(subject)
    return c.ModelAbout(
        kind=kind,
        type=type(subject.model).__name__,
        grids=[c.Grid(kind=k, heads=subject.describe()["layers"][k]) for k in kinds],
        parameters=sum(p.numel() for p in subject.model.parameters()),
        bytes=model_bytes(subject),
        tokens=min(c.MOST_TOKENS, subject.longest or c.MOST_TOKENS),
        text_b=subject.encoder_decoder or kind in ("masked", "embedding"),
        mask=str(subject.tokenizer.mask_token) if kind == "masked" else None,
        uneditable=None if subject.interface else subject.uneditable,
        unpredicting=None
        if kind != "embedding"
        else "the model has no language-model head: it predicts no tokens",
        unranked=no_prediction_writes(subject),
        patterns={name: PATTERNS[name] for name in FOLLOWED},
        seconds=seconds,
    )


def model_bytes(subject: Subject) -> int:
    """The memory that a model's weights take."""
    tensors = {t.data_ptr(): t for t in (*subject.model.parameters(), *subject.model.buffers())}
    return sum(t.numel() * t.element_size() for t in tensors.values())


# ---- the library's objects as messages ------------------------------------------------------------


def tokens_of(subject: Subject, text: ReadText, text_a: str, text_b: str | None) -> list[c.TextToken]:
    """The tokens of a text, with the characters that each stands for."""
    strings = subject.spell(text.ids)
    start_b = second_text(subject, text_a, text_b)
    shown = side(strings, start_b, True, True, None)
    special = set(subject.tokenizer.all_special_ids)
    places = _characters(subject, text, text_a, text_b)
    return [
        c.TextToken(
            text=string,
            gap=cast(c.Gap, gap),
            special=token in special,
            side=where[0],
            start=where[1],
            end=where[2],
        )
        for string, gap, token, where in zip(shown["tokens"], shown["gaps"], text.ids, places, strict=True)
    ]


def _characters(
    subject: Subject, text: ReadText, text_a: str, text_b: str | None
) -> list[tuple[Any, Any, Any]]:
    """Which text a token is from, and its characters there; nothing where the tokenizer does not say."""
    nowhere: list[tuple[Any, Any, Any]] = [(None, None, None)] * len(text.ids)
    if not getattr(subject.tokenizer, "is_fast", False) or subject.encoder_decoder:
        return nowhere
    encoding = subject.tokenizer(text_a, text_b, return_offsets_mapping=True)
    if len(encoding["input_ids"]) != len(text.ids):
        return nowhere
    sides = encoding.sequence_ids(0)
    return [
        (None, None, None) if which is None else ("ab"[which], start, end)
        for which, (start, end) in zip(sides, encoding["offset_mapping"], strict=True)
    ]


def message_of_likely(likely: Likely, subject: Subject) -> c.Likely:
    return c.Likely(
        token=likely.token,
        text=likely.text,
        raw=raw_token(subject, likely.token),
        probability=likely.probability,
        logprob=likely.logprob,
    )


def raw_token(subject: Subject, token: int) -> str:
    """What to put into a text to have the token there."""
    if token >= len(subject.tokenizer):
        return ""
    return str(subject.tokenizer.decode([token], clean_up_tokenization_spaces=False))


def _prediction(prediction: Prediction, subject: Subject) -> c.Prediction:
    return c.Prediction(
        place=prediction.place,
        next=None if prediction.next is None else message_of_likely(prediction.next, subject),
        top=[message_of_likely(likely, subject) for likely in prediction.top],
    )


def message_of_writes(writes: PredictionWrites, subject: Subject) -> c.Writes:
    return c.Writes(
        place=writes.place,
        target=message_of_likely(writes.target, subject),
        heads=[
            c.HeadWrite(
                kind=write.head.kind,
                layer=write.head.layer,
                head=write.head.head,
                logit=write.logit,
                resting=write.resting,
                resting_weight=write.resting_weight,
                counted=write.counted,
                keys=[c.KeyWrite(place=key.place, weight=key.weight, logit=key.logit) for key in write.keys],
            )
            for write in writes.heads
        ],
        smallest=writes.smallest,
        others=writes.others,
        logit=writes.logit,
    )


def _effect(
    model: EditedModel,
    text: ReadText,
    switches: Sequence[Switch],
    request: c.RunRequest,
    patch_text: ReadText | None,
) -> c.Effect:
    subject = model.subject
    effect = effects.edit_effect(
        model,
        text,
        switches,
        place=request.place,
        token=request.token,
        random=request.random_sets,
        patch_text=patch_text,
    )
    several = len(subject.kinds) > 1
    return c.Effect(
        heads=[switch.head.write(several) for switch in effect.switches],
        predictions=[_message_of_change(changed, subject) for changed in effect.predictions],
        place=effect.place,
        random=[
            c.RandomSet(
                heads=[head.write(several) for head in random.heads],
                after=random.probability,
                change=random.change,
            )
            for random in effect.random
        ],
        control=effect.control,
        every_other=effect.every_other,
        verdict=effect.verdict,
        sentence=effect.sentence,
    )


def _message_of_change(changed: effects.ChangedPrediction, subject: Subject) -> c.Changed:
    return c.Changed(
        place=changed.place,
        target=_shift(changed.target, changed.edited, subject),
        change=changed.change,
        top=[_shift(before, after, subject) for before, after in changed.both],
    )


def _shift(before: Likely, after: Likely, subject: Subject) -> c.Shift:
    return c.Shift(
        token=before.token,
        text=before.text,
        raw=raw_token(subject, before.token),
        before=before.probability,
        after=after.probability,
    )


def _embedding(
    model: EditedModel, text: ReadText, switches: Sequence[Switch], request: c.RunRequest
) -> c.Embedding:
    moved = effects.embed(model, text, switches, random=request.random_sets)
    return c.Embedding(
        values=[float(value) for value in moved.values],
        cosine=moved.cosine,
        random=list(moved.random),
        sentence=moved.sentence,
    )


def _scene(view: View) -> c.Scene:
    packed = view.packed
    return c.Scene(scene=dict(packed.scene), data=base64.b64encode(packed.data).decode("ascii"))
