"""The public verbs, one file each: the same names and defaults in Python and in the terminal.

Heavy libraries load when a verb runs, not when it is imported.
"""

from attlas.verbs.ask import ask
from attlas.verbs.compare import compare
from attlas.verbs.disable import disable
from attlas.verbs.draw import draw
from attlas.verbs.finetune import finetune
from attlas.verbs.load import load
from attlas.verbs.map import map
from attlas.verbs.patterns import patterns
from attlas.verbs.plan import plan
from attlas.verbs.prune import prune
from attlas.verbs.report import report
from attlas.verbs.show import show
from attlas.verbs.view import view

__all__ = [
    "COMMANDS",
    "ask",
    "compare",
    "disable",
    "draw",
    "finetune",
    "load",
    "map",
    "patterns",
    "plan",
    "prune",
    "report",
    "show",
    "view",
]

#: those that the terminal has, in the order of its help
COMMANDS = (report, map, patterns, show, ask, draw, view, finetune, compare, disable, prune, plan)
