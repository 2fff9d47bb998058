"""The public verbs: the same names and defaults in Python and in the terminal, from one definition.

Heavy libraries load when a verb runs, not when it is imported.
"""

from attlas.verbs.loading import load
from attlas.verbs.mapping import map, plan
from attlas.verbs.patterns import patterns
from attlas.verbs.reading import draw, show

__all__ = ["COMMANDS", "draw", "load", "map", "patterns", "plan", "show"]

#: those that the terminal has, in the order of its help
COMMANDS = (map, patterns, plan, show, draw)
