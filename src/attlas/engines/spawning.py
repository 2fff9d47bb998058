"""Starting processes that do not begin the user's program again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SAYS_WHERE_IT_IS = ("__spec__", "__file__")


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
