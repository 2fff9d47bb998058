"""The probes: the same names and defaults in Python (`attlas.probe.dependencies`) and in the terminal.

Heavy libraries load when a verb runs, not when it is imported.
"""

from attlas.probe.links import coreference, dependencies
from attlas.probe.trees import tree
from attlas.probe.weights import features, frames

__all__ = ["coreference", "dependencies", "features", "frames", "tree"]

#: in the order of the terminal's help
PROBES = (dependencies, coreference, frames, features, tree)
