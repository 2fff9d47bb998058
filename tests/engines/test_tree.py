"""Shards merge in a fixed shape, whatever the order in which they finish."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numbers_corpus import Sum

from attlas.engines.merge_tree import MergeTree, Node
from attlas.engines.part import PassPart, merge_parts


def part(shard: int) -> PassPart:
    value = np.random.default_rng(shard).normal() * 10.0 ** (shard % 7)
    return PassPart([{"sums": np.array([value, 1.0])}], Counter(items=1), (f"problem {shard}",))


def merge(left: PassPart, right: PassPart) -> PassPart:
    return merge_parts([Sum()], left, right)


def in_order(shards: int) -> PassPart | None:
    tree = MergeTree(merge)
    for shard in range(shards):
        tree.add(shard, part(shard))
    return tree.root()


@given(st.permutations(range(11)), st.integers(0, 10))
def test_any_order_and_a_stop_anywhere_give_the_same_bits(order: list[int], stop: int) -> None:
    tree = MergeTree(merge)
    for shard in order[:stop]:
        tree.add(shard, part(shard))
    resumed = MergeTree(merge, tree.nodes)
    for shard in order[stop:]:
        resumed.add(shard, part(shard))
    root, expected = resumed.root(), in_order(11)
    assert root is not None
    assert expected is not None
    assert root.states[0]["sums"].tobytes() == expected.states[0]["sums"].tobytes()
    assert (root.counts, root.problems) == (expected.counts, expected.problems)


def test_siblings_become_their_parent_at_once() -> None:
    tree = MergeTree(merge)
    for shard in range(1000):
        tree.add(shard, part(shard))
        assert len(tree.nodes) <= 10
    assert tree.around(999) is not None
    assert tree.around(1000) is None


def test_what_a_larger_node_holds_is_dropped() -> None:
    """A run was killed after it wrote a parent and before it removed the children."""
    tree = MergeTree(merge)
    for shard in range(4):
        tree.add(shard, part(shard))
    again = MergeTree(merge, {**tree.nodes, Node(0, 2): part(2), Node(1, 1): part(3)})
    assert again.nodes.keys() == tree.nodes.keys()


def test_a_shard_is_added_once() -> None:
    tree = MergeTree(merge)
    tree.add(0, part(0))
    tree.add(1, part(1))
    with pytest.raises(ValueError, match="already"):
        tree.add(1, part(1))


def test_an_empty_tree_has_no_root() -> None:
    assert MergeTree(merge).root() is None
