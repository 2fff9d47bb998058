"""Another view in place of one that is shown: from Python, in a notebook's page and in a frame."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attlas import view
from attlas.views import View, view_page
from attlas.views.display import frame_page
from patience import PATIENCE, expect, until

pytest.importorskip("anywidget", reason="anywidget is not installed")

#: a notebook's page: one widget, shown in an element and in a frame
HOST = """
const listeners = {};
const model = { ...STATE, data: bytes(DATA) };
function bytes(text) { return Uint8Array.from(atob(text), c => c.charCodeAt(0)); }
const widget = {
    get: name => model[name], set: (name, value) => (model[name] = value), save_changes() {},
    on: (event, callback) => (listeners[event] ??= new Set()).add(callback),
    off: (event, callback) => listeners[event]?.delete(callback),
};
// as anywidget does it: all that came in one message is there before anybody hears of it
window.fromPython = changes => {
    if (changes.data) changes.data = bytes(changes.data);
    Object.assign(model, changes);
    for (const name of Object.keys(changes)) listeners[`change:${name}`]?.forEach(callback => callback());
};
window.chosen = name => model[name];
const script = document.getElementById("bundle").textContent;
const bundle = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
bundle.default.initialize({ model: widget });
await bundle.default.render({ model: widget, el: document.getElementById("host") });
window.ready = true;
"""
TEXT = ["[CLS]", "the", "cat", "sat", "on", "it", "[SEP]"]
OTHER = ["[CLS]", "the", "dog", "slept", "[SEP]"]


def view_of(random_maps: Any, tokens: list[str], layers: int = 3, **options: Any) -> View:
    maps = random_maps(layers, 4, len(tokens), seed=len(tokens))
    return view(list(maps), tokens, title=" ".join(tokens), **options)


def packed_state(shown: View) -> dict[str, Any]:
    return {"scene": shown.scene, "data": base64.b64encode(shown.packed.data).decode()}


def test_the_choice_stays_as_far_as_it_fits(random_maps):
    shown = view_of(random_maps, TEXT, layer=2, heads=[1, 3])
    other = view_of(random_maps, OTHER)
    shown.widget.kind = "matrix"
    shown.widget.replace(other)
    widget = shown.widget
    assert (widget.scene, widget.data) == (other.scene, other.packed.data)
    assert (widget.kind, widget.layer, widget.heads) == ("matrix", 2, [1, 3])
    widget.replace(view_of(random_maps, OTHER, layers=1))
    assert (widget.layer, widget.heads) == (0, [1, 3])
    widget.close()


def test_a_figure_of_the_first_view_is_drawn_as_it_opened_once_another_is_shown(random_maps):
    shown = view_of(random_maps, TEXT, layer=2)
    shown.widget.layer = 1
    assert shown.selection["layer"] == 1
    shown.widget.replace(view_of(random_maps, OTHER))
    assert shown.selection["layer"] == 2
    shown.widget.close()


def test_header_and_bytes_leave_in_one_message(random_maps, monkeypatch):
    shown = view_of(random_maps, TEXT)
    sent: list[set[str]] = []
    monkeypatch.setattr(type(shown.widget), "send_state", lambda self, key=None: sent.append(set(key or ())))
    shown.widget.replace(view_of(random_maps, OTHER))
    assert any({"scene", "data"} <= names for names in sent)
    assert all(("scene" in names) == ("data" in names) for names in sent)
    shown.widget.close()


@pytest.fixture
def host(browser: Any, random_maps: Any, tmp_path: Path) -> Any:
    """The page of HOST, with the view of TEXT in it."""
    shown = view_of(random_maps, TEXT, layer=1)
    state = {**packed_state(shown), **shown.scene["selection"], "key": "k"}
    script, style = view_page.bundle()
    code = HOST.replace("STATE", json.dumps(state)).replace("DATA", json.dumps(state["data"]))
    frame = frame_page(view_page.page(shown.packed, "k"))
    file = tmp_path / "host.html"
    file.write_text(
        f'<meta charset="utf-8"><style>{style}</style><div id="host"></div>{frame}'
        f'<script type="text/plain" id="bundle">{script}</script><script type="module">{code}</script>'
    )
    problems: list[str] = []
    context = browser.new_context(viewport={"width": 1200, "height": 1600}, offline=True)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_function("window.ready")
    yield page
    context.close()
    assert problems == []


@pytest.mark.parametrize("place", ["element", "frame"])
def test_a_view_on_screen_shows_the_next_text_with_the_same_heads(host, random_maps, place):
    at = host.locator("#host") if place == "element" else host.frame_locator("iframe")
    host.evaluate("fromPython({ layer: 2 })")  # whatever shows layer 2 hears of the widget
    at.get_by_role("button", name="Head 2.2", exact=True).dblclick()
    at.locator('[data-end="query"][data-index="1"]').click()
    at.locator('[data-end="key"][data-index="2"]').click()
    heading = at.locator("h1")
    host.evaluate("changes => fromPython(changes)", packed_state(view_of(random_maps, OTHER)))
    heading.get_by_text(" ".join(OTHER)).wait_for()
    expect(at.locator('[data-end="query"]')).to_have_text(OTHER, use_inner_text=True)
    expect(at.locator(".picker [aria-pressed=true]")).to_have_text(["2"], use_inner_text=True)
    # "the" stands where it stood; "dog" is where "cat" was
    host.wait_for_function("JSON.stringify(chosen('pinned')) === '[[\"query\",1]]'")
    until(host, lambda: host.evaluate("[chosen('layer'), chosen('heads')]"), [2, [2]])


def test_an_edit_changes_the_weights_under_the_pointer(host, random_maps):
    """The same text: what is pointed at and how far the view is scrolled stay."""
    even = view(list(np.full((3, 4, 7, 7), 1 / 7, np.float32)), TEXT, title="edited")
    at = host.locator("#host")
    token = at.locator('[data-end="query"][data-index="3"]')
    at.get_by_role("button", name="Head 1.0", exact=True).dblclick()
    token.focus()
    token.hover()
    kept = token.element_handle()
    host.evaluate("changes => fromPython(changes)", packed_state(even))
    at.locator("h1").get_by_text("edited").wait_for()
    until(host, lambda: kept.evaluate("token => token.isConnected && token.matches(':focus')"), True)
    expect(at.locator('[data-weight-of="key"]')).to_have_text(["0.14"] * 7, use_inner_text=True)


def test_a_kept_frame_is_told_what_the_widget_shows_by_now(host, random_maps):
    host.evaluate("changes => fromPython(changes)", packed_state(view_of(random_maps, OTHER)))
    host.locator("#host h1").get_by_text(" ".join(OTHER)).wait_for()
    host.evaluate("() => { const frame = document.querySelector('iframe'); frame.srcdoc = frame.srcdoc }")
    host.frame_locator("iframe").locator("h1").get_by_text(" ".join(OTHER)).wait_for()
