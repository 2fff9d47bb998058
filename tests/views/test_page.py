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
from attlas.atlas import load_atlas
from attlas.errors import AttlasError
from attlas.figures import write_page
from attlas.verbs import draw
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
    found = blocks(page)
    assert [attributes for attributes, _ in found] == [
        'type="application/json" data-attlas="scene"',
        'type="application/octet-stream" data-attlas="data"',
        'type="module"',
    ]
    assert json.loads(found[0][1])["sides"]["encoder"]["tokens"] == tokens
    assert "alert(2)</script>" not in page.replace("\\u003c", "<").split("<body>")[0]


def test_the_bundle_fits_inside_a_script_block_and_is_small():
    script, style = bundle()
    assert "</script" not in script.lower()
    assert "<script" not in script.lower()
    assert "</style" not in style.lower()
    assert len(gzip.compress((script + style).encode())) < 300_000


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


def test_a_head_on_the_page_of_an_atlas_links_to_itself_in_a_view(browser, store_view, atlas_of, tmp_path):
    rows = [("encoder", la, h, "to_next", "", (la + h) / 40) for la in range(12) for h in range(12)]
    (tmp_path / "with space").mkdir()
    kept = store_view.save(tmp_path / "with space" / "view.html")
    page = browser.new_page()
    page.goto(write_page(load_atlas(atlas_of(rows)), tmp_path / "page.html", view=kept).as_uri())
    page.get_by_role("link", name="11.11").first.click()
    page.locator(".attlas").wait_for()
    assert page.get_by_role("combobox", name="Layer", exact=True).input_value() == "11"
    pressed = page.get_by_role("group", name="Heads").get_by_role("button", pressed=True)
    assert [each.get_attribute("aria-label") for each in pressed.all()] == ["Head 11.11"]
    page.close()


def test_a_view_that_is_not_there_is_not_linked(atlas_of, tmp_path):
    atlas = atlas_of([("encoder", 0, 0, "to_next", "", 0.5)])
    with pytest.raises(AttlasError, match=r"there is no view .*none\.html: write it with attlas view"):
        draw(atlas, figures=tmp_path, page=tmp_path / "page.html", view=tmp_path / "none.html")
    with pytest.raises(AttlasError, match="give page too"):
        draw(atlas, figures=tmp_path, view=tmp_path / "none.html")
