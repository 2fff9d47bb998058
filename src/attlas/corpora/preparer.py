"""A process that prepares shards for the one that runs the model.

It imports little, so that it is ready soon: what prepares, and the tokenizer that comes with it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
from pathlib import Path

from attlas.corpora.source import PreparedShard, Preparer, Shard

_preparer: list[Preparer] = []


def begin(file: str) -> None:
    """`file` has what prepares."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that runs the model: it ends us
    end_with_the_driver()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    with contextlib.suppress(FileNotFoundError):  # we come too late: all is done
        _preparer[:] = [pickle.loads(Path(file).read_bytes())]


def nothing() -> None:
    """Is done when a process has started."""


def prepare(shard: Shard) -> PreparedShard:
    return _preparer[0].prepare(shard)


def end_with_the_driver() -> None:
    """A driver that is killed cannot end its processes: they see it go."""

    def wait() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
