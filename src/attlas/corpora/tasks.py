"""Tasks: texts with labels, as GLUE has them, and one's own.

A task says which columns hold its texts and its label, which labels there are, and how answers are scored.
Files are read as GLUE means them: tabs part columns, and a quotation mark is a character like any other.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from attlas.corpora.json_lines import checked
from attlas.corpora.lines import Report, decoded, raw_lines, refuse_irregular, shortened, stop, wrong
from attlas.errors import AttlasError

Split = Literal["train", "dev"]
#: what the files of a split are called in folders that are not GLUE's
STEMS: dict[str, tuple[str, ...]] = {
    "train": ("train", "training"),
    "dev": ("dev", "validation", "valid", "val"),
}
TABLES, RECORDS = (".tsv",), (".jsonl", ".ndjson", ".json")
MOST_LABELS = 1000  # a column with more is not one of classes


@dataclass(frozen=True)
class Task:
    """`labels` are in the order of a model's outputs; there are none where a number is to be predicted, which
    lies `between` two. `metrics` are names of `attlas.statistics.scores`, the first of them that people quote
    first. `header` names the columns of files that have no first line of names. `in_datasets` are the
    columns of the same task in Hugging Face's `datasets`: its texts, then its label."""

    name: str
    texts: tuple[str, ...]
    label: str
    labels: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("accuracy",)
    header: tuple[str, ...] = ()
    dev: str = "dev"
    between: tuple[float, float] | None = None
    in_datasets: tuple[str, ...] = ()

    @property
    def outputs(self) -> int:
        """How many numbers a model gives for an input."""
        return len(self.labels) or 1

    def value(self, written: object) -> float:
        """A label as a number: its place among the labels, or itself. A ValueError says what is wrong."""
        spelled = str(written).strip()
        if self.labels:
            if spelled not in self.labels:
                known = ", ".join(self.labels)
                raise ValueError(f"{shortened(spelled)} is not a label of {self.name}: {known}")
            return self.labels.index(spelled)
        try:
            number = float(spelled)
        except ValueError:
            number = math.nan
        low, high = self.between or (-math.inf, math.inf)
        if not (math.isfinite(number) and low <= number <= high):
            wanted = f"a number from {low:g} to {high:g}" if self.between else "a number"
            raise ValueError(f"{shortened(spelled)} is not a label of {self.name}: {wanted} is needed")
        return number


_BINARY = ("0", "1")
_ENTAILMENT = ("entailment", "not_entailment")
GLUE = {
    task.name: task
    for task in (
        Task(
            "CoLA",
            ("sentence",),
            "label",
            _BINARY,
            ("matthews",),
            header=("source", "label", "mark", "sentence"),
            in_datasets=("sentence", "label"),
        ),
        Task("SST-2", ("sentence",), "label", _BINARY, in_datasets=("sentence", "label")),
        Task(
            "MRPC",
            ("#1 String", "#2 String"),
            "Quality",
            _BINARY,
            ("f1", "accuracy"),
            in_datasets=("sentence1", "sentence2", "label"),
        ),
        Task(
            "STS-B",
            ("sentence1", "sentence2"),
            "score",
            metrics=("pearson", "spearman"),
            between=(0, 5),
            in_datasets=("sentence1", "sentence2", "label"),
        ),
        Task(
            "QQP",
            ("question1", "question2"),
            "is_duplicate",
            _BINARY,
            ("f1", "accuracy"),
            in_datasets=("question1", "question2", "label"),
        ),
        Task(
            "MNLI",
            ("sentence1", "sentence2"),
            "gold_label",
            ("entailment", "neutral", "contradiction"),
            dev="dev_matched",
            in_datasets=("premise", "hypothesis", "label"),
        ),
        Task(
            "QNLI",
            ("question", "sentence"),
            "label",
            _ENTAILMENT,
            in_datasets=("question", "sentence", "label"),
        ),
        Task(
            "RTE",
            ("sentence1", "sentence2"),
            "label",
            _ENTAILMENT,
            in_datasets=("sentence1", "sentence2", "label"),
        ),
    )
}


def task_named(name: str, texts: Sequence[str] = (), label: str | None = None, numbers: bool = False) -> Task:
    """A task of GLUE, or (where the columns of its texts are named) one's own, whose labels are not known
    until its data is read."""
    if not texts:
        by_name = {_plain(known): task for known, task in GLUE.items()}
        if _plain(name) not in by_name:
            raise AttlasError(
                f"there is no task {name!r}: choose one of {', '.join(GLUE)}, or name the columns of your "
                "own data with --columns and --label"
            )
        if label is not None or numbers:
            raise AttlasError(f"{name} has a label of its own: --label and --numbers go with --columns")
        return by_name[_plain(name)]
    if not name.strip():
        raise AttlasError("your own task needs a name: it is what the results are called by")
    if len(texts) > 2:
        raise AttlasError(f"--columns {','.join(texts)}: a model reads one text or two at once")
    return Task(name, tuple(texts), label or "label", metrics=("pearson", "spearman") if numbers else ())


def _plain(name: str) -> str:
    """sst2 and SST-2 are the same."""
    return name.casefold().replace("-", "").replace("_", "")


@dataclass(frozen=True)
class Labelled:
    """One example of a task. `number` is its row in the file, those that cannot be read included."""

    number: int
    texts: tuple[str, ...]
    label: float


@dataclass(frozen=True)
class TaskData:
    """One split of a task: a file, or a data set in memory."""

    task: Task
    split: Split
    path: Path | None = None
    dataset: Any = None

    @property
    def name(self) -> str:
        return f"{self.task.name}-{self.split}"

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "task": self.task.name,
            "texts": list(self.task.texts),
            "label": self.task.label,
            "labels": list(self.task.labels),
            "split": self.split,
            "checksum": self._checksum,
        }

    @cached_property
    def _checksum(self) -> str:
        """Of a file; what a data set of `datasets` knows itself by; of the rows of any other."""
        if self.path is not None:
            with self.path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        known = getattr(self.dataset, "_fingerprint", None)
        if known is not None:
            return str(known)
        digest = hashlib.sha256()
        for _, _, texts, label in self.rows(lambda _: None):
            digest.update(repr((texts, str(label))).encode() + b"\n")
        return digest.hexdigest()

    def read(self, report: Report = stop) -> Iterator[Labelled]:
        """The examples, from the first. `report` hears of lines that are not whole (GLUE's QQP has some),
        which are left out if it returns; a label that the task does not have is always an error."""
        some, problems = False, list[AttlasError]()

        def told(error: AttlasError) -> None:
            report(error)
            if not problems:
                problems.append(error)

        for number, where, texts, label in self.rows(told):
            some = True
            try:
                value = self.task.value(label)
            except ValueError as error:
                raise AttlasError(f"{where}: {error}") from error
            yield Labelled(number, texts, value)
        if not some:
            why = f": {problems[0]}" if problems else ""
            raise AttlasError(f"{self.path or 'the data set'} has no examples{why}")

    def rows(self, report: Report = stop) -> Iterator[tuple[int, str, tuple[str, ...], Any]]:
        """Of each example its number, where it stands, its texts, and its label as it is written."""
        if self.path is None:
            return self._of_dataset(report)
        return self._of_records(report) if self.path.suffix in RECORDS else self._of_table(report)

    def _of_table(self, report: Report) -> Iterator[tuple[int, str, tuple[str, ...], Any]]:
        assert self.path is not None
        header = list(self.task.header)
        before = 0 if header else 1
        for line, raw in raw_lines(self.path):
            if line == 1 and not header:
                header = decoded(self.path, 1, raw).split("\t")
                for column in (*self.task.texts, self.task.label):
                    if column not in header:
                        raise wrong(self.path, 1, _no_column(column, header))
                    if header.count(column) > 1:
                        raise wrong(self.path, 1, f"{header.count(column)} columns are called {column!r}")
                continue
            if not raw.strip():
                continue
            try:
                cells = decoded(self.path, line, raw).split("\t")
                if len(cells) != len(header):
                    raise wrong(self.path, line, f"{len(cells)} columns where there should be {len(header)}")
            except AttlasError as error:
                report(error)
                continue
            row = dict(zip(header, cells, strict=True))
            texts = tuple(row[column] for column in self.task.texts)
            yield line - 1 - before, f"{self.path}, line {line}", texts, row[self.task.label]

    def _of_records(self, report: Report) -> Iterator[tuple[int, str, tuple[str, ...], Any]]:
        assert self.path is not None
        columns = (*self.task.texts, self.task.label)
        for line, raw in raw_lines(self.path):
            if not raw.strip():
                continue
            try:
                row = _record(self.path, line, raw)
            except AttlasError as error:
                report(error)
                continue
            for column in columns:
                if column not in row:
                    raise wrong(self.path, line, _no_column(column, list(row)))
            where = f"{self.path}, line {line}"
            try:
                texts = tuple(_text(row[column], column, where) for column in self.task.texts)
            except AttlasError as error:
                report(error)
                continue
            yield line - 1, where, texts, row[self.task.label]

    def _of_dataset(self, report: Report) -> Iterator[tuple[int, str, tuple[str, ...], Any]]:
        *texts, label = self._columns_of_dataset()
        names = getattr((getattr(self.dataset, "features", None) or {}).get(label), "names", None)
        # a class may be known by its name (entailment), or its number may be GLUE's label (0, 1)
        spelled = names if names and (not self.task.labels or set(names) <= set(self.task.labels)) else None
        for number, row in enumerate(self.dataset):
            if missing := next((column for column in (*texts, label) if column not in row), None):
                raise AttlasError(f"{self.name}, row {number}: {_no_column(missing, list(row))}")
            value = row[label]
            if spelled and isinstance(value, int) and 0 <= value < len(spelled):
                value = spelled[value]
            where = f"{self.name}, row {number}"
            try:
                read = tuple(_text(row[column], column, where) for column in texts)
            except AttlasError as error:
                report(error)
                continue
            yield number, where, read, value

    def _columns_of_dataset(self) -> tuple[str, ...]:
        own = (*self.task.texts, self.task.label)
        there = list(getattr(self.dataset, "column_names", None) or next(iter(self.dataset), {}))
        for columns in (self.task.in_datasets, own):
            if columns and set(columns) <= set(there):
                return columns
        missing = next(c for c in (self.task.in_datasets or own) if c not in there)
        raise AttlasError(f"the data set of {self.name}: {_no_column(missing, there)}")


def _record(path: Path, line: int, raw: bytes) -> Mapping[str, Any]:
    try:
        row = json.loads(decoded(path, line, raw))
    except RecursionError:
        raise wrong(path, line, "a record nested too deeply") from None
    except ValueError as error:
        raise wrong(path, line, f"this is not JSON ({error})") from error
    if not isinstance(row, dict):
        raise wrong(
            path, line, "this is not a record: a line is a JSON object with the columns as its fields"
        )
    return row


def _text(value: object, column: str, where: str) -> str:
    """What is in a column of texts; a number is text too, as it is in a table."""
    plain = isinstance(value, int | float)
    try:
        return checked(str(value) if plain else value, column)
    except ValueError as error:
        raise AttlasError(f"{where}: {error}") from error


def _no_column(column: str, there: Sequence[str]) -> str:
    return f"there is no column {column!r}: there are {', '.join(map(str, there))}"


def task_data(task: Task, data: Any, split: Split) -> TaskData:
    """One split of a task. `data` is a file; a folder with a file for each split; GLUE's folder, with a
    folder for each task; or, from `datasets`, a data set, a dictionary of them, or a folder that it saved."""
    if not isinstance(data, (str, Path)):
        return TaskData(task, split, dataset=_split_of(data, task, split))
    path = Path(data)
    refuse_irregular(path)
    if not path.exists():
        raise AttlasError(f"there is no file or folder {path} with the data of {task.name}")
    if path.is_file():
        if path.suffix not in (*TABLES, *RECORDS):
            raise AttlasError(f"{path}: examples are read from {', '.join((*TABLES, *RECORDS))}")
        return TaskData(task, split, path)
    if any((path / name).exists() for name in ("dataset_dict.json", "dataset_info.json")):
        from attlas.corpora.optional_import import optional_import

        saved = optional_import("datasets", "a folder of a data set", "datasets").load_from_disk(str(path))
        return TaskData(task, split, dataset=_split_of(saved, task, split))
    return TaskData(task, split, _file(task, path, split))


def _file(task: Task, folder: Path, split: Split) -> Path:
    folders = [
        folder,
        *(f for f in sorted(folder.iterdir()) if f.is_dir() and _plain(f.name) == _plain(task.name)),
    ]
    stems = ((task.dev,) if split == "dev" and task.dev != "dev" else ()) + STEMS[split]
    names = [stem + ending for stem in stems for ending in (*TABLES, *RECORDS)]
    found = [within / name for within in folders for name in names if (within / name).is_file()]
    if not found:
        looked = stems[0] + TABLES[0]
        raise AttlasError(f"{folder} has no {looked} of {task.name}, nor a folder {task.name} that has one")
    return found[0]


def _split_of(given: Any, task: Task, split: Split) -> Any:
    if isinstance(given, Iterator) or not isinstance(given, Iterable):
        raise AttlasError(
            f"the data of {task.name} is a {type(given).__name__}: a folder, a file, or data sets are needed"
        )
    if not isinstance(given, Mapping):
        return given
    names = [s for s in (task.dev.replace("dev", "validation"), *STEMS[split]) if s in given]
    if split == "train":
        names = [s for s in STEMS["train"] if s in given]
    if not names:
        raise AttlasError(f"the data set of {task.name} has no {split} split: it has {', '.join(given)}")
    return given[names[0]]


def with_labels(data: TaskData) -> Task:
    """One's own task, with the labels that its training data has, in the order of the alphabet (numbers by
    their size)."""
    task = data.task
    if task.labels or "pearson" in task.metrics:
        return task
    found = set(_labels(data))
    if len(found) > MOST_LABELS:
        raise AttlasError(
            f"the column {task.label!r} of {data.path or data.name} has {len(found):,} labels: is it a "
            "number to be predicted? Then say --numbers"
        )
    if len(found) < 2:
        raise AttlasError(
            f"the column {task.label!r} of {data.path or data.name} has one label only: "
            f"{shortened(found.pop())}"
        )
    metrics = ("accuracy", "f1", "matthews") if len(found) == 2 else ("accuracy",)
    return replace(task, labels=tuple(sorted(found, key=_by_size)), metrics=metrics)


def _labels(data: TaskData) -> Iterator[str]:
    """The labels of one's own task, as they are written. A missing one would else be a class of its own."""
    some = False
    problems: list[AttlasError] = []
    for _, where, _, label in data.rows(lambda error: None if problems else problems.append(error)):
        some = True
        if isinstance(label, list | dict):
            raise AttlasError(f"{where}: its {data.task.label!r} is a {type(label).__name__}, not one label")
        if label is None or label != label or not str(label).strip():
            raise AttlasError(f"{where}: there is no label in its {data.task.label!r}")
        yield str(label).strip()
    if not some:
        why = f": {problems[0]}" if problems else ""
        raise AttlasError(f"{data.path or 'the data set'} has no examples{why}")


def _by_size(label: str) -> tuple[float, str]:
    try:
        return float(label), label
    except ValueError:
        return math.inf, label


def output_order(task: Task, config: Any, model: str) -> tuple[int, ...]:
    """Which of a model's outputs each label of the task is: by the names that its config gives them, where
    it gives any."""
    outputs = int(getattr(config, "num_labels", 0) or 0)
    if outputs != task.outputs:
        raise AttlasError(
            f"{model} has {outputs} output{'s' * (outputs != 1)}, and {task.name} {task.outputs}: fine-tune "
            f"it on {task.name} first"
        )
    if not task.labels:
        return (0,)
    called = _names_of_outputs(config)
    by_name = {_plain(name): i for i, name in called.items()}
    wanted = [_plain(label) for label in task.labels]
    if set(wanted) == set(by_name):
        return tuple(by_name[label] for label in wanted)
    if assumed_order(task, config) or all(label.isdigit() for label in task.labels):
        return tuple(range(outputs))
    raise AttlasError(
        f"the outputs of {model} are called {', '.join(called.values())}, and the labels of {task.name} "
        f"{', '.join(task.labels)}"
    )


def assumed_order(task: Task, config: Any) -> str | None:
    """What is to be said of a model whose outputs have no names: that they are taken in the order of the
    task's labels, which is a guess unless the labels are numbers."""
    called = _names_of_outputs(config)
    if any(name != f"LABEL_{i}" for i, name in called.items()):
        return None
    if all(label.isdigit() for label in task.labels) or set(task.labels) == set(called.values()):
        return None
    return f"the model's outputs have no names: their order is taken to be {', '.join(task.labels)}"


def _names_of_outputs(config: Any) -> dict[int, str]:
    return {int(i): str(name) for i, name in (getattr(config, "id2label", None) or {}).items()}
