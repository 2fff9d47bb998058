"""Running a pass: shards from its source, through an engine, into the tree; what is done is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from attlas.engines.ahead import prepared_ahead
from attlas.engines.engine import Engine, Work
from attlas.engines.merge_tree import Tree
from attlas.engines.part import SEEN, Part, merged, restored
from attlas.engines.passes import Pass
from attlas.engines.unfinished import UnfinishedRun
from attlas.engines.worker import Advance
from attlas.reducers.reducer import Reducer
from attlas.subject import Subject

One = TypeVar("One", bound=Reducer)


@dataclass(frozen=True)
class Merged:
    """A finished pass: its reducers, each with what all shards showed; what was read, skipped and cut; and
    the documents that were skipped, with what was wrong with them."""

    reducers: tuple[Reducer, ...]
    counts: Counter[str]
    problems: tuple[str, ...] = ()

    def reducer(self, kind: type[One]) -> One:
        """The reducer of that kind, of which the pass had one."""
        (found,) = (reducer for reducer in self.reducers if isinstance(reducer, kind))
        return found


def run_pass(
    subject: Subject,
    one: Pass,
    engine: Engine,
    unfinished: UnfinishedRun | None = None,
    advance: Advance = lambda _: None,
) -> Merged:
    """Every shard that is not finished yet is run; then all are merged. An unfinished run keeps what is
    done."""
    subject, unfinished = one.subject or subject, one.kept_in or unfinished
    one = replace(one, subject=None, kept_in=None)
    tree = Tree(partial(merged, one.reducers), unfinished.nodes(one.name) if unfinished else None)
    advance(sum(part.counts["items"] for part in tree.nodes.values()))
    try:
        for number, part in engine.run(subject, one, _work(subject, one, tree), advance):
            tree.add(number, part)
            if unfinished is not None:
                unfinished.save(one.name, tree.nodes)
    finally:
        if unfinished is not None:
            unfinished.save(one.name, tree.nodes, now=True)
    whole = tree.root() or Part([r.state() for r in one.reducers])
    reducers = (restored(r, s) for r, s in zip(one.reducers, whole.states, strict=True))
    counts = Counter({name: count for name, count in whole.counts.items() if name != SEEN})
    return Merged(tuple(reducers), counts, whole.problems)


def _work(subject: Subject, one: Pass, tree: Tree) -> Iterator[Work]:
    """The shards that were not finished when the run began. Where only the first items count, they are
    prepared here, in order, and whoever runs a shard is handed those of its items that count."""
    done = sorted(tree.nodes, key=lambda node: node.first)
    left = one.source.limit
    seen = {node: part.counts[SEEN] for node, part in tree.nodes.items()}
    work: Iterator[Work] = (
        (shard, None)
        for shard in one.source.shards()
        if not any(node.first <= shard.number < node.past for node in done)
    )
    if left is None:
        yield from work
        return
    for shard, prepared in prepared_ahead(one.source, work, subject.device):
        before = sum(seen.pop(node) for node in list(seen) if node.first < shard.number)
        left = max(0, left - before)
        if not left:
            return
        if prepared.seen > left:
            prepared = one.source.prepare(shard, left)  # again, so that its counts are of what is kept
        left -= prepared.seen
        yield shard, prepared
