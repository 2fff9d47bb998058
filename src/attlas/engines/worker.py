"""Running one shard: fresh reducers, the model under the tap, their states. Every engine does just this."""

from __future__ import annotations

import logging
import platform
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

import torch

from attlas.corpora.batches import Batch
from attlas.corpora.source import ItemId, PreparedShard, Source, ids_of
from attlas.engines.part import SEEN, PassPart, copy_reducers, state_in_order
from attlas.engines.passes import Pass
from attlas.errors import AttlasError, option
from attlas.reducers.reducer import Reducer
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap import Needs, Observation, Tap

#: hears how many items were just done
Advance = Callable[[int], None]
#: how many threads compute, and whether oneDNN does, is set for the whole process; and threads may share a
#: model, whose attention one of them at a time can watch
_ONE_SHARD = threading.RLock()


def run_shard(
    subject: Subject, pass_: Pass, prepared: PreparedShard, advance: Advance = lambda _: None
) -> PassPart:
    """Run the pass over a shard's items, and return what its reducers saw."""
    counts = prepared.counts.copy()
    ids = ids_of(prepared.items)
    documents = len({item.document for item in ids})
    counts |= {"items": len(ids), "documents": documents, SEEN: prepared.seen}
    attempt = _Attempt(advance)
    while (reducers := _reduce_shard(subject, pass_, prepared, ids, attempt)) is None:
        attempt = _shrink_batches(subject, attempt)
    return PassPart([state_in_order(r) for r in reducers], counts, prepared.problems)


@dataclass
class _Attempt:
    """An attempt at a shard: how far it came, and what did not fit."""

    advance: Advance
    items: int = 0
    batch: Batch | None = None  # the last one
    most: int | None = None  # that a batch may have had, and did not fit

    def done(self, items: int) -> None:
        self.items += items
        self.advance(items)

    def note_last(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            self.batch = batch
            yield batch

    @property
    def tokens(self) -> int:
        """How many tokens the last batch has, with its padding."""
        assert self.batch is not None
        return next(iter(self.batch.sides.values())).real.numel()

    def can_be_smaller(self, source: Source) -> bool:
        """Whether to try a smaller one: not where you chose its size, nor where less did not help."""
        chosen = getattr(source, "batch", None) is not None
        several = self.batch is not None and len(self.batch.ids) > 1
        return several and not chosen and (self.most is None or self.tokens <= self.most)


def _reduce_shard(
    subject: Subject, pass_: Pass, prepared: PreparedShard, ids: Sequence[ItemId], attempt: _Attempt
) -> Sequence[Reducer] | None:
    """Reducers that have seen the shard; None where a batch did not fit, and a smaller one may."""
    reducers = copy_reducers(pass_.reducers)
    try:
        with _ONE_SHARD, _steady_memory(subject), _smaller_batches(subject, pass_.gradients):
            batches = pass_.source.batches(subject, prepared.items) if prepared.items else iter(())
            _choose_watch(pass_)(
                subject, pass_, reducers, attempt.note_last(_mark_ends(batches, ids)), attempt.done
            )
    except torch.OutOfMemoryError as error:
        if attempt.can_be_smaller(pass_.source):
            return None
        raise AttlasError(
            f"{subject.name} leaves too little of the GPU's memory: choose a smaller {option('batch')} or "
            f"{option('length')}"
        ) from error
    return reducers


def _shrink_batches(subject: Subject, last: _Attempt) -> _Attempt:
    """The shard is begun anew: what its reducers had seen is lost, so that nothing is counted twice."""
    subject.batch_tokens = last.tokens // 2
    logging.getLogger("attlas").warning(
        "a batch of %s tokens does not fit into the GPU's memory beside %s: going on with %s",
        f"{last.tokens:,}",
        subject.name,
        f"{subject.batch_tokens:,}",
    )
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    last.advance(-last.items)
    return _Attempt(last.advance, most=subject.batch_tokens)


def _mark_ends(batches: Iterator[Batch], ids: Sequence[ItemId]) -> Iterator[Batch]:
    """Mark with each batch which documents end in it: all of a document is in one shard."""
    left = Counter(item.document for item in ids)
    for batch in batches:
        here = set(batch.ids)
        left.subtract(item.document for item in here)
        yield replace(batch, ends=frozenset(item.document for item in here if left[item.document] <= 0))


def _choose_watch(
    pass_: Pass,
) -> Callable[[Subject, Pass, Sequence[Reducer], Iterator[Batch], Advance], None]:
    """Choose how batches are shown to reducers."""
    if pass_.sweep is not None:
        return _sweep
    if _needs(pass_.reducers) == Needs() and not pass_.edits:
        return _watch_batches_alone
    return _watch_beside if pass_.beside else _watch


def _needs(reducers: Sequence[Reducer]) -> Needs:
    return reduce(or_, (reducer.needs for reducer in reducers), Needs())


def _sweep(
    subject: Subject, pass_: Pass, reducers: Sequence[Reducer], batches: Iterator[Batch], advance: Advance
) -> None:
    assert pass_.sweep is not None
    for seen in pass_.sweep.observations(subject, batches):
        for reducer in reducers:
            reducer.update(seen)
        advance(len(seen.batch.ids))


def _watch_batches_alone(
    subject: Subject, pass_: Pass, reducers: Sequence[Reducer], batches: Iterator[Batch], advance: Advance
) -> None:
    for batch in batches:
        for reducer in reducers:
            reducer.update(Observation(batch, ()))
        advance(len(batch.ids))


def _watch(
    subject: Subject, pass_: Pass, reducers: Sequence[Reducer], batches: Iterator[Batch], advance: Advance
) -> None:
    threads = 1 if pass_.gradients and subject.device.type == "cpu" else torch.get_num_threads()
    with on_threads(threads), Tap(subject, reducers, pass_.edits, pass_.kernel, rows=pass_.rows) as tap:
        for batch in batches:
            _run_batch(subject, tap, pass_, batch)
            advance(len(batch.ids))


def _run_batch(subject: Subject, tap: Tap, pass_: Pass, batch: Batch) -> None:
    if pass_.gradients or tap.needs.losses or tap.needs.direct:
        tap.run(*objective(subject, batch, pass_.seed))
    else:
        tap.run(batch)


def _watch_beside(
    subject: Subject, pass_: Pass, reducers: Sequence[Reducer], batches: Iterator[Batch], advance: Advance
) -> None:
    """Each batch through the first model, then through the others, one at a time: what two of them showed is
    all that is held."""
    needs, per_model = _needs(reducers), len(reducers) // len(pass_.beside)
    seen, beside = _Seen(needs), _Seen(needs)
    with ExitStack() as taps:
        first = taps.enter_context(Tap(subject, [seen], pass_.edits, pass_.kernel, rows=pass_.rows))
        others = [
            taps.enter_context(Tap(other, [beside], kernel=pass_.kernel, rows=pass_.rows))
            for other in pass_.beside
        ]
        for batch in batches:
            first.run(batch)
            for place, other in enumerate(others):
                other.run(batch)
                for reducer in reducers[place * per_model : (place + 1) * per_model]:
                    reducer.update(replace(seen.last, beside=beside.last))
            advance(len(batch.ids))


class _Seen:
    """What a tap showed last, for reducers that see two models at once."""

    def __init__(self, needs: Needs) -> None:
        self.needs = needs
        self.last = Observation(Batch({}, {}, ()))

    def update(self, observation: Observation) -> None:
        self.last = observation


@contextmanager
def on_threads(count: int) -> Iterator[None]:
    """Sums in a backward pass depend on how many threads share them: one gives the same bits everywhere."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _smaller_batches(subject: Subject, gradients: bool) -> Iterator[None]:
    """Batches of fewer tokens where a loss is differentiated: what every layer gave waits for it."""
    if not gradients:
        yield
        return
    before = subject.batch_tokens
    subject.batch_tokens = min(before, subject.gradient_tokens)
    try:
        yield
    finally:
        subject.batch_tokens = before


@contextmanager
def _steady_memory(subject: Subject) -> Iterator[None]:
    """oneDNN compiles a kernel for every new shape of a batch and keeps it, and around what is kept the heap
    falls to pieces: memory would grow with the corpus. In float32 on x86, PyTorch takes only GELU from it."""
    onednn: Any = torch.backends.mkldnn
    before = onednn.enabled
    in_float32 = next(subject.model.parameters()).dtype == torch.float32
    if in_float32 and subject.device.type == "cpu" and platform.machine() in ("x86_64", "AMD64"):
        onednn.enabled = False
    try:
        yield
    finally:
        onednn.enabled = before
