"""What is on the screen is whole, legible and as strong as it is said to be, on small screens too."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
import transformers

from attlas import view
from attlas.subject import Subject
from attlas.views import compare
from patience import expect, steady, until

SVG = "{http://www.w3.org/2000/svg}"


def is_whole(element) -> bool:
    """Whether nothing of an element has to be scrolled into sight."""
    return element.evaluate("e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")


def strongest(page, pane):
    """The most opaque pixel of the grid of a pane."""
    return page.evaluate(
        """(pane) => { const c = document.querySelectorAll('.pane')[pane].querySelector('.grid canvas');
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        let most = 0; for (let i = 3; i < d.length; i += 4) most = Math.max(most, d[i]); return most; }""",
        pane,
    )


@pytest.fixture
def both(random_maps):
    first = random_maps(1, 12, 6)
    second = first + 0.02 * (random_maps(1, 12, 6, seed=1) - first)
    second[0, 3] = random_maps(1, 1, 6, seed=2)[0, 0]  # one head differs in all
    return compare(*(view(list(maps), list("abcdef")) for maps in (first, second)))


def test_a_small_difference_is_seen_in_the_small_squares_and_its_scale_is_said(show, both):
    page = show(both)
    page.get_by_role("tab", name="Model").click()
    said = page.get_by_text("is drawn strongest").inner_text()
    assert 0 < float(re.search(r"difference of (0\.\d+)", said)[1]) <= 0.02
    until(page, lambda: strongest(page, 2), lambda pixel: pixel > 200)


def test_every_button_of_a_narrow_pane_is_in_sight(show, both):
    page = show(both)
    for pane in page.locator(".pane").all():
        both = (pane.get_by_role("button", name="All heads"), pane)
        button, room = steady(page, lambda both=both: [element.bounding_box() for element in both])
        assert button["x"] + button["width"] <= room["x"] + room["width"]


def in_grid(page, folder):
    """What the slider says is hidden, and how many links the small squares of the saved picture have."""
    said = steady(page, page.locator("label:has-text('Hide below')").inner_text)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    download.value.save_as(folder / "saved.svg")
    paths = ElementTree.parse(folder / "saved.svg").iter(f"{SVG}path")
    # a path holds all links that look alike
    drawn = sum(path.get("d").count("M") for path in paths if path.get("stroke") is not None)
    return float(re.search(r"Hide below ([\d.]+)", said)[1]), drawn


def test_what_the_slider_says_is_what_the_grid_draws(show, bert, store_tokens, tmp_path):
    page = show(view(list(bert[:2]), store_tokens, kind="model"))
    least, drawn = in_grid(page, tmp_path)
    near = int((np.abs(bert[:2] - least) < 0.003).sum())  # a byte may put a weight on the other side
    assert drawn == pytest.approx(int((bert[:2] >= least).sum()), abs=near)


def test_so_it_is_for_scores(show, tmp_path):
    scores = np.random.default_rng(0).normal(size=(2, 3, 8, 8)).astype(np.float32)
    scores[1] *= 10
    page = show(view(list(scores), list("abcdefgh"), kind="model", check=False))
    least, drawn = in_grid(page, tmp_path)
    size = np.abs(scores)
    near = int((np.abs(size - least) < 0.02 * least + 0.1).sum())  # bytes, and the digits that are said
    assert drawn == pytest.approx(int((size >= least).sum()), abs=near)
    assert drawn < scores.size - near
    expect(page.get_by_text("each head on its own scale")).to_be_visible()


@pytest.mark.parametrize("width", [1200, 390])
def test_the_numbers_of_a_head_are_not_cut_off(show, random_maps, width):
    page = show(view(list(random_maps(2, 2, 130)), [f"t{i}" for i in range(130)], kind="model"), width=width)
    page.locator("button.head").nth(1).click()
    numbers = page.locator(".detail dl")
    expect(numbers).to_be_visible()
    expect(numbers).to_contain_text("entropy", use_inner_text=True)
    until(
        page, lambda: numbers.evaluate("e => e.scrollHeight <= e.clientHeight || e.clientHeight >= 80"), True
    )


def test_the_legend_of_names_is_one_whole_line_on_a_phone(show, random_maps, atlas_of):
    names = ("previous", "next", "induction", "local", "sink", "duplicate")
    rows = [("encoder", 0, head, "pattern", name, 0.5) for head, name in enumerate(names)]
    made = view(
        list(random_maps(1, 6, 5)), list("abcde"), kind="model", colour="pattern", atlas=atlas_of(rows)
    )
    page = show(made, width=390, height=800)
    legend = page.get_by_role("group", name="Heads by pattern")
    expect(legend.get_by_role("button")).to_have_count(6)
    until(page, lambda: legend.evaluate("e => e.scrollHeight <= e.clientHeight"), True)


def test_the_readout_of_a_picture_is_whole_on_a_phone(show):
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 8, "intermediate_size": 16}
    vit = transformers.ViTModel(transformers.ViTConfig(**sizes, image_size=32, patch_size=8))
    page = show(view(Subject(vit, None, "vit"), np.zeros((32, 32, 3), np.uint8)), width=390, height=800)
    until(page, lambda: is_whole(page.get_by_role("status").last), True)


class TestProse:
    def test_a_character_of_several_tokens_and_a_lone_space_read_as_in_the_text(self, show, random_maps):
        tokens = ["C", "af", "Ã©", "Ġ", "ä½", "ł", "å¥", "½"]
        page = show(view(list(random_maps(1, 1, 8)), tokens, kind="text"))
        words = page.locator("[data-word]")
        until(page, lambda: "".join(words.all_inner_texts()), "Café 你好")
        widths = "words => words.map(word => word.getBoundingClientRect().width)"
        until(page, lambda: words.evaluate_all(widths), lambda sizes: min(sizes) > 4)

    def test_a_text_that_is_all_in_sight_has_no_strip(self, show, random_maps):
        page = show(view(list(random_maps(1, 1, 8)), list("abcdefgh"), kind="text"))
        expect(page.get_by_role("button", name=re.compile("^Map of "))).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("^Strip of the text"))).to_have_count(0)

    def test_the_map_of_two_sides_has_no_empty_rows(self, show, random_maps):
        cross = random_maps(1, 1, 3, 7)
        made = view(
            cross_attention=list(cross),
            encoder_tokens=list("abcdefg"),
            decoder_tokens=list("xyz"),
            kind="text",
        )
        page = show(made, color_scheme="light")
        white = """c => { let rows = 0;
            const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            for (let y = 0; y < c.height; y++) { let ink = 0;
              for (let x = 0; x < c.width; x++) if (d[4 * (y * c.width + x)] < 250) ink++;
              if (!ink) rows++; } return rows; }"""
        until(page, lambda: page.locator(".map canvas").evaluate(white), 0)
