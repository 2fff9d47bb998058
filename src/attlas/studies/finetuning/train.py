"""Fine-tuning with transformers' Trainer: its settings, and what is recorded on the way."""

from __future__ import annotations

import json
import math
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from attlas.array_types import Floats
from attlas.corpora.batches import collate
from attlas.corpora.source import seeded
from attlas.corpora.task_source import TaskItem, TaskSource
from attlas.engines import Pass, engine_named, run_pass
from attlas.errors import AttlasError, option
from attlas.extras import optional_import
from attlas.files import file_hash, libraries_write, write_whole
from attlas.progress import OpenBar, progress_bars
from attlas.statistics.bootstrap import draw_counts, interval
from attlas.statistics.scores import METRICS, score
from attlas.studies.finetuning.classifier import classifier
from attlas.studies.finetuning.finetuned import Finetuned
from attlas.studies.finetuning.gradient_norms import GradientNorms, weights_moved
from attlas.studies.finetuning.model_folder import unfinished_run, write_model
from attlas.studies.finetuning.predictions import NotANumber, Predictions
from attlas.studies.provenance import software
from attlas.subject import Subject
from attlas.subject.checkpoints import no_bars

RECORD = "attlas.json"  # what we keep in a checkpoint of the Trainer's
LOSSES = 10  # steps whose mean loss is one point of the curve


@dataclass(frozen=True)
class TrainingSettings:
    """How to train: batches of 32 and 3 epochs are the paper's, the rest the defaults of its script.
    `examples`: how many of the training examples, drawn at random; all of them if None."""

    epochs: float = 3
    batch: int = 32
    rate: float = 5e-5
    warm_up: float = 0.1  # of all steps
    decay: float = 0.01
    seed: int = 0
    random_init: bool = False
    random_labels: bool = False
    examples: int | None = None
    precision: str = "float32"


def fine_tune(
    subject: Subject,
    train: TaskSource,
    dev: TaskSource,
    settings: TrainingSettings,
    out: Path,
    *,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool = True,
) -> Finetuned:
    """Trains a classifier on `train`, scores it on `dev` before training and after every epoch, and leaves it
    in the folder `out`, which is there whole or not at all. A run that was stopped goes on from its last
    epoch."""
    optional_import("accelerate", "fine-tuning", "finetune")
    refuse_other_devices(subject.device)
    identity = identity_of(subject, train, dev, settings)
    learned, scored = read_examples(train), read_examples(dev)  # what is wrong with them leaves no run behind
    with unfinished_run(out, identity, resume, overwrite) as part:
        if part is None:
            return Finetuned.read(out)
        model = classifier(subject, train.task, settings.seed, settings.random_init)
        before = {name: p.detach().clone() for name, p in model.model.named_parameters()}
        record = Record(model, dev)
        with no_bars(), progress_bars(progress) as open_bar:
            _train(model, training_items(learned.items, settings), settings, part, record, open_bar)
        report = {
            **identity,
            "skipped": {"train": learned.describe_skipped(), "dev": scored.describe_skipped()},
            "notes": record.notes,
            "scores": record.scores,
            "losses": record.losses,
            "final": record.final(),
            "constant": record.constant(),
            "gradients": {**record.norms.as_data(), "weights_moved": weights_moved(model.model, before)},
        }
        with no_bars():
            write_model(model, report, part, out)
    return Finetuned.read(out)


def refuse_other_devices(device: torch.device) -> None:
    """The Trainer moves a model to the first GPU, wherever it was."""
    if device.index:
        raise AttlasError(
            f"{option('device', str(device))}: fine-tuning runs on the CPU or on the first GPU; "
            f"CUDA_VISIBLE_DEVICES={device.index} makes this one the first"
        )


def identity_of(
    subject: Subject, train: TaskSource, dev: TaskSource, settings: TrainingSettings
) -> dict[str, Any]:
    task = train.task
    return {
        "model": subject.describe(),
        "task": {"name": task.name, "labels": list(task.labels), "metrics": list(task.metrics)},
        "train": train.describe(),
        "dev": dev.describe(),
        "settings": asdict(settings),
        "software": {**software(), "accelerate": optional_import("accelerate", "fine-tuning").__version__},
    }


@dataclass(frozen=True)
class TaskExamples:
    """All that could be read of a task's data, and what could not."""

    items: list[TaskItem]
    counts: Counter[str]
    problems: list[str]

    def describe_skipped(self) -> dict[str, Any]:
        """How many lines are not among the examples, and what is wrong with the first of them."""
        return {
            "lines": self.counts["skipped"] + self.counts["too_short"],
            "first": next(iter(self.problems), "a text without words" if self.counts["too_short"] else None),
        }


def read_examples(source: TaskSource) -> TaskExamples:
    shards = [source.prepare(shard) for shard in source.shards()]
    return TaskExamples(
        [item for shard in shards for item in shard.items],
        sum((shard.counts for shard in shards), Counter[str]()),
        [problem for shard in shards for problem in shard.problems],
    )


def training_items(items: Sequence[TaskItem], settings: TrainingSettings) -> Sequence[TaskItem]:
    """The items to train on, with one another's labels where they are to be random: as many of each."""
    if settings.examples is not None:
        items = sorted(items, key=lambda i: seeded(settings.seed, "train", *i.id))[: settings.examples]
    if not settings.random_labels:
        return items
    shuffled = np.random.default_rng(settings.seed).permutation([item.label for item in items])
    return [TaskItem(i.id, i.ids, i.types, float(y)) for i, y in zip(items, shuffled, strict=True)]


def evaluate(subject: Subject, dev: TaskSource) -> Predictions:
    """What the model answers to every example, in this process."""
    with engine_named("local") as engine:
        answering = Pass("task", dev, [Predictions()], doing="answering the task")
        return run_pass(subject, answering, engine).reducer(Predictions)


class Record:
    """What is known of a run so far: losses, scores of every epoch, gradients. It survives in checkpoints."""

    def __init__(self, model: Subject, dev: TaskSource) -> None:
        self.model, self.dev = model, dev
        self.norms = GradientNorms(model.model)
        self.losses: list[tuple[int, float]] = []  # step, mean over the steps since the one before
        self.recent: list[float] = []  # losses of the steps since the last mean
        self.scores: list[dict[str, float]] = []
        self.notes: list[str] = []  # for people
        self.predictions: Predictions | None = None

    def score(self, epoch: float) -> None:
        training = self.model.model.training
        self.model.model.eval()  # without dropout, in the midst of training as at its end
        try:
            self.predictions = predictions = evaluate(self.model, self.dev)
        except NotANumber as error:
            raise (_divergence(f"after epoch {epoch:g}") if epoch else error) from error
        self.model.model.train(training)
        scores = {m: score(m, predictions.predicted, predictions.labels) for m in self.dev.task.metrics}
        self.scores.append({"epoch": epoch, **scores, "loss": float(predictions.losses.mean())})

    def final(self) -> dict[str, Any]:
        """The scores at the end, with the interval that other examples would have given."""
        if self.predictions is None:
            self.predictions = evaluate(self.model, self.dev)
        answers = self.predictions
        weights = draw_counts(answers.ids())
        majority = _majority(answers.labels) if self.dev.task.labels else None
        scores = {}
        for metric in self.dev.task.metrics:
            low, high = interval(METRICS[metric](answers.predicted, answers.labels, weights))
            scores[metric] = {
                "value": score(metric, answers.predicted, answers.labels),
                "low": low,
                "high": high,
                "n": len(answers.labels),
                # a number that is always the same goes along with nothing
                "majority": 0.0 if majority is None else score(metric, majority, answers.labels),
            }
        return scores

    def constant(self) -> str | None:
        """The answer that the model gives to everything, if there is one."""
        assert self.predictions is not None
        predicted = self.predictions.predicted
        if np.ptp(predicted) > 1e-6 * np.abs(predicted).max():
            return None
        labels = self.dev.task.labels
        return labels[int(predicted[0])] if labels else f"{predicted[0]:.3g}"

    def add_loss(self, step: int, loss: float) -> None:
        """Keep the mean of every few steps. The Trainer's own means begin anew where a run is resumed."""
        self.recent.append(loss)
        if step % LOSSES == 0:
            self.losses.append((step, math.fsum(self.recent) / len(self.recent)))
            self.recent = []

    def write(self, folder: Path) -> None:
        kept = {
            "losses": self.losses,
            "recent": self.recent,
            "scores": self.scores,
            "norms": self.norms.norms().tolist(),
            "notes": self.notes,
            "files": _checksums(folder),
        }
        write_whole(folder / RECORD, json.dumps(kept))

    def last_whole(self, checkpoints: Path) -> Path | None:
        """The last checkpoint that is whole, and has been read. Others are reported and removed."""
        for folder in sorted(checkpoints.iterdir(), key=_step, reverse=True):
            if not (folder / RECORD).is_file():
                shutil.rmtree(folder, ignore_errors=True)  # half-written when a run was killed
                continue
            try:
                kept = json.loads((folder / RECORD).read_text(encoding="utf-8"))
                if kept["files"] != _checksums(folder):
                    raise ValueError("its files are not those that were written")
                self._restore(kept)
                return folder
            except (ValueError, KeyError, TypeError, OSError) as error:
                self.notes.append(
                    f"{folder} is damaged ({error}): training went on from the checkpoint before it"
                )
                shutil.rmtree(folder)
        return None

    def _restore(self, kept: dict[str, Any]) -> None:
        self.notes = [*kept["notes"], *self.notes]
        self.losses, self.scores = [(int(s), loss) for s, loss in kept["losses"]], kept["scores"]
        self.recent = [float(loss) for loss in kept["recent"]]
        self.norms.restore(np.array(kept["norms"]).reshape(-1, len(self.norms.parts)))


def _majority(labels: Floats) -> Floats:
    """The label that most examples have, for every one of them."""
    values, many = np.unique(labels, return_counts=True)
    return np.full_like(labels, values[many.argmax()])


def _checksums(folder: Path) -> dict[str, str]:
    """Hash all that the Trainer wrote into a checkpoint: pickles are read only as they were written."""
    files = sorted(path for path in folder.iterdir() if path.name != RECORD)
    return {path.name: file_hash(path) for path in files}


def _step(checkpoint: Path) -> int:
    number = checkpoint.name.rpartition("-")[2]
    return int(number) if number.isdigit() else -1


def _divergence(when: str) -> AttlasError:
    return AttlasError(
        f"the loss is not a number {when}: a smaller {option('learning_rate')} may help, or "
        "the model's weights are broken"
    )


def _train(
    model: Subject,
    items: Sequence[TaskItem],
    settings: TrainingSettings,
    part: Path,
    record: Record,
    open_bar: OpenBar,
) -> None:
    from transformers import Trainer
    from transformers.trainer_callback import PrinterCallback

    checkpoints = part / "checkpoints"
    checkpoints.mkdir(exist_ok=True)
    last = record.last_whole(checkpoints)
    trainer = Trainer(
        model=model.model,
        args=trainer_arguments(settings, len(items), model.device, checkpoints),
        train_dataset=items,
        data_collator=partial(_collate, model, bool(record.dev.task.labels)),
        callbacks=[_callback(record, open_bar)],
    )
    trainer.remove_callback(PrinterCallback)
    if last is None and settings.epochs:
        record.score(0.0)
    with libraries_write(checkpoints, f"{option('resume', True)} goes on from the last epoch that is whole"):
        trainer.train(resume_from_checkpoint=None if last is None else str(last))
    model.model.eval()


def trainer_arguments(settings: TrainingSettings, items: int, device: torch.device, checkpoints: Path) -> Any:
    """The settings in the Trainer's own words."""
    from transformers import TrainingArguments

    arguments = TrainingArguments(
        output_dir=str(checkpoints),
        per_device_train_batch_size=settings.batch,
        num_train_epochs=settings.epochs,
        learning_rate=settings.rate,
        warmup_steps=round(settings.warm_up * settings.epochs * math.ceil(items / settings.batch)),
        weight_decay=settings.decay,
        max_grad_norm=0.0,  # we clip, after we have taken the norms down
        seed=settings.seed,
        bf16=settings.precision == "bfloat16",
        use_cpu=device.type == "cpu",
        optim="adamw_torch_fused" if device.type == "cuda" else "adamw_torch",
        save_strategy="epoch",
        save_total_limit=2,  # should one be damaged
        logging_steps=1,
        logging_nan_inf_filter=False,
        disable_tqdm=True,
        report_to="none",
        remove_unused_columns=False,
        dataloader_pin_memory=False,
    )
    # beside several GPUs it would take a batch for each of them: a step has the size that was asked for
    arguments._n_gpu = min(arguments.n_gpu, 1)
    return arguments


def _collate(model: Subject, classes: bool, items: Sequence[TaskItem]) -> dict[str, Any]:
    labels = torch.tensor([i.label for i in items], dtype=torch.long if classes else torch.float32)
    return {**collate(model, items).inputs, "labels": labels.to(model.device)}


def _callback(record: Record, open_bar: OpenBar) -> Any:
    from transformers import TrainerCallback

    class StepRecorder(TrainerCallback):  # type: ignore[misc]
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.advance = open_bar("fine-tuning", state.max_steps, "steps")
            self.advance(state.global_step)

        def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            record.norms.clip()

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.advance(1)

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if "loss" not in (logs or {}):
                return
            if not math.isfinite(logs["loss"]):
                raise _divergence(f"at step {state.global_step}")
            record.add_loss(state.global_step, float(logs["loss"]))

        def on_epoch_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            record.score(round(float(state.epoch), 3))

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            record.write(Path(args.output_dir) / f"checkpoint-{state.global_step}")

    return StepRecorder()
