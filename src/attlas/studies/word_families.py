"""Words that stand in an order which everybody knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
FAMILIES = (DAYS, MONTHS, NUMBERS, ORDINALS, LETTERS)


def family_tokens(tokenizer: Any, members: Sequence[str]) -> tuple[int, ...]:
    """The tokens of a family, up to its first member that is not one token; all of them different."""
    tokens: list[int] = []
    for member in members:
        ids = tokenizer(f" {member}", add_special_tokens=False)["input_ids"]
        if len(ids) != 1 or ids[0] in tokens or ids[0] in tokenizer.all_special_ids:
            break
        tokens += ids
    return tuple(tokens)
