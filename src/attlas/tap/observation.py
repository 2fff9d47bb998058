"""What was seen in one forward pass, handed to every reducer."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch, Tokens
from attlas.tap.needs import Total


@dataclass(frozen=True)
class Seen:
    """What one attention call showed."""

    kind: Kind
    layer: int
    columns: tuple[Total, ...]
    totals: Tensor  # batch head column: a row function summed over a class of queries, per segment
    weights: Tensor | None = None  # batch head query key
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

    def totals(self, wanted: tuple[Total, ...]) -> Tensor:
        """layer batch head column, for the columns wanted."""
        columns = [self.seen[0].columns.index(total) for total in wanted]
        return torch.stack([s.totals for s in self.seen])[..., columns]

    def weights(self) -> Tensor:
        """layer batch head query key."""
        kept = [s.weights for s in self.seen if s.weights is not None]
        return torch.stack(kept)


@dataclass(frozen=True)
class Observation:
    batch: Batch
    seen: tuple[Seen, ...]

    def blocks(self) -> Iterable[Block]:
        groups: dict[tuple[Kind, int], list[Seen]] = {}
        for one in self.seen:
            groups.setdefault((one.kind, one.totals.shape[1]), []).append(one)
        for (kind, _), seen in groups.items():
            yield Block(kind, tuple(seen), self.batch.queries(kind), self.batch.keys(kind))
