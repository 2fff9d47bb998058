"""Starting processes that do not begin the user's program again."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import BaseContext

import torch

_SAYS_WHERE_IT_IS = ("__spec__", "__file__")


def starting(module: str) -> BaseContext:
    """How to start processes that need this module: from one that has loaded it for all of them, since that
    takes seconds. Where there is a GPU each loads it anew: what has looked for a GPU cannot use it after
    a fork."""
    if sys.platform != "linux" or torch.cuda.device_count():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([module])
    return context


@contextmanager
def without_main(pickled: bytes) -> Iterator[None]:
    """Processes that are spawned meanwhile do not import the main module, as they usually would: a script
    without `if __name__ == "__main__":` would do all its work in each of them, and others would at least
    load all that they import. What is `pickled` for them may need the main module, for a class that it
    defines; then nothing is changed."""
    main = sys.modules["__main__"]
    if b"__main__" in pickled:
        yield
        return
    namespace = vars(main)  # that of a notebook may lack some of its names
    kept = {name: namespace[name] for name in _SAYS_WHERE_IT_IS if name in namespace}
    namespace.update(dict.fromkeys(_SAYS_WHERE_IT_IS))
    try:
        yield
    finally:
        for name in _SAYS_WHERE_IT_IS:
            del namespace[name]
        namespace.update(kept)
