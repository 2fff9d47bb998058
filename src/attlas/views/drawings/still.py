"""What a still picture shows: the chosen maps between the chosen units, and the colours of the theme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from attlas.array_types import Floats32
from attlas.choices import ThemeName
from attlas.corpora.token_text import WORD_GOES_ON
from attlas.views.contract import NameKind, Scene, SceneName, Selection, Side
from attlas.views.inputs import SIDES, LayerMaps, Maps
from attlas.views.rows import FAINTEST, Strongest, row_divisor

Bools = npt.NDArray[np.bool_]
TIMES_EVEN = 4  # links are drawn at full strength from this many times the weight of even attention on
LADDER = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5)
MOST_LINKS = 4000


@dataclass(frozen=True)
class Colours:
    page: str
    ink: str
    quiet: str
    edge: str
    positive: str
    negative: str


COLOURS: dict[ThemeName, Colours] = {
    "light": Colours("#ffffff", "#1b2028", "#5a6472", "#cfd6df", "#0067b1", "#c1470a"),
    "dark": Colours("#14171c", "#e8ebf0", "#a3adbb", "#3a424e", "#58b4f5", "#f08a4b"),
}


@dataclass(frozen=True)
class Unit:
    """A piece, or a word of several pieces: from `start` to before `end`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Still:
    """A view with what is chosen in it."""

    scene: Scene
    maps: Maps
    selection: Selection
    theme: ThemeName
    width: float | None = None
    dots: int = 200  # pixels an inch, where the picture has pixels

    @property
    def colours(self) -> Colours:
        return COLOURS[self.theme]

    @cached_property
    def layer(self) -> LayerMaps:
        return next(maps for maps in self.maps.layers if maps.layer == self.selection["layer"])

    @property
    def heads(self) -> list[int]:
        """The chosen heads whose rows are there."""
        chosen = [head for head in self.selection["heads"] if head in self.layer.heads]
        return chosen or self.layer.heads

    def colour(self, head: int) -> str:
        palette = self.scene["palette"][self.theme]
        return palette[head % len(palette)]

    def colour_of_weight(self, head: int, weight: float) -> str:
        """The head's colour; of signed numbers, that of the sign."""
        if not self.maps.signed:
            return self.colour(head)
        return self.colours.positive if weight > 0 else self.colours.negative

    @cached_property
    def names(self) -> dict[tuple[NameKind, int, int], SceneName]:
        """Kind of name, layer and head -> what the head is called."""
        return {
            (name["kind"], layer, head): name
            for name in self.scene["names"]
            for attention, layer, head, _ in name["heads"]
            if attention == self.selection["attention"]
        }

    @cached_property
    def queries(self) -> list[Unit]:
        return self._units(0)

    @cached_property
    def keys(self) -> list[Unit]:
        return self._units(1)

    def _units(self, end: Literal[0, 1]) -> list[Unit]:
        names = SIDES[self.maps.attention]
        side = self.scene["sides"][names[end]]
        sentences = self.selection["sentences"]
        apart = names[0] == names[1] and side["b_start"] is not None and sentences != "all"
        return units_of(
            side, self.selection["level"] == "words", sentences.split("-")[end] if apart else "all"
        )

    def weights(
        self, head: int, layer: LayerMaps | None = None, without_first: bool | None = None
    ) -> Floats32:
        """query key, between units."""
        layer = layer or self.layer
        index = layer.heads.index(head)
        whole = dense_map(layer, index)
        if self.selection["weighting"] == "norm" and layer.value_norms is not None:
            brought = whole * layer.value_norms[index]
            whole = brought / np.maximum(brought.sum(axis=-1, keepdims=True), FAINTEST)
        if self.without_first if without_first is None else without_first:
            whole = _drop_first_key(whole, layer, index)
        if self.selection["level"] == "pieces" and (len(self.queries), len(self.keys)) == whole.shape:
            return whole
        return between(whole, self.queries, self.keys)

    @property
    def without_first(self) -> bool:
        """Whether weights on the first token are left out: rows must be shares, and tiles know of them."""
        tiles = self.layer.tiles
        known = tiles is None or tiles.first is not None
        return self.selection["without_first"] and self.maps.shares and known

    def first_share(self, head: int, layer: LayerMaps | None = None) -> Floats32:
        """query: what each unit puts on the first token."""
        layer = layer or self.layer
        index = layer.heads.index(head)
        if layer.tiles is not None and layer.tiles.first is not None:
            return np.repeat(layer.tiles.first[index], layer.tiles.size)[: len(self.queries)]
        first = dense_map(layer, index)[:, 0]
        return np.array([first[unit.start : unit.end].mean() for unit in self.queries])

    def head_first(self, head: int, layer: LayerMaps) -> float:
        """What a head puts on the first token: the mean over tokens that can look elsewhere."""
        if layer.tiles is not None and layer.tiles.first is not None:
            _, queries, _ = layer.shape
            return float(layer.tiles.mean_first(queries, self.maps.causal)[layer.heads.index(head)])
        return float(self.first_share(head, layer)[self.maps.causal :].mean())

    def bound(self, head: int, layer: LayerMaps, query: Unit) -> float:
        """No weight that was cut off the rows of a unit is larger than this."""
        index = layer.heads.index(head)
        if not isinstance(layer.weights, Strongest):
            return 0.0
        rows = slice(query.start, query.end)
        kept, rest = layer.weights.weights[index, rows], layer.weights.rest[index, rows]
        largest = np.minimum(kept.min(axis=-1), rest)
        if self.selection["weighting"] == "norm" and layer.value_norms is not None:
            norms = layer.value_norms[index]
            brought = kept * norms[layer.weights.columns[index, rows]]
            largest = largest * norms.max() / np.maximum(brought.sum(axis=-1), FAINTEST)
        return float(largest.max())

    @cached_property
    def ceiling(self) -> float:
        """The weight from which links are drawn strongest: in the sharpest head nine rows in ten stay below.
        What is pinned has a scale of its own."""
        if self.selection["pinned"]:
            asked = [np.abs(weights[self.asked_links(weights)]) for weights in map(self.weights, self.heads)]
            return (
                max((float(magnitudes.max()) for magnitudes in asked if magnitudes.size), default=0.0) or 1.0
            )
        largest = [np.abs(self.weights(head)).max(axis=-1) for head in self.heads]
        # even attention is pale: hundreds of links at full strength would be one dark mass
        even = min(1.0, TIMES_EVEN / len(self.keys)) if self.maps.shares else 0.0
        return max(even, *(ceiling_of(rows, self.maps.shares) for rows in largest))

    def asked_links(self, weights: Floats32) -> Bools:
        """query key: all links, or those of the pinned tokens, where there are any."""
        pinned = self.selection["pinned"]
        chosen = np.full(weights.shape, not pinned)
        for end, piece in pinned:
            for i, unit in enumerate(self.queries if end == "query" else self.keys):
                if unit.start <= piece < unit.end:
                    chosen[(i, slice(None)) if end == "query" else (slice(None), i)] = True
        return chosen

    @cached_property
    def threshold(self) -> float:
        """The chosen one, or the first that leaves few enough links."""
        if self.selection["threshold"] is not None:
            return self.selection["threshold"]
        maps = [np.abs(self.weights(head)) for head in self.heads]
        unit = 1.0 if self.maps.shares else self.ceiling
        for step in LADDER:
            if sum(int((weights >= step * unit).sum()) for weights in maps) <= MOST_LINKS:
                return step * unit
        return LADDER[-1] * unit

    @property
    def name(self) -> str:
        """How the heads are called under a picture."""
        layer, heads = self.layer.layer, self.heads
        if "rollout" in self.selection["attention"]:
            return f"rollout up to layer {layer}"
        if heads == self.layer.heads and len(heads) > 1:
            return f"layer {layer}, all {len(heads)} heads"
        if len(heads) == 1:
            return f"head {layer}.{heads[0]}"
        return f"layer {layer}, heads {', '.join(map(str, heads))}"

    @property
    def title(self) -> str:
        kinds = len(self.scene["attentions"]) > 1 and "rollout" not in self.selection["attention"]
        several = kinds and any(attention["attention"] == "cross" for attention in self.scene["attentions"])
        kind = f" · {self.selection['attention']}" if several else ""
        norms = " · by norm" if self.selection["weighting"] == "norm" else ""
        first = " · without the first token" if self.without_first else ""
        return f"{fit_text(self.scene['title'], 40)}{kind} · {self.name}{norms}{first}"


def units_of(side: Side, words: bool, sentence: str) -> list[Unit]:
    """Pieces, or words joined from pieces; only those of a sentence, where one is named."""
    split = len(side["tokens"]) if side["b_start"] is None else side["b_start"]
    result: list[Unit] = []
    for i, token in enumerate(side["tokens"]):
        if words and result and side["words"] and side["words"][i] == side["words"][i - 1]:
            last = result[-1]
            result[-1] = Unit(join_pieces(last.text, token), last.start, i + 1)
        else:
            result.append(Unit(token, i, i + 1))
    return [unit for unit in result if sentence == "all" or (sentence == "a") == (unit.start < split)]


def join_pieces(before: str, token: str) -> str:
    """Two pieces of a word: without WordPiece's mark, and a character of both only once."""
    if len(before) > 1 and before.endswith("…") and token.startswith(f"…{before[-2]}"):
        return before[:-1] + token[2:]
    return before + token.removeprefix(WORD_GOES_ON)


def between(weights: Floats32, queries: Sequence[Unit], keys: Sequence[Unit]) -> Floats32:
    """Weights between units: the sum over the pieces of a key, the mean over those of a query."""
    columns = np.stack([weights[:, key.start : key.end].sum(axis=1) for key in keys], axis=1)
    rows: Floats32 = np.stack([columns[query.start : query.end].mean(axis=0) for query in queries])
    return rows


def dense_map(layer: LayerMaps, index: int) -> Floats32:
    """query key: all weights that are kept."""
    if not isinstance(layer.weights, Strongest):
        whole: Floats32 = layer.weights[index]
        return whole
    _, queries, keys = layer.shape
    full = np.zeros((queries, keys), dtype=np.float32)
    np.put_along_axis(full, layer.weights.columns[index], layer.weights.weights[index], axis=-1)
    return full


def _drop_first_key(weights: Floats32, layer: LayerMaps, index: int) -> Floats32:
    """query key: nothing on the first key, and rows that sum to 1 again, with what was cut off of them; but
    for rows that leave too little."""
    left = weights.copy()
    left[:, 0] = 0
    rest = layer.weights.rest[index][:, None] if isinstance(layer.weights, Strongest) else 0
    return np.asarray(left / row_divisor(left.sum(axis=-1, keepdims=True) + rest))


def ceiling_of(largest: Floats32, shares: bool = True) -> float:
    """The 90th percentile of the largest weights of rows; for scores, the largest of all. Of a long text, the
    rows are sampled, as on the page."""
    if not shares:
        return float(largest.max()) or 1.0
    seen = np.sort(largest[:: max(1, len(largest) // 512)])
    return float(seen[int((len(seen) - 1) * 0.9)]) or 1.0


def strength(weights: Any, ceiling: float) -> Any:
    """0 to 1: how strongly a weight is drawn."""
    return np.minimum(1, np.abs(weights) / ceiling)


def fit_text(text: str, most: int = 24) -> str:
    """Text cut to what fits, with nothing that matplotlib or XML would take for its own."""
    kept = "".join(character if character.isprintable() else "\ufffd" for character in text)
    return (kept if len(kept) <= most else kept[: most - 1] + "…").replace("$", r"\$")


def weight_text(weight: float) -> str:
    """A weight as people read it: two digits that mean something."""
    size = abs(weight)
    if size < 0.0005:
        return "0" if size == 0 else "<0.001"
    return f"{weight:.3g}" if size >= 10 else f"{weight:.2f}" if size >= 0.0995 else f"{weight:.3f}"
