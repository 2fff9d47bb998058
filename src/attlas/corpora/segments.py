"""Segments: what one row of a batch holds. For BERT and its kin, `[CLS] A [SEP] B [SEP]` as Clark 2019 built
them; for models without such pairs, consecutive windows of text.

Processes that prepare segments beside a GPU have to be ready soon: nothing here needs PyTorch."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from attlas.corpora.pieces import Pieces
from attlas.corpora.source import ItemId, in_runs, seeded
from attlas.errors import AttlasError

SHORTEST_WINDOW = 8
CHARACTERS_AT_ONCE = 2**18  # that are tokenised together
Ids = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Segment:
    id: ItemId
    ids: Ids
    types: npt.NDArray[np.uint8]  # 0 for A, 1 for B

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Segment) and (self.id, *self._lists()) == (other.id, *other._lists())

    def __hash__(self) -> int:
        return hash(self.id)

    def _lists(self) -> tuple[list[int], list[int]]:
        return np.asarray(self.ids).tolist(), np.asarray(self.types).tolist()


class Template(NamedTuple):
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


@dataclass(frozen=True)
class SegmentCutter:
    """Cuts documents, each a number and sentences, into segments of at most `length` tokens.

    What is random is drawn for each document from its number; `faithful` keeps the original's one stream over
    all documents, and its habits: a chunk of one sentence ends the document, and what is too long loses
    pieces until it fits. Otherwise a chunk of one sentence is split in two, and a sentence longer than a
    segment is cut into several.
    """

    pieces: Pieces
    template: Template
    length: int = 128
    seed: int = 0
    faithful: bool = False

    @classmethod
    def of(cls, tokenizer: Any, length: int = 128, seed: int = 0, faithful: bool = False) -> SegmentCutter:
        return cls(Pieces(tokenizer), template_of(tokenizer), length, seed, faithful)

    def __post_init__(self) -> None:
        if self.room < 2:
            raise AttlasError(
                f"segments of {self.length} tokens leave no room for text beside "
                f"{self.template.specials} special ones"
            )

    @property
    def room(self) -> int:
        return self.length - self.template.specials

    def cut(
        self, documents: Iterable[tuple[int, Sequence[str]]], counts: Counter[str] | None = None
    ) -> Iterator[Segment]:
        """Counts documents, sentences and pieces; sentences that were cut, pieces that were trimmed off, and
        segments left out as too short."""
        counts = Counter() if counts is None else counts
        stream = random.Random(self.seed)
        for number, sentences, pieces in self._tokenise(documents):
            counts.update(documents=1, sentences=sentences, pieces=sum(map(len, pieces)))
            rng = stream if self.faithful else random.Random(seeded(self.seed, number))
            cuts = self._pairs(pieces, rng, counts) if self.template.pairs else self._windows(pieces, counts)
            for place, (ids, of_first) in enumerate(cuts):
                types = np.zeros(len(ids), np.uint8)
                types[of_first:] = 1
                yield Segment(ItemId(number, place), ids, types)

    def _tokenise(
        self, documents: Iterable[tuple[int, Sequence[str]]]
    ) -> Iterator[tuple[int, int, list[list[int]]]]:
        """Each document's number, how many sentences it has, and its pieces: of each sentence, or of all of
        it at once for models without pairs."""
        # enough to be worth tokenising together
        for several in in_runs(documents, lambda d: sum(map(len, d[1])), CHARACTERS_AT_ONCE):
            texts = [_with_leading_spaces(d) if self.template.pairs else [" ".join(d)] for _, d in several]
            pieces = iter(self.pieces(list(chain.from_iterable(texts))))
            for (number, document), document_texts in zip(several, texts, strict=True):
                yield number, len(document), list(islice(pieces, len(document_texts)))

    def _pairs(
        self, sentences: list[list[int]], rng: random.Random, counts: Counter[str]
    ) -> Iterator[tuple[Ids, int]]:
        """SPEC A1: sentences until there are enough pieces, split at random into A and its continuation B.
        Each with the length of what belongs to A."""
        pieces = np.fromiter(chain.from_iterable(sentences), np.int32)
        before, between, after = (np.array(part, np.int32) for part in self.template)
        end = 0
        for chunk in self._chunks([len(s) for s in sentences if s], counts):
            start, end = end, end + sum(chunk)
            middle = start + self._split(chunk, rng)
            a, b = _trim(middle - start, end - middle, self.room, rng, self.faithful)
            counts["trimmed"] += end - start - (a[1] - a[0]) - (b[1] - b[0])
            if a[0] < a[1] and b[0] < b[1]:
                first = np.concatenate([before, pieces[start + a[0] : start + a[1]], between])
                second = pieces[middle + b[0] : middle + b[1]]
                yield np.concatenate([first, second, after]), len(first)
                continue
            counts["too_short"] += 1
            if self.faithful:
                break  # the original gives up on the rest of the document

    def _chunks(self, lengths: list[int], counts: Counter[str]) -> Iterator[list[int]]:
        """Lengths of sentences that fill a segment, or its last ones."""
        chunk, size = list[int](), 0
        for length in lengths:
            if length > self.room and not self.faithful:
                counts["cut"] += 1
                while length > self.room - size:
                    chunk.append(self.room - size)
                    length -= self.room - size
                    yield chunk
                    chunk, size = [], 0
            chunk.append(length)
            size += length
            if size >= self.room:
                yield chunk
                chunk, size = [], 0
        if chunk:
            yield chunk

    def _split(self, chunk: list[int], rng: random.Random) -> int:
        """How many pieces of a chunk belong to A, before it is trimmed."""
        if len(chunk) > 1:
            return sum(chunk[: rng.randint(1, len(chunk) - 1)])
        # a sentence that fills a segment alone: A and B are its two parts. The original draws nothing
        return chunk[0] if self.faithful or chunk[0] < 2 else rng.randint(1, chunk[0] - 1)

    def _windows(self, texts: list[list[int]], counts: Counter[str]) -> Iterator[tuple[Ids, int]]:
        pieces = np.fromiter(chain.from_iterable(texts), np.int32)
        before, _, after = (np.array(part, np.int32) for part in self.template)
        for start in range(0, len(pieces), self.room):
            window = pieces[start : start + self.room]
            if start and len(window) < min(SHORTEST_WINDOW, self.room):
                counts["too_short"] += 1
                counts["trimmed"] += len(window)
                return
            yield np.concatenate([before, window, after]), self.length


def _with_leading_spaces(sentences: Sequence[str]) -> list[str]:
    """Byte-level tokenizers see a word's leading space, which the split into sentences took away."""
    return [sentence if i == 0 else f" {sentence}" for i, sentence in enumerate(sentences)]


def _trim(
    a: int, b: int, room: int, rng: random.Random, faithful: bool
) -> tuple[tuple[int, int], tuple[int, int]]:
    """What is kept of A and of B, in pieces: one after the other is taken from the longer side (of B, where
    they are equal), from the front or from the back."""
    surplus = max(0, a + b - room)
    if faithful:
        kept = [[0, a], [0, b]]
        for _ in range(surplus):
            longer = kept[0] if kept[0][1] - kept[0][0] > kept[1][1] - kept[1][0] else kept[1]
            if rng.random() < 0.5:
                longer[0] += 1
            else:
                longer[1] -= 1
        return (kept[0][0], kept[0][1]), (kept[1][0], kept[1][1])
    from_a, from_b = pieces_to_take(a, b, surplus)
    # as many coins as pieces are taken, thrown at once: how many come from the front
    front_a, front_b = rng.getrandbits(from_a).bit_count(), rng.getrandbits(from_b).bit_count()
    return (front_a, a - from_a + front_a), (front_b, b - from_b + front_b)


def pieces_to_take(a: int, b: int, surplus: int) -> tuple[int, int]:
    """How many pieces texts of a and of b pieces lose, if one after the other is taken from the longer (from
    the second, where they are equal)."""
    uneven = min(surplus, abs(a - b))
    from_b = uneven * (b > a) + (surplus - uneven + 1) // 2
    return surplus - from_b, from_b


def make_segments(
    documents: Iterable[Sequence[str]],
    tokenizer: Any,
    length: int = 128,
    limit: int | None = None,
    seed: int = 0,
    faithful: bool = False,
) -> list[Segment]:
    """The first `limit` segments of documents of sentences, numbered in their order."""
    cutter = SegmentCutter.of(tokenizer, length, seed, faithful)
    return list(islice(cutter.cut(enumerate(documents)), limit))


class Segments(Sequence[Segment]):
    """Segments side by side in a few arrays: thousands of them are sent to another process, sorted and put
    into batches as quickly as one."""

    def __init__(self, documents: Longs, places: Longs, lengths: Longs, ids: Ids, types: Bytes) -> None:
        self.documents, self.places, self.lengths = documents, places, lengths
        self.ids, self.types = ids, types  # of all segments, one after the other
        self.ends = np.cumsum(lengths)

    @classmethod
    def of(cls, segments: Sequence[Segment]) -> Segments:
        if isinstance(segments, Segments):
            return segments
        numbers = np.array([(*s.id, len(s.ids)) for s in segments], np.int64).reshape(-1, 3)
        ids = [np.asarray(s.ids, np.int32) for s in segments]
        types = [np.asarray(s.types, np.uint8) for s in segments]
        documents, places, lengths = numbers.T.copy()
        none, nothing = np.zeros(0, np.int32), np.zeros(0, np.uint8)
        return cls(
            documents, places, lengths, np.concatenate([none, *ids]), np.concatenate([nothing, *types])
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.lengths)

    @overload
    def __getitem__(self, place: int) -> Segment: ...
    @overload
    def __getitem__(self, place: slice) -> Segments: ...
    def __getitem__(self, place: int | slice) -> Segment | Segments:
        if isinstance(place, slice):
            return self.take(np.arange(len(self))[place])
        end = self.ends[place]
        tokens = slice(end - self.lengths[place], end)
        return Segment(
            ItemId(int(self.documents[place]), int(self.places[place])), self.ids[tokens], self.types[tokens]
        )

    def take(self, rows: Longs) -> Segments:
        """Return the segments at these places, in this order."""
        lengths = self.lengths[rows]
        shift = self.ends[rows] - np.cumsum(lengths)  # from a token's new place to its old one
        tokens = np.arange(lengths.sum()) + np.repeat(shift, lengths)
        return Segments(
            self.documents[rows], self.places[rows], lengths, self.ids[tokens], self.types[tokens]
        )

    @property
    def item_ids(self) -> tuple[ItemId, ...]:
        return tuple(map(ItemId, self.documents.tolist(), self.places.tolist()))


def batches(segments: Sequence[Segment], size: int | None = None, tokens: int = 2048) -> Iterator[Segments]:
    """Batches of segments of like length, longest first, so that little is spent on padding: of `size`
    segments each, or of as many as have `tokens` tokens with their padding."""
    packed = Segments.of(segments)
    order = np.lexsort((packed.places, packed.documents, -packed.lengths))
    start = 0
    while start < len(order):
        several = size or max(1, tokens // int(packed.lengths[order[start]]))
        yield packed.take(order[start : start + several])
        start += several
