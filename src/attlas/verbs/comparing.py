"""`compare` says what became of every head between models of one architecture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attlas.arguments import whole
from attlas.errors import AttlasError
from attlas.files import check_writable
from attlas.verbs.loading import EngineName, load
from attlas.verbs.parameters import explained

if TYPE_CHECKING:
    from attlas.corpora.classes import TokenClasses
    from attlas.corpora.source import Source
    from attlas.corpora.task_data import TaskData
    from attlas.studies.comparing.result import Comparison
    from attlas.subject import Subject
    from attlas.verbs.outputs import Outputs

    File = str | Path
    Corpus = Any
    Data = Any
else:
    # the terminal knows strings and paths only, and reads these annotations
    File = Comparison = Path
    Subject = Corpus = Data = str

PADDED_TO = 200  # as the original did
SENTENCES = ("The cat sat on the mat.", "It was asleep.")


@explained
def compare(
    model: str | Path | Subject,
    *others: str | Path | Subject,
    text: Corpus | None = None,
    data: Data | None = None,
    task: str | None = None,
    columns: Sequence[str] = (),
    label: str | None = None,
    numbers: bool = False,
    items: int | Literal["all"] = 1000,
    length: int = 128,
    matched: int = 40,
    shapes: int = 100,
    faithful: bool = False,
    seed: int = 0,
    names: Sequence[File] = (),
    atlas: File | None = None,
    resume: bool = False,
    overwrite: bool = False,
    figures: File | None = None,
    view: File | None = None,
    batch: int | None = None,
    engine: EngineName | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    progress: bool = True,
) -> Comparison:
    """Compare models of one architecture, head by head, on the same inputs: before and after fine-tuning, two
    seeds, moments of a training.

    Example: attlas compare mini mini-mrpc --data glue --task MRPC --figures figures

    Parameters
    ----------
    model
        The first model: the embedded `mini`, a folder that transformers saved, or a name on the hub.
    others
        One or more models of the same shape and tokenizer. Each is compared with the first.
    text
        What they read: text, JSON lines or Parquet, as for `attlas map`; the embedded sample of Wikipedia if
        neither this nor --data is given.
    data
        Read the development examples of a task instead: GLUE's folder, or what else `attlas finetune` takes.
    task
        The task of --data; that of a model that `attlas finetune` made, if not given.
    items
        How many inputs: the first of a text, of a task so many at random; `all` for all.
    length
        Tokens in an input, special tokens included.
    matched
        On how many of them every head is compared with every head, to find which does the work of which; 0
        leaves that out.
    shapes
        On how many of them the shapes of maps are named, to find which became which; 0 leaves that out.
    faithful
        Compare maps with their padding, to 200 tokens, as the original did.
    seed
        Seed of everything random.
    names
        Atlases that `attlas patterns` made, one of each model in their order: which pattern became which.
    atlas
        Write a chapter for each comparison into this atlas of the first model.
    figures
        The folder that heat maps and curves go to.
    view
        Write a page that shows the first two models side by side on one input, to this file.
    batch
        Inputs in a batch; chosen to suit the device if not given.
    """
    from attlas.studies.comparing.patterns import check_count, named_in
    from attlas.studies.comparing.result import Comparison as Made
    from attlas.studies.comparing.result import unlike
    from attlas.studies.comparing.study import Compare, Settings, check_comparable
    from attlas.studies.finetuning.result import how_it_was_trained
    from attlas.studies.results import NotWritten
    from attlas.verbs.outputs import Outputs, said

    if not others:
        raise AttlasError("name two models or more: each is compared with the first")
    if text is not None and data is not None:
        raise AttlasError("--text and --data are two ways to say what the models read: give one of them")
    of_a_task = {"--task": task is not None, "--columns": columns, "--label": label, "--numbers": numbers}
    if data is None and (alone := next((option for option, given in of_a_task.items() if given), None)):
        raise AttlasError(f"{alone} says which examples of a task are read: name their folder with --data")
    if faithful and data is None:
        raise AttlasError("--faithful compares examples of a task, padded as the original did: give --data")
    if items != "all" and whole("items", items) < 1:
        raise AttlasError(f"--items {items}: at least 1 is needed, or all")
    for option, count in (("--matched", matched), ("--shapes", shapes)):
        if count < 0:
            raise AttlasError(f"{option} {count}: 0 or more inputs")
    check_count(names, 1 + len(others))
    outputs = Outputs(
        None if atlas is None else Path(atlas),
        figures=None if figures is None else Path(figures),
        resume=resume,
        overwrite=overwrite,
        engine=engine,
        workers=workers,
        address=address,
        progress=progress,
    ).refuse_unwritable()
    if view is not None:
        check_writable(view, "--view")
    subjects = [
        load(each, device=device, dtype=dtype, trust_remote_code=trust_remote_code)
        for each in (model, *others)
    ]
    first, *rest = subjects
    for other in rest:
        check_comparable(first, other)
    training = [how_it_was_trained(s.origin.model if s.origin else None) for s in rest]
    if data is None:
        source, classes = _text(first, text, items, length, seed, batch)
    else:
        task = task or next((t["task"] for t in training if t is not None), None)
        examples = _dev_examples(task, columns, label, numbers, data)
        source, classes = _examples(first, examples, items, length, faithful, seed, batch)
    settings = Settings(None if data is None or items == "all" else items, matched, faithful, seed, shapes)
    named = [named_in(path, subject) for path, subject in zip(names, subjects, strict=False)]
    pairs = [(named[0], other) for other in named[1:]] if named else [None for _ in rest]
    studies = [
        Compare(first, other, source, classes, settings, trained, pair)
        for other, trained, pair in zip(rest, training, pairs, strict=True)
    ]
    titles = [name.replace(" ", "-") for name in unlike([study.name for study in studies])]
    result = partial(Made, first.name)
    made = result(outputs.run_each(zip(studies, titles, strict=True), first, result))
    written: list[str] = []
    try:
        # one by one: what is written before an error is told with it
        written.extend(_written(made, outputs, view, first, rest[0]))
    except (OSError, AttlasError) as error:
        raise NotWritten(said(error), replace(made, written=tuple(written))) from error
    return replace(made, written=tuple(written))


def _text(
    first: Subject, text: Any, items: int | Literal["all"], length: int, seed: int, batch: int | None
) -> tuple[Source, TokenClasses]:
    """What the models read, and the classes of its tokens."""
    from attlas.studies.mapping import surface_study

    study = surface_study(first, text, segments=items, length=length, seed=seed, batch=batch)
    return study.source, study.classes


def _dev_examples(
    task: str | None, columns: Sequence[str], label: str | None, numbers: bool, data: Any
) -> TaskData:
    from attlas.corpora.task_data import task_data, with_labels
    from attlas.corpora.tasks import task_named

    if task is None:
        raise AttlasError("--data needs a --task: which of its examples?")
    examples = task_data(task_named(task, columns, label, numbers), data, "dev")
    return replace(examples, task=with_labels(examples))


def _examples(
    first: Subject,
    examples: TaskData,
    items: int | Literal["all"],
    length: int,
    faithful: bool,
    seed: int,
    batch: int | None,
) -> tuple[Source, TokenClasses]:
    """What the models read, and the classes of its tokens."""
    from attlas.corpora.classes import TokenClasses
    from attlas.corpora.source import check_seed
    from attlas.corpora.task_source import TaskSource

    check_seed(seed)
    pad = max(PADDED_TO, length) if faithful else None
    first.check_length(pad or length, f"an input (--length {pad or length})")
    classes = TokenClasses(first.tokenizer)
    return TaskSource(examples, first.tokenizer, length, classes=classes, batch=batch, pad=pad), classes


def _written(
    made: Comparison, outputs: Outputs, view: File | None, first: Subject, second: Subject
) -> Iterator[str]:
    """What goes to the atlas, to the folder of figures and to the page, and where that is."""
    if outputs.atlas is not None:
        names = [chapter.name for chapter in made.chapters]
        are = "the chapter is" if len(names) == 1 else "the chapters are"
        yield f"{are} in {outputs.atlas}: {', '.join(names)}"
    if outputs.figures is not None:
        from attlas.figures.comparing import draw_comparison

        yield f"figures: {', '.join(str(path) for path in draw_comparison(made, outputs.figures))}"
    if view is not None:
        yield f"the page is {_side_by_side(first, second, Path(view))}"


def _side_by_side(first: Subject, other: Subject, path: Path) -> Path:
    from attlas.atlas.words import model_title
    from attlas.studies.comparing.result import unlike
    from attlas.views import view
    from attlas.views.beside import compare as beside

    before, after = unlike([model_title(first.name), model_title(other.name)])
    one, two = (view(subject, *SENTENCES) for subject in (first, other))
    return beside(one, two, (before, after)).save(path)
