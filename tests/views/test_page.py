"""The page as a file: self-contained, nothing runs but the bundle, and the bundle is the current one."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from attlas import view
from attlas.errors import AttlasError
from attlas.views import View
from attlas.views.view_page import bundle

ROOT = Path(__file__).parents[2]


def blocks(page: str) -> list[tuple[str, str]]:
    return re.findall(r"<script ([^>]*)>(.*?)</script>", page, re.DOTALL)


def test_the_policy_allows_the_bundle_by_its_hash_and_nothing_else(store_view):
    page = store_view.html()
    policy = re.search(r'Security-Policy" content="([^"]*)"', page)[1]
    script = next(body for attributes, body in blocks(page) if "module" in attributes)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    for name, text in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_the_page_names_no_address_to_fetch_from(store_view):
    page = store_view.html()
    assert not re.search(r"<(link|img|iframe|script)[^>]+(src|href)=", page)
    assert not re.search(r"\bimport\s*\(|\bfetch\s*\(|XMLHttpRequest|WebSocket", bundle()[0])


def test_tokens_cannot_leave_their_block(random_maps):
    tokens = ["</script><script>alert(1)</script>", "<!--", "&lt;", "]]>"]
    page = view(list(random_maps(1, 1, 4)), tokens, title="</title><script>alert(2)</script>").html()
    scripts = blocks(page)
    assert [attributes for attributes, _ in scripts] == [
        'type="application/json" data-attlas="scene"',
        'type="application/octet-stream" data-attlas="data"',
        'type="module"',
    ]
    assert json.loads(scripts[0][1])["sides"]["encoder"]["tokens"] == tokens
    assert "alert(2)</script>" not in page.replace("\\u003c", "<").split("<body>")[0]


def test_the_bundle_fits_inside_a_script_block_and_is_small():
    script, style = bundle()
    assert "</script" not in script.lower()
    assert "<script" not in script.lower()
    assert "</style" not in style.lower()
    assert len(gzip.compress((script + style).encode())) < 120_000


def test_the_bundle_was_built_from_the_sources_that_are_here():
    web = ROOT / "web"
    if not web.is_dir():
        pytest.skip("the sources of the front end are not here")
    names = [path.relative_to(web).as_posix() for path in (web / "src").rglob("*") if path.is_file()]
    digest = hashlib.sha256()
    for name in sorted([*names, "package.json", "vite.config.ts"]):
        digest.update(name.encode() + b"\0" + (web / name).read_bytes() + b"\0")
    stamp = (ROOT / "src/attlas/views/bundle/sources.sha256").read_text().strip()
    assert digest.hexdigest() == stamp, "the bundle is stale: run `npm install && npm run build` in web/"


def test_a_folder_that_is_not_there_is_made(store_view, tmp_path):
    assert store_view.save(tmp_path / "none" / "page.html").is_file()
    (tmp_path / "file").touch()
    with pytest.raises(AttlasError, match=r"page\.html cannot be written: .*file is not a folder"):
        store_view.save(tmp_path / "file" / "page.html")


def test_without_anywidget_a_notebook_gets_the_page_in_a_frame(store_view, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "attlas.views.widget", None)
    shown = View(store_view.packed, store_view.maps)._repr_mimebundle_()
    assert '<iframe srcdoc="&lt;!doctype html&gt;' in shown["text/html"]
