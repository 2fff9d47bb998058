"""Informative heads: those whose maps are worth a look, chosen by their statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas
from attlas.corpora.token_text import PUNCTUATION, strip_marks
from attlas.figures.head_measures import Measure, measure

MOST = 4
SLIGHT = 0.25  # where no head gives a larger share than this, there are better heads to look at


@dataclass(frozen=True)
class Trait:
    """What a head can be strongest in; `seen` says whether a map of these keys can show it. Names are
    superlatives: a head that gives most to [SEP] may still give little."""

    name: str
    statistic: str
    group: str
    seen: Callable[[Sequence[str]], bool] = lambda keys: len(keys) > 1
    share: Callable[[Floats, Sequence[str]], float] | None = None  # how much of it a map shows, where it can


@dataclass(frozen=True)
class Informative:
    trait: Trait
    head: Head
    value: str
    rank: int = 1  # among all heads, by the trait

    @property
    def name(self) -> str:
        """most to punctuation; third most to punctuation, of a head that two heads surpass"""
        ordinals = {1: "", 2: "second ", 3: "third "}
        return f"{ordinals.get(self.rank, f'{self.rank}th ')}{self.trait.name}"


def _is_separator(key: str) -> bool:
    return key in ("[SEP]", "</s>", "<sep>", "<|sep|>")


def _is_punctuation(key: str) -> bool:
    return strip_marks(key).strip() in PUNCTUATION


def _has(is_one: Callable[[str], bool]) -> Callable[[Sequence[str]], bool]:
    return lambda keys: any(map(is_one, keys))


def _on(is_one: Callable[[str], bool]) -> Callable[[Floats, Sequence[str]], float]:
    """The mean over rows of the weight on such keys."""
    return lambda weights, keys: float(weights[:, [is_one(key) for key in keys]].sum(-1).mean())


def _beside(offset: int) -> Callable[[Floats, Sequence[str]], float]:
    """The mean weight on the key at this offset; 0 where queries and keys are not the same tokens."""
    return lambda weights, keys: float(np.diagonal(weights, offset).mean()) if weights.size else 0.0


#: in order of interest; the first four that an atlas and its tokens can show, each with another head, and
#: those that no head does more than slightly after the others
TRAITS = (
    Trait("largest entropy", "entropy", "all"),
    Trait("most to the next token", "to_next", "", share=_beside(1)),
    Trait("most to [SEP]", "to_class", "sep", _has(_is_separator), _on(_is_separator)),
    Trait("most to punctuation", "to_class", "punct", _has(_is_punctuation), _on(_is_punctuation)),
    Trait("most to the previous token", "to_previous", "", share=_beside(-1)),
    Trait("most to the first token", "to_first", ""),
    Trait("most to itself", "to_self", "", share=_beside(0)),
    Trait("largest weight of a row", "largest", ""),
)


def informative_heads(
    atlas: Atlas,
    chapter: str,
    kind: Kind,
    keys: Sequence[str],
    map_of: Callable[[Head], Floats | None] = lambda head: None,
) -> list[Informative]:
    """Up to four heads of a kind, one a trait: where there are maps, heads whose map shows it."""
    chosen: list[Informative] = []
    measured = [(trait, measure(atlas, chapter, kind, trait.statistic, trait.group)) for trait in TRAITS]
    for trait, what in sorted(measured, key=lambda both: _slight(both[1])):
        if len(chosen) == MOST:
            break
        if what is None or not trait.seen(keys) or not np.nanmax(what.values) > 1e-6:
            continue
        head = _best_beside(what, [other.head for other in chosen], _map_check(trait, what, keys, map_of))
        if head is not None:
            unit = " nats" if what.in_nats else ""
            rank = 1 + int((what.values > what.values[head.layer, head.head]).sum())
            chosen.append(Informative(trait, head, f"{what.of(head)}{unit}", rank))
    return chosen


def _slight(what: Measure | None) -> bool:
    return what is not None and not what.in_nats and not np.nanmax(what.values) > SLIGHT


def _map_check(
    trait: Trait, what: Measure, keys: Sequence[str], map_of: Callable[[Head], Floats | None]
) -> Callable[[Head, float], bool]:
    """Whether the map of a head with this value shows the trait: half as strongly as the head has it overall,
    and the head has it half as strongly as the foremost."""
    largest = float(np.nanmax(what.values))

    def shows(head: Head, value: float) -> bool:
        weights = map_of(head)
        if trait.share is None or weights is None:
            return True
        return value >= 0.5 * largest and trait.share(weights, keys) >= 0.5 * value

    return shows


def _best_beside(what: Measure, taken: Sequence[Head], shows: Callable[[Head, float], bool]) -> Head | None:
    ranked = sorted(what.heads(), key=lambda row: -row[1])
    return next((head for head, value, _ in ranked if head not in taken and shows(head, value)), None)
