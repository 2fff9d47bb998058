"""From the options of a probe to the windows of an annotated corpus that the model reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from attlas.errors import AttlasError, option
from attlas.options.option_groups import CorpusOptions, WindowOptions

if TYPE_CHECKING:
    from attlas.corpora.annotated_documents import Document
    from attlas.corpora.reading import AnnotatedCorpus
    from attlas.corpora.window_source import WindowSource
    from attlas.corpora.windows import WindowCutter
    from attlas.subject import Subject


def corpus_at(path: Path | None, corpus_options: CorpusOptions) -> AnnotatedCorpus:
    from attlas.corpora.reading import annotated_corpus

    return annotated_corpus(path, corpus_options.format, corpus_options.pipeline)


def windows_of(
    corpus: AnnotatedCorpus,
    subject: Subject,
    cutter: WindowCutter,
    window_options: WindowOptions,
    filter: Callable[[Document], bool] | None = None,
) -> WindowSource:
    from attlas.corpora.alignment import fits
    from attlas.corpora.window_source import WindowSource

    fitting = fits(subject, window_options.length)
    return WindowSource(corpus, cutter, fitting, window_options.windows, filter, strict=window_options.strict)


def windows_to_choose_on(
    path: Path | None,
    corpus: AnnotatedCorpus,
    subject: Subject,
    cutter: WindowCutter,
    corpus_options: CorpusOptions,
) -> WindowSource | None:
    """Those of another corpus, where one is named."""
    if path is None:
        return None
    other = corpus_at(path, corpus_options)
    if other.sha256() == corpus.sha256():
        raise AttlasError(
            f"{option('choose_on', str(path))} is the corpus itself: leave it out to choose on one half and "
            "report on the other"
        )
    return windows_of(other, subject, cutter, corpus_options)


def check_lengths(shortest: int, longest: int | None) -> None:
    if longest is not None and longest < shortest:
        raise AttlasError(f"{option('longest', longest)}: less than {option('shortest', shortest)}")
