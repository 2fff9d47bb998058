"""What a progress bar says of a pass: what is being done, and what it counts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from attlas.corpora.source import ALL_ITEMS
from attlas.corpora.task_source import TaskSource
from attlas.corpora.text_source import TextSource
from attlas.corpora.window_source import WindowSource
from attlas.engines.passes import Pass

#: the name of a pass, or what it begins with -> what is being done
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "statistics": "where heads look",
        "tokens": "tokens of examples",
        "distances": "distances between heads",
        "long": "examples of long segments",
        "gradients": "gradients",
        "pictures": "a picture of maps",
        "sentence": "a sentence to show",
        "document": "a long document",
        "patterns": "patterns",
        "repeated": "induction on repeated tokens",
        "long_induction": "copying needles",
        "answers": "answering questions",
        "retrieval": "looking up answers",
        "successor": "what comes next in line",
        "copy_suppression": "tokens that are looked at and lowered",
        "function_vectors": "functions shown by examples",
        "predictive": "hiding tokens, one at a time",
        "typical": "typical maps",
        "shapes": "shapes of maps",
        "weights": "weights on words",
        "baselines": "counting links",
        "baselines-choosing": "counting links to choose heads on",
        "choosing": "choosing heads",
        "reporting": "testing the chosen heads",
        "at-work": "heads at work",
        "trees": "reading trees",
        "features": "recording attention",
        "items": "drawing inputs",
        "pairs": "comparing heads",
        "matching": "matching heads",
        "gates": "gradients of heads",
        "alone": "without each head",
        "greedy": "taking heads away",
        "curves": "taking heads away",
        "trial": "trying the edits",
        "sweep": "without each head",
        "means": "mean outputs of heads",
        "task": "answering the task",
        "halves": "halving the items",
        "writes": "what heads write",
        "logits": "what reaches the logits",
        "patches": "patching each head",
        "paths": "following paths from head to head",
        "largest": "largest weights",
        "sequences": "attention in chosen texts",
        "names": "putting names in the place of heads",
    }
)
_UNITS = {TextSource: "segments", WindowSource: "windows", TaskSource: "examples"}
#: passes that run each item several times, and count runs
_SEVERAL = {"predictive": "texts with a token hidden"}


def bar_of(pass_: Pass) -> tuple[str, int | None, str]:
    """What is being done, how many there will be, where that is known, and of what."""
    name = pass_.name
    what = WORDS.get(name) or WORDS.get(name.split("-")[0], name)
    if name in _SEVERAL:
        return what, None, _SEVERAL[name]
    source = getattr(pass_.source, "source", pass_.source)  # of a source that is made of another
    limit = pass_.source.limit if getattr(source, "chosen", ALL_ITEMS) == ALL_ITEMS else None
    return what, pass_.items or limit, _UNITS.get(type(source), "texts")
