"""What heads know: `attlas.probe.dependencies("mini")`."""

from attlas.verbs.probe import coreference, dependencies, features, frames, tree

__all__ = ["coreference", "dependencies", "features", "frames", "tree"]
