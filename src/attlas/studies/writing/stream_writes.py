"""How much a head writes into the stream, and what else decides it: massive activations, and gates.

A few entries of the residual stream may be thousands of times larger than the others, mostly at the token
where attention rests (Sun et al. 2024). A gate multiplies what a head gives before it is written, so that
a head can rest without a sink (Qwen3-Next)."""

from __future__ import annotations

import pandas as pd
import torch

from attlas.reducers.reducer import ItemMeans, Sums, layer_of, reading_order, table
from attlas.row import Row
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

LENGTHS = ("write_length", "write_beside_layer", "write_cosine")


class WriteLengths(ItemMeans):
    """Measures of the vector that a head adds to the residual stream, averaged over tokens: `write_length`,
    its length over the stream's; `write_beside_layer`, its length over the mean of its layer's heads;
    `write_cosine`, its cosine with the stream, below 0 where it takes away from what is there."""

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
        return table(self, [(name, "") for name in LENGTHS])


class StreamEntries(ItemMeans):
    """Entries of the stream that each layer's attention adds to: the largest at the first token, that at the
    other tokens on average, and the median entry over all tokens; entries whatever their sign."""

    name = "stream_entries"
    needs = Needs(writes=True)

    def update(self, observation: Observation) -> None:
        for write in observation.writes:
            real = observation.batch.queries(write.kind).real  # batch query
            first = real & (real.cumsum(-1) == 1)
            others = real & ~first
            columns = [
                _mean(write.largest, first),
                _mean(write.largest, others),
                _mean(write.median, real),
            ]
            there = torch.stack([first.any(-1), others.any(-1), real.any(-1)], -1)  # batch column
            self.add_items(f"{write.kind}.{write.layer}", torch.stack(columns, -1), there, observation.batch)


class LargestDimensions(Sums):
    """Counts of texts in which each dimension of the stream has the largest entry at the first token."""

    name = "largest_dimensions"
    needs = Needs(writes=True)

    def update(self, observation: Observation) -> None:
        for write in observation.writes:
            real = observation.batch.queries(write.kind).real
            first = real & (real.cumsum(-1) == 1)
            counts = torch.bincount(write.dimension[first], minlength=write.width)
            self.add(f"{write.kind}.{write.layer}", counts.double())


def entry_table(entries: StreamEntries, dimensions: LargestDimensions) -> pd.DataFrame:
    """Each layer: the largest entry at the first token (`first`) and at others, the median entry, how many
    medians the first is, the dimension that it is mostly in, and in which share of texts."""
    rows = []
    for key in sorted(entries.sums, key=reading_order):
        known, counts = entries.mean(key), dimensions.sums[key]
        first, others, median = known.mean.tolist()
        dimension = int(counts.argmax())
        share = float(counts[dimension] / counts.sum().clamp(min=1))
        numbers = first, float(known.stderr[0]), others, median, first / max(median, 1e-30)
        rows.append((*layer_of(key), *numbers, dimension, share, int(known.items[0])))
    columns = ["kind", "layer", "first", "stderr", "others", "median", "medians", "dimension", "share", "n"]
    return pd.DataFrame(rows, columns=columns)


class GateMeans(ItemMeans):
    """What a gate multiplies a head's output by, averaged over its dimensions and over tokens."""

    name = "gate_means"
    needs = Needs(writes=True)

    def update(self, observation: Observation) -> None:
        for write in observation.writes:
            if write.gates is None:
                continue
            real = observation.batch.queries(write.kind).real
            values = _mean(write.gates.transpose(1, 2), real[:, None])[..., None]  # batch head column
            there = real.any(-1)[:, None, None]
            self.add_items(f"{write.kind}.{write.layer}", values, there, observation.batch)

    def rows(self) -> list[Row]:
        return table(self, [("write_gate", "")])


def _mean(values: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """The mean over the last axis, of the values that count."""
    sums = values.double().masked_fill(~counts, 0.0).sum(-1)
    return sums / counts.sum(-1).clamp(min=1)
