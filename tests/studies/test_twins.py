"""Untrained twins: the same architecture before it has learned anything, measured in the same run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import attlas
from attlas.atlas.summaries import HeadReport
from attlas.atlas.untrained_heads import Untrained
from attlas.errors import AttlasError
from attlas.options import TextOptions
from attlas.reports.asking import card_claims, card_sentences, stands_out
from attlas.reports.sentences import NOTHING
from attlas.studies.study_run import run_chapters
from attlas.studies.surface.surface_study import surface_study
from attlas.subject import Subject, load
from attlas.subject.untrained import untrained

SMALL = TextOptions(segments=6, length=32)


@pytest.mark.parametrize("species", ["bert", "llama", "t5"])
def test_a_twin_has_the_same_heads_and_other_weights_which_its_seed_draws(
    species: str, subject_of: Callable[[str], Subject]
) -> None:
    subject = subject_of(species)
    twin, again, other = untrained(subject), untrained(subject), untrained(subject, seed=2)
    assert twin.heads == subject.heads
    assert twin.tokenizer is subject.tokenizer
    assert twin.weight_hash() == again.weight_hash()
    assert len({s.weight_hash() for s in (subject, twin, other)}) == 3


def test_an_untrained_model_has_a_twin_with_other_weights() -> None:
    random = load("mini", initialise="random")
    twin = untrained(random)
    assert twin.weight_hash() != random.weight_hash()
    assert twin.origin is not None
    assert twin.origin.load().weight_hash() == twin.weight_hash(), "workers load the same one"


def test_recorded_attention_has_no_twin(mini: Subject, tmp_path: Path) -> None:
    path = tmp_path / "maps.npz"
    np.savez(path, attention=np.full((1, 2, 4, 4), 0.25), tokens=np.array(list("abcd")))
    with pytest.raises(AttlasError, match="has no untrained twin: it is recorded attention"):
        untrained(load(path))


@pytest.fixture(scope="module")
def beside(mini: Subject) -> pd.DataFrame:
    (chapter,) = run_chapters([surface_study(mini, SMALL, sample=0, twin=True)], mini)
    return chapter.tables["twin"]


def test_the_table_has_what_the_twin_gives_on_the_same_text(mini: Subject, beside: pd.DataFrame) -> None:
    study = surface_study(mini, SMALL, sample=0)
    (alone,) = run_chapters([study], untrained(mini))
    values = {(r.layer, r.head, r.statistic, r.group): r.value for r in alone.rows}
    plain = beside[beside["twin"] == "untrained"]
    compared = [
        (row["value"], values[row["layer"], row["head"], row["statistic"], row["group"]])
        for row in plain.to_dict("records")
        if (row["layer"], row["head"], row["statistic"], row["group"]) in values
    ]
    assert len(compared) > 144 * 10
    np.testing.assert_allclose(*zip(*compared, strict=True), atol=1e-5)


def test_the_second_twin_is_as_peaked_as_the_model(mini: Subject, beside: pd.DataFrame) -> None:
    entropy = beside[(beside["statistic"] == "entropy") & (beside["group"] == "all")]
    (trained,) = run_chapters([surface_study(mini, SMALL, sample=0)], mini)
    wanted = {
        (r.layer, r.head): r.value for r in trained.rows if (r.statistic, r.group) == ("entropy", "all")
    }
    peaked = entropy[entropy["twin"] == "peaked"]
    off = [row["value"] - wanted[row["layer"], row["head"]] for row in peaked.to_dict("records")]
    assert np.abs(off).mean() < 0.25
    even = entropy[entropy["twin"] == "untrained"]["value"]
    assert even.min() > 0.98 * np.log(32)


def test_beside_a_share_stands_the_most_of_any_untrained_head_and_beside_others_the_median() -> None:
    rows = [
        *(("encoder", 0, h, t, "to_class", "sep", v, 0.01, 9, 5) for h, t, v in SHARES),
        *(("encoder", 0, h, "untrained", "entropy", "all", v, 0.01, 9, 5) for h, v in enumerate((3, 4, 7))),
        ("encoder", 0, 0, "peaked", "entropy", "all", 1.0, 0.01, 9, 5),
    ]
    columns = ["kind", "layer", "head", "twin", "statistic", "group", "value", "stderr", "n", "documents"]
    untrained_heads = Untrained(pd.DataFrame(rows, columns=columns))
    assert untrained_heads.beside("to_class", "sep", "encoder") == 0.3
    assert untrained_heads.beside("entropy", "all", "encoder") == 4
    assert untrained_heads.beside("to_self", "", "encoder") is None
    most = untrained_heads.most("to_class", "sep", "encoder")
    assert most is not None
    assert (most.value, most.documents) == (0.3, 5)
    assert most.high == pytest.approx(0.3 + 2.7764 * 0.01, abs=1e-4)


SHARES = [(0, "untrained", 0.1), (1, "untrained", 0.12), (0, "peaked", 0.05), (1, "peaked", 0.3)]


def test_a_chapter_without_a_twin_says_so(mini: Subject, tmp_path: Path) -> None:
    atlas = attlas.map(
        mini, segments=4, length=24, sample=0, twin=False, atlas=tmp_path / "a.attlas", progress=False
    )
    (chapter,) = atlas.chapters
    assert any("no untrained twin was measured" in note for note in atlas.about(chapter)["notes"])
    assert Untrained.of(atlas, chapter) is None


@pytest.mark.parametrize("species", ["bert", "llama"])
def test_an_untrained_model_gets_no_sentence_that_only_a_trained_one_deserves(
    species: str, subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    """Weights as the class initialises them: not a name, nothing that stands out, and cards that say so."""
    random = untrained(subject_of(species), seed=5)
    where = tmp_path / "a.attlas"
    attlas.map(random, segments=24, length=32, sample=4, atlas=where, progress=False)
    attlas.patterns(
        random,
        segments=24,
        length=32,
        repeated=4,
        hidden=0,
        tasks=0,
        needles=[0],
        maps=0,
        atlas=where,
        progress=False,
    )
    atlas = attlas.load_atlas(where)
    assert not atlas.names("behaviour")
    assert not atlas.names("pattern")
    assert not atlas.names("shape"), "untrained maps have a shape too, and are named for none"
    assert stands_out(atlas) == ()
    for head in atlas.addresses:
        nothing, (claim, evidence) = card_claims(atlas, head)
        assert nothing == (NOTHING, "")
        assert claim.endswith(", as untrained heads do.")
        assert evidence.startswith("entropy ")
        assert "; untrained: " in evidence
        assert card_sentences(atlas, head) == (NOTHING, f"{claim} E{evidence[1:]}")
    for question in ("which heads are alike?", "heads unlike the others", "heads at the previous token"):
        answer = str(atlas.ask(question))
        assert answer.startswith("Practically none"), answer
        assert "otherwise" not in answer  # no head of it rests
    shown = attlas.show(where, head=str(atlas.addresses[0]))
    assert isinstance(shown, HeadReport)
    assert shown.statistics.set_index("statistic")["untrained"]["to_previous"] < 0.2


def test_a_head_that_writes_is_not_known_for_that(
    subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    """An untrained head writes, and raises some tokens."""
    where = tmp_path / "a.attlas"
    attlas.writes(untrained(subject_of("llama"), seed=5), segments=3, length=16, atlas=where, progress=False)
    atlas = attlas.load_atlas(where)
    for head in atlas.addresses:
        first, *others = card_sentences(atlas, head)
        assert first == NOTHING
        assert any(sentence.startswith("Writes ") for sentence in others)


def test_layers_differ_only_by_more_than_those_of_an_untrained_model() -> None:
    rows = [
        ("encoder", layer, head, twin, "entropy", "all", value)
        for twin, values in (("untrained", (4.0, 3.0)), ("peaked", (4.0, 1.0)))
        for layer, value in enumerate(values)
        for head in (0, 1)
    ]
    columns = ["kind", "layer", "head", "twin", "statistic", "group", "value"]
    twins = Untrained(pd.DataFrame(rows, columns=columns))
    assert twins.layers_apart("entropy", "all", "encoder") == 1.0
    assert twins.layers_apart("entropy", "all", "decoder") == 0.0
