"""What a study is: passes over a source, and what is concluded from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from attlas.atlas.chapter import Chapter
from attlas.engines.passes import Pass
from attlas.reducers.reducer import Reducer


@dataclass(frozen=True)
class Merged:
    """A finished pass: its reducers, each with what all shards saw; what was read, skipped and cut; and the
    documents that were skipped, with what was wrong with them."""

    reducers: Sequence[Reducer]
    counts: Counter[str]
    problems: tuple[str, ...] = ()


#: runs a pass on the engine that the user chose, or takes up what is already done
Run = Callable[[Pass], Merged]


class Study(Protocol):
    """One question to a model over a corpus. `conclude` runs its passes, of which a later one may depend on
    what an earlier one found, and turns the merged reducers into a chapter."""

    @property
    def name(self) -> str:
        """Of the chapter."""
        ...

    def describe(self) -> dict[str, Any]:
        """All that decides the numbers: a run is resumed only if this is the same."""
        ...

    def conclude(self, run: Run) -> Chapter: ...
