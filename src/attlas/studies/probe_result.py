"""What a probe found."""

from __future__ import annotations

from dataclasses import dataclass

from attlas.studies.study_result import StudyResult


@dataclass(frozen=True, repr=False)
class ProbeResult(StudyResult):
    """`table` is what the probe concluded, `rows` every head's values; `chapter` is all of it."""

    @property
    def probe(self) -> str:
        return self.declaration.name

    def _heading(self) -> dict[str, str]:
        return {"probe": self.probe, "chapter": self.chapter.name}
