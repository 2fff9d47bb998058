"""Where the work runs."""

from attlas.engines.local import Pass, run

__all__ = ["Pass", "run"]
