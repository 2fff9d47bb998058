"""Tasks: texts with labels, as GLUE has them, and your own.

A task says which columns hold its texts and its label, which labels there are, how answers are scored, and
which of a model's outputs is which label.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attlas.corpora.lines import quote
from attlas.errors import AttlasError, option


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
                raise ValueError(f"{quote(spelled)} is not a label of {self.name}: {known}")
            return self.labels.index(spelled)
        try:
            number = float(spelled)
        except ValueError:
            number = math.nan
        low, high = self.between or (-math.inf, math.inf)
        if not (math.isfinite(number) and low <= number <= high):
            wanted = f"a number from {low:g} to {high:g}" if self.between else "a number"
            raise ValueError(f"{quote(spelled)} is not a label of {self.name}: {wanted} is needed")
        return number


_NAME = re.compile(r"\w(?:[\w.+ -]{0,98}\w)?")
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
        by_name = {plain_name(known): task for known, task in GLUE.items()}
        if plain_name(name) not in by_name:
            raise AttlasError(
                f"there is no task {name!r}: choose one of {', '.join(GLUE)}, or name the columns of your "
                f"own data with {option('columns')} and {option('label')}"
            )
        if label is not None or numbers:
            raise AttlasError(
                f"{name} has a label of its own: {option('label')} and "
                f"{option('regression', True)} go with {option('columns')}"
            )
        return by_name[plain_name(name)]
    if not name.strip():
        raise AttlasError("your own task needs a name: its results are kept under it")
    if not _NAME.fullmatch(name):
        raise AttlasError(
            f"a task cannot be called {quote(name)}: folders and chapters are named after it, so use "
            "letters and digits, with . _ + - between them"
        )
    if len(texts) > 2:
        raise AttlasError(f"{option('columns')} {','.join(texts)}: a model reads one text or two at once")
    return Task(name, tuple(texts), label or "label", metrics=("pearson", "spearman") if numbers else ())


def plain_name(name: str) -> str:
    """sst2 and SST-2 are the same."""
    return name.casefold().replace("-", "").replace("_", "")


def output_order(task: Task, config: Any, model: str) -> tuple[int, ...]:
    """Return which of a model's outputs each label of the task is: by the names that its config gives them,
    where it gives any."""
    outputs = int(getattr(config, "num_labels", 0) or 0)
    if outputs != task.outputs:
        raise AttlasError(
            f"{model} has {outputs} output{'s' * (outputs != 1)}, and {task.name} {task.outputs}: fine-tune "
            f"it on {task.name} first"
        )
    if not task.labels:
        return (0,)
    called = _names_of_outputs(config)
    by_name = {plain_name(name): i for i, name in called.items()}
    wanted = [plain_name(label) for label in task.labels]
    if set(wanted) == set(by_name):
        return tuple(by_name[label] for label in wanted)
    if assumed_order(task, config) or all(label.isdigit() for label in task.labels):
        return tuple(range(outputs))
    raise AttlasError(
        f"the outputs of {model} are called {', '.join(called.values())}, and the labels of {task.name} "
        f"{', '.join(task.labels)}"
    )


def assumed_order(task: Task, config: Any) -> str | None:
    """A warning about a model whose outputs have no names: they are taken in the order of the task's labels,
    which is a guess unless the labels are numbers."""
    called = _names_of_outputs(config)
    if any(name != f"LABEL_{i}" for i, name in called.items()):
        return None
    if all(label.isdigit() for label in task.labels) or set(task.labels) == set(called.values()):
        return None
    return f"the model's outputs have no names: their order is taken to be {', '.join(task.labels)}"


def _names_of_outputs(config: Any) -> dict[int, str]:
    return {int(i): str(name) for i, name in (getattr(config, "id2label", None) or {}).items()}
