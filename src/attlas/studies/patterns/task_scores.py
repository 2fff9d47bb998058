"""The patterns that need a task: successor, copy suppression, function vectors. A task is put to the model
first, and one that it cannot do gives no score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attlas.engines import Merged, Pass
from attlas.studies.patterns.answering import CopySuppression, Successor
from attlas.studies.patterns.function_prompts import FUNCTIONS, FunctionPrompts
from attlas.studies.patterns.function_vectors import FunctionSweep, FunctionVectors, no_function_vectors
from attlas.studies.patterns.pattern_scores import PatternScore
from attlas.studies.patterns.prompts import RepeatedTexts, Solved, Successions
from attlas.studies.patterns.sources import RepeatedTokens
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.subject.losses import no_objective
from attlas.tap.direct import no_direct_paths

FEWEST = 4  # texts that a model must solve before anything is concluded from them
#: makes a pass over a source: its name, the source, its reducers
MakePass = Callable[[str, Any, list[Any]], Pass]
TASKS = ("successor", "copy_suppression", "function_vector")
_WHAT = {
    "successor": ("put the next in line", "runs of days, months, numbers or letters"),
    "copy_suppression": ("repeated", "texts of random tokens"),
    "function_vector": ("answered", "prompts with examples of a function"),
}


def no_tasks(subject: Subject) -> str | None:
    """Why tasks say nothing of a model; None where they may."""
    if subject.kinds != ("decoder",):
        return "the model does not generate text"
    if missing := no_objective(subject):
        return f"the model has {missing}"
    return no_direct_paths(subject)


def task_scores(
    subject: Subject, texts: int, seed: int, make: MakePass, run: RunPass
) -> tuple[list[PatternScore], list[str]]:
    """Scores over at most so many texts of each task, and a note on how many of them the model solved."""
    if not texts or no_tasks(subject):
        return [], []
    tokenizer: Any = subject.tokenizer
    longest = min(40, (subject.longest or 84) // 2 - 2)
    repeated = RepeatedTokens(tokenizer, texts, shortest=min(16, longest), longest=longest, seed=seed)
    sources = {
        "successor": (Successions(tokenizer, texts, seed), Successor),
        "copy_suppression": (RepeatedTexts(repeated), CopySuppression),
    }
    scores, notes = list[PatternScore](), list[str]()
    for task, (source, reducer) in sources.items():
        asked = run(make(f"{task}-solved", source, [Solved()])).reducer(Solved)
        solved = asked.ids()
        notes.append(_note(task, len(solved), len(asked.right)))
        if len(solved) >= FEWEST:
            scores += run(make(task, source.only(solved), [reducer()])).reducer(reducer).scores()
    by_function, note = _function_vectors(subject, texts, seed, make, run)
    return [*scores, *by_function], [*notes, note]


def _function_vectors(
    subject: Subject, texts: int, seed: int, make: MakePass, run: RunPass
) -> tuple[list[PatternScore], str]:
    if missing := no_function_vectors(subject):
        return [], f"not applicable: function_vector ({missing})"
    source = FunctionPrompts(subject.tokenizer, max(2, texts // len(FUNCTIONS)), seed)
    work = make("function_vectors", source, [FunctionVectors(subject.heads)])
    done: Merged = run(_swept(work))
    scores = done.reducer(FunctionVectors).scores()
    solved = max((score.items for score in scores), default=0)
    return (scores if solved >= FEWEST else []), _note("function_vector", solved, done.counts["items"])


def _swept(work: Pass) -> Pass:
    from dataclasses import replace

    return replace(work, sweep=FunctionSweep())


def _note(task: str, solved: int, asked: int) -> str:
    did, of = _WHAT[task]
    none = "" if solved >= FEWEST else ", so that no head has a score"
    return f"{task}: the model {did} in {solved} of {asked} {of}{none}"
