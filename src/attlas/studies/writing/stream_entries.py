"""Massive activations, and gates: what a model has beside its heads that decides how much they write.

A few entries of the residual stream may be thousands of times larger than the others, mostly at the token
where attention rests (Sun et al. 2024). A gate multiplies what a head gives before it is written, so that a
head can rest without a sink (Qwen3-Next).
"""

from __future__ import annotations

import pandas as pd
import torch

from attlas.reducers.reducer import Row, reading_order
from attlas.reducers.sums import ItemMeans, Sums, table
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

COLUMNS = ("first", "others", "median")


class StreamEntries(ItemMeans):
    """Of the stream that each layer's attention adds to: its largest entry at the first token, that at the
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
    """In how many texts each dimension of the stream has the largest entry at the first token."""

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
        kind, _, layer = key.partition(".")
        known, counts = entries.mean(key), dimensions.sums[key]
        first, others, median = known.mean.tolist()
        dimension = int(counts.argmax())
        share = float(counts[dimension] / counts.sum().clamp(min=1))
        numbers = first, float(known.stderr[0]), others, median, first / max(median, 1e-30)
        rows.append((kind, int(layer), *numbers, dimension, share, int(known.items[0])))
    columns = ["kind", "layer", *COLUMNS[:1], "stderr", *COLUMNS[1:], "medians", "dimension", "share", "n"]
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
    """Over the last axis, of those that count."""
    sums = values.double().masked_fill(~counts, 0.0).sum(-1)
    return sums / counts.sum(-1).clamp(min=1)
