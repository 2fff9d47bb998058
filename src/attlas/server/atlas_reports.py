"""An atlas as the report's page takes it, for the cards and the finder of the app."""

from __future__ import annotations

import base64
import zlib
from functools import lru_cache

from attlas.server.messages import AtlasReport
from attlas.server.served import ServedAtlas


@lru_cache(maxsize=8)
def atlas_report(atlas: ServedAtlas) -> AtlasReport:
    """The document of the report's page, and its bytes."""
    from attlas.reports.assembling import assemble

    packed = assemble(atlas.atlas)
    data = base64.b64encode(zlib.compress(packed.data)).decode("ascii")
    return AtlasReport(report=dict(packed.report), data=data)
