"""Patterns and shapes of the same text: the model reads it once for both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from attlas.atlas.chapter import Chapter
from attlas.studies.patterns.patterns_study import Patterns
from attlas.studies.shapes.shapes_study import Shapes
from attlas.studies.study import RunPass, Study


@dataclass(frozen=True)
class PatternsAndShapes:
    """What `attlas patterns` carries out: a chapter each."""

    patterns: Patterns

    @property
    def shapes(self) -> Shapes:
        settings = self.patterns.settings
        return Shapes(self.patterns.source, settings.seed, settings.kernel)

    @property
    def studies(self) -> tuple[Study, Study]:
        return self.patterns, self.shapes

    def conclude(self, run: RunPass, wanted: Sequence[Study]) -> Iterator[Chapter]:
        if len(wanted) == 1:  # the other is there already
            yield wanted[0].conclude(run)
            return
        read = run(self.patterns.text_pass([self.shapes.reducer()]))
        yield self.patterns.chapter(read, run)
        yield self.shapes.chapter(read)
