"""Decoders in the browser: without the first token, with what the model wrote; asking and pointing."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest

from attlas import view
from patience import ends, expect, steady, until

WORDS = ["The", "cat", "that", "sat", "there", ",", "saw", "a", "dog", "run"]


@pytest.fixture(scope="module")
def sinking() -> np.ndarray:
    """layer head query key: causal, most of it on the first token."""
    scores = np.random.default_rng(1).normal(size=(2, 3, 10, 10)) * 1.5
    scores[..., 0] += 4
    scores = np.where(np.tri(10, dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


@pytest.fixture
def decoder(sinking):
    def make(**options):
        return view(decoder_attention=list(sinking[:, None]), decoder_tokens=WORDS, **options)

    return make


def labels(page):
    """The name of every head in the grid, in its order."""
    return page.locator("button.head").evaluate_all("heads => heads.map(head => head.ariaLabel)")


def token(page, end, index):
    return page.locator(f'[data-end="{end}"][data-index="{index}"]')


def number(page, index):
    return page.locator(f'[data-weight-of="key"][data-index="{index}"]')


def has_number(page, index, weight):
    """Waits until this weight stands beside a key."""
    near = pytest.approx(weight, abs=0.006)
    until(page, lambda: float(number(page, index).inner_text()), near)


def test_the_first_token_is_left_out_and_its_share_stands_beside_rows_and_heads(show, decoder, sinking):
    page = show(decoder(layer=1, heads=[2]))
    expect(page.get_by_role("checkbox", name="Without first token")).to_be_checked()
    chips = [f"{round(100 * row[0])}%" for row in sinking[1, 2, 1:]]
    expect(page.locator(".chip")).to_have_text(chips, use_inner_text=True)
    head = page.get_by_role("button", name="Head 1.2", exact=True)
    expect(head).to_have_text(f"2{round(100 * sinking[1, 2, 1:, 0].mean())}%", use_inner_text=True)
    row = sinking[1, 2, 6]
    token(page, "query", 6).hover()
    best = int(row[1:].argmax()) + 1
    has_number(page, best, row[best] / (1 - row[0]))
    expect(page.get_by_role("status")).to_contain_text(
        f"first token, left out: {row[0]:.2f}", use_inner_text=True
    )


def test_who_wants_the_first_token_has_it_back(show, decoder, sinking):
    page = show(decoder(layer=1, heads=[2]))
    page.get_by_role("checkbox", name="Without first token").uncheck()
    token(page, "query", 6).hover()
    has_number(page, 0, sinking[1, 2, 6, 0])
    expect(page.locator(".chip")).to_have_count(0)


def test_in_the_matrix_the_first_column_holds_what_was_left_out(show, decoder, sinking):
    page = show(decoder(layer=1, heads=[2], kind="matrix"))
    page.get_by_role("application").focus()
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    said = f"{sinking[1, 2, 4, 0]:.2f} of all, left out"
    expect(page.get_by_role("status")).to_contain_text(said, use_inner_text=True)


def test_in_the_text_and_in_the_model_view_it_is_left_out_alike(show, decoder, sinking):
    page = show(decoder(layer=1, heads=[2], kind="text"))
    page.locator('[data-word="6"]').hover()
    row = sinking[1, 2, 6]
    best = int(row[1:].argmax()) + 1
    said = page.get_by_role("status").last
    expect(said).to_contain_text(f"({best}) {row[best] / (1 - row[0]):.2f}", use_inner_text=True)
    expect(said).to_contain_text(f"left out: {row[0]:.2f} on the first token", use_inner_text=True)
    page.get_by_role("tab", name="Model").click()
    share = round(100 * sinking[1, 2, 1:, 0].mean())
    expect(page.get_by_role("button", name=f"Head 1.2 · {share}%")).to_have_count(1)


def test_the_still_figure_leaves_it_out_too(decoder, sinking, tmp_path):
    made = decoder(layer=1, heads=[2], threshold=0.0)
    svg = made.figure(tmp_path / "links.svg").read_text()
    assert "without the first token" in svg
    for row in sinking[1, 2, 1:]:
        assert f">{row[0]:.0%}  " in svg
    assert (
        "without the first token" not in decoder(without_first=False).figure(tmp_path / "all.svg").read_text()
    )


def test_a_saved_picture_and_a_printed_page_say_what_was_left_out(show, decoder, sinking):
    page = show(decoder(layer=1, heads=[2]))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    printed = page.locator(".print svg").evaluate("e => e.outerHTML")  # waits for it
    for svg in (download.value.path().read_text(), printed):
        assert "without the first token; percentages: its share of the attention" in svg
        for row in sinking[1, 2, 1:]:
            assert f">{round(100 * row[0])}%</text>" in svg


@pytest.fixture
def resting(sinking):
    """Two heads: one rests on the first token but for a trifle on the third; the other looks there."""
    weights = np.zeros((1, 2, 10, 10), np.float32)
    weights[..., 0] = 1
    weights[0, 0, 3:, 0], weights[0, 0, 3:, 2] = 0.996, 0.004
    weights[0, 1, 3:, 0], weights[0, 1, 3:, 2], weights[0, 1, 3:, 1] = 0.5, 0.2, 0.3
    return view(decoder_attention=[weights], decoder_tokens=WORDS, layer=0, heads=[0, 1], without_first=True)


def test_next_to_nothing_is_not_made_all_and_the_page_says_so(show, resting, tmp_path):
    page = show(resting)
    token(page, "query", 6).hover()
    for said in (
        "0.0 (first token, left out: 1.00; the rest is too little to scale up)",
        "0.1 cat 0.60 · that 0.40 · (first token, left out: 0.50)",
    ):
        expect(page.get_by_role("status")).to_contain_text(said, use_inner_text=True)
    weights = resting.maps[0].layers[0].weights
    assert "95% or more is not scaled up" in resting.figure(tmp_path / "resting.svg").read_text()
    from attlas.views.drawings.still import Still

    still = Still(resting.scene, resting.maps[0], resting.selection, "light")
    assert still.weights(0)[6] == pytest.approx([0, 0, 0.004, *[0] * 7], abs=1e-6)
    assert still.weights(1)[6] == pytest.approx(weights[1, 6] * (np.arange(10) > 0) / 0.5, abs=1e-6)


def test_asked_heads_are_ranked_by_all_of_their_attention(show, resting, tmp_path):
    page = show(resting)
    token(page, "query", 6).drag_to(token(page, "key", 2))
    ranked = [
        "Head 0.1 · 0.20, 0.40 without the first token",
        "Head 0.0 · 0.004, 0.004 without the first token",
    ]
    until(page, lambda: labels(page), ranked)
    asked = view(
        decoder_attention=[resting.maps[0].layers[0].weights[None]],
        decoder_tokens=WORDS,
        kind="model",
        order="asked",
        asked=(6, 2),
        without_first=True,
    )
    svg = asked.figure(tmp_path / "asked.svg").read_text()
    assert "0.1 · 0.2<" in svg
    assert "0.0 · 0.004<" in svg


def test_of_two_pinned_tokens_both_are_told(show, decoder, sinking):
    page = show(decoder(layer=1, heads=[2], without_first=False))
    for index in (6, 8):
        token(page, "query", index).click()
    page.mouse.move(5, 5)
    for said in ("saw, dog", "attend, on average, to", f"The {sinking[1, 2, [6, 8], 0].mean():.2f}"):
        expect(page.get_by_role("status")).to_contain_text(said, use_inner_text=True)


def test_on_a_phone_hints_speak_of_what_is_there_and_nothing_is_cut(show, subject_of):
    made = view(subject_of("llama"), "the cat sat on the mat and slept", layer=0, heads=[0])
    fits = "e => e.scrollHeight <= e.clientHeight"
    for width, bars in ((1200, True), (390, False)):
        page = show(made, width=width)
        readout = page.get_by_role("status").last
        until(page, lambda r=readout: "Bars on the left" in r.inner_text(), bars)
        until(page, lambda r=readout: r.evaluate(fits), True)
        page.get_by_role("tab", name="Text").click()
        page.locator("[data-word]").first.wait_for()
        until(page, lambda page=page: page.get_by_role("status").last.evaluate(fits), True)


@pytest.mark.parametrize("width", [390, 1400])
def test_the_reason_for_the_opening_is_read_whole(show, random_maps, width):
    page = show(
        view(
            decoder_attention=list(random_maps(3, 4, 12, causal=True)[:, None]),
            decoder_tokens=[f"w{i}" for i in range(12)],
        ),
        width=width,
    )
    why = page.locator(".why")
    expect(why).to_have_text(ends("give the same word)."), use_inner_text=True)
    whole = "e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight"
    until(page, lambda: why.evaluate(whole), True)


def test_a_token_of_arabic_letters_reaches_over_its_own_room_only_to_the_left(show):
    """One letter of two tokens stands in the first, whose room is on the right; both can be pointed at."""
    tokens = ["Ùħ", "Ø³", "Ø", "ª", "Ġhi"]  # two letters, a letter in two tokens, a word
    maps = np.full((1, 1, 5, 5), 0.2, np.float32)
    page = show(view([maps], tokens, kind="text"))
    read = """words => words.map(e => ({ dir: e.dir, box: e.getBoundingClientRect().toJSON(),
            letters: e.querySelector('bdi').getBoundingClientRect().toJSON() }))"""
    boxes = steady(page, lambda: page.locator("[data-word]").evaluate_all(read))
    shared, goes_on = boxes[2], boxes[3]
    assert [box["dir"] for box in boxes] == ["rtl", "rtl", "rtl", "rtl", "ltr"]
    assert shared["letters"]["right"] <= shared["box"]["right"] + 0.5
    assert shared["letters"]["left"] < shared["box"]["left"]
    assert goes_on["box"]["right"] <= shared["box"]["left"] + 0.5
    for word in (2, 3):
        box = boxes[word]["box"]
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 15)
        at = "([x, y]) => document.elementFromPoint(x, y).closest('[data-word]').dataset.word"
        place = [box["x"] + box["width"] / 2, box["y"] + 15]
        until(page, partial(page.evaluate, at, place), str(word))


def test_page_and_figure_have_one_scale(show, decoder, tmp_path):
    made = decoder(layer=1, heads=[0, 2])
    page = show(made)
    scale = page.locator(".scale")

    def strongest():
        return re.search(r"A link of ([\d.]+)", scale.get_attribute("aria-label"))[1]

    most = steady(page, strongest)
    legend = re.findall(r">(?:≥ )?(\d\.\d+)<", made.figure(tmp_path / "figure.svg").read_text())
    assert most in legend
    # what is pointed at has a scale of its own: its strongest link is in full colour
    token(page, "query", 5).hover()
    numbers = page.locator('[data-weight-of="key"]')
    numbers.first.wait_for()
    until(page, strongest, lambda hovered: float(hovered) >= max(map(float, numbers.all_inner_texts())))


def test_a_weight_that_was_cut_off_is_no_zero(show, sinking, monkeypatch):
    monkeypatch.setattr("attlas.views.rows.BUDGET", 500)
    made = view(decoder_attention=list(sinking[:, None]), decoder_tokens=WORDS, asked=(9, 4), kind="model")
    page = show(view(decoder_attention=list(sinking[:, None]), decoder_tokens=WORDS, without_first=False))
    row = np.sort(sinking[0, 0, 9])[::-1]
    kept = made.scene["attentions"][0]["layers"][0]["weights"]["shape"][2]
    assert kept < 10
    weakest = int(sinking[0, 0, 9].argmin())
    source, target = token(page, "query", 9), token(page, "key", weakest)
    source.drag_to(target)
    names = until(page, lambda: labels(page), lambda names: len(names) == 6 and " · " in names[0])
    mine = next(name for name in names if name.startswith("Head 0.0"))
    assert re.search(r"< 0\.\d+", mine)
    bound = min(row[kept - 1], row[kept:].sum())
    assert float(re.search(r"< (0\.\d+)", mine)[1]) == pytest.approx(bound, abs=0.02)
    values = [float(re.search(r"· (?:< )?(\d\.\d+|0)", name)[1]) for name in names]
    assert values == sorted(values, reverse=True)


def test_pointing_at_a_heads_square_shows_its_links_alone(show, decoder):
    page = show(decoder(layer=1, heads=[0, 1]))
    picture = "document.querySelector('.bipartite canvas').toDataURL()"
    before = steady(page, lambda: page.evaluate(picture))
    page.get_by_role("button", name="Head 1.2", exact=True).hover()
    until(page, lambda: page.evaluate(picture), lambda drawn: drawn != before)
    token(page, "query", 0).hover()
    page.mouse.move(5, 5)
    until(page, lambda: page.evaluate(picture), before)


def test_back_goes_to_the_view_before_and_not_away(show, decoder):
    page = show(decoder(layer=1, heads=[2]))
    page.get_by_role("tab", name="Model").click()
    page.get_by_role("tab", name="Matrix").click()
    page.go_back()
    expect(page.get_by_role("tab", name="Model")).to_have_attribute("aria-selected", "true")
    page.go_back()
    expect(page.get_by_role("tab", name="Heads")).to_have_attribute("aria-selected", "true")


def test_what_was_asked_is_said_only_in_its_own_order_and_punctuation_is_quoted(show, decoder):
    page = show(decoder(layer=1, heads=[2]))
    token(page, "query", 8).drag_to(token(page, "key", 5))
    asked = page.get_by_text("Heads by what they put on")
    expect(asked).to_have_text(ends("dog → “,”"), use_inner_text=True)
    page.get_by_role("combobox", name="Order").select_option("layer")
    expect(asked).to_have_count(0)


def test_dragging_in_the_text_asks_as_in_the_head_view(show, decoder):
    page = show(decoder(layer=1, heads=[2], kind="text"))
    page.locator('[data-word="8"]').drag_to(page.locator('[data-word="1"]'))
    expect(page.get_by_text("Heads by what they put on")).to_have_text(ends("dog → cat"), use_inner_text=True)


def test_a_picture_of_two_heads_says_which(show, decoder):
    page = show(decoder(layer=1, heads=[0, 2]))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    assert download.value.suggested_filename == "attention-head-1.0+2.svg"


def test_the_columns_of_cross_attention_have_names(show, random_maps):
    maps = {
        "encoder_attention": list(random_maps(1, 2, 4)),
        "decoder_attention": list(random_maps(1, 2, 3, causal=True)),
        "cross_attention": list(random_maps(1, 2, 3, 4)),
    }
    page = show(view(**maps, encoder_tokens=list("abcd"), decoder_tokens=list("xyz")))
    expect(page.locator(".sides")).to_have_count(0)
    page.get_by_role("combobox", name="Attention").select_option("cross")
    expect(page.locator(".sides span")).to_have_text(["decoder", "encoder"], use_inner_text=True)


def test_what_the_model_wrote_is_marked_and_how_likely_it_was_is_told(show, subject_of):
    made = view(subject_of("llama"), "the cat sat", generate=4, layer=0, heads=[0])
    side = made.scene["sides"]["decoder"]
    page = show(made)
    written = page.locator('[data-end="query"].generated')
    expect(written).to_have_count(4)
    token(page, "query", len(side["tokens"]) - 1).hover()
    probability = side["probabilities"][-1]
    status = page.get_by_role("status")
    expect(status).to_contain_text("probability", use_inner_text=True)
    said = re.search(r"probability <?([\d.]+)", status.inner_text())[1]
    assert float(said) == pytest.approx(probability, abs=0.006)


def test_an_emoji_of_four_tokens_is_one_word_and_one_character(show):
    tokens = ["Ġhi", "ĠðŁ", "Ļ", "Ĥ", "Ġyou"]
    maps = np.full((1, 1, 5, 5), 0.2, np.float32)
    page = show(view([maps], tokens, kind="text", level="words"))
    words = page.locator("[data-word]")
    expect(words).to_have_text(["hi", "🙂", "you"], use_inner_text=True)
    page.get_by_role("checkbox", name="Whole words").uncheck()
    expect(words).to_have_count(5)
    until(page, lambda: "".join(words.all_inner_texts()), "hi🙂you")


def test_the_map_beside_the_text_is_of_the_heads_that_glow(show, decoder):
    page = show(decoder(layer=1, kind="text", without_first=False))
    expect(page.get_by_role("button", name="Map of mean of 3 heads")).to_be_visible()
    page.get_by_role("button", name="Head 1.2", exact=True).dblclick()
    expect(page.get_by_role("button", name="Map of 1.2")).to_be_visible()
