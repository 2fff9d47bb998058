"""Which pieces of a tokenizer spell which word: by characters, for any tokenizer (Clark 2019, 4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch, sides_of
from attlas.corpora.token_text import Span, spans_of
from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.corpora.windows import Window
    from attlas.subject import Subject

#: how the rows of a from-word's pieces become one row
From = Literal["mean", "first", "max"]


class Piece(NamedTuple):
    """A token and its characters in the window's text; special tokens and padding have none."""

    text: str
    start: int
    end: int

    @property
    def spells(self) -> bool:
        return self.end > self.start


def pieces_within(pieces: Sequence[Piece], spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return the places of the pieces that share a character with any of the spans."""
    return [
        place
        for place, piece in enumerate(pieces)
        if piece.spells and any(piece.start < end and start < piece.end for start, end in spans)
    ]


@dataclass(frozen=True)
class WordBatch(Batch):
    """A batch whose rows are windows. `shares` says for each side which part of a piece belongs to which word
    (batch piece word): 1 for nearly all, less where a piece reaches over several words, 0 for [CLS] and the
    like. `pieces` are each side's tokens, padding included."""

    windows: tuple[Window, ...]
    shares: Mapping[str, Tensor]
    pieces: Mapping[str, tuple[tuple[Piece, ...], ...]]

    def word_shares(self, kind: Kind) -> tuple[Tensor, Tensor]:
        """The shares of a kind's queries and of its keys."""
        queries, keys = sides_of(kind)
        return self.shares[queries], self.shares[keys]

    def word_pieces(self, kind: Kind, row: int) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """The pieces of one row: a kind's queries and its keys."""
        queries, keys = sides_of(kind)
        return self.pieces[queries][row], self.pieces[keys][row]


def with_words(batch: Batch, reader: str) -> WordBatch:
    """The batch for a reader of words: another than one of windows has none."""
    if not isinstance(batch, WordBatch):
        raise AttlasError(f"{reader} needs words: give it windows of an annotated corpus")
    return batch


def word_maps(weights: Tensor, queries: Tensor, keys: Tensor, rows: From = "mean") -> Tensor:
    """Weights between words (batch head word word) from weights between pieces (batch head piece piece).

    Columns of a to-word's pieces are summed; the rows of a from-word's pieces are averaged, or only the
    first is kept, or the largest of each column is taken and the row is scaled to the sum that the mean
    would have. `queries` and `keys` are shares (batch piece word).
    """
    summed = weights @ keys[:, None].to(weights.dtype)  # batch head piece word
    if rows == "first":
        return _rows_of(_first_pieces(queries), summed)
    mean = _rows_of(queries, summed)
    if rows == "mean":
        return mean
    # what lies outside the words ([CLS], [SEP]) counts as a word of its own when the row is scaled
    outside = weights * (1 - keys.sum(-1))[:, None, None].to(weights.dtype)
    columns = torch.cat([summed, outside], -1)
    member = queries > 0  # batch piece word
    largest = torch.stack(
        [columns.masked_fill(~member[:, None, :, word, None], 0).amax(2) for word in range(member.shape[2])],
        2,
    )
    total = _rows_of(queries, columns).sum(-1, keepdim=True)
    scaled = largest * total / largest.sum(-1, keepdim=True).clamp(min=torch.finfo(largest.dtype).tiny)
    return scaled[..., : summed.shape[-1]]


def _rows_of(shares: Tensor, summed: Tensor) -> Tensor:
    weight = shares / shares.sum(1, keepdim=True).clamp(min=torch.finfo(shares.dtype).tiny)
    return weight.transpose(1, 2)[:, None].to(summed.dtype) @ summed


def _first_pieces(shares: Tensor) -> Tensor:
    member = shares > 0
    return (member & (member.cumsum(1) == 1)).to(shares.dtype)


@dataclass(frozen=True)
class FitsTokens:
    """Has a text at most `length` tokens?"""

    tokenizer: Any
    length: int

    def __call__(self, text: str) -> bool:
        return len(self.tokenizer(text, verbose=False)["input_ids"]) <= self.length


def fits(subject: Subject, length: int) -> FitsTokens:
    """Whether a text fits into a window of the model's."""
    tokenizer = reading_tokenizer(subject)
    if length < 4:
        raise AttlasError(f"a window of {length} tokens is too short")
    subject.check_length(length, "the window")
    return FitsTokens(tokenizer, length)


def reading_tokenizer(subject: Subject) -> Any:
    if not callable(subject.tokenizer):
        raise AttlasError(
            f"{subject.name} has no tokenizer that reads text: words cannot be found in its input"
        )
    return subject.tokenizer


def aligned_batches(
    subject: Subject, windows: Iterable[Window], weight_bytes: int | None = None, ahead: int = 256
) -> Iterator[WordBatch]:
    """The windows in batches of similar length. A batch's weights, over all heads, take at most
    `weight_bytes` (or one window's); no more than `ahead` windows are looked at in advance."""
    if weight_bytes is None:
        # two cores gain nothing from larger batches, and need less memory for smaller ones
        weight_bytes = 2**23 if subject.device.type == "cpu" else 2**25
    stream = iter(windows)
    while some := list(islice(stream, ahead)):
        yield from _of_similar_length(subject, some, weight_bytes)
        some.clear()  # before the next are read


def _of_similar_length(subject: Subject, windows: list[Window], weight_bytes: int) -> Iterator[WordBatch]:
    pieces = _encode(subject, [w.text for w in windows])
    order = sorted(range(len(windows)), key=lambda i: len(pieces[i].ids))
    start = 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (
            (stop + 1 - start) * len(pieces[order[stop]].ids) ** 2 * 4 * len(subject.heads) <= weight_bytes
        ):
            stop += 1
        rows = order[start:stop]
        yield _batch(subject, [windows[i] for i in rows], [pieces[i] for i in rows])
        start = stop


@dataclass(frozen=True)
class _Pieces:
    ids: list[int]
    types: list[int] | None
    offsets: list[Span]


def _encode(subject: Subject, texts: Sequence[str]) -> list[_Pieces]:
    tokenizer = reading_tokenizer(subject)
    if not getattr(tokenizer, "is_fast", False):
        return _encode_slowly(subject, texts)
    encoding = tokenizer(
        list(texts), return_offsets_mapping=True, return_special_tokens_mask=True, verbose=False
    )
    types = encoding.get("token_type_ids")
    return [
        _Pieces(
            encoding["input_ids"][i],
            types[i] if types is not None else None,
            # some tokenizers give special tokens the characters of their neighbour
            [
                (0, 0) if special else (int(start), int(end))
                for (start, end), special in zip(
                    encoding["offset_mapping"][i], encoding["special_tokens_mask"][i], strict=True
                )
            ],
        )
        for i in range(len(texts))
    ]


def _encode_slowly(subject: Subject, texts: Sequence[str]) -> list[_Pieces]:
    """Encode with a tokenizer that does not say where its pieces stand: they are looked for."""
    tokenizer = subject.tokenizer
    encoding = tokenizer(list(texts), verbose=False)
    special = set(tokenizer.all_special_ids) - {tokenizer.unk_token_id}
    types = encoding.get("token_type_ids")
    encoded = []
    for i, text in enumerate(texts):
        ids = list(encoding["input_ids"][i])
        spelled = zip(ids, subject.spell(ids), strict=True)
        unknown = tokenizer.unk_token_id
        pieces = [None if n in special else "" if n == unknown else piece for n, piece in spelled]
        encoded.append(_Pieces(ids, types[i] if types is not None else None, spans_of(text, pieces)))
    return encoded


def _batch(subject: Subject, windows: list[Window], pieces: list[_Pieces]) -> WordBatch:
    length = max(len(p.ids) for p in pieces)
    padding = subject.tokenizer.pad_token_id or 0
    ids = torch.tensor([p.ids + [padding] * (length - len(p.ids)) for p in pieces])
    subject.check_ids(ids)
    mask = torch.tensor([[1] * len(p.ids) + [0] * (length - len(p.ids)) for p in pieces])
    inputs = {"input_ids": ids, "attention_mask": mask}
    if pieces[0].types is not None and "token_type_ids" in subject.accepts:
        inputs["token_type_ids"] = torch.tensor(
            [(p.types or []) + [0] * (length - len(p.ids)) for p in pieces]
        )
    shares = word_shares([w.spans for w in windows], [p.offsets for p in pieces]).to(subject.device)
    nothing = Piece("", 0, 0)
    strings = [subject.tokenizer.convert_ids_to_tokens(p.ids) for p in pieces]
    spelled = tuple(
        (
            *(Piece(str(text), *span) for text, span in zip(texts, p.offsets, strict=True)),
            *[nothing] * (length - len(p.ids)),
        )
        for texts, p in zip(strings, pieces, strict=True)
    )
    shared = {"encoder": shares, "decoder": shares}
    sides = {"encoder": spelled, "decoder": spelled}
    if subject.encoder_decoder:
        # the decoder reads the text again, one place later
        inputs["decoder_input_ids"] = subject.shifted_right(ids)
        inputs["decoder_attention_mask"] = mask
        shared["decoder"] = torch.cat([torch.zeros_like(shares[:, :1]), shares[:, :-1]], 1)
        sides["decoder"] = tuple((nothing, *row[:-1]) for row in spelled)
    plain = subject.annotate(
        {k: v.to(subject.device) for k, v in inputs.items()}, tuple(w.id for w in windows)
    )
    return WordBatch(plain.inputs, plain.sides, plain.ids, tuple(windows), shared, sides)


def word_shares(spans: Sequence[Sequence[Span]], offsets: Sequence[Sequence[Span]]) -> Tensor:
    """batch piece word: the part of each piece's characters within words that each word has."""
    shares = np.zeros((len(spans), max(map(len, offsets)), max(map(len, spans))), np.float32)
    for row, (words, pieces) in enumerate(zip(spans, offsets, strict=True)):
        first = 0  # words before this one end before the piece begins
        for piece, (start, end) in enumerate(pieces):
            if start == end:
                continue
            while first < len(words) and words[first][1] <= start:
                first += 1
            word = first
            while word < len(words) and words[word][0] < end:
                shares[row, piece, word] = max(0, min(end, words[word][1]) - max(start, words[word][0]))
                word += 1
    return torch.from_numpy(shares / np.maximum(shares.sum(-1, keepdims=True), 1))
