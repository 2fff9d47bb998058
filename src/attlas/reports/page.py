"""The report as one HTML file, on the front end of the views: no network, and nothing else can run."""

from __future__ import annotations

import base64
import html
import json
import zlib
from collections.abc import Iterator

from attlas.reports.assembling import PackedReport
from attlas.reports.sentences import plain
from attlas.views.view_page import bundle, policy

_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="attlas"></main>
<noscript><h1>{title}</h1>
<p>The page is drawn by a script inside this file: allow scripts to see it. What stands out:</p>
<ul>{stands_out}</ul></noscript>
<script type="application/octet-stream" data-attlas="report">{report}</script>
<script type="application/octet-stream" data-attlas="data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def page_html(packed: PackedReport) -> str:
    """A self-contained page."""
    script, style = bundle("report")
    document = json.dumps(packed.report, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return _TEMPLATE.format(
        policy=policy(script, style),
        title=html.escape(f"{packed.report['model']['title']} · Attlas report"),
        style=style,
        stands_out="".join(_items(packed)),
        report=_deflated(document.encode("utf-8")),
        data=_deflated(packed.data),
        script=script,
    )


def _items(packed: PackedReport) -> Iterator[str]:
    addresses = packed.report["heads"]["address"]
    for sentence in packed.report["stands_out"]:
        yield f"<li>{html.escape(plain(sentence, addresses))}</li>"


def _deflated(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")
