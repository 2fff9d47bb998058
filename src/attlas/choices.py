"""What can be chosen by name has a file of that name: the verb `map` is `map` in `verbs/map.py`, the probe
`tree` is `tree` in `verbs/probe/tree.py`. Names are read from the folders, and nothing is imported."""

import os
from typing import Literal, get_args


def _names(folder: str) -> tuple[str, ...]:
    stems = map(os.path.splitext, os.listdir(os.path.join(os.path.dirname(__file__), folder)))
    return tuple(sorted(name for name, ending in stems if ending == ".py" and not name.startswith("_")))


VERBS = _names("verbs")
PROBES = _names("verbs/probe")

EngineName = Literal["local", "processes", "ray"]
Paper = Literal["clark2019", "kovaleva2019", "vig2019"]
Budget = Literal["quick", "full"]
ReportBudget = Literal["glance", "quick", "full"]
ThemeName = Literal["light", "dark"]
#: what each keeps of where it comes from is in figures/drawing.py
FigureFormat = Literal["svg", "pdf", "png"]
FIGURE_FORMATS: tuple[FigureFormat, ...] = get_args(FigureFormat)
#: the probes of trees, in the order of their table
TreeProbe = Literal[
    "right-branching",
    "random",
    "embeddings",
    "peaked",
    "distances",
    "attention",
    "words",
    "norms",
    "biaffine",
    "best",
    "relations",
    "structural",
]
#: what decides which head is pruned next
PruneOrder = Literal["effect", "gradient", "greedy"]

#: what a view can show, and how
ViewKind = Literal["head", "model", "text", "matrix", "neuron", "image"]
MapKind = Literal["encoder", "decoder", "cross", "vision", "encoder rollout", "decoder rollout"]
Theme = Literal["system", "light", "dark"]
Level = Literal["pieces", "words"]
Layout = Literal["columns", "rows"]
Sentences = Literal["all", "a-a", "b-b", "a-b", "b-a"]
Weighting = Literal["weights", "norm"]
Direction = Literal["from", "to"]
Colouring = Literal["head", "behaviour", "pattern", "shape"]
