"""`attlas compare`: what became of every head between models of one architecture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attlas.errors import AttlasError, option
from attlas.options import option_groups as o
from attlas.options.verb import verb

if TYPE_CHECKING:
    from attlas.corpora.batches import TokenClasses
    from attlas.corpora.source import Source
    from attlas.studies.comparing.comparison import Comparison
    from attlas.subject import Subject

PADDED_TO = 200  # as the original did
SENTENCES = ("The cat sat on the mat.", "It was asleep.")


@verb("Measure")
def compare(
    model: o.Model,
    *others: Annotated[Any, o.Written("str | Path | Subject")],
    task: str | None = None,
    matched: o.CountOrZero = 40,
    shapes: o.CountOrZero = 100,
    faithful: o.Faithful = False,
    atlases: Sequence[o.File] = (),
    page: o.OutputFile | None = None,
    text_options: o.TextOptions = o.TextOptions(segments=1000),
    task_options: o.TaskOptions = o.TaskOptions(examples=1000),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    batch_options: o.BatchOptions = o.BatchOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> Comparison:
    """Compare models of one architecture, head by head, on the same inputs: before and after fine-tuning, two
    seeds, steps of a training.

    They read a text, or with --data a random sample of the development examples of a task.

    Example: attlas compare mini mini-mrpc --data glue --task MRPC --figures figures

    Parameters
    ----------
    model
        The others are compared with it.
    others
        One or more models of the same shape and tokenizer.
    task
        A task of GLUE (CoLA, SST-2, MRPC, STS-B, QQP, MNLI, QNLI, RTE), or a name for your own, with
        --columns. Default: that of a model that `attlas finetune` made.
    matched
        How many inputs to match heads between the models on (which head does the work of which?); 0 skips
        this.
    shapes
        How many inputs to compare the shapes of maps on; 0 skips this.
    faithful
        Compares maps with their padding, to 200 tokens.
    atlases
        Atlases made by `attlas patterns`, one per model and in the same order, to compare their patterns.
    page
        The HTML file to write. It shows the first two models side by side on one input.
    """
    from attlas.studies.comparing.compare_study import Compare, CompareSettings, Comparisons, check_comparable
    from attlas.studies.comparing.comparison import Comparison, unlike
    from attlas.studies.comparing.named_patterns import check_count, named_in
    from attlas.studies.finetuning.finetuned import how_it_was_trained
    from attlas.studies.study_run import rescue, run

    _check(others, task, faithful, text_options, task_options, keep_options)
    check_count(atlases, 1 + len(others))
    keep_options.refuse_without_atlas(run_options)
    subjects = [load_options.load(entry) for entry in (model, *others)]
    first, *rest = subjects
    for other in rest:
        check_comparable(first, other)
    training = [how_it_was_trained(s.origin.model if s.origin else None) for s in rest]
    if task_options.data is None:
        source, classes = _text(first, text_options, batch_options)
        items = None
    else:
        trained_on = (t["task"] for t in training if t is not None)
        task = task or next(trained_on, None)
        source, classes = _examples(first, task, task_options, text_options, batch_options, faithful)
        items = task_options.examples
    settings = CompareSettings(
        items=items, matched=matched, faithful=faithful, seed=text_options.seed, shapes=shapes
    )
    named = [named_in(path, subject) for path, subject in zip(atlases, subjects, strict=False)]
    pairs = [(named[0], other) for other in named[1:]] if named else [None for _ in rest]
    studies = [
        Compare(
            subject=first,
            other=other,
            source=source,
            classes=classes,
            settings=settings,
            training=trained,
            patterns=pair,
        )
        for other, trained, pair in zip(rest, training, pairs, strict=True)
    ]
    names = [name.replace(" ", "-") for name in unlike([study.name for study in studies])]
    names = [keep_options.chapter] if keep_options.chapter is not None else names
    together = Comparisons(tuple(studies))
    comparison = run(together, first, run_options, keep_options, Comparison, _draw, names)
    if page is None:
        return comparison
    with rescue(comparison, comparison.written):
        written = f"the page is {_side_by_side(first, rest[0], page)}"
    return replace(comparison, written=(*comparison.written, written))


def _check(
    others: Sequence[o.Model],
    task: str | None,
    faithful: bool,
    text_options: o.TextOptions,
    task_options: o.TaskOptions,
    keep_options: o.KeepOptions,
) -> None:
    if not others:
        raise AttlasError("name two models or more: each is compared with the first")
    if task_options.data is None:
        of_a_task = {**replace(task_options, examples=None).values(), "task": task}
        if lone := next((name for name, value in of_a_task.items() if value), None):
            raise AttlasError(
                f"{option(lone)} says which examples of a task are read: name their folder with "
                f"{option('data')}"
            )
        if faithful:
            raise AttlasError(
                f"{option('faithful')} compares examples of a task, padded as the original did: give "
                f"{option('data')}"
            )
    elif text_options.text is not None:
        raise AttlasError(
            f"{option('text')} and {option('data')} are two ways to say what the models read: give one of "
            "them"
        )
    if keep_options.chapter is not None and len(others) > 1:
        raise AttlasError(
            f"{option('chapter')} names one chapter, and each comparison leaves one: leave it out"
        )


def _text(
    first: Subject, text_options: o.TextOptions, batch_options: o.BatchOptions
) -> tuple[Source, TokenClasses]:
    """What the models read, and the classes of its tokens."""
    from attlas.studies.study_items import text_items

    return text_items(first, text_options, batch_options)


def _examples(
    first: Subject,
    task: str | None,
    task_options: o.TaskOptions,
    text_options: o.TextOptions,
    batch_options: o.BatchOptions,
    faithful: bool,
) -> tuple[Source, TokenClasses]:
    """What the models read, and the classes of its tokens."""
    from attlas.corpora.batches import TokenClasses
    from attlas.corpora.task_data import task_data, with_labels
    from attlas.corpora.task_source import TaskSource
    from attlas.corpora.tasks import task_named

    if task is None:
        raise AttlasError(f"{option('data')} needs {option('task')}, the task that its examples are of")
    named = task_named(task, task_options.columns, task_options.label, task_options.regression)
    examples = task_data(named, task_options.data, "dev")
    length = max(PADDED_TO, text_options.length) if faithful else text_options.length
    first.check_length(length, f"an input ({option('length', length)})")
    classes = TokenClasses(first.tokenizer)
    source = TaskSource(
        replace(examples, task=with_labels(examples)),
        first.tokenizer,
        text_options.length,
        classes=classes,
        batch=batch_options.batch,
        strict=text_options.strict,
        pad=length if faithful else None,
    )
    return source, classes


def _draw(comparison: Comparison, folder: Path) -> list[Path]:
    from attlas.figures.comparison_figures import comparison_specs
    from attlas.figures.drawing import save_specs

    return save_specs(comparison_specs(comparison), folder)


def _side_by_side(first: Subject, other: Subject, page: Path) -> Path:
    from attlas import views
    from attlas.studies.comparing.comparison import distinguish_titles

    titles = distinguish_titles([first.name, other.name])
    left, right = (views.view_model(subject, *SENTENCES) for subject in (first, other))
    return views.compare(left, right, (titles[0], titles[1])).save(page)
