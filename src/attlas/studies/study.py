"""What a study is: passes over a source, and what is concluded from them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from attlas.atlas.chapter import Chapter
from attlas.corpora.source import Source
from attlas.engines.passes import Pass
from attlas.engines.run import Merged

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


def chapter_name(study: str, source: Source, faithful: bool = False) -> str:
    """study-corpus, and `-faithful` where it is: so that two corpora, or two ways, stand side by side."""
    corpus = Path(str(source.describe()["corpus"]["name"])).name
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", corpus.split(".")[0]).strip("_")[:60] or "text"
    return "-".join([study, plain, *(["faithful"] if faithful else [])])
