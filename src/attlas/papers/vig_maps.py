"""Vig's six patterns as he states them, on one text of two sentences: how much of each head's attention
follows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SENTENCES = ("I went to the store.", "At the store, I bought fresh strawberries.")
Targets = npt.NDArray[np.bool_]  # query key


@dataclass(frozen=True)
class TwoSentences:
    """The tokens of [CLS] A [SEP] B [SEP], or of A and B one after the other. In a `causal` text no token
    sees those after it."""

    tokens: tuple[str, ...]
    second: int  # where the second sentence begins
    special: frozenset[int]
    causal: bool = False

    @property
    def places(self) -> npt.NDArray[np.int64]:
        return np.arange(len(self.tokens))

    @property
    def ordinary(self) -> npt.NDArray[np.bool_]:
        return np.array([place not in self.special for place in range(len(self.tokens))])

    @property
    def visible(self) -> Targets:
        """query key: what each token sees."""
        size = len(self.tokens)
        every = np.ones((size, size), dtype=bool)
        return np.tril(every) if self.causal else every

    @property
    def same(self) -> Targets:
        """Whether two ordinary tokens are spelled alike; a token and itself are."""
        words = [token.lstrip("Ġ▁ ").lower() for token in self.tokens]
        alike = np.array([[a == b for b in words] for a in words])
        return alike & self.ordinary[:, None] & self.ordinary[None, :]

    @property
    def pieces_of_one_word(self) -> Targets:
        """Whether two different tokens are pieces of one word."""
        word, words = -1, []
        for place in range(len(self.tokens)):
            word += place in (*self.special, self.second) or not _goes_on(self.tokens, place)
            words.append(word)
        of_one = np.equal.outer(words, words) & ~np.eye(len(words), dtype=bool)
        return of_one & self.ordinary[:, None] & self.ordinary[None, :]


def _goes_on(tokens: Sequence[str], place: int) -> bool:
    """Whether a token continues the word before it, as its tokenizer marks that."""
    token, before = tokens[place], tokens[max(0, place - 1)]
    if any(t.startswith("##") for t in tokens):
        return token.startswith("##")
    if any(t.startswith(("Ġ", "▁", " ")) for t in tokens):
        return not token.startswith(("Ġ", "▁", " ")) and token[:1].isalnum() and before[-1:].isalnum()
    return False


def _next(text: TwoSentences) -> Targets:
    return np.eye(len(text.tokens), k=1, dtype=bool)


def _previous(text: TwoSentences) -> Targets:
    return np.eye(len(text.tokens), k=-1, dtype=bool)


def _other_sentence(text: TwoSentences) -> Targets:
    in_second = text.places >= text.second
    across: Targets = in_second[:, None] != in_second[None, :]
    return text.same & across


def _delimiters(text: TwoSentences) -> Targets:
    """[CLS] and [SEP]; in a decoder's text without such, the first token, where Vig saw GPT-2 rest."""
    resting = ~text.ordinary if text.special or not text.causal else text.places == 0
    return np.broadcast_to(resting, (len(text.tokens), len(text.tokens)))


#: number -> what Vig calls it, and the tokens that it means for each token
PATTERNS: Mapping[int, tuple[str, Callable[[TwoSentences], Targets]]] = {
    1: ("attention to the next word", _next),
    2: ("attention to the previous word", _previous),
    3: ("attention to identical or related words, the word itself too", lambda text: text.same),
    4: ("attention to identical or related words in the other sentence", _other_sentence),
    5: (
        "attention to other words that predict the word (pieces of one word)",
        lambda t: t.pieces_of_one_word,
    ),
    6: ("attention to delimiters", _delimiters),
}


def scores(weights: npt.NDArray[np.floating], text: TwoSentences, pattern: int) -> npt.NDArray[np.float64]:
    """layer head: attention (layer head query key) on the targets, averaged over the tokens that see one and
    something else as well. NaN where no token does."""
    targets = PATTERNS[pattern][1](text) & text.visible
    asked = targets.any(1) & (text.visible & ~targets).any(1)
    if not asked.any():
        return np.full(weights.shape[:2], np.nan)
    on_targets = (weights.astype(np.float64) * targets).sum(-1)
    return np.asarray(on_targets[..., asked].mean(-1))


def even(text: TwoSentences, pattern: int) -> float:
    """What attention that is even over the tokens in view would score."""
    seen = text.visible
    return float(scores((seen / seen.sum(1, keepdims=True))[None, None], text, pattern)[0, 0])
