"""Makes the stubs of the verbs before the package is built, also for an editable install."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Stubs(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path[:0] = [str(Path(self.root, folder)) for folder in ("src", "scripts")]
        from stubs import write_stubs

        write_stubs()
