"""What is wrong with a value, in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attlas.errors import option


def wrong_value(name: str, errors: Sequence[Any]) -> str:
    """segments=0: should be greater than or equal to 1, or should be 'all'"""
    first, *others = errors
    alternatives = [e for e in others if e["loc"][: len(first["loc"]) - 1] == first["loc"][:-1]]
    messages = dict.fromkeys(_message(e) for e in (first, *alternatives))
    value = first["input"]
    shown = option(name, value) if len(repr(value)) <= 60 else f"{option(name)} is {short(value)}"
    return f"{shown}: {', or '.join(messages)}"


def _message(error: Any) -> str:
    return str(error["msg"]).removeprefix("Value error, ").removeprefix("Input ")


def short(value: Any) -> str:
    written = repr(value)
    return written if len(written) <= 60 and "\n" not in written else f"a {type(value).__name__}"
