"""What a study says of itself, once: printing, checking, searching and the docs read it without a model
library."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import pandas as pd

from attlas.atlas.schema import ADDRESS
from attlas.wording.numbers import format_p, number, percent

Row = Mapping[str, Any]
About = Mapping[str, Any]


@dataclass(frozen=True)
class Quantity:
    """What a column holds: its unit, the range of its values, and how a cell is written."""

    unit: str
    low: float = -math.inf
    high: float = math.inf
    write: Callable[[Any], str] = str


TEXT = Quantity("text")
COUNT = Quantity("count", 0, write=lambda value: f"{value:,}")
NUMBER = Quantity("number", write=number)
ERROR = Quantity("standard error", 0, write=number)
SHARE = Quantity("share", 0, 1, percent)
GAIN = Quantity("difference of shares", -1, 1, percent)
P_VALUE = Quantity("p-value", 0, 1, format_p)


@dataclass(frozen=True)
class Column:
    """A column of a table. One with a title is printed: `cell` writes it from the whole row where the value
    alone does not say it. `needed`: readers rely on it."""

    name: str
    holds: Quantity = NUMBER
    title: str | None = None
    _: KW_ONLY
    cell: Callable[[Row], str] | None = None
    shown: Literal["always", "where rows differ", "where known"] = "always"
    words: bool = False  # stands on the left, and may be broken
    needed: bool = False

    def write(self, row: Row) -> str:
        """The cell of a row; empty where it holds nothing."""
        if self.cell is not None:
            return self.cell(row)
        value = row[self.name]
        return "" if value is None or value != value else self.holds.write(value)


#: the head of a row, which stands in the columns kind, layer and head
HEAD = Column("address", TEXT, "head")
FROM_1 = Column("from_1", TEXT, "from 1")


def columns_of(holds: Quantity, *names: str, needed: bool = False) -> tuple[Column, ...]:
    """Columns that hold the same, and are not printed."""
    return tuple(Column(name, holds, needed=needed) for name in names)


@dataclass(frozen=True)
class Table:
    """A table that a study leaves. `key` is its name in JSON, where it is given there; `less` the titles of
    columns that go first where a terminal is narrow; `sentence` what a row says of its head, and `select`
    which of a head's rows are worth saying, given all tables of the chapter."""

    name: str
    columns: tuple[Column, ...]
    _: KW_ONLY
    of_heads: bool = False
    always: bool = False  # every chapter of the study has it
    drawn: bool = False  # figures rely on its needed columns: an atlas without them is damaged
    title: str = ""
    key: str = ""
    less: tuple[str, ...] = ()
    sentence: Callable[[dict[str, Any]], str] | None = None
    select: Callable[[pd.DataFrame, Mapping[str, pd.DataFrame]], pd.DataFrame] | None = None

    @property
    def needed(self) -> set[str]:
        """The columns that readers rely on."""
        return {*(ADDRESS if self.of_heads else ()), *(c.name for c in self.columns if c.needed)}

    def ranges(self) -> Iterator[tuple[str, float, float]]:
        """The columns whose values have a lowest or a highest."""
        for column in self.columns:
            if math.isfinite(column.holds.low) or math.isfinite(column.holds.high):
                yield column.name, column.holds.low, column.holds.high

    @property
    def is_printed(self) -> bool:
        return any(column.title is not None for column in self.columns)


@dataclass(frozen=True)
class Again:
    """What makes a chapter again, read from what it says of itself: words after the model, and options."""

    words: tuple[str, ...] = ()
    options: Mapping[str, Any] | None = None


def _nothing(about: About) -> Again:
    return Again()


@dataclass(frozen=True)
class Declaration:
    """A study. `study` and `result` are addresses (`module:name`): its class, and the class of what its verb
    returns; without a result, the summary of the atlas says what it found."""

    name: str
    _: KW_ONLY
    title: str  # Parse trees
    tells: str  # what a report says that it would tell: how much of a parse tree attention holds
    command: str  # its verb, and in capitals what a user fills in: probe coreference MODEL CORPUS
    study: str
    result: str = ""
    tables: tuple[Table, ...] = ()
    again: Callable[[About], Again] = _nothing
    figure: str = ""  # the chart that its verb draws
    needs_loss: bool = False  # only a model that predicts tokens can be asked
    says: tuple[str, ...] = ()  # what its chapters must say: other.name
    offered: bool = True  # whether a report offers it where an atlas has not got it

    @property
    def verb(self) -> str:
        """probe coreference"""
        return self.command.partition(" MODEL")[0]

    def table(self, name: str) -> Table:
        return next(table for table in self.tables if table.name == name)

    def command_for(self, model: str, atlas: str, again: Again | None = None) -> str:
        """The command that measures it, or that makes a chapter `again`. `model` and `atlas` are as a shell
        takes them."""
        head, _, others = self.command.partition(" MODEL")
        asked = [shlex.quote(word) for word in again.words] if again is not None else others.split()
        options = flags_of(again.options or {}) if again is not None else ()
        kept = (f"--atlas {atlas}",) if self.verb.partition(" ")[0] != "reproduce" else ()
        return " ".join(["attlas", head, model, *asked, *kept, *options])


def flags_of(options: Mapping[str, Any]) -> Iterator[str]:
    """--segments 300 --faithful"""
    for name, setting in options.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(setting, bool):
            yield from [flag] if setting else []
        else:
            several = setting if isinstance(setting, Sequence) and not isinstance(setting, str) else [setting]
            yield from (f"{flag} {shlex.quote(str(value))}" for value in several)
