"""Carrying out what a reproduction needs: the verbs and studies that an atlas lacks, and fine-tuning.

The verbs are handed in, by name: they stand further right."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from attlas.address import Head
from attlas.atlas import add_chapter, load_atlas
from attlas.atlas.catalogue import CATALOGUE
from attlas.atlas.schema import MANIFEST
from attlas.corpora.windows import SentenceWindows
from attlas.errors import AttlasError
from attlas.options.option_groups import CorpusOptions, KeepOptions, RunOptions, TextOptions
from attlas.papers.clark_probes import RELATIONS_ASKED, heads_of_relations
from attlas.papers.kovaleva2019 import carriers
from attlas.papers.paper_evidence import ChapterNumbers, FineTuned, PaperEvidence, at_depth
from attlas.papers.runs import GivenData, Run, Training
from attlas.papers.vig2019 import vig_chapter
from attlas.studies.disabling.disable_study import HeadSet, every_head_and_layer
from attlas.studies.finetuning.finetuned import REPORT, Finetuned
from attlas.studies.redundancy_study import Redundancy
from attlas.studies.resting_study import RestingLoss, RestingStudy
from attlas.studies.shapes.shapes_study import shape_study
from attlas.studies.study_items import open_corpus, read_windows, text_items
from attlas.studies.study_run import run_chapters
from attlas.subject import Subject
from attlas.subject.recorded import RecordedModel
from attlas.subject.untrained import untrained

MOST_LAYERS = 8  # whose attention to the resting place is taken away: those of BERT-base, or as many
Verbs = Mapping[str, Callable[..., Any]]


def is_recorded(subject: Subject) -> bool:
    return isinstance(subject.model, RecordedModel)


def lacking(planned: Sequence[Run], atlas: Path, of_twin: Path) -> list[Run]:
    """The runs whose chapter no atlas has."""
    return [
        run
        for run in planned
        if not has_chapter(of_twin if run.twin else atlas, _study_of(run.verb), run.faithful)
    ]


def run_missing(
    verbs: Verbs,
    subject: Subject,
    planned: Sequence[Run],
    atlas: Path,
    run_options: RunOptions,
    of_twin: Path | None = None,
) -> list[str]:
    """Runs what the atlas lacks, and gives a sentence for everything that could not be run. What the
    untrained twin gives to probes goes into an atlas of its own."""
    options = replace(run_options, resume=not run_options.overwrite)
    left_out, runnable, apart = [], {**verbs, **_WITHOUT_VERB}, of_twin or atlas
    twin: Subject | None = None
    for run in planned if run_options.overwrite else lacking(planned, atlas, apart):
        try:
            twin = (twin or untrained(subject)) if run.twin else twin
            reader, kept = (twin, apart) if run.twin and twin else (subject, atlas)
            runnable[run.verb](reader, **run.options, atlas=kept, run_options=options)
        except AttlasError as error:
            left_out.append(f"Left out: {run.what}. {error}")
    return left_out


def _study_of(verb: str) -> str:
    """The study whose chapter a verb leaves: most have its name."""
    return verb if verb in CATALOGUE else next(d.name for d in CATALOGUE.values() if d.verb == verb)


def has_chapter(atlas: Path, study: str, faithful: bool = False) -> bool:
    if not (atlas / MANIFEST).is_file():
        return False
    return PaperEvidence(load_atlas(atlas)).chapter(study, faithful) is not None


def _resting(
    subject: Subject,
    *,
    corpus: Path | None = None,
    windows: int | None = None,
    atlas: Path,
    run_options: RunOptions,
) -> None:
    """Clark's "no-op": where words rest, by whether a relation applies to them."""
    read = CorpusOptions(windows=windows)
    source = read_windows(open_corpus(corpus, read), subject, SentenceWindows("words"), read)
    study = RestingStudy(source=source, relations=RELATIONS_ASKED)
    run_chapters([study], subject, run_options, KeepOptions(atlas=atlas))


def _resting_loss(
    subject: Subject, *, segments: int, length: int, atlas: Path, run_options: RunOptions
) -> None:
    """Does the loss change without attention to the resting place: that of later layers, and of the heads
    that surely track a relation?"""
    kind = subject.kinds[0]
    heads = tuple(head for head in subject.heads if head.kind == kind)
    later = at_depth(5, 12, 1 + max(head.layer for head in heads))
    later = later[:: math.ceil(len(later) / MOST_LAYERS)]
    layers = [s for s in every_head_and_layer(heads) if len(s.heads) > 1 and s.heads[0].layer in later]
    evidence = PaperEvidence(load_atlas(atlas))
    tracking = dict.fromkeys(heads_of_relations(evidence).values())
    source, _ = text_items(subject, TextOptions(segments=segments, length=length))
    sets = (*layers, *(HeadSet(str(head), (head,)) for head in tracking))
    study = RestingLoss(subject=subject, source=source, sets=sets)
    run_chapters([study], subject, run_options, KeepOptions(atlas=atlas))


def _redundancy(
    subject: Subject, *, segments: int, length: int, atlas: Path, run_options: RunOptions
) -> None:
    """Do the two heads that carry frames do each other's work?"""
    frames = PaperEvidence(load_atlas(atlas)).numbers("frames")
    if frames is None:
        raise AttlasError("no frames were measured")
    first, second = (Head(frames.kind, *at) for at in carriers(frames))
    source, _ = text_items(subject, TextOptions(segments=segments, length=length))
    study = Redundancy(source=source, heads=(first, second))
    run_chapters([study], subject, run_options, KeepOptions(atlas=atlas))


def _shapes(subject: Subject, *, atlas: Path, run_options: RunOptions) -> None:
    """Name the shapes of recorded attention, where the verb `patterns` has nothing to read."""
    run_chapters([shape_study(subject)], subject, run_options, KeepOptions(atlas=atlas))


def _vig_sentences(subject: Subject, *, atlas: Path, run_options: RunOptions) -> None:
    add_chapter(atlas, subject.describe(), vig_chapter(subject), replace=run_options.overwrite)


#: studies that only a reproduction runs
_WITHOUT_VERB: Verbs = {
    "resting": _resting,
    "resting_loss": _resting_loss,
    "redundancy": _redundancy,
    "vig2019": _vig_sentences,
    "shapes": _shapes,
}


def is_trained(place: Path, training: Training) -> bool:
    return (_folder_of(place, training) / REPORT).is_file()


def _folder_of(place: Path, training: Training) -> Path:
    return place / "models" / training.name.replace(" ", "-")


def fine_tuned(
    verbs: Verbs,
    subject: Subject,
    training: Training,
    data: GivenData,
    place: Path,
    atlas: Path,
    run_options: RunOptions,
    features: Mapping[str, Any] | None = None,
) -> FineTuned:
    """Fine-tunes on a task, compares the maps before and after, disables each head on the task, and probes
    for `features` with the options that the model before was probed with. What is there already is read."""
    options = replace(run_options, resume=not run_options.overwrite)
    model = _folder_of(place, training)
    if (model / REPORT).is_file():
        tuned = Finetuned.read(model)
    else:
        tuned = verbs["finetune"](
            subject,
            training.task,
            data=data.glue,
            save=model,
            epochs=training.epochs,
            examples=training.examples,
            random_init=training.random_init,
            resume=options.resume,
            overwrite=options.overwrite,
            progress=options.progress,
            **training.settings,
        )
    report = tuned.report
    result = FineTuned(
        report["scores"][0], report["final"], report["settings"]["examples"] or 0, training.examples is None
    )
    return (
        result
        if training.random_init
        else _compare_and_disable(verbs, subject, model, result, training, data, atlas, options, features)
    )


def _compare_and_disable(
    verbs: Verbs,
    subject: Subject,
    model: Path,
    result: FineTuned,
    training: Training,
    data: GivenData,
    atlas: Path,
    options: RunOptions,
    features: Mapping[str, Any] | None,
) -> FineTuned:
    chapter, tuned_atlas = f"compare-{training.task}", model.with_suffix(".attlas")
    task: dict[str, Any] = {"data": data.glue, "run_options": options}
    if chapter not in load_atlas(atlas).chapters:
        some = {"examples": training.compared, "shapes": min(training.compared, 100), "matched": 0}
        verbs["compare"](subject, model, task=training.task, **some, chapter=chapter, atlas=atlas, **task)
    disables = training.disabled is None or training.disabled > 0
    if disables and not has_chapter(tuned_atlas, "disable"):
        asked: dict[str, Any] = {"examples": training.disabled, "edit": "uniform"}  # as the paper does
        verbs["disable"](model, training.task, **asked, atlas=tuned_atlas, **task)
    if features is not None and not has_chapter(tuned_atlas, "features"):
        verbs["features"](model, **features, atlas=tuned_atlas, run_options=options)
    read = load_atlas(atlas)
    result = replace(
        result,
        compared_on=training.compared,
        compared=ChapterNumbers(read, chapter, read.kinds[0]),
        shapes=read.tables.get(f"{chapter}/shapes"),
    )
    if not (tuned_atlas / MANIFEST).is_file():
        return result
    after = PaperEvidence(load_atlas(tuned_atlas))
    return replace(
        result,
        disabled=after.table("disabled", "disable"),
        layers=after.table("disabled_together", "disable"),
        atlas=after.atlas if after.chapter("disable") else None,
        features=after.numbers("features"),
    )
