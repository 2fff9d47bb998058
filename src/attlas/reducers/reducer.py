"""What a reducer is: a small mergeable object that counts what it observes; and sums, which most keep.

Two halves merged equal the whole. That one property gives streaming, resuming after a crash, and scaling out.

`ItemMeans` keeps seven sums in float64 of everything (`attlas.statistics.clusters.MOMENTS`), so that every
mean has its standard error over documents, without a row for every document: the items of a document come in
several batches of a shard, and all of them in one shard. So a document is open until its last batch, which
the worker names (`Batch.ends`); then what it adds to the sums over documents is added, and it is forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import KINDS, Kind
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.row import Row
from attlas.statistics.clusters import MOMENTS, Estimates, estimates
from attlas.tap.observation import Observer

#: everything counted so far: arrays of any dtype, as a file of safetensors takes them
State = dict[str, npt.NDArray[Any]]


class Reducer(Observer, Protocol):
    """An observer that merges: `merge` adds another reducer of the same making; `state` and `restore` carry
    everything counted so far through a file. What it makes of its counts is its own business: most have
    `rows`. An engine copies empty reducers, and sends them to other processes, by pickling them."""

    @property
    def name(self) -> str: ...

    def merge(self, other: Self) -> None: ...

    def state(self) -> State: ...

    def restore(self, state: State) -> None: ...


class HasRows(Reducer, Protocol):
    """A reducer whose counts are statistics of heads."""

    def rows(self) -> list[Row]: ...


def check_numbers(values: Tensor) -> None:
    """A model whose weights are broken would otherwise pass for one whose heads know nothing."""
    if bool(values.isnan().any()):
        raise AttlasError("the attention of the model is not a number: its weights are broken")


def reading_order(key: str) -> tuple[int, int]:
    """Sorts keys `kind` or `kind.layer` as a reader would."""
    kind, _, layer = key.partition(".")
    return KINDS.index(cast(Kind, kind)), int(layer or 0)


def layer_of(key: str) -> tuple[Kind, int]:
    """The kind and layer of a key `kind.layer`, whatever stands after a slash."""
    kind, _, layer = key.partition("/")[0].partition(".")
    return cast(Kind, kind), int(layer)


#: document ... (the sums of several documents) -> ... (what they add to the sums over documents)
Close = Callable[[Tensor], Tensor]
OVER_ITEMS = 3  # of the moments: their number, the sum, and that of squares


class Sums:
    """Tensors under string keys, to which others are added. They stay on the device they came from until
    they are asked for. A reducer that keeps nothing else is a `Sums` with `needs` and `update`."""

    def __init__(self) -> None:
        self.sums: dict[str, Tensor] = {}

    def add(self, key: str, sums: Tensor) -> None:
        before = self.sums.get(key)
        self.sums[key] = sums if before is None else before.to(sums.device) + sums

    def merge(self, other: Self) -> None:
        for key, sums in other.sums.items():
            self.add(key, sums)

    def state(self) -> State:
        return {key: sums.cpu().numpy() for key, sums in self.sums.items()}

    def restore(self, state: State) -> None:
        self.sums = {key: torch.from_numpy(np.array(sums)) for key, sums in state.items()}


class ItemMeans(Sums):
    """Means over items, under string keys; all items weigh the same, and documents are what was drawn. A
    document's items must all be shown to one of the reducers that are merged: shards are whole documents."""

    def __init__(self) -> None:
        super().__init__()  # key -> 7 ...
        self.open: dict[str, OpenDocuments] = {}

    def add_items(self, key: str, values: Tensor, present: Tensor, batch: Batch) -> None:
        """The items of a batch: `values` is item ..., and `present` (broadcastable) says which count."""
        values = torch.where(present, values.double(), 0.0)
        counted = present.expand_as(values).double()
        if key not in self.open:
            self.open[key] = OpenDocuments(_over_documents)
        both = torch.stack([counted, values], 1)  # item 2 ...
        ended = self.open[key].add(both, batch)
        if ended is None:
            ended = both.new_zeros(len(MOMENTS) - OVER_ITEMS, *both.shape[2:])
        self.add(key, torch.cat([both.sum(0), values.square().sum(0, keepdim=True), ended]))

    def merge(self, other: Self) -> None:
        for key, sums in other.moments().items():
            self.add(key, sums)

    def moments(self) -> dict[str, Tensor]:
        """The sums, as if no open document went on."""
        return {key: self._moments(key) for key in self.sums}

    def _moments(self, key: str) -> Tensor:
        sums, rest = self.sums[key], self.open[key].rest() if key in self.open else None
        if rest is None:
            return sums
        return sums + torch.cat([torch.zeros_like(sums[:OVER_ITEMS]), rest.to(sums.device)])

    def state(self) -> State:
        return {key: sums.cpu().numpy() for key, sums in self.moments().items()}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.open = {}

    def mean(self, key: str) -> Estimates:
        return estimates(self._moments(key).cpu().numpy())


def _over_documents(sums: Tensor) -> Tensor:
    """4 ...: documents, sum², sum·items and items², of documents' items and sums (document 2 ...)."""
    items, total = sums.unbind(1)
    items_squared, total_squared = sums.square().sum(0)
    documents = (items > 0).sum(0, dtype=torch.float64)
    return torch.stack([documents, total_squared, (total * items).sum(0), items_squared])


def table(means: ItemMeans, columns: Sequence[tuple[str, str]], end: str = "") -> list[Row]:
    """The rows of means kept as `kind.layer` (and an `end`) -> head column, which is (statistic, group)."""
    rows = []
    for key in sorted((k.removesuffix(end) for k in means.sums if k.endswith(end)), key=reading_order):
        kind, _, layer = key.partition(".")
        rows += estimate_rows(cast(Kind, kind), int(layer), means.mean(key + end), columns)
    return rows


def estimate_rows(kind: Kind, layer: int, known: Estimates, columns: Sequence[tuple[str, str]]) -> list[Row]:
    """The rows of one layer, from means by head and column."""
    rows = []
    for head, i in zip(*np.nonzero(known.items), strict=True):
        statistic, group = columns[i]
        rows.append(Row(kind, layer, int(head), statistic, group, *known.for_row(head, i)))
    return rows


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
        self.sums = enlarge(self.sums, (rows, *sums.shape[1:]), sums)
        # no place is named twice, so that the order of additions is the same on every device
        more = sums if len(kept) == len(sums) else sums[_places([i for i, _ in kept], sums)]
        more = enlarge(more, (len(kept), *self.sums.shape[1:]), sums)
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


def enlarge(old: Tensor | None, shape: tuple[int, ...], like: Tensor) -> Tensor:
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
