"""What every result of one chapter has. Light: no model library is loaded here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attlas.atlas.chapter import Chapter
    from attlas.reducers.reducer import Row


@dataclass(frozen=True, repr=False)
class StudyResult:
    chapter: Chapter
    written: tuple[str, ...] = ()  # what was written where

    @property
    def rows(self) -> list[Row]:
        return list(self.chapter.rows)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.chapter.about["notes"], *self.written)
