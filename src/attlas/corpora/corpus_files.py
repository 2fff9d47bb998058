"""Files of a corpus by their addresses: paths, folders, patterns, and whatever fsspec opens (s3://, hf://)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ENAMETOOLONG
from io import SEEK_END
from pathlib import Path
from typing import IO, Any, cast

from attlas.errors import AttlasError
from attlas.files import file_hash

#: how compressed files are called
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
#: how files begin that are not text, whatever they are called
_MAGIC = {
    b"\x1f\x8b": ".gz",
    b"BZh": ".bz2",
    b"\xfd7zXZ": ".xz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"PAR1": ".parquet",
}
_PATTERN = "*?["


@dataclass(frozen=True)
class File:
    """`address` is what opens it anywhere, `name` what people call it. The size in bytes is as it lies there;
    None where a server does not say."""

    address: str
    name: str
    size: int | None

    @property
    def compressed(self) -> bool:
        return self.address.endswith(COMPRESSED)

    @property
    def local(self) -> bool:
        return "://" not in self.address

    @property
    def ending(self) -> str:
        """How its name ends, without what compression adds: `.jsonl` for a.jsonl.gz."""
        name = Path(self.address)
        return (name.with_suffix("") if self.compressed else name).suffix.lower()

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Its bytes as they lie there."""
        system, path = _system(self.address)
        with _reaching(self.name):
            file = system.open(path, "rb")
        with file:
            self._refuse_changed(file)
            yield file

    def _refuse_changed(self, file: IO[bytes]) -> None:
        """What was found at places of a file is not there when it has changed since."""
        if self.size is None or not file.seekable():
            return
        size = file.seek(0, SEEK_END)
        file.seek(0)
        if size != self.size:
            raise AttlasError(
                f"{self.name} changed while it was read: it had {self.size:,} bytes, now {size:,}"
            )

    @contextmanager
    def content(self) -> Iterator[IO[bytes]]:
        """Its bytes, decompressed where they are compressed; from the beginning."""
        with self.open() as raw:
            yield _decompress(raw, self.address)

    def checksum(self) -> str:
        """sha256 of a local file's content; of another, what its file system knows it by."""
        if self.local:
            with _reaching(self.name):
                return file_hash(self.address)
        system, path = _system(self.address)
        with _reaching(self.name):
            about = system.info(path)
            known = (about.get(key) for key in ("sha256", "ETag", "etag", "md5Hash", "blob_id"))
            return str(next(filter(None, known), None) or system.ukey(path)).strip('"')


def _decompress(raw: IO[bytes], address: str) -> IO[bytes]:
    if address.endswith(".gz"):
        import gzip

        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if address.endswith(".bz2"):
        import bz2

        return bz2.BZ2File(raw)
    if address.endswith(".xz"):
        import lzma

        return lzma.LZMAFile(raw)
    if address.endswith(".zst"):
        import pyarrow as pa

        return cast(IO[bytes], pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd"))
    return raw


def find_files(location: str | Path, endings: Sequence[str]) -> list[File]:
    """The file at an address; those of a folder, or below it, whose names have these endings, compressed or
    not; or those that a pattern (*.txt) names. In the order of their names."""
    address = str(location)
    system, path = _system(address)
    with _reaching(address):
        try:
            about = system.info(path)
        except FileNotFoundError:
            if any(mark in address for mark in _PATTERN):
                return _matching(system, path, address)
            raise AttlasError(f"{address}: no such file") from None
        if about["type"] == "file":
            return [_file(system, about, address)]
        if about["type"] != "directory":
            raise AttlasError(
                f"{address} is not a regular file: write what it gives to a file, and name that"
            )
        files = _files(system, system.find(path, detail=True), about["name"])
    named = [file for file in files if file.ending in endings]
    if not named:
        raise AttlasError(f"{address} is a folder without text: no name ends in {', '.join(endings)}")
    return named


def _matching(system: Any, path: str, address: str) -> list[File]:
    fixed = path[: min(path.index(mark) for mark in _PATTERN if mark in path)]
    files = _files(system, system.glob(path, detail=True), fixed.rpartition("/")[0])
    if not files:
        raise AttlasError(f"{address}: no file matches this")
    return files


def _files(system: Any, listing: dict[str, dict[str, Any]], folder: str) -> list[File]:
    files = []
    for path, about in sorted(listing.items()):
        within = path[len(folder) :].lstrip("/")
        hidden = any(part.startswith((".", "_")) for part in within.split("/"))
        if about["type"] == "file" and not hidden:
            files.append(_file(system, about, within))
    return files


def _file(system: Any, about: dict[str, Any], name: str) -> File:
    local = "file" in (system.protocol if isinstance(system.protocol, tuple) else (system.protocol,))
    path = about["name"]
    return File(path if local else system.unstrip_protocol(path), name, about.get("size"))


def _system(address: str) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    try:
        system, path = url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise AttlasError(f"{address} cannot be opened: {one_line(error)}") from error
    return system, path


@contextmanager
def _reaching(name: str) -> Iterator[None]:
    try:
        yield
    except AttlasError:
        raise
    except FileNotFoundError as error:
        raise AttlasError(f"{name}: no such file") from error
    except Exception as error:  # every file system has errors of its own
        if getattr(error, "errno", None) == ENAMETOOLONG:  # a text where its file's name belongs
            raise AttlasError(f"{name[:60]}...: no such file") from error
        raise AttlasError(f"{name} cannot be read: {one_line(error)}") from error


def one_line(error: BaseException) -> str:
    message = " ".join(str(getattr(error, "strerror", None) or error).split())
    return message or type(error).__name__


def broken_off(name: str, done: int, what: str, error: Exception) -> AttlasError:
    """Something that could be read so far; or not at all."""
    how = f"breaks off after {done:,} {what}" if done else "cannot be read"
    return AttlasError(f"{name} {how}: {one_line(error)}")


class Bytes:
    """The bytes of a stream from `base` on, read as they are asked for and forgotten when they are done
    with. Places are counted from the beginning of the file."""

    def __init__(self, stream: IO[bytes], name: str, base: int = 0, chunk: int = 2**18) -> None:
        self.stream, self.name, self.base, self.chunk = stream, name, base, chunk
        self.data = bytearray()
        self.ended = False

    @property
    def end(self) -> int:
        return self.base + len(self.data)

    def grow(self, until: int) -> None:
        """Reads on until `until`, if there is so much."""
        while not self.ended and self.end < until:
            try:
                more = self.stream.read(max(self.chunk, until - self.end))
            except Exception as error:  # truncated archives, lost connections: each has errors of its own
                raise broken_off(self.name, self.end, "bytes", error) from error
            if self.base == 0 and not self.data:
                self._refuse_other(more)
            self.ended = not more
            self.data += more

    def _refuse_other(self, beginning: bytes) -> None:
        for magic, ending in _MAGIC.items():
            if beginning.startswith(magic):
                raise AttlasError(
                    f"{self.name} is not text but a {ending} file: let its name end in {ending}"
                )

    def find(self, mark: bytes, at: int, before: int) -> int | None:
        """Where a mark of one byte stands first, from `at` on and before `before`."""
        while True:
            index = self.data.find(mark, at - self.base, max(0, before - self.base))
            if index >= 0:
                return self.base + index
            at = max(at, self.end)
            if self.ended or at >= before:
                return None
            self.grow(min(before, at + self.chunk))

    def slice(self, start: int, stop: int) -> bytes:
        return bytes(self.data[start - self.base : stop - self.base])

    def forget(self, until: int) -> None:
        """Everything before `until`."""
        if until > self.base:
            del self.data[: until - self.base]
            self.base = until
