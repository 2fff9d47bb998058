"""`attlas patch`: which heads carry what tells two texts apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.patching.patch_result import PatchResult

Pairs = Annotated[Any, o.Written("str | Path")]


@verb("Change")
def patch(
    model: o.Model = "mini",
    pairs: Pairs = "agreement",
    *,
    count: o.Count | None = None,
    strict: o.Strict = False,
    scores: o.OutputFile | None = None,
    save_pairs: o.OutputFile | None = None,
    seed: o.Seed = 0,
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    batch_options: o.BatchOptions = o.BatchOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> PatchResult:
    """Which heads carry what tells two texts apart?

    A pair is a clean text, a corrupt one that should be answered otherwise, the clean one's answer and a
    wrong one. Each head's output, or its weights alone, goes from the run over one text into the run over the
    other, and you get what that does to the logit difference between the two answers, with an interval over
    pairs. Beside it stand attribution patching, which estimates the same from one backward pass or, with
    integrated gradients, from several; and the paths between the twenty strongest heads. If the model cannot
    do the task, the result says so first.

    How far to trust it: how often the first ten heads return when the pairs are drawn anew, what is found
    with labels shuffled, what a text with the same answer moves, and how much of the task circuits of the
    strongest heads keep (CPR and CMD of the Mechanistic Interpretability Benchmark).

    Example: attlas patch mini agreement --count 50 --atlas out/mini.attlas

    Parameters
    ----------
    pairs
        JSON lines with the fields clean, corrupt, answer and wrong (and perhaps control, and group: what
        pairs share that are alike); or pairs that ship with Attlas:
        indirect_objects, greater_than, agreement or successors. Answers are one token, and both texts have as
        many tokens. A masked model finds its mask in both texts.
    count
        How many pairs: to draw, or from the beginning of a file. Default: draw 50 (of indirect_objects 200),
        or read all of the file.
    scores
        Write how much each head speaks for the answer to this file, as JSON that the evaluator of the
        Mechanistic Interpretability Benchmark reads.
    save_pairs
        Write the pairs to this file, as JSON lines that this command reads.
    """
    from dataclasses import replace

    from attlas.outputs import write_output
    from attlas.studies.patching.node_scores import graph_json
    from attlas.studies.patching.pair_tasks import pairs_for
    from attlas.studies.patching.patch_result import PatchResult
    from attlas.studies.patching.patch_study import Patching
    from attlas.studies.study_run import rescue, run

    keep_options.refuse_without_atlas(run_options)
    subject = load_options.load(model)
    source = pairs_for(subject, pairs, batch_options, count=count, seed=seed, strict=strict)
    study = Patching(subject=subject, source=source, kernel=batch_options.kernel, seed=seed)
    result = run([study], subject, run_options, keep_options, PatchResult, draw_result)
    with rescue(result, result.written):
        if scores is not None:
            written = write_output(scores, graph_json(subject, result.table))
            result = replace(result, written=(*result.written, f"scores of heads are in {written}"))
        if save_pairs is not None:
            written = write_output(save_pairs, source.lines())
            result = replace(result, written=(*result.written, f"pairs are in {written}"))
    return result
