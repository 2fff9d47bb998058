"""The widget: its traits in Python, and itself in a real JupyterLab."""

from __future__ import annotations

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

from attlas.views import View

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


def test_a_notebook_shows_the_widget(store_view):
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    made = View(store_view.packed, store_view.maps)
    shown, _ = made._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown
    assert shown["text/plain"] == "<head view of bert-base-uncased>"
    made.widget.close()


def test_where_no_widget_can_be_there_is_a_picture(store_view):
    """A notebook that is opened again, or made into a page without a network."""
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed")
    from nbformat import v4

    made = View(store_view.packed, store_view.maps)
    data, _ = made._repr_mimebundle_()
    made.widget.close()
    output = v4.new_output("execute_result", data=data, execution_count=1)
    notebook = v4.new_notebook(cells=[v4.new_code_cell("shown", outputs=[output])])
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    assert "data:image/png;base64,iVBOR" in page
    assert "AttentionWidget" not in page


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
        for _ in range(480):  # it starts slowly where much else runs
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
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def run_cell(page, number: int, code: str | None = None) -> None:
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(number)
    cell.locator(".cm-content").click()
    if code is not None:
        page.keyboard.insert_text(code)
    page.keyboard.press("Control+Enter")


def test_the_widget_lives_in_jupyterlab(browser, lab):
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(lab)
    page.locator(".jp-Notebook .jp-CodeCell").nth(2).wait_for()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    run_cell(page, 0)
    view = page.locator(".attlas")
    view.wait_for()
    # chosen in the view, read in Python
    view.get_by_role("button", name="Head 2.0", exact=True).dblclick()
    view.locator('[data-end="query"][data-index="15"]').click()
    run_cell(page, 1, "print('heads', shown.widget.heads, 'pinned', shown.widget.pinned)")
    page.get_by_text("heads [0] pinned [['query', 15]]", exact=True).wait_for()
    assert view.locator('[data-weight-of="key"]').all_inner_texts() == ["1.00"]
    # chosen in Python, seen in the view
    run_cell(page, 2, "shown.widget.kind = 'matrix'; shown.widget.layer = 7; shown.widget.heads = [3]")
    view.get_by_role("application", name="Map of head 7.3: 19 by 19 tokens.").wait_for()
    assert view.get_by_role("combobox", name="Layer", exact=True).input_value() == "7"
    context.close()


def test_run_all_leaves_what_python_set(browser, lab):
    """Several cells set traits while the view of the first is being made: the last word is Python's."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(lab.replace("view.ipynb", "all.ipynb"))
    page.locator(".jp-Notebook .jp-CodeCell").nth(4).wait_for()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    page.get_by_text("Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.get_by_text("set 7 [0]", exact=True).wait_for()
    view = page.locator(".attlas")
    view.get_by_role("application", name="Map of head 7.0: 19 by 19 tokens.").wait_for()
    page.wait_for_timeout(1000)
    run_cell(page, 4, "print('now', shown.widget.kind, shown.widget.layer, shown.widget.heads)")
    page.get_by_text("now matrix 7 [0]", exact=True).wait_for()
    # saved, and opened again without its kernel: a picture stands where the view was
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1500)
    context.close()
    saved = json.loads((FOLDERS[lab] / "all.ipynb").read_text())
    assert "image/png" in saved["cells"][0]["outputs"][0]["data"]


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
    import base64

    from attlas.views.page import bundle

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
    page.goto(page_file.as_uri())
    page.wait_for_function("window.theme")
    assert page.evaluate("window.theme") == theme
    context.close()
