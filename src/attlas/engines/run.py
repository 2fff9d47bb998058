"""Running a pass: shards from its source, through an engine, into the tree; what is done is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from attlas.engines.ahead import prepare_ahead
from attlas.engines.engine import Engine, Work
from attlas.engines.merge_tree import MergeTree
from attlas.engines.part import SEEN, PassPart, merge_parts, restore_reducer
from attlas.engines.passes import Pass
from attlas.engines.unfinished import UnfinishedRun
from attlas.engines.worker import Advance
from attlas.reducers.reducer import Reducer
from attlas.subject import Subject

AnyReducer = TypeVar("AnyReducer", bound=Reducer)


@dataclass(frozen=True)
class Merged:
    """A finished pass: its reducers, each with what all shards showed; what was read, skipped and cut; and
    the documents that were skipped, with what was wrong with them."""

    reducers: tuple[Reducer, ...]
    counts: Counter[str]
    problems: tuple[str, ...] = ()

    def reducer(self, kind: type[AnyReducer]) -> AnyReducer:
        """The reducer of that kind, of which the pass had one."""
        (reducer,) = (r for r in self.reducers if isinstance(r, kind))
        return reducer


def run_pass(
    subject: Subject,
    pass_: Pass,
    engine: Engine,
    unfinished: UnfinishedRun | None = None,
    advance: Advance = lambda _: None,
) -> Merged:
    """Run every shard that is not finished yet, then merge all. An unfinished run keeps what is done."""
    subject, unfinished = pass_.subject or subject, pass_.kept_in or unfinished
    pass_ = replace(pass_, subject=None, kept_in=None)
    tree = MergeTree(
        partial(merge_parts, pass_.reducers), unfinished.nodes(pass_.name) if unfinished else None
    )
    advance(sum(part.counts["items"] for part in tree.nodes.values()))
    try:
        for number, part in engine.run(subject, pass_, _work(subject, pass_, tree), advance):
            tree.add(number, part)
            if unfinished is not None:
                unfinished.save(pass_.name, tree.nodes)
    finally:
        if unfinished is not None:
            unfinished.save(pass_.name, tree.nodes, now=True)
    whole = tree.root() or PassPart([r.state() for r in pass_.reducers])
    reducers = (restore_reducer(r, s) for r, s in zip(pass_.reducers, whole.states, strict=True))
    counts = Counter({name: count for name, count in whole.counts.items() if name != SEEN})
    return Merged(tuple(reducers), counts, whole.problems)


def _work(subject: Subject, pass_: Pass, tree: MergeTree) -> Iterator[Work]:
    """The shards that were not finished when the run began. Where only the first items count, they are
    prepared here, in order, and whoever runs a shard is handed those of its items that count."""
    done = sorted(tree.nodes, key=lambda node: node.first)
    left = pass_.source.limit
    seen = {node: part.counts[SEEN] for node, part in tree.nodes.items()}
    work: Iterator[Work] = (
        (shard, None)
        for shard in pass_.source.shards()
        if not any(node.first <= shard.number < node.past for node in done)
    )
    if left is None:
        yield from work
        return
    for shard, prepared in prepare_ahead(pass_.source, work, subject.device):
        before = sum(seen.pop(node) for node in list(seen) if node.first < shard.number)
        left = max(0, left - before)
        if not left:
            return
        if prepared.seen > left:
            prepared = pass_.source.prepare(shard, left)  # again, so that its counts are of what is kept
        left -= prepared.seen
        yield shard, prepared
