"""What was seen in one forward pass, handed to every reducer."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch, Tokens
from attlas.tap.look import Look
from attlas.tap.needs import Total


class Unsummed(NamedTuple):
    """Totals as a fused kernel leaves them: sums over blocks of queries, still to be added up."""

    blocks: Tensor  # ... head block place
    places: tuple[int, ...]  # where each total is

    def added_up(self) -> Tensor:
        """... head column."""
        sums = self.blocks.sum(-2)
        return sums.index_select(-1, places(self.places, sums.device))


@dataclass(frozen=True)
class Seen:
    """What one attention call showed."""

    kind: Kind
    layer: int
    columns: tuple[Total, ...]
    sums: Tensor | Unsummed  # what `totals` are, or are made of
    weights: Tensor | None = None  # batch head query key
    look: Look | None = None
    classes: tuple[str, ...] = ()
    gradients: Tensor | None = None  # batch head class: Σ|dL/dα| over the class's keys
    pairs: Tensor | None = None  # batch class: how many weights each of those sums covers

    @property
    def heads(self) -> int:
        return (self.sums.blocks if isinstance(self.sums, Unsummed) else self.sums).shape[1]

    @property
    def totals(self) -> Tensor:
        """batch head column: a row function summed over a class of queries, per segment."""
        return self.sums.added_up() if isinstance(self.sums, Unsummed) else self.sums


@dataclass(frozen=True)
class Block:
    """Calls of one kind that are alike in shape, side by side: the unit that reducers compute on."""

    kind: Kind
    seen: tuple[Seen, ...]
    queries: Tokens
    keys: Tokens

    @property
    def layers(self) -> tuple[int, ...]:
        return tuple(s.layer for s in self.seen)

    @property
    def columns(self) -> tuple[Total, ...]:
        return self.seen[0].columns

    @property
    def heads(self) -> int:
        return self.seen[0].heads

    @cached_property
    def unsummed(self) -> Unsummed | None:
        """layer batch head block place, where a fused kernel left totals so."""
        left = [s.sums for s in self.seen if isinstance(s.sums, Unsummed)]
        return Unsummed(torch.stack([each.blocks for each in left]), left[0].places) if left else None

    @cached_property
    def _totals(self) -> Tensor:
        """layer batch head column, all of them."""
        if self.unsummed is None:
            return torch.stack([s.totals for s in self.seen])
        return self.unsummed.added_up()

    def totals(self, wanted: tuple[Total, ...]) -> Tensor:
        """layer batch head column, for the columns wanted."""
        columns = _columns(self.columns, wanted)
        return self._totals.index_select(-1, places(columns, self._totals.device))

    @cached_property
    def counts(self) -> Tensor:
        """class batch, float64: how many queries of each class there are, then how many keys."""
        if self.queries is self.keys:
            return self.queries.counts
        return torch.cat([self.queries.counts, self.keys.counts])

    def count_of(self, side: Literal["queries", "keys"], name: str) -> int:
        """The place of a class among `counts`."""
        shift = len(self.queries.names) if side == "keys" and self.queries is not self.keys else 0
        return shift + (self.queries if side == "queries" else self.keys).names.index(name)


@dataclass(frozen=True)
class Observation:
    batch: Batch
    seen: tuple[Seen, ...]

    def blocks(self) -> Iterable[Block]:
        return self._blocks

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        groups: dict[tuple[Any, ...], list[Seen]] = {}
        for one in self.seen:
            left = (one.sums.blocks.shape, one.sums.places) if isinstance(one.sums, Unsummed) else None
            groups.setdefault((one.kind, one.heads, left), []).append(one)
        return tuple(
            Block(seen[0].kind, tuple(seen), self.batch.queries(seen[0].kind), self.batch.keys(seen[0].kind))
            for seen in groups.values()
        )


@lru_cache
def _columns(known: tuple[Total, ...], wanted: tuple[Total, ...]) -> tuple[int, ...]:
    return tuple(known.index(total) for total in wanted)


@lru_cache
def places(chosen: tuple[int, ...], device: torch.device) -> Tensor:
    """Indices, kept on the device: bringing even a few numbers to a GPU makes the host wait for it."""
    return torch.tensor(chosen, dtype=torch.long, device=device)
