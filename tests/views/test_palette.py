"""The colours of heads."""

from __future__ import annotations

from itertools import combinations

import pytest
from coloraide import Color

from attlas.views.palette import BACKGROUND, EYES, distance, head_colours

THEMES = ("light", "dark")


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", THEMES)
def test_twelve_heads_are_told_apart_by_every_eye(theme, eyes):
    colours = [Color(c) for c in head_colours(12, theme)]
    nearest = min(distance(some, other, eyes) for some, other in combinations(colours, 2))
    assert nearest > (0.09 if eyes == "normal" else 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_can_be_read_on_every_square(theme):
    # a square that is on has the page's colour for its number
    assert min(Color(c).contrast(BACKGROUND[theme]) for c in head_colours(48, theme)) >= 4.45


@pytest.mark.parametrize("theme", THEMES)
def test_every_colour_is_vivid_enough_to_be_one(theme):
    assert min(Color(c).convert("oklch")["chroma"] for c in head_colours(48, theme)) > 0.04


def test_a_head_has_one_hue_in_both_themes():
    for light, dark in zip(*(head_colours(48, theme) for theme in THEMES), strict=True):
        light_hue, dark_hue = (Color(c).convert("oklch")["hue"] for c in (light, dark))
        assert abs((light_hue - dark_hue + 180) % 360 - 180) < 6


def test_no_two_heads_of_a_layer_have_the_same_colour():
    assert len(set(head_colours(48, "light"))) == len(set(head_colours(48, "dark"))) == 48


def test_more_heads_do_not_change_the_first_ones():
    assert head_colours(32, "light")[:12] == head_colours(12, "light")
