"""Every head as a short sum of readable programs, and what a model loses when heads do just that
(`attlas explain`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.atlas.chapter import Chapter
from attlas.corpora.source import Source
from attlas.engines import Merged, Pass
from attlas.reducers.items import Sample
from attlas.row import Row
from attlas.studies.disabling.disable_study import refuse_no_items
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.patterns.pattern_texts import PatternText
from attlas.studies.programs.fitting import HeadSums, fit_head, sums_of
from attlas.studies.programs.program_shares import Fits, ProgramShares
from attlas.studies.programs.program_sums import ProgramSums, Reading, StreamLengths
from attlas.studies.programs.program_tables import (
    TWIN_SEGMENTS,
    explained_table,
    program_table,
    rows_of,
    sentences,
)
from attlas.studies.programs.replaced_heads import Replacements, Scales, make_trials
from attlas.studies.programs.replacing import ProgramSweep
from attlas.studies.provenance import about, chapter_name, described
from attlas.studies.study import RunPass
from attlas.studies.twins.twins import Twin, TwinRows, measure_twins
from attlas.subject import Subject
from attlas.subject.losses import no_objective
from attlas.tap.stream import no_writes, output_maps

EXPLAINED, PROGRAMS, REPLACED, ALONE = "explained", "programs", "replaced", "replaced_alone"


@dataclass(frozen=True, kw_only=True)
class Explain:
    """Programs are chosen and weighed on `fitting`; what they explain, and what a model loses, is measured on
    the other documents of `testing`."""

    subject: Subject
    fitting: Source
    testing: Source
    reading: Reading
    most: int = 5  # programs of a head
    test: int = 24  # texts that heads are replaced on; 0: none are
    alone: bool = False  # whether each head is replaced by itself, too
    twin: bool = True
    kernel: str | None = None

    @property
    def name(self) -> str:
        return chapter_name("explain", self.testing)

    def describe(self) -> dict[str, Any]:
        settings = {
            "programs": self.most,
            "vocabulary": [program.name for program in self.reading.programs],
            "rows": self.reading.rows,
            "fitted_on": self.fitting.describe(),
            "test": self.test,
            "alone": self.alone,
            "twin": self.twin,
            "seed": self.reading.seed,
            "kernel": self.kernel,
        }
        return described("explain", self.testing, settings)

    def conclude(self, run: RunPass) -> Chapter:
        sums, fitted = self._sums(run, self.subject, PatternText(self.fitting))
        fits = {head: self._fits(head, of_head) for head, of_head in sums.items()}
        shares, read = self._shares(run, self.subject, fits, PatternText(self.testing), sample=True)
        beside = self._twins(run, fitted, read)
        explained = explained_table(shares, fits, self.reading.programs, beside.tables.get("twin"))
        tables = {EXPLAINED: explained, PROGRAMS: program_table(shares, fits, self.reading.programs)}
        tables |= beside.tables
        notes = [*sentences(explained, "twin" in beside.tables), *self._notes(fitted, read), *beside.notes]
        lacks = no_objective(self.subject)
        if self.test and lacks is None and self.subject.interface:
            scales = Scales(self._output_maps(), self._streams(run, fitted))
            replacements = self._replace(run, sums, fits, scales)
            tables |= replacements.tables()
            notes = [*replacements.sentences(), *notes]
        elif self.test:
            notes.append(
                f"no head was replaced: {f'the model has {lacks}' if lacks else self.subject.uneditable}"
            )
        return Chapter(self.name, about(self.describe(), read, notes), rows_of(explained), tables)

    def _fits(self, head: Head, sums: HeadSums) -> Fits:
        even = [i for i, program in enumerate(self.reading.programs) if program.name == "broad"]
        several = fit_head(head, sums, self.most)
        return Fits(several, fit_head(head, sums, 1), fit_head(head, sums, 1, even))

    @property
    def _moved(self) -> bool:
        return no_writes(self.subject) is None

    def _sums(self, run: RunPass, subject: Subject, source: Source) -> tuple[dict[Head, HeadSums], Merged]:
        reducers: list[Any] = [ProgramSums(self.reading, self._moved), Sample(TWIN_SEGMENTS)]
        doing = "how programs go with heads"
        done = run(Pass("programs", source, reducers, kernel=self.kernel, doing=doing))
        refuse_no_items(source, done)
        return sums_of(done.reducer(ProgramSums)), done

    def _shares(
        self, run: RunPass, subject: Subject, fits: Mapping[Head, Fits], source: Source, sample: bool = False
    ) -> tuple[ProgramShares, Merged]:
        reducers: list[Any] = [ProgramShares(self.reading, fits, self._moved)]
        reducers += [Sample(TWIN_SEGMENTS)] if sample else []
        doing = "what programs explain"
        done = run(Pass("shares", source, reducers, kernel=self.kernel, doing=doing))
        refuse_no_items(source, done)
        return done.reducer(ProgramShares), done

    def _twins(self, run: RunPass, fitted: Merged, read: Merged) -> TwinRows:
        """What programs explain of untrained heads, fitted and reported alike, on fewer texts."""
        several = [done.reducer(Sample).ids()[:TWIN_SEGMENTS] for done in (fitted, read)]

        def rows(twin: Twin, run_twin: RunPass) -> Sequence[Row]:
            fitting, testing = (
                PatternText(source.only(ids))
                for source, ids in zip((self.fitting, self.testing), several, strict=True)
            )
            sums, _ = self._sums(run_twin, twin.subject, fitting)
            fits = {head: self._fits(head, of_head) for head, of_head in sums.items()}
            shares, _ = self._shares(run_twin, twin.subject, fits, testing)
            return rows_of(explained_table(shares, fits, self.reading.programs, None))

        return measure_twins(self.subject, run, self.twin, rows)

    def _replace(
        self, run: RunPass, sums: Mapping[Head, HeadSums], fits: Mapping[Head, Fits], scales: Scales
    ) -> Replacements:
        trials = make_trials(sums, fits, scales, len(self.reading.programs), self.reading.seed, self.alone)
        sweep = ProgramSweep(self.reading, tuple(trial.made() for trial in trials), self.reading.seed)
        source: Any = self.testing
        source = replace(source, limit=self.test)
        doing = "programs in the place of heads"
        swept = run(Pass("replaced", source, [Outcomes()], sweep=sweep, doing=doing))
        refuse_no_items(source, swept)
        return Replacements(trials, swept.reducer(Outcomes), len(fits), self.reading.seed)

    def _streams(self, run: RunPass, fitted: Merged) -> dict[tuple[Kind, int], float]:
        """How long the stream is in each layer, over a sample of the texts of the fit; unknown where writes
        are."""
        if not self._moved:
            return {}
        source = self.fitting.only(fitted.reducer(Sample).ids())
        doing = "how long the stream is"
        done = run(Pass("streams", source, [StreamLengths()], kernel=self.kernel, doing=doing))
        return done.reducer(StreamLengths).by_layer()

    def _output_maps(self) -> dict[Head, Floats]:
        """Each head's part of the output map (model dim), where that is known."""
        known = output_maps(self.subject) if self._moved else {}
        return {
            head: known[head.kind, head.layer].weights[head.head].detach().double().cpu().numpy()
            for head in self.subject.heads
            if (head.kind, head.layer) in known
        }

    def _notes(self, fitted: Merged, read: Merged) -> list[str]:
        pairs = ((done.counts["items"], done.counts["documents"]) for done in (fitted, read))
        (first, first_documents), (second, second_documents) = pairs
        notes = [
            f"programs were chosen on {first:,} segments of {first_documents:,} documents, and what they "
            f"explain was measured on {second:,} segments of {second_documents:,} others"
        ]
        if not self._moved:
            notes.append(f"only weights are explained, not what they move: {no_writes(self.subject)}")
        return notes
