"""Long documents: tiles of every head, rows of some, from tensors, from a model and from an atlas."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

import attlas
from attlas import view
from attlas.address import Head
from attlas.errors import AttlasError
from attlas.options.view_options import ViewOptions
from attlas.reducers import document
from attlas.tap import capture
from attlas.views import View, rows
from attlas.views.inputs import LayerMaps, Maps
from attlas.views.scene import build
from patience import begins, ends, expect, steady, turn_wheel, until

TEXT = "I went to the store. At the store, I bought fresh strawberries, and then I went home again."


@pytest.fixture
def short_is_long(monkeypatch):
    """Tiles from 9 tokens on, at most 8 on a side, and room for the rows of about one head."""
    monkeypatch.setattr(rows, "LONG", 8)
    monkeypatch.setattr(rows, "BUDGET", 100)
    monkeypatch.setattr(rows, "LONG_BUDGET", 800)
    monkeypatch.setattr("attlas.studies.surface.surface_study.LONG", 8)
    monkeypatch.setattr(document, "MOST_TILES", 8)


def array(made, section):
    kinds = {"u8": "<u1", "u16": "<u2", "u32": "<u4"}
    count = int(np.prod(section["shape"]))
    data = np.frombuffer(zlib.decompress(made.packed.data), kinds[section["type"]], count, section["at"])
    return data.reshape(section["shape"])


def shares_of(made, layer=0):
    """head row column: with what is on the first key, which travels apart."""
    tiles = made.scene["attentions"][0]["layers"][layer]["tiles"]
    shares = np.array(tiles["scale"])[:, None, None] * (array(made, tiles["shares"]) / 255.0) ** 2
    shares[..., 0] += array(made, tiles["first"]) / 65535
    return shares


def by_hand(weights: np.ndarray, size: int) -> np.ndarray:
    """head row column: the mean over a tile's queries of the weight on its keys, one tile at a time."""
    _, queries, keys = weights.shape
    return np.stack(
        [
            np.stack(
                [weights[:, q : q + size, k : k + size].sum(2).mean(1) for k in range(0, keys, size)],
                -1,
            )
            for q in range(0, queries, size)
        ],
        1,
    )


class TestWhatIsKept:
    def test_131072_tokens_of_64_heads_have_256_tiles_a_side_and_rows_of_two_heads(self):
        heads = [Head("decoder", layer, head) for layer in range(4) for head in range(16)]
        order = ViewOptions(layer=2, heads=[5]).first(heads)
        kept = rows.detail_that_fits(dict.fromkeys(heads, (131_072, 131_072)), order)
        assert (kept.size, kept.k) == (512, 8)
        assert kept.with_rows == {Head("decoder", 2, 5), Head("decoder", 2, 0)}

    def test_what_fits_as_rows_has_no_tiles(self):
        assert rows.detail_that_fits({Head("encoder", 0, 0): (8192, 8192)}, []) == rows.PageDetail(64)
        heads = {Head("encoder", i // 32, i % 32): (512, 512) for i in range(1152)}
        assert rows.detail_that_fits(heads, list(heads)) == rows.PageDetail(6)

    @pytest.mark.parametrize("heads", [1, 64, 144, 1152])
    @pytest.mark.parametrize("tokens", [1025, 5000, 131_072, 1_000_000])
    def test_tiles_of_all_heads_stay_within_their_budget(self, heads, tokens):
        side = -(-tokens // document.tile_size(tokens, heads))
        assert side <= document.MOST_TILES
        assert side * side * heads <= document.TILE_CELLS

    def test_rows_stay_within_their_budget(self):
        heads = [Head("decoder", 0, head) for head in range(64)]
        k, kept = document.rows_that_fit(heads, {"decoder": 131_072}, 56 << 20, 6)
        assert (k, len(kept)) == (8, 9)
        assert document.rows_that_fit(heads, {"decoder": 10**7}, 56 << 20, 6) == (8, [])

    @pytest.mark.parametrize("length", [16, 21])
    def test_tiles_are_means_over_queries_of_sums_over_keys(self, random_maps, length):
        weights = random_maps(1, 3, length)[0]
        tiles = rows.tiles(weights, 4)
        np.testing.assert_allclose(tiles.shares, by_hand(weights, 4), atol=1e-6)
        np.testing.assert_allclose(tiles.shares.sum(-1), 1, atol=1e-5)

    @pytest.mark.parametrize("length", [16, 21])
    def test_without_the_first_token_tiles_are_shares_of_what_is_put_elsewhere(self, random_maps, length):
        weights = random_maps(1, 3, length, causal=True)[0]
        tiles = rows.tiles(weights, 4)
        elsewhere = weights.copy()
        elsewhere[:, :, 0] = 0
        wanted = by_hand(elsewhere, 4)
        np.testing.assert_allclose(tiles.without_first(), wanted / wanted.sum(-1, keepdims=True), atol=1e-5)
        np.testing.assert_allclose(tiles.mean_first(length, True), weights[:, 1:, 0].mean(1), atol=1e-5)


@pytest.mark.usefixtures("short_is_long")
class TestFromTensors:
    def test_every_head_has_tiles_and_the_chosen_one_has_rows(self, random_maps):
        maps = random_maps(2, 2, 21)
        made = view(list(maps), [f"t{i}" for i in range(21)], kind="matrix", layer=1, heads=[1])
        layers = made.scene["attentions"][0]["layers"]
        assert [layer["with_rows"] for layer in layers] == [[], [1]]
        assert {layer["tiles"]["size"] for layer in layers} == {4}
        for i in range(2):
            np.testing.assert_allclose(shares_of(made, i), by_hand(maps[i], 4), atol=0.005)
        k = layers[1]["weights"]["shape"][2]
        assert made.scene["notes"] == [
            f"Long input: from afar, tiles of 4 x 4 tokens; rows of 1.1 keep their {k} strongest weights. "
            "The other heads have tiles only: layer and heads, or include_layers and include_heads, "
            "choose whose rows are kept."
        ]

    def test_fewer_heads_keep_rows_of_all(self, random_maps):
        made = view(list(random_maps(2, 2, 21)), ["t"] * 21, include_layers=[1], include_heads=[0])
        assert made.scene["attentions"][0]["layers"][0]["with_rows"] == [0]
        assert "each row keeps its" in made.scene["notes"][0]

    @pytest.mark.parametrize("causal", [True, False])
    def test_causal_is_read_from_tiles_where_rows_are_missing(self, random_maps, causal):
        maps = list(random_maps(2, 2, 20, causal=causal))
        made = view(decoder_attention=maps, decoder_tokens=["t"] * 20)
        assert made.scene["attentions"][0]["causal"] is causal

    def test_the_first_token_is_left_out_where_it_takes_most(self, random_maps):
        even = random_maps(1, 2, 20, causal=True)
        tokens = [f"t{i}" for i in range(20)]
        assert not view(decoder_attention=list(even), decoder_tokens=tokens).selection["without_first"]
        sink = 0.1 * even
        sink[..., 0] += 0.9
        assert view(decoder_attention=list(sink), decoder_tokens=tokens).selection["without_first"]

    def test_scores_have_no_first_token_to_leave_out(self, random_maps):
        scores = list(random_maps(1, 2, 20) - 0.5)
        made = view(scores, [f"t{i}" for i in range(20)], check=False)
        assert "first" not in made.scene["attentions"][0]["layers"][0]["tiles"]

    def test_words_and_sentences_are_left_out(self, random_maps):
        tokens = ["straw", "##berries"] * 10
        side = view(list(random_maps(1, 2, 20)), tokens, sentence_b_start=10).scene["sides"]["encoder"]
        assert side == {
            "tokens": tokens,
            "words": [],
            "gaps": "--" + "s-" * 9,
            "b_start": None,
            "generated": None,
            "probabilities": [],
        }


@pytest.mark.usefixtures("short_is_long")
class TestFromAModel:
    @pytest.mark.parametrize("name", ["llama", "mpnet"])
    def test_tiles_and_rows_are_those_of_the_whole_maps(self, subject_of, name):
        subject = subject_of(name)
        made = view(subject, TEXT, kind="matrix", layer=1, heads=[2])
        whole = [captured.weights.numpy() for captured in capture(subject, subject.encode(TEXT))]
        for i, weights in enumerate(whole):
            np.testing.assert_allclose(shares_of(made, i), by_hand(weights, 4), atol=0.005)
        layer = made.maps[0].layers[1]
        assert layer.with_rows == [2]
        expected = rows.strongest(whole[1][[2]], layer.weights.columns.shape[2])
        np.testing.assert_allclose(layer.weights.weights, expected.weights, atol=1e-5)
        np.testing.assert_allclose(layer.weights.rest, expected.rest, atol=1e-5)

    def test_heads_can_still_be_ordered_by_what_they_do(self, subject_of):
        subject = subject_of("llama")
        made = view(subject, TEXT, kind="model")
        weights = capture(subject, subject.encode(TEXT))[0].weights.numpy()
        values = next(s["values"] for s in made.scene["statistics"] if s["name"] == "previous (this text)")
        expected = [np.diagonal(m, -1).mean() for m in weights]
        assert [value for *_, value in values[:4]] == pytest.approx(expected, abs=1e-4)

    def test_neurons_are_refused_in_a_line(self, subject_of):
        with pytest.raises(AttlasError, match=r"\d+ tokens are too many for the neuron view: choose the mat"):
            view(subject_of("llama"), TEXT, kind="neuron")

    def test_figures_are_drawn_from_tiles_or_say_why_not(self, subject_of, tmp_path):
        for kind in ("matrix", "model"):
            file = view(subject_of("llama"), TEXT, kind=kind).figure(tmp_path / f"{kind}.png")
            with Image.open(file) as image:
                assert image.width > 200
        with pytest.raises(AttlasError, match="too many for links in a figure: choose the matrix view"):
            view(subject_of("llama"), TEXT).figure(tmp_path / "head.png")


@pytest.fixture
def mapped(short_is_long, subject_of, tmp_path, monkeypatch) -> attlas.Atlas:
    monkeypatch.setattr("attlas.reducers.document.STORED_ROWS", 3 * 24 * 8 * 6)  # rows of about three heads
    return attlas.map(
        subject_of("llama"), atlas=tmp_path / "long.attlas", segments=4, length=24, sample=0, progress=False
    )


class TestFromAnAtlas:
    def test_map_keeps_the_longest_segment(self, mapped, subject_of):
        subject = subject_of("llama")
        about = mapped.about()["document"]
        tokens = list(mapped.tokens[f"{mapped.chapters[0]}/document.decoder"])
        assert len(tokens) == about["tokens"] == 24
        ids = subject.tokenizer.convert_tokens_to_ids(tokens)
        batch = subject.annotate({"input_ids": subject.model.dummy_inputs["input_ids"].new_tensor([ids])})
        whole = np.concatenate([captured.weights.numpy() for captured in capture(subject, batch)])
        tiles = mapped.arrays[f"{mapped.chapters[0]}/decoder.tiles"]
        assert tiles.dtype == np.float16
        np.testing.assert_allclose(tiles, by_hand(whole, about["tile"]), atol=0.002)
        heads = [tuple(row) for row in mapped.arrays[f"{mapped.chapters[0]}/decoder.heads"].tolist()]
        kept = [tuple(row) for row in mapped.arrays[f"{mapped.chapters[0]}/decoder.strongest_heads"].tolist()]
        entropy = {at: mapped.grid("entropy", "all")[at] for at in heads}
        assert kept == sorted(heads, key=entropy.__getitem__)[:3]
        for i, head in enumerate(kept):
            weights = np.take_along_axis(
                whole[heads.index(head)],
                mapped.arrays[f"{mapped.chapters[0]}/decoder.strongest_keys"][i].astype(int),
                -1,
            )
            np.testing.assert_allclose(
                mapped.arrays[f"{mapped.chapters[0]}/decoder.strongest_weights"][i], weights, atol=0.001
            )

    def test_two_runs_keep_the_same_bytes(self, mapped, subject_of, tmp_path):
        again = attlas.map(
            subject_of("llama"),
            atlas=tmp_path / "again.attlas",
            segments=4,
            length=24,
            sample=0,
            progress=False,
        )
        for name in ("arrays.safetensors", "heads.parquet", "tokens.parquet"):
            assert (again.path / name).read_bytes() == (mapped.path / name).read_bytes()

    def test_short_segments_are_not_kept(self, mini, tmp_path):
        atlas = attlas.map(mini, atlas=tmp_path / "a.attlas", segments=2, length=16, sample=0, progress=False)
        assert "document" not in atlas.about()
        with pytest.raises(AttlasError, match=r"a\.attlas keeps no document to view: .* more than 1,024 tok"):
            view(atlas.path, kind="matrix")

    @pytest.mark.parametrize("how", ["path", "itself"])
    def test_it_is_viewed_without_a_model(self, mapped, monkeypatch, how):
        monkeypatch.setattr("attlas.subject.load", None)
        made = view(mapped.path if how == "path" else mapped, kind="matrix")
        selection = made.scene["selection"]
        first = tuple(mapped.arrays[f"{mapped.chapters[0]}/decoder.strongest_heads"][0].tolist())
        assert (selection["layer"], *selection["heads"]) == first  # one that has rows
        assert made.scene["title"] == "llama"
        assert len(made.scene["sides"]["decoder"]["tokens"]) == 24
        np.testing.assert_allclose(
            shares_of(made), mapped.arrays[f"{mapped.chapters[0]}/decoder.tiles"][:4], atol=0.005
        )
        assert "to the previous token" in [statistic["name"] for statistic in made.scene["statistics"]]
        with_rows = [(x["layer"], h) for x in made.scene["attentions"][0]["layers"] for h in x["with_rows"]]
        assert first in with_rows

    def test_an_encoder_decoder_has_all_three_kinds(self, short_is_long, subject_of, tmp_path):
        atlas = attlas.map(
            subject_of("t5"), atlas=tmp_path / "t5.attlas", segments=2, length=20, sample=0, progress=False
        )
        made = view(atlas, kind="matrix", attention="cross")
        shown = {maps["attention"]: maps for maps in made.scene["attentions"]}
        assert list(shown) == ["encoder", "decoder", "cross"]
        assert (shown["encoder"]["causal"], shown["decoder"]["causal"]) == (False, True)

    def test_a_text_beside_it_and_heads_it_lacks_are_refused(self, mapped):
        with pytest.raises(AttlasError, match="holds a document of its own: leave the text out"):
            view(mapped, TEXT)
        with pytest.raises(AttlasError, match="none of the layers and heads asked for"):
            view(mapped, include_layers=[9])
        with pytest.raises(AttlasError, match="neuron view needs queries and keys"):
            view(mapped, kind="neuron")

    @pytest.mark.parametrize(
        ("name", "change", "wrong"),
        [
            ("heads", lambda x: x + 77, "decoder.heads are not the heads of the atlas"),
            ("tiles", lambda x: x[:, :3], "decoder.tiles has shape"),
            ("tiles", lambda x: x * np.float16(np.nan), "decoder.tiles has shares that are not within 0 and"),
            ("tiles", lambda x: -x, "decoder.tiles has shares that are not within 0 and 1"),
            ("tiles_first", lambda x: x[:, :3], "decoder.tiles_first has shape"),
            ("tiles_first", lambda x: -x, "decoder.tiles_first has shares that are not within 0 and 1"),
            ("strongest_heads", lambda x: x * 0, "strongest_heads are not heads of the atlas, each once"),
            ("strongest_keys", lambda x: x + 24, "decoder.strongest_keys has keys outside its 24 tokens"),
            ("strongest_keys", lambda x: x - 24, "decoder.strongest_keys has keys outside its 24 tokens"),
            ("strongest_keys", lambda x: x[:, :5], "decoder.strongest_keys has shape"),
            ("strongest_weights", lambda x: x[..., :2], "decoder.strongest_weights has shape"),
            ("strongest_weights", lambda x: x * np.float16(np.nan), "strongest_weights has shares that are"),
        ],
    )
    def test_a_damaged_document_is_refused_in_a_line(self, mapped, name, change, wrong):
        key = f"{mapped.chapters[0]}/decoder.{name}"
        arrays = {**mapped.arrays, key: change(mapped.arrays[key])}
        with pytest.raises(AttlasError, match=rf"document in .*long\.attlas is damaged: .*{wrong}.*; map it"):
            view(replace(mapped, arrays=arrays), kind="matrix")

    def test_a_document_of_other_tokens_is_refused(self, mapped):
        key = f"{mapped.chapters[0]}/document.decoder"
        for tokens, wrong in (
            (["a"] * 10, "it has 10 tokens, and 24"),
            (["a"] * 48, "it has 48 tokens, and 24"),
        ):
            with pytest.raises(
                AttlasError, match=rf"long\.attlas is damaged: {wrong} by the manifest; map it"
            ):
                view(replace(mapped, tokens={**mapped.tokens, key: tokens}), kind="matrix")
        without = {name: tokens for name, tokens in mapped.tokens.items() if name != key}
        with pytest.raises(AttlasError, match=r"document\.decoder are missing; map it"):
            view(replace(mapped, tokens=without), kind="matrix")

    def test_a_document_without_its_arrays_or_its_tile_is_refused(self, mapped):
        for name in ("heads", "tiles", "strongest_heads", "strongest_keys", "strongest_weights"):
            arrays = {
                key: array for key, array in mapped.arrays.items() if not key.endswith(f"/decoder.{name}")
            }
            with pytest.raises(AttlasError, match=rf"damaged: decoder\.{name} is missing; map it again"):
                view(replace(mapped, arrays=arrays))
        for tile in (0, -1, 7, "x", None, 1e9):
            about = {**mapped.about(), "document": {**mapped.about()["document"], "tile": tile}}
            with pytest.raises(AttlasError, match=f"tiles of {tile!r} tokens, no power of two; map it again"):
                view(replace(mapped, manifest={**mapped.manifest, "chapters": {mapped.chapters[0]: about}}))
        chapters = {mapped.chapters[0]: {"document": None}}
        with pytest.raises(AttlasError, match="the manifest does not describe it"):
            view(replace(mapped, manifest={**mapped.manifest, "chapters": chapters}))
        with pytest.raises(AttlasError, match="the manifest names no model"):
            view(replace(mapped, manifest={**mapped.manifest, "model": {}}))

    def test_in_the_terminal(self, mapped, tmp_path):
        out = tmp_path / "page.html"
        code = "import sys; from attlas.cli import main; main(sys.argv[1:])"
        arguments = ["view", str(mapped.path), "--kind", "matrix", "--page", str(out)]
        ran = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        assert "llama · Attlas" in out.read_text()


@pytest.fixture(scope="module")
def previous() -> View:
    """1,500 tokens and six heads of which two have rows: previous token; first token; the others even."""
    n = 1500
    weights = np.zeros((6, n, n), np.float32)
    weights[0, np.arange(n), np.maximum(np.arange(n) - 1, 0)] = 1
    weights[1, :, 0] = 1
    weights[2:] = np.tri(n) / np.arange(1, n + 1)[:, None]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "BUDGET", 10_000)
        patch.setattr(rows, "LONG_BUDGET", 2 * n * 27)
        return view(decoder_attention=[weights], decoder_tokens=[f"t{i}" for i in range(n)], kind="matrix")


class TestInTheBrowser:
    def middle(self, page):
        box = steady(page, page.get_by_role("application").bounding_box)
        return box["x"] + box["width"] / 2, box["y"] + 96 + (box["height"] - 104) / 2

    def zoom_in(self, page):
        turn_wheel(page, self.middle(page), 16)

    def says(self, page, words):
        """Waits until the status line has these words, and gives the places of both tokens."""
        status = page.get_by_role("status")
        expect(status).to_contain_text(words, use_inner_text=True)
        return [int(place) for place in re.findall(r"\((\d+)\)", steady(page, status.inner_text))[:2]]

    def test_from_afar_tiles_and_from_near_every_token(self, show, previous):
        page = show(previous)
        level = page.locator("[data-level]")
        expect(level).to_have_text("each tile: share of attention, 8 × 8 tokens", use_inner_text=True)
        page.mouse.move(*self.middle(page))
        self.says(page, re.compile(r"^t7\d\d \(7\d\d\) → t\d+ .* tile 7\d\d to 7\d\d → \d+ to \d+: "))
        self.zoom_in(page)
        expect(level).to_have_text("every token", use_inner_text=True)
        page.get_by_role("button", name="Fit").click()
        expect(level).to_have_text("each tile: share of attention, 8 × 8 tokens", use_inner_text=True)

    def test_a_tile_and_a_cell_tell_their_shares(self, show, previous):
        page = show(previous)
        page.get_by_role("application").focus()
        page.keyboard.press("ArrowDown")  # a tile, from afar
        self.says(page, "tile 8 to 15 → 0 to 7: 0.12")  # one of eight queries looks back into it
        page.keyboard.press("ArrowRight")
        self.says(page, "tile 8 to 15 → 8 to 15: 0.88")

    def test_enter_goes_to_what_a_token_attends_to_most(self, show, previous):
        page = show(previous)
        page.mouse.move(*self.middle(page))
        self.zoom_in(page)
        expect(page.locator("[data-level]")).to_have_text("every token", use_inner_text=True)
        row, _ = self.says(page, "→")
        page.get_by_role("application").focus()
        page.keyboard.press("Enter")
        self.says(page, begins(f"t{row} ({row}) → t{row - 1} ({row - 1}): 1.00"))
        page.get_by_role("button", name="Head 0.1", exact=True).click()
        page.get_by_role("application", name="Map of head 0.1:").wait_for()
        page.mouse.move(*self.middle(page))
        row, _ = self.says(page, "→")
        page.get_by_role("application").focus()
        page.keyboard.press("Enter")
        self.says(page, begins(f"t{row} ({row}) → t0 (0): 1.00"))

    def test_a_head_without_rows_has_tiles_only_and_says_so(self, show, previous):
        page = show(previous)
        head = page.get_by_role("button", name="Head 0.2", exact=True)
        expect(head).to_have_attribute("title", "Head 0.2: broad on this text (tiles only)")
        head.click()
        page.mouse.move(*self.middle(page))
        self.zoom_in(page)
        expect(page.locator("[data-level]")).to_have_text(
            ends("; no rows of this head are kept"), use_inner_text=True
        )
        self.says(page, re.compile(r"^t\d+ \(\d+\) → t\d+ \(\d+\) · tile .*: 0\.\d+$"))
        page.get_by_role("tab", name="Heads").click()
        expect(page.locator(".tiles-only")).to_contain_text("only tiles are kept", use_inner_text=True)
        page.get_by_role("button", name="Open in matrix view").click()
        expect(page.get_by_role("tab", name="Matrix")).to_have_attribute("aria-selected", "true")

    def test_the_first_token_can_be_left_out(self, show, previous):
        page = show(previous)
        page.get_by_role("button", name="Head 0.1", exact=True).click()  # all on the first token
        page.get_by_role("application").focus()
        page.keyboard.press("ArrowDown")
        self.says(page, "tile 8 to 15 → 0 to 7: 1.00")
        page.get_by_label("Without first token").check()
        page.get_by_role("application").focus()
        page.keyboard.press("ArrowDown")
        self.says(page, re.compile(r"→ 0 to 7: 0(?!\.\d*[1-9])"))
        expect(page.locator("[data-level]")).to_have_text(
            begins("first column, grey: the first token's"), use_inner_text=True
        )
        head = page.get_by_role("button", name="Head 0.1", exact=True)
        expect(head.locator("small")).to_have_text("100%", use_inner_text=True)
        page.get_by_role("tab", name="Model").click()
        broad = page.get_by_role("button", name=re.compile("Head 0.2"))  # tiles only
        expect(broad).to_have_attribute("title", re.compile(r"\d% on the first token, left out"))

    def test_the_overview_moves_the_map(self, show, previous):
        page = show(previous)
        self.zoom_in(page)
        expect(page.locator("[data-level]")).to_have_text("every token", use_inner_text=True)
        box = steady(page, page.get_by_role("application").bounding_box)
        page.mouse.click(box["x"] + 8 + 2, box["y"] + 6 + 80)  # the lower left corner
        page.mouse.move(*self.middle(page))
        row, column = self.says(page, re.compile(r"^t1[45]\d\d \("))
        assert row > 1400
        assert column < 200

    def test_the_model_view_shows_tiles(self, show, previous):
        page = show(previous)
        page.get_by_role("tab", name="Model").click()
        colours = """() => { const c = document.querySelector('.grid canvas'), d = c.getContext('2d');
            return new Set(new Uint32Array(d.getImageData(0, 0, c.width, c.height).data.buffer)).size }"""
        until(page, lambda: page.evaluate(colours), lambda count: count > 10)
        page.get_by_role("button", name="Head 0.2", exact=True).click()
        expect(page.locator(".detail .tiles-only")).to_be_visible()

    @pytest.mark.parametrize("near", [False, True])
    def test_the_picture_is_saved(self, show, previous, near, tmp_path):
        page = show(previous)
        if near:
            self.zoom_in(page)
            expect(page.locator("[data-level]")).to_have_text("every token", use_inner_text=True)
            self.says(page, "→")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save SVG").click()
        saved.value.save_as(tmp_path / "out.svg")
        drawn = (tmp_path / "out.svg").read_text()
        assert ("<image" in drawn) is not near
        assert (">t7" if near else ">1,024<") in drawn

    def test_131072_tokens_open_and_are_read_at_both_ends(self, show):
        n = 131_072
        places = np.arange(n)
        keys = np.stack([np.maximum(places - 1, 0), places // 2], 1)[None].astype(np.int32)
        weights = np.broadcast_to(np.float32([0.75, 0.2]), (1, n, 2))
        tiles = rows.TiledMaps(np.broadcast_to(np.eye(256, dtype=np.float32), (2, 256, 256)), 512)
        layer = LayerMaps(0, [0, 1], rows.Strongest.of(keys, weights, n), {}, tiles=tiles, with_rows=[0])
        maps = [Maps("decoder", [layer])]
        tokens = {"decoder": [f"t{i}" for i in range(n)]}
        page = show(View(build(maps, tokens, ViewOptions("matrix")), maps))
        expect(page.get_by_role("application", name="131072 by 131072 tokens")).to_be_visible()
        page.get_by_role("application").focus()
        for _ in range(255):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        self.says(page, begins("t130560 (130560) → t130559 (130559): 0.75"))
        for _ in range(40):
            page.keyboard.press("+")
        expect(page.locator("[data-level]")).to_have_text("every token", use_inner_text=True)
        page.keyboard.press("ArrowLeft")
        self.says(page, "among the rest of 0.05")
        page.get_by_role("tab", name="Heads").click()
        until(page, lambda: page.locator(".token").count(), lambda count: count < 300)
