"""The site is built without a warning, and its code runs: the gallery, the notebooks, the pages of the path.

Pictures and printed output are kept in the repository (`docs/gallery.py` writes the gallery's). Here the same
code runs over a few segments, and what does not depend on them is compared.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from patience import PATIENCE

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
GALLERY = sorted((ROOT / "examples" / "gallery").glob("*.py"))
#: prints the same over any text
SAME_EVERYWHERE = ("statistics_of_one_sentence", "who_wrote_the_key")
#: a page of each kind: of the path, with pictures, with tables, a notebook, the search
KINDS = ("docs/index", "docs/start", "docs/gallery", "docs/performance", "examples/finetuning", "search")
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture
def gallery(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(DOCS)
    import gallery

    yield gallery
    del sys.modules["gallery"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning: about links that lead nowhere, or loading from elsewhere."""
    pytest.importorskip("myst_nb", reason="Sphinx is not installed")
    folder = tmp_path_factory.mktemp("docs")
    options = ["-q", "-W", "--keep-going", "-c", DOCS, "-d", folder / "trees"]
    command = [sys.executable, "-m", "sphinx", *options, ROOT, folder / "site"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder / "site"


def test_every_page_has_a_description_and_a_twin_in_markdown_whose_links_lead_somewhere(site: Path) -> None:
    listed = re.findall(r"^- \[.+\]\((.+)\): .{20}", (site / "llms.txt").read_text(encoding="utf-8"), re.M)
    assert {"docs/start.md", "examples/decoder.md"} <= set(listed)
    for name in listed:
        assert '<meta name="description"' in (site / name).with_suffix(".html").read_text(encoding="utf-8")
        for link in re.findall(
            r"\]\((?!\w+:)([^)#\s]+\.(?:md|ipynb|png|svg))[)#]", (site / name).read_text()
        ):
            assert (site / name).parent.joinpath(link).is_file(), f"{name}: {link}"
    assert "without layer 1 ' the' 0.19" in (site / "examples" / "decoder.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_pages_fit_the_screen_load_nothing_and_axe_finds_nothing(
    site: Path, browser: Any, width: int, scheme: str
) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (cd web && npm install)")
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    context.set_default_timeout(1000 * PATIENCE)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    for name in KINDS:
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        page.add_script_tag(path=AXE)
        results = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
        assert [(name, v["id"], v["nodes"][0]["html"]) for v in results["violations"]] == []
    context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_the_search_finds_pages_from_a_file_system(site: Path, browser: Any) -> None:
    expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
    context = browser.new_context(offline=True)
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.goto((site / "search.html").as_uri() + "?q=fine-tuning")
    expect(page.locator("#search-results a", has_text="Fine-tuning").first).to_be_visible()
    context.close()


def test_the_site_names_a_broken_link_and_what_is_loaded_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sphinx", reason="Sphinx is not installed")
    monkeypatch.syspath_prepend(DOCS)
    from site_files import find_broken_links

    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="#here">1</a><a href="#gone">2</a><a href="b.html">3</a><a href="https://example.org">4</a>'
        '<script src="https://example.org/x.js"></script>'
    )
    assert sorted(find_broken_links(tmp_path)) == [
        "a.html links to #gone, which is not there",
        "a.html links to b.html, which is not there",
        "a.html loads https://example.org/x.js",
    ]


@pytest.mark.slow
def test_the_gallery_runs_and_prints_what_its_page_says(gallery: ModuleType, tmp_path: Path) -> None:
    gallery.small_atlas(tmp_path)
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for script in GALLERY:
        picture, printed = gallery.run_script(script, tmp_path)
        assert picture.read_bytes().startswith(b"\x89PNG"), script.name
        if script.stem in SAME_EVERYWHERE:
            assert f"```text\n{printed.strip()}\n```" in page, script.name


def test_every_script_of_the_gallery_is_short_and_on_its_page_with_a_picture(gallery: ModuleType) -> None:
    assert sorted(name for names in gallery.PARTS.values() for name in names) == [
        script.stem for script in GALLERY
    ]
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for script in GALLERY:
        code = script.read_text(encoding="utf-8")
        assert len(code.splitlines()) < 30, script.name
        assert code.split('"""', 2)[2].strip() in page, f"{script.name} changed: run docs/gallery.py"
        assert (DOCS / "images" / "gallery" / f"{script.stem}.png").is_file(), (
            f"{script.name}: run docs/gallery.py"
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["papers", "finetuning", "pictures"])
def test_a_notebook_runs_and_prints_what_it_printed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for cell in json.loads((ROOT / "examples" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            lines = "".join(cell["source"]).splitlines()
            exec(
                "\n".join(line for line in lines if not line.startswith("%")).replace("    %pip", "    #"),
                names,
            )
            said = "".join("".join(out["text"]) for out in cell["outputs"] if out["output_type"] == "stream")
            assert capsys.readouterr().out == said


def test_every_notebook_of_the_path_installs_attlas_where_it_is_not() -> None:
    for name in ("papers", "decoder", "finetuning", "pictures"):
        cells = json.loads((ROOT / "examples" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
        assert "%pip install" in "".join(next(c for c in cells if c["cell_type"] == "code")["source"]), name


def path() -> list[str]:
    """The pages of the path: all that the index lists before the reference."""
    index = (DOCS / "index.md").read_text(encoding="utf-8").split(":caption: Reference")[0]
    listed = re.findall(r"^(?:.* <)?([\w./-]+)>?$", index.split("```{toctree}", 1)[1], re.MULTILINE)
    return ["index", *(name for name in listed if (DOCS / f"{name}.md").is_file())]


@pytest.mark.parametrize("name", path())
def test_no_page_of_the_path_is_long(name: str) -> None:
    text = re.sub(r"```.*?```", "", (DOCS / f"{name}.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(re.findall(r"[^\s|]*[A-Za-z][^\s|]*", text)) <= 1200
