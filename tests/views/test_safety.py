"""Hostile tokens are text and nothing else; everybody can use the page."""

from __future__ import annotations

import pytest

from attlas import view
from patience import FRAMES, PATIENCE, expect, steady, until

HOSTILE = [
    "<script>window.broken=1</script>",
    "</script><img src=x onerror=window.broken=1>",
    "\"'`${window.broken=1}",
    "<!--",
    "שלום",
    "مرحبا",
    "a\u200bb",
    "e\u0301\u0327",
    "👩‍👩‍👧‍👦",
    "\u202eevil",
    "x" * 5000,
    "&lt;b&gt;",
    "javascript:window.broken=1",
    "\ud800",
]


@pytest.fixture
def hostile(random_maps):
    n = len(HOSTILE)
    return view(list(random_maps(2, 3, n)), HOSTILE, title="<img src=x onerror=window.broken=1>")


@pytest.mark.parametrize("tab", ["Heads", "Model", "Matrix"])
def test_hostile_tokens_are_shown_and_nothing_runs(show, hostile, tab):
    page = show(hostile)
    shown = page.locator('[data-end="query"]')
    for place in (0, 4, 10):
        expect(shown.nth(place)).to_have_text(HOSTILE[place], use_inner_text=True)
    page.get_by_role("tab", name=tab).click()
    expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
    page.evaluate(FRAMES)
    assert page.evaluate("window.broken") is None
    expect(page.locator("img")).to_have_count(0)


def test_a_token_of_5000_characters_does_not_push_the_view_apart(show, hostile):
    page = show(hostile, width=800)
    until(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda size: size <= 800)
    box = steady(page, page.locator('[data-end="key"][data-index="10"]').bounding_box)
    assert box["x"] + box["width"] <= 800
    assert box["height"] == 24


def test_right_to_left_tokens_do_not_turn_their_neighbours(show, hostile):
    page = show(hostile)
    until(page, page.locator("bdi", has_text="evil").count, lambda count: count >= 2)
    page.locator('[data-end="query"][data-index="9"]').hover()
    # a token within a sentence of ours is kept to itself, and not the sentence
    expect(page.get_by_role("status")).to_contain_text("\u2068", use_inner_text=True)


def test_hostile_tokens_are_only_text_in_pictures_too(show, hostile, tmp_path):
    from xml.etree import ElementTree

    page = show(hostile)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    download.value.save_as(tmp_path / "out.svg")
    tags = {e.tag.split("}")[1] for e in ElementTree.parse(tmp_path / "out.svg").iter()}
    assert tags == {"svg", "rect", "path", "text"}


def test_an_injected_script_is_stopped_by_the_policy(browser, store_view, tmp_path):
    page_file = tmp_path / "bad.html"
    page_file.write_text(store_view.html().replace("</body>", "<script>window.broken=1</script></body>"))
    page = browser.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(page_file.as_uri())
    page.locator(".attlas").wait_for()
    assert page.evaluate("window.broken") is None
    page.close()


def test_a_damaged_page_says_what_is_wrong(browser, store_view, tmp_path):
    text = store_view.html()
    page_file = tmp_path / "cut.html"
    page_file.write_text(text.replace('"attlas.view/4"', '"attlas.view/9"', 1))
    page = browser.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(page_file.as_uri())
    expect(page.get_by_role("alert")).to_contain_text("attlas.view/9", use_inner_text=True)
    page.close()


FAINT_TEXT = """() => {
  const parse = c => c.match(/[\\d.]+/g).map(Number);
  const linear = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = c => { const [r, g, b] = parse(c).map(linear); return .2126 * r + .7152 * g + .0722 * b; };
  const faint = [];
  const texts = 'button, label, span, p, h1, h2, dt'.split(', ').map(tag => '.attlas ' + tag).join();
  for (const e of document.querySelectorAll(texts)) {
    if (!e.textContent.trim() || e.disabled || !e.checkVisibility()) continue;
    let under = e;
    while (parse(getComputedStyle(under).backgroundColor)[3] === 0) under = under.parentElement;
    const pair = [getComputedStyle(e).color, getComputedStyle(under).backgroundColor].map(light);
    const ratio = (Math.max(...pair) + .05) / (Math.min(...pair) + .05);
    if (ratio < 4.5) faint.push([e.textContent.trim(), ratio]);
  }
  return faint; }"""
UNNAMED = """() => {
  const unnamed = ['presentation', 'status', 'row', 'cell', 'rowheader', 'note'];
  return [...document.querySelectorAll('button, select, input, [role]')]
    .filter(e => !unnamed.includes(e.getAttribute('role')))
    .filter(e => !(e.getAttribute('aria-label') || e.closest('label')?.textContent || e.textContent).trim())
    .map(e => e.outerHTML); }"""
FOCUSED = """() => { const e = document.activeElement;
  return e.getAttribute('aria-label') || e.textContent.trim().slice(0, 12); }"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tab", ["Heads", "Model", "Text", "Matrix", "Neurons"])
def test_text_stands_out_in_both_themes(show, mini, scheme, tab):
    page = show(view(mini, "I went home.", include_layers=[0]), color_scheme=scheme)
    page.get_by_role("tab", name=tab).click()
    until(page, lambda: page.evaluate(FAINT_TEXT), [])


@pytest.mark.parametrize("tab", ["Heads", "Model", "Text", "Matrix", "Neurons"])
def test_everything_that_can_be_used_has_a_name(show, mini, tab):
    page = show(view(mini, "I went home.", include_layers=[0]))
    page.get_by_role("tab", name=tab).click()
    until(page, lambda: page.evaluate(UNNAMED), [])


def test_focus_goes_from_the_bar_over_the_heads_to_the_tokens(show, store_view):
    page = show(store_view)
    page.locator("body").click(position={"x": 2, "y": 2})
    stops: list[str] = []
    while len(stops) < 40 and not (stops and stops[-1].startswith("to ")):
        page.keyboard.press("Tab")
        page.evaluate(FRAMES)
        stops.append(page.evaluate(FOCUSED))
    places = [
        stops.index(name) for name in ("Heads", "Save SVG", "Layer after", "Head 2.0", "from [CLS], token 0")
    ]
    assert places == sorted(places)
    # one stop a side: within it the arrow keys move
    assert stops.index("from [CLS], token 0") == len(stops) - 2
    assert stops[-1] == "to [CLS], token 0"
    until(page, lambda: page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "solid")


def test_nothing_moves_by_itself(show, store_view):
    page = show(store_view, reduced_motion="reduce")
    page.locator('[data-end="query"][data-index="3"]').hover()
    until(page, lambda: page.evaluate("document.getAnimations().length"), 0)


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_the_page_never_scrolls_sideways(show, mini, width):
    page = show(view(mini, "I went to the store.", "And then home.", include_layers=[0, 1]), width=width)
    for tab in ("Model", "Neurons", "Matrix", "Heads"):
        page.get_by_role("tab", name=tab).click()
        until(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda size: size <= width)
        until(page, lambda: page.evaluate("document.documentElement.scrollHeight"), lambda size: size <= 850)
