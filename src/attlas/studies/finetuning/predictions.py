"""What a model answers to every example of a task. How good that is, `attlas.statistics.scores` says."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from attlas.array_types import Floats
from attlas.corpora.task_source import TaskBatch
from attlas.errors import AttlasError
from attlas.reducers.kept_arrays import ItemNumbers
from attlas.subject.losses import label_losses
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


class NotANumber(AttlasError):
    """The loss is not a number: whoever trains the model knows better why."""


class Predictions(ItemNumbers):
    """Item by item, so that two runs over the same items can be paired: what the model gives for each label
    (or the number that it predicts), the true label, and the loss. Always in the order of the items' ids."""

    name = "predictions"
    needs = Needs(output=True)

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        if not isinstance(batch, TaskBatch):
            raise AttlasError("a prediction needs a task: this source has no labels")
        answers = batch.answers(observation.output)
        losses = label_losses(batch, observation.output)
        if bool(losses.isnan().any()):
            raise NotANumber("the loss of the model is not a number: its weights are broken")
        self.add(batch.ids, batch.labels, losses.detach(), answers.detach())

    @property
    def answers(self) -> Floats:
        """item label"""
        return self._columns(slice(2, None))

    @property
    def predicted(self) -> Floats:
        """item: the place of the label with the largest answer, or the number."""
        answers = self.answers
        return answers[:, 0] if answers.shape[1] == 1 else answers.argmax(1).astype(np.float64)

    @property
    def labels(self) -> Floats:
        return self._columns(0)

    @property
    def losses(self) -> Floats:
        """item: the cross entropy of a class, the squared error of a number."""
        return self._columns(1)

    @property
    def correct(self) -> npt.NDArray[np.bool_]:
        """item; of no meaning for numbers."""
        right: npt.NDArray[np.bool_] = self.predicted == self.labels
        return right

    def _columns(self, which: int | slice) -> Floats:
        if not self.numbers:
            raise AttlasError("no example was read: there is nothing to score")
        return np.ascontiguousarray(self.by_item()[:, which])
