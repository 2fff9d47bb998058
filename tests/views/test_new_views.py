"""The text view, panes side by side, the sentence above the grid, and the matrix while one zooms."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
import transformers

from attlas import view
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.views import compare
from patience import begins, ends, expect, steady, turn_wheel, until

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def word(page, index):
    return page.locator(f'[data-word="{index}"]')


def close(page, labels, weights, within, at_least=1):
    """Waits until labels say these weights; those of next to nothing have none."""
    read = "labels => labels.map(label => [label.dataset.index, label.innerText])"

    def shown():
        return {int(index): float(text.replace("−", "-")) for index, text in labels.evaluate_all(read)}

    def right(shown):
        near = (abs(weight - weights[index]) <= within for index, weight in shown.items())
        return len(shown) >= at_least and all(near)

    until(page, shown, right)


class TestText:
    def test_the_text_glows_with_what_a_word_attends_to(self, show, store_view, bert):
        page = show(store_view)
        page.get_by_role("tab", name="Text").click()
        page.get_by_role("button", name="Head 2.0", exact=True).dblclick()
        word(page, 15).hover()
        said = "straw attends to, in head 2.0: ##berries (16) 1.00"
        expect(page.get_by_role("status").last).to_contain_text(said, use_inner_text=True)
        # the glow lies behind the word that is looked at, and nowhere else in the line
        read = """() => { const c = document.querySelector('.text canvas'), box = c.getBoundingClientRect();
            const at = i => { const r = document.querySelector(`[data-word="${i}"]`).getBoundingClientRect();
              const {data} = c.getContext('2d')
                .getImageData(r.left - box.left + 2, r.top - box.top + 6, 1, 1);
              return data[3]; };
            return [at(16), at(14)]; }"""
        until(page, lambda: page.evaluate(read), lambda glow: glow[0] > 180 and glow[1] < 20)

    def test_or_with_what_attends_to_it_for_the_mean_of_a_layer(self, show, store_view, bert):
        page = show(store_view)
        page.get_by_role("tab", name="Text").click()
        page.get_by_role("combobox", name="Show").select_option("to")
        word(page, 0).click()
        page.mouse.move(5, 5)
        mean = bert[2, :, :, 0].mean(0)
        best = int(mean.argmax())
        said = page.get_by_role("status").last
        expect(said).to_contain_text(f"({best}) {mean[best]:.2f}", use_inner_text=True)
        expect(said).to_contain_text("the mean of layer 2", use_inner_text=True)

    def test_keys_move_through_the_lines(self, show, random_maps):
        page = show(
            view(list(random_maps(1, 1, 300)), [f"token{i}" for i in range(300)], kind="text"), width=700
        )
        word(page, 0).focus()
        page.keyboard.press("ArrowRight")
        until(page, lambda: page.evaluate("document.activeElement.dataset.word"), "1")
        page.keyboard.press("ArrowDown")
        focused = "Number(document.activeElement.dataset.word)"
        below = until(page, lambda: page.evaluate(focused), lambda word: word > 4)
        expect(page.get_by_role("status").last).to_contain_text(
            f"token{below} attends to", use_inner_text=True
        )

    def test_thousands_of_words_are_in_the_page_only_where_they_are_seen(self, show, random_maps):
        rows = random_maps(1, 1, 3000)
        page = show(view(list(rows), [f"w{i}" for i in range(3000)], kind="text"))
        until(page, page.locator("[data-word]").count, lambda count: 50 < count < 900)
        page.get_by_role("searchbox", name="Find a token").fill("w2990")
        page.keyboard.press("Enter")
        word(page, 2990).wait_for()
        page.get_by_role("button", name=re.compile("Strip of the text")).click(position={"x": 4, "y": 4})
        word(page, 0).wait_for()

    def test_words_of_two_sides_are_asked_and_lit_apart(self, show, random_maps):
        cross = random_maps(1, 2, 3, 4)
        made = view(
            cross_attention=list(cross), encoder_tokens=list("abcd"), decoder_tokens=list("xyz"), kind="text"
        )
        page = show(made)
        # the text that glows is the encoder's; what is asked about is the decoder's, in a line above it
        expect(page.locator("[data-word]")).to_have_text(list("abcd"), use_inner_text=True)
        page.get_by_role("button", name="Head 0.1", exact=True).dblclick()
        page.locator(".tokens button", has_text="y").hover()
        best = int(cross[0, 1, 1].argmax())
        said = f"y attends to, in head 0.1: {'abcd'[best]} ({best}) {cross[0, 1, 1, best]:.2f}"
        expect(page.get_by_role("status").last).to_contain_text(said, use_inner_text=True)


class TestMatrix:
    def under(self, page):
        """The tokens of the cell under the pointer."""
        return [int(n) for n in re.findall(r"\((\d+)\)", page.locator(".readout").inner_text())[:2]]

    def test_what_is_under_the_pointer_stays_there_and_is_read_out(self, show, random_maps):
        page = show(view(list(random_maps(1, 1, 490)), [f"t{i}" for i in range(490)], kind="matrix"))
        box = steady(page, page.locator(".matrix canvas").bounding_box)
        x, y = box["x"] + box["width"] * 0.42, box["y"] + box["height"] * 0.6
        page.mouse.move(x, y)
        before = until(page, lambda: self.under(page), lambda cell: len(cell) == 2)
        turn_wheel(page, (x, y), 2)
        until(page, lambda: self.under(page), pytest.approx(before, abs=1))
        until(page, page.locator(".matrix canvas").bounding_box, box)


class TestSentence:
    def test_a_token_lights_its_row_in_every_head_and_several_are_met_by_all(self, show, bert, store_tokens):
        page = show(view(list(bert), store_tokens, kind="model"))
        ink = """() => { const c = document.querySelector('.grid canvas');
            const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i]; return n; }"""
        whole = steady(page, lambda: page.evaluate(ink))
        token = page.locator('.tokens [data-index="15"]')
        token.hover()
        until(page, lambda: page.evaluate(ink), lambda drawn: drawn < whole)
        lit = steady(page, lambda: page.evaluate(ink))
        token.click()
        page.locator('.tokens [data-index="5"]').click()
        page.mouse.move(5, 5)
        expect(page.get_by_role("button", name="Unpin 2")).to_be_visible()
        until(page, lambda: page.evaluate(ink), lambda drawn: drawn != lit)

    def test_a_drag_within_the_sentence_asks(self, show, bert, store_tokens):
        page = show(view(list(bert), store_tokens, kind="model"))
        query, key = (page.locator(f'.tokens [data-index="{i}"]').bounding_box() for i in (15, 16))
        page.mouse.move(query["x"] + 10, query["y"] + 10)
        page.mouse.down()
        page.mouse.move(key["x"] + 20, key["y"] + 10, steps=5)
        page.mouse.up()
        page.get_by_text("straw → ##berries").wait_for()
        expect(page.locator("button.head").first).to_have_attribute("aria-label", ends("· 1.00"))

    def test_order_starts_where_people_look_turns_round_and_goes_back_to_the_top(
        self, show, bert, store_tokens
    ):
        page = show(view(list(bert), store_tokens, kind="model"))
        page.locator(".grid .surface").evaluate("e => e.scrollTop = 500")
        page.get_by_role("combobox", name="Order").select_option("entropy (this text)")
        logs = np.log(bert, where=bert > 0, out=np.zeros_like(bert))
        entropy = -(bert * logs).sum(-1).mean(-1)
        focused = np.unravel_index(entropy.argmin(), entropy.shape)
        first = page.locator("button.head").first
        expect(first).to_have_attribute("aria-label", begins(f"Head {focused[0]}.{focused[1]} "))
        until(page, lambda: page.locator(".grid .surface").evaluate("e => e.scrollTop"), 0)
        page.get_by_role("button", name="Reverse the order").click()
        broad = np.unravel_index(entropy.argmax(), entropy.shape)
        expect(first).to_have_attribute("aria-label", begins(f"Head {broad[0]}.{broad[1]} "))

    def test_a_head_is_carried_between_views_and_escape_closes_it(self, show, bert, store_tokens):
        page = show(view(list(bert), store_tokens, kind="model"))
        page.get_by_role("button", name="Head 3.4", exact=True).click()
        detail = page.get_by_role("region", name="Layer 3, head 4")
        expect(detail).to_be_visible()
        page.keyboard.press("Escape")
        expect(detail).not_to_be_visible()
        page.get_by_role("tab", name="Matrix").click()
        expect(page.get_by_role("application", name=re.compile("Map of head 3.4"))).to_be_visible()
        page.get_by_role("tab", name="Heads").click()
        expect(page.get_by_role("combobox", name="Layer", exact=True)).to_have_value("3")


class TestNeurons:
    def test_a_causal_model_opens_where_there_is_most_to_see(self, show, subject_of):
        made = view(subject_of("llama"), "I went to the store, and then I went home.", kind="neuron")
        page = show(made)
        weights = np.array(made.maps[0].layers[0].weights[0])
        count = len(weights)
        weights[:, 0] = 0
        weights[np.arange(count), np.arange(count)] = 0
        weights[: count // 2] = 0
        most = int(weights.max(1).argmax())
        assert most >= count // 2
        expect(page.locator('[role="radio"][aria-checked="true"]')).to_have_attribute("data-index", str(most))


class TestPanes:
    @pytest.fixture
    def both(self, random_maps):
        made = [
            view(list(random_maps(2, 3, 5, seed=s)), list("abcde"), layer=0, title=n)
            for s, n in ((0, "one"), (1, "two"))
        ]
        return compare(*made)

    def test_two_inputs_and_their_difference_are_chosen_together(self, show, both, random_maps):
        page = show(both)
        expect(page.locator(".pane h2")).to_have_text(["one", "two", "one − two"], use_inner_text=True)
        left = page.get_by_role("region", name="one", exact=True)
        right = page.get_by_role("region", name="two", exact=True)
        left.get_by_role("button", name="Head 0.1", exact=True).dblclick()
        expect(right.get_by_role("button", name="Head 0.1", exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )
        expect(right.get_by_role("button", name="Head 0.0", exact=True)).to_have_attribute(
            "aria-pressed", "false"
        )
        left.locator('[data-end="query"][data-index="2"]').hover()
        first, second = (random_maps(2, 3, 5, seed=s)[0, 1, 2] for s in (0, 1))
        for index, pane in enumerate((first, second, first - second)):
            shown = page.locator(".pane").nth(index).locator('[data-weight-of="key"]')
            close(page, shown, pane, 0.02)

    def test_other_lengths_have_no_difference_and_say_so(self, random_maps):
        made = compare(
            view(list(random_maps(1, 2, 4)), list("abcd")), view(list(random_maps(1, 2, 5)), list("abcde"))
        )
        assert [pane["name"] for pane in made.scene["panes"]] == ["B"]
        assert "No difference" in made.scene["notes"][-1]

    def test_other_kinds_of_attention_are_refused(self, random_maps):
        causal = view(list(random_maps(1, 2, 4, causal=True)), list("abcd"))
        with pytest.raises(AttlasError, match="other kinds of attention"):
            compare(view(list(random_maps(1, 2, 4)), list("abcd")), causal)

    @pytest.mark.parametrize("tab", ["Heads", "Model", "Text", "Matrix"])
    def test_every_view_has_panes_on_a_phone_too(self, show, both, tab):
        page = show(both, width=390, height=800)
        page.get_by_role("tab", name=tab).click()
        expect(page.locator(".pane")).to_have_count(3)
        until(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda size: size <= 390)


def test_rollout_and_value_norms_are_chosen_in_the_view(show, mini):
    made = view(mini, "I went to the store.")
    page = show(made)
    page.get_by_role("combobox", name="Attention").select_option("encoder rollout")
    page.get_by_role("combobox", name="Layer", exact=True).select_option("5")
    page.locator('[data-end="query"][data-index="2"]').hover()
    shown = page.locator('[data-weight-of="key"]')
    close(page, shown, made.maps[0].layers[5].rollout[2], 0.006, at_least=3)
    page.get_by_role("combobox", name="Attention").select_option("encoder")
    page.get_by_role("button", name="Head 5.0", exact=True).dblclick()
    page.get_by_label("By norm").check()
    page.locator('[data-end="query"][data-index="2"]').hover()
    layer = made.maps[0].layers[5]
    brought = layer.weights[0, 2] * layer.value_norms[0]
    close(page, shown, brought / brought.sum(), 0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("what", ["model", "panes", "image", "names", "signed", "long"])
def test_axe_finds_nothing(show, mini, random_maps, atlas_of, what, scheme):
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (cd web && npm install)")
    if what == "panes":
        made = compare(*(view(list(random_maps(2, 3, 5, seed=s)), list("abcde")) for s in (0, 1)))
    elif what == "image":
        sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
        vit = transformers.ViTModel(transformers.ViTConfig(**sizes, image_size=32, patch_size=8))
        made = view(Subject(vit, None, "vit"), np.zeros((32, 32, 3), np.uint8))
    elif what == "names":
        kinds = {"behaviour": "next", "pattern": "induction", "shape": "vertical", "second_shape": "block"}
        rows = [("encoder", 0, 1, kind, name, 0.5) for kind, name in kinds.items()]
        rows += [("encoder", 1, head, "pattern", "none", 0.5) for head in (0, 1, 2)]
        atlas = atlas_of(rows)
        made = view(list(random_maps(2, 3, 5)), list("abcde"), kind="model", colour="pattern", atlas=atlas)
    elif what == "signed":
        made = view(list(random_maps(2, 3, 5) - 0.2), list("abcde"), check=False)
    elif what == "long":
        made = view(list(random_maps(12, 12, 160)), [f"t{i}" for i in range(160)])
    else:
        made = view(mini, "I went to the store.", "I bought berries.", why=True, include_layers=[3, 7])
    page = show(made, color_scheme=scheme, bypass_csp=True)
    page.add_script_tag(path=str(AXE))
    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        if tab.inner_text() == "Model":
            page.locator("button.head").nth(3).click()
            page.locator(".detail").first.wait_for()
        results = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        wrong = [(v["id"], v["nodes"][0]["html"][:160]) for v in results["violations"]]
        assert wrong == [], json.dumps(wrong, indent=1)
