"""`attlas patterns`: names for what every head attends to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.atlas.chapter import Chapter
    from attlas.studies.patterns.pattern_result import PatternResult

Texts = Annotated[o.CountOrZero, Field(lt=2**31)]


@verb("Measure")
def patterns(
    model: o.Model = "mini",
    *,
    repeated: Annotated[o.Whole, Field(ge=2, lt=2**31)] | None = None,
    needles: Sequence[o.CountOrZero] | None = None,
    hidden: Texts | None = None,
    maps: Texts = 4,
    tasks: Texts | None = None,
    test: o.CountOrZero = 0,
    word_vectors: o.File | None = None,
    text_options: o.TextOptions = o.TextOptions(segments=200),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    batch_options: o.BatchOptions = o.BatchOptions(),
    twin_options: o.TwinOptions = o.TwinOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> PatternResult:
    """Name what every head attends to: a score for each pattern, compared with chance, over a text.

    Example: attlas patterns mini --atlas out/mini.attlas

    Parameters
    ----------
    repeated
        How many texts of repeated random tokens to look for induction in. Default: 64, or as many as
        --segments where that is fewer.
    needles
        Lengths, in tokens, of texts out of which a decoder copies a needle: --needles 128 512; 0 for none.
        Default: up to 2,048 tokens, or what the model takes; with few --segments, short ones alone.
    hidden
        How many texts to hide tokens in, one at a time, to find predictive ones; 0 for none. Default: 16, or
        --segments.
    maps
        Typical maps to keep of each head; 0 for none.
    tasks
        Texts of each small task to give a decoder: what comes next (successor), random tokens that repeat
        (copy suppression), functions shown by examples (function vectors). What the model cannot solve is
        left out; 0 for none. Default: 16, or --segments.
    test
        How many segments to test on. Each named head is made to do just what its name says, and the
        loss tells how much of the head that accounts for. Half of the documents choose the names, the others
        test them. Takes several passes for each named head; 0 for none.
    word_vectors
        Word vectors in GloVe's text format. They say which tokens are related. Default: the model's input
        embeddings.
    """
    from dataclasses import replace

    from attlas.corpora.halves import halve_corpus
    from attlas.errors import AttlasError, option
    from attlas.studies.name_tests.following import claims_of, patterns_of
    from attlas.studies.name_tests.name_study import NameTests
    from attlas.studies.patterns.pattern_result import PatternResult
    from attlas.studies.patterns.patterns_study import PatternsAndShapes, pattern_study
    from attlas.studies.study_run import run
    from attlas.subject.losses import no_objective

    keep_options.refuse_without_atlas(run_options)
    subject = load_options.load(model, text=text_options.text)
    if test and (missing := no_objective(subject)):
        raise AttlasError(
            f"{option('test', test)}: {subject.name} has {missing}, so there is no loss to test names by: "
            f"leave {option('test')} out, or name a model that predicts tokens"
        )
    study = pattern_study(
        subject,
        text_options,
        batch_options,
        repeated=repeated,
        needles=needles,
        hidden=hidden,
        maps=maps,
        tasks=tasks,
        words=word_vectors,
        twin=twin_options.twin,
    )
    if not test:
        both = PatternsAndShapes(study)
        return run(both, subject, run_options, keep_options, PatternResult, draw_result)
    naming, testing = (replace(study.source, corpus=half) for half in halve_corpus(study.source.corpus))
    study = replace(study, source=naming)
    in_atlas = replace(keep_options, csv=None, figures=None)
    result = run(PatternsAndShapes(study), subject, run_options, in_atlas, PatternResult, draw_result)
    tests = NameTests(
        subject=subject,
        source=replace(testing, limit=test),
        chosen_on=replace(naming, limit=test),
        claims=claims_of(result.table),
        patterns=patterns_of(result.table),
        seed=text_options.seed,
        kernel=study.settings.kernel,
    )

    def with_tests(tested: tuple[Chapter, ...], model: str) -> PatternResult:
        return PatternResult((*result.chapters, *tested), model)

    unnamed = replace(keep_options, chapter=None)
    return run([tests], subject, run_options, unnamed, with_tests, draw_result)
