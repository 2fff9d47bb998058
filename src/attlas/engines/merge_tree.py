"""The merge tree: shards merge in a fixed shape, so that the order in which they finish does not matter.

Node (level, index) is the merge of (level - 1, 2·index) and (level - 1, 2·index + 1); shards are level 0. A
sum of floating-point numbers depends on the order of its additions: here that order follows from the shards'
numbers alone, whoever ran them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from attlas.engines.part import PassPart


@dataclass(frozen=True, order=True)
class Node:
    level: int
    index: int

    @property
    def first(self) -> int:
        """Its first shard."""
        return self.index << self.level

    @property
    def past(self) -> int:
        """The shard after its last."""
        return (self.index + 1) << self.level

    @property
    def sibling(self) -> Node:
        return Node(self.level, self.index ^ 1)

    @property
    def parent(self) -> Node:
        return Node(self.level + 1, self.index // 2)


class MergeTree:
    """Keeps as few nodes as it can: two siblings become their parent as soon as both are there."""

    def __init__(
        self, merge: Callable[[PassPart, PassPart], PassPart], nodes: dict[Node, PassPart] | None = None
    ) -> None:
        self.merge = merge
        self.nodes: dict[Node, PassPart] = {}
        for node, part in sorted((nodes or {}).items(), reverse=True):
            if self.around(node.first) is None:  # else a larger one holds it: the run was killed in between
                self._keep(node, part)

    def add(self, shard: int, part: PassPart) -> None:
        if self.around(shard) is not None:
            raise ValueError(f"shard {shard} is in the tree already")
        self._keep(Node(0, shard), part)

    def around(self, shard: int) -> Node | None:
        """The node that holds a shard, if it is finished."""
        return next((n for n in self.nodes if n.first <= shard < n.past), None)

    def root(self) -> PassPart | None:
        """Everything merged: the nodes that have no sibling yet, from the first shard to the last."""
        parts = [self.nodes[node] for node in sorted(self.nodes, key=lambda node: node.first)]
        return reduce(self.merge, parts) if parts else None

    def _keep(self, node: Node, part: PassPart) -> None:
        merged = []
        while (other := self.nodes.get(node.sibling)) is not None:
            part = self.merge(part, other) if node.index % 2 == 0 else self.merge(other, part)
            merged.append(node.sibling)
            node = node.parent
        self.nodes[node] = part
        for old in merged:  # only now: whoever is stopped in a merge loses nothing
            del self.nodes[old]
