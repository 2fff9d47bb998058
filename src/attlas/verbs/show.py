"""`attlas show`: a summary of an atlas, a chapter, a head or a pattern."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attlas.errors import AttlasError, option
from attlas.options.opening import opened
from attlas.options.option_groups import AtlasOrFolder
from attlas.options.verb import verb

if TYPE_CHECKING:
    from attlas.atlas.describe import Contents, HeadReport, Provenance
    from attlas.atlas.followers import PatternHeads
    from attlas.studies.chapter_result import ChapterResult


@verb("Look")
def show(
    atlas: AtlasOrFolder,
    *,
    head: str | None = None,
    pattern: str | None = None,
    chapter: str | None = None,
    provenance: bool = False,
) -> Contents | ChapterResult | HeadReport | PatternHeads | Provenance:
    """Summarise an atlas: what stands out in it, a chapter, a head, or the heads that follow a pattern.

    Example: attlas show out/mini.attlas --head 7.9

    Parameters
    ----------
    head
        A head: LAYER.HEAD, counted from 0, as in 7.9 (cross.0.3 where the kind matters). Shows everything
        known about it.
    pattern
        A pattern, as in induction. Shows the heads that follow it beyond chance, and by how much.
    chapter
        Name of a chapter. Shows it alone: its sentences and tables, as they were printed when it was made.
    provenance
        Where the chapters come from: model, corpus, settings, software, what was read and skipped.
    """
    from attlas.atlas import describe
    from attlas.reports.asking import card_sentences, stands_out

    read = opened(atlas)
    if chapter is not None:
        read.about(chapter)  # there is one, or the error says which there are
    questions = {"head": head is not None, "pattern": pattern is not None, "provenance": provenance}
    asked = [option(name) for name, is_asked in questions.items() if is_asked]
    if len(asked) > 1:
        raise AttlasError(f"{asked[0]} and {asked[1]} are two questions: ask one at a time")
    if provenance:
        return describe.provenance(read, chapter)
    if pattern is not None:
        from attlas.atlas.followers import followers

        return followers(read, pattern, chapter)
    if head is not None:
        card = describe.report(read, head, chapter)
        return replace(card, sentences=card_sentences(read, card.head))
    if chapter is not None:
        from attlas.studies.chapter_result import chapter_result

        return chapter_result(read, chapter)
    return replace(describe.describe(read), stands_out=stands_out(read))
