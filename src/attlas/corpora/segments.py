"""Segments: what one row of a batch holds. For BERT and its kin, `[CLS] A [SEP] B [SEP]` as Clark 2019 built
them; for models without such pairs, consecutive windows of text."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.corpora.classes import TokenClasses
from attlas.corpora.source import ItemId
from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.subject import Subject

SHORTEST_WINDOW = 8
DOCUMENTS_AT_ONCE = 32


@dataclass(frozen=True)
class Segment:
    number: int
    ids: tuple[int, ...]
    types: tuple[int, ...]  # 0 for A, 1 for B


@dataclass(frozen=True)
class Template:
    """The special tokens that a tokenizer puts before, between and after one or two texts."""

    before: tuple[int, ...]
    between: tuple[int, ...]  # empty: the model does not take pairs
    after: tuple[int, ...]

    @property
    def pairs(self) -> bool:
        return bool(self.between)

    @property
    def specials(self) -> int:
        return len(self.before) + len(self.between) + len(self.after)


def template_of(tokenizer: Any) -> Template:
    """Read off what the tokenizer does to the pair ("a", "b"), rather than from its class."""
    mark = tokenizer("a", add_special_tokens=False)["input_ids"]
    single = tokenizer("a")["input_ids"]
    at = _find(single, mark)
    before, after = tuple(single[:at]), tuple(single[at + len(mark) :])
    if tokenizer.cls_token_id is None or tokenizer.sep_token_id is None:
        return Template(before, (), after)
    pair = tokenizer("a", "a")["input_ids"]
    between = tuple(pair[len(before) + len(mark) : len(pair) - len(mark) - len(after)])
    return Template(before, between, after)


def _find(ids: Sequence[int], part: Sequence[int]) -> int:
    places = (i for i in range(len(ids)) if list(ids[i : i + len(part)]) == list(part))
    return next(places, 0)


def make_segments(
    documents: Iterable[Sequence[str]],
    tokenizer: Any,
    length: int = 128,
    limit: int | None = None,
    seed: int = 0,
    faithful: bool = False,
) -> list[Segment]:
    """The first `limit` segments of at most `length` tokens, in the order of the text."""
    template = template_of(tokenizer)
    room = length - template.specials
    if room < 2:
        raise AttlasError(
            f"segments of {length} tokens leave no room for text beside {template.specials} special ones"
        )
    if template.pairs:
        parts = _pairs(documents, tokenizer, room, random.Random(seed), faithful)
    else:
        parts = ((window, []) for window in _windows(documents, tokenizer, room))
    return [_assemble(number, a, b, template, faithful) for number, (a, b) in enumerate(islice(parts, limit))]


def _assemble(number: int, a: list[int], b: list[int], template: Template, faithful: bool) -> Segment:
    first = [*template.before, *a, *(template.between if template.pairs else template.after)]
    second = [*b, *template.after] if template.pairs else []
    # the original feeds type 0 to the second paragraph as well
    types = [0] * len(first) + [0 if faithful else 1] * len(second)
    return Segment(number, tuple(first + second), tuple(types))


def _pairs(
    documents: Iterable[Sequence[str]], tokenizer: Any, room: int, rng: random.Random, faithful: bool
) -> Iterator[tuple[list[int], list[int]]]:
    """SPEC A1: sentences until there are `room` pieces, split at random into A and its continuation B."""
    for pieces in _tokenised(documents, tokenizer):
        for chunk in _chunks(pieces, room):
            if len(chunk) == 1 and len(chunk[0]) > 1 and not faithful:
                # a sentence that fills a segment alone: A and B are its two parts
                cut = rng.randint(1, len(chunk[0]) - 1)
                chunk = [chunk[0][:cut], chunk[0][cut:]]
            split = rng.randint(1, max(1, len(chunk) - 1))
            a, b = list(chain(*chunk[:split])), list(chain(*chunk[split:]))
            _trim(a, b, room, rng)
            if a and b:
                yield a, b
            elif faithful:
                break  # the original gives up on the rest of the document


def _tokenised(documents: Iterable[Sequence[str]], tokenizer: Any) -> Iterator[list[list[int]]]:
    """Each document's sentences, as pieces. Tokenizers use every core when they are given many at once."""
    left = iter(documents)
    while several := list(islice(left, DOCUMENTS_AT_ONCE)):
        # byte-level tokenizers see a word's leading space, which the split into sentences took away
        spaced = [s if i == 0 else f" {s}" for document in several for i, s in enumerate(document)]
        pieces = iter(_ids(tokenizer, spaced) if spaced else [])
        for document in several:
            yield [next(pieces) for _ in document]


def _ids(tokenizer: Any, texts: list[str]) -> list[list[int]]:
    """Pieces and nothing else: making the masks takes transformers longer than the pieces."""
    unasked = {"return_attention_mask": False, "return_token_type_ids": False}
    found: list[list[int]] = tokenizer(texts, add_special_tokens=False, **unasked)["input_ids"]
    return found


def _chunks(sentences: list[list[int]], room: int) -> Iterator[list[list[int]]]:
    chunk: list[list[int]] = []
    for sentence in sentences:
        if sentence:
            chunk.append(sentence)
        if sum(map(len, chunk)) >= room:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _trim(a: list[int], b: list[int], room: int, rng: random.Random) -> None:
    while len(a) + len(b) > room:
        longer = a if len(a) > len(b) else b
        longer.pop(0 if rng.random() < 0.5 else -1)


def _windows(documents: Iterable[Sequence[str]], tokenizer: Any, room: int) -> Iterator[list[int]]:
    for document in documents:
        ids = tokenizer(" ".join(document), add_special_tokens=False, verbose=False)["input_ids"]
        for start in range(0, len(ids), room):
            window = ids[start : start + room]
            if start == 0 or len(window) >= min(SHORTEST_WINDOW, room):
                yield window


def batches(segments: Sequence[Segment], size: int) -> list[list[Segment]]:
    """Batches of segments of like length, so that little is spent on padding. Deterministic."""
    by_length = sorted(segments, key=lambda s: (-len(s.ids), s.number))
    return [by_length[i : i + size] for i in range(0, len(by_length), size)]


def collate(
    subject: Subject, segments: Sequence[Segment], classes: TokenClasses | None = None, left: bool = False
) -> Batch:
    """One batch. Padding is on the right, whatever the tokenizer prefers for generation: on the left it would
    shift the positions of models that count them from the first place."""
    length = max(len(s.ids) for s in segments)
    padding = subject.tokenizer.pad_token_id or 0
    lengths = torch.tensor([len(s.ids) for s in segments])[:, None]
    place = torch.arange(length)[None]
    real = place >= length - lengths if left else place < lengths
    ids, types, mask = torch.full(real.shape, padding), torch.zeros(real.shape).long(), real.long()
    ids[real] = _flat([s.ids for s in segments])
    types[real] = _flat([s.types for s in segments])
    subject.check_ids(ids)
    inputs = {"input_ids": ids, "attention_mask": mask}
    if "token_type_ids" in subject.accepts and int(getattr(subject.model.config, "type_vocab_size", 0)) > 1:
        inputs["token_type_ids"] = types
    if subject.encoder_decoder:
        # the decoder reads what the encoder read, one place to the right
        inputs["decoder_input_ids"] = subject.shifted_right(ids)
        inputs["decoder_attention_mask"] = mask
    if subject.device.type == "cuda":  # from pinned memory the copy does not wait for the GPU
        inputs = {name: tensor.pin_memory() for name, tensor in inputs.items()}
    moved = {name: tensor.to(subject.device, non_blocking=True) for name, tensor in inputs.items()}
    return subject.annotate(moved, tuple(ItemId(s.number, 0) for s in segments), classes)


def _flat(rows: Sequence[Sequence[int]]) -> Tensor:
    """Many numbers, faster than torch reads them from a list."""
    return torch.from_numpy(np.fromiter(chain.from_iterable(rows), np.int64, sum(map(len, rows))))
