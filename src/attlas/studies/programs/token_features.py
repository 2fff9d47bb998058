"""What programs may know of a token: tables over a vocabulary, from how its tokens are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attlas.corpora.token_text import (
    PIECE_GOES_ON,
    WORD_BEGINS,
    WORD_ENDS,
    WORD_GOES_ON,
    strip_marks,
)
from attlas.studies.patterns.definitions import PatternTokens

FREQUENT = 100  # of the tokens of a text, the most frequent
OPENERS, CLOSERS, STOPS = frozenset("([{“‘«"), frozenset(")]}”»"), frozenset(".!?")
#: what a query is, by which programs are weighed: the first that is true of it
CLASSES = ("special", "punctuation", "sentence start", "first piece", "later piece")

Tables = Mapping[str, Tensor]  # name -> vocabulary, True on members


def feature_tables(tokenizer: Any, text: Sequence[int]) -> Tables:
    """The tables of a tokenizer. `text` has tokens of some text: it tells the frequent from the rare."""
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    size = max(vocabulary.values()) + 1
    special = frozenset(tokenizer.all_special_ids)
    ordinary = {token: i for token, i in vocabulary.items() if i not in special}
    bare = {i: _bare(token) for token, i in ordinary.items()}
    often = Counter(i for i in text if i in bare)

    def table(members: Iterable[int]) -> Tensor:
        mask = torch.zeros(size, dtype=torch.bool)
        mask[list(members)] = True
        return mask

    goes_on, ends = _word_borders(ordinary, bare)
    return {
        "mark": table(i for i, b in bare.items() if b and not any(c.isalnum() for c in b)),
        "stop": table(i for i, b in bare.items() if b in STOPS),
        "comma": table(i for i, b in bare.items() if b == ","),
        "opener": table(i for i, b in bare.items() if b and b[0] in OPENERS),
        "closer": table(i for i, b in bare.items() if b and b[0] in CLOSERS),
        "capital": table(i for i, b in bare.items() if b[:1].isupper()),
        "number": table(i for i, b in bare.items() if b[:1].isdigit()),
        "frequent": table(i for i, _ in often.most_common(FREQUENT)),
        "rare": table(i for i in bare if often[i] < 2),
        "goes on": table(goes_on),
        "ends": table(ends),
    }


def _bare(token: str) -> str:
    """The token's own characters."""
    return strip_marks(token.removeprefix(WORD_GOES_ON)).removesuffix(PIECE_GOES_ON)


def _word_borders(ordinary: Mapping[str, int], bare: Mapping[int, str]) -> tuple[list[int], list[int]]:
    """The tokens that may go on with the word before them, and those after which no word goes on."""
    not_words = [i for i, b in bare.items() if not b[-1:].isalnum()]
    if any(token.startswith(WORD_GOES_ON) for token in ordinary):
        return [i for token, i in ordinary.items() if token.startswith(WORD_GOES_ON)], []
    begins = [i for i, b in bare.items() if b[:1].isalnum()]
    if any(token.startswith(WORD_BEGINS) for token in ordinary):
        marked = {i for token, i in ordinary.items() if token.startswith(WORD_BEGINS)}
        return [i for i in begins if i not in marked], not_words
    whole = [i for t, i in ordinary.items() if t.endswith(WORD_ENDS) or PIECE_GOES_ON not in t]
    return begins, [*not_words, *whole]


@dataclass(frozen=True)
class ProgramText:
    """What programs know of the texts of a batch: their tokens, and which of them have which feature."""

    tokens: PatternTokens
    features: Mapping[str, Tensor]  # batch token
    word: Tensor  # batch token: the number of its word; -1 on padding and special tokens
    sentence: Tensor  # batch token: the number of its sentence, which a full stop or a special token ends
    spelled: Sequence[Sequence[str]] = ()  # the tokens of each text, for programs of users

    @property
    def ids(self) -> Tensor:
        return self.tokens.ids

    @property
    def ordinary(self) -> Tensor:
        return self.tokens.ordinary

    @property
    def starts(self) -> Tensor:
        """batch token: the first of each sentence."""
        return self.ordinary & (self.sentence != shift(self.sentence, -1))

    @property
    def classes(self) -> Tensor:
        """batch token: the place of a query's class in CLASSES."""
        first = self.word != shift(self.word, -1)
        ranked = (self.tokens.special, self.features["mark"], self.starts, first)
        classes = torch.full_like(self.ids, len(ranked))
        for place in reversed(range(len(ranked))):
            classes = classes.masked_fill(ranked[place], place)
        return classes


def shift(values: Tensor, first: int | bool) -> Tensor:
    """batch token: what the token before has."""
    return torch.cat([torch.full_like(values[:, :1], first), values[:, :-1]], 1)


def read_features(
    tokens: PatternTokens, tables: Tables, spelled: Sequence[Sequence[str]] = ()
) -> ProgramText:
    """Look the tokens of a batch up."""
    ordinary = tokens.ordinary
    ids = tokens.ids.clamp(0, len(tables["mark"]) - 1)
    known = ordinary & (tokens.ids >= 0)
    features = {name: table.to(ids.device)[ids] & known for name, table in tables.items()}
    goes_on = features["goes on"] & shift(ordinary & ~features["ends"], False)
    word = (~goes_on).cumsum(-1).masked_fill(~ordinary, -1)
    begins = shift(features["stop"] | ~ordinary, True) | (tokens.sentence != shift(tokens.sentence, -1))
    sentence = (begins & ordinary).cumsum(-1).masked_fill(~ordinary, -1)
    return ProgramText(tokens, features, word, sentence, spelled)
