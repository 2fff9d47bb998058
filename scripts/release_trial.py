"""Tries an installed Attlas as its users would: the core, or what one extra adds.

scripts/release runs it in the environment that has it, from a folder that is not the clone.

python -I scripts/release_trial.py EXTRA
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

ATTLAS = Path(sys.executable).with_name("attlas")


def attlas(*arguments: str) -> str:
    """Run a command and return what it prints."""
    done = subprocess.run([ATTLAS, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"attlas {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def try_core() -> None:
    assert attlas("--version").strip() == version("attlas")
    attlas("report", "mini", "--budget", "glance", "--atlas", "trial.attlas", "--page", "trial.html")
    assert "<html" in Path("trial.html").read_text(encoding="utf-8")[:400]
    print(attlas("show", "trial.attlas")[:400])


def try_serve() -> None:
    """The app answers its first page, and stops when it is asked to."""
    server = subprocess.Popen(
        [ATTLAS, "serve", "mini", "--no-open", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert server.stdout is not None
    try:
        line = next(line for line in server.stdout if "http://" in line)
        address = re.search(r"http://\S+", line)
        assert address is not None
        with urllib.request.urlopen(address[0], timeout=60) as page:
            assert page.status == 200
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


def try_import(library: str) -> Callable[[], None]:
    return lambda: print(library, getattr(__import__(library), "__version__", "loads"))


def try_probes() -> None:
    print(attlas("probe", "dependencies", "mini", "--windows", "40", "--min-count", "10")[:300])


TRIALS: dict[str, Callable[[], None]] = {
    "": try_core,
    "serve": try_serve,
    "probes": try_probes,
    "notebook": try_import("anywidget"),
    "gguf": try_import("gguf"),
    "finetune": try_import("accelerate"),
    "datasets": try_import("datasets"),
    "peft": try_import("peft"),
    "mcp": try_import("attlas.tools.mcp_server"),
    "ray": try_import("ray"),
}

if __name__ == "__main__":
    extra = sys.argv[1]
    attlas("--version")
    TRIALS[extra]()
