"""Kills a run at random moments and resumes it, again and again: every atlas must equal that of a quiet run.

    python tests/kill_and_resume.py --times 50

Each time a map and a probe are started into a new folder, killed (SIGKILL, sometimes SIGTERM or SIGINT) after
a random while, resumed with --resume, killed again, until they end by themselves.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

COMMANDS = {
    "map": "map mini --segments 60 --length 64 --sample 8 --shard 512 --out {out}",
    "map on 2 workers": "map mini --segments 60 --length 64 --sample 8 --shard 512 --out {out} --workers 2",
    "probe": "probe dependencies mini --min-count 20 --atlas {out}",
}
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def contents(atlas: Path) -> dict[str, Any]:
    """Every file of an atlas; of the manifest all but the time and the checksum."""
    found: dict[str, Any] = {
        str(f.relative_to(atlas)): f.read_bytes() for f in sorted(atlas.rglob("*")) if f.is_file()
    }
    manifest = json.loads(found["manifest.json"])
    manifest.pop("checksum")
    for about in manifest["chapters"].values():
        about.pop("time")
    found["manifest.json"] = manifest
    return found


def run(command: str, out: Path, after: float | None, sent: signal.Signals, resume: bool) -> bool:
    """Whether the run came to its end; else it was killed after so many seconds."""
    words = [sys.executable, "-m", "attlas", *command.format(out=out).split(), "--no-progress"]
    process = subprocess.Popen(
        [*words, *(["--resume"] if resume else [])],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _, said = process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        process.send_signal(sent)
        _, said = process.communicate()
        if process.returncode != 0:
            return False
    if process.returncode:
        raise SystemExit(f"attlas ended with {process.returncode}: {said}")
    return True


def kill_and_resume(name: str, times: int, seed: int, folder: Path) -> int:
    """How often a run was killed, over all times. Ends at the first atlas that differs."""
    command, rng = COMMANDS[name], random.Random(seed)
    started = time.monotonic()
    run(command, folder / "quiet.attlas", None, signal.SIGKILL, resume=False)
    whole = time.monotonic() - started
    quiet, kills = contents(folder / "quiet.attlas"), 0
    for n in range(times):
        out, resume = folder / f"{n}.attlas", False
        while not run(command, out, rng.uniform(0.3, 1.0) * whole, rng.choice(SIGNALS), resume):
            kills += 1
            # killed before it wrote anything, there is nothing to resume
            resume = out.exists() or out.with_name(out.name + ".part").exists()
        found = contents(out)
        different = sorted(f for f in {*quiet, *found} if quiet.get(f) != found.get(f))
        if different:
            raise SystemExit(f"{name}, time {n}: {', '.join(different)} differ")
        left = [p.name for p in folder.iterdir() if p.name.startswith((f"{n}.attlas.", f".{n}.attlas"))]
        if left:
            raise SystemExit(f"{name}, time {n}: {', '.join(left)} are left behind")
    return kills


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=COMMANDS, nargs="+", default=list(COMMANDS))
    given = parser.parse_args()
    for name in given.only:
        with tempfile.TemporaryDirectory() as folder:
            kills = kill_and_resume(name, given.times, given.seed, Path(folder))
        print(f"{name}: {given.times} runs, killed {kills} times, every atlas like that of a quiet run")


if __name__ == "__main__":
    main()
