"""The server's side of the process that has the models: starts it, hands it requests, and notices its end."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from attlas.server.model_process import ProcessSettings, serve_models

#: seconds that a cancelled request may take to notice it, before the process is ended
GRACE = 10.0


class WorkerDied(Exception):
    """The process ended while it was at work. Says why, as far as that is known."""


class Refused(Exception):
    """The process answered with a reason instead of a result."""


class Cancelled(Exception):
    """The request was cancelled in the process."""


@dataclass
class _Waiting:
    number: int
    future: asyncio.Future[str]
    doing: Callable[[str, str, int, int], None]  # phase, what, done, total


class ModelWorker:
    """One process, started when it is first needed and again when it died. One request at a time."""

    def __init__(self, settings: ProcessSettings, tell: Callable[[str, str, str, str | None], None]) -> None:
        self.settings, self.tell = settings, tell
        self._context = multiprocessing.get_context("spawn")
        self._cancelled: Any = self._context.Value("q", -1, lock=False)
        self._process: Any = None
        self._connection: Connection | None = None
        self._waiting: _Waiting | None = None
        self._loading = False  # a model
        self._heard_at = 0.0  # by the loop's clock
        self._numbers = 0
        self.starts = 0

    @property
    def pid(self) -> int | None:
        return None if self._process is None else int(self._process.pid)

    @property
    def alive(self) -> bool:
        return self._process is not None and bool(self._process.is_alive())

    def start(self) -> None:
        """Start the process, unless it runs."""
        if self.alive:
            return
        self.starts += 1
        ours, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=serve_models,
            args=(theirs, self._cancelled, self.settings),
            name="attlas-models",
            daemon=True,
        )
        self._process.start()
        theirs.close()
        self._connection = ours
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop, self._process, ours), daemon=True).start()

    async def answer(self, kind: str, body: str, doing: Callable[[str, str, int, int], None]) -> str:
        """Hand over a request, and wait for its answer as JSON."""
        self.start()
        assert self._connection is not None
        self._numbers += 1
        waiting = _Waiting(self._numbers, asyncio.get_running_loop().create_future(), doing)
        self._waiting = waiting
        try:
            self._connection.send((waiting.number, kind, body))
        except OSError:
            self._end_of(self._process)
        try:
            return await waiting.future
        finally:
            self._waiting = None

    def cancel(self) -> None:
        """Tell the process that its request is not wanted any more; end it if it does not listen. A model
        that is being loaded is loaded to its end: the next request wants it."""
        if self._waiting is None:
            return
        self._cancelled.value = number = self._waiting.number
        asyncio.get_running_loop().call_later(GRACE, self._end_if_deaf, number)

    def _end_if_deaf(self, number: int) -> None:
        if self._waiting is None or self._waiting.number != number:
            return
        loop = asyncio.get_running_loop()
        silent = 0.0 if self._loading else loop.time() - self._heard_at
        if silent < GRACE:
            loop.call_later(GRACE - silent, self._end_if_deaf, number)
        else:
            self._process.kill()

    def stop(self) -> None:
        """End the process."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
            self._process.join(2)
            if self._process.is_alive():
                self._process.kill()

    # ---- what the process says -----------------------------------------------------------------------

    def _listen(self, loop: asyncio.AbstractEventLoop, process: Any, connection: Connection) -> None:
        """In a thread: a pipe is read by waiting for it."""
        try:
            while True:
                message = connection.recv()
                loop.call_soon_threadsafe(self._heard, process, message)
        except (EOFError, OSError):
            process.join()
        try:
            loop.call_soon_threadsafe(self._end_of, process)
        except RuntimeError:  # the server is gone, too
            return

    def _heard(self, process: Any, message: tuple[Any, ...]) -> None:
        if process is not self._process:
            return
        self._heard_at = asyncio.get_running_loop().time()
        if message[0] == "model":
            self._loading = message[2] == "loading"
            self.tell(*message[1:])
            return
        waiting = self._waiting
        if waiting is None or waiting.number != message[1] or waiting.future.done():
            return
        match message:
            case ("doing", _, phase, what, done, total):
                waiting.doing(phase, what, done, total)
            case ("done", _, answer):
                waiting.future.set_result(answer)
            case ("failed", _, why):
                waiting.future.set_exception(Refused(why))
            case ("cancelled", _):
                waiting.future.set_exception(Cancelled())

    def _end_of(self, process: Any) -> None:
        if process is not self._process:
            return
        self._loading = False
        for id in self.settings.models:
            self.tell(id, "not loaded", "", None)
        if self._waiting is not None and not self._waiting.future.done():
            self._waiting.future.set_exception(WorkerDied(_how(process.exitcode)))


def _how(code: int | None) -> str:
    """Why the process ended, in words."""
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        why = ": the machine may be short of memory" if name == "SIGKILL" else ""
        return f"the process with the models was ended by {name}{why}. The next request starts it again."
    return f"the process with the models ended by itself (status {code}). The next request starts it again."
