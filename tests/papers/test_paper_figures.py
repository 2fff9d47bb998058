"""Kovaleva's figure 6: attention to features of words, before fine-tuning and after it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attlas.atlas import add_chapter
from attlas.atlas.chapter import Chapter
from attlas.papers import kovaleva2019
from attlas.papers.kovaleva_tasks import same_shapes
from attlas.papers.paper_evidence import ChapterNumbers, FineTuned, PaperEvidence
from attlas.papers.paper_figures import before_and_after, paper_figures
from attlas.papers.paper_items import PaperItem
from attlas.row import Row

MODEL = {"name": "small", "weights": "0" * 64, "heads": {"encoder": 4}}


def _evidence(folder: Path, nouns: float) -> PaperEvidence:
    """Two layers of two heads, which give this much to nouns and 0.05 to objects."""
    rows = [
        Row("encoder", layer, head, "feature_weight", group, value, 0.01, 50, 50)
        for group, value in (("nouns", nouns), ("objects", 0.05))
        for layer in range(2)
        for head in range(2)
    ]
    folder.mkdir()
    chapter = Chapter("features", {"study": "features"}, rows)
    return PaperEvidence(add_chapter(folder / "small.attlas", MODEL, chapter))


@pytest.fixture
def tuned(tmp_path: Path) -> PaperEvidence:
    before, after = _evidence(tmp_path / "before", 0.1), _evidence(tmp_path / "after", 0.3)
    features = ChapterNumbers(after.atlas, "features", "encoder")
    return PaperEvidence(before.atlas, {"MRPC": FineTuned({}, {}, 640, False, features=features)})


def test_each_feature_is_drawn_before_and_after_side_by_side(tuned: PaperEvidence) -> None:
    after = tuned.tuned["MRPC"].features
    assert after is not None
    spec = before_and_after(ChapterNumbers(tuned.atlas, "features", "encoder"), after, "MRPC")
    panels = spec.groups[0].panels
    assert [p.title for p in panels] == [
        "nouns, before",
        "nouns, after MRPC",
        "objects, before",
        "objects, after MRPC",
    ]
    assert panels[0].subtitle == "mean 0.100, largest 0.100\ncolours from 0 to 0.300", "colours are shared"
    assert [figure.title for figure in paper_figures("kovaleva2019", tuned)] == ["Figure 6, MRPC"]


def test_a_rise_is_what_heads_give_after_less_before(tuned: PaperEvidence) -> None:
    items = {item.what.split(": the mean")[0]: item for item in kovaleva2019.items(tuned)}
    nouns = items["MRPC: fine-tuning draws attention to nouns"]
    assert nouns.corrected is not None
    assert nouns.corrected.value == pytest.approx(0.2)
    assert nouns.verdict == "holds"
    assert items["MRPC: fine-tuning draws attention to objects"].verdict == "does not hold"
    assert items["QNLI: fine-tuning draws attention to negation"].verdict == "not asked"


def test_links_between_words_are_not_asked_of_a_decoder(tmp_path: Path) -> None:
    rows = [
        Row(kind, 0, head, name, "verb_to_subject", weight, 0.01, 50, 50)
        for kind in ("decoder", "encoder")
        for name in ("link_weight", "link_weight_over_matched")
        for head, weight in enumerate((0.3, 0.2))
    ]
    on_diagonal = [
        Row("encoder", 0, head, "pattern_score", place, share, 0.01, 50, 50)
        for place, shares in (("previous", (0.7, 0.1)), ("self", (0.1, 0.1)), ("next", (0.05, 0.0)))
        for head, share in enumerate(shares)
    ]
    for kind, verdicts in (("decoder", ["not asked"] * 2), ("encoder", ["holds", "does not hold"])):
        chapter = Chapter("features", {"study": "features"}, [row for row in rows if row.kind == kind])
        model = {**MODEL, "heads": {kind: 2}}
        atlas = add_chapter(tmp_path / f"{kind}.attlas", model, chapter)
        if kind == "encoder":
            patterns = Chapter("patterns", {"study": "patterns"}, on_diagonal)
            atlas = add_chapter(tmp_path / f"{kind}.attlas", model, patterns)
        items = [item for item in kovaleva2019.items(PaperEvidence(atlas)) if "verb to subject" in item.what]
        assert [item.verdict for item in items] == verdicts
        diagonal = items[0].corrected
        if kind == "encoder":
            assert diagonal is not None
            assert diagonal.value == pytest.approx(0.85), "of the head with the most weight"


def test_each_pattern_of_vigs_is_drawn_for_all_tokens_and_beside_it_for_one(tmp_path: Path) -> None:
    weights = np.eye(3, k=1, dtype=np.float32)
    table = pd.DataFrame([{"pattern": 1, "kind": "encoder", "layer": 0, "head": 1, "token": 1}])
    about = {"study": "vig2019", "faithful": False, "corpus": {"tokens": ["[CLS]", "went", "to"]}}
    chapter = Chapter("vig", about, (), {"vig_sentences": table}, {"pattern_1": weights})
    _evidence(tmp_path / "model", 0.1)
    evidence = PaperEvidence(add_chapter(tmp_path / "model/small.attlas", MODEL, chapter))
    (figure,) = paper_figures("vig2019", evidence)
    every, selected = figure.spec.groups[0].panels
    assert (every.title, every.subtitle) == ("Head 0.1", "all tokens")
    assert selected.subtitle == "from “went” alone"
    assert isinstance(selected.draw, partial)
    assert np.argwhere(selected.draw.keywords["weights"]).tolist() == [[1, 2]]


def test_shapes_that_every_task_has_are_told_by_the_rarest(tmp_path: Path) -> None:
    evidence = _evidence(tmp_path / "model", 0.1)

    def tuned(vertical: float) -> FineTuned:
        shares = {"vertical": vertical, "diagonal": 0.3, "vertical+diagonal": 0.2, "block": 0.2}
        rows = [
            {"kind": "encoder", "layer": 0, "shape": shape, "second": share, "second_stderr": 0.005}
            for shape, share in shares.items()
        ]
        return FineTuned({}, {}, 640, False, compared_on=40, shapes=pd.DataFrame(rows))

    def rarest(**tasks: FineTuned) -> PaperItem:
        return same_shapes(PaperEvidence(evidence.atlas, tasks))

    assert rarest(MRPC=tuned(0.3)).verdict == "not asked", "one task alone repeats nothing"
    assert rarest(MRPC=tuned(0.3), QQP=tuned(0.1)).detail == "vertical, QQP; of MRPC, QQP"
    assert rarest(MRPC=tuned(0.3), QQP=tuned(0.1)).verdict == "holds"
    assert rarest(MRPC=tuned(0.3), QQP=tuned(0.0)).verdict == "does not hold"
