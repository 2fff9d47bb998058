"""The public verbs, one file each: the same names and defaults in Python and in the terminal.

Heavy libraries load when a verb runs, not when it is imported.
"""

from importlib import import_module

from attlas import choices

#: those that the terminal has, in the order of its help
COMMANDS = tuple(getattr(import_module(f"attlas.verbs.{name}"), name) for name in choices.COMMANDS)
