"""The model, neuron and matrix views in a real browser."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from PIL import Image

from attlas import view
from attlas.tap import capture
from patience import begins, expect, steady, turn_wheel, until

TEXT = "I went to the store."


def painted(page, box, selector):
    """Whether anything is drawn on the canvas inside a box of the screen."""
    return page.evaluate(
        """([selector, x, y, w, h]) => { const c = document.querySelector(selector);
        const r = c.getBoundingClientRect(), s = c.width / r.width;
        const d = c.getContext('2d').getImageData((x - r.x) * s, (y - r.y) * s, w * s, h * s).data;
        let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i] > 0) n++; return n; }""",
        [selector, box["x"] + 2, box["y"] + 2, box["width"] - 4, box["height"] - 4],
    )


def is_drawn(page, head, pixels):
    """Waits until more than so many pixels of a head's square are drawn on."""
    until(page, lambda: painted(page, head.bounding_box(), ".grid canvas"), lambda size: size > pixels)


def colour_at(page, x, y):
    """The colour of a point of the screen, as #rrggbb."""
    shot = page.screenshot(clip={"x": x, "y": y, "width": 1, "height": 1})
    return "#{:02x}{:02x}{:02x}".format(*Image.open(io.BytesIO(shot)).convert("RGB").getpixel((0, 0)))


def labels(page):
    """The name of every head in the grid, in its order."""
    return heads(page).evaluate_all("heads => heads.map(head => head.ariaLabel)")


def heads(page):
    return page.get_by_role("group", name="Heads").get_by_role("button", name=re.compile("^Head "))


class TestModelView:
    def test_every_head_of_every_layer_has_a_thumbnail(self, show, bert, store_tokens):
        page = show(view(list(bert), store_tokens, kind="model"))
        expect(heads(page)).to_have_count(144)
        for name in ("Head 0.0", "Head 3.11"):
            head = page.get_by_role("button", name=name, exact=True)
            head.scroll_into_view_if_needed()
            is_drawn(page, head, 20)

    def test_a_click_opens_the_head_beside_another_moves_it_and_again_closes_it(
        self, show, bert, store_tokens
    ):
        page = show(view(list(bert), store_tokens, kind="model"))
        page.get_by_role("button", name="Head 2.0", exact=True).click()
        detail = page.get_by_role("region", name="Layer 2, head 0")
        expect(detail).to_be_visible()
        detail.locator('[data-end="query"][data-index="15"]').hover()
        written = detail.locator('[data-weight-of="key"]')
        expect(written).to_have_text(["1.00"], use_inner_text=True)
        detail.locator('[data-end="key"][data-index="16"]').hover()
        expect(detail.locator('[data-weight-of="query"][data-index="15"]')).to_have_text(
            "1.00", use_inner_text=True
        )
        page.get_by_role("button", name="Head 7.3", exact=True).click()
        expect(page.get_by_role("region", name="Layer 7, head 3")).to_be_visible()
        expect(detail).not_to_be_visible()
        page.get_by_role("button", name="Head 7.3", exact=True).click()
        expect(page.locator(".detail")).to_have_count(0)

    def test_the_opened_head_goes_on_into_the_head_view(self, show, bert, store_tokens):
        page = show(view(list(bert), store_tokens, kind="model"))
        page.get_by_role("button", name="Head 4.6", exact=True).click()
        page.get_by_role("button", name="Open in head view").click()
        expect(page.get_by_role("combobox", name="Layer", exact=True)).to_have_value("4")
        expect(page.get_by_role("button", name="Head 4.6", exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )

    def test_heads_are_ordered_by_a_statistic(self, show, bert, store_tokens):
        page = show(view(list(bert), store_tokens, kind="model"))
        page.get_by_role("combobox", name="Order", exact=True).select_option("next (this text)")
        after = np.diagonal(bert, 1, 2, 3).mean(-1)
        layer, head = np.unravel_index(after.argmax(), after.shape)
        first = begins(f"Head {layer}.{head} · {after.max():.2g}")
        expect(heads(page).first).to_have_attribute("aria-label", first)
        page.get_by_role("combobox", name="Order", exact=True).select_option("by layer")
        expect(heads(page).first).to_have_attribute("aria-label", "Head 0.0")

    def test_an_atlas_orders_and_filters_heads(self, show, bert, store_tokens, atlas_of):
        rows = [("encoder", 2, 0, "to_next", "", 0.9), ("encoder", 5, 1, "to_next", "", 0.95)]
        rows += [("encoder", 2, 0, "behaviour", "mine", 1.0)]
        page = show(view(list(bert), store_tokens, kind="model", atlas=atlas_of(rows)))
        page.get_by_role("combobox", name="Order", exact=True).select_option("to the next token")
        first = ["Head 5.1 · 0.95", "Head 2.0 · 0.90, behaviour mine (1.00)"]
        until(page, lambda: labels(page)[:2], first)
        page.get_by_role("combobox", name="Behaviour", exact=True).select_option("mine")
        expect(heads(page)).to_have_count(1)

    @pytest.mark.parametrize("length", [19, 120])
    def test_heads_are_coloured_and_filtered_by_each_kind_of_name(self, show, random_maps, atlas_of, length):
        rows = [("encoder", 0, 0, "behaviour", "wide", 0.5)]
        rows += [("encoder", 0, head, "pattern", "zig", 0.75) for head in (0, 1)]
        rows += [("encoder", 1, 0, "pattern", "zag", 0.9), ("encoder", 1, 1, "pattern", "none", 1.0)]
        rows += [("encoder", 1, 0, "second_pattern", "zig", 0.25)]
        rows += [("encoder", 1, head, "shape", "tall", 0.6) for head in (0, 1)]
        inputs = list(random_maps(2, 2, length)), [f"t{i}" for i in range(length)]
        made = view(*inputs, kind="model", colour="pattern", atlas=atlas_of(rows))
        page = show(made)
        colours = {name["name"]: name["light"] for name in made.scene["names"]}
        for head, name in (("0.1", "zig"), ("1.0", "zag"), ("1.1", "none")):
            box = page.get_by_role("button", name=f"Head {head}").bounding_box()
            at = box["x"] - 1, box["y"] + box["height"] / 2
            until(page, lambda at=at: colour_at(page, *at), colours[name])
        legend = page.get_by_role("group", name="Heads by pattern")
        expect(legend.get_by_role("button")).to_have_text(["zag 1", "zig 2", "none 1"])
        legend.get_by_role("button", name="zig 2").click()
        zig = ["Head 0.0, behaviour wide (0.50), pattern zig (0.75)", "Head 0.1, pattern zig (0.75)"]
        until(page, lambda: labels(page), zig)
        page.get_by_role("combobox", name="Shape", exact=True).select_option("tall")
        expect(page.get_by_text("No head has the pattern zig and the shape tall.")).to_be_visible()
        legend.get_by_role("button", name="zig 2").click()
        expect(heads(page)).to_have_count(2)
        page.get_by_role("button", name="Head 1.0").click()
        detail = page.get_by_role("region", name="Layer 1, head 0")
        expect(detail.get_by_text("zag 0.90, then zig 0.25")).to_be_visible()
        page.get_by_role("combobox", name="Colour", exact=True).select_option("by head")
        expect(legend).to_have_count(0)
        chosen = ("shape=%22tall%22", "colour=%22head%22")
        until(page, lambda: page.url, lambda url: all(name in url for name in chosen))

    def test_1152_heads_are_all_there_and_the_last_is_drawn(self, show, random_maps):
        page = show(
            view(list(random_maps(36, 32, 16)), [f"t{i}" for i in range(16)], kind="model"), width=1440
        )
        expect(heads(page)).to_have_count(1152)
        last = page.get_by_role("button", name="Head 35.31", exact=True)
        last.scroll_into_view_if_needed()
        # small pictures are painted a few at a time
        is_drawn(page, last, 20)

    def test_arrow_keys_move_over_the_grid(self, show, bert, store_tokens):
        page = show(view(list(bert), store_tokens, kind="model"))
        page.get_by_role("button", name="Head 0.0", exact=True).focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        until(page, lambda: page.evaluate("document.activeElement.getAttribute('aria-label')"), "Head 1.1")
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name="Layer 1, head 1")).to_be_visible()

    def test_long_inputs_are_drawn_as_small_maps(self, show, random_maps):
        page = show(view(list(random_maps(2, 2, 300)), [f"t{i}" for i in range(300)], kind="model"))
        is_drawn(page, heads(page).first, 1000)


class TestNeuronView:
    @pytest.mark.parametrize("name", ["mini", "llama"])
    def test_dot_products_and_softmax_of_the_chosen_token(self, show, subject_of, name):
        subject = subject_of(name)
        seen = capture(subject, subject.encode(TEXT), vectors=True)[1]
        page = show(view(subject, TEXT, kind="neuron", layer=1, heads=[2]))
        page.get_by_role("radio").nth(5).click()
        page.mouse.move(2, 2)
        dots = (seen.key[2] @ seen.query[2, 5] * seen.scaling).tolist()
        weights = seen.weights[2, 5].tolist()
        read = "rows => rows.map(row => [...row.querySelectorAll('[role=cell]')].map(cell => cell.innerText))"

        def right(shown):
            count = 6 if name == "llama" else len(weights)
            assert all(cells == [] for cells in shown[count:])
            cells_of_rows = [
                [float(text.replace("−", "-").strip("<")) for text in cells[:2]] for cells in shown[:count]
            ]
            return len(shown) == len(weights) and all(
                dot == pytest.approx(dots[key], abs=0.02) and share == pytest.approx(weights[key], abs=0.006)
                for key, (dot, share) in enumerate(cells_of_rows)
            )

        until(page, lambda: page.locator("[data-key]").evaluate_all(read), right)

    def test_a_cell_tells_its_numbers_and_the_values_are_there(self, show, mini):
        seen = capture(mini, mini.encode(TEXT), vectors=True)[0]
        page = show(view(mini, TEXT, kind="neuron", heads=[0]))
        page.get_by_role("radio").nth(3).click()
        row = page.locator('[data-key="2"] [role=rowheader]').bounding_box()
        title = page.get_by_text("Key k", exact=True).bounding_box()
        page.mouse.move(title["x"] + 2, row["y"] + 12)
        said = page.get_by_role("status")
        expect(said).to_have_text(begins("Dimension 0, to → went"), use_inner_text=True)
        status = said.inner_text().replace("−", "-")
        q, k, v = (float(t[0, i, 0]) for t, i in ((seen.query, 3), (seen.key, 2), (seen.value, 2)))
        numbers = [float(n) for n in re.findall(r"-?\d+\.\d+", status)]
        assert numbers == pytest.approx([q, k, q * k, v], abs=0.002)
        canvas = ".surface .content > canvas"
        for name in ("Key k", "q × k", "Value v"):
            box = page.get_by_text(name, exact=True).bounding_box()
            cell = {"x": box["x"], "y": row["y"], "width": 40, "height": 24}
            until(page, lambda cell=cell: painted(page, cell, canvas), lambda pixels: pixels > 100)

    def test_pointing_previews_another_token_and_arrows_choose_it(self, show, mini):
        page = show(view(mini, TEXT, kind="neuron"))
        shares = page.locator("[data-key] .softmax")
        first = until(page, shares.all_inner_texts, bool)
        page.get_by_role("radio").nth(4).hover()
        until(page, shares.all_inner_texts, lambda texts: texts != first)
        page.mouse.move(2, 2)
        expect(shares).to_have_text(first, use_inner_text=True)
        page.get_by_role("radio").nth(1).focus()
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("radio").nth(2)).to_have_attribute("aria-checked", "true")

    def test_head_and_layer_are_chosen(self, show, mini):
        page = show(view(mini, TEXT, kind="neuron"))
        page.get_by_role("combobox", name="Layer", exact=True).select_option("4")
        page.get_by_role("button", name="Head 4.7", exact=True).click()
        expect(page.get_by_role("table", name="Query against keys, head 4.7")).to_have_count(1)

    def test_without_vectors_there_is_no_such_view(self, show, store_view):
        page = show(store_view)
        expect(page.get_by_role("tab")).to_have_text(
            ["Heads", "Model", "Text", "Matrix"], use_inner_text=True
        )


class TestMatrixView:
    def cell(self, page, row, column, rows, columns):
        """The middle of a cell on the screen, while all of the map is seen."""
        box = steady(page, page.get_by_role("application").bounding_box)
        size = min(48, (box["width"] - 128) / columns, (box["height"] - 104) / rows)
        left = 120 + max(0, (box["width"] - 128 - columns * size) / 2)
        return box["x"] + left + (column + 0.5) * size, box["y"] + 96 + (row + 0.5) * size

    def test_a_cell_tells_its_weight(self, show, bert, store_tokens):
        page = show(view(list(bert), store_tokens, kind="matrix", layer=2, heads=[1]))
        page.mouse.move(*self.cell(page, 15, 16, 19, 19))
        said = f"straw (15) → ##berries (16): {bert[2, 1, 15, 16]:.2f}"
        expect(page.get_by_role("status")).to_have_text(said, use_inner_text=True)

    def test_keys_move_and_zoom(self, show, bert, store_tokens):
        page = show(view(list(bert), store_tokens, kind="matrix", layer=2, heads=[0]))
        page.get_by_role("application").focus()
        for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        expect(page.get_by_role("status")).to_have_text(begins("went (2) → to (3)"), use_inner_text=True)

    def test_8192_tokens_are_seen_from_afar_and_from_near(self, show):
        n = 8192
        weights = np.zeros((1, n, n), np.float32)
        weights[0, np.arange(n), np.maximum(np.arange(n) - 1, 0)] = 1  # previous token
        page = show(view([weights], [f"t{i}" for i in range(n)], kind="matrix"))
        level = page.locator("[data-level]")
        expect(level).to_have_text(re.compile(r"each pixel: strongest of (8|16|32) × \1 tokens"))
        at = self.cell(page, 4000, 3999, n, n)
        turn_wheel(page, at, 14)
        expect(level).to_have_text("every token", use_inner_text=True)
        page.mouse.move(*at)
        status = steady(page, page.get_by_role("status").inner_text)
        row = int(re.search(r"\((\d+)\) →", status)[1])
        assert abs(row - 4000) < 40  # from afar a pixel is a dozen tokens
        # along the diagonal the weight is 1, wherever the map was moved to
        page.get_by_role("application").focus()
        column = int(re.search(r"→ t\d+ \((\d+)\)", status)[1])
        for _ in range(abs(row - 1 - column)):
            page.keyboard.press("ArrowRight" if row - 1 > column else "ArrowLeft")
        expect(page.get_by_role("status")).to_have_text(
            f"t{row} ({row}) → t{row - 1} ({row - 1}): 1.00", use_inner_text=True
        )
        page.get_by_role("button", name="Fit").click()
        expect(level).to_contain_text("strongest of", use_inner_text=True)

    def test_dragging_moves_the_map(self, show, random_maps):
        page = show(view(list(random_maps(1, 1, 400)), [f"t{i}" for i in range(400)], kind="matrix"))
        for _ in range(6):
            page.get_by_role("button", name="Zoom in").click()
        box = steady(page, page.get_by_role("application").bounding_box)
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(*middle)
        status = page.get_by_role("status")
        expect(status).to_have_text(re.compile(r"\(\d+\) → "), use_inner_text=True)
        start = [int(place) for place in re.findall(r"\((\d+)\)", steady(page, status.inner_text))]
        page.mouse.down()
        page.mouse.move(middle[0] - 90, middle[1] - 60, steps=4)
        page.mouse.up()
        page.mouse.move(*middle)

        def moved(text):
            end = [int(place) for place in re.findall(r"\((\d+)\)", text)]
            return len(end) == 2 and end[0] > start[0] and end[1] > start[1]

        until(page, status.inner_text, moved)

    def test_two_fingers_zoom(self, show, random_maps):
        maps = list(random_maps(1, 1, 900))
        page = show(
            view(maps, [f"t{i}" for i in range(900)], kind="matrix"), has_touch=True, width=390, height=800
        )
        expect(page.locator("[data-level]")).to_contain_text("strongest of")
        box = steady(page, page.get_by_role("application").bounding_box)
        x, y = box["x"] + 220, box["y"] + 220
        touch = page.context.new_cdp_session(page)

        def fingers(kind, apart):
            points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}] if apart else []
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        fingers("touchStart", 10)
        for apart in range(15, 105, 10):
            fingers("touchMove", apart)
        fingers("touchEnd", 0)
        page.locator("[data-level='0']").wait_for()

    def test_what_was_left_out_is_said_to_be_among_the_rest(self, show, random_maps, monkeypatch):
        monkeypatch.setattr("attlas.views.rows.BUDGET", 3 << 20)
        maps = random_maps(1, 2, 1500)
        page = show(view(list(maps), [f"t{i}" for i in range(1500)], kind="matrix"))
        page.get_by_role("application").focus()
        weakest = int(maps[0, 0, 1].argmin())
        page.keyboard.press("ArrowDown")
        for _ in range(weakest // 10):
            page.keyboard.press("Shift+ArrowRight")
        for _ in range(weakest % 10):
            page.keyboard.press("ArrowRight")
        said = re.compile(rf"t1 \(1\) → t{weakest} .*among the rest of 0\.\d+")
        expect(page.get_by_role("status")).to_have_text(said, use_inner_text=True)

    def test_words_and_sentences_make_another_map(self, show, store_view):
        page = show(store_view)
        page.get_by_role("tab", name="Matrix").click()
        page.get_by_label("Whole words").check()
        expect(page.get_by_role("application", name="18 by 18 tokens")).to_be_visible()
        page.get_by_role("combobox", name="Sentences", exact=True).select_option("a-b")
        expect(page.get_by_role("application", name=": 8 by 10 tokens")).to_be_visible()
