"""How results look in the terminal and in a notebook: tables without lines, and notes below them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from html import escape as escape_html
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from attlas.errors import printable

if TYPE_CHECKING:
    from rich.console import Console


def safe(text: object) -> str:
    """Names come from files and from users: none of them is markup, or moves the cursor."""
    return escape(printable(str(text)))


def plain_table(columns: Iterable[str], words: Collection[str] = (), no_wrap: bool = False) -> Table:
    """Columns of `words` stand on the left, numbers on the right."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(safe(column), justify="left" if column in words else "right", no_wrap=no_wrap)
    return table


def print_notes(console: Console, notes: Iterable[str]) -> None:
    for note in notes:
        console.print(safe(note), style="dim", soft_wrap=True, highlight=False)


def notes_html(notes: Iterable[str]) -> str:
    return "".join(f"<p><small>{escape_html(printable(note))}</small></p>" for note in notes)
