"""What the parameters that verbs share mean, said once, and the numbers they take."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

from attlas.arguments import checked
from attlas.errors import AttlasError

#: what a parameter means in every verb that has it and does not say otherwise
COMMON = {
    "model": "The embedded `mini`, a folder that transformers saved, a GGUF file, or a name on the hub.",
    "task": "A task of GLUE, as in RTE, that the model was fine-tuned on; or a name for your own, with "
    "--columns.",
    "data": "The task's data: GLUE's folder, a folder of the task, or a file (TSV or JSON lines) of "
    "examples.",
    "columns": "The columns of the texts in data of your own: one, or two.",
    "label": "The column of the label in data of your own.",
    "numbers": "The label is a number to be predicted, not a class.",
    "metric": "Which of the task's metrics: accuracy, f1, matthews, pearson or spearman; GLUE's own if not "
    "given.",
    "examples": "How many examples of the task to take, from its beginning; all if not given.",
    "text": "Text, JSON lines or Parquet, as `attlas map` takes it. Without it, the embedded sample of "
    "Wikipedia.",
    "field": "The field of a record that holds its text, where that is not called `text`.",
    "segments": "How many segments of the text to take, from its beginning.",
    "pieces": "How the rows of a word's pieces become one: mean, first, or max.",
    "length": "Most tokens in a window; longer sentences are left out, and counted.",
    "strict": "Stop at a document that cannot be read, instead of leaving it out and counting it.",
    "seed": "Seed of the halves and of the bootstrap.",
    "atlas": "Write everything that was found into this atlas, as a chapter; it is made if it is not there.",
    "chapter": "Name of the chapter, instead of PROBE-CORPUS.",
    "figures": "Draw the figures into this folder.",
    "csv": "Write the table to this file.",
    "resume": "Continue a run into --atlas that was stopped; the result is that of an unbroken run.",
    "overwrite": "Replace the chapter, or an unfinished run, that is there already.",
    "engine": "Where the work runs: local (this process), processes (several of this machine), or ray.",
    "workers": "How many processes share the work.",
    "address": "The Ray cluster, with --engine ray.",
    "device": "Where the model runs; a GPU if there is one.",
    "dtype": "float32, bfloat16 or float16.",
    "trust_remote_code": "Run code that comes with the model. Off for a reason.",
    "progress": "Show a progress bar.",
}
_PARAMETERS = "\n\nParameters\n----------\n"
Verb = TypeVar("Verb", bound=Callable[..., Any])


def explained(verb: Verb) -> Verb:
    """Completes the parameters of a verb's docstring, for `--help` and `help()`, in the signature's order.
    What is given for them is checked."""
    if verb.__doc__ is None:  # python -OO
        return checked(verb)
    text, _, own = (inspect.getdoc(verb) or "").partition(_PARAMETERS)
    said = {name: " ".join(said.split()) for name, said in re.findall(r"^(\w+)\n((?: .*\n?)+)", own, re.M)}
    meanings = ((name, {**COMMON, **said}[name]) for name in inspect.signature(verb).parameters)
    verb.__doc__ = text + _PARAMETERS + "\n".join(f"{name}\n    {meaning}" for name, meaning in meanings)
    return checked(verb)


def at_least(**given: int) -> None:
    for name, value in given.items():
        if value < 1:
            raise AttlasError(f"--{name.replace('_', '-')} {value}: at least 1 is needed")
