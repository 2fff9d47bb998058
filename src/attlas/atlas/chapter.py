"""A chapter: what one study leaves in an atlas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt
import pandas as pd

from attlas.address import Head
from attlas.reducers.reducer import Row


@dataclass(frozen=True)
class Example:
    """A head's weight from one token to another: places in the chapter's token list of that name."""

    head: Head
    weight: float
    tokens: str  # which list of tokens
    query: int
    key: int
    key_tokens: str = ""  # the keys' list, where it is another (cross attention)


@dataclass(frozen=True)
class Chapter:
    """`rows` has one value of one head each; `tables` what the study concluded (the relation that a head
    tracks, with its baseline, interval and p); `arrays` what is not a scalar per head; `examples` where each
    head attends most strongly, strongest first within a head, as places in `tokens`.

    `about` is the provenance, as JSON takes it: study, corpus (name, hash), settings, seed, faithful,
    software, counts (what was read, skipped and cut), notes (sentences for people), seconds.
    """

    name: str  # unique within an atlas: study, corpus, and `faithful` where it is: surface-wikipedia-faithful
    about: dict[str, Any]
    rows: Sequence[Row] = ()
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    arrays: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    examples: Sequence[Example] = ()
    tokens: Mapping[str, Sequence[str]] = field(default_factory=dict)
