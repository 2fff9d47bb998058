"""Batches: what goes into the model, and what is known about its tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from attlas.address import Kind
from attlas.corpora.segments import Segment, Segments
from attlas.corpora.source import ItemId

if TYPE_CHECKING:
    from attlas.corpora.classes import TokenClasses
    from attlas.subject import Subject

#: the class of tokens that a text repeats; where a batch has it, a loss counts no others
REPEATED = "repeated"
ANSWER = "answer"  # what a prompt asks for
#: with their padding, where they fit (`Subject.batch_tokens`)
TOKENS_IN_A_BATCH = {"cpu": 2048, "cuda": 32_768}


@dataclass(frozen=True)
class Tokens:
    """One side's tokens (batch token): which are real, and which belong to each class."""

    real: Tensor  # batch token, False on padding
    classes: Mapping[str, Tensor]  # name -> batch token, True on members; padding belongs to none
    ids: Tensor | None = None  # batch token; None for what is not text

    def members(self, name: str) -> Tensor:
        """batch token: the members of a class; `all` is every real token."""
        return self.real if name == "all" else self.classes[name]

    def has(self, name: str) -> bool:
        return name == "all" or name in self.classes

    def count(self, name: str) -> Tensor:
        """batch: the number of members in each segment."""
        return self.counts[self.names.index(name)]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return "all", *self.classes

    @cached_property
    def counts(self) -> Tensor:
        """class batch, float64, in the order of `names`: all at once, which is one step on a GPU."""
        return self.members_of_all.sum(-1, dtype=torch.float64)

    @cached_property
    def members_of_all(self) -> Tensor:
        """class batch token, in the order of `names`."""
        return torch.stack([self.real, *self.classes.values()])


def sides_of(kind: Kind) -> tuple[str, str]:
    """Which side of a model gives a kind its queries, and which its keys."""
    if kind == "vision":
        return "vision", "vision"
    return "encoder" if kind == "encoder" else "decoder", "decoder" if kind == "decoder" else "encoder"


@dataclass(frozen=True)
class Batch:
    """Inputs of one forward pass. `ids` name the items that its rows are; `ends` the documents of which no
    later batch has an item, where that is known."""

    inputs: Mapping[str, Tensor]
    sides: Mapping[str, Tokens]  # "encoder", "decoder", or both; "vision": patches, once they were attended
    ids: tuple[ItemId, ...]
    ends: frozenset[int] | None = field(default=None, kw_only=True)

    def queries(self, kind: Kind) -> Tokens:
        return self.sides[sides_of(kind)[0]]

    def keys(self, kind: Kind) -> Tokens:
        return self.sides[sides_of(kind)[1]]

    def during_pass(self, model: nn.Module) -> AbstractContextManager[None]:
        """What is done to the model while it runs over this batch, where inputs cannot say it."""
        return nullcontext()


def collate(
    subject: Subject,
    segments: Sequence[Segment],
    classes: TokenClasses | None = None,
    left: bool = False,
    one_type: bool = False,
    pad: int | None = None,
) -> Batch:
    """One batch. Padding is on the right, whatever the tokenizer prefers for generation: on the left it would
    shift the positions of models that count them from the first place. With `one_type` B has the
    type of A, as in the original. `pad`: to at least this many tokens, not to the longest's."""
    packed = Segments.of(segments)
    length, lengths = max(int(packed.lengths.max()), pad or 0), packed.lengths[:, None]
    place = np.arange(length)
    real = place >= length - lengths if left else place < lengths  # batch token
    ids = np.full(real.shape, _padding(subject), np.int64)
    types = np.zeros_like(ids)
    ids[real], types[real] = packed.ids, packed.types
    inputs = {"input_ids": torch.from_numpy(ids)}
    subject.check_ids(inputs["input_ids"])
    if not real.all():  # without padding no mask: asking a GPU whether there is any makes the host wait
        inputs["attention_mask"] = torch.from_numpy(real.astype(np.int64))
    if "token_type_ids" in subject.accepts and int(getattr(subject.model.config, "type_vocab_size", 0)) > 1:
        inputs["token_type_ids"] = torch.from_numpy(np.zeros_like(types) if one_type else types)
    if subject.encoder_decoder:
        # the decoder reads what the encoder read, one place to the right
        inputs["decoder_input_ids"] = subject.shifted_right(inputs["input_ids"])
        if "attention_mask" in inputs:
            inputs["decoder_attention_mask"] = inputs["attention_mask"]
    if types.any():
        inputs["sentences"] = torch.from_numpy(types)
    if subject.device.type == "cuda":  # from pinned memory the copy does not wait for the GPU
        inputs = {name: tensor.pin_memory() for name, tensor in inputs.items()}
    moved = {name: tensor.to(subject.device, non_blocking=True) for name, tensor in inputs.items()}
    sentences = moved.pop("sentences", None)
    plain = subject.annotate(moved, packed.item_ids, classes)
    return plain if sentences is None else _with_sentences(plain, sentences)


def _padding(subject: Subject) -> int:
    """As the model knows it, where it does: decoders that classify look for the last token before it."""
    configured = getattr(subject.model.config, "pad_token_id", None)
    known = configured if isinstance(configured, int) and configured >= 0 else subject.tokenizer.pad_token_id
    return known or 0


def _with_sentences(batch: Batch, sentences: Tensor) -> Batch:
    """The same batch with the classes `sentence_a` and `sentence_b`: the words of each, without what
    separates them."""
    sides = {}
    for name, side in batch.sides.items():
        numbers = sentences  # batch token: 0 in A, 1 in B
        if name == "decoder" and "encoder" in batch.sides:
            # it reads one place later, after a start token that belongs to neither
            numbers = torch.cat([torch.full_like(numbers[:, :1], 2), numbers[:, :-1]], 1)
        words = side.real & ~side.members("cls") & ~side.members("sep")
        classes = {"sentence_a": words & (numbers == 0), "sentence_b": words & (numbers == 1)}
        sides[name] = replace(side, classes={**side.classes, **classes})
    return replace(batch, sides=sides)
