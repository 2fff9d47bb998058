"""What can be chosen by name has a file of that name: the verb `map` is `map` in `verbs/map.py`, the probe
`tree` is `tree` in `verbs/probe/tree.py`. Names are read from the folders, and nothing is imported."""

import os
from typing import Literal


def _names(folder: str) -> tuple[str, ...]:
    stems = map(os.path.splitext, os.listdir(os.path.join(os.path.dirname(__file__), folder)))
    return tuple(sorted(name for name, ending in stems if ending == ".py" and not name.startswith("_")))


VERBS = _names("verbs")
PROBES = _names("verbs/probe")

EngineName = Literal["local", "processes", "ray"]
