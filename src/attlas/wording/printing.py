"""How results look in the terminal and in a notebook: tables without lines, and notes below them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from html import escape as escape_html
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from attlas.errors import in_full, printable

if TYPE_CHECKING:
    from rich.console import Console

GAP = 2  # between columns
COMFORTABLE = 32  # a column of words that is as wide need not be wider
LONGEST_WORD = 24  # where there is no room, a column of words is as wide as its longest word; but not wider


def safe(text: object) -> str:
    """Names come from files and from users: none of them is markup, or moves the cursor."""
    return escape(printable(str(text)))


@dataclass(frozen=True)
class ResultTable:
    """Rows of cells under titles. Columns of `words` stand on the left and are broken where there is no room;
    all others are numbers, on the right, and no number is ever cut: where a terminal is narrow, whole columns
    are left out, those of `less` first, then from the right, and a line below says which."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str | Text]]
    words: Collection[str] = ()
    less: Sequence[str] = ()  # the least important first
    gap: int = GAP

    def show(self, console: Console, indent: int = 0) -> None:
        kept = self._fitting_columns(console.width - indent)
        table = Table(box=None, header_style="dim", padding=(0, self.gap, 0, 0), pad_edge=False)
        for place in kept:
            column = self.columns[place]
            table.add_column(safe(column), justify="left" if self._is_words(place) else "right")
            table.columns[-1].no_wrap = not self._is_words(place)
            table.columns[-1].overflow = "fold"
        for row in self.rows:
            table.add_row(*(_text(row[place]) for place in kept))
        console.print(Padding(table, (0, 0, 0, indent), expand=False))
        if left_out := [self.columns[place] for place in range(len(self.columns)) if place not in kept]:
            line = f"not shown at this width: {', '.join(left_out)} (widen the terminal, or use {in_full()})"
            console.print(Padding(Text(line, style="dim"), (0, 0, 0, indent), expand=False))

    def html(self) -> str:
        """The whole table, for a notebook."""
        head = "".join(f"<th>{_html(column)}</th>" for column in self.columns)
        body = "".join(f"<tr>{''.join(f'<td>{_html(cell)}</td>' for cell in row)}</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _is_words(self, place: int) -> bool:
        return self.columns[place] in self.words

    def _fitting_columns(self, width: int) -> list[int]:
        """The places of the columns that fit side by side."""
        kept = list(range(len(self.columns)))
        numbers = [p for p in kept[:0:-1] if not self._is_words(p)]
        less = [self.columns.index(column) for column in self.less if column in self.columns]
        for may_go, comfortably in ((less, True), ([p for p in numbers if p not in less], False)):
            widths = [self._width(place, comfortably) for place in range(len(self.columns))]
            for place in may_go:
                if sum(widths[p] for p in kept) + self.gap * (len(kept) - 1) <= width:
                    break
                kept.remove(place)
        return kept

    def _width(self, place: int, comfortably: bool) -> int:
        """That a column needs: of numbers, all of it."""
        cells = [printable(self.columns[place]), *(str(row[place]) for row in self.rows)]
        if not self._is_words(place):
            return max(map(cell_len, cells))
        if comfortably:
            return min(COMFORTABLE, max(map(cell_len, cells)))
        return min(LONGEST_WORD, max((cell_len(word) for cell in cells for word in cell.split()), default=0))


def _text(cell: str | Text) -> Text:
    return cell if isinstance(cell, Text) else Text(printable(cell))


def _html(cell: str | Text) -> str:
    return escape_html(printable(str(cell)))


def print_notes(console: Console, notes: Iterable[str]) -> None:
    for note in notes:
        console.print(safe(note), style="dim", soft_wrap=True, highlight=False)


def notes_html(notes: Iterable[str]) -> str:
    return "".join(f"<p><small>{escape_html(printable(note))}</small></p>" for note in notes)
