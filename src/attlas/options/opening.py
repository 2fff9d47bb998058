"""An atlas, where its folder may be given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.atlas import Atlas


def opened(atlas: Any) -> Atlas:
    from attlas.atlas import Atlas, load_atlas

    if isinstance(atlas, Atlas):
        return atlas
    if not isinstance(atlas, str | Path):
        raise AttlasError(f"give an atlas or the path of its folder, not a {type(atlas).__name__}")
    return load_atlas(atlas)
