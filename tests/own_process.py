"""Commands of the terminal in a process of their own, to be stopped and killed.

It is forked from one that has loaded everything: to load takes longer than what most of them do.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection

from attlas.cli import main
from attlas.engines import unfinished
from attlas.engines.spawning import starting


class OwnProcess:
    """Runs a command. Every shard is written when it is finished; `change` is called before the command."""

    def __init__(self, words: Sequence[str], change: Callable[[], None] | None = None) -> None:
        context = starting("attlas.engines.processes")
        descriptor, self._said = tempfile.mkstemp()
        os.close(descriptor)
        self._begins, begins = context.Pipe(duplex=False)
        # the context of a method has its own class of process, which the base class does not say
        self.process = context.Process(  # type: ignore[attr-defined]
            target=_carry_out, args=(list(words), self._said, begins, change)
        )
        self.process.start()
        begins.close()

    def wait_until_it_writes(self) -> None:
        """Or ends before it does."""
        try:
            self._begins.recv()
        except EOFError:
            self.process.join()

    def send(self, sent: signal.Signals) -> None:
        os.kill(self.process.pid, sent)

    def ended(self, within: float | None = None) -> int | None:
        """How it ended, as a shell tells it; None if it still runs after so many seconds."""
        self.process.join(within)
        status: int | None = self.process.exitcode
        return status

    @property
    def said(self) -> str:
        """What it said about errors."""
        with open(self._said, encoding="utf-8") as file:
            return file.read()


def _carry_out(words: list[str], said: str, begins: Connection, change: Callable[[], None] | None) -> None:
    for number, path in ((1, os.devnull), (2, said)):
        os.dup2(os.open(path, os.O_WRONLY), number)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # not heard by what is started in the background

    def enter_and_say(
        self: unfinished.UnfinishedRun,
        enter: Callable[[unfinished.UnfinishedRun], unfinished.UnfinishedRun] = (
            unfinished.UnfinishedRun.__enter__
        ),
    ) -> unfinished.UnfinishedRun:
        begins.send(None)
        return enter(self)

    unfinished.UnfinishedRun.__enter__ = enter_and_say  # type: ignore[method-assign]
    unfinished.SECONDS_BETWEEN_WRITES = -1.0
    if change is not None:
        change()
    main(words)
