from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from attlas.corpora.reading import annotated_corpus


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Windows of a dozen words gain nothing from threads, and lose much where other work shares the
    machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The first twenty-odd sentences of the shipped treebank."""
    lines = annotated_corpus(None).paths[0].read_text(encoding="utf-8").split("\n")
    blanks = [i for i, line in enumerate(lines) if not line]
    path = tmp_path / "small.conllu"
    path.write_text("\n".join(lines[: blanks[24]]) + "\n\n", encoding="utf-8")
    return path
