"""What can be chosen by name: each list stands here once, and nothing heavy loads with it.

What a name stands for lies where the name says: the verb `map` in `verbs/map.py`, the probe `tree` in
`verbs/probe/tree.py`, the engine `ray` in `engines/ray.py`. `tests/test_guards.py` says what a name lacks.
"""

from typing import Literal

#: those that the terminal has, in the order of its help
COMMANDS = (
    "report",
    "reproduce",
    "map",
    "patterns",
    "writes",
    "show",
    "ask",
    "draw",
    "view",
    "finetune",
    "compare",
    "disable",
    "patch",
    "prune",
    "plan",
)
#: and `load`, whose result a terminal cannot keep
VERBS = (*COMMANDS, "load")
PROBES = ("dependencies", "coreference", "frames", "features", "tree")

EngineName = Literal["local", "processes", "ray"]
EditName = Literal["uniform", "zero", "mean", "shuffle"]
