"""Figures without a browser."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from attlas import view
from attlas.errors import AttlasError

SVG = "{http://www.w3.org/2000/svg}"


def texts(path):
    return ["".join(e.itertext()).strip() for e in ElementTree.parse(path).iter(f"{SVG}text")]


def test_the_head_figure_shows_both_lists_of_tokens_and_a_line_a_link(bert, store_tokens, tmp_path):
    made = view(list(bert), store_tokens, layer=2, heads=[0], title="bert-base-uncased")
    file = made.figure(tmp_path / "out.svg")
    labels = texts(file)
    assert labels.count("##berries") == 2
    assert "bert-base-uncased · head 2.0" in labels
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
    labels = texts(view(list(random_maps(1, 1, 4)), tokens).figure(tmp_path / "out.svg"))
    assert "<script>" in labels
    assert "$x_1$" in labels
    assert "a" * 23 + "…" in labels


def test_another_ending_is_refused_by_name(store_view, tmp_path):
    with pytest.raises(AttlasError, match=r"out\.gif has no ending that figures know"):
        store_view.figure(tmp_path / "out.gif")


def test_the_same_view_gives_the_same_file(store_view, tmp_path):
    first, second = (store_view.figure(tmp_path / f"{i}.pdf").read_bytes() for i in (1, 2))
    assert first == second


class TestWhatIsChosen:
    """A figure draws what is chosen: heads, pins, words, sentences, threshold, theme, width."""

    @staticmethod
    def links(file):
        drawing = ElementTree.parse(file)
        group = next(e for e in drawing.iter(f"{SVG}g") if "PathCollection" in e.get("id", ""))
        return group.findall(f".//{SVG}path"), texts(file)

    def test_links_are_curves_with_a_legend_of_heads_and_a_scale(self, bert, store_tokens, tmp_path):
        made = view(list(bert), store_tokens, layer=2, heads=[0, 3, 9])
        paths, labels = self.links(made.figure(tmp_path / "f.svg"))
        assert all(" C " in path.get("d").replace("\n", " ") for path in paths)
        assert {"2.0", "2.3", "2.9"} <= set(labels)
        assert any("of the attention" in text for text in labels)
        assert sum(text.replace("≥ ", "").replace(".", "").isdigit() for text in labels) >= 3

    def test_a_pinned_token_has_its_links_alone(self, bert, store_tokens, tmp_path):
        made = view(list(bert), store_tokens, layer=2, heads=[0], pinned=[("query", 15)], threshold=0.01)
        paths, _ = self.links(made.figure(tmp_path / "f.svg"))
        assert len(paths) == int((bert[2, 0, 15] >= 0.01).sum())

    def test_words_sentences_and_threshold(self, bert, store_tokens, tmp_path):
        made = view(
            list(bert),
            store_tokens,
            sentence_b_start=8,
            layer=2,
            heads=[9],
            level="words",
            sentences="b-a",
            threshold=0.2,
        )
        paths, labels = self.links(made.figure(tmp_path / "f.svg"))
        assert labels.count("strawberries") == 1
        assert "##berries" not in labels
        words = [*range(8, 15), [15, 16], 17, 18]
        from_words = [
            bert[2, 9, word].mean(0) if isinstance(word, list) else bert[2, 9, word] for word in words
        ]
        assert len(paths) == sum(int((row[:8] >= 0.2).sum()) for row in from_words)

    def test_the_widgets_choice_is_drawn(self, bert, store_tokens, tmp_path):
        pytest.importorskip("anywidget", reason="anywidget is not installed")
        made = view(list(bert), store_tokens, layer=2)
        made.widget.layer = 7
        made.widget.heads = [3]
        assert any("head 7.3" in text for text in texts(made.figure(tmp_path / "f.svg")))
        made.widget.close()

    def test_dark_figures_and_columns_of_a_paper(self, bert, store_tokens, tmp_path):
        made = view(list(bert), store_tokens, layer=2)
        with Image.open(made.figure(tmp_path / "f.png", width=3.3, theme="dark")) as image:
            assert image.width == pytest.approx(3.3 * 200, abs=2)
            assert image.convert("RGB").getpixel((2, 2)) == (20, 23, 28)
        with pytest.raises(AttlasError, match="width is 0"):
            made.figure(tmp_path / "f.png", width=0)

    def test_the_neuron_figure_has_its_query_and_the_pinned_token(self, mini, tmp_path):
        made = view(mini, "I went to the store.", kind="neuron", layer=3, heads=[2], pinned=[("query", 4)])
        labels = texts(made.figure(tmp_path / "f.svg"))
        assert {"query q", "key k", "q × k", "value v", "output = Σ softmax × v"} <= set(labels)
        assert any("query of “the”" in text for text in labels)

    def test_rollouts_and_attention_by_norm_have_figures_and_say_what_they_are(self, mini, tmp_path):
        text = "I went to the store."
        rolled = view(mini, text, attention="encoder rollout", layer=5).figure(tmp_path / "r.svg")
        assert any("rollout up to layer 5" in label for label in texts(rolled))
        normed = view(mini, text, weighting="norm", kind="matrix").figure(tmp_path / "n.svg")
        assert any("by norm" in label for label in texts(normed))


def places(path):
    """Where each text of a figure stands: text -> (x, y) of its first occurrence."""
    positions = {}
    for element in ElementTree.parse(path).iter(f"{SVG}text"):
        at = re.search(r"translate\(([\d.]+) ([\d.]+)\)", element.get("transform") or "")
        x, y = at.groups() if at else (element.get("x"), element.get("y"))
        positions.setdefault("".join(element.itertext()).strip(), (float(x), float(y)))
    return positions


class TestFitForPaper:
    def test_a_legend_is_read_row_by_row_and_its_scale_has_a_row(self, bert, store_tokens, tmp_path):
        made = view(list(bert), store_tokens, layer=2, heads=[0, 1, 9])
        at = places(made.figure(tmp_path / "x.svg", width=3.3))
        (first, second, third), full = (at[name] for name in ("2.0", "2.1", "2.9")), at["1.00"]
        assert first[0] < second[0] < third[0]
        assert first[1] == second[1] == third[1] < full[1]

    def test_tokens_stand_side_by_side_where_that_is_chosen(self, bert, store_tokens, tmp_path):
        made = view(list(bert), store_tokens, layer=2, layout="rows")
        at = places(made.figure(tmp_path / "x.svg"))
        assert at["went"][0] < at["bought"][0]
        assert at["attends"][1] < at["attended to"][1]
        assert abs(at["attends"][0] - at["attended to"][0]) < 5

    def test_the_share_is_that_of_the_pinned_tokens(self, bert, store_tokens, tmp_path):
        made = view(list(bert), store_tokens, layer=2, heads=[0], pinned=[("query", 15)])
        assert "links of 0.010 and more: 100% of their attention" in texts(made.figure(tmp_path / "x.svg"))

    def test_the_names_of_neurons_stand_apart_in_a_column(self, mini, tmp_path):
        at = places(view(mini, "I went home.", kind="neuron").figure(tmp_path / "x.svg", width=3.3))
        assert at["softmax"][0] - at["q·k"][0] > 25  # points: as wide as the longer of the two
        assert "output" in at


def test_a_full_disk_leaves_no_half_of_a_file(store_view, tmp_path, monkeypatch):
    good = store_view.save(tmp_path / "page.html")
    before = good.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(AttlasError, match=r"page\.html cannot be written: No space left on device"):
        store_view.save(good)
    with pytest.raises(AttlasError, match="No space left on device"):
        store_view.figure(tmp_path / "f.svg")
    assert good.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_the_models_figure_follows_order_names_and_colours(random_maps, atlas_of, tmp_path):
    rows = [("encoder", 0, head, "pattern", "zig", 0.75) for head in (0, 1)]
    rows += [("encoder", 1, 0, "pattern", "zag", 0.9), ("encoder", 1, 1, "pattern", "none", 1.0)]
    maps, atlas = random_maps(2, 2, 6), atlas_of(rows)
    made = view(
        list(maps), list("abcdef"), kind="model", colour="pattern", atlas=atlas, order="asked", asked=(2, 3)
    )
    weights = sorted(((maps[la, h, 2, 3], f"{la}.{h}") for la in (0, 1) for h in (0, 1)), reverse=True)
    labels = texts(made.figure(tmp_path / "all.svg"))
    captions = [text for text in labels if " · " in text and not text.startswith("attention")]
    assert captions == [f"{address} · {weight:.2g}" for weight, address in weights]
    assert labels[-3:] == ["zag", "zig", "none"]
    only = view(list(maps), list("abcdef"), kind="model", pattern="zig", atlas=atlas, order="layer")
    labels = texts(only.figure(tmp_path / "zig.svg"))
    assert "attention · order: layer, only pattern zig" in " ".join(labels)
    assert [text for text in labels if text in ("0.0", "0.1", "1.0", "1.1")] == ["0.0", "0.1"]
    colours = {name["name"]: name["light"] for name in made.scene["names"]}
    assert all(colour in (tmp_path / "all.svg").read_text() for colour in colours.values())


@pytest.mark.parametrize("kind", ["head", "matrix", "model"])
def test_tokens_of_any_characters_are_drawn_without_a_word(kind, tmp_path):
    """Warnings are errors here. What no font has stays text, and what no SVG may have is left out."""
    tokens = ["\N{PARROT}", "\u202e\u05e9", "\x1b[31m\x00"]
    even = np.full((1, 2, 3, 3), 1 / 3, np.float32)
    for ending in ("svg", "pdf", "png"):
        view([even], tokens, kind=kind).figure(tmp_path / f"x.{ending}")
    ElementTree.parse(tmp_path / "x.svg")
