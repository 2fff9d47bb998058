"""From what a user names to the study of patterns: what can be wrong is said here, before any work is
done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attlas.corpora.pictured_texts import PicturedSource
from attlas.corpora.source import Source
from attlas.corpora.text_source import TextSource
from attlas.errors import AttlasError, option
from attlas.studies.mapping import chosen_kernel
from attlas.studies.patterns.needles import GIVEN, WHAT, WHERE, WHO
from attlas.studies.patterns.patterns_study import Patterns, PatternSettings
from attlas.studies.patterns.related import Kinship
from attlas.studies.text_items import check_whole
from attlas.studies.trees.word_vectors import check_words
from attlas.subject import Subject

SHORTEST_NEEDLE, LONGEST_NEEDLE = 128, 2048
LONGEST = 2048  # tokens in a segment: every pair of them is judged, so that memory grows with the square


def pattern_study(
    subject: Subject,
    source: Source,
    *,
    repeated: int = 64,
    needles: Sequence[int] | None = None,
    hidden: int = 16,
    maps: int = 4,
    tasks: int = 16,
    words: str | Path | None = None,
    seed: int = 0,
    kernel: str | None = None,
) -> Patterns:
    """Over the segments of a text, as `text_items` gives them."""
    check_whole("repeated", repeated, least=2, past=2**31)
    check_whole("hidden", hidden, least=0, past=2**31)
    check_whole("maps", maps, least=0, past=2**31)
    check_whole("tasks", tasks, least=0, past=2**31)
    if isinstance(source, PicturedSource):
        raise AttlasError(f"patterns are looked for in text alone: give {option('text')} without pictures")
    if not isinstance(source, TextSource):
        raise AttlasError(
            f"{subject.name} is recorded attention: patterns are looked for in texts of their own, which "
            "only the model itself can read"
        )
    if source.length > LONGEST:
        raise AttlasError(
            f"{option('length', source.length)}: patterns are scored in at most {LONGEST:,} tokens at once"
        )
    path = None if words is None else Path(words)
    if path is not None:
        check_words(path)
    settings = PatternSettings(
        repeated,
        needle_lengths(subject, needles),
        hidden,
        maps=maps,
        tasks=tasks,
        seed=seed,
        kernel=chosen_kernel(subject, kernel),
    )
    return Patterns(subject, source, Kinship(path), settings)


def needle_lengths(subject: Subject, asked: Sequence[int] | None) -> tuple[int, ...]:
    """Those asked for, each of which the model must take; or 128, 512 and 2,048 as far as it takes them, and
    what it takes where that is less."""
    if subject.kinds != ("decoder",):
        if asked and any(asked):
            raise AttlasError(
                f"{option('needles')}: {subject.name} does not generate text, so it copies nothing"
            )
        return ()
    shortest = shortest_needle(subject)
    if asked is not None:
        wanted = tuple(sorted({length for length in asked if length}))
        for length in wanted:
            if length < shortest:
                raise AttlasError(
                    f"{option('needles', length)}: needle and question alone take {shortest} tokens"
                )
            subject.check_length(length, f"a text with a needle ({option('needles', length)})")
        return wanted
    longest = min(subject.longest or LONGEST_NEEDLE, LONGEST_NEEDLE)
    usual = {min(SHORTEST_NEEDLE * 4**i, longest) for i in range(3)}
    return tuple(sorted(length for length in usual if length >= shortest))


def shortest_needle(subject: Subject) -> int:
    def longest(texts: Sequence[str]) -> str:
        return max(texts, key=len)

    needle = f" {longest(WHO)} hid {longest(WHAT)} {longest(WHERE)}."
    once, question = (
        len(subject.tokenizer(text)["input_ids"]) for text in (needle, GIVEN.format(who=longest(WHO)))
    )
    return 2 * once + question + 4
