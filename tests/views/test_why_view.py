"""Why a head looks there, asked of a view: it has the numbers of `attlas why`, and a click shows them."""

from __future__ import annotations

import json
import zlib

import pytest
from pydantic import TypeAdapter

import attlas
from attlas.edits import zero
from attlas.errors import AttlasError
from attlas.options.view_options import ViewOptions
from attlas.studies.feeding import link_reasons
from attlas.views import compare, reasons, view_model
from attlas.views.contract import LinkReason
from patience import expect, until

TEXT = "The old town lies on the river."
REASONS = TypeAdapter(list[LinkReason])


def reasons_of(made: attlas.views.View) -> list[LinkReason]:
    section = made.scene["reasons"]["links"]
    data = zlib.decompress(made.packed.data)
    written = data[section["at"] : section["at"] + section["shape"][0]]
    return REASONS.validate_python(json.loads(written))


@pytest.fixture(scope="module")
def shown(mini):
    return view_model(mini, TEXT, why=True, options=ViewOptions(include_layers=[3, 7], layer=7, heads=[9]))


def test_a_page_says_what_the_verb_says(mini, shown):
    known = reasons_of(shown)
    for reason in known[:: len(known) // 3]:
        _, layer, head = reason["head"]
        said = attlas.why(
            mini, heads=[f"{layer}.{head}"], sentence=TEXT, link=(reason["query"], reason["key"])
        )
        for name in ("weight", "score", "lift", "distance_lift"):
            assert reason[name] == pytest.approx(said.as_data()[name], abs=1e-5)
        for end in ("key", "query"):
            rows = said.table[said.table["end"] == end].set_index("writer")
            parts = reason[f"wrote_{end}"]
            assert len(parts) == reasons.LISTED
            for part in parts:
                row = rows.loc[part["writer"]]
                assert (part["score"], part["lift"]) == pytest.approx((row["score"], row["lift"]), abs=1e-5)
                assert part["looks_at"] == (row["looks_at"] if part["head"] else None)
            strongest = rows["lift"].abs().nlargest(reasons.LISTED)
            assert [abs(part["lift"]) for part in parts] == pytest.approx(strongest.tolist(), abs=1e-5)


def test_the_strongest_links_of_each_head_are_known(mini, shown):
    known = reasons_of(shown)
    assert len(known) == 2 * 12 * reasons.PER_HEAD
    assert shown.scene["reasons"]["per_head"] == reasons.PER_HEAD
    weights = shown.maps[0].layers[1].weights[9]
    moving = weights[:, 1:-1]  # [CLS] and [SEP] are where attention rests
    of_head = [reason for reason in known if reason["head"] == ("encoder", 7, 9)]
    strongest = sorted(moving.flatten(), reverse=True)[: reasons.PER_HEAD - 1]
    assert [reason["weight"] for reason in of_head[:-1]] == pytest.approx(strongest, abs=1e-5)
    assert of_head[-1]["key"] in (0, len(weights) - 1)
    # it opens on the strongest of the head that is shown
    assert shown.scene["selection"]["pinned"] == [("query", of_head[0]["query"]), ("key", of_head[0]["key"])]


def test_a_pair_that_is_pinned_is_known_for_every_head(mini):
    options = ViewOptions(include_layers=[7], pinned=[("query", 4), ("key", 3)])
    known = reasons_of(view_model(mini, TEXT, why=True, options=options))
    assert {r["head"] for r in known if (r["query"], r["key"]) == (4, 3)} == {
        ("encoder", 7, i) for i in range(12)
    }


def test_many_heads_share_the_room_of_a_page():
    assert reasons.links_per_head(12) == reasons.PER_HEAD
    assert reasons.links_per_head(700) == 2
    assert reasons.links_per_head(9000) == 1


def test_a_head_that_is_switched_off_wrote_nothing(mini):
    options = ViewOptions(include_layers=[1], include_heads=[0], pinned=[("query", 4), ("key", 3)])
    plain, edited = (
        next(r for r in reasons_of(made) if (r["query"], r["key"]) == (4, 3))
        for edits in ((), [zero(["layer 0"])])
        for made in [view_model(mini, TEXT, why=True, options=options, edits=edits)]
    )
    assert any(part["head"] for part in plain["wrote_key"] + plain["wrote_query"])
    for part in edited["wrote_key"] + edited["wrote_query"]:
        assert part["head"] is None or part["score"] == 0


def test_what_cannot_be_known_is_refused_in_a_line(mini, monkeypatch):
    with pytest.raises(AttlasError, match="why is not for this kind of view"):
        attlas.view([[[1.0]]], ["a"], why=True)
    monkeypatch.setattr(link_reasons, "LONGEST", 8)
    with pytest.raises(AttlasError, match="more than 8 tokens"):
        view_model(mini, TEXT, why=True, options=ViewOptions(include_layers=[0]))


def test_reasons_stay_with_the_bytes_that_have_them(shown):
    assert "reasons" not in compare(shown, shown).scene


def test_a_click_on_a_link_says_why_and_goes_on_to_who_wrote_it(show, shown):
    """By mouse in the head view, by keys in the matrix; a click on who wrote a part shows that head."""
    page = show(shown, width=390, height=844)
    panel = page.get_by_role("region", name="Why 7.9 looks there")
    expect(panel).to_be_visible()
    page.get_by_role("button", name="Close why").click()
    expect(page.locator(".why")).to_have_count(0)
    of_head = [reason for reason in reasons_of(shown) if reason["head"] == ("encoder", 7, 9)]

    def middle() -> list[float]:
        """Of the strongest link, in the window."""
        ends = [("query", of_head[0]["query"]), ("key", of_head[0]["key"])]
        boxes = [page.locator(f'[data-end="{end}"][data-index="{i}"]').bounding_box() for end, i in ends]
        (a, b), surface = boxes, page.locator(".surface").bounding_box()
        assert surface is not None
        y = (a["y"] + b["y"] + a["height"]) / 2
        assert surface["y"] < y < surface["y"] + surface["height"]
        return [(a["x"] + a["width"] + b["x"]) / 2, y]

    page.mouse.click(*middle())
    expect(panel.get_by_role("status")).to_have_text(f"{of_head[0]['sentence']}.")
    first = panel.get_by_role("row").filter(has_text=of_head[0]["wrote_key"][0]["writer"]).first
    expect(first).to_contain_text(f"{of_head[0]['wrote_key'][0]['lift']:+.2f}".replace("-", "−"))

    # in the matrix by keys alone: another cell, and back
    page.get_by_role("tab", name="Matrix").click()
    page.get_by_role("application").focus()
    for _ in range(of_head[1]["query"]):
        page.keyboard.press("ArrowDown")
    for _ in range(of_head[1]["key"]):
        page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    expect(panel.get_by_role("status")).to_have_text(f"{of_head[1]['sentence']}.")
    page.keyboard.press("Escape")
    expect(page.locator(".why")).to_have_count(0)

    # a weak cell is not known: the page names those that are, and one of them is a click away
    page.mouse.move(0, 0)
    page.get_by_role("tab", name="Heads").click()
    pairs = {(reason["query"], reason["key"]) for reason in of_head}
    weak = next((q, 2) for q in range(8) if (q, 2) not in pairs)
    ends = [["query", weak[0]], ["key", weak[1]]]
    page.evaluate("ends => location.hash = `pinned=${encodeURIComponent(JSON.stringify(ends))}`", ends)
    expect(panel).to_contain_text("knows why for the 8 strongest links of each head")
    panel.locator(".known").get_by_role("button").first.click()
    expect(panel.get_by_role("status")).to_have_text(f"{of_head[0]['sentence']}.")


def test_a_part_leads_to_the_head_that_wrote_it(show, mini):
    wide = ViewOptions(layer=6, heads=[0])
    made = view_model(mini, TEXT, why=True, options=wide)
    page = show(made)
    panel = page.get_by_role("region", name="Why 6.0 looks there")
    reason = next(r for r in reasons_of(made) if r["head"] == ("encoder", 6, 0))
    parts = [part for end in ("key", "query") for part in reason[f"wrote_{end}"] if part["head"]]
    assert parts, "no head among the strongest writers: choose another head"
    button = panel.get_by_role("button", name=parts[0]["writer"], exact=True).first
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name=f"Why {parts[0]['writer']} looks there")).to_be_visible()
    until(page, lambda: page.evaluate("decodeURIComponent(location.hash)"), lambda hash: "pinned" in hash)
