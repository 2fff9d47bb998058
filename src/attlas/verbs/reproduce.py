"""`attlas reproduce`: a paper's tables, figures and claims, on your model."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attlas.choices import Budget, Paper
from attlas.errors import AttlasError, option, printable
from attlas.files import write_whole
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.outputs import check_output, write_output
from attlas.progress import clear_status
from attlas.verbs import every_verb

if TYPE_CHECKING:
    from rich.console import Console

    from attlas.papers.article import Article, Figure
    from attlas.papers.paper_evidence import PaperEvidence
    from attlas.papers.paper_figures import PaperFigure
    from attlas.papers.runs import Run, Training
    from attlas.subject import Subject


@dataclass(frozen=True, repr=False)
class Reproduction:
    """What a paper reports beside what the model shows: `items`, each with its verdict; the page and the
    folder with tables and figures."""

    paper: str
    article: Article
    folder: Path
    page: Path

    def as_data(self) -> dict[str, Any]:
        return {
            "paper": self.paper,
            "model": self.article.model,
            "summary": self.article.summary,
            "verdicts": self.article.counts,
            "items": [
                {
                    "place": item.place,
                    "what": item.what,
                    "detail": item.detail,
                    "paper": item.reported.words,
                    "faithful": None if item.faithful is None else item.faithful.value,
                    "corrected": None if item.corrected is None else item.corrected.value,
                    "untrained": None if item.untrained is None else item.untrained.value,
                    "chance": item.chance,
                    "threshold": item.threshold,
                    "unit": item.unit,
                    "interval": None if item.corrected is None else item.corrected.bounds,
                    "where": "" if item.measured is None else item.measured.where,
                    "verdict": item.verdict,
                    "why": item.why,
                    "claim": item.claim,
                    "points": [
                        {"layer": p.name, "paper": p.paper, "faithful": p.faithful, "corrected": p.corrected}
                        for p in item.points
                    ],
                }
                for item in self.article.every_item
            ],
            "page": str(self.page),
        }

    def show(self, console: Console) -> None:
        from attlas.papers.article import VERDICTS
        from attlas.wording.printing import ResultTable, safe

        console.print(safe(self.article.summary), soft_wrap=True, highlight=False)
        rows = [[verdict, str(number), VERDICTS[verdict]] for verdict, number in self.article.counts.items()]
        ResultTable(("verdict", "items", "means"), rows, words={"verdict", "means"}).show(console)
        console.print(f"\nThe page is [bold]{safe(self.page)}[/bold]", soft_wrap=True)

    def __repr__(self) -> str:
        return f"Reproduction({self.article.summary})"


@verb("Begin here")
def reproduce(
    paper: Paper,
    model: o.Model = "mini",
    *,
    data: o.File | None = None,
    budget: Budget = "quick",
    folder: o.OutputFolder | None = None,
    atlas: o.OutputAtlas | None = None,
    recorded: Sequence[o.File] = (),
    other_model: Annotated[Any, o.Written("str | Path | Subject | None")] = None,
    run_options: o.RunOptions = o.RunOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
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
        Or recorded attention (.npz, .safetensors).
    data
        A folder or file of data. A folder with what you have of the papers' data: a treebank
        (*.conllu), GUM or OntoNotes, framenet_v17, GLUE's folder, glove*.txt.
        Archives of them are unpacked into the folder of the reproduction.
    budget
        How much to run. `quick`: minutes on a small model. Training runs are small, too. `full`: the sizes of
        the paper.
    folder
        Write the page, tables and figures here. Default: PAPER-MODEL in the current folder.
    atlas
        The folder of an atlas. Keeps the studies; what it has is not run again. Default: one in the folder of
        the reproduction.
    recorded
        Recorded attention of the paper's own model, one file or several: everything that maps alone can show
        is asked of it, too.
    other_model
        Another model, for clark2019: do its layers do the same, as those of a cased and an uncased BERT? Only
        where it looks is measured.
    """
    from attlas.atlas import load_atlas
    from attlas.atlas.disk import check_room
    from attlas.atlas.schema import MANIFEST
    from attlas.papers.paper_evidence import PaperEvidence
    from attlas.papers.paper_studies import fine_tuned, is_recorded, is_trained, lacking, run_missing
    from attlas.papers.runs import find_data, plan_recorded_runs, plan_runs, plan_trainings, unpack_archives
    from attlas.subject.losses import has_objective

    if data is not None and not data.is_dir():
        raise AttlasError(f"{option('data', str(data))}: there is no such folder")
    if other_model is not None and paper != "clark2019":
        raise AttlasError(f"{option('other_model')} goes with clark2019: only it compares two models")
    subject, recordings = load_options.load(model), _load_recordings(recorded)
    other = None if other_model is None else load_options.load(other_model)
    place = folder or Path(f"{paper}-{Path(subject.name).stem}")
    check_output(place, "folder", "folder")
    kept = atlas or place / f"{Path(subject.name).stem}.attlas"
    check_room(kept, paper, subject.describe(), replace=True)
    place.mkdir(parents=True, exist_ok=True)
    there = find_data() if data is None else find_data(data, unpack_archives(paper, data, place / "data"))
    if is_recorded(subject):
        planned, trained = plan_recorded_runs(paper), []
    else:
        causal, longest = subject.kinds[0] == "decoder", subject.longest or 128
        planned = plan_runs(paper, budget, there, causal, longest, has_objective(subject))
        trained = plan_trainings(paper, budget, there)
    of_twin = kept.with_name(f"{kept.stem}-untrained.attlas")
    if run_options.progress:
        left = planned if run_options.overwrite else lacking(planned, kept, of_twin)
        _announce(
            paper, subject, left, [t for t in trained if run_options.overwrite or not is_trained(place, t)]
        )
    verbs, tuned = every_verb(), {}
    left_out = run_missing(verbs, subject, planned, kept, run_options, of_twin)
    if left_out and not (kept / MANIFEST).is_file():  # a full disk, say
        raise AttlasError(f"nothing of {paper} could be run. {left_out[0]}")
    features = next((run.options for run in planned if run.verb == "features"), None)
    for training in trained:
        try:
            tuned[training.name] = fine_tuned(
                every_verb(), subject, training, there, place, kept, run_options, features
            )
        except AttlasError as error:
            left_out.append(f"Left out: fine-tuning on {training.name}. {error}")
    of_other = None if other is None else _map_beside(other, planned, place, run_options)
    twin = PaperEvidence(load_atlas(of_twin)) if (of_twin / MANIFEST).is_file() else None
    evidence = PaperEvidence(load_atlas(kept), tuned, twin, of_other, quick=budget == "quick")
    command = _command(paper, subject, data, budget, atlas, recorded, None if other is None else other.name)
    article, figures = _article(paper, evidence, left_out, command)
    article = replace(article, links=_views(paper, subject, evidence, place, "views"))
    for number, (name, recording) in enumerate(recordings.items()):
        article = _with_recorded(paper, article, name, recording, place, number, run_options)
    return _write_pages(paper, article, figures, place)


def _announce(paper: str, subject: Subject, planned: Sequence[Run], trained: Sequence[Training]) -> None:
    """What will run, and about how long it takes, before any of it runs."""
    from attlas.papers.pace import measure_pace
    from attlas.verbs.report import duration

    clear_status()
    lines = [f"{paper} on {printable(subject.name)}: {len(subject.heads):,} heads"]
    if planned or trained:
        pace = measure_pace(subject)
        lines += [f"  {run.what}: about {duration(run.seconds(pace))}" for run in planned]
        lines += [f"  fine-tuning on {t.name}: about {duration(t.seconds(pace))}" for t in trained]
        total = sum(run.seconds(pace) for run in planned) + sum(t.seconds(pace) for t in trained)
        lines.append(f"  together about {duration(total)} on this machine, if it stays as busy as now")
    else:
        lines.append("  all of it is in the atlas: nothing is measured again")
    print("\n".join(lines), file=sys.stderr, flush=True)


def _map_beside(
    other: Subject, planned: Sequence[Run], place: Path, run_options: o.RunOptions
) -> PaperEvidence:
    """Where the heads of another model look, in an atlas of its own."""
    from attlas.atlas import load_atlas
    from attlas.papers.paper_evidence import PaperEvidence
    from attlas.papers.paper_studies import run_missing

    atlas = place / f"{Path(other.name).stem}-beside.attlas"
    alone = [run for run in planned if run.verb == "map" and not run.faithful]
    if problems := run_missing(every_verb(), other, alone, atlas, run_options):
        raise AttlasError(problems[0])
    return PaperEvidence(load_atlas(atlas))


def _command(
    paper: Paper,
    subject: Subject,
    data: Path | None,
    budget: Budget,
    atlas: Path | None = None,
    recorded: Sequence[Path] = (),
    other_model: str | None = None,
) -> str:
    """What to type to have it again."""
    words = ["attlas", "reproduce", paper, str(subject.name), "--budget", budget]
    words += [] if data is None else ["--data", str(data)]
    words += [] if atlas is None else ["--atlas", str(atlas)]
    for path in recorded:
        words += ["--recorded", str(path)]
    words += [] if other_model is None else ["--other-model", other_model]
    return printable(shlex.join(words))


def _article(
    paper: Paper, evidence: PaperEvidence, left_out: Sequence[str], command: str = ""
) -> tuple[Article, list[PaperFigure]]:
    from importlib import import_module

    from attlas.papers.article import Article
    from attlas.papers.paper_figures import paper_figures

    module = import_module(f"attlas.papers.{paper}")
    figures = paper_figures(paper, evidence)
    article = Article(
        module.TITLE,
        module.CITATION,
        evidence.model,
        tuple(left_out),
        tuple(module.items(evidence)),
        tuple(_inline(figures)),
        command=command,
    )
    return article, figures


def _inline(figures: Sequence[PaperFigure], prefix: str = "") -> Iterator[Figure]:
    from attlas.papers.article import Figure, inline_svg

    for number, figure in enumerate(figures):
        panels = [panel for group in figure.spec.groups for panel in group.panels]
        drawn = [
            (panel.title, panel.subtitle, inline_svg(panel, f"{prefix}{number}-{place}"))
            for place, panel in enumerate(panels)
        ]
        yield Figure(figure.place, figure.title, drawn, figure.spec.caption)


def _views(
    paper: Paper, subject: Subject, evidence: PaperEvidence, place: Path, name: str
) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Vig's figures are views: a page that opens at the head of each pattern, on his sentences."""
    from attlas.options.view_options import ViewOptions
    from attlas.papers.vig2019 import PATTERNS, SENTENCES
    from attlas.subject.recorded import RecordedModel
    from attlas.verbs.view import view

    table = evidence.table("vig_sentences", "vig2019") if paper == "vig2019" else None
    links: dict[str, list[tuple[str, str]]] = {}
    recording = subject.model.recording.path if isinstance(subject.model, RecordedModel) else None
    for row in [] if table is None else table.to_dict("records"):
        layer, head = int(row["layer"]), int(row["head"])
        if row["pattern"] not in PATTERNS:  # a name in an atlas is no part of a path
            continue
        address = f"{name}/pattern-{row['pattern']}-{layer}.{head}.html"
        opens = ViewOptions(layer=layer, heads=[head])
        if not (place / address).is_file():
            (place / name).mkdir(exist_ok=True)
            shown = (str(recording),) if recording is not None else (subject, *SENTENCES)
            view(*shown, page=place / address, view_options=opens)
        words = f"Look at head {layer}.{head} on these sentences: every head and layer is a click away."
        links.setdefault(f"pattern {row['pattern']}", []).append((words, address))
    return links


def _load_recordings(files: Sequence[Path]) -> dict[str, Subject]:
    """Load the recorded attention by the names of its files, before anything runs: a file that cannot be read
    would be found out at the very end."""
    from attlas.papers.paper_studies import is_recorded
    from attlas.subject import load

    loaded: dict[str, Subject] = {}
    for file in files:
        loaded[file.stem] = load(str(file))
        if not is_recorded(loaded[file.stem]):
            why = "is a model, not recorded attention: reproduce the paper on it by itself"
            raise AttlasError(f"{option('recorded', str(file))} {why}")
    return loaded


def _with_recorded(
    paper: Paper,
    article: Article,
    name: str,
    subject: Subject,
    place: Path,
    number: int,
    run_options: o.RunOptions,
) -> Article:
    """The same questions to recorded attention: those that it has an answer to."""
    from attlas.atlas import load_atlas
    from attlas.papers.paper_evidence import PaperEvidence
    from attlas.papers.paper_figures import paper_figures
    from attlas.papers.paper_studies import run_missing
    from attlas.papers.runs import plan_recorded_runs

    atlas = place / f"{name}.attlas"
    left_out = run_missing(every_verb(), subject, plan_recorded_runs(paper), atlas, run_options)
    evidence = PaperEvidence(load_atlas(atlas))
    of_recorded, _ = _article(paper, evidence, left_out)

    def there(section: str) -> str:
        return f"{section}, on recorded attention of {name}"

    answered = [
        replace(item, place=there(item.place)) for item in of_recorded.items if item.verdict != "not asked"
    ]
    links = _views(paper, subject, evidence, place, f"views-{name}")
    drawn = _inline(paper_figures(paper, evidence), f"recorded{number}-")
    return replace(
        article,
        recorded=(*article.recorded, *answered),
        figures=(*article.figures, *(replace(figure, place=there(figure.place)) for figure in drawn)),
        links={**article.links, **{there(section): pages for section, pages in links.items()}},
    )


def _write_pages(paper: Paper, article: Article, figures: Sequence[PaperFigure], place: Path) -> Reproduction:
    """The page, a table a section, the figures, and everything as JSON."""
    from attlas.figures.drawing import save_specs
    from attlas.papers.article import format_csv, name_table, render_page
    from attlas.papers.paper_figures import number_files

    write_output(place / "items.csv", format_csv(article.every_item))
    for number, (section, items) in enumerate(article.by_place.items(), 1):
        write_output(place / "tables" / f"{number:02d}-{name_table(section)}.csv", format_csv(items))
    save_specs(number_files(figures), place / "figures", ("svg",))
    page = write_output(place / "index.html", render_page(article))
    made = Reproduction(paper, article, place, page)
    write_whole(place / "items.json", json.dumps(made.as_data(), indent=1) + "\n")
    return made
