"""`finetune` trains a model on a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attlas.errors import AttlasError
from attlas.verbs.loading import load
from attlas.verbs.parameters import explained

if TYPE_CHECKING:
    from attlas.studies.finetuning.result import Finetuned
    from attlas.subject import Subject

    File = str | Path
    Data = Any
else:
    # the terminal knows strings and paths only, and reads these annotations
    File = Finetuned = Path
    Subject = Data = str

Precision = Literal["float32", "bfloat16"]


@explained
def finetune(
    model: str | Path | Subject,
    task: str,
    *,
    data: Data,
    dev: File | None = None,
    columns: Sequence[str] = (),
    label: str | None = None,
    numbers: bool = False,
    out: File | None = None,
    epochs: float = 3,
    batch: int = 32,
    rate: float = 5e-5,
    warm_up: float = 0.1,
    decay: float = 0.01,
    length: int = 128,
    examples: int | None = None,
    random_init: bool = False,
    random_labels: bool = False,
    seed: int = 0,
    precision: Precision = "float32",
    resume: bool = False,
    overwrite: bool = False,
    strict: bool = False,
    device: str | None = None,
    trust_remote_code: bool = False,
    progress: bool = True,
) -> Finetuned:
    """Fine-tune a model on a task, and leave it in a folder with its scores and what training did to it.

    Example: attlas finetune mini MRPC --data glue --out mini-mrpc

    Parameters
    ----------
    model
        The embedded `mini`, a folder that transformers saved, or a name on the hub.
    task
        CoLA, SST-2, MRPC, STS-B, QQP, MNLI, QNLI or RTE of GLUE; or any name, with --columns, for your own.
    data
        GLUE's folder; or one with train and dev files, *.tsv (tabs, no quoting) or *.jsonl; or a file to
        train on, with --dev; or a folder that `datasets` saved. In Python also a dictionary of data sets.
    dev
        The file to score on, where --data names a file.
    columns
        The columns of your own texts, one or two.
    label
        The column of your own labels; `label` if not given.
    numbers
        Your labels are numbers to be predicted, not classes.
    out
        The folder the model goes to; MODEL-TASK in the current folder if not given.
    epochs
        How often every example is seen.
    batch
        Examples in a step.
    rate
        The learning rate at its peak.
    warm_up
        The share of all steps over which the rate rises; then it falls to 0.
    decay
        Weight decay.
    length
        Tokens in an input, special tokens included; longer ones lose the end of their longer text.
    examples
        Train on so many examples only, drawn at random.
    random_init
        Begin with weights at random: a control for what pre-training gave.
    random_labels
        Train on shuffled labels: a control for what training alone does.
    seed
        Seed of everything random.
    precision
        float32, or bfloat16 where the device has it.
    resume
        Continue a run that was stopped, from its last epoch.
    overwrite
        Replace a model, or an unfinished run, that is there already.
    strict
        Stop at a line that is not whole, instead of skipping and counting it.
    """
    from attlas.corpora.source import check_seed
    from attlas.corpora.task_data import task_data, with_labels
    from attlas.corpora.task_source import TaskSource
    from attlas.corpora.tasks import task_named
    from attlas.studies.finetuning.train import Settings, fine_tune

    check_seed(seed)
    settings = Settings(
        epochs, batch, rate, warm_up, decay, seed, random_init, random_labels, examples, precision
    )
    named = task_named(task, columns, label, numbers)
    training = task_data(named, data, "train")
    scored = task_data(named, data if dev is None else dev, "dev")
    if scored.path is not None and scored.path == training.path:
        raise AttlasError(
            f"{scored.path} cannot be what a model is trained on and scored on: name a --dev file"
        )
    own = with_labels(training)
    subject = load(model, device=device, trust_remote_code=trust_remote_code)
    if subject.tokenizer is None:
        raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
    subject.check_length(length, f"an input (--length {length})")
    learned, answered = (
        TaskSource(replace(part, task=own), subject.tokenizer, length, strict=strict)
        for part in (training, scored)
    )
    name = f"{Path(subject.name).name}-{own.name}".lower()
    return fine_tune(
        subject,
        learned,
        answered,
        settings,
        Path(name if out is None else out),
        resume=resume,
        overwrite=overwrite,
        progress=progress,
    )
