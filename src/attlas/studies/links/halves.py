"""The two parts of a corpus: heads are chosen on one and reported on the other."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from attlas.corpora.windows import Window

By = Literal["document", "window"]


@dataclass(frozen=True)
class Half:
    """Is a window in the half that heads are chosen on (`chosen`), or in the one they are reported on?

    By document, so that no text is in both. A corpus of very few documents is halved by windows, taken in
    turn.
    """

    by: By
    chosen: bool
    seed: int = 0

    def __call__(self, window: Window) -> bool:
        if self.by == "document":
            return in_first_half(window.document.name, self.seed) is self.chosen
        return ((window.id.document + window.id.place + self.seed) % 2 == 0) is self.chosen


def in_first_half(name: str, seed: int) -> bool:
    """Decided by the name and the seed alone, so that order and batches do not matter."""
    return hashlib.blake2b(f"{seed}/{name}".encode(), digest_size=1).digest()[0] % 2 == 0


@dataclass(frozen=True)
class Everything:
    """All windows are in this part."""

    def __call__(self, window: Window) -> bool:
        return True
