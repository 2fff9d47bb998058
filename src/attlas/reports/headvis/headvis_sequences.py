"""What HeadVis shows of a head: texts from five intervals of its largest weight, with its attention in them.

Two runs over the same segments: the first finds each head's largest weight in each, the second keeps the
attention of the texts that were chosen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt
import torch

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.corpora.source import ItemId, Source
from attlas.reports.headvis.headvis_format import (
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
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap

Floats = npt.NDArray[np.float64]
Address = tuple[int, int]  # layer, head


def head_files(subject: Subject, source: Source, kind: Kind) -> dict[Address, HeadFile]:
    """By layer and head. The source is read twice, and must be small enough for that."""
    largest = _Largest(kind)
    _show(subject, source, largest)
    chosen = {address: _chosen(values) for address, values in largest.by_head().items()}
    kept = _StrongestOfRows(kind, largest.ids, chosen)
    _show(subject, source, kept)
    tokens = {number: subject.spell(ids) for number, ids in kept.token_ids.items()}
    return {
        address: _head_file(kept.sequences[address], values, chosen[address], tokens)
        for address, values in largest.by_head().items()
    }


def _show(subject: Subject, source: Source, observer: _Largest | _StrongestOfRows) -> None:
    with Tap(subject, [observer]) as tap:
        for batch in _batches(subject, source):
            tap.run(batch)


def _batches(subject: Subject, source: Source) -> Iterator[Batch]:
    """Of as many items as the source is limited to."""
    left = source.limit
    for shard in source.shards():
        items = source.prepare(shard, left).items
        items = items if left is None else items[:left]
        yield from source.batches(subject, items)
        left = None if left is None else left - len(items)
        if left == 0:
            return


class _Largest:
    """Each head's largest weight in each item, but for the first row and column, where it is parked."""

    needs = Needs(lazy_weights=True)

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.ids: list[ItemId] = []
        self.values: dict[int, list[Floats]] = {}  # layer -> batches of (item head)

    def update(self, observation: Observation) -> None:
        self.ids += observation.batch.ids
        batch = observation.batch
        queries, keys = (_but_first(side(self.kind).real) for side in (batch.queries, batch.keys))
        for call in observation.calls:
            if call.kind == self.kind:
                assert call.lazy_weights is not None
                most = torch.zeros(len(queries), call.heads, device=queries.device)
                for start, rows in call.lazy_weights.blocks():
                    inside = queries[:, None, start : start + rows.shape[2], None] & keys[:, None, None]
                    most = torch.maximum(most, (rows * inside).amax((2, 3)))
                self.values.setdefault(call.layer, []).append(most.double().cpu().numpy())

    def by_head(self) -> dict[Address, Floats]:
        """Layer and head -> item."""
        layers = {layer: np.concatenate(parts) for layer, parts in sorted(self.values.items())}
        return {(layer, h): values[:, h] for layer, values in layers.items() for h in range(values.shape[1])}


class _StrongestOfRows:
    """The attention of chosen heads in chosen items: the strongest weights of every row."""

    needs = Needs(lazy_weights=True)

    def __init__(self, kind: Kind, ids: list[ItemId], chosen: Mapping[Address, Mapping[int, int]]) -> None:
        self.kind = kind
        self.numbers = {item: number for number, item in enumerate(ids)}
        self.chosen = chosen
        self.token_ids: dict[int, list[int]] = {}
        self.sequences: dict[Address, dict[int, tuple[list[int], list[float], int]]] = {a: {} for a in chosen}

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        numbers = [self.numbers[item] for item in batch.ids]
        keys = batch.keys(self.kind)
        assert keys.ids is not None
        for row, number in enumerate(numbers):
            self.token_ids[number] = keys.ids[row][keys.real[row]].tolist()
        for call in observation.calls:
            if call.kind == self.kind:
                assert call.lazy_weights is not None
                weights, at = (t.cpu() for t in call.lazy_weights.strongest(KEYS_OF_A_ROW))
                for row, number in enumerate(numbers):
                    begins, length = int(keys.real[row].int().argmax()), int(keys.real[row].sum())
                    real = slice(begins, begins + length)
                    for head in range(call.heads):
                        if number in self.chosen[call.layer, head]:
                            sparse = _sparse(weights[row, head, real], at[row, head, real] - begins, length)
                            self.sequences[call.layer, head][number] = (*sparse, length)


def _but_first(real: torch.Tensor) -> torch.Tensor:
    return real & (real.long().cumsum(-1) > 1)


def _sparse(weights: torch.Tensor, keys: torch.Tensor, length: int) -> tuple[list[int], list[float]]:
    """Of the strongest weights of each row (row k), those that count, by place: query * length + key."""
    places = torch.arange(len(weights))[:, None] * length + keys
    counts = (weights >= LEAST_WEIGHT) & (keys >= 0) & (keys < length)
    order = places[counts].argsort()
    values = weights[counts][order].double().numpy().round(4)
    return places[counts][order].tolist(), values.tolist()


def _chosen(largest: Floats) -> dict[int, int]:
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


def _head_file(
    kept: Mapping[int, tuple[list[int], list[float], int]],
    largest: Floats,
    chosen: Mapping[int, int],
    tokens: Mapping[int, list[str]],
) -> HeadFile:
    sequences: list[Sequence] = [
        {
            "sequence_id": number,
            "interval": chosen[number],
            "tokens": tokens[number],
            "attention_indices": kept[number][0],
            "attention_values": kept[number][1],
            "seq_len": kept[number][2],
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
    """Attention by |q - k|, over all that is kept."""
    sums = np.zeros(len(DISTANCE_EDGES) - 1)
    for sequence in sequences:
        query, key = np.divmod(np.array(sequence["attention_indices"], int), max(1, sequence["seq_len"]))
        place = np.searchsorted(DISTANCE_EDGES, np.abs(query - key), side="right") - 1
        np.add.at(sums, place, np.array(sequence["attention_values"]))
    return {"bin_edges": [float(e) for e in DISTANCE_EDGES], "bin_values": sums.round(4).tolist()}


def top_tokens(sequences: list[Sequence], side: str) -> list[TokenWeight]:
    """Tokens by the attention that they give, or get, in all that is kept."""
    weights: dict[str, float] = defaultdict(float)
    for sequence in sequences:
        for place, value in zip(sequence["attention_indices"], sequence["attention_values"], strict=True):
            query, key = divmod(place, sequence["seq_len"])
            weights[sequence["tokens"][query if side == "query" else key]] += value
    strongest = sorted(weights.items(), key=lambda item: -item[1])[:TOP_TOKENS]
    return [{"token": token, "weight": round(w, 4)} for token, w in strongest]
