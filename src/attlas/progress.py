"""The one progress bar: what is being done, how much of it is done, how fast, and how long it still takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
    console = Console(stderr=True)
    # in a file of messages there is nothing to be watched
    shown = show and (console.is_terminal or console.is_jupyter)
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=not shown) as bars:

        def open_bar(name: str, items: int | None) -> Callable[[int], None]:
            task = bars.add_task(name, total=items)
            return lambda done: bars.advance(task, done)

        yield open_bar
