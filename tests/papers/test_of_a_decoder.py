"""What a decoder is asked of the papers, and what it cannot be."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from attlas.atlas import add_chapter, load_atlas
from attlas.atlas.chapter import Chapter
from attlas.papers import clark2019, vig2019
from attlas.papers.paper_evidence import PaperEvidence
from attlas.papers.paper_items import OF_A_DECODER, PaperItem
from attlas.row import Row

ATLAS = Path(__file__).parents[1] / "data/ask/smollm2.attlas"


@pytest.fixture(scope="module")
def evidence() -> PaperEvidence:
    return PaperEvidence(load_atlas(ATLAS))


def _clark(evidence: PaperEvidence) -> dict[str, PaperItem]:
    return {item.what: item for item in clark2019.items(evidence)}


def test_the_first_token_stands_in_for_separators(evidence: PaperEvidence) -> None:
    items = _clark(evidence)
    surface = evidence.numbers()
    assert surface is not None
    half = items["[SEP] takes more than half of attention in layers 6 to 10"]
    share = items["[SEP] takes far more than its share of the tokens there"]
    head = items["one head gives most of its attention to [SEP] (8-7)"]
    assert half.corrected is not None
    assert head.corrected is not None
    to_first = surface.grid("to_first")
    assert half.corrected.value == pytest.approx(to_first[12:25].mean())  # as deep as 6 to 10 of 12
    assert head.corrected.value == to_first.max()
    assert all(item.detail == clark2019.FIRST_TOKEN for item in (half, share, head))
    assert share.chance == pytest.approx(sum(1 / i for i in range(1, 65)) / 64)  # segments of 64 tokens


@pytest.mark.parametrize(
    "what",
    [
        "one head looks at the next token and hardly at anything else (3-1)",
        "some head gives more than half of its attention to the next token",
        "[SEP] gives nearly all its attention to [SEP] there",
        "[CLS] is looked at in layers 2 to 4, more than its share",
        "[CLS] attends broadly in the last layer: its entropy, as a share of that of even attention",
    ],
)
def test_what_it_cannot_be_asked_says_why(evidence: PaperEvidence, what: str) -> None:
    item = _clark(evidence)[what]
    assert item.verdict == "not asked"
    assert item.why.startswith(f"{OF_A_DECODER}: it")


def test_a_decoder_without_delimiters_is_asked_how_much_rests_on_its_first_token(tmp_path: Path) -> None:
    scores = {
        "kind": "decoder",
        "layer": 0,
        "null": 0.0,
        "gain_stderr": 0.01,
        "n": 50,
        "documents": 50,
        "p": 1e-9,
    }
    table = pd.DataFrame(
        [
            {"pattern": "sink", "head": head, "gain": gain, "strength": gain, **scores}
            for head, gain in enumerate((0.2, 0.9))
        ]
    )
    model = {"name": "small", "weights": "0" * 64, "heads": {"decoder": 2}}
    row = Row("decoder", 0, 0, "to_self", "", 0.5, 0.0, 1)
    chapter = Chapter("patterns", {"study": "patterns"}, (row,), {"patterns": table})
    atlas = add_chapter(tmp_path / "small.attlas", model, chapter)
    items = {i.place: i for i in vig2019.items(PaperEvidence(atlas)) if "corpus" in i.what}
    assert items["pattern 1"].why == vig2019.NO_NEXT_WORD
    rests = items["pattern 6"]
    assert rests.corrected is not None
    assert (rests.corrected.value, rests.corrected.where) == (0.9, "0.1")
    assert rests.detail == vig2019.FIRST_TOKEN
    assert rests.verdict == "holds"


def test_an_atlas_of_vigs_chapter_alone_says_which_heads_its_model_has(tmp_path: Path) -> None:
    chapter = Chapter("vig_sentences", {"study": "vig_sentences"}, [], {}, {})
    model = {"name": "some-decoder", "weights": "0" * 64, "heads": {"decoder": 144}}
    alone = PaperEvidence(add_chapter(tmp_path / "vig.attlas", model, chapter))
    assert alone.kind == "decoder"
    assert [item.verdict for item in vig2019.items(alone)]
