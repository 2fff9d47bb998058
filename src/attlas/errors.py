"""The one exception that a user is meant to read: a line that names the thing, what is wrong, what works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any

_flags = False  # whether options are written as in the terminal


class AttlasError(Exception):
    """An error you can fix. Its text is one line that says what is wrong and what would work."""


class Stopped(KeyboardInterrupt):
    """SIGTERM: the machine, or a scheduler, wants us to end. `kept`: there is something to resume."""

    exit_status = 143

    def __init__(self, kept: bool = False) -> None:
        super().__init__()
        self.kept = kept


@contextmanager
def flags_spoken() -> Iterator[None]:
    """Inside, messages write options as the command line does."""
    global _flags
    before, _flags = _flags, True
    try:
        yield
    finally:
        _flags = before


def option(name: str, *value: Any) -> str:
    """An option as the reader writes it: `segments=0` in Python, `--segments 0` in the terminal. Without a
    value, its name alone; a switch is `resume=True` and `--resume`."""
    if not _flags:
        shown = [str(v) if isinstance(v, PurePath) else v for v in value]
        return f"{name}={shown[0]!r}" if shown else name
    flag = f"--{name.replace('_', '-')}"
    return flag if not value or value[0] is True else f"{flag} {value[0]}"


def in_full() -> str:
    """Name where the reader finds all of a result that is shown in part."""
    return "--json" if _flags else ".as_data()"


def call(verb: str, *arguments: str) -> str:
    """A verb as the reader calls it: `attlas.patterns(MODEL, atlas='A')` in Python, `attlas patterns MODEL
    --atlas A` in the terminal. The arguments are written already, by `option` those that have names."""
    if _flags:
        return " ".join(["attlas", verb, *arguments])
    return f"attlas.{verb.replace(' ', '.')}({', '.join(arguments)})"


def printable(text: str) -> str:
    """The text without what would steer a terminal: names come from files that anyone can write."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
