"""Pictures saved from the page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from PIL import Image

from attlas import view

SVG = "{http://www.w3.org/2000/svg}"


def saved(page, button, tmp_path):
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    return path


def links(picture):
    """Curves are links, in paths of those that look alike; straight lines are the legend's."""
    return sum(path.get("d").count("C") for path in picture.iter(f"{SVG}path"))


def test_the_svg_has_the_links_and_tokens_on_screen_and_no_others(show, store_view, bert, tmp_path):
    page = show(store_view)
    page.get_by_role("button", name="Head 2.0", exact=True).dblclick()
    page.mouse.move(2, 2)
    file = saved(page, "Save SVG", tmp_path)
    assert file.name == "bert-base-uncased-head-2.0.svg"
    picture = ElementTree.parse(file)
    assert [e.text for e in picture.iter(f"{SVG}text")].count("##berries") == 2
    assert links(picture) == pytest.approx(int((bert[2, 0] >= 0.01).sum()), abs=2)
    page.locator('[data-end="query"][data-index="15"]').click()
    picture = ElementTree.parse(saved(page, "Save SVG", tmp_path))
    assert links(picture) == 1
    assert "1.00" in [e.text for e in picture.iter(f"{SVG}text")]


def test_the_png_has_the_chosen_scale(show, store_view, tmp_path):
    page = show(store_view)
    sizes = []
    for scale in ("1", "3"):
        page.get_by_role("combobox", name="PNG scale").select_option(scale)
        with Image.open(saved(page, "Save PNG", tmp_path)) as image:
            sizes.append(image.size)
            assert len(image.convert("RGB").resize((40, 40)).getcolors(1600)) > 10
    assert sizes[1] == (3 * sizes[0][0], 3 * sizes[0][1])


@pytest.mark.parametrize(
    ("tab", "kind"), [("Model", "model"), ("Neurons", "neuron-0.0"), ("Matrix", "matrix-0.0")]
)
def test_every_view_saves_a_picture_with_something_on_it(show, mini, tmp_path, tab, kind):
    page = show(view(mini, "I went home.", include_layers=[0, 1]))
    page.get_by_role("tab", name=tab).click()
    file = saved(page, "Save SVG", tmp_path)
    assert file.name == f"mini-{kind}.svg"
    picture = ElementTree.parse(file)
    drawn = [e for tag in ("path", "rect", "image") for e in picture.iter(SVG + tag)]
    assert len(drawn) > 30
    width, height = (float(picture.getroot().get(name)) for name in ("width", "height"))
    for text in picture.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x")) <= width
        assert 0 <= float(text.get("y")) <= height


def test_the_model_picture_has_the_opened_head_beside_the_grid(show, bert, store_tokens, tmp_path):
    page = show(view(list(bert), store_tokens, kind="model"))
    page.get_by_role("button", name="Head 2.0", exact=True).click()
    texts = [e.text for e in ElementTree.parse(saved(page, "Save SVG", tmp_path)).iter(f"{SVG}text")]
    assert "Layer 2, head 0" in texts
    assert texts.count("##berries") == 2


def test_a_large_map_is_saved_as_pixels_inside_the_svg(show, random_maps, tmp_path):
    page = show(view(list(random_maps(1, 1, 300)), [f"t{i}" for i in range(300)], kind="matrix"))
    text = saved(page, "Save SVG", tmp_path).read_text()
    assert re.search(r'<image [^>]*href="data:image/png;base64,', text)
