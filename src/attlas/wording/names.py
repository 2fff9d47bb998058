"""Names of heads: three kinds of them, kept apart. A head has at most one of each, and a second best.

A row of `heads.parquet` has the kind of name as its statistic, the name as its group, and how sure it is as
its value, from 0 to 1. `none` is an answer: the name was looked for, and nothing fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

NONE = "none"

#: by the rules of Clark 2019, in a fixed order
BEHAVIOURS: Mapping[str, str] = MappingProxyType(
    {
        "next": "next token",
        "previous": "previous token",
        "broad": "broad",
        "sep": "[SEP]",
        "punct": "punctuation",
        "cls": "[CLS]",
        "first": "first token",
    }
)

#: what a head attends to
PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        "next": "next token",
        "previous": "previous token",
        "self": "the token itself",
        "related": "same or related token",
        "other_sentence": "same or related token of the other sentence",
        "predictive": "predictive token",
        "delimiter": "delimiters",
        "punctuation": "punctuation",
        "bag": "bag of words of its sentence",
        "local": "local",
        "broad": "broad",
        "sink": "sink",
        "duplicate": "duplicate token",
        "induction": "induction",
        "long_induction": "long induction",
        "retrieval": "retrieval",
        "query_focus": "query-focused retrieval",
        "successor": "successor",
        "copy_suppression": "copy suppression",
        "function_vector": "function vector",
    }
)

#: what has a score as patterns do, but names no head
SCORED_ONLY: Mapping[str, str] = MappingProxyType(
    {
        "cls": "[CLS]",
        "sep": "[SEP]",
        "induction_text": "induction in text",
        "predictive_plain": "predictive token, nothing masked",
        "copying": "copying",
        "succession": "succession, by weights",
    }
)

#: what a head's map looks like (Kovaleva 2019)
SHAPES: Mapping[str, str] = MappingProxyType(
    {
        "vertical": "vertical",
        "diagonal": "diagonal",
        "vertical+diagonal": "vertical and diagonal",
        "block": "block",
        "heterogeneous": "heterogeneous",
    }
)

#: kind of name -> name -> how people write it
NAMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"behaviour": BEHAVIOURS, "pattern": PATTERNS, "shape": SHAPES}
)
#: and the second best of each
SECOND: Mapping[str, str] = MappingProxyType({kind: f"second_{kind}" for kind in NAMES})
#: every statistic whose group is a name
NAMING: tuple[str, ...] = (*NAMES, *SECOND.values())
