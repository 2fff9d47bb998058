"""The colours of heads."""

from __future__ import annotations

import pytest
from coloraide import Color

from attlas.views.palette import BACKGROUND, distance, head_colours

THEMES = ("light", "dark")


@pytest.mark.parametrize("theme", THEMES)
def test_no_head_looks_stronger_than_another(theme):
    tones = [Color(colour).convert("oklch") for colour in head_colours(48, theme)]
    for which in ("lightness", "chroma"):
        found = [tone[which] for tone in tones]
        assert max(found) - min(found) < 0.01


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_can_be_read_on_every_square(theme):
    # a square that is on has the page's colour for its number
    assert min(Color(c).contrast(BACKGROUND[theme]) for c in head_colours(48, theme)) >= 4.5


def test_a_head_has_one_hue_in_both_themes():
    for light, dark in zip(*(head_colours(48, theme) for theme in THEMES), strict=True):
        one, other = (Color(c).convert("oklch")["hue"] for c in (light, dark))
        assert abs((one - other + 180) % 360 - 180) < 4


@pytest.mark.parametrize("theme", THEMES)
def test_the_colours_of_a_layer_differ_and_neighbours_do_for_every_eye(theme):
    colours = [Color(c) for c in head_colours(12, theme)]
    assert min(distance(a, b) for i, a in enumerate(colours) for b in colours[:i]) > 0.04
    first = colours[:3]
    for eyes in ("protan", "deutan"):
        assert min(distance(a, b, eyes) for i, a in enumerate(first) for b in first[:i]) > 0.04


def test_more_heads_do_not_change_the_first_ones():
    assert head_colours(32, "light")[:12] == head_colours(12, "light")
