"""The drawing of a parsed text, and the figures of a study."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from attlas.address import Head
from attlas.figures.tree_figures import arc_levels, space_ticks, tree_svg
from attlas.studies.trees.stored_probes import Arc


def test_an_arc_lies_above_those_that_it_spans_and_root_above_all_that_meet_its_word() -> None:
    # the dog chased a cat
    levels = arc_levels([(1, 2), (2, 3), (3, 0), (4, 5), (5, 3)])
    assert levels == {(1, 2): 1, (2, 3): 1, (4, 5): 1, (5, 3): 2, (3, 0): 3}


@given(st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n), min_size=n, max_size=n)))
def test_arcs_of_one_level_do_not_overlap(heads: list[int]) -> None:
    arcs = [(word, head) for word, head in enumerate(heads, 1) if head not in (0, word)]
    levels = arc_levels(arcs)
    for a in arcs:
        for b in arcs:
            (low, high), (first, last) = sorted(a), sorted(b)
            if a != b and low <= first and last <= high and (low, high) != (first, last):
                assert levels[a] > levels[b]


def test_words_and_names_are_text_and_not_markup() -> None:
    arcs = [Arc(1, 2, ((Head("encoder", 3, 4), 1.0),)), Arc(2, 0, ((Head("encoder", 0, 1), 0.5),))]
    drawn = ElementTree.fromstring(tree_svg(["<b>", 'a&"b'], arcs, "<probe>"))
    texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:4] == ["3.4", "ROOT 0.1", "<b>", 'a&"b']
    assert "(<probe>)" in str(texts[4])
    assert drawn.attrib["aria-label"] == 'Tree of: <b> a&"b. <b> under a&"b, a&"b under ROOT.'
    titles = [title.text for title in drawn.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ['a&"b → <b>: 3.4 +1.0', 'ROOT → a&"b: 0.1 +0.5']


def test_ticks_leave_room_for_their_numbers() -> None:
    assert space_ticks([1, 2, 4, 8, 128, 144]) == [1, 2, 4, 8, 144]
    assert space_ticks([125, 376, 12_538]) == [125, 376, 12_538]
    assert space_ticks([]) == []
