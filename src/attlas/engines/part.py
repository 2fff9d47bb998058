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


def merged(empty: Sequence[Reducer], left: PassPart, right: PassPart) -> PassPart:
    """Both together. Every merge goes through states, as one that was resumed from a file does, so that the
    numbers are the same to the last bit."""
    states = []
    for reducer, a, b in zip(empty, left.states, right.states, strict=True):
        both, other = restored(reducer, a), restored(reducer, b)
        both.merge(other)
        states.append(state_of(both))
    return PassPart(states, left.counts + right.counts, (left.problems + right.problems)[:MOST_PROBLEMS])


def state_of(reducer: Reducer) -> State:
    """Its state in the order of the names, as it comes back from a file."""
    return dict(sorted(reducer.state().items()))


def restored(empty: Reducer, state: State) -> Reducer:
    """A copy of an empty reducer that has counted what `state` says."""
    (reducer,) = copies([empty])
    reducer.restore(state)
    return reducer


def copies(empty: Sequence[Reducer]) -> list[Reducer]:
    """Of empty reducers, as another process would get them; quicker than `copy.deepcopy`."""
    made: list[Reducer] = pickle.loads(pickle.dumps(list(empty)))
    return made
