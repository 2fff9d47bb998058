"""What a text's predictions become without some heads, beside as many random heads of the same layers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import torch
from torch import Tensor

from attlas.address import Head
from attlas.corpora.batches import Batch
from attlas.edits.sweep import Measure, Sweep
from attlas.errors import AttlasError
from attlas.statistics.claims import CLAIMS
from attlas.studies.disabling.sweep_trial import agree
from attlas.studies.one_text.head_sets import Control, RandomSets, random_sets
from attlas.studies.one_text.place_predictions import Likely, PlaceLogprobs, likeliest, likely
from attlas.studies.one_text.read_text import ReadText
from attlas.studies.one_text.text_edits import EditedModel, Switch, edit_of, head_outputs, instead
from attlas.subject import Subject
from attlas.wording.numbers import count

#: beyond: further than every random set. within: no further. none: too little to matter
Verdict = Literal["beyond", "within", "none", "no control"]
#: random sets, where a text is short: to be further than all of them is a chance of 1 in 20
SETS, FEWEST_SETS = 19, 5
#: tokens that they read together: of a long text there are fewer sets
TOKENS_OF_SETS = 2048


@dataclass(frozen=True)
class RandomEffect:
    """The target with random heads switched off instead."""

    heads: tuple[Head, ...]
    logprob: float
    change: float

    @property
    def probability(self) -> float:
        return math.exp(self.logprob)


@dataclass(frozen=True)
class ChangedPrediction:
    """A prediction without edits and with them. `both` has the likeliest tokens without edits and those with
    them, each without edits and with them."""

    place: int
    target: Likely
    edited: Likely
    both: tuple[tuple[Likely, Likely], ...]

    @property
    def change(self) -> float:
        """Of the target's log-probability."""
        return self.edited.logprob - self.target.logprob


@dataclass(frozen=True)
class EditEffect:
    """What switching heads off does to a text's predictions, and what as many random heads do."""

    switches: tuple[Switch, ...]
    predictions: tuple[ChangedPrediction, ...]
    place: int  # of the target
    random: tuple[RandomEffect, ...]
    control: Control
    every_other: bool = False  # whether the random heads are all others of the layer

    @property
    def at_target(self) -> ChangedPrediction:
        return next(changed for changed in self.predictions if changed.place == self.place)

    @property
    def verdict(self) -> Verdict:
        if not self.random:
            return "no control"
        if not self.visible:
            return "none"
        furthest = max(abs(random.change) for random in self.random)
        return "beyond" if abs(self.at_target.change) > furthest else "within"

    @property
    def visible(self) -> bool:
        """Whether the target moves as far as matters, by its probability and by its logarithm. In an
        untrained model, where every token is unlikely, none does."""
        at = self.at_target
        moved = abs(at.edited.probability - at.target.probability)
        return moved >= CLAIMS["prediction"].size and abs(at.change) >= CLAIMS["log-probability"].size

    @property
    def sentence(self) -> str:
        """Without 8.10, “England” falls from 0.58 to 0.53; the other 11 heads of layer 8 move it by ..."""
        return _sentence(self)


def edit_effect(
    model: EditedModel,
    text: ReadText,
    switches: Sequence[Switch],
    *,
    place: int | None = None,
    token: int | None = None,
    random: int | None = None,
    seed: int = 0,
    patch_text: ReadText | None = None,
) -> EditEffect:
    """Run a text unedited, with the switches, and with each of `random` random sets, as one sweep; by default
    as many as a text of its length allows (`sets_for`).

    The target is `token` at `place`; by default the likeliest token of the unedited model at the first mask,
    or after the last token.
    """
    at = text.check_place(place)
    places = text.places if text.kind == "masked" else (at,)
    drawn, edits = _edits_with_control(model, text, switches, random, seed, patch_text)
    outcomes = run_sweep(model, text, edits, PlaceLogprobs(text.marked(places)))  # edit place piece
    plain, edited = outcomes[0], outcomes[1]
    row = places.index(at)
    target = int(plain[row].argmax()) if token is None else _check_token(plain, token)
    predictions = tuple(
        _change_prediction(
            model.subject, where, plain[i], edited[i], target if where == at else int(plain[i].argmax())
        )
        for i, where in enumerate(places)
    )
    beside = tuple(
        RandomEffect(
            tuple(heads.values()), float(of_set[row, target]), float(of_set[row, target] - plain[row, target])
        )
        for heads, of_set in zip(drawn.sets, outcomes[2:], strict=True)
    )
    return EditEffect(tuple(switches), predictions, at, beside, drawn.control, drawn.every_other)


def sets_for(text: ReadText) -> int:
    """How many random sets: 19, and fewer of a long text."""
    return max(FEWEST_SETS, min(SETS, TOKENS_OF_SETS // len(text.ids)))


@dataclass(frozen=True)
class EmbeddingEffect:
    """How far one vector for a text moves: its cosine with that of the unedited model."""

    values: Tensor
    switches: tuple[Switch, ...] = ()
    cosine: float | None = None
    random: tuple[float, ...] = ()

    @property
    def sentence(self) -> str:
        """Without 3.2, the text's vector keeps a cosine of 0.998; as many random heads leave 0.991."""
        if self.cosine is None:
            return ""
        what = name_heads([switch.head for switch in self.switches])
        beside = ""
        if self.random:
            low, high = (f"{value:.4f}" for value in (min(self.random), max(self.random)))
            beside = f"; as many random heads leave {low if low == high else f'{low} to {high}'}"
        return f"Without {what}, the text's vector keeps a cosine of {self.cosine:.4f} with its own{beside}."


def embed(
    model: EditedModel,
    text: ReadText,
    switches: Sequence[Switch] = (),
    *,
    random: int | None = None,
    seed: int = 0,
) -> EmbeddingEffect:
    """The mean over tokens of a model's last layer, and where edits and random edits move it."""
    edits = _edits_with_control(model, text, switches, random, seed, None)[1] if switches else []
    outcomes = run_sweep(model, text, edits, _MeanOfTokens(text.side.real))
    vectors = outcomes[:, 0]  # edit dim
    cosines = [float(torch.cosine_similarity(vectors[0], vector, dim=0)) for vector in vectors[1:]]
    values = vectors[min(1, len(edits))]
    return EmbeddingEffect(values, tuple(switches), cosines[0] if cosines else None, tuple(cosines[1:]))


@dataclass(frozen=True)
class _MeanOfTokens:
    real: Tensor  # batch token

    def __call__(self, output: Any) -> Tensor:
        hidden: Tensor = output.last_hidden_state.float()
        real = self.real.to(hidden)
        return torch.einsum("bqd,bq->bd", hidden, real) / real.sum(-1, keepdim=True)[:1]


def _edits_with_control(
    model: EditedModel,
    text: ReadText,
    switches: Sequence[Switch],
    random: int | None,
    seed: int,
    patch_text: ReadText | None,
) -> tuple[RandomSets, list[Any]]:
    """The edit, and the same with each random set."""
    heads = [switch.head for switch in switches]
    if len(set(heads)) < len(heads):
        twice = next(head for head in heads if heads.count(head) > 1)
        raise AttlasError(f"head {twice} is switched off twice: name each head once")
    patch = None if patch_text is None else _outputs_of(model.subject, text, patch_text)
    number = sets_for(text) if random is None else random
    drawn = random_sets(heads, model.subject.heads, number, seed)
    sets = [switches, *(instead(switches, of_set) for of_set in drawn.sets)]
    return drawn, [edit_of(model, text, of_set, patch) for of_set in sets]


def _outputs_of(subject: Subject, text: ReadText, other: ReadText) -> dict[Head, Tensor]:
    lengths = {side: tokens.real.shape[1] for side, tokens in text.batch.sides.items()}
    if any(other.batch.sides[side].real.shape[1] != length for side, length in lengths.items()):
        here, there = len(text.ids), len(other.ids)
        raise AttlasError(
            f"the text has {here} tokens and the one to patch from {there}: both need as many, token by token"
        )
    return head_outputs(subject, other)


def run_sweep(
    model: EditedModel, text: ReadText, edits: Sequence[Any], measured: Callable[[Any], Tensor]
) -> Tensor:
    """What is measured without edits and with each of them (edit ...), the row of the one text."""
    measure: Measure = partial(_as_given, measured)
    if model.shared is None and edits:
        model.shared = _can_share(model.subject, text, edits[0], measure)
    sweep = Sweep(edits, measure, shared=bool(model.shared))
    outcomes = sweep.observe(model.subject, text.batch).outcomes
    assert outcomes is not None
    return outcomes[:, 0]


def _as_given(
    measured: Callable[[Any], Tensor], subject: Subject, batch: Batch, seed: int
) -> tuple[Batch, Callable[[Any], Tensor]]:
    return batch, measured


def _can_share(subject: Subject, text: ReadText, edit: Any, measure: Measure) -> bool:
    """Whether running from the middle on gives what whole runs give."""
    sweep = Sweep([edit], measure)
    both = [replace(sweep, shared=shared).observe(subject, text.batch).outcomes for shared in (True, False)]
    assert both[0] is not None
    assert both[1] is not None
    return agree(both[0], both[1], next(subject.model.parameters()).dtype)


def _check_token(logprobs: Tensor, token: int) -> int:
    if token >= logprobs.shape[-1]:
        raise AttlasError(f"there is no token {token}: the vocabulary has {logprobs.shape[-1]:,}")
    return token


def _change_prediction(
    subject: Subject, place: int, plain: Tensor, edited: Tensor, target: int
) -> ChangedPrediction:
    tokens = {
        likeliest_token.token
        for logprobs in (plain, edited)
        for likeliest_token in likeliest(subject, logprobs)
    }
    order = sorted(tokens, key=lambda token: -float(plain[token]))
    return ChangedPrediction(
        place,
        likely(subject, target, plain),
        likely(subject, target, edited),
        tuple((likely(subject, token, plain), likely(subject, token, edited)) for token in order),
    )


# ---- in words -------------------------------------------------------------------------------------

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _sentence(effect: EditEffect) -> str:
    changed = effect.at_target
    several = len({switch.head.kind for switch in effect.switches}) > 1
    heads = name_heads([switch.head for switch in effect.switches], several)
    before, after = changed.target.probability, changed.edited.probability
    token = f"“{changed.target.text.strip()}”"
    was, now = _write_probability(before), _write_probability(after)
    moves = f"{token} {'falls' if after < before else 'rises'} from {was} to {now}"
    if was == now:
        moves = f"{token} stays at {was}"
    return f"{_how(effect, heads)}, {moves}{_beside(effect, before)}{_ending(effect)}"


def _how(effect: EditEffect, heads: str) -> str:
    """Without 8.10 · With 8.10 as in the other text · With 8.10 attending by its pattern"""
    match {switch.by for switch in effect.switches}:
        case ways if ways == {"patch"}:
            return f"With {heads} as in the other text"
        case ways if ways == {"pattern"}:
            whose = "its" if len(effect.switches) == 1 else "their"
            return f"With {heads} attending by {whose} pattern alone"
        case _:
            return f"Without {heads}"


def _beside(effect: EditEffect, before: float) -> str:
    if not effect.random:
        return "."
    low, high = (
        round(pick(random.probability - before for random in effect.random), 2) for pick in (min, max)
    )
    written = [f"{value:+.2f}" if value else "0.00" for value in dict.fromkeys((low, high))]
    return f"; {_who(effect)} by {' to '.join(written)}."


def _who(effect: EditEffect) -> str:
    """the other 11 heads of layer 10 move it · 19 random sets of 2 heads of the same layers move it"""
    sets, heads = len(effect.random), len(effect.switches)
    number = _NUMBERS[sets] if sets < len(_NUMBERS) else str(sets)
    plural, verb = ("s", "move") if sets > 1 else ("", "moves")
    layers = sorted({switch.head.layer for switch in effect.switches})
    named = f"layer {layers[0]}" if len(layers) == 1 else "the same layers"
    where = named if effect.control == "same layers" else "other layers"
    if effect.every_other:
        return f"the other {number if sets > 1 else ''} head{plural} of {where} {verb} it".replace("  ", " ")
    who = f"random head{plural} of" if heads == 1 else f"random set{plural} of {heads} heads of"
    return f"{number} {who} {where} {verb} it"


def _ending(effect: EditEffect) -> str:
    match effect.verdict:
        case "beyond":
            others = "any of them" if len(effect.random) > 1 else "it does"
            return f" That is more than {others} (one in {len(effect.random) + 1} by luck)."
        case "within":
            return " That is no more than other heads do."
        case "none":
            return " That is practically no change."
        case _:
            return " No other heads are left to compare with."


def _write_probability(probability: float) -> str:
    return f"{probability:.2f}" if probability >= 0.01 or probability == 0 else f"{probability:.1g}"


def name_heads(heads: Sequence[Head], with_kind: bool = False) -> str:
    """8.10 · 8.10 and 9.2 · 14 heads of 5 layers"""
    if len(heads) <= 4:
        written = [head.write(with_kind) for head in heads]
        return written[0] if len(written) == 1 else f"{', '.join(written[:-1])} and {written[-1]}"
    layers = sorted({head.layer for head in heads})
    of = f"layer {layers[0]}" if len(layers) == 1 else count(len(layers), "layer")
    return f"{count(len(heads), 'head')} of {of}"
