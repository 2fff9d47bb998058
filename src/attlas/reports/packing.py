"""What the report's document is packed of: lists of tokens, each kept once, and numbers as JSON has them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from attlas.atlas import Atlas
from attlas.atlas.passages import has_spaces, spell_token
from attlas.reports.page_contract import Numbers, TokenList

DIGITS = 7  # of a number in the page: what float32 tells apart


@dataclass
class TokenPool:
    """The lists of tokens that cards point into, each once."""

    atlas: Atlas
    lists: list[TokenList] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def place(self, key: str) -> int:
        """The place of the list CHAPTER/NAME, which is added when it is first asked for."""
        if key not in self.places:
            tokens = self.atlas.tokens[key]
            spaced = has_spaces(tokens)
            shown = [spell_token(token, spaced) for token in tokens]
            gaps = "".join("s" if apart and at else "-" for at, (_, apart) in enumerate(shown))
            self.lists.append({"tokens": [text for text, _ in shown], "gaps": gaps})
            self.places[key] = len(self.lists) - 1
        return self.places[key]


def numbers(values: npt.NDArray[np.float64]) -> Numbers:
    return [round_digits(float(v)) if math.isfinite(v) else None for v in values]


def round_digits(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def finite(value: Any) -> Any:
    """The value with null for infinity and NaN, which JSON does not know."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite(inner) for inner in value]
    return value
