"""The model view at every size: a small square shows what its head does, and nothing that it does not."""

from __future__ import annotations

import io

import numpy as np
import pytest

from attlas import view
from patience import expect, steady, until

LENGTHS = [100, 148, 300]


def heads(count: int) -> np.ndarray:
    """Made heads: first token, last token, a diagonal, one strong link among even ones, all even."""
    first, last = np.zeros((2, count, count), np.float32)
    first[:, 0] = last[:, -1] = 1
    even = np.full((count, count), 1 / count, np.float32)
    link = even.copy()
    link[count // 3] = 0.1 / (count - 1)
    link[count // 3, 2 * count // 3] = 0.9
    return np.stack([first, last, np.eye(count, dtype=np.float32), link, even])


def opened(show, count: int, **options):
    made = view([heads(count)[None]], [f"t{i}" for i in range(count)], kind="model", without_first=False)
    return show(made, **options)


def squares(page) -> list[np.ndarray]:
    """The darkness of every pixel of each head's square, from 0 (page) to 1 (black), as the screen has it."""
    from PIL import Image

    picture = Image.open(io.BytesIO(steady(page, page.screenshot))).convert("L")
    density = picture.width / page.viewport_size["width"]
    result = []
    for button in page.locator("button.head").all():
        box = button.bounding_box()
        corners = [box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]]
        shown = picture.crop(tuple(round(corner * density) for corner in corners))
        result.append(1 - np.asarray(shown, np.float64) / 255)
    return result


@pytest.mark.parametrize("density", [1, 1.5, 2])
@pytest.mark.parametrize("count", LENGTHS)
def test_what_each_made_head_does_is_seen(show, count, density):
    page = opened(show, count, device_scale_factor=density, color_scheme="light")
    first, last, diagonal, link, even = squares(page)
    side = len(first)
    edge = max(2, round(density))
    # a column at the left or right edge, whole from top to bottom, and nothing beside it
    assert first[:, :edge].max(axis=1).min() > 0.6
    assert last[:, -edge:].max(axis=1).min() > 0.6
    assert first[:, edge + 1 :].max() < 0.05
    assert last[:, : -edge - 1].max() < 0.05
    # a diagonal without gaps: every row has its pixel
    near = [diagonal[row, max(0, row - 2) : row + 3].max() for row in range(side)]
    assert min(near) > 0.5
    # one strong link where it belongs, on a pale ground
    place = np.unravel_index(link.argmax(), link.shape)
    assert link.max() > 0.5
    assert place == pytest.approx((side / 3, 2 * side / 3), abs=side / 50 + 2)
    assert np.median(link) < 0.2
    # even attention is the palest of all
    assert even.max() < 0.2


@pytest.mark.parametrize("square", [16, 40, 160])
def test_so_it_is_at_every_size_of_the_squares(show, square):
    page = opened(show, 148)
    slider = page.get_by_role("slider", name="Size")
    slider.evaluate(
        f"e => {{ e.value = {square}; e.dispatchEvent(new Event('input', {{ bubbles: true }})); }}"
    )
    wide = page.locator("button.head").first
    until(page, wide.bounding_box, lambda box: box["width"] == square)
    first, last, diagonal, link, even = squares(page)
    assert len(first) == square
    assert first[:, :2].max(axis=1).min() > 0.6
    assert last[:, -2:].max(axis=1).min() > 0.6
    assert min(diagonal[row, max(0, row - 2) : row + 3].max() for row in range(square)) > 0.5
    assert link.max() > 0.5
    assert even.max() < 0.2


def test_a_thousand_heads_are_seen_at_once(show):
    rng = np.random.default_rng(0)
    maps = rng.dirichlet(np.ones(6), size=(32, 32, 6)).astype(np.float32)
    page = show(view(list(maps[:, None]), list("abcdef"), kind="model", square=14), width=1400, height=850)
    expect(page.locator("button.head")).to_have_count(1024)
    last = steady(page, page.get_by_role("button", name="Head 31.31").first.bounding_box)
    assert last["y"] + last["height"] < 850
    assert last["x"] + last["width"] < 1400


def test_even_heads_of_a_short_text_are_paler_than_sharp_ones(show):
    even = np.full((20, 20), 1 / 20, np.float32)
    sharp = np.eye(20, dtype=np.float32)[::-1].copy()
    page = show(
        view([np.stack([even, sharp])[None]], [f"t{i}" for i in range(20)], kind="model", threshold=0.0)
    )
    pale, strong = squares(page)
    assert pale.max() < 0.5 < strong.max()
    assert pale.mean() < strong.mean() * 1.5  # as much attention, and about as much ink


def test_the_still_figure_shows_the_same(tmp_path):
    from PIL import Image

    count = 148
    made = view([heads(count)[None]], [f"t{i}" for i in range(count)], kind="model", without_first=False)
    picture = Image.open(made.figure(tmp_path / "model.png")).convert("L")
    darkness = 1 - np.asarray(picture, np.float64) / 255
    squares = columns_of(darkness)
    assert len(squares) == 5
    first, last, diagonal, link, even = squares
    inside = slice(4, -4)
    assert first[inside, :6].max(axis=1).min() > 0.6
    assert last[inside, -6:].max(axis=1).min() > 0.6
    assert link[inside, inside].max() > 0.5
    assert even[inside, inside].max() < 0.2
    assert diagonal[inside].max(axis=1).min() > 0.3


def columns_of(darkness: np.ndarray) -> list[np.ndarray]:
    """The framed squares of a picture with one row of heads, from left to right."""
    framed = (darkness > 0.1).sum(axis=0) > 0.5 * (darkness > 0.1).sum(axis=0).max()
    rows = np.flatnonzero((darkness > 0.1).sum(axis=1) > 0.6 * (darkness > 0.1).sum(axis=1).max())
    edges = np.flatnonzero(framed)
    top, bottom = rows[0], rows[-1] + 1
    width = bottom - top
    lefts = [edge for i, edge in enumerate(edges) if i == 0 or edge - edges[i - 1] > 2]
    starts = [lefts[0]]
    for edge in lefts[1:]:
        if edge - starts[-1] > 1.02 * width:
            starts.append(edge)
    return [darkness[top:bottom, left : left + width] for left in starts]
