"""What a model predicts in a text: log-probabilities over its vocabulary, place by place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attlas.studies.one_text.read_text import ReadText
from attlas.subject import Subject
from attlas.subject.losses import logits_of
from attlas.tap.tap import Tap

LIKELIEST = 10


@dataclass(frozen=True)
class Likely:
    """A token of the vocabulary, and how likely the model finds it."""

    token: int
    text: str
    logprob: float

    @property
    def probability(self) -> float:
        return math.exp(self.logprob)


@dataclass(frozen=True)
class Prediction:
    """What a model predicts at a place, the likeliest first; and what stands there in a decoder's text."""

    place: int
    top: tuple[Likely, ...]
    next: Likely | None = None


@dataclass(frozen=True)
class PlaceLogprobs:
    """Reads log-probabilities off a model's output (batch place piece), of some places of each text. A sweep
    knows by `places` that others need not be predicted."""

    places: Tensor  # batch token

    def __call__(self, output: Any) -> Tensor:
        logits = logits_of(output)
        there = logits if logits.ndim == 2 else logits[self.places.to(logits.device)]
        return there.float().log_softmax(-1).reshape(len(self.places), -1, there.shape[-1])


def predict(subject: Subject, text: ReadText, logprobs: Tensor | None = None) -> list[Prediction]:
    """The likeliest tokens at every place; an empty list where nothing is predicted. `logprobs` are those of
    the text's places (place piece), if they are known already."""
    if not text.places:
        return []
    if logprobs is None:
        logprobs = place_logprobs(subject, text, text.places)
    return [
        read_prediction(subject, text, place, row) for place, row in zip(text.places, logprobs, strict=True)
    ]


def place_logprobs(subject: Subject, text: ReadText, places: Sequence[int]) -> Tensor:
    """Log-probabilities at some places of a text: place piece."""
    measured = PlaceLogprobs(text.marked(tuple(places)))
    with torch.no_grad(), Tap(subject) as tap:
        return measured(tap.run(text.batch, predictions=True))[0]


def read_prediction(subject: Subject, text: ReadText, place: int, logprobs: Tensor) -> Prediction:
    """One place's prediction, of the log-probabilities there (piece)."""
    next_token = text.next_token(place)
    return Prediction(
        place,
        likeliest(subject, logprobs),
        None if next_token is None else likely(subject, next_token, logprobs),
    )


def likeliest(subject: Subject, logprobs: Tensor, most: int = LIKELIEST) -> tuple[Likely, ...]:
    """The tokens with the largest log-probabilities (piece)."""
    ids = logprobs.topk(min(most, len(logprobs))).indices.tolist()
    return tuple(likely(subject, token, logprobs) for token in ids)


def likely(subject: Subject, token: int, logprobs: Tensor) -> Likely:
    """A token with its log-probability (of piece)."""
    return Likely(token, spell_token(subject, token), float(logprobs[token]))


def spell_token(subject: Subject, token: int) -> str:
    """A token by itself. A vocabulary may be smaller than the model's table of predictions."""
    return subject.spell([token])[0] if token < len(subject.tokenizer) else f"<{token}>"
