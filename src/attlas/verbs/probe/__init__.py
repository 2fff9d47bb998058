"""The probes, one file each: what heads know of syntax, coreference, frames and features.

Heavy libraries load when a probe runs, not when it is imported.
"""

from attlas.verbs.probe.coreference import coreference
from attlas.verbs.probe.dependencies import dependencies
from attlas.verbs.probe.features import features
from attlas.verbs.probe.frames import frames
from attlas.verbs.probe.tree import tree

__all__ = ["coreference", "dependencies", "features", "frames", "tree"]

#: in the order of the terminal's help
PROBES = (dependencies, coreference, frames, features, tree)
