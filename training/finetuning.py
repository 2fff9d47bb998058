"""The experiment of docs/finetuning.md: what fine-tuning changes in `mini`, over tasks, seeds and controls.

    python training/finetuning.py run results --data glue --minutes 9 --processes 14
    python training/finetuning.py report results --images docs/images

`run` wants one GPU and as many cores as processes. Every job writes what it found as soon as it is there, so
that a run that is stopped keeps what is finished, and the same command goes on. `report` makes the tables and
figures of whatever there is. Nothing of the data's text is in the results.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import queue
import shutil
import time
from dataclasses import asdict, dataclass
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
#: how long a job takes beside the others: those that take long begin first, so that none is left at the end
SIZE = {"SST-2": 6.3, "QNLI": 1.2, "MNLI": 0.9, "QQP": 0.9, "STS-B": 0.6, "MRPC": 0.4, "RTE": 0.3}
RATE = 2e-4  # the paper's 5e-5 is for a model four times as wide
COMPARED = 500  # examples on which maps are compared
DISABLED = 1000  # examples on which heads are disabled, as many as the paper took
SECONDS_TO_START = 25  # a job that has less time left is not begun


@dataclass(frozen=True)
class Job:
    what: str  # train (with the comparison) or disable
    condition: str
    task: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.task}.{self.condition.replace(' ', '-')}.{self.seed}"


def plan(tasks: list[str], seeds: int, control_seeds: int) -> list[Job]:
    """First what the question needs most: a seed of everything, heads disabled in it, then further seeds;
    of each, what takes long first, so that no process is left alone with it at the end."""
    jobs: list[Job] = []
    for seed in range(max(seeds, control_seeds)):
        conditions = [c for c in CONDITIONS if seed < (seeds if c == "pretrained" else control_seeds)]
        several = [Job("train", c, t, seed) for c in conditions for t in tasks]
        jobs += sorted(several, key=lambda job: -SIZE[job.task])
        if seed < seeds:
            jobs += [Job("disable", "pretrained", t, seed) for t in sorted(tasks, key=lambda t: -SIZE[t])]
    return jobs


def run(given: argparse.Namespace) -> None:
    deadline = time.time() + 60 * given.minutes
    folder = Path(given.out)
    folder.mkdir(parents=True, exist_ok=True)
    jobs = plan(given.tasks, given.seeds, given.control_seeds)
    todo = [job for job in jobs if not _result(folder, job).exists()]
    (folder / "plan.json").write_text(
        json.dumps({"jobs": [asdict(j) for j in jobs], "settings": _settings(given)})
    )
    print(
        f"{len(todo)} of {len(jobs)} jobs to do, {given.processes} at a time, {given.minutes:g} minutes",
        flush=True,
    )
    context = multiprocessing.get_context("spawn")
    waiting: Any = context.Queue()
    for job in todo:
        waiting.put(job)
    workers = [
        context.Process(target=_work, args=(waiting, place, folder, vars(given), deadline), daemon=True)
        for place in range(min(given.processes, len(todo)))
    ]
    for worker in workers:
        worker.start()
    while any(w.is_alive() for w in workers) and time.time() < deadline:
        time.sleep(1)
    for worker in workers:
        if worker.is_alive():
            worker.terminate()
    for worker in workers:
        worker.join(10)
    waiting.cancel_join_thread()
    done = sum(_result(folder, job).exists() for job in jobs)
    print(f"{done} of {len(jobs)} jobs are done", flush=True)


def _settings(given: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(given, name) for name in ("rate", "epochs", "most", "compared", "disabled")}


def _result(folder: Path, job: Job) -> Path:
    return folder / job.what / f"{job.name}.json"


def _work(waiting: Any, place: int, folder: Path, given: dict[str, Any], deadline: float) -> None:
    """One process: jobs, one after the other, on a core of its own."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[place % len(cores)]})
    import torch

    torch.set_num_threads(1)
    while deadline - time.time() > SECONDS_TO_START:
        try:
            job = waiting.get(timeout=2)
        except queue.Empty:
            return
        if job.what == "disable" and not _wait_for_model(folder, job, deadline):
            continue
        began = time.time()
        try:
            told = (_train if job.what == "train" else _disable)(job, folder, given)
        except Exception as error:  # one job that fails must not end the others
            _log(folder, f"{job.what} {job.name}: {type(error).__name__}: {error}")
            continue
        _log(folder, f"{job.what} {job.name}: {time.time() - began:.0f} s, {told}")


def _wait_for_model(folder: Path, job: Job, deadline: float) -> bool:
    """Another process may still be training it; or it was trained, and is gone."""
    trained = _result(folder, Job("train", job.condition, job.task, job.seed))
    while not (_model(folder, job) / "config.json").exists():
        if trained.exists() or deadline - time.time() < SECONDS_TO_START:
            return False
        time.sleep(1)
    return True


def _log(folder: Path, line: str) -> None:
    print(line, flush=True)
    with (folder / "log.txt").open("a") as file:
        file.write(line + "\n")


def _model(folder: Path, job: Job) -> Path:
    return folder / "models" / f"{job.task}.{job.condition.replace(' ', '-')}.{job.seed}"


def _train(job: Job, folder: Path, given: dict[str, Any]) -> str:
    """Fine-tunes, scores, and compares every head with what it was before."""
    import attlas
    from attlas.files import write_whole

    model = _model(folder, job)
    found = attlas.finetune(
        given["model"],
        job.task,
        data=given["data"],
        out=model,
        seed=job.seed,
        rate=given["rate"],
        epochs=given["epochs"],
        examples=given["most"],
        device=given["device"],
        progress=False,
        overwrite=True,
        **CONDITIONS[job.condition],
    )
    report = found.report
    compared = attlas.compare(
        _before(job, given),
        model,
        data=given["data"],
        task=job.task,
        items=given["compared"],
        matched=20 if job.seed == 0 else 0,
        seed=0,
        device=given["device"],
        progress=False,
    )
    (chapter,) = compared.chapters
    _save_heads(folder, job, chapter)
    kept = {name: report[name] for name in ("scores", "final", "losses", "gradients", "settings", "software")}
    flows = chapter.tables["flows"].to_dict("records")
    layers = chapter.tables["layers"].to_dict("records")
    changed = int((chapter.tables["changes"]["p"] < 0.05).sum())
    told = {
        "job": asdict(job),
        **kept,
        "flows": flows,
        "layers": layers,
        "changed": changed,
        "statistics": len(chapter.tables["changes"]),
        "items": chapter.about["corpus"]["items"],
    }
    write_whole(_result(folder, job), json.dumps(told, default=float))
    if job.condition != "pretrained" and not given["keep"]:
        shutil.rmtree(model, ignore_errors=True)
    return ", ".join(f"{name} {100 * (value or 0):.1f}" for name, value in found.scores.items())


def _before(job: Job, given: dict[str, Any]) -> Any:
    """The model that training began with: with weights at random, those of the same seed."""
    import attlas
    from attlas.corpora.tasks import GLUE
    from attlas.studies.finetuning.classifier import classifier

    subject = attlas.load(given["model"], device=given["device"])
    if not CONDITIONS[job.condition].get("random_init"):
        return subject
    return classifier(subject, GLUE[job.task], job.seed, random_init=True)


def _save_heads(folder: Path, job: Job, chapter: Any) -> None:
    """layer head, of every statistic that compares maps."""
    kept: dict[str, Any] = {}
    for name in ("map_cosine", "map_distance"):
        own = [r for r in chapter.rows if r.statistic == name]
        values = np.full((1 + max(r.layer for r in own), 1 + max(r.head for r in own)), np.nan, np.float32)
        for row in own:
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


def _disable(job: Job, folder: Path, given: dict[str, Any]) -> str:
    """Disables every head and every layer by itself."""
    import attlas
    from attlas.files import write_whole

    found: Any = attlas.disable(
        str(_model(folder, job)),
        job.task,
        data=given["data"],
        examples=given["disabled"],
        device=given["device"],
        progress=False,
    )
    columns = ["plain", "disabled", "change", "low", "high", "p_alone", "p", "n", "score"]
    heads = found.table[["layer", "head", *columns]].to_dict("records")
    layers = found.together[["layer", "heads", *columns]].to_dict("records")
    told = {"job": asdict(job), "heads": heads, "layers": layers}
    write_whole(_result(folder, job), json.dumps(told, default=float))
    if not given["keep"]:
        shutil.rmtree(_model(folder, job), ignore_errors=True)
    better = sum(h["p"] < 0.05 and h["change"] > 0 for h in heads)
    return f"best single head {100 * max(h['change'] for h in heads):+.1f}, {better} surely better gone"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run")
    one.add_argument("out")
    one.add_argument("--data", required=True, help="GLUE's folder")
    one.add_argument("--minutes", type=float, default=9)
    one.add_argument("--processes", type=int, default=14)
    one.add_argument("--tasks", nargs="+", default=list(TASKS))
    one.add_argument("--seeds", type=int, default=5)
    one.add_argument("--control-seeds", type=int, default=2)
    one.add_argument("--most", type=int, default=20_000, help="training examples of a task: SST-2 has 67,349")
    one.add_argument("--epochs", type=float, default=3)
    one.add_argument("--rate", type=float, default=RATE)
    one.add_argument("--compared", type=int, default=COMPARED)
    one.add_argument("--disabled", type=int, default=DISABLED)
    one.add_argument("--model", default="mini")
    one.add_argument("--device", default="cuda")
    one.add_argument("--keep", action="store_true", help="keep the models")
    other = commands.add_parser("report")
    other.add_argument("out")
    other.add_argument("--images", default=None, help="also draw figures into this folder")
    given = parser.parse_args()
    if given.command == "run":
        run(given)
    else:
        from finetuning_report import report

        report(Path(given.out), None if given.images is None else Path(given.images))


if __name__ == "__main__":
    main()
