"""The experiment of docs/findings/finetuning.md: `mini` fine-tuned, over tasks, seeds and controls.

    python research/finetuning.py run results --data glue --minutes 9.5 --processes 15
    python research/finetuning.py report results --images docs/images

`run` wants one GPU and as many cores as processes. The seeds of a task and condition are trained at once
(`ensemble.py`); then every model is compared with what it was before, and every head and layer of the
pre-trained ones is disabled. What a job found is written as soon as it is there, and trainings are kept epoch
by epoch, so that a run that is stopped goes on with the same command. `report` makes the tables and figures
of whatever there is. Nothing of the data's text is in the results.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import time
import traceback
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

TASKS = ("MRPC", "STS-B", "SST-2", "QQP", "RTE", "QNLI", "MNLI")
#: what training begins with, and what it learns
CONDITIONS: dict[str, dict[str, bool]] = {
    "pretrained": {},
    "random init": {"random_init": True},
    "random labels": {"random_labels": True},
}
#: how long a training takes beside the others: those that take long begin first
SIZE = {"SST-2": 6.3, "QNLI": 1.2, "MNLI": 0.9, "QQP": 0.9, "STS-B": 0.6, "MRPC": 0.4, "RTE": 0.3}
RATE = 2e-4  # the paper's 5e-5 is for a model four times as wide
LENGTH = 128
COMPARED = 500  # examples on which maps are compared
DISABLED = 1000  # examples on which heads are disabled, as many as the paper took
IN_A_BATCH = 64  # of these examples on a GPU; their copies fill it


@dataclass(frozen=True)
class Job:
    what: str  # learn (all seeds of it), compare or disable
    condition: str
    task: str
    seed: int = 0

    @property
    def name(self) -> str:
        name = f"{self.task}.{self.condition.replace(' ', '-')}"
        return name if self.what == "learn" else f"{name}.{self.seed}"


def plan(tasks: list[str], seeds: int, disabling: bool) -> list[Job]:
    """First what the question needs most: the pre-trained models, then the controls, what takes long first;
    then a seed of everything, compared and with its heads disabled, then further seeds."""
    longest = sorted(tasks, key=lambda task: -SIZE[task])
    jobs = [Job("learn", condition, task) for condition in CONDITIONS for task in longest]
    for seed in range(seeds):
        disabled = [Job("disable", "pretrained", task, seed) for task in longest if disabling]
        compared = [Job("compare", condition, task, seed) for condition in CONDITIONS for task in longest]
        jobs += [*disabled, *compared]
    return jobs


def run(options: argparse.Namespace) -> None:
    deadline = time.time() + 60 * options.minutes
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    jobs = plan(options.tasks, options.seeds, options.disabled > 0)
    if options.only:
        jobs = [job for job in jobs if any(f"{job.name}.".startswith(f"{name}.") for name in options.only)]
    todo = [job for job in jobs if not _result(folder, job).exists()]
    said = {"jobs": [asdict(j) for j in jobs], "settings": _settings(options)}
    (folder / "plan.json").write_text(json.dumps(said))
    _log(
        folder,
        f"{len(todo)} of {len(jobs)} jobs to do, {options.processes} at a time, {options.minutes:g} min",
    )
    context = multiprocessing.get_context("spawn")
    places: Any = context.Queue()
    for place in range(options.processes):
        places.put(place)
    running: dict[Job, Any] = {}
    failed: set[Job] = set()
    with context.Pool(options.processes, _begin, (places,)) as pool:
        while (todo or running) and time.time() < deadline:
            for job in [job for job, result in running.items() if result.ready()]:
                message = running.pop(job).get()
                _log(folder, f"{time.time() - deadline + 60 * options.minutes:5.0f} s  {message}")
                if not _result(folder, job).exists():
                    failed.add(job)
            while len(running) < options.processes and (job := _next(todo, running, folder, options)):
                todo.remove(job)
                running[job] = pool.apply_async(_work, (job, folder, vars(options)))
            if not running and todo:
                break  # what is left waits for what failed
            time.sleep(0.1)
        pool.terminate()
    done = sum(_result(folder, job).exists() for job in jobs)
    _log(folder, f"{done} of {len(jobs)} jobs are done, {len(failed)} failed, {len(running)} were stopped")


def _next(todo: list[Job], running: dict[Job, Any], folder: Path, options: argparse.Namespace) -> Job | None:
    """The first job that can be done now. Not all processes train: what is trained is looked at meanwhile."""
    learning = sum(job.what == "learn" for job in running)
    for job in todo:
        if job.what == "learn":
            if learning < options.learners:
                return job
        elif _result(folder, replace(job, what="learn")).exists():
            return job
    return None


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    return {
        name: getattr(options, name) for name in ("seeds", "rate", "epochs", "most", "compared", "disabled")
    }


def _result(folder: Path, job: Job) -> Path:
    return folder / job.what / f"{job.name}.json"


def _begin(places: Any) -> None:
    """A process has a core of its own."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[places.get() % len(cores)]})
    import torch

    torch.set_num_threads(1)


def _work(job: Job, folder: Path, options: dict[str, Any]) -> str:
    began = time.time()
    do = {"learn": _learn, "compare": _compare, "disable": _disable}[job.what]
    try:
        message = do(job, folder, options)
    except Exception as error:  # one job that fails must not end the others
        where = traceback.format_exc(limit=-3) if options["verbose"] else ""
        message = f"{type(error).__name__}: {error} {where}"
    finally:
        _free_memory()
    return f"{job.what} {job.name}: {time.time() - began:.0f} s, {message}"


def _free_memory() -> None:
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def _log(folder: Path, line: str) -> None:
    print(line, flush=True)
    with (folder / "log.txt").open("a") as file:
        file.write(line + "\n")


def _model(folder: Path, job: Job) -> Path:
    return folder / "models" / f"{job.task}.{job.condition.replace(' ', '-')}.{job.seed}"


def _learn(job: Job, folder: Path, options: dict[str, Any]) -> str:
    """Fine-tunes all seeds at once, scores each, and leaves a folder of each, as `attlas finetune` does."""
    from ensemble import Ensemble

    import attlas
    from attlas.corpora.task_data import task_data
    from attlas.corpora.task_source import TaskSource
    from attlas.corpora.tasks import GLUE
    from attlas.files import write_whole
    from attlas.studies.finetuning.classifier import classifier
    from attlas.studies.finetuning.gradient_norms import weights_moved
    from attlas.studies.finetuning.model_folder import write_model
    from attlas.studies.finetuning.train import Record, TrainingSettings, identity_of, training_items
    from attlas.subject.checkpoints import no_bars

    task, subject = GLUE[job.task], attlas.load(options["model"], device=options["device"])
    train, dev = (
        TaskSource(task_data(task, options["data"], split), subject.tokenizer, LENGTH)
        for split in ("train", "dev")
    )
    how = {"epochs": options["epochs"], "rate": options["rate"], "examples": options["most"]}
    settings = [
        TrainingSettings(**how, **CONDITIONS[job.condition], seed=seed) for seed in range(options["seeds"])
    ]
    models = [classifier(subject, task, setting.seed, setting.random_init) for setting in settings]
    records = [Record(model, dev) for model in models]
    for record in records:
        record.score(0.0)
    before = [{name: p.detach().clone() for name, p in m.model.named_parameters()} for m in models]
    items = [training_items(train, setting) for setting in settings]
    checkpoint = folder / "unfinished" / f"{job.name}.pt"
    together = Ensemble(models, items, settings, bool(task.labels), checkpoint)
    began = time.time()
    together.train()
    scores = []
    for place, (model, record, setting) in enumerate(zip(models, records, settings, strict=True)):
        record.losses = together.losses_of(place)
        record.norms.restore(together.norms_of(place))
        record.score(setting.epochs)
        report = {
            **identity_of(subject, train, dev, setting),
            "scores": record.scores,
            "losses": record.losses,
            "final": record.final(dev),
            "gradients": {
                **record.norms.as_data(),
                "weights_moved": weights_moved(model.model, before[place]),
            },
        }
        out = _model(folder, replace(job, seed=setting.seed))
        shutil.rmtree(out, ignore_errors=True)
        part = out.with_suffix(".part")
        part.mkdir(parents=True, exist_ok=True)
        with no_bars():
            write_model(model, report, part, out)
        shutil.rmtree(part)
        scores.append(record.scores[-1][task.metrics[0]])
    steps = len(together.losses)
    write_whole(_result(folder, job), json.dumps({"steps": steps, "scores": scores}, default=float))
    checkpoint.unlink(missing_ok=True)
    listed = ", ".join(f"{100 * (value or 0):.1f}" for value in scores)
    return f"{steps} steps, {1000 * (time.time() - began) / steps:.1f} ms each, {task.metrics[0]} {listed}"


def _compare(job: Job, folder: Path, options: dict[str, Any]) -> str:
    """Every head with what it was before."""
    import attlas
    from attlas.files import write_whole
    from attlas.studies.finetuning.finetuned import Finetuned

    model = _model(folder, job)
    report = Finetuned.read(model).report
    compared = attlas.compare(
        _before(job, options),
        model,
        data=options["data"],
        task=job.task,
        examples=options["compared"],
        matched=20 if job.seed == 0 else 0,
        seed=0,
        device=options["device"],
        progress=False,
    )
    (chapter,) = compared.chapters
    _save_heads(folder, job, chapter)
    kept = {name: report[name] for name in ("scores", "final", "losses", "gradients", "settings", "software")}
    tables = chapter.tables
    changed = int((tables["changes"]["p"] < 0.05).sum())
    comparison = {
        "job": asdict(job),
        **kept,
        "flows": tables["flows"].to_dict("records"),
        "layers": tables["layers"].to_dict("records"),
        "shapes": tables["shapes"].to_dict("records"),
        "changed": changed,
        "statistics": len(tables["changes"]),
        "items": chapter.about["corpus"]["items"],
    }
    write_whole(_result(folder, job), json.dumps(comparison, default=float))
    cosine = np.mean([r.value for r in chapter.rows if r.statistic == "map_cosine"])
    return f"mean cosine of maps {cosine:.3f}"


def _before(job: Job, options: dict[str, Any]) -> Any:
    """The model that training began with: with weights at random, those of the same seed."""
    import attlas
    from attlas.corpora.tasks import GLUE
    from attlas.studies.finetuning.classifier import classifier

    subject = attlas.load(options["model"], device=options["device"])
    if not CONDITIONS[job.condition].get("random_init"):
        return subject
    return classifier(subject, GLUE[job.task], job.seed, random_init=True)


def _save_heads(folder: Path, job: Job, chapter: Any) -> None:
    """layer head, of every statistic that compares maps."""
    kept: dict[str, Any] = {}
    for name in ("map_cosine", "map_distance"):
        rows = [r for r in chapter.rows if r.statistic == name]
        values = np.full((1 + max(r.layer for r in rows), 1 + max(r.head for r in rows)), np.nan, np.float32)
        for row in rows:
            values[row.layer, row.head] = row.value
        kept[name] = values
    if "matching" in chapter.tables:
        columns = ["layer", "head", "match_layer", "match_head", "distance", "own_distance"]
        kept["matching"] = chapter.tables["matching"][columns].to_numpy(np.float32)
    path = folder / "heads" / f"{job.name}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".new").open("wb") as file:
        np.savez_compressed(file, **kept)
    path.with_suffix(".new").replace(path)


def _disable(job: Job, folder: Path, options: dict[str, Any]) -> str:
    """Disables every head and every layer by itself."""
    import attlas
    from attlas.files import write_whole

    disabled: Any = attlas.disable(
        str(_model(folder, job)),
        job.task,
        data=options["data"],
        examples=options["disabled"],
        batch=IN_A_BATCH if options["device"] == "cuda" else None,
        device=options["device"],
        progress=False,
    )
    columns = ["plain", "disabled", "change", "low", "high", "p_alone", "p", "n", "score"]
    heads = disabled.table[["layer", "head", *columns]].to_dict("records")
    layers = disabled.together[["layer", "heads", *columns]].to_dict("records")
    effects = {"job": asdict(job), "heads": heads, "layers": layers}
    write_whole(_result(folder, job), json.dumps(effects, default=float))
    better = sum(h["p"] < 0.05 and h["change"] > 0 for h in heads)
    return f"best single head {100 * max(h['change'] for h in heads):+.1f}, {better} surely better gone"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("out")
    running.add_argument("--data", required=True, help="GLUE's folder")
    running.add_argument("--minutes", type=float, default=9.5)
    running.add_argument("--processes", type=int, default=15)
    running.add_argument("--learners", type=int, default=9, help="processes that train at once")
    running.add_argument("--tasks", nargs="+", default=list(TASKS))
    running.add_argument("--only", nargs="*", default=[], help="MRPC.random-labels SST-2.pretrained ...")
    running.add_argument("--seeds", type=int, default=5)
    running.add_argument(
        "--most", type=int, default=None, help="training examples of a task; all if not given"
    )
    running.add_argument("--epochs", type=int, default=3)
    running.add_argument("--rate", type=float, default=RATE)
    running.add_argument("--compared", type=int, default=COMPARED)
    running.add_argument("--disabled", type=int, default=DISABLED)
    running.add_argument("--model", default="mini")
    running.add_argument("--device", default="cuda")
    running.add_argument("--verbose", action="store_true", help="say where a job failed")
    reporting = commands.add_parser("report")
    reporting.add_argument("out", type=Path)
    reporting.add_argument("--page", type=Path, help="put the tables into this page")
    reporting.add_argument("--images", type=Path, help="also draw figures into this folder")
    options = parser.parse_args()
    if options.command == "run":
        run(options)
    else:
        from finetuning_report import report

        report(options.out, options.images, options.page)


if __name__ == "__main__":
    main()
