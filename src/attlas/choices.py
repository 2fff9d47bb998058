"""What can be chosen by name has a file of that name: the verb `map` is `map` in `verbs/map.py`, the probe
`tree` is `tree` in `verbs/probe/tree.py`. Names are read from the folders, and nothing is imported."""

from pathlib import Path
from pkgutil import iter_modules
from typing import Literal


def _names(folder: str) -> tuple[str, ...]:
    modules = iter_modules([str(Path(__file__).parent / folder)])
    return tuple(module.name for module in modules if not module.ispkg)


VERBS = _names("verbs")
PROBES = _names("verbs/probe")

EngineName = Literal["local", "processes", "ray"]
