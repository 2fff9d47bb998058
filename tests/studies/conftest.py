from __future__ import annotations

from pathlib import Path

import pytest

from attlas.corpora.reading import annotated_corpus


@pytest.fixture(autouse=True)
def _threads(one_thread: None) -> None:
    """Windows of a dozen words gain nothing from threads, and lose much where other work shares the
    machine."""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The first twenty-odd sentences of the shipped treebank."""
    lines = annotated_corpus(None).paths[0].read_text(encoding="utf-8").split("\n")
    blanks = [i for i, line in enumerate(lines) if not line]
    path = tmp_path / "small.conllu"
    path.write_text("\n".join(lines[: blanks[24]]) + "\n\n", encoding="utf-8")
    return path
