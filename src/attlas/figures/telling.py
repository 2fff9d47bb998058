"""Telling heads: those whose maps are worth a look, chosen by their statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.corpora.classes import PUNCTUATION, bare
from attlas.figures.measures import Measure, measure

MOST = 4


@dataclass(frozen=True)
class Trait:
    """What a head can be strongest in; `seen` says whether a map of these keys can show it."""

    name: str
    statistic: str
    group: str
    says: str
    seen: Callable[[Sequence[str]], bool] = lambda keys: len(keys) > 1


@dataclass(frozen=True)
class Telling:
    trait: Trait
    head: Head
    value: str


def _has_separator(keys: Sequence[str]) -> bool:
    return any(k in ("[SEP]", "</s>", "<sep>", "<|sep|>") for k in keys)


def _has_punctuation(keys: Sequence[str]) -> bool:
    return any(bare(k) in PUNCTUATION for k in keys)


#: in order of interest; the first four that an atlas and its tokens can show, each with another head
TRAITS = (
    Trait("Broadest", "entropy", "all", "entropy {} nats"),
    Trait("Next token", "to_next", "", "{} on the next token"),
    Trait("Separator", "to_class", "sep", "{} on [SEP]", _has_separator),
    Trait("Punctuation", "to_class", "punct", "{} on period and comma", _has_punctuation),
    Trait("Previous token", "to_previous", "", "{} on the previous token"),
    Trait("Itself", "to_self", "", "{} on the token itself"),
    Trait("Most focused", "largest", "", "largest weight {} on average"),
)


def telling_heads(atlas: Atlas, kind: Kind, queries: Sequence[str], keys: Sequence[str]) -> list[Telling]:
    """Up to four heads of a kind, one a trait."""
    chosen: list[Telling] = []
    for trait in TRAITS:
        if len(chosen) == MOST:
            break
        what = measure(atlas, kind, trait.statistic, trait.group)
        if what is None or not trait.seen(keys) or not np.nanmax(what.values) > 0:
            continue
        head = _best_beside(what, [told.head for told in chosen])
        if head is not None:
            chosen.append(Telling(trait, head, trait.says.format(what.of(head))))
    return chosen


def _best_beside(what: Measure, taken: Sequence[Head]) -> Head | None:
    ranked = sorted(what.heads(), key=lambda found: -found[1])
    return next((head for head, _, _ in ranked if head not in taken), None)
