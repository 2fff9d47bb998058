"""Where the work runs: this process, several, a Ray cluster; shards, checkpoints, the merge tree."""

from attlas.engines.checkpoint import Checkpoint
from attlas.engines.engine import ENGINES, Engine, engine_named
from attlas.engines.passes import Pass
from attlas.engines.run import Merged, run_pass

__all__ = ["ENGINES", "Checkpoint", "Engine", "Merged", "Pass", "engine_named", "run_pass"]
