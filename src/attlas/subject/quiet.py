"""transformers draws bars and writes reports while it reads a model; a library should not."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field


@contextlib.contextmanager
def no_bars() -> Iterator[None]:
    """No progress bars meanwhile. The first thread of several takes them away, and the last one brings them
    back."""
    from transformers.utils import logging

    with _quiet.lock:
        if not _quiet.threads:
            _quiet.shown = logging.is_progress_bar_enabled()
            logging.disable_progress_bar()
        _quiet.threads += 1
    try:
        yield
    finally:
        with _quiet.lock:
            _quiet.threads -= 1
            if _quiet.shown and not _quiet.threads:
                logging.enable_progress_bar()


@dataclass
class _Quiet:
    """Who wants no bars of transformers' now, and whether there were any before."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    threads: int = 0
    shown: bool = True


_quiet = _Quiet()


@contextlib.contextmanager
def no_reports() -> Iterator[None]:
    """transformers lists all weights that are missing or left over: what matters is said in one line."""
    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(before)
