"""`attlas reproduce`: a paper's tables, figures and claims, on your model."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attlas.errors import AttlasError, option, printable
from attlas.files import check_writable, write_whole
from attlas.progress import hush
from attlas.verbs.option_groups import File, LoadOptions, Model, RunOptions
from attlas.verbs.verb import verb

if TYPE_CHECKING:
    from rich.console import Console

    from attlas.atlas import Atlas
    from attlas.papers.article import Article
    from attlas.papers.given_data import GivenData
    from attlas.papers.paper_evidence import FineTuned
    from attlas.papers.runs import Run, Training
    from attlas.subject import Subject

Paper = Literal["clark2019", "kovaleva2019", "vig2019"]
Budget = Literal["quick", "full"]


@dataclass(frozen=True, repr=False)
class Reproduction:
    """What a paper reports beside what the model shows: `items`, each with its verdict; the page and the
    folder with tables and figures."""

    article: Article
    folder: Path
    page: Path

    def as_data(self) -> dict[str, Any]:
        return {
            "summary": self.article.summary,
            "verdicts": self.article.counts,
            "items": [
                {
                    "place": item.place,
                    "what": item.what,
                    "paper": item.reported.words,
                    "faithful": None if item.faithful is None else item.faithful.value,
                    "corrected": None if item.corrected is None else item.corrected.value,
                    "interval": None if item.corrected is None else item.corrected.bounds,
                    "verdict": item.verdict,
                    "why": item.why,
                }
                for item in self.article.items
            ],
            "page": str(self.page),
        }

    def show(self, console: Console) -> None:
        from attlas.atlas.printing import ResultTable, safe
        from attlas.papers.article import VERDICTS

        console.print(safe(self.article.summary), soft_wrap=True, highlight=False)
        rows = [[verdict, str(number), VERDICTS[verdict]] for verdict, number in self.article.counts.items()]
        ResultTable(("verdict", "items", "means"), rows, words={"verdict", "means"}).show(console)
        console.print(f"\nThe page is [bold]{safe(self.page)}[/bold]", soft_wrap=True)

    def __repr__(self) -> str:
        return f"Reproduction({self.article.summary})"


@verb
def reproduce(
    paper: Paper,
    model: Model = "mini",
    *,
    data: File | None = None,
    budget: Budget = "quick",
    folder: File | None = None,
    atlas: File | None = None,
    recorded: File | None = None,
    run_options: RunOptions = RunOptions(),
    load_options: LoadOptions = LoadOptions(),
) -> Reproduction:
    """Reproduce a paper on your model: each of its numbers and claims beside what you have, with a verdict.

    It says beforehand what it will run and about how long that takes. What the atlas has is not run again,
    and a reproduction that was stopped goes on where it was. What needs data that you did not give is named,
    and the rest still runs.

    Example: attlas reproduce clark2019 mini --data data

    Parameters
    ----------
    paper
        clark2019 (What Does BERT Look At?), kovaleva2019 (Revealing the Dark Secrets of BERT) or vig2019
        (Deconstructing BERT).
    model
        The embedded `mini`, a folder that transformers saved, a GGUF file, or a name on the hub.
        Or recorded attention (.npz, .safetensors).
    data
        A folder or file of data. A folder with what you have of the papers' data: a treebank
        (*-ud-train.conllu, *-ud-dev.conllu), GUM or OntoNotes, framenet_v17, GLUE's folder, glove*.txt.
    budget
        `quick`: minutes on a small model. Training runs are small, too. `full`: the sizes of the paper.
    folder
        Write the page, tables and figures here. Default: PAPER-MODEL in the current folder.
    atlas
        The folder of an atlas. Keeps the studies; what it has is not run again. Default: one in the folder of
        the reproduction.
    recorded
        Recorded attention of the paper's own model: everything that maps alone can show is asked of it, too.
    """
    from attlas.papers.given_data import given_data
    from attlas.papers.runs import runs, trainings

    if data is not None and not data.is_dir():
        raise AttlasError(f"{option('data', str(data))}: there is no such folder")
    subject = load_options.load(model)
    place = folder or Path(f"{paper}-{Path(subject.name).stem}")
    check_writable(place, option("folder"), folder=True)
    kept = atlas or place / f"{Path(subject.name).stem}.attlas"
    there = given_data(data)
    planned = (
        []
        if _is_recorded(subject)
        else runs(paper, budget, there, subject.kinds[0] == "decoder", subject.longest or 128)
    )
    trained = [] if _is_recorded(subject) else trainings(paper, budget, there)
    if run_options.progress:
        _announce(paper, subject, planned, trained)
    place.mkdir(parents=True, exist_ok=True)
    left_out = _carry_out(paper, subject, planned, kept, run_options)
    if paper == "clark2019" and planned and not _has(kept, "resting", False):
        _rest(subject, there, kept, run_options)
    tuned = {t.name: _tuned(subject, t, there, place, kept, run_options) for t in trained}
    article = _article(paper, subject, kept, tuned, left_out)
    if recorded is not None:
        article = _with_recorded(paper, article, recorded, place, run_options)
    return _written(article, place)


def _is_recorded(subject: Subject) -> bool:
    from attlas.subject.recorded import RecordedModel

    return isinstance(subject.model, RecordedModel)


def _announce(paper: str, subject: Subject, planned: Sequence[Run], trained: Sequence[Training]) -> None:
    """What will run, and about how long it takes, before any of it runs."""
    from attlas.verbs.report import duration, seconds_of_a_pass

    hush()
    lines = [f"{paper} on {printable(subject.name)}: {len(subject.heads):,} heads"]
    if planned:
        once = seconds_of_a_pass(subject)
        lines += [f"  {run.what}: about {duration(run.passes * once)}" for run in planned]
        lines += [f"  fine-tuning on {t.name}: about {duration(t.passes * once)}" for t in trained]
        total = once * (sum(run.passes for run in planned) + sum(t.passes for t in trained))
        lines.append(f"  together about {duration(total)} on this machine as busy as it is now")
    print("\n".join(lines), file=sys.stderr, flush=True)


def _carry_out(
    paper: Paper, subject: Subject, planned: Sequence[Run], atlas: Path, run_options: RunOptions
) -> list[str]:
    """Runs what the atlas lacks, and gives a sentence for everything that could not be run."""
    from attlas.atlas import add_chapter
    from attlas.papers.vig_chapter import vig_chapter

    options = replace(run_options, resume=not run_options.overwrite)
    left_out = []
    if _is_recorded(subject) and not _has(atlas, "surface", False):
        _verbs()["map"](subject, sample=1, atlas=atlas, run_options=options)
    for run in planned:
        if _has(atlas, _STUDIES[run.verb], run.faithful) and not run_options.overwrite:
            continue
        try:
            _verbs()[run.verb](subject, **run.options, atlas=atlas, run_options=options)
        except AttlasError as error:
            left_out.append(f"Left out: {run.what}. {error}")
    if paper == "vig2019" and not _has(atlas, "vig2019", False):
        add_chapter(atlas, subject.describe(), vig_chapter(subject))
    return left_out


def _rest(subject: Subject, data: GivenData, atlas: Path, run_options: RunOptions) -> None:
    """Clark's "no-op": where words rest, by whether a relation applies to them."""
    from attlas.corpora.windows import SentenceWindows
    from attlas.papers.clark_numbers import RELATIONS_ASKED
    from attlas.studies.resting_study import RestingStudy
    from attlas.studies.study import Alone
    from attlas.verbs.option_groups import CorpusOptions
    from attlas.verbs.probe.annotated import corpus_at, windows_of
    from attlas.verbs.run_study import run_studies

    read = CorpusOptions()
    windows = windows_of(corpus_at(data.treebank, read), subject, SentenceWindows("words"), read)
    options = replace(run_options, resume=not run_options.overwrite)
    study = RestingStudy(windows, RELATIONS_ASKED)
    run_studies(Alone(study), [None], subject, options, atlas, lambda chapters: chapters)


#: verb -> the study that its chapter names
_STUDIES = {
    "map": "surface",
    "patterns": "patterns",
    "disable": "disable",
    "dependencies": "dependencies",
    "coreference": "coreference",
    "frames": "frames",
    "features": "features",
    "tree": "tree",
}


def _has(atlas: Path, study: str, faithful: bool) -> bool:
    from attlas.atlas import load_atlas
    from attlas.atlas.schema import MANIFEST
    from attlas.papers.paper_evidence import PaperEvidence

    return (atlas / MANIFEST).is_file() and PaperEvidence(load_atlas(atlas)).chapter(
        study, faithful
    ) is not None


def _verbs() -> Mapping[str, Callable[..., Any]]:
    from attlas import probe
    from attlas.verbs.disable import disable
    from attlas.verbs.map import map
    from attlas.verbs.patterns import patterns

    probes = ("dependencies", "coreference", "frames", "features", "tree")
    named = {name: getattr(probe, name) for name in probes}
    return {"map": map, "patterns": patterns, "disable": disable, **named}


def _tuned(
    subject: Subject, training: Training, data: GivenData, place: Path, atlas: Path, run_options: RunOptions
) -> FineTuned:
    """Fine-tunes on a task, compares the maps before and after, and disables each head on the task."""
    from attlas.atlas import load_atlas
    from attlas.papers.paper_evidence import FineTuned
    from attlas.papers.surface_items import SurfaceOf
    from attlas.studies.finetuning.finetuned import REPORT, Finetuned
    from attlas.verbs.compare import compare
    from attlas.verbs.disable import disable
    from attlas.verbs.finetune import finetune

    options = replace(run_options, resume=not run_options.overwrite)
    model = place / "models" / training.name.replace(" ", "-")
    task: dict[str, Any] = {"data": data.glue}
    if (model / REPORT).is_file():
        tuned = Finetuned.read(model)
    else:
        tuned = finetune(
            subject,
            training.task,
            **task,
            save=model,
            epochs=training.epochs,
            examples=training.examples,
            random_init=training.random_init,
            resume=options.resume and model.exists(),
            overwrite=options.overwrite,
            progress=options.progress,
        )
    result = FineTuned(
        tuned.report["final"], tuned.report["settings"]["examples"] or 0, training.examples is None
    )
    if training.random_init:
        return result
    chapter, tuned_atlas = f"compare-{training.task}", model.with_suffix(".attlas")
    read = load_atlas(atlas)
    if chapter not in read.chapters:
        compare(
            subject,
            model,
            **task,
            task=training.task,
            examples=training.compared,
            matched=0,
            shapes=training.compared,
            chapter=chapter,
            atlas=atlas,
            run_options=options,
        )
        read = load_atlas(atlas)
    if not _has(tuned_atlas, "disable", False):
        disable(
            model, training.task, **task, examples=training.disabled, atlas=tuned_atlas, run_options=options
        )
    disabled = load_atlas(tuned_atlas).table("disabled")
    return replace(
        result,
        compared=SurfaceOf(read, chapter, read.kinds[0]),
        shapes=read.tables.get(f"{chapter}/shapes"),
        disabled=disabled,
    )


def _article(
    paper: Paper, subject: Subject, atlas: Path, tuned: Mapping[str, FineTuned], left_out: Sequence[str]
) -> Article:
    from importlib import import_module

    from attlas.atlas import load_atlas
    from attlas.papers.article import Article
    from attlas.papers.paper_evidence import PaperEvidence

    module = import_module(f"attlas.papers.{paper}")
    evidence = PaperEvidence(load_atlas(atlas), tuned)
    return Article(
        module.TITLE,
        module.CITATION,
        evidence.model,
        tuple(left_out),
        tuple(module.items(evidence)),
        tuple(_figures(paper, evidence.atlas)),
    )


#: the paper's figure -> ours
_FIGURES: Mapping[str, Mapping[str, str]] = {
    "clark2019": {
        "Figure 1": "maps",
        "Figure 2": "targets",
        "Figure 3": "gradients",
        "Figure 4": "entropy",
        "Figure 6": "plane",
    },
    "kovaleva2019": {"section 4.1": "shapes"},
    "vig2019": {"pattern 1": "patterns"},
}


def _figures(paper: Paper, atlas: Atlas) -> Iterator[Any]:
    from attlas.figures.figure_specs import figure_spec
    from attlas.papers.article import Figure
    from attlas.papers.inline_svg import inline_svg

    for place, name in _FIGURES[paper].items():
        spec = figure_spec(atlas, name)
        panels = [panel for group in spec.groups for panel in group.panels]
        if panels:
            drawn = [(panel.title, inline_svg(panel, f"{name}-{i}")) for i, panel in enumerate(panels)]
            yield Figure(place, drawn, spec.caption)


def _with_recorded(
    paper: Paper, article: Article, recorded: Path, place: Path, run_options: RunOptions
) -> Article:
    """The same questions to recorded attention: those that it has an answer to."""
    from attlas.subject import load

    subject = load(str(recorded))
    atlas = place / "recorded.attlas"
    _carry_out(paper, subject, (), atlas, run_options)
    of_maps = _article(paper, subject, atlas, {}, ())
    answered = [
        replace(item, place=f"{item.place}, on recorded attention of {recorded.stem}")
        for item in of_maps.items
        if item.verdict not in ("data missing", "not comparable")
    ]
    return replace(article, items=(*article.items, *answered))


def _written(article: Article, place: Path) -> Reproduction:
    from attlas.papers.article import csv_of, page_of

    write_whole(place / "items.csv", csv_of(article.items).encode())
    page = write_whole(place / "index.html", page_of(article).encode())
    return Reproduction(article, place, page)
