"""`disable`: what a model loses without each of its heads and layers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attlas.corpora.source import check_seed
from attlas.verbs.loading import EngineName, load
from attlas.verbs.parameters import at_least, explained

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
    edit
        `uniform`: even weights over what may be seen, as in Kovaleva 2019; `zero`: the head gives nothing;
        `mean`: it gives its mean output over the corpus; `shuffle`: it attends as in another input of the
        same length.
    heads
        Only these, each by itself: 7.9, "layer 7" or 7.*, cross.0.3; 7.9,7.10 are disabled together. All
        heads and layers if not given.
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
    from attlas.studies.disabling.result import DisableResult as Result
    from attlas.studies.disabling.source import EvaluationRequest
    from attlas.studies.disabling.study import Disable, sets_named
    from attlas.verbs.outputs import Outputs

    at_least(segments=segments, length=length, batch=1 if batch is None else batch)
    at_least(examples=1 if examples is None else examples)
    check_seed(seed)
    outputs = Outputs(
        atlas, chapter, figures, csv, resume, overwrite, engine, workers, address, progress
    ).refuse_unwritable()
    subject = load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)
    evaluation = EvaluationRequest(
        task=task,
        data=data,
        columns=tuple(columns),
        label=label,
        numbers=numbers,
        metric=metric,
        examples=examples,
        text=text,
        field=field,
        segments=segments,
        length=length,
        seed=seed,
        batch=batch,
        strict=strict,
    ).evaluation(subject)
    sets = sets_named(heads, subject.heads)
    study = Disable(
        subject, evaluation.source, edit, sets, seed, evaluation.measure, evaluation.metric, kernel
    )
    return outputs.carry_out(study, subject, Result)
