"""`attlas explain`: every head as a sum of readable programs, and what a model loses that runs on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.programs.explain_result import ExplainResult


@verb("Measure")
def explain(
    model: o.Model = "mini",
    *,
    programs: Annotated[o.Whole, Field(ge=1, le=5)] = 5,
    test: o.CountOrZero = 24,
    alone: bool = False,
    written: Annotated[
        dict[str, Any] | None, o.IN_PYTHON, o.Written("Mapping[str, UserProgram] | None")
    ] = None,
    text_options: o.TextOptions = o.TextOptions(segments=100),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    batch_options: o.BatchOptions = o.BatchOptions(),
    twin_options: o.TwinOptions = o.TwinOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> ExplainResult:
    """What is each head a sum of? A few readable programs, and how well they replace it.

    A program says from the text alone where a head looks: the previous token, the start of the sentence, what
    followed the same token before. Each head becomes a sum of at most five, fitted on half of the documents.
    On the other half you get what that explains of what the head moves, and the loss when more and more heads
    run on their programs, beside their mean outputs and the programs of other heads.

    Example: attlas explain mini --segments 50 --test 8

    Parameters
    ----------
    programs
        Programs of a head, at most.
    test
        How many segments to test on. Heads are replaced by their programs there; 0 for none.
    alone
        Replace each head by itself as well. Takes five passes for each head.
    written
        Programs of your own, in Python: a name, and a function that takes the tokens of a text and gives a
        number for each query and key.
    """
    from dataclasses import replace

    from attlas.corpora.halves import halve_corpus
    from attlas.studies.patterns.patterns_study import pattern_study
    from attlas.studies.programs.explain_result import ExplainResult
    from attlas.studies.programs.explain_study import Explain
    from attlas.studies.programs.program_sums import reading_for
    from attlas.studies.study_run import run

    keep_options.refuse_without_atlas(run_options)
    subject = load_options.load(model, text=text_options.text)
    source = pattern_study(subject, text_options, batch_options).source
    fitting, testing = (replace(source, corpus=half) for half in halve_corpus(source.corpus))
    study = Explain(
        subject=subject,
        fitting=fitting,
        testing=testing,
        reading=reading_for(subject, text_options.seed, written),
        most=programs,
        test=test,
        alone=alone,
        twin=twin_options.twin,
        kernel=batch_options.kernel,
    )
    return run([study], subject, run_options, keep_options, ExplainResult, draw_result)
