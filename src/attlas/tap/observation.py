"""What was seen in one forward pass, handed to every reducer."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch, Tokens
from attlas.tap.look import Look
from attlas.tap.needs import Total


@dataclass(frozen=True)
class Seen:
    """What one attention call showed."""

    kind: Kind
    layer: int
    columns: tuple[Total, ...]
    totals: Tensor  # batch head column: a row function summed over a class of queries, per segment
    weights: Tensor | None = None  # batch head query key
    look: Look | None = None
    classes: tuple[str, ...] = ()
    gradients: Tensor | None = None  # batch head class: Σ|dL/dα| over the class's keys
    pairs: Tensor | None = None  # batch class: how many weights each of those sums covers


@dataclass(frozen=True)
class Block:
    """Calls of one kind with equally many heads, side by side: the unit that reducers compute on."""

    kind: Kind
    seen: tuple[Seen, ...]
    queries: Tokens
    keys: Tokens

    @property
    def layers(self) -> tuple[int, ...]:
        return tuple(s.layer for s in self.seen)

    @cached_property
    def _totals(self) -> Tensor:
        """layer batch head column, all of them."""
        return torch.stack([s.totals for s in self.seen])

    def totals(self, wanted: tuple[Total, ...]) -> Tensor:
        """layer batch head column, for the columns wanted."""
        columns = _columns(self.seen[0].columns, wanted)
        return self._totals.index_select(-1, places(columns, self._totals.device))


@dataclass(frozen=True)
class Observation:
    batch: Batch
    seen: tuple[Seen, ...]

    def blocks(self) -> Iterable[Block]:
        return self._blocks

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        groups: dict[tuple[Kind, int], list[Seen]] = {}
        for one in self.seen:
            groups.setdefault((one.kind, one.totals.shape[1]), []).append(one)
        return tuple(
            Block(kind, tuple(seen), self.batch.queries(kind), self.batch.keys(kind))
            for (kind, _), seen in groups.items()
        )


@lru_cache
def _columns(known: tuple[Total, ...], wanted: tuple[Total, ...]) -> tuple[int, ...]:
    return tuple(known.index(total) for total in wanted)


@lru_cache
def places(chosen: tuple[int, ...], device: torch.device) -> Tensor:
    """Indices, kept on the device: bringing even a few numbers to a GPU makes the host wait for it."""
    return torch.tensor(chosen, dtype=torch.long, device=device)
