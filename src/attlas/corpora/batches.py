"""Batches: what goes into the model, and what is known about its tokens. Token classes are names for sets of
tokens that statistics speak of ([SEP], punctuation, your own)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from attlas.address import Kind
from attlas.corpora.segments import Segment, Segments
from attlas.corpora.source import ItemId
from attlas.corpora.token_text import PUNCTUATION, spellings, strip_marks
from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.subject import Subject


#: a set of tokens, or a function that says whether a token belongs
Membership = Collection[str] | Callable[[str], bool]

#: classes that come from where a token stands, not from what it is
POSITIONS = ("first", "last", "quarter_1", "quarter_2", "quarter_3", "quarter_4")
#: classes of inputs that have two sentences
SENTENCES = ("sentence_a", "sentence_b")
RESERVED = frozenset(
    {"all", "other", "not_sep", "cls", "sep", "punct", "image", "text", "not_first", "from_third"}
    | {*POSITIONS, *SENTENCES}
)


class TokenClasses:
    """The classes of a tokenizer's tokens: `cls`, `sep`, `punct` (period or comma), `other` (none of these),
    `not_sep`, those of position (`first`, `not_first`, `from_third`, `last`, quarters of the segment), and a
    user's own.

    A user's set or function sees the token without its word-boundary mark (Ġ or ▁); a set may also hold the
    token as the tokenizer writes it. Only tables over the vocabulary are kept of them, which pickle. Inputs
    of two sentences also have `sentence_a` and `sentence_b`; those with images `image`, the tokens that stand
    for pieces of one (`image` is their id), and `text`, all others."""

    def __init__(
        self, tokenizer: Any, custom: Mapping[str, Membership] | None = None, image: int | None = None
    ) -> None:
        classes = dict(custom or {})
        for name, members in classes.items():
            if not callable(members) and not (
                isinstance(members, Collection) and all(isinstance(token, str) for token in members)
            ):
                raise AttlasError(f"the class {name!r} is {members!r}: give a set of tokens, or a function")
            if not isinstance(name, str) or name in RESERVED or not name.isidentifier():
                raise AttlasError(f"a token class cannot be called {name!r}: use other letters and _")
        #: the user's own: the tokens that were named, or None for those that a function chose
        self.custom = {name: None if callable(m) else tuple(sorted(m)) for name, m in classes.items()}
        self.image = image
        self._tables = {} if tokenizer is None else _tables(tokenizer, classes)
        self._moved: dict[torch.device, dict[str, Tensor]] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_moved": {}}

    @property
    def names(self) -> tuple[str, ...]:
        """The classes of tokens that statistics report by default, the user's own last."""
        of_tokens = tuple(n for n in self._tables if n != "not_sep")
        return of_tokens if self.image is None else (*of_tokens, "image")

    def fingerprint(self) -> str:
        """Say in short which tokens belong to which class: a function has no name that a file could keep."""
        digest = sha256()
        for name, table in self._tables.items():
            digest.update(name.encode() + table.numpy().tobytes())
        if self.image is not None:
            digest.update(f"image {self.image}".encode())
        return digest.hexdigest()

    def tokens(self, ids: Tensor, mask: Tensor | None = None) -> Tokens:
        """The annotated tokens of a batch: ids and mask are (batch token)."""
        real = torch.ones_like(ids, dtype=torch.bool) if mask is None else mask.bool()
        if self.image is None:
            looked_up = {name: table[ids] & real for name, table in self._tables_on(ids.device).items()}
        else:
            tables = self._tables_on(ids.device).items()
            looked_up = {name: _looked_up(table, ids) & real for name, table in tables}
            images = (ids == self.image) & real
            looked_up |= {"image": images, "text": real & ~images}
            if "other" in looked_up:
                looked_up["other"] = looked_up["other"] & ~images
        return Tokens(real, {**looked_up, **_positions(real)}, ids)

    def _tables_on(self, device: torch.device) -> dict[str, Tensor]:
        if device not in self._moved:
            self._moved[device] = {name: table.to(device) for name, table in self._tables.items()}
        return self._moved[device]

    def positions(self, real: Tensor) -> Tokens:
        """Tokens of which only the position is known."""
        return Tokens(real, _positions(real))


def _tables(tokenizer: Any, custom: Mapping[str, Membership]) -> dict[str, Tensor]:
    """class -> vocabulary, True on members."""
    vocabulary = tokenizer.get_vocab()
    size = max(vocabulary.values()) + 1

    def table(members: Iterable[str]) -> Tensor:
        mask = torch.zeros(size, dtype=torch.bool)
        mask[[vocabulary[token] for token in members]] = True
        return mask

    tables = {}
    for name, special in (("cls", tokenizer.cls_token_id), ("sep", tokenizer.sep_token_id)):
        if special is not None:
            tables[name] = torch.arange(size) == special
    tables["punct"] = table(
        t for t in spellings(PUNCTUATION) & vocabulary.keys() if strip_marks(t) in PUNCTUATION
    )
    tables["other"] = ~torch.stack(list(tables.values())).any(0)
    if "sep" in tables:
        tables["not_sep"] = ~tables["sep"]
    for name, members in custom.items():
        tables[name] = table(_members(vocabulary, members))
        if not callable(members) and not tables[name].any():
            asked = ", ".join(sorted(members)[:5])
            raise AttlasError(f"the class {name!r} has no token of this vocabulary: {asked}")
    return tables


def _looked_up(table: Tensor, ids: Tensor) -> Tensor:
    """Whether each id is a member; those that the tokenizer does not know (Gemma 3's images) are none."""
    return table[ids.clamp(max=len(table) - 1)] & (ids < len(table))


def _members(vocabulary: Mapping[str, int], members: Membership) -> Iterator[str]:
    if callable(members):
        return (token for token in vocabulary if members(strip_marks(token)))
    wanted = frozenset(members)
    return (t for t in spellings(wanted) & vocabulary.keys() if t in wanted or strip_marks(t) in wanted)


def _positions(real: Tensor) -> dict[str, Tensor]:
    place = real.cumsum(-1) - 1  # counted within the real tokens, so that padding on the left does not matter
    length = real.sum(-1, keepdim=True)
    quarter = (place * 4).div(length.clamp(min=1), rounding_mode="floor")
    return {
        "first": real & (place == 0),
        "not_first": real & (place > 0),
        "from_third": real & (place > 1),
        "last": real & (place == length - 1),
        **{f"quarter_{i + 1}": real & (quarter == i) for i in range(4)},
    }


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
    """Return which side of a model gives a kind its queries, and which its keys."""
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
    """Return the padding that the model knows, where it does: decoders that classify look for the last token
    before it."""
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
