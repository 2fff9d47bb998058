"""Every probe of trees, with every seed and control, on a whole treebank and several models at once.

    python benchmarks/trees_full.py DATA out.jsonl --models mini minilm=DATA/minilm

DATA has a treebank's three files (*train*.conllu, with dev and test) and a file of GloVe (glove*.txt). What
each training found is a line of JSON, written as soon as it is known; whatever comes first in the table is
trained first, so that a run which is cut short lacks seeds rather than probes. What `out.jsonl` has already,
or the files of --have, is not trained again. `benchmarks/trees_report.py` makes the tables and figures of
docs/trees.md of these lines.

Each model, and each of its copies at random, has processes of its own, which keep its features on the GPU:
probes are so small that one process could not keep a GPU busy. Without a GPU it does the same on the CPU, for
which --sentences and --workers 1 are meant.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import pickle
import shutil
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    as_completed,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from attlas.corpora.alignment import fits
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.source import PreparedShard
from attlas.corpora.windows import SentenceWindows, WindowSource
from attlas.engines import Pass, UnfinishedRun
from attlas.engines.worker import run_shard
from attlas.studies.trees.fits import (
    FEW_HEADS,
    Fit,
    FitStore,
    Trainer,
    TreeSettings,
    model_of,
    plan,
    without_training,
)
from attlas.studies.trees.head_probes import KINDS, RELATIONS
from attlas.studies.trees.recorded_features import (
    FeatureLayout,
    RecordedFeatures,
    Recorder,
    Shape,
    prepare_files,
)
from attlas.studies.trees.training import TreebankPart
from attlas.studies.trees.treebank import PARTS, SentenceTree, files_of_parts
from attlas.studies.word_vectors import read_glove
from attlas.subject import load

LENGTH = 128
ROOM = 30e9  # bytes: features of two models of a dozen layers, and of their copies at random
RANDOM = tuple(kind.model for kind in KINDS.values() if kind.model)


@dataclass(frozen=True)
class Job:
    """One model, or a copy of it at random (`initialise`), and where its features go."""

    name: str
    model: str
    initialise: str
    data: Path
    folder: Path
    sentences: int | None
    settings: TreeSettings
    device: str
    have: frozenset[Fit] = frozenset()  # what is known from an earlier run

    @property
    def fits(self) -> list[Fit]:
        planned = [fit for fit in plan(self.settings) if model_of(fit) == self.initialise]
        return [fit for fit in planned if fit not in self.have]


# in the worker processes


def begin() -> None:
    torch.set_num_threads(1)


def record(job: Job) -> dict[str, Any]:
    """Features of all parts; and what must be known of them to report on them."""
    clock = time.perf_counter()
    subject = load(job.model, device=job.device, initialise=job.initialise or None)
    paths = files_of_parts(job.data)
    assert paths is not None, f"{job.data} has no treebank"
    kept: dict[str, Any] = {"trees": {}, "files": {}}
    counts = {"too_long": 0}
    for part in PARTS:
        source = WindowSource(annotated_corpus(paths[part]), SentenceWindows("words"), fits(subject, LENGTH))
        prepared = list(_prepared(source, job.sentences))
        counts["too_long"] += sum(shard.counts["too_long"] for shard in prepared)
        parsed = [SentenceTree.of(window) for shard in prepared for window in shard.items]
        trees = sorted((t for t in parsed if t is not None), key=lambda tree: (len(tree.words), tree.id))
        shape = Shape.of(subject, not job.initialise)
        layout = FeatureLayout(shape, tuple(t.id for t in trees), tuple(len(t.words) for t in trees))
        files, _ = prepare_files(job.folder, part, layout, {})
        for shard in prepared:
            run_shard(subject, Pass("features", source, [Recorder(files)], kernel="eager"), shard)
        files.finish()
        kept["trees"][part], kept["files"][part] = trees, files
    words = {word for sentences in kept["trees"].values() for tree in sentences for word in tree.words}
    kept["vectors"] = read_glove(next(iter(sorted(job.data.glob("glove*.txt")))), words)
    trainings(job)
    (job.folder / "job.pickle").write_bytes(pickle.dumps(kept))
    test = kept["trees"]["test"]
    rows = [row for tree in test for row in kept["vectors"].look_up(tree.words)]
    return {
        "ids": [tuple(tree.id) for tree in test],
        "untrained": without_training(test),
        "sentences": {part: len(sentences) for part, sentences in kept["trees"].items()},
        "known": sum(row > 0 for row in rows) / len(rows),
        "heads": [subject.heads[-1].layer + 1, len(subject.heads) // (subject.heads[-1].layer + 1)],
        "seconds": round(time.perf_counter() - clock, 1),
        **counts,
    }


def _prepared(source: WindowSource, sentences: int | None) -> Iterator[PreparedShard]:
    """All shards, or those of the first so many sentences."""
    for shard in source.shards():
        yield (prepared := source.prepare(shard, sentences))
        if sentences is not None:
            sentences -= len(prepared.items)
            if sentences <= 0:
                return


def trainings(job: Job) -> UnfinishedRun:
    """What all workers share; `record` begins it before they take it up."""
    run = UnfinishedRun(job.folder / "fits")
    run.take_up({"job": str(job)})
    return run


_trainers: dict[str, Trainer] = {}


def train_one(job: Job, fit: Fit) -> tuple[dict[str, Any], float]:
    """What a fit found, and the seconds it took."""
    clock = time.perf_counter()
    if job.name not in _trainers:
        kept = pickle.loads((job.folder / "job.pickle").read_bytes())
        parts = {
            part: TreebankPart(trees, RecordedFeatures(kept["files"][part], job.device), kept["vectors"])
            for part, trees in kept["trees"].items()
        }
        _trainers[job.name] = Trainer(parts, job.settings, FitStore(trainings(job)))
    outcome = _trainers[job.name].find(fit)
    return outcome.as_data(), round(time.perf_counter() - clock, 2)


# in this process


class Lines:
    """Lines of JSON, each on the disk before the next."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8")
        self._lock = threading.Lock()

    def write(self, **said: Any) -> None:
        with self._lock:
            self._file.write(json.dumps(said) + "\n")
            self._file.flush()


def run(job: Job, workers: int, lines: Lines) -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=begin) as pool:
        said = pool.submit(record, job).result()
        untrained = said.pop("untrained")
        lines.write(kind="model", model=job.name, initialise=job.initialise, **said)
        for fit, outcome in untrained.items() if not job.initialise else ():
            lines.write(kind="fit", model=job.name, fit=fit._asdict(), outcome=outcome.as_data(), seconds=0)
        report(f"{job.name} {job.initialise}: features in {said['seconds']} s")
        pending, running, finished = list(job.fits), dict[Future[Any], Fit](), set(job.have)
        while pending or running:
            for fit in [fit for fit in pending if needed(fit) <= finished][: workers + 1 - len(running)]:
                pending.remove(fit)
                running[pool.submit(train_one, job, fit)] = fit
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                finished.add(running[future])
                write(lines, job, running.pop(future), future)


def needed(fit: Fit) -> set[Fit]:
    """What must be trained before."""
    return {Fit("attention", fit.seed)} if fit.probe in (RELATIONS, FEW_HEADS) else set()


def write(lines: Lines, job: Job, fit: Fit, future: Future[Any]) -> None:
    error = future.exception()
    if error is not None:
        lines.write(kind="error", model=job.name, fit=fit._asdict(), error=str(error))
        report(f"{job.name} {fit.name}: {''.join(traceback.format_exception(error))}")
        return
    outcome, seconds = future.result()
    lines.write(kind="fit", model=job.name, fit=fit._asdict(), outcome=outcome, seconds=seconds)
    tree = outcome["tree"]
    uas = f"UAS {100 * sum(tree['directed']) / max(1, sum(tree['words'])):.1f}, " if tree else ""
    report(f"{job.name} {fit.name}: {uas}{seconds} s")


def known(paths: Iterable[Path], epochs: int) -> dict[str, set[Fit]]:
    """What each model has been trained on already, with so many epochs."""
    fits_of: dict[str, set[Fit]] = {}
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            said = json.loads(line)
            if said["kind"] == "run" and said["epochs"] != epochs:
                raise SystemExit(f"{path} was trained for {said['epochs']} epochs, and not for {epochs}")
            if said["kind"] == "fit":
                fits_of.setdefault(said["model"], set()).add(Fit(**said["fit"]))
    return fits_of


_began = time.perf_counter()


def report(text: str) -> None:
    print(f"{time.perf_counter() - _began:6.1f} s  {text}", file=sys.stderr, flush=True)


@contextmanager
def scratch(chosen: Path | None) -> Iterator[Path]:
    """In memory, where there is room for it."""
    if chosen is not None:
        yield chosen
        return
    shared = Path("/dev/shm")
    roomy = shared.is_dir() and shutil.disk_usage(shared).free > ROOM
    with TemporaryDirectory(prefix="attlas-trees-", dir=shared if roomy else None) as folder:
        yield Path(folder)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("data", type=Path)
    asked.add_argument("out", type=Path, help="lines are added to this file")
    asked.add_argument("--models", nargs="+", default=["mini"], metavar="NAME[=FOLDER]")
    asked.add_argument("--workers", type=int, default=5, help="processes of each model (1 of each at random)")
    asked.add_argument("--sentences", type=int, help="only the first N of each part")
    asked.add_argument("--seeds", type=int, default=5)
    asked.add_argument("--epochs", type=int, default=3)
    asked.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    asked.add_argument("--have", type=Path, nargs="*", default=[], help="lines of earlier runs")
    asked.add_argument("--scratch", type=Path, help="where features go: up to 20 GB")
    options = asked.parse_args()
    have = known([path for path in (options.out, *options.have) if path.exists()], options.epochs)
    lines, settings = Lines(options.out), TreeSettings(seeds=options.seeds, epochs=options.epochs)
    lines.write(
        kind="run", seeds=options.seeds, epochs=options.epochs, device=options.device, seed=settings.seed
    )
    with scratch(options.scratch) as folder:
        jobs = [
            Job(
                name,
                model or name,
                initialise,
                options.data,
                folder / f"{name}-{initialise}",
                options.sentences,
                settings,
                options.device,
                frozenset(have.get(name, ())),
            )
            for initialise in ("", *RANDOM)
            for name, _, model in (named.partition("=") for named in options.models)
        ]
        jobs = [job for job in jobs if job.fits]
        report(f"{sum(len(job.fits) for job in jobs)} trainings to do")
        with ThreadPoolExecutor(max(1, len(jobs))) as threads:
            tasks = [
                threads.submit(run, job, 1 if job.initialise else options.workers, lines) for job in jobs
            ]
            for task in as_completed(tasks):
                if (error := task.exception()) is not None:
                    lines.write(kind="error", error=str(error))
                    report("".join(traceback.format_exception(error)))
    report("done")


if __name__ == "__main__":
    main()
