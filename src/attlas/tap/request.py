"""What a kernel is asked for in every call of a kind: made of the observers' needs, once a forward pass."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch, Tokens
from attlas.corpora.source import ItemId
from attlas.tap.needs import Distance, Mass, Needs, Offset, RowFunction, Total


@dataclass(frozen=True, eq=False)
class Layout:
    """How totals are made of row functions and groups of queries. One is only like itself: what is known of
    it is looked up in every pass, and comparing all its parts takes longer than a layer's attention."""

    totals: tuple[Total, ...]
    functions: tuple[RowFunction, ...]
    groups: tuple[str, ...]

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The classes of keys whose masses are among the functions."""
        return tuple(f.on for f in self.functions if isinstance(f, Mass))


NOTHING = Layout((), (), ())


@dataclass(frozen=True)
class KernelRequest:
    """Row functions in order, added up over groups of queries; and perhaps the weights."""

    functions: tuple[RowFunction, ...]
    features: Tensor  # batch key class: a column for each Mass among the functions, True on its members
    real: Tensor  # batch key: True on tokens, False on padding
    groups: Tensor  # batch group query: True on members, or how many rows each stands for
    layout: Layout = NOTHING
    weights: bool = False
    lazy_weights: bool = False  # whether `LazyWeights` will be asked: a kernel may leave `Rows` for them
    places: Tensor | None = None  # batch query: where each query stands; None: the i-th is the i-th token
    items: tuple[ItemId, ...] = ()  # what the rows of the batch are, by which rows are sampled
    # what a kernel made of this for itself, kept for the next layer
    prepared: dict[Any, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def kinds(self) -> tuple[Tensor, Tensor]:
        """Keys of the same classes are of one kind: each key's (batch key), and its classes (kind class)."""
        members = self.features.flatten(0, 1) != 0
        kind = torch.zeros(len(members), dtype=torch.long)
        for some in torch.split(members, 32, dim=1):  # as the bits of a number
            bits = (some * 2 ** torch.arange(some.shape[1])).sum(-1)
            kind = torch.unique(kind * 2**32 + bits, return_inverse=True)[1]
        classes = torch.empty(int(kind.max()) + 1, members.shape[1], device=members.device)
        classes[kind] = members.to(classes.dtype)
        return kind.view(self.features.shape[:2]).int(), classes

    @cached_property
    def first(self) -> Tensor:
        """batch: where the segment's first token stands."""
        return self.real.int().argmax(-1)

    def on(self, device: torch.device) -> KernelRequest:
        """The same on another device."""
        if device == self.real.device:
            return self
        here = (tensor.to(device) for tensor in (self.features, self.real, self.groups))
        features, real, groups = here
        return replace(self, features=features, real=real, groups=groups, prepared={})

    def add_up(self, rows: Tensor) -> Tensor:
        """batch head query function -> batch head total."""
        sums = torch.einsum("bgq,bhqf->bhgf", self.groups.to(rows.dtype), rows).flatten(2)
        columns = tuple(range(len(self.functions)))
        return sums.index_select(-1, on_device(places(self.layout, columns, len(columns)), rows.device))

    @staticmethod
    def nothing(batch: int, keys: int, device: torch.device, lazy_weights: bool = False) -> KernelRequest:
        """The output alone."""
        empty = torch.empty(batch, keys, 0, device=device)
        return KernelRequest((), empty, empty.bool(), empty[:, :0], lazy_weights=lazy_weights)


def request_for(needs: Needs, batch: Batch, kind: Kind) -> KernelRequest:
    queries, keys = batch.queries(kind), batch.keys(kind)
    layout = _layout(needs.totals, kind, frozenset(queries.classes), frozenset(keys.classes))
    return KernelRequest(
        layout.functions,
        _members(keys, layout.classes).movedim(0, -1),
        keys.real,
        _members(queries, layout.groups).movedim(0, 1),
        layout,
        needs.weights,
        needs.lazy_weights,
        items=batch.ids,
    )


def _members(tokens: Tokens, classes: tuple[str, ...]) -> Tensor:
    """class batch token"""
    places = tuple(map(tokens.names.index, classes))
    return tokens.members_of_all.index_select(0, on_device(places, tokens.real.device))


@lru_cache
def _layout(totals: frozenset[Total], kind: Kind, queries: frozenset[str], keys: frozenset[str]) -> Layout:
    """The totals that mean something: a class may not exist on this side; offsets are for one sequence."""

    def has_meaning(total: Total) -> bool:
        if total.over not in {*queries, "all"}:
            return False
        match total.of:
            case Offset():
                return kind != "cross"
            case Distance(rest=rest):
                return kind == "decoder" if rest else kind != "cross"
            case Mass(on):
                return on in {*keys, "all"}
            case _:
                return True

    chosen = tuple(t for t in sorted(totals, key=repr) if has_meaning(t))
    functions = dict.fromkeys(t.of for t in chosen)
    return Layout(chosen, tuple(functions), tuple(dict.fromkeys(t.over for t in chosen)))


@lru_cache
def places(layout: Layout, columns: tuple[int, ...], width: int) -> tuple[int, ...]:
    """Where each total is among sums of (group column), `width` columns a group, if `columns` says in which
    each row function is."""
    group, function = layout.groups.index, layout.functions.index
    return tuple(group(t.over) * width + columns[function(t.of)] for t in layout.totals)


@lru_cache
def on_device(numbers: tuple[int, ...], device: torch.device, dtype: torch.dtype = torch.long) -> Tensor:
    """Indices, kept on the device: bringing even a few numbers to a GPU makes the host wait for it."""
    return torch.tensor(numbers, dtype=dtype, device=device)
