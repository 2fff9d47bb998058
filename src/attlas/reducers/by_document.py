"""Sums by document: what standard errors over documents are made of, without a row for every document.

The items of a document come in several batches of a shard, and all of them in one shard. So a document is
open until its last batch, which the worker names (`Batch.ends`); then what it adds to the sums over documents
is added, and it is forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import torch
from torch import Tensor

from attlas.corpora.batches import Batch

#: document ... (the sums of several documents) -> ... (what they add to the sums over documents)
Close = Callable[[Tensor], Tensor]


class OpenDocuments:
    """The sums of the documents that may go on. `close` says what a document leaves behind."""

    def __init__(self, close: Close) -> None:
        self.close = close
        self.places: dict[int, int] = {}  # document -> its place in `sums`
        self.sums: Tensor | None = None  # place ...

    def add(self, values: Tensor, batch: Batch) -> Tensor | None:
        """Adds the items of a batch (`values` is item ...). Gives what the documents leave that end here."""
        numbers, sums = sums_by_document(values, [item.document for item in batch.ids])
        ended = [i for i, number in enumerate(numbers) if batch.ends is not None and number in batch.ends]
        done = [i for i in ended if numbers[i] not in self.places]  # all of it is in this batch
        if len(done) == len(numbers):
            return self.close(sums)
        whole = set(done)
        self._keep([(i, number) for i, number in enumerate(numbers) if i not in whole], sums)
        parts = [self.close(sums[_places(done, sums)])] if done else []
        if last := [self.places.pop(numbers[i]) for i in ended if numbers[i] in self.places]:
            assert self.sums is not None
            places = _places(last, sums)
            parts.append(self.close(self.sums[places]))
            self.sums.index_fill_(0, places, 0)
        if not self.places:
            self.sums = None
        return torch.stack(parts).sum(0) if parts else None

    def _keep(self, kept: list[tuple[int, int]], sums: Tensor) -> None:
        free = sorted(set(range(len(self.places) + len(kept))) - set(self.places.values()), reverse=True)
        for _, number in kept:
            if number not in self.places:
                self.places[number] = free.pop()
        rows = max(self.places.values()) + 1
        self.sums = grown(self.sums, (rows, *sums.shape[1:]), sums)
        # no place is named twice, so that the order of additions is the same on every device
        more = sums if len(kept) == len(sums) else sums[_places([i for i, _ in kept], sums)]
        more = grown(more, (len(kept), *self.sums.shape[1:]), sums)
        self.sums.index_add_(0, _places([self.places[number] for _, number in kept], sums), more)

    def rest(self) -> Tensor | None:
        """What all open documents would leave if they ended here."""
        if not self.places or self.sums is None:
            return None
        return self.close(self.sums[sorted(self.places.values())])


def sums_by_document(values: Tensor, documents: list[int]) -> tuple[list[int], Tensor]:
    """The documents of a batch, in order, and their sums (document ...) of items (item ...)."""
    order = sorted(range(len(documents)), key=lambda i: documents[i])
    numbers = sorted(set(documents))
    if len(numbers) == 1:
        return numbers, values.sum(0, keepdim=True)
    if order != list(range(len(order))):
        values = values[_places(order, values)]
    if len(numbers) == len(documents):
        return numbers, values
    items = Counter(documents)
    lengths = _places([items[n] for n in numbers], values)
    # in order, where `index_add` would take a GPU's, which differs from run to run
    sums = torch.segment_reduce(values.flatten(1), "sum", lengths=lengths, unsafe=True)
    return numbers, sums.view(len(numbers), *values.shape[1:])


def grown(old: Tensor | None, shape: tuple[int, ...], like: Tensor) -> Tensor:
    """The same numbers in a tensor of at least that shape, with zeros around them, where `like` is."""
    if old is None:
        return like.new_zeros(shape)
    largest = tuple(map(max, old.shape, shape))
    if old.shape == largest and old.device == like.device:
        return old
    larger = like.new_zeros(largest)
    larger[tuple(slice(0, size) for size in old.shape)] = old
    return larger


def _places(numbers: list[int], like: Tensor) -> Tensor:
    """On its device. From pinned memory, so that the host does not wait until a GPU is done."""
    places = torch.tensor(numbers, dtype=torch.long, pin_memory=like.is_cuda)
    return places.to(like.device, non_blocking=True)
