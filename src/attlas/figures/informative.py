"""Informative heads: those whose maps are worth a look, chosen by their statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.corpora.token_text import PUNCTUATION, bare
from attlas.figures.measures import Measure, measure

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


@dataclass(frozen=True)
class Informative:
    trait: Trait
    head: Head
    value: str


def _has_separator(keys: Sequence[str]) -> bool:
    return any(k in ("[SEP]", "</s>", "<sep>", "<|sep|>") for k in keys)


def _has_punctuation(keys: Sequence[str]) -> bool:
    return any(bare(k).strip() in PUNCTUATION for k in keys)


#: in order of interest; the first four that an atlas and its tokens can show, each with another head, and
#: those that no head does more than slightly after the others
TRAITS = (
    Trait("largest entropy", "entropy", "all"),
    Trait("most to the next token", "to_next", ""),
    Trait("most to [SEP]", "to_class", "sep", _has_separator),
    Trait("most to punctuation", "to_class", "punct", _has_punctuation),
    Trait("most to the previous token", "to_previous", ""),
    Trait("most to the first token", "to_first", ""),
    Trait("most to itself", "to_self", ""),
    Trait("largest weight of a row", "largest", ""),
)


def informative_heads(atlas: Atlas, chapter: str, kind: Kind, keys: Sequence[str]) -> list[Informative]:
    """Up to four heads of a kind, one a trait."""
    chosen: list[Informative] = []
    measured = [(trait, measure(atlas, chapter, kind, trait.statistic, trait.group)) for trait in TRAITS]
    for trait, what in sorted(measured, key=lambda both: _slight(both[1])):
        if len(chosen) == MOST:
            break
        if what is None or not trait.seen(keys) or not np.nanmax(what.values) > 1e-6:
            continue
        head = _best_beside(what, [told.head for told in chosen])
        if head is not None:
            unit = " nats" if what.in_nats else ""
            chosen.append(Informative(trait, head, f"{what.of(head)}{unit}"))
    return chosen


def _slight(what: Measure | None) -> bool:
    return what is not None and not what.in_nats and not np.nanmax(what.values) > SLIGHT


def _best_beside(what: Measure, taken: Sequence[Head]) -> Head | None:
    ranked = sorted(what.heads(), key=lambda found: -found[1])
    return next((head for head, _, _ in ranked if head not in taken), None)
