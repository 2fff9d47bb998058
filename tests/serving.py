"""What tests of the app share: the atlas and the text that they ask about, and how they wait."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

ATLAS = Path(__file__).parent / "data" / "ask" / "mini.attlas"
TEXT = "The capital of France is [MASK]."


def ended(client: Any, id: str, seconds: float = 120) -> Any:
    """The job once it has ended."""
    for _ in range(int(seconds / 0.02)):
        job = client.get(f"/api/jobs/{id}").json()
        if job["phase"] in ("done", "failed", "cancelled"):
            return job
        time.sleep(0.02)
    raise AssertionError(f"job {id} does not end")
