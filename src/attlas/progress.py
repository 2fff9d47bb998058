"""What is being done: one progress bar, how much of it is done, how fast, and how long it still takes; and
before there is one, a line that says what is loading."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ERASE = "\r\N{ESCAPE}[K"
_told = [False]  # whether the terminal is told of what is loading


@contextmanager
def status_line() -> Iterator[None]:
    """Inside, `tell` writes to the terminal, where there is one; at the end its line is gone."""
    _told[0] = sys.stderr.isatty()
    try:
        yield
    finally:
        hush()
        _told[0] = False


def tell(what: str) -> None:
    """A line that the next one replaces. In a library, a pipe or a file, nothing."""
    if _told[0]:
        print(f"{_ERASE}{what} ...", end="", file=sys.stderr, flush=True)


def hush() -> None:
    """Others write now."""
    if _told[0]:
        print(_ERASE, end="", file=sys.stderr, flush=True)


@contextmanager
def progress_bars(show: bool) -> Iterator[Callable[[str, int | None], Callable[[int], None]]]:
    """Gives a function that opens a bar (its name, and how many items there will be, where that is known) and
    returns what to call with the items done."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class _Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text("" if task.speed is None else f"{task.speed:,.1f}/s")

    columns = TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn(), _Rate()
    hush()
    console = Console(stderr=True)
    # in a file of messages there is nothing to be watched
    shown = show and (console.is_terminal or console.is_jupyter)
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=not shown) as bars:

        def open_bar(name: str, items: int | None) -> Callable[[int], None]:
            task = bars.add_task(name, total=items)
            return lambda done: bars.advance(task, done)

        yield open_bar
