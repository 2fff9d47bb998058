"""A part of a pass: what some of its shards have shown, ready to be merged and to be written."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from attlas.reducers.reducer import Reducer, State

MOST_PROBLEMS = 100  # skipped documents that are named; all are counted
SEEN = "seen"  # the count of items before some of them were chosen, to which a source's limit belongs


@dataclass(frozen=True)
class PassPart:
    """`states` are those of the pass's reducers, in order; `counts["items"]` is the number of items seen."""

    states: Sequence[State]
    counts: Counter[str] = field(default_factory=Counter)
    problems: tuple[str, ...] = ()


def merge_parts(empty: Sequence[Reducer], left: PassPart, right: PassPart) -> PassPart:
    """Merge two parts. Every merge goes through states, as one that was resumed from a file does, so that the
    numbers are the same to the last bit."""
    states = []
    for reducer, a, b in zip(empty, left.states, right.states, strict=True):
        both, other = restore_reducer(reducer, a), restore_reducer(reducer, b)
        both.merge(other)
        states.append(state_in_order(both))
    return PassPart(states, left.counts + right.counts, (left.problems + right.problems)[:MOST_PROBLEMS])


def state_in_order(reducer: Reducer) -> State:
    """The state of a reducer in the order of its names, as it comes back from a file."""
    return dict(sorted(reducer.state().items()))


def restore_reducer(empty: Reducer, state: State) -> Reducer:
    """Make a copy of an empty reducer that has counted what `state` says."""
    (reducer,) = copy_reducers([empty])
    reducer.restore(state)
    return reducer


def copy_reducers(empty: Sequence[Reducer]) -> list[Reducer]:
    """Copy empty reducers as another process would get them; quicker than `copy.deepcopy`."""
    made: list[Reducer] = pickle.loads(pickle.dumps(list(empty)))
    return made
