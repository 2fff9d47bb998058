"""Token classes: names for sets of tokens that statistics speak of ([SEP], punctuation, your own)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import torch
from torch import Tensor

from attlas.corpora.batches import Tokens
from attlas.corpora.token_text import PUNCTUATION, spellings, strip_marks
from attlas.errors import AttlasError

#: a set of tokens, or a function that says whether a token belongs
Membership = Collection[str] | Callable[[str], bool]

#: classes that come from where a token stands, not from what it is
POSITIONS = ("first", "last", "quarter_1", "quarter_2", "quarter_3", "quarter_4")
#: classes of inputs that have two sentences
SENTENCES = ("sentence_a", "sentence_b")
RESERVED = frozenset(
    {"all", "other", "not_sep", "not_first", "cls", "sep", "punct", "image", "text", *POSITIONS, *SENTENCES}
)


class TokenClasses:
    """The classes of a tokenizer's tokens: `cls`, `sep`, `punct` (period or comma), `other` (none of these),
    `not_sep`, those of position (`first`, `not_first`, `last`, quarters of the segment), and a user's own.

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
        """Which tokens belong to which class, in short: a function has no name that a file could keep."""
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
        "last": real & (place == length - 1),
        **{f"quarter_{i + 1}": real & (quarter == i) for i in range(4)},
    }
