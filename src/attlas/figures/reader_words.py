"""What figures and page call things: statistics, behaviours, kinds, tokens and numbers in readers' words."""

from __future__ import annotations

import re
import unicodedata

from attlas.address import Kind
from attlas.atlas import registry
from attlas.corpora.token_text import BYTE_LINE, BYTE_TAB, WORD_BEGINS, WORD_ENDS

KIND_NAMES: dict[Kind, str] = {
    "encoder": "Encoder",
    "decoder": "Decoder",
    "cross": "Cross-attention",
    "vision": "Vision",
}

NO_BEHAVIOUR = "none of these"

_JOINERS = "\u200c\u200d"  # they shape scripts and emoji; other format characters only deceive
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKS = (
    *((mark, " ") for mark in WORD_BEGINS),
    (WORD_ENDS, ""),
    *((BYTE_LINE, "↵"), (BYTE_TAB, "⇥"), ("\n", "↵"), ("\t", "⇥")),
)


def group_name(statistic: str, group: str) -> str:
    """A class, a behaviour, a relation as readers know it."""
    return shorten(registry.statistic(statistic).group_name(group), 24)


def behaviour_name(behaviour: str | None) -> str:
    return NO_BEHAVIOUR if behaviour is None else group_name("behaviour", behaviour)


def writable(text: str) -> str:
    """Text with a mark in the place of every character that XML 1.0 has no room for."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def shorten(text: str, most: int = 200) -> str:
    """Text from outside, of bounded length and without characters that break a file or turn its order."""
    kept = []
    for character in text[: most + 1]:
        category = unicodedata.category(character)
        if category in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp"):
            kept.append("\N{REPLACEMENT CHARACTER}")
        elif category != "Cf" or character in _JOINERS:
            kept.append(character)
    shown = "".join(kept)
    return shown if len(text) <= most else shown[: most - 1].rstrip() + "…"


def token(written: str, most: int = 13) -> str:
    """A token as a reader knows it: no word-boundary marks, and never empty."""
    written = written[: 4 * most + 8]
    for mark, instead in _MARKS:
        written = written.replace(mark, instead)
    return shorten(written.strip(" "), most) or "␣"
