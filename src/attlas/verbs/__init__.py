"""The public verbs: the same names and defaults in Python and in the terminal, from one definition.

Heavy libraries load when a verb runs, not when it is imported.
"""

from attlas.verbs.comparing import compare
from attlas.verbs.disabling import disable
from attlas.verbs.finetuning import finetune
from attlas.verbs.loading import load
from attlas.verbs.mapping import map, plan
from attlas.verbs.naming import patterns
from attlas.verbs.pruning import prune
from attlas.verbs.reading import draw, show

__all__ = [
    "COMMANDS",
    "compare",
    "disable",
    "draw",
    "finetune",
    "load",
    "map",
    "patterns",
    "plan",
    "prune",
    "show",
]

#: those that the terminal has, in the order of its help
COMMANDS = (map, patterns, show, draw, finetune, compare, disable, prune, plan)
