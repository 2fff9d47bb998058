from __future__ import annotations

import sys
from pathlib import Path

import pytest

from attlas.corpora.reading import annotated_corpus
from attlas.subject import Subject

RESEARCH = Path(__file__).parent.parent.parent / "research"


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


@pytest.fixture(scope="session")
def trained() -> Subject:
    """Two layers of attention that have learnt induction: what came before a token is written to it by a head
    of the first layer, and heads of the second look for the token that follows their own."""
    sys.path.insert(0, str(RESEARCH))
    try:
        import induction
    finally:
        sys.path.remove(str(RESEARCH))
    model = induction.fresh_model(64)
    loss = induction.train(model, 600, longest=12)
    assert loss < 1
    return Subject(model, induction.tokenizer(64), "two layers")
