"""`attlas report`: one command runs what is missing, and one page holds what the atlas knows."""

from __future__ import annotations

import base64
import copy
import json
import math
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from fitting import check_report
from rich.console import Console

import attlas
from attlas.address import Head
from attlas.atlas import Atlas, add_chapter, load_atlas, summaries
from attlas.atlas.catalogue.row_sentences import say_patching
from attlas.atlas.chapter import Chapter, Example
from attlas.errors import AttlasError
from attlas.reports.assembling import assemble
from attlas.reports.evidence import WAYS, Evidence
from attlas.reports.page import page_html
from attlas.reports.programme import Size, steps
from attlas.reports.sentences import Sentences, sentence_text
from attlas.row import Row
from attlas.subject import Subject
from attlas.views.view_page import bundle

TEXT = [
    "The cat sat on the mat. It was asleep, and nobody saw it. Then the dog came in and barked at the cat.",
    "A river runs through the old town. The town has a bridge, and the bridge has two towers.",
    "She gave him a book about the sea. He read the book twice, and then he gave it back to her.",
] * 2
#: the same studies in a fifth of the time, for what does not depend on how large they are
GLANCE: dict[str, Any] = {"budget": "glance"}


@pytest.fixture(scope="module")
def made(
    subject_of: Callable[[str], Subject], tmp_path_factory: pytest.TempPathFactory
) -> attlas.verbs.report.ReportResult:
    folder = tmp_path_factory.mktemp("report")
    return attlas.report(
        subject_of("bert"), text=TEXT, atlas=folder / "bert.attlas", page=folder / "bert.html", progress=False
    )


def document(page: Path) -> dict[str, Any]:
    """What a page carries."""
    held = re.search(r'data-attlas="report">([^<]*)<', page.read_text())
    assert held is not None
    return json.loads(zlib.decompress(base64.b64decode(held[1])))


@pytest.mark.usefixtures("one_thread")
def test_two_processes_write_the_files_that_headvis_shows_as_one_does(
    made: Any, subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    trees = []
    for workers in (None, 2):
        folder = tmp_path / str(workers)
        attlas.report(
            subject_of("bert"),
            text=TEXT,
            atlas=made.atlas.path,
            page=tmp_path / "page.html",
            headvis=folder,
            workers=workers,
            progress=False,
        )
        trees.append({path.name: path.read_bytes() for path in (folder / "heads").iterdir()})
    assert trees[0] == trees[1]
    assert len(trees[0]) == len(subject_of("bert").heads)


def test_a_report_runs_every_study_that_applies_and_writes_a_page(made: Any) -> None:
    studies = {made.atlas.about(chapter)["study"] for chapter in made.atlas.chapters}
    assert studies == {"surface", "patterns", "shapes", "dependencies", "disable"}
    assert [what for what, _, _ in made.left_out] == [
        "which heads link a mention to its antecedent",
        "which heads look at nouns, verbs, subjects, negation",
        "which heads link a frame's elements to its target",
        "which heads link synonyms",
        "how much of a parse tree attention holds",
        "what became of each head in another model",
        "how much each head writes, and which tokens that raises",
        "how many heads can go, and which",
        "which heads carry what tells two texts apart",
        "which earlier heads feed the queries and keys of each head",
        "what each head does, as a sum of readable programs, and whether they can replace it",
    ]
    report = document(made.page)
    assert report["schema"] == "attlas.report/1"
    assert [chapter["name"] for chapter in report["chapters"]] == list(made.atlas.chapters)
    assert len(report["cards"]) == len(made.atlas.addresses) == 8


def test_a_second_report_runs_nothing_again(made: Any, subject_of: Callable[[str], Subject]) -> None:
    before = json.loads((made.atlas.path / "manifest.json").read_text())
    attlas.report(subject_of("bert"), text=TEXT, atlas=made.atlas.path, page=made.page, progress=False)
    assert json.loads((made.atlas.path / "manifest.json").read_text()) == before


def test_a_report_keeps_what_is_there_and_adds_the_rest(
    subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    bert, folder = subject_of("bert"), tmp_path / "a.attlas"
    attlas.map(bert, text=TEXT, segments=2, length=16, sample=0, atlas=folder, progress=False)
    before = load_atlas(folder).manifest["chapters"]
    attlas.report(bert, **GLANCE, text=TEXT, atlas=folder, page=tmp_path / "a.html", progress=False)
    after = load_atlas(folder).manifest["chapters"]
    assert {name: after[name] for name in before} == before
    assert len(after) == 5


def test_what_does_not_apply_is_left_out_with_its_reason_and_its_command(
    subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    mpnet = subject_of("mpnet")
    result = attlas.report(
        mpnet, **GLANCE, text=TEXT, atlas=tmp_path / "a", page=tmp_path / "a.html", progress=False
    )
    ((what, why, command),) = [left for left in result.left_out if "without each head" in left[0]]
    assert why == "the model does not use transformers' attention interface"
    assert command.startswith("attlas disable mpnet --atlas ")
    assert what == "what the model loses without each head"


def test_a_step_that_failed_is_left_out_with_its_reason(
    subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    """Here nothing reads what heads give, so that disabling them, and nothing else, finds an error."""
    bert = subject_of("bert")
    model = copy.deepcopy(bert.model)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "attention.output.dense" in name:
                parameter.zero_()
    subject = Subject(model, bert.tokenizer, "deaf")
    result = attlas.report(
        subject, **GLANCE, text=TEXT[:2], atlas=tmp_path / "a", page=tmp_path / "a.html", progress=False
    )
    studies = {result.atlas.about(chapter)["study"] for chapter in result.atlas.chapters}
    assert studies == {"surface", "patterns", "shapes", "dependencies"}
    ((_, why, command),) = (left for left in result.left_out if "without each head" in left[0])
    assert why.startswith("mean on encoder.0.0 changed nothing in the output of deaf")
    assert command.startswith("attlas disable deaf --atlas ")
    printed = Console(width=200, record=True)
    result.show(printed)
    assert f"Left out: what the model loses without each head ({why}). {command}" in printed.export_text()


def test_an_atlas_is_only_written_as_a_page(made: Any, tmp_path: Path) -> None:
    again = attlas.report(made.atlas.path, page=tmp_path / "again.html")
    assert document(again.page)["cards"] == document(made.page)["cards"]
    with pytest.raises(AttlasError, match=r"^text goes with a model"):
        attlas.report(made.atlas.path, text="x.txt", page=tmp_path / "again.html")


def test_the_announcement_names_the_studies_and_a_time(
    subject_of: Callable[[str], Subject], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bert = subject_of("bert")
    attlas.report(bert, **GLANCE, text=TEXT[:1], atlas=tmp_path / "a", page=tmp_path / "a.html")
    printed = capsys.readouterr().err
    assert printed.startswith("bert: 8 heads, into ")
    for what in ("where heads look", "what heads attend to", "relations of grammar", "without each head"):
        assert re.search(rf"{what}.*: about \d+ (seconds|minutes)", printed)


@pytest.mark.parametrize("name", ["llama", "t5"])
def test_other_architectures_have_a_report_that_fits_the_contract(
    subject_of: Callable[[str], Subject], tmp_path: Path, name: str
) -> None:
    attlas.map(
        subject_of(name), text=TEXT, segments=4, length=16, sample=3, atlas=tmp_path / "a", progress=False
    )
    packed = assemble(load_atlas(tmp_path / "a"))
    check_report(packed.report)
    kinds = {grid["kind"] for grid in packed.report["model"]["grids"]}
    assert kinds == ({"decoder"} if name == "llama" else {"encoder", "decoder", "cross"})


def test_the_document_fits_the_contract_and_knows_no_infinity(made: Any) -> None:
    packed = assemble(made.atlas)
    check_report(packed.report)
    json.dumps(packed.report, allow_nan=False)
    assert packed.report["bytes"] == len(packed.data)


def test_every_number_of_the_page_is_the_atlas_own(made: Any) -> None:
    report, atlas = assemble(made.atlas).report, made.atlas
    known = atlas.heads.set_index(["chapter", "kind", "layer", "head", "statistic", "group"])
    compared = 0
    for column in report["statistics"]:
        chapter = report["chapters"][column["chapter"]]["name"]
        for place, head in enumerate(atlas.addresses):
            key = (chapter, head.kind, head.layer, head.head, column["name"], column["group"])
            value, stderr = column["values"][place], column["stderr"][place]
            if key not in known.index:
                assert value is None
                continue
            row = known.loc[key]
            assert value == pytest.approx(row["value"], rel=1e-6)
            assert (stderr is None) == (not math.isfinite(row["stderr"]))
            assert stderr is None or stderr == pytest.approx(row["stderr"], rel=1e-6)
            n = column["n"] if isinstance(column["n"], int) else column["n"][place]
            assert n == row["n"]
            compared += 1
    named = atlas.heads["statistic"].isin(["behaviour", "pattern", "shape"] + [
        f"second_{kind}" for kind in ("behaviour", "pattern", "shape")
    ])  # fmt: skip
    assert compared == int((~named).sum())


def test_cards_have_the_numbers_of_the_tables(made: Any) -> None:
    report, atlas = assemble(made.atlas).report, made.atlas
    disabled = atlas.table("disabled").set_index(["kind", "layer", "head"])
    best = atlas.table("best")
    for card, head in zip(report["cards"], atlas.addresses, strict=True):
        (effect,) = card["effects"]
        row = disabled.loc[(head.kind, head.layer, head.head)]
        columns = ["change", "low", "high", "p", "n", "documents"]
        assert [effect[name] for name in columns] == row[columns].tolist()  # type: ignore[literal-required]
        for relation in (r for r in card["relations"] if r["best"]):
            (record,) = best[(best["group"] == relation["group"])].to_dict("records")
            assert (record["layer"], record["head"], record["direction"]) == (
                head.layer,
                head.head,
                relation["direction"],
            )
            named = ("value", "low", "high", "baseline", "p", "n", "documents")
            columns = ["accuracy", "low", "high", "baseline_accuracy", "p", "links", "documents"]
            assert [relation[k] for k in named] == [record[c] for c in columns]  # type: ignore[literal-required]


def test_heads_that_were_not_chosen_have_the_intervals_and_tests_of_the_chapter(made: Any) -> None:
    atlas, evidence = made.atlas, Evidence(made.atlas)
    groups = atlas.table("best")["group"].tolist()
    grids = {name: atlas.array(f"encoder.{name}") for name in ("accuracy", "low", "high", "p_all")}
    better = dict.fromkeys(groups, 0)
    for head, relations in zip(atlas.addresses, evidence.relations, strict=True):
        assert len(relations) == 2 * len(groups)
        for relation in relations:
            at = groups.index(relation["group"]), WAYS.index(relation["direction"]), head.layer, head.head
            assert [relation["value"], relation["low"], relation["high"]] == [
                grids[name][at] for name in ("accuracy", "low", "high")
            ]
            better[relation["group"]] += grids["p_all"][at] < 0.05
            if not relation["best"]:
                assert relation["p"] == grids["p_all"][at]
                assert relation["sure"] == (grids["p_all"][at] < 0.05)
    assert list(better.values()) == atlas.table("best")["heads_better"].tolist()


def test_every_number_says_how_many_documents_it_comes_from(made: Any) -> None:
    report, heads = assemble(made.atlas).report, made.atlas.heads
    for statistic in report["statistics"]:
        chapter = made.atlas.chapters[statistic["chapter"]]
        rows = heads[(heads["chapter"] == chapter) & (heads["statistic"] == statistic["name"])]
        documents = rows[rows["group"] == statistic["group"]]["documents"]
        counts = statistic["documents"]
        assert {counts} if isinstance(counts, int) else {t or 0 for t in counts} >= set(documents)
    assert all(any(part.endswith("documents") for part in c["read"]) for c in report["chapters"])


def test_the_nearest_heads_are_those_of_the_smallest_distance(made: Any) -> None:
    report, distances = assemble(made.atlas).report, made.atlas.array("encoder.distances")
    for place, card in enumerate(report["cards"]):
        others = np.delete(distances[place], place)
        assert [far for _, far in card["alike"]] == pytest.approx(sorted(others)[:5], rel=1e-6)
        assert all(far == pytest.approx(distances[place, near], rel=1e-6) for near, far in card["alike"])


def test_examples_point_at_the_tokens_they_are_about(made: Any) -> None:
    report, atlas = assemble(made.atlas).report, made.atlas
    marked = 0
    for card, head in zip(report["cards"], atlas.addresses, strict=True):
        rows = atlas.examples
        of_head = rows[(rows["layer"] == head.layer) & (rows["head"] == head.head)]
        examples = card["examples"]
        assert len(examples["weight"]) == len(of_head)
        there = {(round(r["weight"], 5), r["query"], r["key"]) for r in of_head.to_dict("records")}
        for weight, tokens, query, key in zip(
            examples["weight"], examples["tokens"], examples["query"], examples["key"], strict=True
        ):
            assert (round(weight, 5), query, key) in there
            assert max(query, key) < len(report["tokens"][tokens]["tokens"])
            marked += 1
    assert marked


def test_the_strongest_examples_are_never_the_only_ones(made: Any) -> None:
    for card in assemble(made.atlas).report["cards"]:
        examples = card["examples"]
        steps = [s for k, s in zip(examples["kind"], examples["step"], strict=True) if k == "step"]
        assert steps == [0, 1, 2, 3, 4]
        assert examples["kind"].count("random") == 3
        assert examples["kind"].count("strongest") == 5


def test_a_typical_map_comes_back_from_its_bytes(made: Any) -> None:
    packed = assemble(made.atlas)
    typical = made.atlas.array("encoder.typical")
    for place, card in enumerate(packed.report["cards"]):
        shown = card["map"]
        assert shown is not None
        rows, columns = shown["weights"]["shape"]
        at = shown["weights"]["at"]
        codes = np.frombuffer(packed.data[at : at + rows * columns], np.uint8).reshape(rows, columns)
        weights = shown["scale"] * (codes / 255.0) ** 2
        assert np.abs(weights - typical[place, 0, :rows, :columns]).max() < 0.005 * shown["scale"] + 1e-3


MODEL: dict[str, Any] = {
    "name": "</script><img src=x onerror=alert(1)>",
    "class": "Tiny",
    "weights": "w" * 64,
    "config": "c" * 64,
    "dtype": "float32",
    "heads": {"encoder": 1},
    "layers": {"encoder": [1]},
}


def one_head(tmp_path: Path) -> Atlas:
    head = Head("encoder", 0, 0)
    rows = [Row("encoder", 0, 0, "to_next", "", 0.25, 0.01, 9)]
    chapter = Chapter(
        "surface-x",
        {"study": "surface", "corpus": {"name": "<b>corpus</b>"}, "notes": ["</script>"]},
        rows,
        examples=[Example(head, 0.5, "1", 0, 1)],
        tokens={"1": ["</script>", "<img src=x onerror=alert(2)>"]},
    )
    return add_chapter(tmp_path / "one.attlas", MODEL, chapter)


def test_one_head_and_one_chapter_make_a_page_without_empty_promises(tmp_path: Path) -> None:
    report = assemble(one_head(tmp_path)).report
    check_report(report)
    (card,) = report["cards"]
    assert (card["map"], card["alike"], card["relations"], card["effects"]) == (None, [], [], [])
    assert not report["names"]
    assert report["heads"]["plane"] is None


def patched_chapter(task: str, lead: float, *effects: tuple[int, str, str, float, float]) -> Chapter:
    """What patching found of two heads (head, what, into, effect, p) on a task where the answer's logit is
    `lead` above the wrong one's, give or take 1."""
    columns = ["kind", "layer", "head", "what", "into", "effect", "p", "low", "high"]
    rows = [
        ("encoder", 0, head, what, into, effect, p, effect - 0.5, effect + 0.25)
        for head, what, into, effect, p in effects
    ]
    runs = pd.DataFrame([("clean", lead, lead - 1), ("corrupt", -lead, -lead - 1)])
    tables = {
        "patched": pd.DataFrame(rows, columns=columns),
        "runs": runs.set_axis(["text", "value", "low"], axis=1),
    }
    values = [Row("encoder", 0, head, "to_next", "", 0.25, 0.01, 9) for head in (0, 1)]
    return Chapter(f"patch-{task}", {"study": "patch", "corpus": {"name": task}}, values, tables)


def sentences_of(atlas: Atlas) -> list[list[str]]:
    """For each card, its sentences on patching."""
    addresses = [str(head) for head in atlas.addresses]
    cards = assemble(atlas).report["cards"]
    sentences = [[sentence_text(sentence, addresses) for sentence in card["sentences"]] for card in cards]
    return [[sentence for sentence in of_card if "patched" in sentence] for of_card in sentences]


def test_a_card_says_whether_its_head_speaks_for_the_answer(tmp_path: Path) -> None:
    model = {**MODEL, "heads": {"encoder": 2}, "layers": {"encoder": [2]}}
    agreement = patched_chapter(
        "agreement",
        2.2,
        (0, "output", "clean", -3.35, 0.0001),
        (0, "output", "corrupt", 3.33, 0.0001),  # smaller: the card has the larger
        (1, "output", "clean", -9.0, 0.06),  # could be chance
        (1, "weights", "clean", 0.6, 0.03),
    )
    atlas = add_chapter(tmp_path / "two.attlas", model, agreement)
    assert sentences_of(atlas) == [
        [
            "On agreement it speaks for the answer. Its output, patched from the corrupt text into the clean "
            "one, moves the logit difference by -3.350 (95 % -3.850 to -3.100), p < 0.001"
        ],
        [
            "On agreement it speaks against the answer. Its weights alone, patched from the corrupt text "
            "into the clean one, move the logit difference by +0.600 (95 % +0.100 to +0.850), p = 0.030"
        ],
    ]
    reaching_0 = patched_chapter("agreement", 2.2, (1, "weights", "clean", 0.5, 0.03))
    assert sentences_of(add_chapter(tmp_path / "unsure.attlas", model, reaching_0)) == [[], []]


@pytest.mark.parametrize(
    ("into", "effect", "speaks"),
    [("clean", -1, "for"), ("clean", 1, "against"), ("corrupt", 1, "for"), ("corrupt", -1, "against")],
)
def test_what_lowers_the_answer_when_it_is_taken_away_speaks_for_it(
    into: str, effect: float, speaks: str
) -> None:
    said = say_patching({"what": "output", "into": into, "effect": effect})
    assert said.startswith(f"it speaks {speaks} the answer: its output, patched from the ")
    assert said.endswith(f" moves the logit difference by {effect:+.3f}")


def test_a_card_has_the_surest_tasks_and_none_that_the_model_cannot_do(tmp_path: Path) -> None:
    model = {**MODEL, "heads": {"encoder": 2}, "layers": {"encoder": [2]}}
    for task, lead, p in (("one", 2.0, 0.04), ("two", 2.0, 0.01), ("three", 2.0, 0.02), ("four", 0.9, 0.001)):
        chapter = patched_chapter(task, lead, (0, "output", "clean", -1.0, p))
        atlas = add_chapter(tmp_path / "tasks.attlas", model, chapter)
    said, nothing = sentences_of(atlas)
    assert [sentence.split(" it ")[0] for sentence in said] == ["On two", "On three"]
    assert nothing == []
    shown = [relation.chapter for relation in summaries.relations(atlas, Head("encoder", 0, 0))]
    assert sorted(shown) == ["patch-one", "patch-three", "patch-two"]


def test_hostile_names_and_tokens_are_nowhere_in_the_page_as_markup(tmp_path: Path) -> None:
    script, _ = bundle()
    page = page_html(assemble(one_head(tmp_path))).replace(script, "")
    assert "<img" not in page
    assert "<b>corpus" not in page
    assert page.count("</script>") == 3


def test_twelve_hundred_heads_stay_small(tmp_path: Path) -> None:
    """Under 25 MB, with every column that a decoder has."""
    layers, width = 40, 30
    noise = np.random.default_rng(0)
    rows = [
        Row("encoder", layer, head, "dependent_to_head", f"relation{g}", *noise.uniform(size=2), 9)
        for g in range(120)
        for layer in range(layers)
        for head in range(width)
    ]
    model = {**MODEL, "name": "large", "heads": {"encoder": 1200}, "layers": {"encoder": [width] * layers}}
    chapter = Chapter("dependencies-x", {"study": "dependencies"}, rows)
    page = page_html(assemble(add_chapter(tmp_path / "large.attlas", model, chapter)))
    assert len(page) < 25e6


def test_a_quick_report_shrinks_with_the_model_and_never_with_the_machine() -> None:
    small, large = Size(5_000_000, 144, 512, False), Size(106_000_000, 270, 8192, True)
    for smaller, larger in zip(steps(small, "quick"), steps(large, "quick"), strict=True):
        for name, value in larger.options.items():
            if name in smaller.options and isinstance(value, int):
                assert value <= smaller.options[name]
    full = {step.study: step.options for step in steps(large, "full")}
    assert full["surface"] == {"segments": 1000, "length": 128, "sample": 200}
    assert full["disable"] == {"segments": 300, "length": 128, "confirm": 32}


def test_the_command_of_a_chapter_makes_it_again(made: Any) -> None:
    report = assemble(replace(made.atlas, path=Path("a.attlas"))).report
    commands = {chapter["study"]: chapter["command"] for chapter in report["chapters"]}
    assert commands["dependencies"] == "attlas probe dependencies bert --atlas a.attlas"
    assert re.match(r"attlas map bert --atlas a.attlas .*--segments \d+ --length \d+", commands["surface"])


def test_recorded_attention_promises_nothing_that_its_model_would_be_needed_for(tmp_path: Path) -> None:
    np.savez(
        tmp_path / "x.npz", attention=np.full((1, 1, 5, 5), 0.2, np.float32), tokens=np.array([*"abcde"])
    )
    atlas = attlas.map(tmp_path / "x.npz", atlas=tmp_path / "x.attlas", progress=False)
    assert assemble(atlas).report["missing"] == []


@pytest.mark.parametrize(
    ("score", "change", "low", "high", "words"),
    [
        ("loss", 0.041, 0.012, 0.070, "the loss rises by 0.041."),
        ("loss", -0.085, -0.147, -0.024, "the loss falls by 0.085."),
        ("loss", 0.004, 0.001, 0.007, "the loss hardly changes."),  # however small its p
        ("loss", -0.055, -0.200, 0.089, "the loss may change, which could be chance."),
        ("embedding", 0.071, 0.062, 0.080, "the embedding of a text moves by 0.071."),
        ("embedding", 0.002, 0.001, 0.003, "the embedding of a text hardly moves."),
    ],
)
def test_an_effect_is_told_by_its_verdict_and_its_evidence_follows(
    score: str, change: float, low: float, high: float, words: str
) -> None:
    effect: Any = {"score": score, "change": change, "low": low, "high": high, "p": 0.02, "n": 9}
    effect |= {"documents": 5, "edit": "mean", "edit_title": "the head gives its mean output"}
    of_no_atlas: Any = None
    claim, _, evidence = Sentences.effect(of_no_atlas, effect)
    assert claim == f"Without it {words}"
    assert f"{change:+.4f} (95 % {low:+.4f} to {high:+.4f}); corrected p = 0.020; 9 items" in str(evidence)
