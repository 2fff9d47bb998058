"""Rows drawn at random, the same for every head of a kind, and where each head looks most in them.

The strongest examples of a head show it at its clearest, and mislead about what it does most of the time. A
random sample of rows shows its whole range: its weakest fifth, its middle, its strongest fifth.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt
import torch

from attlas.address import Head, Kind
from attlas.corpora.source import ItemId, seeded
from attlas.reducers.reducer import State, reading_order
from attlas.studies.surface.examples import NOTHING, ItemExample, strongest_in_rows
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

STEPS = 5
RANDOM = 3  # rows that are shown as they were drawn


class _Drawn(NamedTuple):
    """The rows with the smallest numbers, smallest first."""

    numbers: npt.NDArray[np.int64]  # row
    weights: npt.NDArray[np.float64]  # head row 2: excess and weight of the strongest key
    places: npt.NDArray[np.int64]  # head row 4: document, place, query, key


class ExampleRows:
    """The `keep` rows to which the seed gives the smallest numbers, whoever sees them first. Rows and excess
    are those of `Examples`."""

    name = "row_sample"
    needs = Needs(lazy_weights=True)

    def __init__(self, keep: int = 1000, seed: int = 0) -> None:
        self.keep, self.seed = keep, seed
        self.drawn: dict[str, _Drawn] = {}  # by kind.layer

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        for call in observation.calls:
            rows = strongest_in_rows(call, batch)
            excess = rows.excess.cpu()  # batch head query
            numbers = self._numbers(batch.ids, rows.real_query.cpu().numpy())  # batch query
            counts = (excess > NOTHING).all(1).numpy()
            item, query = np.nonzero(counts)
            order = np.argsort(numbers[item, query], kind="stable")[: self.keep]
            item, query = item[order], query[order]
            at = torch.from_numpy(item), slice(None), torch.from_numpy(query)
            weights = torch.stack([excess[at], rows.weights.cpu()[at].double()], -1)  # row head 2
            ids = np.array(batch.ids, np.int64).reshape(-1, 2)[item]
            asked = np.concatenate([ids, rows.real_query.cpu().numpy()[item, query][:, None]], 1)
            key = rows.real_keys.cpu()[at].numpy()  # row head
            heads = key.shape[1]
            places = np.concatenate([np.repeat(asked[:, None], heads, 1), key[..., None]], -1)
            self._keep(
                f"{call.kind}.{call.layer}",
                _Drawn(numbers[item, query], weights.transpose(0, 1).numpy(), places.transpose(1, 0, 2)),
            )

    def _numbers(self, ids: tuple[ItemId, ...], query: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """batch query: a number of 63 bits for every row, by the item's id and the query's place in it."""
        items = np.array([seeded(self.seed, "row", *item) for item in ids], np.uint64)
        with np.errstate(over="ignore"):  # splitmix64
            mixed = items[:, None] + np.uint64(0x9E3779B97F4A7C15) * (query.astype(np.uint64) + np.uint64(1))
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
        numbers: npt.NDArray[np.int64] = (mixed >> np.uint64(1)).astype(np.int64)
        return numbers

    def _keep(self, name: str, more: _Drawn) -> None:
        if name in self.drawn:
            known = self.drawn[name]
            more = _Drawn(
                np.concatenate([known.numbers, more.numbers]),
                np.concatenate([known.weights, more.weights], 1),
                np.concatenate([known.places, more.places], 1),
            )
        ids = (more.places[0, :, column] for column in (2, 1, 0))
        order = np.lexsort((*ids, more.numbers))[: self.keep]
        self.drawn[name] = _Drawn(more.numbers[order], more.weights[:, order], more.places[:, order])

    def merge(self, other: ExampleRows) -> None:
        for name, drawn in other.drawn.items():
            self._keep(name, drawn)

    def state(self) -> State:
        return {
            f"{name}/{what}": np.ascontiguousarray(array)
            for name, drawn in self.drawn.items()
            for what, array in drawn._asdict().items()
        }

    def restore(self, state: State) -> None:
        names = dict.fromkeys(key.partition("/")[0] for key in state)
        self.drawn = {n: _Drawn(*(np.array(state[f"{n}/{what}"]) for what in _Drawn._fields)) for n in names}

    def examples(self) -> list[ItemExample]:
        """For each head, the middle row of each fifth of its rows by excess, weakest first, and the first few
        as they were drawn."""
        examples = []
        for name in sorted(self.drawn, key=reading_order):
            kind, _, layer = name.partition(".")
            drawn = self.drawn[name]
            for head, (weights, places) in enumerate(zip(drawn.weights, drawn.places, strict=True)):
                order = np.argsort(weights[:, 0], kind="stable")
                many = len(order)
                chosen = [(f"step {s}", order[(2 * s + 1) * many // (2 * STEPS)]) for s in range(STEPS)]
                chosen = (chosen if many >= STEPS else []) + [("random", r) for r in range(min(RANDOM, many))]
                for sample, row in chosen:
                    document, place, query, key = (int(p) for p in places[row])
                    where = Head(cast(Kind, kind), int(layer), head)
                    item = ItemId(document, place)
                    examples.append(ItemExample(where, float(weights[row, 1]), item, query, key, sample))
        return examples
