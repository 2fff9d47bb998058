"""What HeadVis shows of a head: texts from five intervals of its largest weight, with its attention in them.

Two passes over the same segments: the first finds each head's largest weight in each, the second keeps the
attention of the texts that were chosen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

import numpy as np
import numpy.typing as npt
import torch

from attlas.address import Kind
from attlas.array_types import Floats
from attlas.corpora.batches import sides_of
from attlas.corpora.source import ItemId, Source
from attlas.engines import Pass
from attlas.headvis.headvis_format import (
    BINS,
    DISTANCE_EDGES,
    IN_AN_INTERVAL,
    IN_THE_TOP,
    INTERVALS,
    KEYS_OF_A_ROW,
    LEAST_WEIGHT,
    TOP_TOKENS,
    HeadFile,
    Histogram,
    Sequence,
    TokenWeight,
)
from attlas.reducers.items import TokenLists
from attlas.reducers.kept_arrays import ItemArrays
from attlas.reducers.reducer import Reducer
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.tap import Needs, Observation

Address = tuple[int, int]  # layer, head
#: places (query * length + key) and weights
SparseMap = tuple[npt.NDArray[np.int64], Floats]


def head_files(subject: Subject, source: Source, kind: Kind, run: RunPass) -> dict[Address, HeadFile]:
    """What each head's file holds. The source is read twice, and must be small enough for that."""
    reducers: list[Reducer] = [LargestWeights(kind), TokenLists()]
    first = run(Pass("largest", source, reducers, doing="largest weights"))
    largest, lists = first.reducer(LargestWeights), first.reducer(TokenLists).lists
    ids, by_head = largest.items(), largest.by_head()
    chosen = {address: _choose_items(values) for address, values in by_head.items()}
    by_item = {address: {ids[number] for number in numbers} for address, numbers in chosen.items()}
    strongest, doing = StrongestOfRows(kind, by_item), "attention in chosen texts"
    kept = run(Pass("sequences", source, [strongest], doing=doing)).reducer(StrongestOfRows)
    _, side = sides_of(kind)
    tokens = [subject.spell(lists[item, side].tolist()) for item in ids]
    return {
        address: _make_head_file(
            {number: kept.map_of(address, ids[number]) for number in chosen[address]},
            values,
            chosen[address],
            tokens,
        )
        for address, values in by_head.items()
    }


class LargestWeights(ItemArrays):
    """Each head's largest weight in each item, but for the first row and column, where it is parked."""

    name = "largest_weights"
    needs = Needs(lazy_weights=True)

    def __init__(self, kind: Kind) -> None:
        super().__init__()  # layer -> head
        self.kind = kind

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        queries, keys = (_after_first(side(self.kind).real) for side in (batch.queries, batch.keys))
        for call in observation.calls:
            if call.kind == self.kind:
                assert call.lazy_weights is not None
                most = torch.zeros(len(queries), call.heads, device=queries.device)
                for start, rows in call.lazy_weights.blocks():
                    inside = queries[:, None, start : start + rows.shape[2], None] & keys[:, None, None]
                    most = torch.maximum(most, (rows * inside).amax((2, 3)))
                for item, weights in zip(batch.ids, most.double().cpu().numpy(), strict=True):
                    self.kept[item, str(call.layer)] = weights

    def by_head(self) -> dict[Address, Floats]:
        """Layer and head -> item."""
        items, layers = self.items(), sorted({int(layer) for _, layer in self.kept})
        by_layer = {layer: np.stack([self.kept[item, str(layer)] for item in items]) for layer in layers}
        return {
            (layer, head): weights[:, head]
            for layer, weights in by_layer.items()
            for head in range(weights.shape[1])
        }


class StrongestOfRows(ItemArrays):
    """The attention of heads in the items that are chosen for each: the strongest weights of every row."""

    name = "strongest_of_rows"
    needs = Needs(lazy_weights=True)

    def __init__(
        self, kind: Kind, chosen: Mapping[Address, Collection[ItemId]], keys: int = KEYS_OF_A_ROW
    ) -> None:
        super().__init__()  # layer.head/places, layer.head/weights
        self.kind, self.chosen, self.keys = kind, chosen, keys

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        real = batch.keys(self.kind).real
        for call in observation.calls:
            if call.kind == self.kind:
                assert call.lazy_weights is not None
                weights, at = (t.cpu() for t in call.lazy_weights.strongest(self.keys))
                for row, item in enumerate(batch.ids):
                    begins, length = int(real[row].int().argmax()), int(real[row].sum())
                    here = slice(begins, begins + length)
                    for head in range(call.heads):
                        if item in self.chosen.get((call.layer, head), ()):
                            strongest = weights[row, head, here], at[row, head, here] - begins
                            kept = zip(("places", "weights"), _sparse_map(*strongest, length), strict=True)
                            self.kept |= {(item, f"{call.layer}.{head}/{name}"): part for name, part in kept}

    def map_of(self, address: Address, item: ItemId) -> SparseMap:
        at = "{}.{}".format(*address)
        return self.kept[item, f"{at}/places"], self.kept[item, f"{at}/weights"]


def _after_first(real: torch.Tensor) -> torch.Tensor:
    """Mark real tokens but for the first of each text."""
    return real & (real.long().cumsum(-1) > 1)


def _sparse_map(weights: torch.Tensor, keys: torch.Tensor, length: int) -> SparseMap:
    """Keep those of the strongest weights of each row (row k) that count, by place: query * length + key."""
    places = torch.arange(len(weights))[:, None] * length + keys
    counts = (weights >= LEAST_WEIGHT) & (keys >= 0) & (keys < length)
    order = places[counts].argsort()
    return places[counts][order].numpy(), weights[counts][order].double().numpy()


def _choose_items(largest: Floats) -> dict[int, int]:
    """Item -> interval, from 1: the strongest items of the top fifth, and some from across each other one."""
    order = np.argsort(largest, kind="stable")
    chosen: dict[int, int] = {}
    for interval, items in enumerate(np.array_split(order, INTERVALS), 1):
        if interval == INTERVALS:
            some = items[::-1][:IN_THE_TOP]
        else:
            places = np.linspace(0, len(items) - 1, min(IN_AN_INTERVAL, len(items))).round().astype(int)
            some = items[places]
        chosen |= {int(item): interval for item in some}
    return chosen


def _make_head_file(
    kept: Mapping[int, SparseMap],
    largest: Floats,
    chosen: Mapping[int, int],
    tokens: list[list[str]],
) -> HeadFile:
    sequences: list[Sequence] = [
        {
            "sequence_id": number,
            "interval": chosen[number],
            "tokens": tokens[number],
            "attention_indices": kept[number][0].tolist(),
            "attention_values": kept[number][1].round(4).tolist(),
            "seq_len": len(tokens[number]),
            "max_activation": round(float(largest[number]), 4),
        }
        for number in sorted(kept, key=lambda n: (chosen[n], -largest[n], n))
    ]
    edges = np.linspace(0, 1, BINS + 1)
    return {
        "sequences": sequences,
        "qk_distance_histogram": distance_histogram(sequences),
        "top_query_tokens": top_tokens(sequences, "query"),
        "top_key_tokens": top_tokens(sequences, "key"),
        "histogram": {
            "bin_edges": edges.round(4).tolist(),
            "bin_values": np.histogram(largest, edges)[0].tolist(),
        },
        "statistics": {
            "n_samples": len(sequences),
            "mean_max_activation": round(float(largest.mean()), 4) if len(largest) else None,
        },
    }


def distance_histogram(sequences: list[Sequence]) -> Histogram:
    """Sum the kept attention by |q - k|."""
    sums = np.zeros(len(DISTANCE_EDGES) - 1)
    for sequence in sequences:
        query, key = np.divmod(np.array(sequence["attention_indices"], int), max(1, sequence["seq_len"]))
        place = np.searchsorted(DISTANCE_EDGES, np.abs(query - key), side="right") - 1
        np.add.at(sums, place, np.array(sequence["attention_values"]))
    return {"bin_edges": [float(e) for e in DISTANCE_EDGES], "bin_values": sums.round(4).tolist()}


def top_tokens(sequences: list[Sequence], side: str) -> list[TokenWeight]:
    """Rank tokens by the kept attention that they give, or get."""
    weights: dict[str, float] = defaultdict(float)
    for sequence in sequences:
        for place, value in zip(sequence["attention_indices"], sequence["attention_values"], strict=True):
            query, key = divmod(place, sequence["seq_len"])
            weights[sequence["tokens"][query if side == "query" else key]] += value
    strongest = sorted(weights.items(), key=lambda item: -item[1])[:TOP_TOKENS]
    return [{"token": token, "weight": round(w, 4)} for token, w in strongest]
