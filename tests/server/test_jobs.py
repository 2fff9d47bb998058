"""The queue of jobs, with a worker that does what a test says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from attlas.server.jobs import JobQueue
from attlas.server.model_worker import Cancelled
from run_apart import run_apart


class Loader:
    """Loads for longer than a request may take, and then never ends."""

    def __init__(self) -> None:
        self.loaded = False
        self.ended = asyncio.Event()

    async def answer(self, kind: str, body: str, doing: Callable[[str, str, int, int], None]) -> str:
        doing("running", "", 0, 0)
        doing("loading", "the model", 0, 0)
        await asyncio.sleep(0.2)
        self.loaded = True
        doing("running", "the text", 0, 0)
        await self.ended.wait()
        raise Cancelled

    def cancel(self) -> None:
        self.ended.set()


def test_a_request_has_all_its_seconds_once_the_model_is_loaded() -> None:
    """Else a model that takes longer to load is never loaded: each request would end it."""

    async def asked() -> tuple[bool, str]:
        worker: Any = Loader()
        queue = JobQueue(worker, limit=1, seconds=0.05)
        running = asyncio.create_task(queue.run())
        work = queue.submit("me", "run", "{}")
        phases = [job.phase async for job in queue.watch(work)]
        running.cancel()
        assert phases[-1] == "failed"
        return worker.loaded, work.message

    loaded, why = run_apart(asked())
    assert loaded
    assert "took more than" in why
