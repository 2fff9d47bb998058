"""A text as a model reads it, and the places where the model predicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from attlas.corpora.batches import Batch, Tokens
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.subject.losses import no_objective

#: masked: predicts what [MASK] stands for. causal: predicts the next token. embedding: predicts nothing
ModelKind = Literal["masked", "causal", "encoder_decoder", "embedding"]
NO_MASK = "put {mask} where a word is to be predicted"


def model_kind(subject: Subject) -> ModelKind:
    """What a model predicts in a text."""
    if no_objective(subject) is not None:
        return "embedding"
    if subject.encoder_decoder:
        return "encoder_decoder"
    return "masked" if subject.text_kinds == ("encoder",) else "causal"


@dataclass(frozen=True)
class ReadText:
    """`places` are where something is predicted: masks, or every token of a decoder, each of which predicts
    the one after it."""

    batch: Batch
    kind: ModelKind
    places: tuple[int, ...]
    side: Tokens  # whose tokens the places count
    mask: str = ""  # the mask token

    @property
    def ids(self) -> list[int]:
        assert self.side.ids is not None
        return [int(token) for token in self.side.ids[0]]

    @property
    def unpredicted(self) -> str | None:
        """Why nothing is predicted in this text; None where something is."""
        if self.kind == "embedding":
            return "the model has no language-model head: it predicts no tokens"
        return None if self.places else NO_MASK.format(mask=self.mask)

    def next_token(self, place: int) -> int | None:
        """The token that stands where a decoder predicts; None at the end, and for a mask."""
        ids = self.ids
        return ids[place + 1] if self.kind != "masked" and place + 1 < len(ids) else None

    def marked(self, places: tuple[int, ...]) -> Tensor:
        """batch token: which tokens these places are."""
        marks = torch.zeros_like(self.side.real)
        marks[:, list(places)] = True
        return marks

    def check_place(self, place: int | None) -> int:
        """The place of a prediction: the one asked for, or the first mask, or the last token."""
        if not self.places:
            raise AttlasError(self.unpredicted or "nothing is predicted")
        if place is None:
            return self.places[0] if self.kind == "masked" else self.places[-1]
        if place not in self.places:
            known = ", ".join(map(str, self.places)) if self.kind == "masked" else f"0 to {self.places[-1]}"
            raise AttlasError(f"nothing is predicted at place {place}: the places are {known}")
        return place


def read_text(subject: Subject, text: str, text_b: str | None = None) -> ReadText:
    """A text, and perhaps a second sentence, as the model's input."""
    if not subject.reads_text or subject.images:
        raise AttlasError(f"{subject.name} does not read text alone")
    batch = subject.encode(text, text_b)
    kind = model_kind(subject)
    side = batch.sides["decoder" if "decoder" in batch.sides else "encoder"]
    assert side.ids is not None
    ids = [int(token) for token in side.ids[0]]
    mask_id = getattr(subject.tokenizer, "mask_token_id", None)
    match kind:
        case "embedding":
            places: tuple[int, ...] = ()
        case "masked":
            places = tuple(place for place, token in enumerate(ids) if token == mask_id)
        case _:
            places = tuple(range(len(ids)))
    return ReadText(batch, kind, places, side, str(getattr(subject.tokenizer, "mask_token", "") or ""))
