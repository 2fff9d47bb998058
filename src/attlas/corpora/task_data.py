"""The examples of a task: a split of it, from a file or from Hugging Face's `datasets`.

Files are read as GLUE means them: tabs part columns, and a quotation mark is a character like any other.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from attlas.corpora.lines import (
    Report,
    decode_line,
    parse_json_line,
    quote,
    raw_lines,
    stop,
    wrong,
)
from attlas.corpora.tasks import Task, plain_name
from attlas.corpora.text_formats import as_text
from attlas.errors import AttlasError, option
from attlas.files import file_hash, refuse_irregular

Split = Literal["train", "dev"]
#: what the files of a split are called in folders that are not GLUE's
STEMS: dict[str, tuple[str, ...]] = {
    "train": ("train", "training"),
    "dev": ("dev", "validation", "valid", "val"),
}
TABLES, RECORDS = (".tsv",), (".jsonl", ".ndjson", ".json")
MOST_LABELS = 1000  # a column with more is not one of classes


@dataclass(frozen=True)
class LabelledExample:
    """One example of a task. `number` is its row in the file, those that cannot be read included."""

    number: int
    texts: tuple[str, ...]
    label: float


class WrittenExample(NamedTuple):
    """An unchecked example: its row, where that stands, and a label that may not be the task's."""

    number: int
    where: str
    texts: tuple[str, ...]
    label: Any


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
        """The checksum of a file, or of rows; for a data set of `datasets`, what it knows itself by."""
        if self.path is not None:
            return file_hash(self.path)
        known = getattr(self.dataset, "_fingerprint", None)
        if known is not None:
            return str(known)
        digest = hashlib.sha256()
        for row in self.rows(lambda _: None):
            digest.update(repr((row.texts, str(row.label))).encode() + b"\n")
        return digest.hexdigest()

    def read(self, report: Report = stop) -> Iterator[LabelledExample]:
        """The examples, from the first. `report` hears of lines that are not whole (GLUE's QQP has some),
        which are left out if it returns; a label that the task does not have is always an error."""
        for row in self.rows(report):
            try:
                yield LabelledExample(row.number, row.texts, self.task.value(row.label))
            except ValueError as error:
                raise AttlasError(f"{row.where}: {error}") from error

    def rows(self, report: Report = stop) -> Iterator[WrittenExample]:
        """The unchecked examples; that there is none is an error."""
        some, problem = False, None
        for entry in self._entries():
            if isinstance(entry, AttlasError):
                report(entry)
                problem = problem or entry
            else:
                some = True
                yield entry
        if not some:
            why = f": {problem}" if problem else ""
            raise AttlasError(f"{self.path or 'the data set'} has no examples{why}")

    def _entries(self) -> Iterator[WrittenExample | AttlasError]:
        """Examples, and what is wrong with those that cannot be read."""
        if self.path is None:
            return self._of_dataset()
        return (self._of_records if self.path.suffix in RECORDS else self._of_table)(self.path)

    def _of_table(self, path: Path) -> Iterator[WrittenExample | AttlasError]:
        header = list(self.task.header)
        before = 0 if header else 1
        for line, raw in raw_lines(path):
            if line == 1 and not header:
                header = decode_line(path, 1, raw).split("\t")
                self._check_header(path, header)
                continue
            if not raw.strip():
                continue
            try:
                cells = decode_line(path, line, raw).split("\t")
            except AttlasError as error:
                yield error
                continue
            if len(cells) != len(header):
                yield wrong(path, line, f"{len(cells)} columns where there should be {len(header)}")
                continue
            row = dict(zip(header, cells, strict=True))
            where = f"{path}, line {line}"
            yield _example(line - 1 - before, where, row, self.task.texts, row[self.task.label])

    def _check_header(self, path: Path, header: Sequence[str]) -> None:
        for column in (*self.task.texts, self.task.label):
            if column not in header:
                raise wrong(path, 1, _no_column(column, header))
            if header.count(column) > 1:
                raise wrong(path, 1, f"{header.count(column)} columns are called {column!r}")

    def _of_records(self, path: Path) -> Iterator[WrittenExample | AttlasError]:
        for line, raw in raw_lines(path):
            if not raw.strip():
                continue
            try:
                row = _record(path, line, raw)
            except AttlasError as error:
                yield error
                continue
            for column in (*self.task.texts, self.task.label):
                if column not in row:
                    raise wrong(path, line, _no_column(column, list(row)))
            yield _example(line - 1, f"{path}, line {line}", row, self.task.texts, row[self.task.label])

    def _of_dataset(self) -> Iterator[WrittenExample | AttlasError]:
        *texts, label = self._columns_of_dataset()
        names = getattr((getattr(self.dataset, "features", None) or {}).get(label), "names", None)
        # a class may be known by its name (entailment), or its number may be GLUE's label (0, 1)
        spelled = names if names and (not self.task.labels or set(names) <= set(self.task.labels)) else None
        for number, row in enumerate(self.dataset):
            if not isinstance(row, Mapping):
                raise AttlasError(f"{self.name}, row {number}: {quote(repr(row))} has no columns")
            if missing := next((column for column in (*texts, label) if column not in row), None):
                raise AttlasError(f"{self.name}, row {number}: {_no_column(missing, list(row))}")
            value = row[label]
            if spelled and isinstance(value, int) and 0 <= value < len(spelled):
                value = spelled[value]
            yield _example(number, f"{self.name}, row {number}", row, texts, value)

    def _columns_of_dataset(self) -> tuple[str, ...]:
        task_columns = (*self.task.texts, self.task.label)
        first: Any = next(iter(self.dataset), {})
        if not isinstance(first, Mapping):
            raise AttlasError(f"{self.name}, row 0: {quote(repr(first))} has no columns")
        there = list(getattr(self.dataset, "column_names", None) or first)
        for columns in (self.task.in_datasets, task_columns):
            if columns and set(columns) <= set(there):
                return columns
        missing = next(c for c in (self.task.in_datasets or task_columns) if c not in there)
        raise AttlasError(f"the data set of {self.name}: {_no_column(missing, there)}")


def _record(path: Path, line: int, raw: bytes) -> Mapping[str, Any]:
    row = parse_json_line(path, line, raw)
    if not isinstance(row, dict):
        raise wrong(
            path, line, "this is not a record: a line is a JSON object with the columns as its fields"
        )
    return row


def _example(
    number: int, where: str, row: Mapping[str, Any], texts: Sequence[str], label: Any
) -> WrittenExample | AttlasError:
    try:
        return WrittenExample(number, where, tuple(_text(row[column], column) for column in texts), label)
    except ValueError as error:
        return AttlasError(f"{where}: {error}")


def _text(value: object, column: str) -> str:
    """The text in a column; a number is text too, as in a table."""
    return as_text(str(value) if isinstance(value, int | float) else value, column)


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
        from attlas.extras import optional_import

        saved = optional_import("datasets", "a folder of a data set", "datasets").load_from_disk(str(path))
        return TaskData(task, split, dataset=_split_of(saved, task, split))
    return TaskData(task, split, _file(task, path, split))


def _file(task: Task, folder: Path, split: Split) -> Path:
    folders = [
        folder,
        *(f for f in sorted(folder.iterdir()) if f.is_dir() and plain_name(f.name) == plain_name(task.name)),
    ]
    stems = ((task.dev,) if split == "dev" and task.dev != "dev" else ()) + STEMS[split]
    names = [stem + ending for stem in stems for ending in (*TABLES, *RECORDS)]
    files = [within / name for within in folders for name in names if (within / name).is_file()]
    if not files:
        looked = stems[0] + TABLES[0]
        raise AttlasError(f"{folder} has no {looked} of {task.name}, nor a folder {task.name} that has one")
    return files[0]


def _split_of(data: Any, task: Task, split: Split) -> Any:
    _check_rows(data, f"the data of {task.name}")
    if not isinstance(data, Mapping):
        return data
    names = [s for s in (task.dev.replace("dev", "validation"), *STEMS[split]) if s in data]
    if split == "train":
        names = [s for s in STEMS["train"] if s in data]
    if not names:
        raise AttlasError(
            f"the data set of {task.name} has no {split} split: it has {', '.join(map(str, data))}"
        )
    rows = data[names[0]]
    _check_rows(rows, f"the {names[0]} split of {task.name}")
    return rows


def _check_rows(rows: Any, what: str) -> None:
    """They can be read from the first more than once."""
    if isinstance(rows, Iterator | str | bytes) or not isinstance(rows, Iterable):
        raise AttlasError(f"{what} is of type {type(rows).__name__}: name a folder, a file, or data sets")


def with_labels(data: TaskData) -> Task:
    """One's own task, with the labels that its training data has, in the order of the alphabet (numbers by
    their size)."""
    task = data.task
    if task.labels or "pearson" in task.metrics:
        return task
    labels = set(_labels(data))
    if len(labels) > MOST_LABELS:
        raise AttlasError(
            f"the column {task.label!r} of {data.path or data.name} has {len(labels):,} labels: is it a "
            f"number to be predicted? Then say {option('regression', True)}"
        )
    if len(labels) < 2:
        raise AttlasError(
            f"the column {task.label!r} of {data.path or data.name} has one label only: {quote(labels.pop())}"
        )
    metrics = ("accuracy", "f1", "matthews") if len(labels) == 2 else ("accuracy",)
    return replace(task, labels=tuple(sorted(labels, key=_by_size)), metrics=metrics)


def _labels(data: TaskData) -> Iterator[str]:
    """The labels in the data of your own task. A missing label is an error, or it would be a class of its
    own."""
    for row in data.rows(lambda _: None):
        label, column = row.label, data.task.label
        if isinstance(label, list | dict):
            raise AttlasError(f"{row.where}: its {column!r} is a {type(label).__name__}, not one label")
        if label is None or label != label or not str(label).strip():
            raise AttlasError(f"{row.where}: there is no label in its {column!r}")
        yield str(label).strip()


def _by_size(label: str) -> tuple[float, str]:
    try:
        return float(label), label
    except ValueError:
        return math.inf, label
