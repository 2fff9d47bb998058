"""`attlas report`: everything about every head, on one page."""

from __future__ import annotations

import inspect
import os
import re
import sys
import time
import webbrowser
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

from attlas.choices import ReportBudget
from attlas.errors import AttlasError, call, option, printable
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.outputs import check_output, write_output
from attlas.progress import clear_status

if TYPE_CHECKING:
    from rich.console import Console

    from attlas.atlas import Atlas
    from attlas.reports.programme import Size, Step
    from attlas.subject import Subject

HEADVIS_SEGMENTS, HEADVIS_LENGTH = 100, 128  # texts from which those of each head are chosen
_LONGEST_NAME = 100  # characters
ModelOrAtlas = Annotated[Any, o.Written("str | Path | Subject | Atlas"), o.A_MODEL]


@dataclass(frozen=True, repr=False)
class ReportResult:
    """The atlas, the page, and what was left out: what it would tell, why, and the command that adds it."""

    atlas: Atlas
    page: Path
    left_out: tuple[tuple[str, str, str], ...] = ()

    def as_data(self) -> dict[str, Any]:
        from attlas.reports.asking import stands_out

        return {
            "atlas": None if self.atlas.path is None else str(self.atlas.path),
            "page": str(self.page),
            "left_out": [{"what": a, "why": b, "command": c} for a, b, c in self.left_out],
            "stands_out": list(stands_out(self.atlas)),
        }

    def show(self, console: Console) -> None:
        from attlas.reports.asking import stands_out
        from attlas.wording.printing import safe

        for sentence in stands_out(self.atlas):
            console.print(f"• {safe(sentence)}", soft_wrap=True, highlight=False)
        for what, why, command in self.left_out:
            because = f" ({why})" if why else ""
            console.print(
                f"Left out: {safe(what)}{safe(because)}. {safe(command)}", style="dim", soft_wrap=True
            )
        if self.atlas.path is not None:  # one that was read from another tool's files lies nowhere
            console.print(f"\nThe atlas is in [bold]{safe(self.atlas.path)}[/bold]", soft_wrap=True)
        console.print(f"The page is [bold]{safe(self.page)}[/bold]", soft_wrap=True)

    def __repr__(self) -> str:
        return f"ReportResult({self.page})"

    def _repr_html_(self) -> str:
        from attlas.reports.asking import stands_out
        from attlas.wording.printing import notes_html

        return notes_html([*stands_out(self.atlas), f"The page is {self.page}"])


@verb("Begin here")
def report(
    model: ModelOrAtlas = "mini",
    beside: o.AtlasOrFolder | None = None,
    *,
    budget: ReportBudget = "quick",
    page: o.OutputFile | None = None,
    open: bool = False,
    view: o.File | None = None,
    headvis: o.OutputFolder | None = None,
    text: o.Corpus = None,
    atlas: o.OutputAtlas | None = None,
    run_options: o.RunOptions = o.RunOptions(),
    twin_options: o.TwinOptions = o.TwinOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> ReportResult:
    """Write one page with everything about every head of a model.

    Given a model, it runs each study that applies and is not in the atlas yet: where heads look, patterns
    and shapes, relations of grammar, disabling. It first lists what it will run and about how long that
    takes. A report that was stopped continues. Given an atlas, it only writes the page. Given two atlases, it
    writes one page with both side by side.

    Example: attlas report mini --open

    Parameters
    ----------
    model
        Or recorded attention, or the folder of an atlas. A folder that HeadVis shows is read as an atlas.
    beside
        A second atlas: what heads of both do, what appeared, went and moved. `model` is an atlas, too.
    budget
        How much to run. `glance`: seconds on a small model, without the untrained twin. `quick`: minutes on
        a small model. `full`: every study at its own default size.
    page
        The HTML file to write. Default: NAME.html in the current folder.
    open
        Show the page in the browser.
    view
        A page that attlas view wrote of the same model: each card links to its head in it.
    headvis
        Also write the files that HeadVis shows (`config.json`, `scatter_data.json`, one file per head) into
        this folder. Takes a model.
    text
        What the model reads. A corpus, as `attlas map` takes it. Default: the embedded sample of Wikipedia.
    atlas
        The folder of an atlas. Keeps the studies. Default: NAME.attlas in the current folder.
    """
    read = _atlas_named(model)
    if view is not None:
        _check_view(view)
    if read is not None:
        for name, value in (("text", text), ("atlas", atlas), ("headvis", headvis)):
            if value is not None:
                raise AttlasError(f"{option(name)} goes with a model: an atlas is only written as a page")
        if beside is not None:
            return _write_beside(read, beside, page, view, open)
        return _write_page(read, page, view, open)
    if beside is not None:
        first = call("report", printable(str(model)))
        raise AttlasError(f"two atlases are put beside each other: make that of the model first, by {first}")
    from attlas.atlas import check_room, load_atlas

    subject = load_options.load(model)
    folder = atlas or Path(f"{Path(subject.name).name}.attlas")
    check_output(folder, "atlas", "atlas")
    check_room(folder, "surface", subject.describe(), replace=True)
    check_output(page or Path(f"{folder.stem}.html"), "page")
    if headvis is not None and not run_options.overwrite:
        from attlas.headvis.write_headvis import refuse_foreign_tree

        refuse_foreign_tree(headvis)
    left_out = _run(subject, folder, budget, {"text": text, **twin_options.values()}, run_options)
    result = _write_page(load_atlas(folder), page, view, open)
    if headvis is not None:
        _write_headvis(result.atlas, subject, text, headvis, run_options)
    tried = {what for what, _, _ in left_out}
    others = [left for left in result.left_out if left[0] not in tried]
    return replace(result, left_out=(*left_out, *others))


def _atlas_named(model: Any) -> Atlas | None:
    """The atlas that is meant, if it is one."""
    from attlas.atlas import Atlas, load_atlas
    from attlas.atlas.hub import is_hub_address
    from attlas.atlas.schema import MANIFEST
    from attlas.headvis.read_headvis import is_tree, read_headvis

    if isinstance(model, Atlas):
        return model
    if not isinstance(model, str | Path):
        return None
    if is_hub_address(model):
        return load_atlas(model)
    if is_tree(Path(model)):
        return read_headvis(Path(model))
    return load_atlas(model) if (Path(model) / MANIFEST).is_file() else None


def _check_view(view: Path) -> None:
    if not view.is_file():
        raise AttlasError(
            f"there is no view {view}: write it with attlas view MODEL TEXT {option('page', view)}"
        )
    with view.open("rb") as file:  # the body of a view begins with the place where it is drawn
        if b'<main id="attlas">' not in file.read(2**21):
            written = f"attlas view MODEL TEXT {option('page', 'PAGE.html')} writes one"
            raise AttlasError(f"{view} is not a view: {written}")


def _write_page(atlas: Atlas, page: Path | None, view: Path | None, shown: bool) -> ReportResult:
    from attlas.reports.asking import folder_name, model_name
    from attlas.reports.assembling import assemble
    from attlas.reports.page import page_html
    from attlas.reports.programme import missing_from

    file = page or Path(f"{_file_name(atlas)}.html")
    link = "" if view is None else quote(Path(os.path.relpath(view, file.parent)).as_posix())
    write_output(file, page_html(assemble(atlas, link)).encode())
    if shown:
        webbrowser.open(file.resolve().as_uri())
    missing = missing_from(atlas, model_name(atlas), folder_name(atlas))
    return ReportResult(atlas, file, tuple(missing))


def _file_name(atlas: Atlas) -> str:
    """How its page is called where nobody says. The name of a model comes from a file that anyone can write:
    its last part is taken, and of that only letters, digits, dots and hyphens."""
    if atlas.path is not None and atlas.path.name:
        return atlas.path.stem
    last = re.split(r"[/\\]", str(atlas.model["name"]))[-1][:_LONGEST_NAME]
    return re.sub(r"[^\w.-]+", "-", last).strip(".-") or "report"


def _write_beside(
    first: Atlas, second: Any, page: Path | None, view: Path | None, shown: bool
) -> ReportResult:
    from attlas.site.beside_page import beside_page
    from attlas.verbs import open_atlas

    if view is not None:
        raise AttlasError(f"{option('view')} goes with one atlas: cards of two link to no view")
    other = open_atlas(second)
    names = (atlas.path.stem if atlas.path is not None else "atlas" for atlas in (first, other))
    file = page or Path(f"{'-beside-'.join(names)}.html")
    write_output(file, beside_page(first, other))
    if shown:
        webbrowser.open(file.resolve().as_uri())
    return ReportResult(first, file)


def _write_headvis(
    atlas: Atlas, subject: Subject, text: Any, folder: Path, run_options: o.RunOptions
) -> None:
    from attlas.headvis.write_headvis import make_tree, write_tree
    from attlas.studies.study_items import text_items
    from attlas.studies.study_run import open_passes

    length = min(HEADVIS_LENGTH, subject.longest or HEADVIS_LENGTH)
    items = text_items(subject, o.TextOptions(text=text, segments=HEADVIS_SEGMENTS, length=length))
    with open_passes(subject, run_options.chosen_engine(), run_options.progress) as run:
        tree = make_tree(atlas, subject, items.source, run)
    write_tree(tree, folder)


def _run(
    subject: Subject,
    folder: Path,
    budget: ReportBudget,
    reading: Mapping[str, Any],
    run_options: o.RunOptions,
) -> tuple[tuple[str, str, str], ...]:
    """Run what the atlas lacks; `reading` are options of those verbs that have them. Return what was left
    out: what it would tell, why, and the command."""
    import shlex

    from attlas.reports.programme import steps

    model = shlex.quote(subject.name)
    there = set() if run_options.overwrite else _studies_in(folder)
    planned = [step for step in steps(_size(subject), budget) if step.study not in there]
    reasons = {step.study: why for step in planned if (why := _why_not(step, subject))}
    wanted = [step for step in planned if step.study not in reasons]
    if run_options.progress:
        _announce(subject, folder, wanted, there)
    for place, step in enumerate(wanted, 1):
        _say_step(f"{place} of {len(wanted)}: {step.tells}", run_options)
        try:
            _carry_out(step, subject, folder, reading, run_options)
        except AttlasError as error:
            if step.study == "surface":
                raise  # without it there is no report
            reasons[step.study] = str(error)
    return tuple(
        (step.tells, reasons[step.study], step.command(model, shlex.quote(str(folder))))
        for step in planned
        if step.study in reasons
    )


def _say_step(what: str, run_options: o.RunOptions) -> None:
    """A line where no progress bar is seen: output that goes to a file."""
    if run_options.progress and not sys.stderr.isatty():
        print(f"{time.strftime('%H:%M:%S')}  {what}", file=sys.stderr, flush=True)


def _studies_in(folder: Path) -> set[str]:
    from attlas.atlas import load_atlas
    from attlas.atlas.schema import MANIFEST

    if not (folder / MANIFEST).is_file():
        return set()
    atlas = load_atlas(folder)
    return {str(atlas.about(chapter).get("study")) for chapter in atlas.chapters}


def _size(subject: Subject) -> Size:
    from attlas.reports.programme import Size

    embedded = {
        id(p) for m in subject.model.modules() if hasattr(m, "num_embeddings") for p in m.parameters()
    }
    parameters = sum(p.numel() for p in subject.model.parameters() if id(p) not in embedded)
    return Size(parameters, len(subject.heads), subject.longest, "decoder" in subject.kinds)


def _why_not(step: Step, subject: Subject) -> str:
    """Why a study does not apply to the model; empty where it does."""
    from attlas.subject.embedding import classifies, embeds
    from attlas.subject.losses import no_objective
    from attlas.subject.recorded import RecordedModel

    if isinstance(subject.model, RecordedModel):
        return "" if step.study == "surface" else "this is attention without its model"
    if step.study == "disable" and not subject.interface:
        return "the model does not use transformers' attention interface"
    if step.study == "disable" and (missing := no_objective(subject)):
        return "" if embeds(subject) or classifies(subject) else f"the model has {missing}"
    return ""


def _announce(subject: Subject, folder: Path, wanted: list[Step], there: set[str]) -> None:
    """What will run, and about how long it takes, before any of it runs."""
    clear_status()
    lines = [f"{printable(subject.name)}: {len(subject.heads):,} heads, into {printable(str(folder))}"]
    if there:
        lines.append(f"  there already: {', '.join(sorted(there))}")
    if wanted:
        from attlas.papers.pace import measure_pace

        once = measure_pace(subject).once
        lines += [f"  {step.tells}: about {duration(step.passes * once)}" for step in wanted]
        total = sum(step.passes for step in wanted) * once
        lines.append(f"  together about {duration(total)} on this machine, if it stays as busy as now")
    print("\n".join(lines), file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{max(1, round(seconds)):.0f} seconds"


def _carry_out(
    step: Step, subject: Subject, folder: Path, reading: Mapping[str, Any], run_options: o.RunOptions
) -> None:
    """Runs the verb, as its command would."""
    from attlas.atlas.catalogue import CATALOGUE
    from attlas.verbs import every_verb

    run = every_verb()[CATALOGUE[step.study].verb.split()[-1]]
    options: dict[str, Any] = {**step.options, "atlas": folder}
    options["run_options"] = replace(run_options, resume=not run_options.overwrite)
    known = inspect.signature(run).parameters
    asked = {name: value for name, value in reading.items() if value is not None and name in known}
    options = {**asked, **options}
    run(subject, **options)
