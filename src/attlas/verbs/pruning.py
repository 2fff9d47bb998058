"""`prune`: how many heads can go, in which order, and a smaller model without them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attlas.corpora.source import check_seed
from attlas.errors import AttlasError
from attlas.verbs.loading import EngineName, load
from attlas.verbs.parameters import at_least, explained

if TYPE_CHECKING:
    from attlas.studies.pruning.result import PruneResult
    from attlas.subject import Subject

    Corpus = Any
else:
    # the terminal knows strings and paths only, and reads these annotations
    Subject = PruneResult = Corpus = str

MOST_RANDOM = 1000  # each is a curve of its own
Order = Literal["effect", "gradient", "greedy"]


@explained
def prune(
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
    orders: Sequence[Order] = ("effect", "gradient"),
    steps: int = 10,
    random: int = 5,
    keep: float | None = None,
    save: Path | None = None,
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
) -> PruneResult:
    """How many heads can go, and in which order?

    One half of the items says how important each head is; on the other half, heads are taken away in that
    order, and in random orders beside it. --keep and --save write a really smaller model.

    Example: attlas prune mini --segments 60 --keep 0.5 --save out/mini-half --figures out/figures

    Parameters
    ----------
    orders
        `effect`: what is lost without the head alone; `gradient`: of a gate of the head, as in Michel 2019;
        `greedy`: what is lost without it once others are gone, asked again at every step (slow).
    steps
        Points of a curve, from all heads to none.
    random
        How many random orders stand beside.
    keep
        The share of heads that a smaller model keeps, by the first of the orders.
    save
        Write the smaller model to this folder.
    length
        Tokens in a segment, special tokens included.
    batch
        Items in a batch, of which copies run together; 8 if not given.
    kernel
        How attention is computed: triton (on a GPU), tiled, or eager; chosen to suit the device if not given.
    seed
        Seed of masked words, of the halves, of random orders and of the bootstrap.
    chapter
        Name of the chapter, instead of prune-CORPUS.
    """
    from attlas.studies.disabling.source import EvaluationRequest
    from attlas.studies.pruning.result import PruneResult as Result
    from attlas.studies.pruning.study import Prune
    from attlas.studies.results import NotWritten
    from attlas.verbs.outputs import Outputs, said

    at_least(segments=segments, length=length, batch=1 if batch is None else batch, steps=steps)
    at_least(examples=1 if examples is None else examples, orders=len(orders))
    check_seed(seed)
    if not 0 <= random <= MOST_RANDOM:
        raise AttlasError(f"--random {random}: from 0 to {MOST_RANDOM:,} random orders")
    if (keep is None) is not (save is None):
        raise AttlasError("--keep says how much a smaller model keeps, and --save where it goes: give both")
    if keep is not None and not 0 < keep < 1:
        raise AttlasError(f"--keep {keep}: a share of the heads is needed, as in 0.5")
    outputs = Outputs(
        atlas, chapter, figures, csv, resume, overwrite, engine, workers, address, progress
    ).refuse_unwritable()
    subject = load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)
    if save is not None and keep is not None:
        from attlas.studies.pruning.save import refuse_unsavable

        refuse_unsavable(subject, save, keep)
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
    study = Prune(
        subject,
        evaluation.source,
        tuple(dict.fromkeys(orders)),
        steps,
        random,
        keep,
        seed,
        evaluation.measure,
        evaluation.metric,
        kernel,
    )
    result = outputs.carry_out(study, subject, Result)
    if save is None:
        return result
    try:
        return study.save(result, save)
    except (OSError, AttlasError) as error:
        raise NotWritten(said(error), result) from error
