"""`attlas patterns`: names for what every head attends to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from attlas.options.option_groups import (
    BatchOptions,
    CountOrZero,
    File,
    KeepOptions,
    LoadOptions,
    Model,
    RunOptions,
    TextOptions,
    Whole,
)
from attlas.options.verb import verb

if TYPE_CHECKING:
    from attlas.studies.patterns.pattern_result import PatternResult


@verb("Measure")
def patterns(
    model: Model = "mini",
    *,
    repeated: Annotated[Whole, Field(ge=2)] = 64,
    needles: Sequence[CountOrZero] | None = None,
    hidden: CountOrZero = 16,
    maps: CountOrZero = 4,
    tasks: CountOrZero = 16,
    test: CountOrZero = 0,
    word_vectors: File | None = None,
    text_options: TextOptions = TextOptions(segments=200),
    keep_options: KeepOptions = KeepOptions(),
    run_options: RunOptions = RunOptions(),
    batch_options: BatchOptions = BatchOptions(),
    load_options: LoadOptions = LoadOptions(),
) -> PatternResult:
    """Name what every head attends to: a score for each pattern, compared with chance, over a text.

    Example: attlas patterns mini --atlas out/mini.attlas

    Parameters
    ----------
    repeated
        How many texts of repeated random tokens to look for induction in.
    needles
        Lengths, in tokens, of texts out of which a decoder copies a needle: --needles 128 512; 0 for none.
        Default: up to 2,048 tokens, or what the model takes.
    hidden
        How many texts to hide tokens in, one at a time, to find predictive ones; 0 for none.
    maps
        Typical maps to keep of each head; 0 for none.
    tasks
        Texts of each small task to give a decoder: what comes next (successor), random tokens that repeat
        (copy suppression), functions shown by examples (function vectors). What the model cannot solve is
        left out; 0 for none.
    test
        How many segments to test names on: each named head is made to do just what its name says, and the
        loss tells how much of the head that accounts for. Half of the documents choose the names, the others
        test them. Takes several passes for each named head; 0 for none.
    word_vectors
        Word vectors in GloVe's text format. They say which tokens are related. Default: the model's input
        embeddings.
    """
    from dataclasses import replace

    from attlas.corpora.document_half import halves
    from attlas.errors import AttlasError, option
    from attlas.options.run_study import run_studies, with_files
    from attlas.studies.name_tests.following import claims_of, patterns_of
    from attlas.studies.name_tests.name_study import NameTests
    from attlas.studies.patterns.pattern_result import PatternResult
    from attlas.studies.patterns.study_from_options import pattern_study
    from attlas.studies.patterns.with_shapes import PatternsAndShapes
    from attlas.studies.study import Alone
    from attlas.studies.text_items import text_items
    from attlas.subject.losses import no_objective

    keep_options.refuse_unwritable(run_options)
    subject = load_options.load(model, text=text_options.text)
    if test and (missing := no_objective(subject)):
        raise AttlasError(
            f"{option('test', test)}: {subject.name} has {missing}, so there is no loss to test names by: "
            f"leave {option('test')} out, or name a model that predicts tokens"
        )
    items = text_items(subject, **text_options.values(), batch=batch_options.batch, shard=batch_options.shard)
    study = pattern_study(
        subject,
        items.source,
        repeated=repeated,
        needles=needles,
        hidden=hidden,
        maps=maps,
        tasks=tasks,
        words=word_vectors,
        seed=text_options.seed,
        kernel=batch_options.kernel,
    )
    if test:
        naming, testing = (replace(study.source, corpus=half) for half in halves(study.source.corpus))
        study = replace(study, source=naming)
    both, chapters = PatternsAndShapes(study), [keep_options.chapter, None]
    result = PatternResult(
        run_studies(both, chapters, subject, run_options, keep_options.atlas, PatternResult)
    )
    if test:
        tests = NameTests(
            subject,
            replace(testing, limit=test),
            replace(naming, limit=test),
            claims_of(result.table),
            patterns_of(result.table),
            text_options.seed,
            study.settings.kernel,
        )
        tested = run_studies(
            Alone(tests), [None], subject, run_options, keep_options.atlas, lambda made: result
        )
        result = replace(result, chapters=(*result.chapters, *tested))
    return with_files(result, keep_options, _draw)


def _draw(result: PatternResult, folder: Path) -> list[Path]:
    from attlas.atlas import of_chapter
    from attlas.figures.drawing import save_specs
    from attlas.figures.figure_specs import figure_spec

    figures = {"patterns": "patterns", "shares": "shapes", "name_tests": "names"}  # table -> figure
    drawn = [(c, figure) for c in result.chapters for table, figure in figures.items() if table in c.tables]
    return save_specs([figure_spec(of_chapter(c), figure, c.name) for c, figure in drawn], folder)
