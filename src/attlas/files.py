"""Writing files: whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: str | Path, content: bytes | str) -> Path:
    """Writes a file so that it is never seen half-written: what was there stays until all is on the disk."""
    path = Path(path)
    data = content.encode() if isinstance(content, str) else content
    handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return path


def _umask() -> int:
    """Temporary files are for their owner alone; what we leave is as any other file."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
