"""Trains and judges the network that tells the shapes of attention maps apart.

    python research/patterns.py explore     # ways to train it, compared within the training parts of folds
    python research/patterns.py judge       # the best way: folds, baseline, a model held out: patterns.json
    python research/patterns.py train       # on all maps: src/attlas/data/shapes/network.safetensors
    python research/patterns.py all         # one after the other

The network that ships is small, since it sees every map of a model. Wider ones learn the labelled maps first,
and it learns from their mean: on the labelled maps, and on others that nobody labelled (`--unlabelled`, drawn
by `annotate.py`). Minutes on a GPU with `--processes 12`, hours on one core; `--trial` shows that it runs.
docs/shapes.md says what came out: `scripts/docs` writes it there.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from safetensors.torch import save_file
from shape_learning import Lesson, Maps, Recipe, Said, gathered, learn, score_in_words
from shape_maps import read, textbook
from shape_report import held_out, macro_f1, report_of
from shape_rules import fit_rule, measures, ruled
from shape_workers import Workers
from sklearn.model_selection import StratifiedGroupKFold
from torch import Tensor

from attlas.studies.shapes.network import LAYERS

HERE = Path(__file__).parent
REPORT, EXPLORED = HERE / "patterns.json", HERE / "patterns_explored.json"
NETWORK = HERE.parent / "src" / "attlas" / "data" / "shapes" / "network.safetensors"
FOLDS, INNER, NETWORKS = 5, 4, 2  # networks of the size that ships, by which a way is compared with others
HELD_OUT = ("minilm", "smollm2")  # an encoder, and the only large decoder
WIDE = ((32, 1), (32, 2), (48, 1), (64, 2), (64, 1), (96, 2), (96, 1), (96, 1))
SMALL, LARGE = Recipe(), Recipe(layers=WIDE)
SHARES_OF_TIME = (0.55, 0.75)  # when exploring must not begin teachers, nor their pupils, any more


@dataclass(frozen=True)
class Way:
    """How the network that ships is trained."""

    student: Recipe = SMALL
    teacher: Recipe = LARGE
    teachers: int = 4  # wide networks that it learns from; 0: from labels alone
    generations: int = 1  # 2: the teachers have teachers of their own
    unseen: bool = False  # each teacher does without some labelled maps, and is asked about these
    more_labels: bool = False  # learns from the labelled maps that nothing is judged on, too
    teachers_too: bool = False  # and so do its teachers
    labels_say: float = 0.5  # in what it is to say of a labelled map; the rest is its teachers'
    unlabelled: bool = True


WAY = Way()
MORE = replace(SMALL, beside=192)
LONG, BARE = replace(MORE, epochs=120), replace(SMALL, dropout=0.1)
#: in this order: where time is short, the last ones are left out
TRIED = {
    "plain": WAY,
    "more unlabelled": replace(WAY, student=MORE),
    "more unlabelled, longer": replace(WAY, student=LONG),
    "more unlabelled, teachers say more": replace(WAY, student=MORE, labels_say=0.2),
    "more unlabelled, little dropout": replace(WAY, student=replace(MORE, dropout=0.1)),
    "little dropout": replace(WAY, student=BARE),
    "two generations": replace(WAY, generations=2),
    "two generations, more unlabelled": replace(WAY, generations=2, student=MORE),
    "two generations, more unlabelled, longer": replace(WAY, generations=2, student=LONG),
    "more labels": replace(WAY, more_labels=True),
    "more labels and unlabelled": replace(WAY, more_labels=True, student=MORE),
    "more labels, teachers too": replace(WAY, more_labels=True, teachers_too=True),
    "labels alone": replace(WAY, teachers=0),
    "eight teachers": replace(WAY, teachers=8),
    "eight teachers, more unlabelled": replace(WAY, teachers=8, student=MORE),
    "balanced": replace(WAY, student=replace(SMALL, balance=0.5)),
    "unseen, more unlabelled": replace(WAY, unseen=True, student=MORE),
    "fewer tokens": replace(
        WAY,
        student=replace(SMALL, fewer_tokens=True),
        teacher=replace(LARGE, fewer_tokens=True),
    ),
}


@dataclass(frozen=True)
class Job:
    """A network of the size that ships, to be trained on some maps and asked about others."""

    name: tuple[Any, ...]
    way: Way
    train: tuple[int, ...]
    test: tuple[int, ...] = ()
    seed: int = 0
    without: str = ""


@dataclass
class View:
    """What teachers say together: map shape, of labelled maps and of the others."""

    labelled: Tensor
    unlabelled: Tensor


class School:
    """Trains the networks of many jobs, each teacher once, and shares the maps among processes."""

    def __init__(self, maps: Maps, workers: Workers, folder: str, seconds: float = float("inf")) -> None:
        self.maps, self.workers, self.path = maps, workers, Path(folder) / "maps.pt"
        self.began, self.seconds = time.time(), seconds
        torch.save(maps, self.path)

    def run(self, jobs: list[Job]) -> list[Said | None]:
        """What every job's network says; nothing where time was too short."""
        views: dict[Job, View] = {}
        for generation in range(max(job.way.generations * bool(job.way.teachers) for job in jobs)):
            taught = {job: view for job, view in views.items() if job.way.generations <= generation}
            views = taught | self._views(jobs, views, generation)
        ready = [job for job in jobs if job in views or not job.way.teachers]
        lessons = [self._own(job, views.get(job)) for job in ready]
        said = dict(zip(ready, self._learned(lessons, 1), strict=True))
        return [said.get(job) for job in jobs]

    def _views(self, jobs: list[Job], before: dict[Job, View], generation: int) -> dict[Job, View]:
        asked = {
            job: list(self._teachers(job, before.get(job), generation))
            for job in jobs
            if job.way.teachers and generation < job.way.generations and (job in before or not generation)
        }
        once: dict[Any, Lesson] = {}
        for name, lesson in chain.from_iterable(asked.values()):
            once.setdefault(name, lesson)
        share = SHARES_OF_TIME[generation]
        said = dict(zip(once, self._learned(list(once.values()), share), strict=True))
        views = {}
        for job, lessons in asked.items():
            answers = [(lesson, said[name]) for name, lesson in lessons]
            if all(answer is not None for _, answer in answers):
                views[job] = together(answers)
                if not job.seed:
                    print(
                        *job.name,
                        "teachers together",
                        score_in_words(views[job].labelled, job.test, self.maps),
                    )
        return views

    def _teachers(self, job: Job, view: View | None, generation: int) -> Iterator[tuple[Any, Lesson]]:
        """A teacher's lesson, and a name under which jobs share it."""
        passages = sorted({self.maps.passages[i] for i in job.train})
        part = {passage: i % job.way.teachers for i, passage in enumerate(passages)}
        for i in range(job.way.teachers):
            train = job.train
            if not job.way.teachers_too:
                train = tuple(m for m in train if m < self.maps.judged)
            if job.way.unseen:
                train = tuple(m for m in train if part[self.maps.passages[m]] != i)
            name, seed = (*job.name, "teacher", i), 1000 * generation + 100 * (i + 1)
            lesson = Lesson(name, train, job.test, job.way.teacher, seed, job.without)
            shared = (train, job.without, lesson.recipe, lesson.seed)
            yield (shared, job.way if generation else None), self._from(lesson, view, job.way)

    def _own(self, job: Job, view: View | None) -> Lesson:
        lesson = Lesson(job.name, job.train, job.test, job.way.student, job.seed, job.without)
        return self._from(lesson, view, job.way)

    def _from(self, lesson: Lesson, view: View | None, way: Way) -> Lesson:
        if view is None:
            return lesson
        # the labels have a say, since teachers know them by heart
        targets = torch.lerp(view.labelled, self.maps.wanted, way.labels_say)
        return replace(lesson, targets=targets, taught=view.unlabelled if way.unlabelled else None)

    def _learned(self, lessons: list[Lesson], share: float) -> list[Said | None]:
        until = self.began + share * self.seconds
        return self.workers.map(partial(_learned, path=self.path, until=until), lessons)


def together(answers: list[tuple[Lesson, Said]]) -> View:
    """Of a labelled map those teachers speak that have not seen it; all, if all have."""
    said = torch.stack([answer.labelled for _, answer in answers])  # teacher map shape
    speaks = torch.ones(said.shape[:2])
    for row, (lesson, _) in zip(speaks, answers, strict=True):
        row[list(lesson.train)] = 0
    speaks[:, speaks.sum(0) == 0] = 1
    labelled = (said * speaks[..., None]).sum(0) / speaks.sum(0)[:, None]
    return View(labelled, torch.stack([answer.unlabelled for _, answer in answers]).mean(0))


def _learned(lesson: Lesson, path: Path, until: float) -> Said | None:
    return learn(lesson, _shared(path), textbook(0)) if time.time() < until else None


@cache
def _shared(path: Path) -> Maps:
    maps: Maps = torch.load(path, weights_only=False)
    return maps


def folds_of(maps: Maps) -> list[tuple[list[int], list[int]]]:
    """Train and test of every fold: stratified by shape, no passage in both."""
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=0)
    judged = maps.right[: maps.judged]
    return [(a.tolist(), b.tolist()) for a, b in folds.split(judged, judged, maps.passages[: maps.judged])]


def to_learn_from(maps: Maps, train: list[int], way: Way, without: str = "") -> tuple[int, ...]:
    """`train`, and the labelled maps that nothing is judged on."""
    more = [i for i in range(maps.judged, len(maps.right)) if way.more_labels and maps.models[i] != without]
    return (*train, *more)


def explore(maps: Maps, workers: Workers, folder: str, seconds: float) -> None:
    """Every way on one split of the training part of every fold; its test part is not looked at. The best is
    that of the highest mean over folds; so maps that one fold is judged on have helped to choose by way of
    the others' training parts."""
    school = School(maps, workers, folder, seconds)
    jobs = []
    for name, way in TRIED.items():
        for fold, (train, _) in enumerate(folds_of(maps)):
            inner = StratifiedGroupKFold(INNER, shuffle=True, random_state=fold)
            within, held = next(inner.split(train, maps.right[train], [maps.passages[i] for i in train]))
            to_learn = to_learn_from(maps, [train[i] for i in within], way)
            test = tuple(train[i] for i in held)
            jobs += [Job((name, fold, seed), way, to_learn, test, seed) for seed in range(NETWORKS)]
    rows = [
        {"way": job.name[0], "split": f"{job.name[1]}.{job.seed}", "f1": _score(maps, job, said)}
        for job, said in zip(jobs, school.run(jobs), strict=True)
    ]
    best, table = compared(pd.DataFrame(rows))
    EXPLORED.write_text(json.dumps({"best": best, "macro_f1": table["mean"].to_dict()}, indent=1) + "\n")
    print(table.round(3).to_string(), f"best: {best}", sep="\n", flush=True)


def compared(scores: pd.DataFrame) -> tuple[str, pd.DataFrame]:
    """The way of the highest mean, and all scores of the ways for which there was time."""
    table = scores.pivot(index="way", columns="split", values="f1").dropna()
    table.insert(0, "mean", table.mean(axis=1))
    table = table.sort_values("mean", ascending=False, kind="stable")
    return next(iter(table.index), next(iter(TRIED))), table  # the first, if there was time for none


def _score(maps: Maps, job: Job, said: Said | None) -> float:
    test = list(job.test)
    return np.nan if said is None else macro_f1(maps.right[test], said.logits[test].argmax(-1))


def best_way() -> Way:
    return TRIED[json.loads(EXPLORED.read_text())["best"]]


def for_a_trial(maps: Maps) -> Maps:
    """A few variants, one epoch, and at most two small teachers."""
    for name, way in TRIED.items():
        student, teacher = replace(way.student, epochs=1), replace(way.teacher, epochs=1, layers=LAYERS)
        TRIED[name] = replace(way, student=student, teacher=teacher, teachers=min(2, way.teachers))
    kept = slice(0, len(maps.more_models), 20)
    return replace(
        maps, pictures=maps.pictures[:2], more=maps.more[:2, kept], more_models=maps.more_models[kept]
    )


def judge(maps: Maps, workers: Workers, folder: str, way: Way, trained: bool) -> None:
    """Folds, and whole models held out; with the network that ships, if it is to be `trained`, too."""
    frame, whole = read()
    rules, right = measures(whole), maps.right[: maps.judged]
    jobs, rows = [], []
    for fold, (train, test) in enumerate(folds_of(maps)):
        jobs.append(Job(("fold", fold), way, to_learn_from(maps, train, way), tuple(test)))
        by_rule = ruled(rules[test], fit_rule(rules[train], right[train].numpy()))
        rows.append({"fold": fold, "rules": macro_f1(right[test], torch.tensor(by_rule))})
    for model in HELD_OUT:
        of_model = [i for i in range(maps.judged) if maps.models[i] == model]
        rest = [i for i in range(maps.judged) if maps.models[i] != model]
        jobs.append(Job((model,), way, to_learn_from(maps, rest, way, model), tuple(of_model), 0, model))
    last = [Job(("all",), way, to_learn_from(maps, list(range(maps.judged)), way))] if trained else []
    answers = School(maps, workers, folder).run([*jobs, *last])
    pooled = torch.zeros(maps.judged, answers[0].logits.shape[1])
    for job, said, row in zip(jobs, answers, rows, strict=False):
        pooled[list(job.test)] = said.logits[list(job.test)]
        row["network"] = _score(maps, job, said)
    report = report_of(frame, right, rows, pooled)
    report["more_labels"] = len(maps.right) - maps.judged if way.more_labels else 0
    report["unlabelled"] = len(maps.more_models)
    report["held_out"] = {
        str(job.name[0]): held_out(right[list(job.test)], said.logits[list(job.test)].argmax(-1))
        for job, said in zip(jobs[len(rows) :], answers[len(rows) :], strict=False)
    }
    REPORT.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1), flush=True)
    if trained:
        _write(answers[-1])


def train(maps: Maps, workers: Workers, folder: str, way: Way) -> None:
    job = Job(("all",), way, to_learn_from(maps, list(range(maps.judged)), way))
    _write(School(maps, workers, folder).run([job])[0])


def _write(said: Said) -> None:
    # without a report, as the network is
    temperature = json.loads(REPORT.read_text())["temperature"] if REPORT.exists() else 1.0
    save_file(said.network.folded(temperature), NETWORK)
    print(f"{sum(p.numel() for p in said.network.parameters()):,} weights")


def main() -> None:
    global REPORT, EXPLORED, NETWORK
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("explore", "judge", "train", "all"))
    parser.add_argument("--unlabelled", type=Path, help="maps without labels, drawn by annotate.py")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="that exploring may take, about")
    parser.add_argument("--trial", action="store_true", help="networks that learn next to nothing, soon")
    options = parser.parse_args()
    with Workers(options.processes) as workers, tempfile.TemporaryDirectory() as folder:
        maps = gathered(options.unlabelled, workers)
        if options.trial:
            maps = for_a_trial(maps)
            # what ships stays as it is
            REPORT, EXPLORED, NETWORK = (Path(folder) / path.name for path in (REPORT, EXPLORED, NETWORK))
        if options.command in ("explore", "all"):
            explore(maps, workers, folder, options.seconds)
        if options.command in ("judge", "all"):
            judge(maps, workers, folder, best_way(), options.command == "all")
        if options.command == "train":
            train(maps, workers, folder, best_way())


if __name__ == "__main__":
    main()
