"""`attlas show`: a summary of an atlas, a chapter, a head or a pattern."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attlas.errors import AttlasError, option
from attlas.options.option_groups import AtlasOrFolder
from attlas.options.verb import verb
from attlas.verbs import open_atlas

if TYPE_CHECKING:
    from attlas.atlas.summaries import Contents, HeadReport, PatternHeads, Provenance
    from attlas.studies.chapter_result import ChapterResult


@verb("Look")
def show(
    atlas: AtlasOrFolder,
    *,
    head: str | None = None,
    pattern: str | None = None,
    chapter: str | None = None,
    provenance: bool = False,
    all: bool = False,
) -> Contents | ChapterResult | HeadReport | PatternHeads | Provenance:
    """Summarise an atlas: what stands out in it, a chapter, a head, or the heads that follow a pattern.

    Example: attlas show out/mini.attlas --head 7.9

    Parameters
    ----------
    head
        A head: LAYER.HEAD, counted from 0, as in 7.9 (cross.0.3 where the kind matters). Shows what it does,
        in a dozen lines.
    pattern
        A pattern, as in induction. Shows the heads that follow it beyond chance, and by how much.
    chapter
        Name of a chapter. Shows it alone: its sentences and tables, as they were printed when it was made.
    provenance
        Where the chapters come from: model, corpus, settings, software, what was read and skipped.
    all
        Show everything that is known of the head: every study, example and statistic.
    """
    from attlas.atlas import summaries
    from attlas.reports.asking import card_claims, claims_that_stand_out
    from attlas.reports.sentences import join_evidence

    read = open_atlas(atlas)
    if chapter is not None:
        read.about(chapter)  # there is one, or the error says which there are
    questions = {"head": head is not None, "pattern": pattern is not None, "provenance": provenance}
    asked = [option(name) for name, is_asked in questions.items() if is_asked]
    if len(asked) > 1:
        raise AttlasError(f"{asked[0]} and {asked[1]} are two questions: ask one at a time")
    if provenance:
        return summaries.provenance(read, chapter)
    if pattern is not None:
        from attlas.atlas.summaries import find_pattern_heads

        return find_pattern_heads(read, pattern, chapter)
    if head is not None:
        card = summaries.report_head(read, head, chapter)
        claims = card_claims(read, card.head)
        return replace(card, sentences=tuple(map(join_evidence, claims)), claims=claims, whole=all)
    if chapter is not None:
        from attlas.studies.chapter_result import chapter_result

        return chapter_result(read, chapter)
    claims = claims_that_stand_out(read)
    return replace(summaries.summarise(read), stands_out=tuple(map(join_evidence, claims)), claims=claims)
