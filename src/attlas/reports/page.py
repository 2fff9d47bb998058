"""The report as one HTML file, on the front end of the views: no network, and nothing else can run."""

from __future__ import annotations

import base64
import html
import json
import zlib
from collections.abc import Iterator

from attlas.reports.assembling import PackedReport
from attlas.reports.sentences import sentence_text
from attlas.views.view_page import block, self_contained


def page_html(packed: PackedReport, meta: str = "") -> str:
    """A self-contained page. `meta` is more for its head: a preview card."""
    title = f"{packed.report['model']['title']} · Attlas report"
    document = json.dumps(packed.report, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return self_contained(
        title,
        [block("report", _deflate(document.encode("utf-8"))), block("data", _deflate(packed.data))],
        f"<h1>{html.escape(title)}</h1>\n"
        "<p>The page is drawn by a script inside this file: allow scripts to see it. What stands out:</p>\n"
        f"<ul>{''.join(_stands_out_items(packed))}</ul>",
        meta=meta,
    )


def _stands_out_items(packed: PackedReport) -> Iterator[str]:
    addresses = packed.report["heads"]["address"]
    for sentence in packed.report["stands_out"]:
        yield f"<li>{html.escape(sentence_text(sentence, addresses))}</li>"


def _deflate(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")
