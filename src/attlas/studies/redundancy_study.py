"""Are two heads redundant (Kovaleva 2019, section 4.2)? The paper disables each of the two heads that carry
frames, and no task suffers. If one does the other's work, disabling both costs more than the two alone cost
together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.corpora.source import Source
from attlas.edits import uniform
from attlas.edits.sweep import Sweep
from attlas.engines.passes import Pass
from attlas.statistics.clusters import estimates, moments_by_document
from attlas.statistics.hypotheses import student_interval
from attlas.studies.disabling.disable_study import refuse_no_items
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.provenance import about, chapter_name, described
from attlas.studies.study import RunPass
from attlas.subject.losses import objective

TABLE = "redundancy"
COLUMNS = ("compared", "change", "stderr", "low", "high", "n", "documents")
#: what is compared: the change of the loss without the first head, the second, both; and that without both,
#: less the other two together
FIRST, SECOND, BOTH, BEYOND = "without the first", "without the second", "without both", "both, less each"


@dataclass(frozen=True, kw_only=True)
class Redundancy:
    """The loss without each of two heads, which attend evenly instead, and without both."""

    source: Source
    heads: tuple[Head, Head]

    @property
    def name(self) -> str:
        return chapter_name("redundancy", self.source)

    def describe(self) -> dict[str, Any]:
        return described("redundancy", self.source, {"heads": [str(head) for head in self.heads]})

    def conclude(self, run: RunPass) -> Chapter:
        first, second = self.heads
        sweep = Sweep([uniform([first]), uniform([second]), uniform(self.heads)], objective)
        done = run(Pass("sweep", self.source, [Outcomes()], sweep=sweep, doing="without each head"))
        refuse_no_items(self.source, done)
        notes = [f"heads {first} and {second}: a disabled head attends evenly"]
        return Chapter(
            self.name, about(self.describe(), done, notes), (), {TABLE: _table(done.reducer(Outcomes))}
        )


def _table(outcomes: Outcomes) -> pd.DataFrame:
    ids, (plain, first, second, both) = outcomes.ids(), outcomes.table()
    changes = {
        FIRST: first - plain,
        SECOND: second - plain,
        BOTH: both - plain,
        BEYOND: both - first - second + plain,
    }
    rows = []
    for compared, change in changes.items():
        known = estimates(moments_by_document(change, ids))
        low, high = student_interval(known.mean, known.stderr, known.degrees)
        numbers = (float(number) for number in (known.mean, known.stderr, low, high))
        rows.append((compared, *numbers, int(known.items), int(known.documents)))
    return pd.DataFrame(rows, columns=list(COLUMNS))
