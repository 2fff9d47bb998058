"""`attlas finetune`: a model trained on a task."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from attlas.errors import AttlasError, option
from attlas.extras import require
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.outputs import check_output

if TYPE_CHECKING:
    from attlas.studies.finetuning.finetuned import Finetuned


@verb("Change")
def finetune(
    model: o.Model,
    task: str,
    *,
    dev: o.File | None = None,
    save: o.WholeFolder | None = None,
    epochs: Annotated[o.Number, Field(gt=0)] = 3,
    batch: o.Count = 32,
    learning_rate: Annotated[o.Number, Field(gt=0)] = 5e-5,
    warmup: Annotated[o.Number, Field(ge=0, lt=1)] = 0.1,
    weight_decay: Annotated[o.Number, Field(ge=0)] = 0.01,
    length: Annotated[o.Whole, Field(ge=4)] = 128,
    random_init: bool = False,
    random_labels: bool = False,
    seed: o.Seed = 0,
    precision: Literal["float32", "bfloat16"] = "float32",
    strict: o.Strict = False,
    task_options: o.TaskOptions = o.TaskOptions(),
    run_options: o.ResumeOptions = o.ResumeOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> Finetuned:
    """Fine-tune a model on a task, and leave it in a folder with its scores and what training did to it.

    Example: attlas finetune mini MRPC --data glue --save mini-mrpc

    Parameters
    ----------
    model
        A GGUF file cannot be trained.
    task
        A task of GLUE (CoLA, SST-2, MRPC, STS-B, QQP, MNLI, QNLI, RTE), or a name for your own, with
        --columns.
    dev
        The file to score on, where --data names a file.
    save
        Write the model to this folder. Default: MODEL-TASK in the current folder.
    epochs
        Passes over the training data.
    batch
        Segments, or examples, per batch. A batch is a training step.
    learning_rate
        The learning rate at its peak.
    warmup
        Share of the steps during which the learning rate rises. It then falls to 0.
    weight_decay
        Weight decay.
    length
        Most tokens that the model reads at once, special tokens included. Longer inputs lose the end of their
        longer text.
    random_init
        Begin with random weights: a control for what pre-training gave.
    random_labels
        Train on shuffled labels: a control for what training alone does.
    precision
        float32, or bfloat16 where the device has it.
    """
    from attlas.corpora.task_data import task_data, with_labels
    from attlas.corpora.task_source import TaskSource
    from attlas.corpora.tasks import task_named
    from attlas.studies.finetuning.train import TrainingSettings, fine_tune

    require("accelerate", "attlas finetune", "finetune")
    if task_options.data is None:
        raise AttlasError(f"finetune needs {option('data')}: the examples of {task} to train on")
    settings = TrainingSettings(
        epochs,
        batch,
        learning_rate,
        warmup,
        weight_decay,
        seed,
        random_init,
        random_labels,
        task_options.examples,
        precision,
    )
    named = task_named(task, task_options.columns, task_options.label, task_options.regression)
    training = task_data(named, task_options.data, "train")
    scored = task_data(named, task_options.data if dev is None else dev, "dev")
    if scored.path is not None and scored.path == training.path:
        raise AttlasError(
            f"the model would be scored on {scored.path}, the examples it is trained on: name another file "
            f"with {option('dev')}"
        )
    labelled = with_labels(training)
    subject = load_options.load(model)
    if subject.tokenizer is None:
        raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
    subject.check_length(length, f"an input ({option('length', length)})")
    out = save or Path(f"{Path(subject.name).name}-{labelled.name}".lower())
    check_output(out, "save", "whole folder")
    train_source, dev_source = (
        TaskSource(replace(part, task=labelled), subject.tokenizer, length, strict=strict)
        for part in (training, scored)
    )
    return fine_tune(
        subject,
        train_source,
        dev_source,
        settings,
        out,
        resume=run_options.resume,
        overwrite=run_options.overwrite,
        progress=run_options.progress,
    )
