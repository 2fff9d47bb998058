"""The head view in a real browser: each interaction, and what is on the screen after it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from attlas import view


def token(page, end, index):
    return page.locator(f'[data-end="{end}"][data-index="{index}"]')


def numbers(page, end):
    """The weights written beside the tokens of one side: index -> number."""
    labels = page.locator(f'[data-weight-of="{end}"]')
    return {int(e.get_attribute("data-index")): float(e.inner_text()) for e in labels.all()}


def active_heads(page):
    return [
        int(b.inner_text())
        for b in page.get_by_role("button", name=re.compile(r"^Head \d")).all()
        if b.get_attribute("aria-pressed") == "true"
    ]


def ink(page, selector=".bipartite canvas"):
    """How many pixels of the canvas are drawn on, and the most common hues among them."""
    return page.evaluate(
        """(selector) => { const c = document.querySelector(selector);
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0;
        for (let i = 3; i < d.length; i += 4) if (d[i] > 8) n++; return n; }""",
        selector,
    )


def expected(weights, least=0.005):
    return {i: pytest.approx(float(w), abs=0.006) for i, w in enumerate(weights) if w >= least + 0.0005}


def close(shown, weights):
    for index, value in expected(weights).items():
        if weights[index] > 0.01:
            assert shown[index] == value
    assert all(weights[index] > 0.003 for index in shown)


def test_layer_is_chosen_from_the_list_by_buttons_and_by_keys(show, store_view):
    page = show(store_view)
    layer = page.get_by_role("combobox", name="Layer", exact=True)
    assert layer.input_value() == "2"
    layer.select_option("7")
    assert page.get_by_role("group", name="Heads of layer 7").is_visible()
    page.get_by_role("button", name="Layer after").click()
    assert layer.input_value() == "8"
    token(page, "query", 0).focus()
    page.keyboard.press("[")
    assert layer.input_value() == "7"


def test_heads_are_switched_by_click_and_the_last_one_stays(show, store_view):
    page = show(store_view)
    assert active_heads(page) == list(range(12))
    before = ink(page)
    for head in range(1, 12):
        page.get_by_role("button", name=f"Head 2.{head}", exact=True).click()
    assert active_heads(page) == [0]
    assert ink(page) < before
    page.wait_for_timeout(600)  # so that the next click is no double click
    page.get_by_role("button", name="Head 2.0", exact=True).click()
    assert active_heads(page) == [0]
    page.get_by_role("button", name="All heads").click()
    assert active_heads(page) == list(range(12))


def test_double_click_shows_a_head_alone_and_again_shows_all(show, store_view):
    page = show(store_view)
    head = page.get_by_role("button", name="Head 2.3", exact=True)
    head.dblclick()
    assert active_heads(page) == [3]
    head.dblclick()
    assert active_heads(page) == list(range(12))


def test_pointing_at_a_left_token_shows_what_it_attends_to(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.0", exact=True).dblclick()
    everything = ink(page)
    token(page, "query", 15).hover()
    close(numbers(page, "key"), bert[2, 0, 15])
    assert numbers(page, "query") == {}
    assert (
        page.get_by_role("status")
        .inner_text()
        .replace("\n", " ")
        .startswith("straw attends to 2.0 ##berries 1.00")
    )
    assert 0 < ink(page) < everything
    page.mouse.move(5, 5)
    assert numbers(page, "key") == {}
    assert ink(page) == everything


def test_pointing_at_a_right_token_shows_who_attends_to_it(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.9", exact=True).dblclick()
    token(page, "key", 0).hover()
    close(numbers(page, "query"), bert[2, 9, :, 0])
    assert "is attended to by" in page.get_by_role("status").inner_text()


def test_with_several_heads_the_number_is_their_mean_and_each_has_its_cell(show, store_view, bert):
    page = show(store_view)
    token(page, "query", 15).hover()
    close(numbers(page, "key"), bert[2, :, 15].mean(axis=0))
    assert "mean of 12 heads" in page.get_by_role("status").inner_text()
    # behind "##berries" the cell of head 0, which gives it all, is there, and the colour is head 0's
    box = token(page, "key", 16).bounding_box()
    canvas = page.locator(".bipartite canvas").bounding_box()
    pixel = page.evaluate(
        """([x, y]) => { const c = document.querySelector('.bipartite canvas');
        return [...c.getContext('2d').getImageData(x, y, 1, 1).data]; }""",
        [box["x"] - canvas["x"] + box["width"] / 24, box["y"] - canvas["y"] + 4],
    )
    assert pixel[3] > 120
    assert pixel[2] > 1.5 * pixel[0]  # blue


def test_several_tokens_are_pinned_at_once_and_escape_unpins(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.0", exact=True).dblclick()
    token(page, "query", 15).click()
    token(page, "query", 5).click()
    page.mouse.move(5, 5)
    close(numbers(page, "key"), bert[2, 0, [5, 15]].mean(axis=0))
    assert token(page, "query", 5).get_attribute("aria-pressed") == "true"
    token(page, "key", 6).click()
    page.mouse.move(5, 5)
    close(numbers(page, "query"), bert[2, 0, :, 6])
    page.get_by_role("button", name="Unpin 3").click()
    assert numbers(page, "key") == {}
    token(page, "query", 5).click()
    page.keyboard.press("Escape")
    assert token(page, "query", 5).get_attribute("aria-pressed") == "false"


def test_the_keyboard_reaches_every_token_and_pins_it(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.0", exact=True).dblclick()
    page.mouse.move(5, 5)
    page.get_by_role("button", name="All heads").focus()
    page.keyboard.press("Tab")
    for _ in range(15):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.index") == "15"
    close(numbers(page, "key"), bert[2, 0, 15])
    page.keyboard.press("Enter")
    assert token(page, "query", 15).get_attribute("aria-pressed") == "true"
    page.keyboard.press("ArrowRight")
    assert (
        page.evaluate("[document.activeElement.dataset.end, document.activeElement.dataset.index].join()")
        == "key,15"
    )
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.dataset.index") == "0"


def test_touch_pins_with_a_tap(show, store_view, bert):
    page = show(store_view, has_touch=True, width=390, height=800)
    page.get_by_role("button", name="Head 2.0", exact=True).tap()
    assert active_heads(page) == list(range(1, 12))
    token(page, "query", 4).tap()
    close(numbers(page, "key"), bert[2, 1:, 4].mean(axis=0))
    token(page, "query", 4).tap()
    assert numbers(page, "key") == {}


def test_sentences_are_filtered_without_making_rows_sum_to_one(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.9", exact=True).dblclick()
    page.get_by_role("combobox", name="Sentences", exact=True).select_option("b-a")
    shown = [page.locator(f'[data-end="{end}"]').all_inner_texts() for end in ("query", "key")]
    assert shown[0][0] == "at"
    assert shown[1] == ["[CLS]", "i", "went", "to", "the", "store", ".", "[SEP]"]
    token(page, "query", 0).hover()
    close(numbers(page, "key"), bert[2, 9, 8, :8])


def test_whole_words_sum_to_and_average_from(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.1", exact=True).dblclick()
    page.get_by_label("Whole words").check()
    names = page.locator('[data-end="query"]').all_inner_texts()
    assert "strawberries" in names
    token(page, "query", names.index("strawberries")).hover()
    row = bert[2, 1, 15:17].mean(axis=0)
    close(numbers(page, "key"), np.concatenate([row[:15], [row[15:17].sum()], row[17:]]))


def test_horizontal_layout_puts_tokens_side_by_side(show, store_view):
    page = show(store_view)
    page.get_by_label("Horizontal").check()
    first, second = (token(page, "query", i).bounding_box() for i in (0, 1))
    assert first["y"] == second["y"]
    assert second["x"] >= first["x"] + first["width"] - 1
    assert token(page, "key", 0).bounding_box()["y"] > first["y"] + 100
    token(page, "query", 2).hover()
    assert numbers(page, "key")
    token(page, "query", 0).focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.index") == "1"


def links_in_svg(page, tmp_path):
    """How many links the saved picture has: what is drawn, no more and no less."""
    from xml.etree import ElementTree

    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    file = tmp_path / "saved.svg"
    download.value.save_as(file)
    paths = ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}path")
    return sum(path.get("d").count("C") for path in paths)  # a path holds all links that look alike


@pytest.mark.parametrize(("step", "least"), [(3, 0.01), (6, 0.05), (10, 0.5)])
def test_what_the_slider_says_is_what_is_drawn_and_the_share_of_it_is_said(
    show, store_view, bert, tmp_path, step, least
):
    page = show(store_view)
    page.get_by_label(re.compile("Hide below")).fill(str(step))
    assert page.get_by_text(re.compile(f"Hide below {least:.2f}")).is_visible()
    strong = bert[2] >= least
    # a byte may put a weight on the other side of the threshold
    near = int((abs(bert[2] - least) < 0.004).sum())
    assert links_in_svg(page, tmp_path) == pytest.approx(int(strong.sum()), abs=near)
    mass = bert[2][strong].sum() / bert[2].sum()
    said = page.get_by_text(re.compile(r"of attention drawn")).inner_text()
    share = 1.0 if said.startswith("all") else int(said.split("%")[0]) / 100
    assert share == pytest.approx(mass, abs=0.03)
    page.get_by_role("button", name="Automatic").click()
    assert page.get_by_text("Hide below 0.010").is_visible()


def test_every_row_of_a_long_input_has_a_link_for_every_head(show, random_maps, tmp_path):
    page = show(view(list(random_maps(1, 12, 500)), [f"t{i}" for i in range(500)], layer=0))
    assert links_in_svg(page, tmp_path) >= 12 * 500
    for top in (0, 200, 480):
        page.locator(".surface").first.evaluate(f"e => e.scrollTop = {top} * 24")
        page.wait_for_timeout(100)
        # just right of the names: each token of the rows in sight has links that leave it
        shown = page.evaluate("""() => { const c = document.querySelector('.bipartite canvas');
            const box = c.getBoundingClientRect(), context = c.getContext('2d');
            return [...document.querySelectorAll('[data-end="query"]')].map(e => e.getBoundingClientRect())
              .filter(r => r.top > box.top && r.bottom < box.bottom).map(r => {
                const {data} = context.getImageData(r.right - box.left + 3, r.top - box.top, 1, r.height);
                return data.some((value, i) => i % 4 === 3 && value > 20); }); }""")
        assert len(shown) > 10
        assert all(shown)


def test_past_four_heads_the_readout_names_those_that_look_most(show, store_view, bert):
    page = show(store_view)
    token(page, "query", 15).hover()
    said = page.get_by_role("status").inner_text()
    strongest = int(bert[2, :, 15].max(axis=-1).argmax())
    assert f"2.{strongest} ##berries 1.00" in said.replace("\n", " ")


def test_pointing_never_moves_what_is_pointed_at(show, store_view):
    page = show(store_view, width=700)
    before = page.locator(".surface").first.bounding_box()
    for index in (0, 8, 15):
        token(page, "query", index).hover()
        assert page.locator(".surface").first.bounding_box() == before


def drag(page, start, end):
    source, target = start.bounding_box(), end.bounding_box()
    page.mouse.move(source["x"] + source["width"] / 2, source["y"] + 8)
    page.mouse.down()
    page.mouse.move(target["x"] + 30, target["y"] + 20, steps=4)
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + 8, steps=3)
    page.mouse.up()


def ranked(page):
    return [b.get_attribute("aria-label") for b in page.locator("button.head").all()]


def test_a_drag_from_one_token_to_another_ranks_all_heads(show, store_view, bert):
    page = show(store_view)
    drag(page, token(page, "query", 15), token(page, "key", 16))
    page.get_by_role("tab", name="Model", selected=True).wait_for()
    order = sorted(((bert[i, h, 15, 16], i, h) for i in range(12) for h in range(12)), reverse=True)
    # bytes make ties of what is nearly the same
    tops = [w for w, _, _ in order[:10]]
    matches = [re.match(r"Head (\d+)\.(\d+) · ([\d.]+)", name) for name in ranked(page)[:10]]
    for weight, match in zip(tops, matches, strict=True):
        assert float(match[3]) == pytest.approx(weight, abs=0.01)
        assert bert[int(match[1]), int(match[2]), 15, 16] == pytest.approx(weight, abs=0.01)
    assert page.get_by_text("straw → ##berries").is_visible()
    page.get_by_role("button", name="Stop asking").click()
    assert ranked(page)[0] == "Head 0.0"


def test_the_keyboard_asks_too(show, store_view):
    page = show(store_view)
    token(page, "query", 0).focus()
    for _ in range(15):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Which heads link straw → ##berries?").press("Enter")
    assert ranked(page)[0].endswith("· 1.00")


def test_two_taps_on_a_phone_ask_too(show, store_view):
    page = show(store_view, has_touch=True, width=390, height=800)
    token(page, "query", 5).tap()
    token(page, "key", 6).tap()
    page.get_by_role("button", name="Which heads link store → “.”?").tap()
    assert page.get_by_role("tab", name="Model", selected=True).is_visible()


def test_a_click_is_not_a_drag(show, store_view):
    page = show(store_view)
    token(page, "query", 5).click()
    assert page.get_by_role("tab", name="Heads", selected=True).is_visible()
    assert token(page, "query", 5).get_attribute("aria-pressed") == "true"


def test_the_address_holds_what_is_chosen(show, store_view):
    page = show(store_view)
    page.get_by_role("combobox", name="Layer", exact=True).select_option("7")
    page.get_by_role("button", name="Head 7.3", exact=True).dblclick()
    token(page, "query", 4).click()
    page.wait_for_timeout(100)
    address = page.url
    assert "layer=7" in address
    page.goto("about:blank")
    page.goto(address)
    page.locator(".attlas").wait_for()
    assert active_heads(page) == [3]
    assert token(page, "query", 4).get_attribute("aria-pressed") == "true"


def test_copy_as_python_gives_a_call_that_draws_just_this(show, mini):
    page = show(view(mini, "I went home.", include_layers=[0, 1]))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Head 0.3", exact=True).dblclick()
    page.get_by_label("Horizontal").check()
    page.get_by_role("button", name="Copy as Python").click()
    page.get_by_text("The call copied.").wait_for()
    call = page.evaluate("navigator.clipboard.readText()")
    import attlas

    scene = eval(call, {"attlas": attlas}).scene
    assert (scene["selection"]["heads"], scene["selection"]["layout"]) == ([3], "rows")
    assert scene["sides"]["encoder"]["tokens"][1:3] == ["i", "went"]


def test_a_token_is_found(show, random_maps):
    page = show(view(list(random_maps(1, 2, 400)), [f"t{i}" for i in range(400)]))
    page.get_by_role("searchbox", name="Find a token").fill("t37")
    page.keyboard.press("Enter")
    assert page.get_by_text("1 of 11").is_visible()
    page.keyboard.press("Enter")
    token(page, "query", 370).wait_for()
    assert "t370 attends to" in page.locator(".readout").inner_text().replace("\n", " ")


def test_printing_holds_all_of_the_picture(show, store_view, tmp_path):
    page = show(store_view, color_scheme="dark")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    svg = page.locator(".print svg")
    box = svg.bounding_box()
    assert box["width"] <= 1200
    assert svg.locator("text", has_text="##berries").count() == 2
    assert svg.locator("rect").first.get_attribute("fill") == "#ffffff"
    assert not page.locator(".screen").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_follow_the_system(show, store_view, scheme):
    page = show(store_view, color_scheme=scheme)
    background = page.evaluate("getComputedStyle(document.querySelector('.attlas')).backgroundColor")
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}[scheme]
    other = "dark" if scheme == "light" else "light"
    page.emulate_media(color_scheme=other)
    page.locator(f'.attlas[data-theme="{other}"]').wait_for()


def test_a_theme_that_was_asked_for_stays(show, bert, store_tokens):
    page = show(view(list(bert), store_tokens, theme="dark"), color_scheme="light")
    assert page.locator(".attlas").get_attribute("data-theme") == "dark"


def test_a_long_input_scrolls_says_what_it_left_out_and_names_the_rest(show, random_maps):
    maps = random_maps(12, 12, 512)
    page = show(view(list(maps), [f"t{i}" for i in range(512)], layer=3))
    assert "each row keeps its 55 strongest weights" in page.get_by_role("note").inner_text()
    assert 20 < page.locator('[data-end="query"]').count() < 120  # only what is seen is in the page
    page.get_by_role("button", name="Head 3.4", exact=True).dblclick()
    page.locator(".surface").first.evaluate("e => e.scrollTop = 400 * 24")
    token(page, "query", 405).hover()
    row = maps[3, 4, 405]
    top = np.sort(row)[::-1][:55]
    assert f"rest {1 - top.sum():.3f}" in page.get_by_role("status").inner_text()
    assert f"t{row.argmax()} " in page.get_by_role("status").inner_text()


def test_encoder_decoder_attention_is_chosen_in_the_view(show, random_maps):
    cross = random_maps(2, 2, 3, 4)
    made = view(
        encoder_attention=list(random_maps(2, 2, 4)),
        decoder_attention=list(random_maps(2, 2, 3, causal=True)),
        cross_attention=list(cross),
        encoder_tokens=["I", "went", "home", "</s>"],
        decoder_tokens=["<pad>", "ich", "ging"],
    )
    page = show(made)
    assert page.locator('[data-end="query"]').all_inner_texts() == ["I", "went", "home", "</s>"]
    page.get_by_role("combobox", name="Attention", exact=True).select_option("cross")
    assert page.locator('[data-end="query"]').all_inner_texts() == ["<pad>", "ich", "ging"]
    assert page.locator('[data-end="key"]').all_inner_texts() == ["I", "went", "home", "</s>"]
    token(page, "query", 1).hover()
    close(numbers(page, "key"), cross[0, :, 1].mean(axis=0))
    page.get_by_role("combobox", name="Attention", exact=True).select_option("decoder")
    assert page.locator('[data-end="key"]').count() == 3
