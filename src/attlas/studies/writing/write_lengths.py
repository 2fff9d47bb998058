"""How much a head writes, beside the stream and beside its layer's other heads, and in which direction."""

from __future__ import annotations

import torch

from attlas.reducers.reducer import Row
from attlas.reducers.sums import ItemMeans, table
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

COLUMNS = ("write_length", "write_beside_layer", "write_cosine")


class WriteLengths(ItemMeans):
    """Of the vector that a head adds to the residual stream, averaged over tokens: `write_length`, its length
    over the stream's; `write_beside_layer`, its length over the mean of its layer's heads; `write_cosine`,
    its cosine with the stream, below 0 where it takes away from what is there."""

    name = "write_lengths"
    needs = Needs(writes=True)

    def update(self, observation: Observation) -> None:
        for write in observation.writes:
            real = observation.batch.queries(write.kind).real  # batch query
            lengths = write.lengths.double()  # batch query head
            columns = [
                lengths / write.stream.double().clamp(min=1e-30)[..., None],
                lengths / lengths.mean(-1, keepdim=True).clamp(min=1e-30),
                write.cosines.double(),
            ]
            values = torch.stack(columns, -1).masked_fill(~real[..., None, None], 0.0)
            tokens = real.sum(-1)[:, None, None]  # batch 1 1
            of_items = values.sum(1) / tokens.clamp(min=1)  # batch head column
            self.add_items(f"{write.kind}.{write.layer}", of_items, tokens > 0, observation.batch)

    def rows(self) -> list[Row]:
        return table(self, [(name, "") for name in COLUMNS])
