"""The file formats of figures. What would make two runs differ, as dates do, is left out of the files."""

from __future__ import annotations

import io
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from attlas.choices import FigureFormat

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: format -> what a file of it says of itself
METADATA: Mapping[FigureFormat, dict[str, str | None]] = MappingProxyType(
    {
        "svg": {"Date": None, "Creator": "Attlas"},
        "pdf": {"CreationDate": None, "Creator": "Attlas", "Producer": "Attlas"},
        "png": {"Software": "Attlas"},
    }
)


def figure_bytes(figure: Figure, format: FigureFormat, dots: int = 200) -> bytes:
    """The figure as the bytes of a file: in memory, since matplotlib does not survive a full disk."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=format, dpi=dots, metadata=METADATA[format])
    return buffer.getvalue()
