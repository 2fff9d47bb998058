"""From segments to a batch on the model's device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.corpora.classes import TokenClasses
from attlas.corpora.segments import Segment, Segments

if TYPE_CHECKING:
    from attlas.subject import Subject


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
