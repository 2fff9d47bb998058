"""What a model answers to every example of a task. How good that is, `attlas.statistics.scores` says."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from attlas.corpora.source import ItemId
from attlas.corpora.task_source import TaskBatch
from attlas.errors import AttlasError
from attlas.reducers.reducer import State
from attlas.subject.losses import label_losses
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Floats = npt.NDArray[np.float64]


class NotANumber(AttlasError):
    """Whoever trains the model knows better why its loss is not a number."""


class Predictions:
    """Item by item, so that two runs over the same items can be paired: what the model gives for each label
    (or the number that it predicts), the true label, and the loss. Always in the order of the items' ids."""

    name = "predictions"
    needs = Needs(output=True)

    def __init__(self) -> None:
        self._kept: list[State] = []

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        if not isinstance(batch, TaskBatch):
            raise AttlasError("a prediction needs a task: this source has no labels")
        answers = batch.answers(observation.output)
        losses = label_losses(batch, observation.output)
        if bool(losses.isnan().any()):
            raise NotANumber("the loss of the model is not a number: its weights are broken")
        self._kept.append(
            {
                "ids": np.array(batch.ids, np.int64).reshape(-1, 2),
                "answers": answers.detach().cpu().double().numpy(),
                "labels": batch.labels.cpu().numpy(),
                "losses": losses.detach().cpu().double().numpy(),
            }
        )

    def merge(self, other: Predictions) -> None:
        self._kept += other._kept

    def state(self) -> State:
        if not self._kept:
            return {}
        both = {key: np.concatenate([part[key] for part in self._kept]) for key in self._kept[0]}
        order = np.lexsort((both["ids"][:, 1], both["ids"][:, 0]))
        whole = {key: array[order] for key, array in both.items()}
        self._kept = [whole]
        return dict(whole)

    def restore(self, state: State) -> None:
        self._kept = [dict(state)] if state else []

    def ids(self) -> list[ItemId]:
        return [ItemId(*i) for i in self._column("ids").tolist()]

    @property
    def answers(self) -> Floats:
        """item label"""
        return self._column("answers")

    @property
    def predicted(self) -> Floats:
        """item: the place of the label with the largest answer, or the number."""
        answers = self.answers
        return answers[:, 0] if answers.shape[1] == 1 else answers.argmax(1).astype(np.float64)

    @property
    def labels(self) -> Floats:
        return self._column("labels")

    @property
    def losses(self) -> Floats:
        """item: the cross entropy of a class, the squared error of a number."""
        return self._column("losses")

    @property
    def correct(self) -> npt.NDArray[np.bool_]:
        """item; of no meaning for numbers."""
        right: npt.NDArray[np.bool_] = self.predicted == self.labels
        return right

    def _column(self, name: str) -> npt.NDArray[Any]:
        if not self._kept:
            raise AttlasError("no example was read: there is nothing to score")
        return self.state()[name]
