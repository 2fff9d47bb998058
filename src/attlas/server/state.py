"""What a running server knows: what it serves, how its models stand, the jobs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from attlas.extras import version_of
from attlas.server import messages as c
from attlas.server.jobs import JobQueue
from attlas.server.messages import Model, ModelAbout
from attlas.server.model_process import ProcessSettings
from attlas.server.model_worker import ModelWorker
from attlas.server.prepared_texts import prepared_texts
from attlas.server.served import Served

T = TypeVar("T")


@dataclass
class _Standing:
    """How a model stands."""

    state: Any = "not loaded"
    message: str = ""
    about: ModelAbout | None = None


@dataclass
class ServerState:
    """Everything that handlers share."""

    served: Served
    memory: int = 8 * 10**9
    waiting: int = 32
    seconds: float = 120.0
    standing: dict[str, _Standing] = field(default_factory=dict)

    def __post_init__(self) -> None:
        models = {model.id: (model.name, model.load) for model in self.served.models}
        atlases = {model.id: model.atlas.atlas.path for model in self.served.models if model.atlas}
        self.worker = ModelWorker(ProcessSettings(models, atlases, self.memory), self.tell)
        self.queue = JobQueue(self.worker, self.waiting, self.seconds)

    def tell(self, id: str, state: str, message: str, about: str | None) -> None:
        """Note how a model stands, as the process with the models says."""
        standing = self.standing.setdefault(id, _Standing())
        standing.state, standing.message = state, message
        if about is not None:
            standing.about = ModelAbout.model_validate_json(about)

    def models(self) -> list[Model]:
        """The models, and how each stands."""
        listed = []
        for model in self.served.models:
            standing = self.standing.get(model.id, _Standing())
            about = standing.about
            kind, mask = (None, None) if about is None else (about.kind, about.mask)
            listed.append(
                Model(
                    id=model.id,
                    title=model.title,
                    state=standing.state,
                    message=standing.message,
                    about=about,
                    atlas=None if model.atlas is None else model.atlas.id,
                    groups=[] if model.atlas is None else list(model.atlas.groups),
                    texts=prepared_texts(model.id, kind, mask),
                )
            )
        return listed

    def abouts(self) -> dict[str, ModelAbout | None]:
        """What is known of each model that was loaded."""
        return {id: standing.about for id, standing in self.standing.items()}

    def about_all(self) -> c.Models:
        """Models, atlases, prepared texts and limits: everything that the page begins with."""
        return c.Models(
            version=version_of("attlas"),
            models=self.models(),
            atlases=[
                c.Atlas(id=atlas.id, title=atlas.title, model=self.served.model_of(atlas))
                for atlas in self.served.atlases
            ],
            limits=c.Limits(
                characters=c.MOST_CHARACTERS,
                tokens=c.MOST_TOKENS,
                edits=c.MOST_EDITS,
                random_sets=c.MOST_RANDOM_SETS,
                queue=self.queue.limit,
                seconds=int(self.queue.seconds),
            ),
        )

    async def in_thread(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run what takes a while without keeping others waiting."""
        return await asyncio.get_running_loop().run_in_executor(None, function, *arguments)
