"""The public verbs, one file each: the same names and defaults in Python and in the terminal.

Heavy libraries load when a verb runs, not when it is imported.
"""

from importlib import import_module
from typing import Any

from attlas.choices import PROBES, VERBS


def every_verb() -> dict[str, Any]:
    """By name, probes too."""
    modules = {**{name: name for name in VERBS}, **{name: f"probe.{name}" for name in PROBES}}
    return {name: getattr(import_module(f"attlas.verbs.{module}"), name) for name, module in modules.items()}
