"""Commands and scripts in a process of their own, which can be stopped and killed.

It is forked from one that has loaded everything: to load takes longer than what most of them do.
"""

from __future__ import annotations

import os
import runpy
import shutil
import signal
import sys
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attlas.cli import main
from attlas.engines import unfinished
from attlas.engines.worker_process import process_context

CONTEXT: Any = process_context("attlas.engines.processes")


class OwnProcess:
    """Calls something that other processes can import, with what can be pickled."""

    def __init__(self, call: Callable[..., None], *arguments: Any) -> None:
        self._folder = Path(tempfile.mkdtemp())
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        streams = [self._folder / name for name in ("printed", "said")]
        self.process = CONTEXT.Process(target=_apart, args=(streams, call, arguments))
        self.process.start()

    def send(self, sent: signal.Signals) -> None:
        os.kill(self.process.pid, sent)

    def ended(self, within: float | None = None) -> int | None:
        """How it ended, as subprocess tells it; None if it still runs after so many seconds."""
        self.process.join(within)
        status: int | None = self.process.exitcode
        return status

    @property
    def printed(self) -> str:
        return (self._folder / "printed").read_text(encoding="utf-8")

    @property
    def said(self) -> str:
        """What it said about errors."""
        return (self._folder / "said").read_text(encoding="utf-8")


def command(*words: str) -> None:
    """A command of the terminal. Every shard is written when it is finished."""
    unfinished.SECONDS_BETWEEN_WRITES = -1.0
    main(words)


def script(file: Path, *arguments: str) -> None:
    sys.argv = [str(file), *arguments]
    sys.path.insert(0, str(file.parent))
    runpy.run_path(str(file), run_name="__main__")


def _apart(streams: list[Path], call: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    for number, path in enumerate(streams, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # not heard by what is started in the background
    call(*arguments)
    sys.stdout.flush()
