"""Jobs: what was asked for, in the order in which it was asked. Each belongs to the session that asked."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from attlas.server.messages import Job, Phase
from attlas.server.model_worker import Cancelled, ModelWorker, Refused, WorkerDied

ENDED: frozenset[Phase] = frozenset({"done", "failed", "cancelled"})
KEPT_JOBS, KEPT_BYTES, KEPT_SECONDS = 512, 256 * 2**20, 3600
UNWATCHED = 5.0  # seconds that a job goes on after the last who watched it is gone


class QueueFull(Exception):
    """As many jobs wait as may."""


@dataclass(eq=False)
class Work:
    """A job, and what it has found."""

    id: str
    session: str
    kind: str
    body: str  # the request as JSON
    key: str  # equal for the same request of the same session
    asked: str = ""  # the request as it came, before its edits were resolved
    phase: Phase = "queued"
    behind: int = 0
    doing: str = ""
    done: int = 0
    total: int = 0
    message: str = ""
    answer: str | None = None  # JSON
    watchers: int = 0
    ended_at: float = 0.0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def state(self) -> Job:
        """How it stands now."""
        return Job(
            id=self.id,
            phase=self.phase,
            behind=self.behind,
            doing=self.doing,
            done=self.done,
            total=self.total,
            message=self.message,
        )

    def tell(self, phase: Phase, doing: str = "", done: int = 0, total: int = 0, message: str = "") -> None:
        """Say how it stands to all who watch. What has ended stays ended."""
        if self.phase in ENDED:
            return
        self.phase, self.doing, self.done, self.total, self.message = phase, doing, done, total, message
        if phase in ENDED:
            self.ended_at, self.behind = time.monotonic(), 0
        self.wake()

    def wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


class JobQueue:
    """Hands jobs to the worker one after the other. `limit` is how many may wait; `seconds`, how long one may
    run."""

    def __init__(self, worker: ModelWorker, limit: int, seconds: float) -> None:
        self.worker, self.limit, self.seconds = worker, limit, seconds
        self._waiting: deque[Work] = deque()
        self._running: Work | None = None
        self._jobs: OrderedDict[str, Work] = OrderedDict()  # those that ended longest ago first
        self._answers: dict[str, str] = {}  # key -> the job that has its answer
        self._arrived = asyncio.Event()
        self._closed = False

    def submit(self, session: str, kind: str, body: str, asked: str = "") -> Work:
        """A new job; one that is done already, where the session asked for the same before."""
        key = hashlib.sha256("\0".join((session, kind, body)).encode()).hexdigest()
        self._forget()
        known = self._jobs.get(self._answers.get(key, ""))
        if known is None and (self._closed or len(self._waiting) >= self.limit):
            raise QueueFull
        work = Work(secrets.token_urlsafe(18), session, kind, body, key, asked)
        self._jobs[work.id] = work
        if known is not None:
            work.answer = known.answer
            work.tell("done")
            return work
        self._waiting.append(work)
        self._count()
        self._arrived.set()
        return work

    def get(self, session: str, id: str) -> Work | None:
        """A session's job. To others it is not there."""
        work = self._jobs.get(id)
        return work if work is not None and secrets.compare_digest(work.session, session) else None

    def cancel(self, work: Work) -> None:
        """Take a job out of the queue, or end it in the model."""
        if work in self._waiting:
            self._waiting.remove(work)
            work.tell("cancelled")
            self._count()
        elif work is self._running:
            self.worker.cancel()
            work.tell("cancelled")

    async def watch(self, work: Work) -> AsyncIterator[Job]:
        """How a job stands, whenever that changes. A job that nobody watches any more is cancelled."""
        work.watchers += 1
        try:
            while True:
                changed, state = work.changed, work.state()
                yield state
                if state.phase in ENDED:
                    return
                await changed.wait()
        finally:
            work.watchers -= 1
            if work.watchers == 0 and work.phase not in ENDED:
                asyncio.get_running_loop().call_later(UNWATCHED, self._cancel_unwatched, work)

    def _cancel_unwatched(self, work: Work) -> None:
        if work.watchers == 0 and work.phase not in ENDED:
            self.cancel(work)

    def close(self) -> None:
        """End every job: the server is about to end."""
        self._closed = True
        if self._running is not None:
            self.worker.cancel()
        for work in self._jobs.values():
            work.tell("cancelled", message="the server was stopped")

    async def run(self) -> None:
        """Work for as long as the server does."""
        while True:
            while not self._waiting:
                self._arrived.clear()
                await self._arrived.wait()
            work = self._running = self._waiting.popleft()
            self._count()
            try:
                await self._run(work)
            finally:
                self._running = None

    async def _run(self, work: Work) -> None:
        work.tell("running", "starting")
        late: asyncio.TimerHandle | None = None  # to start the process and load a model is nobody's fault

        def doing(phase: str, what: str, done: int, total: int) -> None:
            nonlocal late
            loading = phase == "loading"
            work.tell("loading" if loading else "running", what, done, total)
            if loading and late is not None:
                late.cancel()
            if loading:
                late = None
            elif late is None:
                late = asyncio.get_running_loop().call_later(self.seconds, self._too_late, work)

        try:
            answer = await self.worker.answer(work.kind, work.body, doing)
        except Cancelled:
            work.tell("cancelled")
        except (Refused, WorkerDied) as error:
            work.tell("failed", message=str(error))
        else:
            if work.phase not in ENDED:
                work.answer = answer
                self._answers[work.key] = work.id
                work.tell("done")
        finally:
            if late is not None:
                late.cancel()

    def _too_late(self, work: Work) -> None:
        if work is self._running and work.phase not in ENDED:
            self.worker.cancel()
            work.tell("failed", message=f"it took more than {self.seconds:.0f} seconds, and was stopped")

    def _count(self) -> None:
        """Tell those that wait how many are before them."""
        ahead = self._running is not None and self._running.phase not in ENDED
        for place, work in enumerate(self._waiting):
            behind = place + ahead
            if work.behind != behind:
                work.behind = behind
                work.wake()

    def _forget(self) -> None:
        """Let go of answers: those of long ago, and the oldest where there are too many."""
        now = time.monotonic()
        ended = [work for work in self._jobs.values() if work.phase in ENDED]
        size = sum(len(work.answer or "") for work in ended)
        for work in ended:
            old = now - work.ended_at > KEPT_SECONDS
            if not old and len(self._jobs) <= KEPT_JOBS and size <= KEPT_BYTES:
                return
            size -= len(work.answer or "")
            del self._jobs[work.id]
            if self._answers.get(work.key) == work.id:
                del self._answers[work.key]
