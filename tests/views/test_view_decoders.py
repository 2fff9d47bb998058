"""Decoders in the browser: without the first token, with what the model wrote; asking and pointing."""

from __future__ import annotations

import re

import numpy as np
import pytest

from attlas import view

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


def token(page, end, index):
    return page.locator(f'[data-end="{end}"][data-index="{index}"]')


def number(page, index) -> float:
    return float(page.locator(f'[data-weight-of="key"][data-index="{index}"]').inner_text())


def test_the_first_token_is_left_out_and_its_share_stands_beside_rows_and_heads(show, decoder, sinking):
    page = show(decoder(layer=1, heads=[2]))
    assert page.get_by_role("checkbox", name="Without first token").is_checked()
    chips = page.locator(".chip").all_inner_texts()
    assert chips == [f"{round(100 * row[0])}%" for row in sinking[1, 2, 1:]]
    head = page.get_by_role("button", name="Head 1.2", exact=True)
    assert head.inner_text() == f"2{round(100 * sinking[1, 2, 1:, 0].mean())}%"
    row = sinking[1, 2, 6]
    token(page, "query", 6).hover()
    best = int(row[1:].argmax()) + 1
    assert number(page, best) == pytest.approx(row[best] / (1 - row[0]), abs=0.006)
    assert f"first token, left out: {row[0]:.2f}" in page.get_by_role("status").inner_text()


def test_who_wants_the_first_token_has_it_back(show, decoder, sinking):
    page = show(decoder(layer=1, heads=[2]))
    page.get_by_role("checkbox", name="Without first token").uncheck()
    token(page, "query", 6).hover()
    assert number(page, 0) == pytest.approx(sinking[1, 2, 6, 0], abs=0.006)
    assert page.locator(".chip").count() == 0


def test_in_the_matrix_the_first_column_holds_what_was_left_out(show, decoder, sinking):
    page = show(decoder(layer=1, heads=[2], kind="matrix"))
    page.get_by_role("application").focus()
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    said = page.get_by_role("status").inner_text()
    assert f"{sinking[1, 2, 4, 0]:.2f} of all, left out" in said


def test_in_the_text_and_in_the_model_view_it_is_left_out_alike(show, decoder, sinking):
    page = show(decoder(layer=1, heads=[2], kind="text"))
    page.locator('[data-word="6"]').hover()
    row = sinking[1, 2, 6]
    best = int(row[1:].argmax()) + 1
    said = page.get_by_role("status").last.inner_text()
    assert f"({best}) {row[best] / (1 - row[0]):.2f}" in said
    assert f"left out: {row[0]:.2f} on the first token" in said
    page.get_by_role("tab", name="Model").click()
    share = round(100 * sinking[1, 2, 1:, 0].mean())
    assert page.get_by_role("button", name=f"Head 1.2 · {share}%").count() == 1


def test_the_still_figure_leaves_it_out_too(decoder, sinking, tmp_path):
    made = decoder(layer=1, heads=[2], threshold=0.0)
    svg = made.figure(tmp_path / "links.svg").read_text()
    assert "without the first token" in svg
    for row in sinking[1, 2, 1:]:
        assert f">{row[0]:.0%}  " in svg
    assert (
        "without the first token" not in decoder(without_first=False).figure(tmp_path / "all.svg").read_text()
    )


def test_page_and_figure_have_one_scale(show, decoder, tmp_path):
    made = decoder(layer=1, heads=[0, 2])
    page = show(made)
    on_page = page.locator(".scale").get_attribute("aria-label")
    most = re.search(r"A link of ([\d.]+)", on_page)[1]
    legend = re.findall(r">(?:≥ )?(\d\.\d+)<", made.figure(tmp_path / "figure.svg").read_text())
    assert most in legend
    # what is pointed at has a scale of its own: its strongest link is in full colour
    token(page, "query", 5).hover()
    hovered = re.search(r"A link of ([\d.]+)", page.locator(".scale").get_attribute("aria-label"))[1]
    numbers = page.locator('[data-weight-of="key"]').all_inner_texts()
    assert float(hovered) >= max(map(float, numbers))


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
    labels = [each.get_attribute("aria-label") for each in page.locator("button.head").all()]
    mine = next(label for label in labels if label.startswith("Head 0.0"))
    assert re.search(r"< 0\.\d+", mine)
    bound = min(row[kept - 1], row[kept:].sum())
    assert float(re.search(r"< (0\.\d+)", mine)[1]) == pytest.approx(bound, abs=0.02)
    values = [float(re.search(r"· (?:< )?(\d\.\d+|0)", label)[1]) for label in labels]
    assert values == sorted(values, reverse=True)


def test_pointing_at_a_heads_square_shows_its_links_alone(show, decoder):
    page = show(decoder(layer=1, heads=[0, 1]))
    before = page.locator(".bipartite canvas").screenshot()
    page.get_by_role("button", name="Head 1.2", exact=True).hover()
    page.wait_for_timeout(200)
    during = page.locator(".bipartite canvas").screenshot()
    alone = show(decoder(layer=1, heads=[2]))
    token(page, "query", 0).hover()
    page.mouse.move(5, 5)
    page.wait_for_timeout(200)
    assert during != before
    assert page.locator(".bipartite canvas").screenshot() == before
    assert alone.locator(".bipartite canvas").count() == 1


def test_back_goes_to_the_view_before_and_not_away(show, decoder):
    page = show(decoder(layer=1, heads=[2]))
    page.get_by_role("tab", name="Model").click()
    page.get_by_role("tab", name="Matrix").click()
    page.go_back()
    assert page.get_by_role("tab", name="Model").get_attribute("aria-selected") == "true"
    page.go_back()
    assert page.get_by_role("tab", name="Heads").get_attribute("aria-selected") == "true"


def test_what_was_asked_is_said_only_in_its_own_order_and_punctuation_is_quoted(show, decoder):
    page = show(decoder(layer=1, heads=[2]))
    token(page, "query", 8).drag_to(token(page, "key", 5))
    asked = page.get_by_text("Heads by what they put on")
    assert asked.inner_text().endswith("dog → “,”")
    page.get_by_role("combobox", name="Order").select_option("layer")
    assert asked.count() == 0


def test_dragging_in_the_text_asks_as_in_the_head_view(show, decoder):
    page = show(decoder(layer=1, heads=[2], kind="text"))
    page.locator('[data-word="8"]').drag_to(page.locator('[data-word="1"]'))
    assert page.get_by_text("Heads by what they put on").inner_text().endswith("dog → cat")


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
    assert page.locator(".sides").count() == 0
    page.get_by_role("combobox", name="Attention").select_option("cross")
    assert page.locator(".sides span").all_inner_texts() == ["decoder", "encoder"]


def test_what_the_model_wrote_is_marked_and_how_likely_it_was_is_told(show, subject_of):
    made = view(subject_of("llama"), "the cat sat", generate=4, layer=0, heads=[0])
    side = made.scene["sides"]["decoder"]
    page = show(made)
    written = page.locator('[data-end="query"].generated')
    assert written.count() == 4
    token(page, "query", len(side["tokens"]) - 1).hover()
    probability = side["probabilities"][-1]
    said = page.get_by_role("status").inner_text()
    assert float(re.search(r"probability <?([\d.]+)", said)[1]) == pytest.approx(probability, abs=0.006)


def test_an_emoji_of_four_tokens_is_one_word_and_one_character(show):
    tokens = ["Ġhi", "ĠðŁ", "Ļ", "Ĥ", "Ġyou"]
    maps = np.full((1, 1, 5, 5), 0.2, np.float32)
    page = show(view([maps], tokens, kind="text", level="words"))
    assert [each.inner_text() for each in page.locator("[data-word]").all()] == ["hi", "🙂", "you"]
    page.get_by_role("checkbox", name="Whole words").uncheck()
    assert "".join(each.inner_text() for each in page.locator("[data-word]").all()) == "hi🙂you"


def test_the_map_beside_the_text_is_of_the_heads_that_glow(show, decoder):
    page = show(decoder(layer=1, kind="text", without_first=False))
    assert page.get_by_role("button", name="Map of mean of 3 heads").is_visible()
    page.get_by_role("button", name="Head 1.2", exact=True).dblclick()
    assert page.get_by_role("button", name="Map of 1.2").is_visible()
