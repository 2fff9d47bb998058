"""Lines of a text file with their numbers, and errors that say where."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attlas.errors import AttlasError
from attlas.files import refuse_irregular

#: what a reader does with a document that is wrong: raise the error, or note it and read on
Report = Callable[[AttlasError], None]


def stop(error: AttlasError) -> None:
    raise error


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, counted from 1, to be decoded by `decode_line`. A file without any text is an
    error."""
    if path.is_dir():
        raise AttlasError(f"{path} is a folder: name a file")
    refuse_irregular(path)
    some = False
    try:
        with path.open("rb") as file:
            # bytes are split at \n only: other separators of Unicode occur inside words
            for number, raw in enumerate(file, 1):
                some = some or bool(raw.strip())
                yield number, raw
    except FileNotFoundError as error:
        raise AttlasError(f"there is no file {path}") from error
    except OSError as error:
        raise AttlasError(f"{path} cannot be read: {error.strerror}") from error
    if not some:
        raise AttlasError(f"{path} is empty")


def decode_line(path: Path, number: int, raw: bytes) -> str:
    """A line of UTF-8 without its end."""
    try:
        line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise wrong(path, number, f"this is not UTF-8 ({error.reason})") from error
    if "\0" in line:
        raise wrong(path, number, "this is not text: it has a zero byte")
    return line


def parse_json(text: str) -> Any:
    """What a text of JSON holds; a ValueError says what is wrong with it."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("a record nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"this is not JSON ({error})") from error


def parse_json_line(path: Path, number: int, raw: bytes) -> Any:
    """What a line of JSON holds."""
    line = decode_line(path, number, raw)
    try:
        return parse_json(line)
    except ValueError as error:
        raise wrong(path, number, str(error)) from error


def quote(written: str) -> str:
    """What a file has, quoted and shortened, for an error of one line."""
    return repr(written) if len(written) <= 40 else f"{written[:40]!r}... ({len(written)} characters)"


def wrong(path: Path, line: int, what: str) -> AttlasError:
    return AttlasError(f"{path}, line {line}: {what}")
