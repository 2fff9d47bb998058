"""Sentences of running text, by its marks."""

from __future__ import annotations

import re

#: the spaces between a closing mark, with what closes after it, and what can open a sentence
_BETWEEN_SENTENCES = re.compile(r"[.!?][\"')\]]*( +)(?=[A-Z\"'(0-9])")


def document_sentences(text: str, lines_are_sentences: bool) -> list[str]:
    lines = (line.strip() for line in text.split("\n"))
    if lines_are_sentences:
        return [line for line in lines if line]
    return [sentence for line in lines if line for sentence in sentences(line)]


def sentences(paragraph: str) -> list[str]:
    """A plain splitter for running text; it errs on abbreviations before a capital."""
    cuts = [match.span(1) for match in _BETWEEN_SENTENCES.finditer(paragraph)]
    if not cuts:
        return [paragraph] if paragraph else []
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(paragraph)]
    return [paragraph[start:end] for start, end in zip(starts, ends, strict=True) if end > start]
