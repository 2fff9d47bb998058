"""What is being done: one progress bar, how much of it is done, how fast, and how long it still takes; and
before there is one, a line that says what is loading, and for how long already."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

_ERASE = "\r\N{ESCAPE}[K"
_STEP = 0.5  # seconds between two looks of the line
_SOON = 1.5  # seconds after which it says how long


class OpenBar(Protocol):
    """Open a bar: what is being done, how many there will be (None where nobody knows), and of what. Return
    what to call with the number done."""

    def __call__(self, what: str, items: int | None, unit: str = "") -> Callable[[int], None]: ...


class _StatusLine:
    """One line of the terminal. It counts seconds while something takes long: nobody need wonder whether it
    still runs."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.what: str | None = None  # that is being done; None while others write
        self.began = 0.0
        self.ended = threading.Event()
        self.stream = sys.stderr  # the terminal, also while a library's own bars are sent elsewhere
        threading.Thread(target=self._count, name="attlas-status", daemon=True).start()

    def say(self, what: str | None) -> None:
        with self.lock:
            self.what, self.began = what, time.monotonic()
            self._write("" if what is None else f"{what} ...")

    def end(self) -> None:
        self.ended.set()
        self.say(None)

    def _count(self) -> None:
        while not self.ended.wait(_STEP):
            with self.lock:
                seconds = time.monotonic() - self.began
                if self.what is not None and seconds >= _SOON:
                    self._write(f"{self.what} ... {seconds:.0f} s")

    def _write(self, line: str) -> None:
        fits = line[: shutil.get_terminal_size().columns - 1]
        print(f"{_ERASE}{fits}", end="", file=self.stream, flush=True)


_line: list[_StatusLine] = []  # where the terminal is told of what is loading


@contextmanager
def status_line() -> Iterator[None]:
    """Inside, `tell` writes to the terminal, where there is one; at the end its line is gone."""
    if _line or not sys.stderr.isatty():
        yield
        return
    _line.append(_StatusLine())
    try:
        yield
    finally:
        _line.pop().end()


def tell(what: str) -> None:
    """Show a line that the next one replaces; nothing in a library, a pipe or a file."""
    for line in _line:
        line.say(what)


def clear_status() -> None:
    """Clear the line of this process: something else writes to the terminal now."""
    for line in _line:
        line.say(None)


@contextmanager
def progress_bars(show: bool) -> Iterator[OpenBar]:
    """Yield a function that opens bars."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class _Done(ProgressColumn):
        """120/1,000 segments; 346 windows, where nobody knows how many there will be."""

        def render(self, task: Task) -> Text:
            total = "" if task.total is None else f"/{task.total:,.0f}"
            return Text(f"{task.completed:,.0f}{total} {task.fields['unit']}".rstrip())

    class _Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text("" if task.speed is None else f"{task.speed:,.1f}/s")

    columns = TextColumn("{task.description}"), BarColumn(bar_width=20), _Done(), _Rate()
    clear_status()
    console = Console(stderr=True)
    # in a file of messages there is nothing to be watched
    shown = show and (console.is_terminal or console.is_jupyter)
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=not shown) as bars:

        def open_bar(what: str, items: int | None, unit: str = "") -> Callable[[int], None]:
            task = bars.add_task(what, total=items, unit=unit)

            def advance(done: int) -> None:
                bars.advance(task, done)
                of = next(t for t in bars.tasks if t.id == task)
                if of.total is not None and of.completed > of.total:
                    bars.update(task, total=of.completed)  # there are more than was known

            return advance

        yield open_bar
