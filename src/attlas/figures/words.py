"""What figures and page call things: statistics, labels, kinds, tokens and numbers in readers' words."""

from __future__ import annotations

import math
import re
import unicodedata

from attlas.address import Kind

KIND_NAMES: dict[Kind, str] = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross-attention"}

CLASS_NAMES = {"cls": "[CLS]", "sep": "[SEP]", "punct": "period or comma", "other": "other tokens"}

#: label -> its name; their order gives each its colour and its mark
LABEL_NAMES = {
    "next": "next token",
    "previous": "previous token",
    "broad": "broad",
    "sep": "[SEP]",
    "punct": "punctuation",
    "cls": "[CLS]",
    "first": "first token",
}
NO_LABEL = "no label"

_JOINERS = "\u200c\u200d"  # they shape scripts and emoji; other format characters only deceive
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKS = (("Ġ", " "), ("▁", " "), ("</w>", ""), ("Ċ", "↵"), ("ĉ", "⇥"), ("\n", "↵"), ("\t", "⇥"))


def class_name(group: str) -> str:
    return CLASS_NAMES.get(group, plain(group, 24))


def label_name(label: str) -> str:
    return LABEL_NAMES.get(label, plain(label, 24))


def writable(text: str) -> str:
    """Text with a mark in the place of every character that XML 1.0 has no room for."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def plain(text: str, most: int = 200) -> str:
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
    return plain(written.strip(" "), most) or "␣"


def number(value: float, digits: int = 4) -> str:
    """1,234.5678 · 0.9901 · 1.3e-05"""
    if not math.isfinite(value):
        return "–"
    if value and abs(value) < 0.5 * 10**-digits:
        return f"{value:.1e}"
    return f"{value:,.{digits}f}"


def uncertain(value: float, stderr: float, digits: int = 4) -> str:
    """A value and its standard error, where it has one."""
    if not math.isfinite(stderr) or not math.isfinite(value):
        return number(value, digits)
    smallest = 10**-digits
    error = f"{stderr:.{digits}f}" if stderr >= smallest / 2 or stderr == 0 else f"<{smallest:.{digits}f}"
    return f"{number(value, digits)} ± {error}"


def count(many: int, what: str) -> str:
    """1 head · 144 heads"""
    return f"{many:,} {what}" + ("" if many == 1 else "s")
