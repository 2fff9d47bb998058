"""What a study is: passes over a source, and what is concluded from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from attlas.atlas.chapter import Chapter
from attlas.engines.passes import Pass
from attlas.engines.run import Merged

#: runs a pass on the engine that the user chose, or takes up what is already done
RunPass = Callable[[Pass], Merged]


class Study(Protocol):
    """One question to a model over a corpus. `conclude` runs its passes, of which a later one may depend on
    what an earlier one found, and turns the merged reducers into a chapter."""

    @property
    def name(self) -> str:
        """The name of the chapter."""
        ...

    def describe(self) -> dict[str, Any]:
        """All that decides the numbers: a run is resumed only if this is the same."""
        ...

    def conclude(self, run: RunPass) -> Chapter: ...


class StudyGroup(Protocol):
    """Studies of one model that share passes, so that it runs over a text once."""

    @property
    def studies(self) -> Sequence[Study]: ...

    def conclude(self, run: RunPass, wanted: Sequence[Study]) -> Iterator[Chapter]:
        """Yield the chapters of some of the studies, in order."""
        ...
