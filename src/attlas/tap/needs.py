"""The language in which an observer says what it needs, so that the tap computes only that; and the request
that every call of a kind gets, made of the observers' needs once a forward pass.

A *row function* turns one row of weights (one query's) into a number. A `Total` is its sum over a class of
queries within each segment: with the number of those queries it gives a segment's mean. Classes are names;
the batch says which tokens belong to each (`attlas.corpora.batches.Tokens`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch, Tokens
from attlas.corpora.source import ItemId


@dataclass(frozen=True)
class Offset:
    """The weight on the token `by` places to the right of the query; 0 where there is none."""

    by: int


@dataclass(frozen=True)
class Mass:
    """The weight on all keys of a class."""

    on: str


@dataclass(frozen=True)
class Entropy:
    """-Σ α ln α in nats. `smoothing` ε first mixes the row with the uniform one: (1-ε)α + ε/n."""

    smoothing: float = 0.0


@dataclass(frozen=True)
class Largest:
    """The largest weight."""


@dataclass(frozen=True)
class Distance:
    """How far the row looks: Σ α |q - k|^power, in tokens. `rest` leaves out the segment's first token."""

    power: Literal[1, 2] = 1
    rest: bool = False


RowFunction = Offset | Mass | Entropy | Largest | Distance


@dataclass(frozen=True)
class Total:
    """A row function summed over the queries of a class."""

    of: RowFunction
    over: str = "all"


@dataclass(frozen=True)
class Needs:
    """Everything a set of observers asks of one forward pass. Who needs nothing is shown batches alone."""

    totals: frozenset[Total] = field(default_factory=frozenset)
    norm_totals: frozenset[Total] = field(default_factory=frozenset)  # of weights by norm (`tap.by_norm`)
    weights: bool = False  # all of them, (batch head query key)
    lazy_weights: bool = False  # questions to every call once its pass is over (`attlas.tap.lazy_weights`)
    moved: bool = False  # how long the vectors are that weights move
    gradients: frozenset[str] = field(default_factory=frozenset)  # Σ|dL/dα| over the keys of these classes
    head_outputs: bool = False  # what each head gives, summed over a row's real queries
    gates: bool = False  # dL/dgate of each head, a factor of what it gives, at 1
    output: bool = False  # what the model returns, its predictions included
    losses: bool = False  # one a row of the batch
    writes: bool = False  # what each head adds to the residual stream (`attlas.tap.stream`)
    direct: bool = False  # what each part adds to the logits of targets (`attlas.tap.direct`)
    direct_sent: bool = False  # and what each head sends to the unembedding there, added up over tokens
    direct_vectors: bool = False  # the same, token by token
    direct_reads: bool = False  # and what each number that a head gives counts for these logits
    hidden_states: bool = False  # what goes into the first layer, and what comes out of each

    @property
    def differentiates(self) -> bool:
        """Whether a loss has to be differentiated for it."""
        return bool(self.gradients) or self.gates

    @property
    def every_row(self) -> bool:
        """Whether a sample of rows is not enough for it."""
        return self.weights or self.lazy_weights or self.head_outputs or self.differentiates

    def __or__(self, other: Needs) -> Needs:
        return Needs(*(getattr(self, f.name) | getattr(other, f.name) for f in fields(self)))


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
