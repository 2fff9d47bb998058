"""The patterns that need a task: successor, copy suppression, function vectors. A task is put to the model
first, and one that it cannot do gives no score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from attlas.corpora.source import Source
from attlas.engines import Pass
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

NEEDED = 84  # tokens: random ones that repeat, and special ones
FEWEST = 4  # texts that a model must solve before anything is concluded from them
#: makes a pass over a source: its name, the source, its reducers
MakePass = Callable[[str, Any, list[Any]], Pass]
TASKS = ("successor", "copy_suppression", "function_vector")
#: what the model did with how many of how many texts
_DID = {
    "successor": "continued {} of {} runs of days, months, numbers, ordinals and letters",
    "copy_suppression": "repeated {} of {} texts of random tokens",
    "function_vector": "answered {} of {} prompts with examples of a function",
}


def no_tasks(subject: Subject) -> str | None:
    """Why tasks say nothing of a model; None where they may."""
    if subject.kinds != ("decoder",):
        return "the model does not generate text"
    if missing := no_objective(subject):
        return f"the model has {missing}"
    if subject.longest is not None and subject.longest < NEEDED:
        return f"the model takes {subject.longest} tokens, and tasks need {NEEDED}"
    return no_direct_paths(subject)


def task_scores(
    subject: Subject, texts: int, seed: int, make: MakePass, run: RunPass
) -> tuple[list[PatternScore], list[str]]:
    """Scores over at most `texts` texts of each task, and a note on how many of them the model solved."""
    if not texts or no_tasks(subject):
        return [], []
    tokenizer: Any = subject.tokenizer
    repeated = RepeatedTexts(RepeatedTokens(tokenizer, texts, seed=seed))
    tasks: dict[str, tuple[Source, type[Successor] | type[CopySuppression]]] = {
        "successor": (Successions(tokenizer, texts, seed), Successor),
        "copy_suppression": (repeated, CopySuppression),
    }
    scores, notes = list[PatternScore](), list[str]()
    for task, (source, reducer) in tasks.items():
        asked = run(make(f"{task}-solved", source, [Solved()])).reducer(Solved)
        solved = asked.ids()
        notes.append(_note(task, len(solved), len(asked.right)))
        if len(solved) >= FEWEST:
            done = run(make(task, source.only(solved), [reducer()]))
            scores += done.reducer(reducer).scores()
    by_function, note = _function_vectors(subject, texts, seed, make, run)
    return [*scores, *by_function], [*notes, note]


def _function_vectors(
    subject: Subject, texts: int, seed: int, make: MakePass, run: RunPass
) -> tuple[list[PatternScore], str]:
    if missing := no_function_vectors(subject):
        return [], f"not applicable: function_vector ({missing})"
    source = FunctionPrompts(subject.tokenizer, max(2, texts // len(FUNCTIONS)), seed, subject.longest)
    work = make("function_vectors", source, [FunctionVectors(subject.heads)])
    done = run(replace(work, sweep=FunctionSweep()))
    scores = done.reducer(FunctionVectors).scores()
    solved = max((score.items for score in scores), default=0)
    return (scores if solved >= FEWEST else []), _note("function_vector", solved, done.counts["items"])


def _note(task: str, solved: int, asked: int) -> str:
    if not asked:
        return f"not applicable: {task} (none of its prompts fits the model's tokens)"
    none = "" if solved >= FEWEST else ", so that no head has a score"
    return f"{task}: the model {_DID[task].format(solved, asked)}{none}"
