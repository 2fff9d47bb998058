"""Colours of heads: distinct, also to colour-blind eyes, and seen on their page."""

import numpy as np
import pytest

from attlas.views.palette import BACKGROUND, contrast, distances, head_colours


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("count", [1, 12, 16, 32, 64, 128])
def test_no_two_heads_share_a_colour_and_all_stand_out_from_the_page(theme, count):
    colours = head_colours(count, theme)
    assert len(set(colours)) == count
    assert min(contrast(colour, BACKGROUND[theme]) for colour in colours) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_twelve_heads_are_told_apart_with_any_colour_vision(theme):
    gaps = distances(head_colours(12, theme), head_colours(12, theme))
    # 0.02 in OKLab is a just noticeable difference
    assert gaps[~np.eye(12, dtype=bool)].min() > 0.06


def test_a_head_keeps_its_colour_however_many_follow():
    assert head_colours(40, "dark")[:12] == head_colours(12, "dark")


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
