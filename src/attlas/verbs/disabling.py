"""`disable`: what a model loses without each of its heads and layers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attlas.corpora.source import check_seed
from attlas.probe.parameters import at_least, explained
from attlas.verbs.loading import EngineName, load

if TYPE_CHECKING:
    from attlas.studies.disabling.result import DisableResult
    from attlas.subject import Subject

    Corpus = Any
else:
    # the terminal knows strings and paths only, and reads these annotations
    Subject = DisableResult = Corpus = str

Edit = Literal["uniform", "zero", "mean", "shuffle"]


@explained
def disable(
    model: str | Path | Subject = "mini",
    task: str | None = None,
    *,
    data: Corpus | None = None,
    columns: Sequence[str] = (),
    label: str | None = None,
    numbers: bool = False,
    metric: str | None = None,
    examples: int | None = None,
    text: Corpus | None = None,
    field: str | None = None,
    edit: Edit = "uniform",
    heads: Sequence[str] = (),
    segments: int = 100,
    length: int = 128,
    strict: bool = False,
    seed: int = 0,
    batch: int | None = None,
    kernel: str | None = None,
    atlas: Path | None = None,
    chapter: str | None = None,
    figures: Path | None = None,
    csv: Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    engine: EngineName | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    progress: bool = True,
) -> DisableResult:
    """What does the model lose without each of its heads and layers?

    Each head, and each layer, is disabled by itself; the score on the same items is compared with that of the
    model as it is, with an interval over items and a p-value corrected for the number of heads. Without a
    task, the score is the loss of masked words, or of the next token, on a text. Heads without any effect on
    the output are named; if all are such, that is an error.

    Example: attlas disable mini --edit zero --segments 50 --atlas out/mini.attlas --figures out/figures

    Parameters
    ----------
    task
        A task of GLUE, as in RTE, that the model was fine-tuned on; or a name for your own, with --columns.
    data
        The task's data: GLUE's folder, a folder of the task, or a file (TSV or JSON lines) of examples.
    columns
        The columns of the texts in data of your own: one, or two.
    label
        The column of the label in data of your own.
    numbers
        The label is a number to be predicted, not a class.
    metric
        Which of the task's metrics: accuracy, f1, matthews, pearson or spearman; GLUE's own if not given.
    examples
        How many examples of the task to take, from its beginning; all if not given.
    text
        Text, JSON lines or Parquet, as `attlas map` takes it. Without it, the embedded sample of Wikipedia.
    field
        The field of a record that holds its text, where that is not called `text`.
    edit
        `uniform`: even weights over what may be seen, as in Kovaleva 2019; `zero`: the head gives nothing;
        `mean`: it gives its mean output over the corpus; `shuffle`: it attends as in another input of the
        same length.
    heads
        Only these, each by itself: 7.9, "layer 7" or 7.*, cross.0.3; 7.9,7.10 are disabled together. All
        heads and layers if not given.
    segments
        How many segments of the text to take, from its beginning.
    length
        Tokens in a segment, special tokens included.
    batch
        Items in a batch, of which copies run together; 8 if not given.
    kernel
        How attention is computed: triton (on a GPU), tiled, or eager; chosen to suit the device if not given.
    seed
        Seed of masked words and of the bootstrap.
    chapter
        Name of the chapter, instead of disable-CORPUS, with the edit where it is not uniform.
    """
    from attlas.probe.running import Outputs
    from attlas.studies.disabling.result import DisableResult as Result
    from attlas.studies.disabling.source import Judged
    from attlas.studies.disabling.study import Disable, sets_named

    at_least(segments=segments, length=length, batch=1 if batch is None else batch)
    at_least(examples=1 if examples is None else examples)
    check_seed(seed)
    outputs = Outputs(
        atlas, chapter, figures, csv, resume, overwrite, engine, workers, address, progress
    ).refuse_unwritable()
    subject = load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)
    judged = Judged(task, data, tuple(columns), label, numbers, metric, examples, text, field, segments)
    found = judged.by(subject, length, seed, batch, strict)
    sets = sets_named(heads, subject.heads)
    study = Disable(subject, found.source, edit, sets, seed, found.measure, found.score, kernel)
    return outputs.carry_out(study, subject, Result)
