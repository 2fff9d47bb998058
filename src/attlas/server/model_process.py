"""The process that has the models: it takes one request at a time, and says what it is doing.

It is spoken to through a pipe, in plain tuples:

    -> (number, "run" | "writes" | "why" | "load", JSON of the request)
    <- ("doing", number, phase, what, done, total)
    <- ("model", id, state, message, JSON of `ModelAbout` or None)
    <- ("done", number, JSON of the answer)
    <- ("failed", number, why)
    <- ("cancelled", number)
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from attlas.errors import AttlasError
from attlas.server.messages import RunRequest, WhyRequest, WritesRequest

#: seconds without a request after which mean outputs are taken, which the next edit will want
IDLE = 0.3


@dataclass(frozen=True)
class ProcessSettings:
    """What the process needs to know: for each model's id what `attlas.load` takes, the folder of its atlas;
    and how many bytes the models may take together."""

    models: dict[str, tuple[str, dict[str, Any]]]
    atlases: dict[str, Any] = field(default_factory=dict)
    memory: int = 8 * 10**9


def serve_models(connection: Connection, cancelled: Any, settings: ProcessSettings) -> None:
    """Answer requests until the pipe is closed. `cancelled` holds the number of the request that is not
    wanted any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to us too: the server decides
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    # the lock of transformers' progress bars is of several processes, and would outlive this one
    import_module("tqdm").tqdm.set_lock(threading.RLock())
    from attlas.server.held_models import HeldModels

    held = HeldModels(settings, lambda *message: connection.send(("model", *message)))
    while True:
        try:
            if not connection.poll(IDLE):
                held.prepare_one(lambda: connection.poll(0))
                if held.has_nothing_to_prepare:
                    connection.poll(None)
                continue
            number, kind, body = connection.recv()
        except (EOFError, OSError):
            return
        _answer(connection, cancelled, held, number, kind, body)


def _answer(connection: Connection, cancelled: Any, held: Any, number: int, kind: str, body: str) -> None:
    from attlas.subject.interrupting import Interrupted

    last = [0.0]

    def say(what: str, done: int = 0, total: int = 0, phase: str = "running") -> None:
        if cancelled.value == number:
            raise Interrupted
        if total and done < total and time.monotonic() - last[0] < 0.1:
            return
        last[0] = time.monotonic()
        connection.send(("doing", number, phase, what, done, total))

    connection.send(("doing", number, "running", "", 0, 0))
    held.say, held.unwanted = say, lambda: cancelled.value == number
    try:
        with _plain_errors():
            answer = _make_answer(held, kind, body, say)
        connection.send(("done", number, answer))
    except Interrupted:
        connection.send(("cancelled", number))
    except AttlasError as error:
        connection.send(("failed", number, str(error)))
    except MemoryError:
        connection.send(("failed", number, "there is not enough memory for this text: try a shorter one"))
    except Exception as error:
        why = " ".join(str(error).split())[:300]
        connection.send(("failed", number, f"{type(error).__name__}: {why}"))


def _make_answer(held: Any, kind: str, body: str, say: Any) -> str:
    from attlas.server.messages import JobResult
    from attlas.server.run_answers import answer_run, answer_why, answer_writes

    match kind:
        case "run":
            request = RunRequest.model_validate_json(body)
            with held.interruptible():
                return JobResult(run=answer_run(request, held.load, held.atlas_of, say)).model_dump_json()
        case "writes":
            asked = WritesRequest.model_validate_json(body)
            with held.interruptible():
                return JobResult(writes=answer_writes(asked, held.load, say)).model_dump_json()
        case "why":
            link = WhyRequest.model_validate_json(body)
            with held.interruptible():
                return JobResult(why=answer_why(link, held.load, held.atlas_of, say)).model_dump_json()
        case _:
            held.load(body)
            return "{}"


@contextmanager
def _plain_errors() -> Iterator[None]:
    """What PyTorch says where memory is short, as Python says it."""
    try:
        yield
    except RuntimeError as error:
        if "alloc" in str(error).lower() or "out of memory" in str(error).lower():
            raise MemoryError from error
        raise
