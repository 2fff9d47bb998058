"""A sentence that people can read, whole, short, and mostly of whole words; and the weights between its
tokens: for looking at, not for counting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
import torch

from attlas.corpora.batches import sides_of
from attlas.corpora.token_text import WORD_GOES_ON, strip_marks
from attlas.reducers.kept_arrays import Arrays, ItemArrays
from attlas.reducers.reducer import layer_of, reading_order
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Item = TypeVar("Item")

SHORTEST = 7  # tokens
ENDS = frozenset(".!?")
WITHIN = frozenset(",;:'’-")  # punctuation that does not make a sentence hard to read
SEPARATORS = frozenset(["[SEP]", "</s>"])


def readable_sentence(texts: Mapping[Item, Sequence[str]], most: int) -> tuple[Item, slice]:
    """The one of these texts with the sentence that reads best, and where in it that is: a whole one of at
    most `most` tokens, or how one begins. The last tokens of the longest text, where none has a sentence."""
    best: tuple[float, Item, slice] | None = None
    for item, tokens in texts.items():
        for start, stop in sentences(tokens, most):
            score = readability(tokens[start:stop])
            if best is None or score > best[0]:
                best = score, item, slice(start, stop)
    if best is not None:
        return best[1:]
    longest = max(texts, key=lambda item: len(texts[item]))
    count = len(texts[longest])
    return longest, slice(max(0, count - most), count)


def sentences(tokens: Sequence[str], most: int) -> list[tuple[int, int]]:
    """The places where sentences begin and end, with the separator behind them; of longer ones, the first
    tokens."""
    places = []
    cased = any(token[:1].isupper() for token in map(str.strip, tokens))
    start: int | None = None  # a text may begin in the middle of a sentence
    for place, token in enumerate(tokens):
        if _is_special(token) or "\n" in token:
            start = place + 1
        elif _ends(tokens, place):
            stop = place + 1
            stop += stop < len(tokens) and tokens[stop] in SEPARATORS
            begins = start is not None and (not cased or strip_marks(tokens[start]).strip()[:1].isupper())
            if start is not None and begins and stop - start >= SHORTEST:
                places.append((start, min(stop, start + most)))
            start = place + 1
    return places


def readability(tokens: Sequence[str]) -> float:
    """The share of whole words and plain punctuation; more for a comma and a separator, where heads look, and
    most for a sentence that is whole."""
    marked = any(token.startswith(" ") for token in tokens)  # where a word begins
    plain = [_is_plain(token) and not (marked and _goes_on(tokens, i)) for i, token in enumerate(tokens)]
    extras = any(strip_marks(token).strip() == "," for token in tokens), any(t in SEPARATORS for t in tokens)
    is_whole = strip_marks(tokens[-1]).strip() in ENDS or tokens[-1] in SEPARATORS
    return sum(plain) / len(tokens) + 0.1 * sum(extras) + 0.5 * is_whole


def _is_plain(token: str) -> bool:
    text = strip_marks(token).strip()
    if token.startswith(WORD_GOES_ON):
        return False
    return text.isalpha() or text in ENDS or text in WITHIN or _is_special(token)


def _goes_on(tokens: Sequence[str], place: int) -> bool:
    """Tell whether a token without a space before it goes on with a word: letters after letters."""
    return place > 0 and tokens[place][:1].isalpha() and tokens[place - 1][-1:].isalpha()


def _is_special(token: str) -> bool:
    return len(token) > 2 and token[0] + token[-1] in ("[]", "<>")


def _ends(tokens: Sequence[str], place: int) -> bool:
    """Tell whether a sentence ends here: not after an initial or an abbreviation, nor within a number."""
    if strip_marks(tokens[place]).strip() not in ENDS or place == 0:
        return False
    before = strip_marks(tokens[place - 1]).strip().removeprefix(WORD_GOES_ON)
    return before.isalpha() and (len(before) > 3 or tokens[place - 1].startswith(WORD_GOES_ON))


class PassageWeights(ItemArrays):
    """Weights that each token of a passage gives to each of them, and to the first token of all, in every
    item, as every head sees it."""

    name = "passage_weights"
    needs = Needs(lazy_weights=True)

    def __init__(self, passages: Mapping[str, slice]) -> None:
        self.passages = passages  # side -> which of an item's tokens
        # kind.layer -> head query 1+key: the first token of all, NaN where it is one of the passage, then the
        # passage
        super().__init__()

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if any(side not in self.passages for side in sides_of(call.kind)):
                continue  # patches of images
            assert call.lazy_weights is not None
            asking_side, looked_at_side = (self.passages[side] for side in sides_of(call.kind))
            queries, keys = (
                side.real.cpu()
                for side in (observation.batch.queries(call.kind), observation.batch.keys(call.kind))
            )
            for row, item in enumerate(observation.batch.ids):
                asking = queries[row].nonzero()[asking_side, 0]
                looked_at = keys[row].nonzero()[looked_at_side, 0]
                first, past = int(asking[0]), int(asking[-1]) + 1
                weights = call.lazy_weights.rows(first, past)[row].float().cpu()
                sink = int(keys[row].nonzero()[0, 0])
                to_first = (
                    weights[:, :, [sink]]
                    if sink < looked_at[0]
                    else torch.full_like(weights[:, :, :1], torch.nan)
                )
                both = torch.cat([to_first, weights[:, :, looked_at]], -1)
                self.kept[item, f"{call.kind}.{call.layer}"] = both.numpy()

    def arrays(self) -> Arrays:
        """`kind.maps` (head query key) of the first item, all heads of a kind in reading order; and
        `kind.maps_first` (head query), the weight on the first token of all, where it is not among the
        keys."""
        if not self.kept:
            return {}
        first = self.items()[0]
        layers = sorted((layer for item, layer in self.kept if item == first), key=reading_order)
        arrays: Arrays = {}
        for kind in dict.fromkeys(layer_of(layer)[0] for layer in layers):
            of_kind = [self.kept[first, layer] for layer in layers if layer_of(layer)[0] == kind]
            weights = np.concatenate(of_kind)
            arrays[f"{kind}.maps"] = np.ascontiguousarray(weights[:, :, 1:])
            if not np.isnan(weights[:, :, 0]).any():
                arrays[f"{kind}.maps_first"] = np.ascontiguousarray(weights[:, :, 0])
        return arrays
