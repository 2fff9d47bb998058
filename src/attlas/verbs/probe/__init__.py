"""The probes, one file each: what heads know of syntax, coreference, frames and features.

Heavy libraries load when a probe runs, not when it is imported.
"""

from importlib import import_module

from attlas import choices

#: in the order of the terminal's help
PROBES = tuple(getattr(import_module(f"attlas.verbs.probe.{name}"), name) for name in choices.PROBES)
