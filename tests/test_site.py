"""The site is built without a warning, and its code runs: the gallery, the notebooks, the pages of the path.

Pictures and printed output are kept in the repository (`docs/gallery.py` writes the gallery's). Here the same
code runs over a few segments, and what does not depend on them is compared.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
GALLERY = sorted((ROOT / "examples" / "gallery").glob("*.py"))
#: prints the same over any text
SAME_EVERYWHERE = ("statistics_of_one_sentence", "who_wrote_the_key")
PATH = ("index", "start", "how-to", "large-corpus", "how-it-works", "can-and-cannot")


@pytest.fixture
def gallery(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(DOCS)
    import gallery

    yield gallery
    del sys.modules["gallery"]


def test_the_site_is_built_without_a_warning_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    pytest.importorskip("myst_nb", reason="Sphinx is not installed")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-c",
        DOCS,
        "-d",
        tmp_path / "trees",
    ]
    built = subprocess.run([*command, ROOT, tmp_path / "site"], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert "docs/start.md" in (tmp_path / "site" / "llms.txt").read_text()


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


@pytest.mark.parametrize("name", PATH)
def test_no_page_of_the_path_is_long(name: str) -> None:
    assert len((DOCS / f"{name}.md").read_text(encoding="utf-8").split()) <= 1200
