"""Which of a model's outputs is which label of a task."""

from __future__ import annotations

from typing import Any

from attlas.corpora.tasks import Task, plain_name
from attlas.errors import AttlasError


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
