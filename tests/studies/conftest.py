from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import stand_in
import torch

from attlas.atlas.chapter import Chapter
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.source import Source
from attlas.studies import probing
from attlas.studies.study import Study
from attlas.subject import Subject


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Windows of a dozen words gain nothing from threads, and lose much where other work shares the
    machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    if stand_in.CONNECTED:
        return

    def window_source(
        corpus: Any, subject: Subject, windows: probing.Windows, length: int, keep: Any, strict: bool
    ) -> Source:
        asked = windows.kind, length, windows.text, windows.shortest, windows.longest
        return stand_in.cut(corpus, subject, *asked, keep=keep)

    def chapter(study: Study, subject: Subject, outputs: probing.Outputs) -> Chapter:
        return study.conclude(stand_in.run_here(subject))

    monkeypatch.setattr(probing, "window_source", window_source)
    monkeypatch.setattr(probing, "_chapter", chapter)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The first twenty-odd sentences of the shipped treebank."""
    return first_sentences(24, tmp_path / "small.conllu")


def first_sentences(count: int, path: Path) -> Path:
    lines = annotated_corpus(None).paths[0].read_text(encoding="utf-8").split("\n")
    blanks = [i for i, line in enumerate(lines) if not line]
    path.write_text("\n".join(lines[: blanks[count]]) + "\n\n", encoding="utf-8")
    return path


@pytest.fixture
def sentences_of(mini: Subject) -> Callable[..., stand_in.WindowList]:
    """Sentences of the shipped treebank, of 5 to 14 words: (how many) -> a source."""

    def make(count: int = 40, subject: Subject = mini) -> stand_in.WindowList:
        from dataclasses import replace

        source = stand_in.cut(annotated_corpus(None), subject, length=64, shortest=5, longest=14)
        return replace(source, windows=source.windows[:count])

    return make
