"""Where the work runs: this process, several, a Ray cluster; shards, unfinished runs, the merge tree."""

from attlas.engines.engine import ENGINES, Engine, engine_named
from attlas.engines.passes import Pass
from attlas.engines.run import Merged, run_pass
from attlas.engines.unfinished import UnfinishedRun

__all__ = ["ENGINES", "Engine", "Merged", "Pass", "UnfinishedRun", "engine_named", "run_pass"]
