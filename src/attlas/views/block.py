"""The bytes behind a document: what views and the report put arrays into. No model library is loaded here."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any, Literal

from numpy.typing import NDArray

from attlas.views.contract import Section

_TYPES: dict[str, Literal["u8", "u16", "u32", "i8", "i16"]] = {
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "int8": "i8",
    "int16": "i16",
}


@dataclass
class Block:
    """The bytes behind a header: arrays one after the other, each at a multiple of four."""

    parts: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, array: NDArray[Any]) -> Section:
        """Append an array and say where it lies."""
        section: Section = {"at": self.size, "type": _TYPES[array.dtype.name], "shape": list(array.shape)}
        data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        padding = b"\0" * (-len(data) % 4)
        self.parts += [data, padding]
        self.size += len(data) + len(padding)
        return section

    def compress(self) -> bytes:
        """All of it, compressed as browsers can undo it (zlib)."""
        return zlib.compress(b"".join(self.parts), 5)
