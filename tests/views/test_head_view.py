"""The head view in a real browser: each interaction, and what is on the screen after it."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest

from attlas import view
from patience import ends, expect, steady, until


def token(page, end, index):
    return page.locator(f'[data-end="{end}"][data-index="{index}"]')


def numbers(page, end):
    """The weights written beside the tokens of one side: index -> number."""
    labels = page.locator(f'[data-weight-of="{end}"]')
    read = labels.evaluate_all("labels => labels.map(label => [label.dataset.index, label.innerText])")
    return {int(index): float(text) for index, text in read}


def active_heads(page):
    buttons = page.get_by_role("button", name=re.compile(r"^Head \d"))
    pressed = "heads => heads.filter(head => head.ariaPressed === 'true').map(head => head.innerText)"
    return [int(head) for head in buttons.evaluate_all(pressed)]


def ink(page):
    """How many pixels of the canvas are drawn on."""
    return page.evaluate(
        """() => { const c = document.querySelector('.bipartite canvas');
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0;
        for (let i = 3; i < d.length; i += 4) if (d[i] > 8) n++; return n; }"""
    )


def expected(weights, least=0.005):
    return {i: pytest.approx(float(w), abs=0.006) for i, w in enumerate(weights) if w >= least + 0.0005}


def close(page, end, weights):
    """Waits until the numbers beside the tokens of one side are those of the weights."""
    strong = {index: value for index, value in expected(weights).items() if weights[index] > 0.01}

    def right(shown):
        return all(shown.get(index) == value for index, value in strong.items()) and all(
            weights[index] > 0.003 for index in shown
        )

    until(page, lambda: numbers(page, end), right)


def test_layer_is_chosen_from_the_list_by_buttons_and_by_keys(show, store_view):
    page = show(store_view)
    layer = page.get_by_role("combobox", name="Layer", exact=True)
    expect(layer).to_have_value("2")
    layer.select_option("7")
    expect(page.get_by_role("group", name="Heads of layer 7")).to_be_visible()
    page.get_by_role("button", name="Layer after").click()
    expect(layer).to_have_value("8")
    token(page, "query", 0).focus()
    page.keyboard.press("[")
    expect(layer).to_have_value("7")


def test_heads_are_switched_by_click_and_the_last_one_stays(show, store_view):
    page = show(store_view)
    until(page, lambda: active_heads(page), list(range(12)))
    before = until(page, lambda: ink(page), lambda drawn: drawn > 0)
    for head in range(1, 12):
        page.get_by_role("button", name=f"Head 2.{head}", exact=True).click()
    until(page, lambda: active_heads(page), [0])
    until(page, lambda: ink(page), lambda drawn: drawn < before)
    page.wait_for_timeout(600)  # so that the next click is no double click
    page.get_by_role("button", name="Head 2.0", exact=True).click()
    until(page, lambda: active_heads(page), [0])
    page.get_by_role("button", name="All heads").click()
    until(page, lambda: active_heads(page), list(range(12)))


def test_double_click_shows_a_head_alone_and_again_shows_all(show, store_view):
    page = show(store_view)
    head = page.get_by_role("button", name="Head 2.3", exact=True)
    head.dblclick()
    until(page, lambda: active_heads(page), [3])
    head.dblclick()
    until(page, lambda: active_heads(page), list(range(12)))


def test_pointing_at_a_left_token_shows_what_it_attends_to(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.0", exact=True).dblclick()
    everything = steady(page, lambda: ink(page))
    token(page, "query", 15).hover()
    close(page, "key", bert[2, 0, 15])
    until(page, lambda: numbers(page, "query"), {})
    expect(page.get_by_role("status")).to_have_text(
        re.compile(r"^straw attends to\s+2\.0\s+##berries\s+1\.00"), use_inner_text=True
    )
    until(page, lambda: ink(page), lambda drawn: 0 < drawn < everything)
    page.mouse.move(5, 5)
    until(page, lambda: numbers(page, "key"), {})
    until(page, lambda: ink(page), everything)


def test_pointing_at_a_right_token_shows_who_attends_to_it(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.9", exact=True).dblclick()
    token(page, "key", 0).hover()
    close(page, "query", bert[2, 9, :, 0])
    expect(page.get_by_role("status")).to_contain_text("is attended to by", use_inner_text=True)


def test_with_several_heads_the_number_is_their_mean_and_each_has_its_cell(show, store_view, bert):
    page = show(store_view)
    token(page, "query", 15).hover()
    close(page, "key", bert[2, :, 15].mean(axis=0))
    expect(page.get_by_role("status")).to_contain_text("mean of 12 heads", use_inner_text=True)
    # behind "##berries" the cell of head 0, which gives it all, is there, and the colour is head 0's
    box = token(page, "key", 16).bounding_box()
    canvas = page.locator(".bipartite canvas").bounding_box()
    at = [box["x"] - canvas["x"] + box["width"] / 24, box["y"] - canvas["y"] + 4]
    read = """([x, y]) => { const c = document.querySelector('.bipartite canvas');
        return [...c.getContext('2d').getImageData(x, y, 1, 1).data]; }"""
    until(page, lambda: page.evaluate(read, at), lambda p: p[3] > 120 and p[2] > 1.5 * p[0])  # blue


def test_several_tokens_are_pinned_at_once_and_escape_unpins(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.0", exact=True).dblclick()
    token(page, "query", 15).click()
    token(page, "query", 5).click()
    page.mouse.move(5, 5)
    close(page, "key", bert[2, 0, [5, 15]].mean(axis=0))
    expect(token(page, "query", 5)).to_have_attribute("aria-pressed", "true")
    token(page, "key", 6).click()
    page.mouse.move(5, 5)
    close(page, "query", bert[2, 0, :, 6])
    page.get_by_role("button", name="Unpin 3").click()
    until(page, lambda: numbers(page, "key"), {})
    token(page, "query", 5).click()
    page.keyboard.press("Escape")
    expect(token(page, "query", 5)).to_have_attribute("aria-pressed", "false")


def test_the_keyboard_reaches_every_token_and_pins_it(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.0", exact=True).dblclick()
    page.mouse.move(5, 5)
    page.get_by_role("button", name="All heads").focus()
    page.keyboard.press("Tab")
    for _ in range(15):
        page.keyboard.press("ArrowDown")
    until(page, lambda: page.evaluate("document.activeElement.dataset.index"), "15")
    close(page, "key", bert[2, 0, 15])
    page.keyboard.press("Enter")
    expect(token(page, "query", 15)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    until(
        page,
        lambda: page.evaluate(
            "[document.activeElement.dataset.end, document.activeElement.dataset.index].join()"
        ),
        "key,15",
    )
    page.keyboard.press("Home")
    until(page, lambda: page.evaluate("document.activeElement.dataset.index"), "0")


def test_touch_pins_with_a_tap(show, store_view, bert):
    page = show(store_view, has_touch=True, width=390, height=800)
    page.get_by_role("button", name="Head 2.0", exact=True).tap()
    until(page, lambda: active_heads(page), list(range(1, 12)))
    token(page, "query", 4).tap()
    close(page, "key", bert[2, 1:, 4].mean(axis=0))
    token(page, "query", 4).tap()
    until(page, lambda: numbers(page, "key"), {})


def test_sentences_are_filtered_without_making_rows_sum_to_one(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.9", exact=True).dblclick()
    page.get_by_role("combobox", name="Sentences", exact=True).select_option("b-a")
    keys = ["[CLS]", "i", "went", "to", "the", "store", ".", "[SEP]"]
    expect(page.locator('[data-end="key"]')).to_have_text(keys, use_inner_text=True)
    expect(page.locator('[data-end="query"]').first).to_have_text("at", use_inner_text=True)
    token(page, "query", 0).hover()
    close(page, "key", bert[2, 9, 8, :8])


def test_whole_words_sum_to_and_average_from(show, store_view, bert):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.1", exact=True).dblclick()
    page.get_by_label("Whole words").check()
    tokens = page.locator('[data-end="query"]')
    names = until(page, tokens.all_inner_texts, lambda names: "strawberries" in names)
    token(page, "query", names.index("strawberries")).hover()
    row = bert[2, 1, 15:17].mean(axis=0)
    close(page, "key", np.concatenate([row[:15], [row[15:17].sum()], row[17:]]))


ROWS = [("query", 0), ("query", 1), ("key", 0)]


def test_horizontal_layout_puts_tokens_side_by_side(show, store_view):
    page = show(store_view)
    page.get_by_label("Horizontal").check()
    places = steady(page, lambda: [token(page, *at).bounding_box() for at in ROWS])
    first, second, below = places
    assert first["y"] == second["y"]
    assert second["x"] >= first["x"] + first["width"] - 1
    assert below["y"] > first["y"] + 100
    token(page, "query", 2).hover()
    until(page, lambda: numbers(page, "key"), bool)
    token(page, "query", 0).focus()
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.evaluate("document.activeElement.dataset.index"), "1")


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
    expect(page.get_by_text(re.compile(f"Hide below {least:.2f}"))).to_be_visible()
    strong = bert[2] >= least
    # a byte may put a weight on the other side of the threshold
    near = int((abs(bert[2] - least) < 0.004).sum())
    assert links_in_svg(page, tmp_path) == pytest.approx(int(strong.sum()), abs=near)
    mass = bert[2][strong].sum() / bert[2].sum()
    said = page.get_by_text(re.compile(r"of attention drawn"))

    def share():
        text = said.inner_text()
        return 1.0 if text.startswith("all") else int(text.split("%")[0]) / 100

    until(page, share, pytest.approx(mass, abs=0.03))
    page.get_by_role("button", name="Automatic").click()
    expect(page.get_by_text("Hide below 0.010")).to_be_visible()


def test_every_row_of_a_long_input_has_a_link_for_every_head(show, random_maps, tmp_path):
    page = show(view(list(random_maps(1, 12, 500)), [f"t{i}" for i in range(500)], layer=0))
    assert links_in_svg(page, tmp_path) >= 12 * 500
    for top in (0, 200, 480):
        page.locator(".surface").first.evaluate(f"e => e.scrollTop = {top} * 24")
        # just right of the names: each token of the rows in sight has links that leave it
        drawn = """() => { const c = document.querySelector('.bipartite canvas');
            const box = c.getBoundingClientRect(), context = c.getContext('2d');
            return [...document.querySelectorAll('[data-end="query"]')].map(e => e.getBoundingClientRect())
              .filter(r => r.top > box.top && r.bottom < box.bottom).map(r => {
                const {data} = context.getImageData(r.right - box.left + 3, r.top - box.top, 1, r.height);
                return data.some((value, i) => i % 4 === 3 && value > 20); }); }"""
        until(page, partial(page.evaluate, drawn), lambda shown: len(shown) > 10 and all(shown))


def test_past_four_heads_the_readout_names_those_that_look_most(show, store_view, bert):
    page = show(store_view)
    token(page, "query", 15).hover()
    strongest = int(bert[2, :, 15].max(axis=-1).argmax())
    expect(page.get_by_role("status")).to_contain_text(f"2.{strongest} ##berries 1.00", use_inner_text=True)


def test_pointing_never_moves_what_is_pointed_at(show, store_view):
    page = show(store_view, width=700)
    surface = page.locator(".surface").first
    before = steady(page, surface.bounding_box)
    for index in (0, 8, 15):
        token(page, "query", index).hover()
        expect(page.locator(".token.hovered")).to_have_attribute("data-index", str(index))
        assert steady(page, surface.bounding_box) == before


def drag(page, start, end):
    source, target = start.bounding_box(), end.bounding_box()
    page.mouse.move(source["x"] + source["width"] / 2, source["y"] + 8)
    page.mouse.down()
    page.mouse.move(target["x"] + 30, target["y"] + 20, steps=4)
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + 8, steps=3)
    page.mouse.up()


def ranked(page):
    return page.locator("button.head").evaluate_all("heads => heads.map(head => head.ariaLabel)")


def test_a_drag_from_one_token_to_another_ranks_all_heads(show, store_view, bert):
    page = show(store_view)
    drag(page, token(page, "query", 15), token(page, "key", 16))
    page.get_by_role("tab", name="Model", selected=True).wait_for()
    order = sorted(((bert[i, h, 15, 16], i, h) for i in range(12) for h in range(12)), reverse=True)
    # bytes make ties of what is nearly the same
    tops = [w for w, _, _ in order[:10]]
    names = until(page, lambda: ranked(page), lambda names: len(names) == 144 and " · " in names[0])
    matches = [re.match(r"Head (\d+)\.(\d+) · ([\d.]+)", name) for name in names[:10]]
    for weight, match in zip(tops, matches, strict=True):
        assert float(match[3]) == pytest.approx(weight, abs=0.01)
        assert bert[int(match[1]), int(match[2]), 15, 16] == pytest.approx(weight, abs=0.01)
    expect(page.get_by_text("straw → ##berries")).to_be_visible()
    page.get_by_role("button", name="Stop asking").click()
    expect(page.locator("button.head").first).to_have_attribute("aria-label", "Head 0.0")


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
    expect(page.locator("button.head").first).to_have_attribute("aria-label", ends("· 1.00"))


def test_two_taps_on_a_phone_ask_too(show, store_view):
    page = show(store_view, has_touch=True, width=390, height=800)
    token(page, "query", 5).tap()
    token(page, "key", 6).tap()
    page.get_by_role("button", name="Which heads link store → “.”?").tap()
    expect(page.get_by_role("tab", name="Model", selected=True)).to_be_visible()


def test_a_click_is_not_a_drag(show, store_view):
    page = show(store_view)
    token(page, "query", 5).click()
    expect(page.get_by_role("tab", name="Heads", selected=True)).to_be_visible()
    expect(token(page, "query", 5)).to_have_attribute("aria-pressed", "true")


def test_the_address_holds_what_is_chosen(show, store_view):
    page = show(store_view)
    page.get_by_role("combobox", name="Layer", exact=True).select_option("7")
    page.get_by_role("button", name="Head 7.3", exact=True).dblclick()
    token(page, "query", 4).click()
    expect(token(page, "query", 4)).to_have_attribute("aria-pressed", "true")
    chosen = ("layer=7", "heads=", "pinned=")
    address = until(page, lambda: page.url, lambda url: all(name in url for name in chosen))
    page.goto("about:blank")
    page.goto(address)
    page.locator(".attlas").wait_for()
    until(page, lambda: active_heads(page), [3])
    expect(token(page, "query", 4)).to_have_attribute("aria-pressed", "true")


def test_copy_as_python_gives_a_call_that_draws_just_this(show, mini):
    page = show(view(mini, "I went home.", include_layers=[0, 1]))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Head 0.3", exact=True).dblclick()
    page.get_by_label("Horizontal").check()
    page.get_by_role("button", name="Copy as Python").click()
    page.get_by_text("The call copied.").wait_for()
    call = page.evaluate("navigator.clipboard.readText()")  # the page says "copied" when it is there
    import attlas

    scene = eval(call, {"attlas": attlas}).scene
    assert (scene["selection"]["heads"], scene["selection"]["layout"]) == ([3], "rows")
    assert scene["sides"]["encoder"]["tokens"][1:3] == ["i", "went"]


def test_a_token_is_found(show, random_maps):
    page = show(view(list(random_maps(1, 2, 400)), [f"t{i}" for i in range(400)]))
    page.get_by_role("searchbox", name="Find a token").fill("t37")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 11")).to_be_visible()
    page.keyboard.press("Enter")
    token(page, "query", 370).wait_for()
    expect(page.locator(".readout")).to_contain_text("t370 attends to", use_inner_text=True)


def test_printing_holds_all_of_the_picture(show, store_view, tmp_path):
    page = show(store_view, color_scheme="dark")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    svg = page.locator(".print svg")
    until(page, svg.bounding_box, lambda box: box["width"] <= 1200)
    expect(svg.locator("text", has_text="##berries")).to_have_count(2)
    expect(svg.locator("rect").first).to_have_attribute("fill", "#ffffff")
    expect(page.locator(".screen")).not_to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_follow_the_system(show, store_view, scheme):
    page = show(store_view, color_scheme=scheme)
    ground = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}[scheme]
    expect(page.locator(".attlas")).to_have_css("background-color", ground)
    other = "dark" if scheme == "light" else "light"
    page.emulate_media(color_scheme=other)
    page.locator(f'.attlas[data-theme="{other}"]').wait_for()


def test_a_theme_that_was_asked_for_stays(show, bert, store_tokens):
    page = show(view(list(bert), store_tokens, theme="dark"), color_scheme="light")
    expect(page.locator(".attlas")).to_have_attribute("data-theme", "dark")


def test_a_long_input_scrolls_says_what_it_left_out_and_names_the_rest(show, random_maps):
    maps = random_maps(12, 12, 512)
    page = show(view(list(maps), [f"t{i}" for i in range(512)], layer=3))
    expect(page.get_by_role("note")).to_contain_text(
        "each row keeps its 55 strongest weights", use_inner_text=True
    )
    tokens = page.locator('[data-end="query"]')
    until(page, tokens.count, lambda count: 20 < count < 120)  # only what is seen is in the page
    page.get_by_role("button", name="Head 3.4", exact=True).dblclick()
    page.locator(".surface").first.evaluate("e => e.scrollTop = 400 * 24")
    token(page, "query", 405).hover()
    row = maps[3, 4, 405]
    top = np.sort(row)[::-1][:55]
    expect(page.get_by_role("status")).to_contain_text(f"rest {1 - top.sum():.3f}", use_inner_text=True)
    expect(page.get_by_role("status")).to_contain_text(f"t{row.argmax()} ", use_inner_text=True)


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
    expect(page.locator('[data-end="query"]')).to_have_text(
        ["I", "went", "home", "</s>"], use_inner_text=True
    )
    page.get_by_role("combobox", name="Attention", exact=True).select_option("cross")
    expect(page.locator('[data-end="query"]')).to_have_text(["<pad>", "ich", "ging"], use_inner_text=True)
    expect(page.locator('[data-end="key"]')).to_have_text(["I", "went", "home", "</s>"], use_inner_text=True)
    token(page, "query", 1).hover()
    close(page, "key", cross[0, :, 1].mean(axis=0))
    page.get_by_role("combobox", name="Attention", exact=True).select_option("decoder")
    expect(page.locator('[data-end="key"]')).to_have_count(3)
