"""Tasks: which columns are read, as GLUE means them, and what is said of those that are wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attlas.corpora.task_data import LabelledExample, TaskData, task_data, with_labels
from attlas.corpora.task_source import TaskSource
from attlas.corpora.tasks import GLUE, Task, assumed_order, output_order, task_named
from attlas.errors import AttlasError
from attlas.subject import Subject

#: a line of each task as its file has it, below its header; and what is read from it
LINES = {
    "CoLA": (None, 'gj04\t0\t*\tA "stray quote.', (('A "stray quote.',), 0)),
    "SST-2": ("sentence\tlabel", "fine . \t1", (("fine . ",), 1)),
    "MRPC": (
        "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String",
        '1\t12\t34\t" One .\tTwo .',
        (('" One .', "Two ."), 1),
    ),
    "STS-B": (
        "index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\tsentence1\tsentence2\tscore",
        "0\tg\tf\t2012\t0\tnone\tnone\tOne.\tTwo.\t3.750",
        (("One.", "Two."), 3.75),
    ),
    "QQP": (
        "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate",
        "7\t\t\tWhy?\tHow?\t0",
        (("Why?", "How?"), 0),
    ),
    "MNLI": (
        "index\tpromptID\tsentence1\tsentence2\tlabel1\tgold_label",
        "0\t\tOne.\tTwo.\tneutral\tcontradiction",
        (("One.", "Two."), 2),
    ),
    "QNLI": ("index\tquestion\tsentence\tlabel", "0\tWhy?\tSo.\tnot_entailment", (("Why?", "So."), 1)),
    "RTE": ("index\tsentence1\tsentence2\tlabel", "0\tOne.\tTwo.\tentailment", (("One.", "Two."), 0)),
}
OWN = Task("mine", ("a", "b"), "y", ("no", "yes"))


def _write(path: Path, *lines: str | None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines if line is not None), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", GLUE)
def test_every_task_of_glue_is_read_from_its_own_columns(name: str, tmp_path: Path) -> None:
    header, line, (texts, label) = LINES[name]
    _write(tmp_path / name / f"{GLUE[name].dev}.tsv", header, line, line)
    for data in (tmp_path, tmp_path / name):
        examples = list(task_data(task_named(name.lower().replace("-", "")), data, "dev").read())
        assert examples == [LabelledExample(0, texts, label), LabelledExample(1, texts, label)]
    with pytest.raises(AttlasError, match=f"has no train.tsv of {name}"):
        task_data(GLUE[name], tmp_path, "train")


def test_real_glue_has_as_many_examples_as_lines(shared: Path, tmp_path: Path) -> None:
    import tarfile

    with tarfile.open(shared / "data" / "glue.tar.xz") as archive:
        archive.extractall(tmp_path, [m for m in archive.getmembers() if "/dev" in m.name], filter="data")
    for task in GLUE.values():
        data = task_data(task, tmp_path / "glue", "dev")
        assert data.path is not None
        lines = len(data.path.read_bytes().rstrip(b"\n").split(b"\n")) - (not task.header)
        examples = list(data.read())
        assert len(examples) == lines > 200
        values = {example.label for example in examples}
        assert values == set(range(task.outputs)) if task.labels else max(values) == 5


@pytest.mark.parametrize("name", [n for n in GLUE if LINES[n][0]])
def test_a_missing_column_is_named(name: str, tmp_path: Path) -> None:
    header, line, _ = LINES[name]
    assert header is not None
    for column in (*GLUE[name].texts, GLUE[name].label):
        columns = ["other" if c.lstrip("\ufeff") == column else c for c in header.split("\t")]
        path = _write(tmp_path / "dev.tsv", "\t".join(columns), line)
        with pytest.raises(AttlasError, match=rf"dev.tsv, line 1: there is no column '{column}': there are"):
            list(TaskData(GLUE[name], "dev", path).read())


@pytest.mark.parametrize(
    ("name", "label", "said"),
    [
        ("RTE", "maybe", "'maybe' is not a label of RTE: entailment, not_entailment"),
        ("STS-B", "7.5", "from 0 to 5"),
    ],
)
def test_a_label_outside_the_tasks_is_an_error_with_its_line(
    name: str, label: str, said: str, tmp_path: Path
) -> None:
    header, line, _ = LINES[name]
    bad = "\t".join([*line.split("\t")[:-1], label])
    path = _write(tmp_path / "dev.tsv", header, line, bad)
    with pytest.raises(AttlasError, match=rf"dev.tsv, line 3: .*{said}"):
        list(TaskData(GLUE[name], "dev", path).read(lambda _: None))


def test_a_line_that_is_not_whole_is_skipped_and_counted(tmp_path: Path, mini: Subject) -> None:
    header, line, _ = LINES["QQP"]
    path = _write(tmp_path / "dev.tsv", header, line, "8\t\t\tWhy?", line)
    source = TaskSource(TaskData(GLUE["QQP"], "dev", path), mini.tokenizer)
    (prepared,) = [source.prepare(shard) for shard in source.shards()]
    assert [item.id.document for item in prepared.items] == [0, 2]
    assert prepared.counts["skipped"] == 1
    assert prepared.problems == (f"{path}, line 3: 4 columns where there should be 6",)
    strict = TaskSource(source.data, mini.tokenizer, strict=True)
    with pytest.raises(AttlasError, match="line 3: 4 columns"):
        list(strict.shards())


def test_ones_own_columns_are_read_from_tables_and_records(tmp_path: Path) -> None:
    rows = [{"a": "One.", "b": 'Tw"o', "y": label, "n": 1} for label in ("yes", "no", "yes")]
    _write(tmp_path / "train.jsonl", *map(json.dumps, rows))
    _write(tmp_path / "validation.tsv", "a\tb\ty\tn", *("\t".join(map(str, row.values())) for row in rows))
    task = with_labels(task_data(task_named("mine", ["a", "b"], "y"), tmp_path, "train"))
    assert (task.labels, task.metrics) == (("no", "yes"), ("accuracy", "f1", "matthews"))
    read = [list(task_data(task, tmp_path, split).read()) for split in ("train", "dev")]
    assert read[0] == read[1]
    assert [e.label for e in read[0]] == [1, 0, 1]
    with pytest.raises(
        AttlasError, match=r"train.jsonl, line 1: there is no column 'c': there are a, b, y, n"
    ):
        list(task_data(Task("mine", ("c",), "y", ("no",)), tmp_path, "train").read())
    numbers = task_named("mine", ["a"], "n", numbers=True)
    assert with_labels(task_data(numbers, tmp_path, "train")) == numbers
    with pytest.raises(AttlasError, match="has one label only: '1'"):
        with_labels(task_data(task_named("mine", ["a"], "n"), tmp_path, "train"))


def _unlabelled(folder: Path, **cells: object) -> TaskData:
    """One's own task with one example, of which something is odd."""
    line = json.dumps({"a": "x", "b": "y", "y": 1} | cells)
    return TaskData(task_named("mine", ["a", "b"], "y"), "dev", _write(folder / "x.jsonl", line))


def _records(folder: Path, **cells: object) -> Iterator[LabelledExample]:
    return TaskData(OWN, "dev", _unlabelled(folder, **cells).path).read()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda folder: task_named("wnli2"), "no task 'wnli2': choose one of CoLA"),
        (lambda folder: task_named("RTE", label="y"), "a label of its own"),
        (lambda folder: task_named("mine", ["a", "b", "c"]), "one text or two"),
        (lambda folder: task_data(OWN, folder / "nowhere", "dev"), "there is no file or folder"),
        (lambda folder: task_data(OWN, folder, "dev"), "has no dev.tsv of mine"),
        (lambda folder: task_data(OWN, _write(folder / "x.csv", "a,b"), "dev"), "read from .tsv"),
        (
            lambda folder: list(TaskData(OWN, "dev", _write(folder / "x.tsv", "a\tb\ty")).read()),
            "no examples",
        ),
        (lambda folder: list(TaskData(OWN, "dev", _write(folder / "x.jsonl", "[1]")).read()), "not a record"),
        (
            lambda folder: list(TaskData(OWN, "dev", _write(folder / "x.jsonl", "{")).read()),
            "line 1: this is not JSON",
        ),
        (
            lambda folder: list(TaskData(OWN, "dev", _write(folder / "x.jsonl", "[" * 100_000)).read()),
            "line 1: a record nested too deeply",
        ),
        (lambda folder: list(_records(folder, a=["x"])), "line 1: its 'a' is list, not text"),
        (lambda folder: list(_records(folder, a=None)), "line 1: its 'a' is nothing, not text"),
        (lambda folder: list(_records(folder, a="\ud83d")), "line 1: its 'a' is not Unicode"),
        (lambda folder: with_labels(_unlabelled(folder, y=None)), "line 1: there is no label in its 'y'"),
        (lambda folder: with_labels(_unlabelled(folder, y=math.nan)), "line 1: there is no label in its 'y'"),
        (lambda folder: with_labels(_unlabelled(folder, y=[1])), "line 1: its 'y' is a list, not one label"),
        (
            lambda folder: with_labels(_unlabelled(folder, a={})),
            "x.jsonl has no examples: .*line 1: its 'a' is dict",
        ),
        (lambda folder: task_named(" ", ["a"]), "needs a name"),
        (lambda folder: task_data(OWN, 5, "dev"), "the data of mine is of type int"),
        (lambda folder: task_data(OWN, iter([]), "dev"), "the data of mine is of type list_iterator"),
        (
            lambda folder: with_labels(
                task_data(task_named("mine", ["a"], "y"), {"dev": [{"a": "x", "y": 1}, {"a": "x"}]}, "dev")
            ),
            "mine-dev, row 1: there is no column 'y'",
        ),
        (
            lambda folder: list(
                TaskData(OWN, "dev", _write(folder / "x.tsv", "a\tb\ta\ty", "1\t2\t3\tno")).read()
            ),
            "line 1: 2 columns are called 'a'",
        ),
    ],
)
def test_what_is_wrong_is_said(make: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(AttlasError, match=said):
        make(tmp_path)


def test_datasets_are_read_by_their_own_columns_and_class_names(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    names = ["entailment", "neutral", "contradiction"]
    features = datasets.Features(
        premise=datasets.Value("string"),
        hypothesis=datasets.Value("string"),
        label=datasets.ClassLabel(names=names[::-1]),
    )
    columns = {"premise": ["One."], "hypothesis": ["Two."], "label": [0]}
    mnli = datasets.Dataset.from_dict(columns, features=features)
    both = datasets.DatasetDict(train=mnli, validation_matched=mnli, validation_mismatched=mnli)
    both.save_to_disk(tmp_path / "saved")
    for where in (both, tmp_path / "saved"):
        data = task_data(GLUE["MNLI"], where, "dev")
        assert list(data.read()) == [LabelledExample(0, ("One.", "Two."), 2)]  # contradiction
    mrpc = datasets.Dataset.from_dict({"sentence1": ["a"], "sentence2": ["b"], "label": [1]})
    assert next(TaskData(GLUE["MRPC"], "dev", dataset=mrpc).read()).label == 1
    with pytest.raises(AttlasError, match="there is no column 'question1'"):
        next(TaskData(GLUE["QQP"], "dev", dataset=mrpc).read())
    with pytest.raises(AttlasError, match="has no dev split: it has train"):
        task_data(GLUE["MNLI"], {"train": mnli}, "dev")


def test_data_is_known_by_its_columns_its_labels_and_its_rows(tmp_path: Path) -> None:
    path = _write(tmp_path / "dev.tsv", "a\tb\ty\tz", "One.\tTwo.\tno\tyes")
    others = replace(OWN, texts=("b", "a")), replace(OWN, label="z"), replace(OWN, labels=("yes", "no"))
    descriptions = [json.dumps(TaskData(task, "dev", path).describe()) for task in (OWN, *others)]
    assert len(set(descriptions)) == 4
    row = {"a": "One.", "b": "Two.", "y": "no"}
    held = [
        TaskData(OWN, "dev", dataset=[{**row, **other}]) for other in ({}, {"n": 1}, {"b": "2"}, {"y": "yes"})
    ]
    first, same, text, label = (data.describe() for data in held)
    assert first == same, "a column that is not read makes no difference"
    assert len({about["checksum"] for about in (first, text, label)}) == 3


def test_a_models_outputs_are_found_by_their_names() -> None:
    class Config:
        num_labels = 3
        id2label: dict[int, str]

    config = Config()
    config.id2label = {0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}
    assert output_order(GLUE["MNLI"], config, "m") == (2, 1, 0)
    assert assumed_order(GLUE["MNLI"], config) is None
    config.id2label = {i: f"LABEL_{i}" for i in range(3)}
    assert output_order(GLUE["MNLI"], config, "m") == (0, 1, 2)
    said = assumed_order(GLUE["MNLI"], config)
    assert said is not None
    assert said.endswith("their order is taken to be entailment, neutral, contradiction")
    for labels in (("0", "1", "2"), ("LABEL_2", "LABEL_1", "LABEL_0")):
        assert assumed_order(replace(GLUE["MNLI"], labels=labels), config) is None
    config.id2label = {0: "x", 1: "y", 2: "z"}
    with pytest.raises(AttlasError, match="outputs of m are called x, y, z"):
        output_order(GLUE["MNLI"], config, "m")
    with pytest.raises(AttlasError, match="m has 3 outputs, and RTE 2"):
        output_order(GLUE["RTE"], config, "m")


def _source(mini: Subject, folder: Path, pairs: list[tuple[str, str]], length: int) -> TaskSource:
    path = _write(folder / "dev.tsv", "a\tb\ty", *(f"{a}\t{b}\tyes" for a, b in pairs))
    return TaskSource(TaskData(OWN, "dev", path), mini.tokenizer, length)


def test_inputs_are_the_tokenizers_own(mini: Subject, tmp_path: Path) -> None:
    pairs = [("The cat's hat.", "It sat, quietly, on a mat."), ("One", "Two words")]
    source = _source(mini, tmp_path, pairs, 64)
    (shard,) = source.shards()
    for item, (a, b) in zip(source.prepare(shard).items, pairs, strict=True):
        wanted = mini.tokenizer(a, b)
        assert item.ids.tolist() == wanted["input_ids"]
        assert item.types.tolist() == wanted["token_type_ids"]
        assert item.label == 1


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.integers(1, 30), st.integers(6, 20))
def test_the_longer_text_loses_its_end_piece_by_piece(
    mini: Subject, tmp_path_factory: pytest.TempPathFactory, first: int, second: int, length: int
) -> None:
    a, b = ["a"] * first, ["b"] * second
    source = _source(mini, tmp_path_factory.mktemp("cut"), [(" ".join(a), " ".join(b))], length)
    (shard,) = source.shards()
    prepared = source.prepare(shard)
    while len(a) + len(b) > length - 3:
        (a if len(a) > len(b) else b).pop()
    wanted = mini.tokenizer(" ".join(a), " ".join(b))["input_ids"]
    assert prepared.items[0].ids.tolist() == wanted
    assert prepared.counts["cut"] == (len(wanted) < first + second + 3)


def test_a_decoder_reads_both_texts_with_a_new_line_between(mini: Subject, tmp_path: Path) -> None:
    import pickle

    tokenizer = pickle.loads(pickle.dumps(mini.tokenizer))
    tokenizer.cls_token = tokenizer.sep_token = None
    source = TaskSource(_source(mini, tmp_path, [("One two.", "Three.")], 32).data, tokenizer)
    (item,) = source.prepare(next(iter(source.shards()))).items
    both = [tokenizer(t, add_special_tokens=False)["input_ids"] for t in ("One two.", "\nThree.")]
    template = source.template
    assert item.ids.tolist() == [*template.before, *both[0], *both[1], *template.after]
    assert not np.any(item.types)
