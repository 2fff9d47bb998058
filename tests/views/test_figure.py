"""Figures without a browser."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from PIL import Image

from attlas.errors import AttlasError
from attlas.views import view

SVG = "{http://www.w3.org/2000/svg}"


def texts(path):
    return ["".join(e.itertext()).strip() for e in ElementTree.parse(path).iter(f"{SVG}text")]


def test_the_head_figure_shows_both_lists_of_tokens_and_a_line_a_link(bert, store_tokens, tmp_path):
    made = view(list(bert), store_tokens, layer=2, heads=[0], title="bert-base-uncased")
    file = made.figure(tmp_path / "out.svg")
    found = texts(file)
    assert found.count("##berries") == 2
    assert "bert-base-uncased · head 2.0" in found
    links = next(e for e in ElementTree.parse(file).iter(f"{SVG}g") if "PathCollection" in e.get("id", ""))
    assert len(links.findall(f"{SVG}path")) == int((bert[2, 0] >= 0.01).sum())


@pytest.mark.parametrize("kind", ["head", "model", "text", "matrix", "neuron"])
@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_every_view_has_a_figure_in_every_format(mini, kind, ending, tmp_path):
    made = view(mini, "I went to the store.", kind=kind, include_layers=[0, 1])
    data = made.figure(tmp_path / f"out.{ending}").read_bytes()
    assert data.startswith({"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[ending])


def test_long_inputs_have_matrix_figures_and_say_so_of_links(random_maps, tmp_path):
    tokens = [f"t{i}" for i in range(2100)]
    maps = list(random_maps(1, 1, 2100))
    with Image.open(view(maps, tokens, kind="matrix").figure(tmp_path / "m.png")) as image:
        assert image.width > 800
    with pytest.raises(AttlasError, match="2100 tokens are too many for links"):
        view(maps, tokens).figure(tmp_path / "h.png")


def test_tokens_are_only_text_in_figures(random_maps, tmp_path):
    tokens = ["<script>", "$x_1$", "\x00", "a" * 5000]
    found = texts(view(list(random_maps(1, 1, 4)), tokens).figure(tmp_path / "out.svg"))
    assert "<script>" in found
    assert "$x_1$" in found
    assert "a" * 23 + "…" in found


def test_another_ending_is_refused_by_name(store_view, tmp_path):
    with pytest.raises(AttlasError, match=r"out\.gif has no ending that figures know"):
        store_view.figure(tmp_path / "out.gif")


def test_the_same_view_gives_the_same_file(store_view, tmp_path):
    first, second = (store_view.figure(tmp_path / f"{i}.pdf").read_bytes() for i in (1, 2))
    assert first == second
