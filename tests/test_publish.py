"""A published site: its pages, from disk and in a browser with no network; and what is refused."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import attlas
from attlas.atlas import load_atlas
from attlas.cli import run
from attlas.errors import AttlasError
from attlas.site.head_page import densest_window
from attlas.site.publishing import SkippedError
from attlas.subject import Subject
from patience import PATIENCE, begins, expect, until

ASK = Path(__file__).parent / "data" / "ask"
AXE = Path(__file__).parents[1] / "web" / "node_modules" / "axe-core" / "axe.min.js"
HOSTILE = "<script>window.broken=1</script>\"'<img src=x onerror=window.broken=1>"


class Links(HTMLParser):
    """Everything that a page leads to or loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


@pytest.fixture(scope="module")
def hostile(subject_of: Callable[[str], Subject], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small atlas whose model and text are written to break a page."""
    folder = tmp_path_factory.mktemp("hostile") / "evil.attlas"
    subject = subject_of("bert")
    named = Subject(subject.model, subject.tokenizer, HOSTILE)
    text = [f"A {HOSTILE} text & more. " * 6] * 3
    options: dict[str, Any] = {"segments": 3, "length": 32, "twin": False, "atlas": folder, "progress": False}
    attlas.map(named, text=text, sample=2, **options)
    attlas.patterns(named, text=text, **options)
    return folder


@pytest.fixture(scope="module")
def site(hostile: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    atlases = (ASK / "mini.attlas", ASK / "minilm.attlas", hostile)
    result = attlas.publish(*atlases, folder, url="https://example.org/heads", progress=False)
    assert result.models == ("mini", "minilm", "evil")
    return folder


def pages(site: Path) -> Iterator[Path]:
    yield from sorted(site.rglob("*.html"))


def test_every_head_has_a_page_of_its_own_that_is_small_and_every_link_leads_somewhere(site):
    atlas = load_atlas(ASK / "mini.attlas")
    addresses = {path.parent.name for path in (site / "mini").glob("*/index.html")}
    assert addresses == {head.write(False) for head in atlas.addresses}
    for page in pages(site):
        if page.parent.parent == site and page.name == "index.html" and page.parent.name != "tables":
            continue  # the report, which draws itself
        assert page.stat().st_size < 400_000
        links = Links()
        links.feed(page.read_text(encoding="utf-8"))
        for link in links.found:
            if not link.startswith("data:"):
                assert (page.parent / re.split("[?#]", link)[0]).exists(), f"{page}: {link}"


def test_a_heads_page_says_what_its_card_says_with_the_evidence(site):
    html = (site / "mini" / "7.10" / "index.html").read_text(encoding="utf-8")
    said = attlas.ask(load_atlas(ASK / "mini.attlas"), "what does 7.10 do?").heads[0].sentence
    assert said.split(". ")[0] in html
    assert "attlas probe dependencies mini" in html
    assert str(ASK) not in html, "where the atlas lies is nobody's business"
    value = load_atlas(ASK / "mini.attlas").head("7.10").query("statistic == 'to_previous'").iloc[0]["value"]
    assert f"{100 * value:.1f} ±" in html


def test_a_link_unfolds_to_a_card_with_a_picture_of_its_own(site):
    html = (site / "mini" / "7.10" / "index.html").read_text(encoding="utf-8")
    cards = dict(re.findall(r'<meta property="(og:\w+)" content="([^"]*)">', html))
    assert cards["og:title"].startswith("Head 7.10 of mini")
    assert cards["og:image"] == "https://example.org/heads/mini/7.10/preview.png"
    assert cards["og:url"] == "https://example.org/heads/mini/7.10/"
    assert len(cards["og:description"]) > 20
    assert (site / "mini" / "7.10" / "preview.png").read_bytes().startswith(b"\x89PNG")
    assert 'property="og:image"' in (site / "mini" / "index.html").read_text(encoding="utf-8")


def test_the_tables_count_what_the_atlases_say(site):
    html = (site / "tables" / "index.html").read_text(encoding="utf-8")
    names = load_atlas(ASK / "minilm.attlas").names("pattern")
    delimiters = sum(name == "delimiter" for name in names.values())
    rows = [row for row in html.split("<tr>") if "minilm/index.html#colour=pattern" in row]
    assert len(rows) == 1
    assert f"</svg>{delimiters}<" in rows[0]
    assert rows[0].endswith('<td class="n">72</td></tr>')


def test_nothing_in_an_atlas_is_markup_on_a_page(site):
    for page in [*(site / "evil").rglob("*.html"), site / "index.html", site / "tables" / "index.html"]:
        assert HOSTILE not in page.read_text(encoding="utf-8"), page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_question_finds_heads_of_all_models_from_a_file_system(site, browser, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 800}, offline=True, color_scheme=scheme)
    problems: list[str] = []
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto((site / "index.html").as_uri())
    page.fill("#question", "which heads find objects?")
    page.wait_for_selector("#answers li")
    until(page, page.locator("#answers h3").all_text_contents, lambda named: "mini" in named)
    best = attlas.ask(load_atlas(ASK / "minilm.attlas"), "which heads find objects?").heads[0]
    expect(page.locator("#answers section", has_text="all-minilm-l6-v2").locator("a").first).to_have_text(
        best.head
    )
    until(page, lambda: page.url, lambda url: "find=which" in url)
    page.locator("#answers a").first.click()
    page.wait_for_url("**/index.html")
    expect(page.locator("h1")).to_have_text(begins("Head "), use_inner_text=True)
    until(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda size: size <= 390)
    page.goto(page.url + "?embed")
    expect(page.locator("header")).not_to_be_visible()
    page.goto((site / "evil" / "0.0" / "index.html").as_uri())
    assert page.evaluate("window.broken") is None
    context.close()
    assert problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_pages_of_a_site(site, browser, scheme):
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (cd web && npm install)")
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, color_scheme=scheme, bypass_csp=True
    )
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    for name in ("index.html", "mini/heads.html", "mini/7.10/index.html", "tables/index.html"):
        page.goto((site / name).as_uri())
        page.add_script_tag(path=AXE)
        results = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
        assert [(name, v["id"], v["nodes"][0]["html"]) for v in results["violations"]] == []
    context.close()


def test_on_a_server_the_address_of_a_head_is_its_folder(site, browser, tmp_path):
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.route("**/*", lambda route: route.fulfill(path=_file(site, route.request.url)))
    page.goto("http://site.test/mini/heads.html")
    page.wait_for_function("document.querySelector('td a').href.endsWith('/mini/0.0/')")
    page.locator("td a").first.click()
    page.wait_for_url("http://site.test/mini/0.0/")
    page.wait_for_selector("h1")
    context.close()


def _file(site: Path, url: str) -> Path:
    path = re.sub(r"^http://site.test/|[?#].*$", "", url)
    return site / (f"{path}index.html" if not path or path.endswith("/") else path)


def test_a_damaged_atlas_is_skipped_named_and_fails_the_command_at_the_end(hostile, tmp_path, capsys):
    damaged = tmp_path / "damaged.attlas"
    shutil.copytree(ASK / "minilm.attlas", damaged)
    (damaged / "heads.parquet").write_bytes(b"PAR1 not")
    with pytest.raises(SkippedError, match=r"1 atlas was skipped: .*damaged\.attlas") as raised:
        attlas.publish(damaged, hostile, tmp_path / "site", previews=False, progress=False)
    assert raised.value.result.models == ("evil",)
    assert (tmp_path / "site" / "evil" / "1.3" / "index.html").is_file()
    assert not list((tmp_path / "site").rglob("*.png"))
    with pytest.raises(AttlasError, match=r"no atlas can be read: .*heads\.parquet does not match"):
        attlas.publish(damaged, tmp_path / "empty", progress=False)
    assert not (tmp_path / "empty").exists()
    assert run(["publish", str(damaged), str(tmp_path / "never"), "--no-progress"]) == 1
    assert "no atlas can be read" in capsys.readouterr().err


def test_a_site_replaces_a_site_alone_and_keeps_what_is_not_its_own(hostile, tmp_path):
    other = tmp_path / "other.attlas"
    other.symlink_to(hostile)
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "precious").write_text("mine")
    with pytest.raises(AttlasError, match="is not empty, and not a site"):
        attlas.publish(ASK / "mini.attlas", folder, overwrite=True)
    (folder / "precious").unlink()
    attlas.publish(other, folder, previews=False, progress=False)
    (folder / "CNAME").write_text("example.org")
    with pytest.raises(AttlasError, match="overwrite=True replaces it"):
        attlas.publish(hostile, folder)
    attlas.publish(hostile, folder, previews=False, overwrite=True, progress=False)
    assert (folder / "CNAME").read_text() == "example.org"
    assert (folder / "evil").is_dir()
    assert not (folder / "other").exists()


def test_a_listing_of_a_site_cannot_reach_out_of_it(hostile, tmp_path):
    outside = tmp_path / "outside.txt"
    outside.write_text("stays")
    folder = tmp_path / "site"
    attlas.publish(hostile, folder, previews=False, progress=False)
    (folder / "site" / "files.json").write_text(json.dumps(["../outside.txt", str(outside), 7]))
    attlas.publish(hostile, folder, previews=False, overwrite=True, progress=False)
    assert outside.read_text() == "stays"


def test_two_atlases_of_one_name_are_refused_and_two_of_one_model_told_apart(hostile, tmp_path):
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "Evil.attlas").symlink_to(hostile)
    with pytest.raises(AttlasError, match="two atlases would have the address evil/"):
        attlas.publish(tmp_path / "a/Evil.attlas", hostile, tmp_path / "site")
    (tmp_path / "other.attlas").symlink_to(hostile)
    attlas.publish(hostile, tmp_path / "other.attlas", tmp_path / "site", previews=False, progress=False)
    assert "(other)</a>" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("names", "options", "says"),
    [
        (["site"], {}, "one or more atlases, and last the folder"),
        ([ASK / "mini.attlas", ASK / "smollm2.attlas"], {}, "is an atlas: name the folder of the site last"),
        ([ASK / "mini.attlas", ASK / "questions.json"], {}, r"questions\.json is not a folder$"),
        ([ASK / "mini.attlas", "never"], {"url": "javascript:1"}, "does not begin with https://"),
    ],
)
def test_what_cannot_be_a_site_is_one_line(names, options, says):
    with pytest.raises(AttlasError, match=says):
        attlas.publish(*names, **options)


def test_the_window_that_is_drawn_holds_most_attention():
    weights = np.random.default_rng(0).random((12, 12))
    held = [weights[i : i + 5, i : i + 5].sum() for i in range(8)]
    assert densest_window(weights, 5) == int(np.argmax(held))


def test_an_atlas_in_memory_can_be_published(hostile, tmp_path):
    attlas.publish(replace(load_atlas(hostile), path=None), tmp_path / "site", previews=False, progress=False)
    assert len(list((tmp_path / "site").glob("*/1.3/index.html"))) == 1
