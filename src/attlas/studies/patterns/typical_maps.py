"""A head's contact sheet: the maps of the texts in which it does about what it does on average."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from attlas.address import Head
from attlas.corpora.source import ItemId, seeded
from attlas.reducers.kept_arrays import Arrays, KeptArrays, take_rows
from attlas.reducers.reducer import layer_of, reading_order
from attlas.studies.patterns.pattern_scores import PatternScores, columns_of
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

FAR = 9.0  # further than any score is from another


class TypicalMaps(KeptArrays):
    """Keep for each head the `keep` items whose score for the head's own pattern is nearest to the head's
    mean, and the weights between the first `tokens` tokens of each. A head without a pattern gets items at
    random. Ties go to the item that comes first. For a sample of items, not for a corpus."""

    name = "typical_maps"
    needs = Needs(lazy_weights=True)

    def __init__(
        self, wanted: Mapping[Head, tuple[str, int, float]], keep: int = 4, tokens: int = 32, seed: int = 0
    ) -> None:
        super().__init__()  # head rank ...: how far from the mean, items, maps
        self.wanted = dict(wanted)
        self.most, self.tokens, self.seed = keep, tokens, seed
        patterns = dict.fromkeys(pattern for pattern, _, _ in wanted.values())
        self.columns = columns_of(patterns)
        self.measure = PatternScores(tuple(patterns), seed) if patterns else None

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.kind == "cross" or call.lazy_weights is None:
                continue
            # batch head column; NaN where an item has no score
            scores = None if self.measure is None else self.measure.by_item(observation, call)
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
                shown = call.lazy_weights.rows(first, past)[row][:, :, first:past].float().cpu().numpy()
                maps[:, row, : past - first, : past - first] = shown
            ids = np.broadcast_to(np.array(observation.batch.ids, np.int64), (heads, rows, 2))
            self.keep(f"{call.kind}.{call.layer}", {"far": far, "items": ids, "maps": maps})

    def keep(self, layer: str, arrays: Arrays) -> None:
        both = self.with_kept(layer, arrays)
        items = both["items"]
        order = np.lexsort((items[..., 1], items[..., 0], both["far"]))[:, : self.most]
        self.kept[layer] = take_rows(both, order)

    def arrays(self) -> Arrays:
        """`kind.typical` (head rank query key) of all heads of a kind in reading order, and
        `kind.typical_items` (head rank 2), which items they are of."""
        layers = sorted(self.kept, key=reading_order)
        arrays: Arrays = {}
        for kind in dict.fromkeys(layer_of(layer)[0] for layer in layers):
            of_kind = [self.kept[layer] for layer in layers if layer_of(layer)[0] == kind]
            maps, items = (np.concatenate([kept[name] for kept in of_kind]) for name in ("maps", "items"))
            arrays[f"{kind}.typical"] = maps.astype(np.float16)  # for looking at
            arrays[f"{kind}.typical_items"] = items
        return arrays

    def items(self) -> set[ItemId]:
        return {
            ItemId(*item) for kept in self.kept.values() for item in kept["items"].reshape(-1, 2).tolist()
        }
