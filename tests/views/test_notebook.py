"""The widget: its traits in Python, and itself in a real JupyterLab."""

from __future__ import annotations

import base64
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from attlas import view
from attlas.views import View
from patience import PATIENCE, expect, until

ROOT = Path(__file__).parents[2]
FOLDERS: dict[str, Path] = {}  # of the notebooks, by the address of a JupyterLab
CODE = """
import numpy as np
from attlas import view
attentions = np.load({file!r})["attn"].astype("float32")
shown = view(list(attentions), {tokens!r}, sentence_b_start=8, layer=2)
shown
"""


@pytest.fixture
def widget(store_view: View):
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    made = View(store_view.packed, store_view.maps).widget
    yield made
    made.close()


def test_what_is_chosen_is_readable_and_settable(widget):
    assert (widget.kind, widget.attention, widget.layer, widget.heads) == (
        "head",
        "encoder",
        2,
        list(range(12)),
    )
    widget.layer = 5
    widget.heads = [1, 3]
    widget.pinned = [("query", 3)]
    assert widget.layer == 5


def test_what_is_not_there_cannot_be_chosen(widget):
    import traitlets

    for name, value in (("layer", 99), ("heads", [12]), ("heads", []), ("kind", "hat"), ("level", "letters")):
        with pytest.raises(traitlets.TraitError):
            setattr(widget, name, value)


def test_a_notebook_keeps_a_page_that_works_and_a_picture(store_view):
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    made = View(store_view.packed, store_view.maps)
    shown = made._repr_mimebundle_()
    # a widget's own view would be an error message once its kernel is gone
    assert set(shown) == {"text/plain", "text/html", "image/png"}
    assert shown["text/plain"] == "<head view of bert-base-uncased>"
    assert f"data-key=&quot;{made.widget.key}&quot;" in shown["text/html"]
    made.widget.close()


def executed_page(folder: Path, cells: list[str]) -> Path:
    """A notebook run from top to bottom and made into a page, as `jupyter nbconvert` does."""
    nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed")
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor

    write_notebook(folder / "run.ipynb", cells)
    notebook = nbformat.read(folder / "run.ipynb", as_version=4)
    ExecutePreprocessor(timeout=300, startup_timeout=300).preprocess(
        notebook, {"metadata": {"path": str(folder)}}
    )
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    file = folder / "run.html"
    file.write_text(page, encoding="utf-8")
    return file


@pytest.fixture
def offline(browser):
    context = browser.new_context(viewport={"width": 1300, "height": 1000}, offline=True)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    yield page
    context.close()


def store_cell(store_tokens, more: str = "") -> str:
    file = str(ROOT / "examples" / "bert-base-uncased_store_strawberries.npz")
    return CODE.format(file=file, tokens=store_tokens).replace("layer=2", f"layer=2{more}")


KINDS = ["head", "model", "text"]


@pytest.fixture(scope="module")
def three_views(store_tokens, tmp_path_factory) -> Path:
    """A notebook with a view of each kind, executed and made into a page."""
    cells = [store_cell(store_tokens, f", kind={kind!r}") for kind in KINDS]
    return executed_page(tmp_path_factory.mktemp("notebook"), cells)


@pytest.mark.parametrize("kind", KINDS)
def test_an_executed_notebook_made_into_a_page_still_works_offline(offline, three_views, kind):
    page = offline
    page.goto(three_views.as_uri())
    view = page.frame_locator("iframe[srcdoc]").nth(KINDS.index(kind))
    view.locator(".attlas").wait_for()
    if kind == "head":
        view.get_by_role("button", name="Head 2.0", exact=True).dblclick()
        view.locator('[data-end="query"][data-index="15"]').hover()
        expect(view.locator('[data-weight-of="key"]')).to_have_text(["1.00"], use_inner_text=True)
    elif kind == "model":
        expect(view.locator("button.head")).to_have_count(144)
    else:
        view.locator('[data-word="14"]').hover()
        expect(view.get_by_role("status").last).to_contain_text("fresh attends to", use_inner_text=True)


def test_where_frames_are_taken_away_a_picture_stays(offline, tmp_path, three_views):
    """As GitHub and notebooks from strangers do: what is left is seen, and as large as it was drawn."""
    import re

    file = tmp_path / "without.html"
    file.write_text(re.sub(r"<iframe.*?</iframe>", "", three_views.read_text(), flags=re.S))
    offline.goto(file.as_uri())
    picture = offline.get_by_alt_text("<head view of attention>")
    picture.wait_for()
    until(
        offline,
        lambda: picture.evaluate("e => [e.naturalWidth > 300, e.getBoundingClientRect().height > 300]"),
        [True] * 2,
    )


def test_of_a_view_too_large_for_a_notebook_a_picture_is_kept(store_view, monkeypatch):
    from attlas.views import display

    monkeypatch.setattr(display, "MOST_KEPT", 1000)
    made = View(store_view.packed, store_view.maps)
    shown = made._repr_mimebundle_()["text/html"]
    data = base64.b64encode(store_view.packed.data).decode()
    assert "data:image/png;base64,iVBOR" in shown
    assert data in store_view.html()
    assert data not in shown
    made.widget.close()


@pytest.mark.parametrize("most", [None, 1000])
def test_a_head_view_of_a_long_text_leaves_no_blank_box(mini, offline, tmp_path, monkeypatch, most):
    """Over 200 tokens no figure has links: the map of the head is kept instead, and what to do is said."""
    from attlas.views import display

    if most is not None:
        monkeypatch.setattr(display, "MOST_KEPT", most)
    made = view(mini, "The keeper walked down to the harbour and lit the lamp. " * 20, include_layers=[3])
    assert made.maps[0].shape[0] > 200
    kept = tmp_path / "kept.html"
    kept.write_text(made._repr_mimebundle_()["text/html"])
    made.widget.close()
    offline.goto(kept.as_uri())
    picture = offline.get_by_alt_text("<head view of mini>")
    assert picture.evaluate("async e => (await e.decode(), e.naturalWidth > 300)")
    expect(offline.get_by_text("too much to keep in a notebook")).to_have_count(0 if most is None else 1)


def write_notebook(path: Path, cells: list[str]) -> None:
    notebook = {
        "cells": [
            {
                "cell_type": "code",
                "id": f"c{i}",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": source,
            }
            for i, source in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(notebook))


@pytest.fixture
def lab(tmp_path: Path, store_tokens):
    """A JupyterLab of its own, on loopback, with two notebooks; the address of the first."""
    pytest.importorskip("jupyterlab", reason="jupyterlab is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    file = str(ROOT / "examples" / "bert-base-uncased_store_strawberries.npz")
    view_cell = CODE.format(file=file, tokens=store_tokens)
    write_notebook(tmp_path / "view.ipynb", [view_cell, "", ""])
    # Python speaks from other cells while the view is still being made
    said = "print('set', shown.widget.layer, shown.widget.heads)"
    later = [
        "shown.widget.layer = 7",
        "shown.widget.heads = [0]",
        f"shown.widget.kind = 'matrix'\n{said}",
        "",
    ]
    write_notebook(tmp_path / "all.ipynb", [view_cell, *later])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    home = tmp_path / "home"
    environment = os.environ | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "PYTHONPATH": str(ROOT / "src"),
    }
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
        "--LabApp.extension_manager=readonly",
        *(f"--port={port}", f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={tmp_path}"),
    ]
    with (tmp_path / "lab.log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(4 * PATIENCE):  # it starts slowly where much else runs
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token={token}").close()
                break
            except OSError:
                assert server.poll() is None, (tmp_path / "lab.log").read_text()[-2000:]
                time.sleep(0.25)
        address = f"http://127.0.0.1:{port}/doc/tree/view.ipynb?token={token}"
        FOLDERS[address] = tmp_path
        yield address
    finally:
        server.terminate()
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def run_cell(page, number: int, code: str | None = None) -> None:
    """Runs a cell, and sees to it that it does: what is typed while JupyterLab is busy may be lost."""
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(number)
    cell.locator(".cm-content").click()
    if code is not None:
        page.keyboard.insert_text(code)
    starts(page, cell, lambda: page.keyboard.press("Control+Enter"))


def starts(page, cell, run) -> None:
    """Does what runs a cell until the number beside it is another one, or a star."""
    prompt = cell.locator(".jp-InputPrompt")
    before = prompt.inner_text()

    def has_started() -> bool:
        run()
        try:
            expect(prompt).not_to_have_text(before, use_inner_text=True, timeout=1000 * PATIENCE / 20)
        except AssertionError:
            cell.locator(".cm-content").click()
            return False
        return True

    until(page, has_started, True)


def runs_until(page, number: int, text: str) -> None:
    """Runs a cell again until it prints this: what is chosen in the view reaches Python a moment later."""
    from playwright.sync_api import Error

    def printed() -> bool:
        try:
            page.get_by_text(text, exact=True).wait_for(timeout=1000 * PATIENCE / 20)
        except Error:
            run_cell(page, number)
            return False
        return True

    until(page, printed, True)


def run_all(page) -> None:
    def choose() -> None:
        page.get_by_text("Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()

    starts(page, page.locator(".jp-Notebook .jp-CodeCell").first, choose)


def test_the_widget_lives_in_jupyterlab(browser, lab):
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(lab)
    page.locator(".jp-Notebook .jp-CodeCell").nth(2).wait_for()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    run_cell(page, 0)
    view = page.frame_locator("iframe[srcdoc]")
    view.locator(".attlas").wait_for()
    # chosen in the view, read in Python
    view.get_by_role("button", name="Head 2.0", exact=True).dblclick()
    view.locator('[data-end="query"][data-index="15"]').click()
    run_cell(page, 1, "print('heads', shown.widget.heads, 'pinned', shown.widget.pinned)")
    runs_until(page, 1, "heads [0] pinned [['query', 15]]")
    expect(view.locator('[data-weight-of="key"]')).to_have_text(["1.00"], use_inner_text=True)
    # chosen in Python, seen in the view
    run_cell(page, 2, "shown.widget.kind = 'matrix'; shown.widget.layer = 7; shown.widget.heads = [3]")
    view.get_by_role("application", name="Map of head 7.3: 19 by 19 tokens.").wait_for()
    expect(view.get_by_role("combobox", name="Layer", exact=True)).to_have_value("7")
    context.close()


def test_run_all_leaves_what_python_set(browser, lab):
    """Several cells set traits while the view of the first is being made: the last word is Python's."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(lab.replace("view.ipynb", "all.ipynb"))
    page.locator(".jp-Notebook .jp-CodeCell").nth(4).wait_for()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    run_all(page)
    page.get_by_text("set 7 [0]", exact=True).wait_for()
    view = page.frame_locator("iframe[srcdoc]")
    view.get_by_role("application", name="Map of head 7.0: 19 by 19 tokens.").wait_for()
    page.wait_for_timeout(1000)  # so that a view that answered late would have
    run_cell(page, 4, "print('now', shown.widget.kind, shown.widget.layer, shown.widget.heads)")
    page.get_by_text("now matrix 7 [0]", exact=True).wait_for()
    context.close()


def stop_kernels(lab: str) -> None:
    """The next day: nothing of the kernel is left."""
    base, token = lab.split("/doc/")[0], lab.split("token=")[1]
    headers = {"Authorization": f"token {token}"}
    for what in ("sessions", "kernels"):
        request = urllib.request.Request(f"{base}/api/{what}", headers=headers)
        for running in json.load(urllib.request.urlopen(request)):
            gone = urllib.request.Request(
                f"{base}/api/{what}/{running['id']}", headers=headers, method="DELETE"
            )
            urllib.request.urlopen(gone).close()


def test_a_notebook_that_is_opened_the_next_day_shows_views_that_work(browser, lab, store_tokens):
    path = FOLDERS[lab] / "kept.ipynb"
    cells = [store_cell(store_tokens, f", kind={kind!r}") for kind in ("head", "model", "text")]
    # of a view that is too large the notebook keeps a picture; while there is a kernel, that gives the data
    large = "import attlas.views.display\nattlas.views.display.MOST_KEPT = 0\n"
    write_notebook(path, [*cells, large + cells[0]])
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(lab.replace("view.ipynb", "kept.ipynb"))
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    run_all(page)
    page.locator("iframe[srcdoc]").nth(3).wait_for(state="attached")
    page.locator("iframe[srcdoc]").nth(3).scroll_into_view_if_needed()
    page.frame_locator("iframe[srcdoc]").nth(3).locator(".attlas").wait_for()
    page.keyboard.press("Control+s")
    until(page, lambda: path.read_text().count("<iframe"), lambda frames: frames >= 4)
    context.close()
    stop_kernels(lab)

    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(lab.replace("view.ipynb", "kept.ipynb"))
    head = page.frame_locator("iframe[srcdoc]").nth(0)
    head.get_by_role("button", name="Head 2.0", exact=True).dblclick()
    head.locator('[data-end="query"][data-index="15"]').hover()
    expect(head.locator('[data-weight-of="key"]')).to_have_text(["1.00"], use_inner_text=True)
    page.locator("iframe[srcdoc]").nth(1).scroll_into_view_if_needed()
    page.frame_locator("iframe[srcdoc]").nth(1).get_by_role("button", name="Head 11.11").first.wait_for()
    picture = page.get_by_alt_text("<head view of attention>").last
    picture.scroll_into_view_if_needed()
    frame = page.frame_locator("iframe[srcdoc]").last
    seen = "e => [e.innerText.trim(), getComputedStyle(e).backgroundColor]"
    until(page, lambda: frame.locator("body").evaluate(seen), ["", "rgba(0, 0, 0, 0)"])
    expect(page.get_by_text("model not found")).to_have_count(0)
    context.close()


HOST = """
const model = { scene: SCENE, ...SCENE.selection, data: Uint8Array.from(atob(DATA), c => c.charCodeAt(0)) };
const widget = { get: n => model[n], set: (n, v) => (model[n] = v), save_changes() {}, on() {}, off() {} };
const bundle = await import(URL.createObjectURL(new Blob([SCRIPT], { type: 'text/javascript' })));
const host = document.getElementById('host');
// marimo puts widgets into a shadow tree
const inside = SHADOW ? host.attachShadow({ mode: 'open' }).appendChild(document.createElement('div')) : host;
await bundle.default.render({ model: widget, el: inside });
window.theme = inside.querySelector('.attlas').dataset.theme;
"""


@pytest.mark.parametrize("shadow", [False, True])
@pytest.mark.parametrize(
    ("ground", "theme"), [("#ffffff", "light"), ("color(srgb 1 1 1)", "light"), ("rgb(24, 26, 27)", "dark")]
)
def test_the_view_is_as_light_as_what_lies_behind_it(browser, store_view, tmp_path, ground, theme, shadow):
    """A notebook has a theme of its own, whatever the system's is."""
    from attlas.views.view_page import bundle

    script, _ = bundle()
    code = HOST.replace("SHADOW", json.dumps(shadow)).replace("SCENE", json.dumps(store_view.scene))
    code = code.replace("DATA", json.dumps(base64.b64encode(store_view.packed.data).decode()))
    code = code.replace("[SCRIPT]", "[document.getElementById('bundle').textContent]")
    page_file = tmp_path / "host.html"
    page_file.write_text(
        f'<body style="background: {ground}"><div id="host"></div>'
        f'<script type="text/plain" id="bundle">{script}</script><script type="module">{code}</script>'
    )
    other = "dark" if theme == "light" else "light"
    context = browser.new_context(color_scheme=other, offline=True)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(page_file.as_uri())
    page.wait_for_function("window.theme")
    until(page, lambda: page.evaluate("window.theme"), theme)
    context.close()
