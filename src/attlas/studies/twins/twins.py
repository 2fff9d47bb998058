"""The twins of a subject, and what they give: measured in the run of a study, on a part of its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from attlas.atlas.schema import ADDRESS
from attlas.atlas.untrained_heads import TABLE, Untrained
from attlas.edits import Edit
from attlas.engines import Merged, Pass
from attlas.progress import tell
from attlas.row import Row
from attlas.studies.study import RunPass
from attlas.studies.twins.peaked import peaked_like
from attlas.subject import Subject
from attlas.subject.untrained import no_twin, untrained

SEGMENTS = 24  # of the study's text, across documents: each twin reads these
PEAKED_ON = 4  # segments that the second twin is made peaked on
COLUMNS = [*ADDRESS, "twin", "statistic", "group", "value", "stderr", "n", "documents", "effective"]


@dataclass(frozen=True)
class Twin:
    """The same architecture, initialised anew. `peaked` has attention as peaked as the model's."""

    name: str  # untrained, peaked
    subject: Subject
    edits: tuple[Edit, ...] = ()

    def runs(self, run: RunPass) -> RunPass:
        """What runs a pass on this twin."""
        return lambda pass_: self._run(run, pass_)

    def _run(self, run: RunPass, pass_: Pass) -> Merged:
        name, doing = f"{pass_.name}_{self.name}", f"{pass_.doing}: the {self.name} twin"
        return run(replace(pass_, name=name, doing=doing, subject=self.subject, edits=self.edits))


@dataclass(frozen=True)
class TwinRows:
    """What a study keeps of its twins: a table, or a note that says why there is none."""

    tables: dict[str, pd.DataFrame]
    notes: list[str]

    def split(self, statistic: str) -> tuple[TwinRows, TwinRows]:
        """The rows of one statistic, which another chapter keeps, and all others."""
        if TABLE not in self.tables:
            return self, self
        table = self.tables[TABLE]
        parts = (table[table["statistic"] == statistic], table[table["statistic"] != statistic])
        first, others = (TwinRows({TABLE: part.reset_index(drop=True)}, self.notes) for part in parts)
        return first, others

    @property
    def untrained(self) -> Untrained | None:
        return Untrained(self.tables[TABLE]) if TABLE in self.tables else None


def measure_twins(
    subject: Subject, run: RunPass, wanted: bool, rows_of: Callable[[Twin, RunPass], Sequence[Row]]
) -> TwinRows:
    """Make the twins of a subject, and keep what `rows_of` measures on each of them."""
    if not wanted:
        return TwinRows({}, ["no untrained twin was measured: chance is the only null"])
    if why := no_twin(subject):
        return TwinRows({}, [f"no untrained twin was measured ({why}): chance is the only null"])
    rows = [
        (*row[:3], twin.name, *row[3:])
        for twin in make_twins(subject)
        for row in rows_of(twin, twin.runs(run))
    ]
    return TwinRows({TABLE: pd.DataFrame(rows, columns=COLUMNS)}, [])


def make_twins(subject: Subject) -> Iterator[Twin]:
    """Make the plain twin, then the peaked one: both have the same weights, and the second changes what
    attention does."""
    tell("the untrained twin")
    fresh = untrained(subject)
    fresh.batch_tokens = min(fresh.batch_tokens, subject.batch_tokens)  # what fits beside both
    yield Twin("untrained", fresh)
    if subject.interface:  # others cannot be edited
        yield Twin("peaked", fresh, (peaked_like(subject, fresh, PEAKED_ON),))
