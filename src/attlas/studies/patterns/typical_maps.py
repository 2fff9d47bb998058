"""A head's contact sheet: the maps of the texts in which it does about what it does on average."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from attlas.address import Head, Kind
from attlas.corpora.source import ItemId, seeded
from attlas.reducers.reducer import State, reading_order
from attlas.studies.patterns.pattern_scores import PatternScores, columns_of
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Array = npt.NDArray[Any]
FAR = 9.0  # further than any score is from another


class TypicalMaps:
    """For each head the `keep` items whose score for the head's own pattern is nearest to the head's mean,
    and the weights between the first `tokens` tokens of each. A head without a pattern gets items at random.
    Ties go to the item that comes first. For a sample of items, not for a corpus."""

    name = "typical_maps"
    needs = Needs(lazy_weights=True)

    def __init__(
        self, wanted: Mapping[Head, tuple[str, int, float]], keep: int = 4, tokens: int = 32, seed: int = 0
    ) -> None:
        self.wanted = dict(wanted)
        self.keep, self.tokens, self.seed = keep, tokens, seed
        patterns = dict.fromkeys(pattern for pattern, _, _ in wanted.values())
        self.columns = columns_of(patterns)
        self.measure = PatternScores(tuple(patterns), seed) if patterns else None
        self.kept: dict[str, Array] = {}  # kind.layer/what -> head rank ...

    def update(self, observation: Observation) -> None:
        for call, scores in self._scored(observation):
            weights = call.lazy_weights
            real = observation.batch.queries(call.kind).real
            heads, rows = call.heads, len(real)
            far = np.full((heads, rows), FAR)
            for row, item in enumerate(observation.batch.ids):
                far[:, row] = FAR + seeded(self.seed, "typical", *item) / 2**63
            for head in range(heads):
                pattern, scale, mean = self.wanted.get(Head(call.kind, call.layer, head), ("", 0, 0.0))
                if scores is not None and pattern:
                    head_scores = scores[:, head, self.columns.index((pattern, scale))]
                    far[head] = np.where(np.isnan(head_scores), far[head], np.abs(head_scores - mean))
            maps = np.zeros((heads, rows, self.tokens, self.tokens), np.float32)
            for row in range(rows):
                places = real[row].nonzero()[: self.tokens, 0]
                first, past = int(places[0]), int(places[-1]) + 1
                shown = weights.rows(first, past)[row][:, :, first:past].float().cpu().numpy()
                maps[:, row, : past - first, : past - first] = shown
            ids = np.broadcast_to(np.array(observation.batch.ids, np.int64), (heads, rows, 2))
            self._keep(f"{call.kind}.{call.layer}", {"far": far, "items": ids, "maps": maps})

    def _scored(self, observation: Observation) -> Any:
        """The calls of self-attention, each with batch head column or None; NaN where an item has no
        score."""
        for call in observation.calls:
            if call.kind == "cross":
                continue
            yield call, None if self.measure is None else self.measure.by_item(observation, call)

    def _keep(self, layer: str, arrays: Mapping[str, Array]) -> None:
        both = {
            what: np.concatenate([self.kept[f"{layer}/{what}"], new], 1)
            if f"{layer}/{what}" in self.kept
            else new
            for what, new in arrays.items()
        }
        items = both["items"]
        order = np.lexsort((items[..., 1], items[..., 0], both["far"]))[:, : self.keep]
        for what, array in both.items():
            at = order.reshape(*order.shape, *[1] * (array.ndim - 2))
            self.kept[f"{layer}/{what}"] = np.take_along_axis(array, at, 1)

    def merge(self, other: TypicalMaps) -> None:
        for layer in dict.fromkeys(key.partition("/")[0] for key in other.kept):
            self._keep(layer, {what: other.kept[f"{layer}/{what}"] for what in ("far", "items", "maps")})

    def state(self) -> State:
        return {key: np.ascontiguousarray(array) for key, array in self.kept.items()}

    def restore(self, state: State) -> None:
        self.kept = {key: np.array(array) for key, array in state.items()}

    def arrays(self) -> dict[str, Array]:
        """`kind.typical` (head rank query key) of all heads of a kind in reading order, and
        `kind.typical_items` (head rank 2), which items they are of."""
        layers = sorted(dict.fromkeys(key.partition("/")[0] for key in self.kept), key=reading_order)
        arrays: dict[str, Array] = {}
        for kind in dict.fromkeys(cast(Kind, layer.partition(".")[0]) for layer in layers):
            kind_layers = [layer for layer in layers if layer.startswith(f"{kind}.")]
            maps = np.concatenate([self.kept[f"{layer}/maps"] for layer in kind_layers])
            arrays[f"{kind}.typical"] = maps.astype(np.float16)  # for looking at
            arrays[f"{kind}.typical_items"] = np.concatenate(
                [self.kept[f"{layer}/items"] for layer in kind_layers]
            )
        return arrays

    def items(self) -> set[ItemId]:
        return {
            ItemId(*item)
            for key, array in self.kept.items()
            if key.endswith("/items")
            for item in array.reshape(-1, 2).tolist()
        }
