"""The models that are in memory: each is loaded once, and those used least recently are let go first."""

from __future__ import annotations

import gc
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import attlas.subject
from attlas.errors import AttlasError
from attlas.server.run_answers import about, model_bytes
from attlas.studies.one_text.text_edits import EditedModel
from attlas.subject.interrupting import Interrupted, interruptible
from attlas.views.atlas_data import read_atlas

if TYPE_CHECKING:
    from attlas.server.model_process import ProcessSettings


class HeldModels:
    """Loads models as they are asked for. `say` tells what is going on, and `tell` how a model stands."""

    def __init__(self, settings: ProcessSettings, tell: Callable[..., None]) -> None:
        self.settings, self.tell = settings, tell
        self.models: OrderedDict[str, EditedModel] = OrderedDict()  # the one used last is last
        self.atlases: dict[str, Any] = {}
        self.say: Callable[..., None] = lambda *_, **__: None
        self.unwanted: Callable[[], bool] = lambda: False
        self._stack: ExitStack | None = None  # of the request that is being answered
        self._began = False

    def load(self, id: str) -> EditedModel:
        """The model of an id, loaded if it is not."""
        if id not in self.models:
            self.models[id] = self._load(id)
            self._let_go(id)
        self.models.move_to_end(id)
        if self._stack is not None:
            self._stack.enter_context(interruptible(self.models[id].subject, self.unwanted))
        return self.models[id]

    def _load(self, id: str) -> EditedModel:
        name, options = self.settings.models[id]
        self.say("loading the model", phase="loading")
        self.tell(id, "loading", "", None)
        began = time.monotonic()
        try:
            model = EditedModel(attlas.subject.load(name, **options))
            if (size := model_bytes(model.subject)) > self.settings.memory:
                raise AttlasError(
                    f"{name} takes {size / 1e9:.1f} GB, and all models together may take "
                    f"{self.settings.memory / 1e9:.1f} GB: begin the server with more memory"
                )
        except AttlasError as error:
            self.tell(id, "failed", str(error), None)
            raise
        except Exception as error:
            why = f"{name} cannot be loaded: {' '.join(str(error).split())[:300]}"
            self.tell(id, "failed", why, None)
            raise AttlasError(why) from error
        self.tell(id, "loaded", "", about(model, time.monotonic() - began).model_dump_json())
        return model

    def _let_go(self, kept: str) -> None:
        """Drop models, the one that was used longest ago first, until the rest fits."""
        while sum(model_bytes(model.subject) for model in self.models.values()) > self.settings.memory:
            id = next(iter(self.models))
            if id == kept:
                return
            del self.models[id]
            gc.collect()
            self.tell(id, "not loaded", "", None)

    def atlas_of(self, id: str) -> Any:
        """The atlas of a model, opened; None where there is none."""
        if id not in self.atlases:
            self.atlases[id] = read_atlas(self.settings.atlases.get(id))
        return self.atlases[id]

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Inside, a forward pass of a model that is loaded ends once the request is not wanted any more."""
        with ExitStack() as stack:
            self._stack = stack
            try:
                yield
            finally:
                self._stack = None

    # ---- while nobody asks for anything ----

    @property
    def has_nothing_to_prepare(self) -> bool:
        return self._began and all(
            model.has_means or not model.subject.interface for model in self.models.values()
        )

    def prepare_one(self, wanted: Callable[[], bool]) -> None:
        """Load the first model; then take the mean outputs of a model over one more batch, unless a request
        comes in meanwhile."""
        if not self._began:
            self._began = True
            with suppress(AttlasError):  # the first request says it
                self.load(next(iter(self.settings.models)))
            return
        for model in reversed(self.models.values()):
            if model.has_means or not model.subject.interface:
                continue
            try:
                with interruptible(model.subject, wanted):
                    model.measure_some()
            except Interrupted:
                return
            except Exception as error:  # the next edit says why
                model.give_up_means(error)
            return
