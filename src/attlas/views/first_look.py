"""Where a view opens when nobody said: on the heads that tell most about this text, and why those. Where no
atlas knows better, heads get names for what they do on this text, by the same rules as an atlas has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from attlas.array_types import Floats32
from attlas.corpora.token_text import PUNCTUATION, WORD_BEGINS
from attlas.options.view_options import ViewOptions
from attlas.row import Row
from attlas.views.contract import SceneName, SideName
from attlas.views.head_names import names_of
from attlas.views.inputs import SIDES, LayerMaps, Maps
from attlas.views.rows import Strongest
from attlas.views.text_measures import NAMES
from attlas.views.tokens import is_special


def names_on(maps: Sequence[Maps], tokens: Mapping[SideName, Sequence[str]]) -> list[SceneName]:
    """The names that the rules give the heads of these maps; none where there is nothing to measure."""
    import pandas as pd

    from attlas.studies.behaviours import behaviours

    named: list[Row] = []
    for kind_maps in maps:
        rows = _rule_rows(kind_maps, tokens[SIDES[kind_maps.attention][1]])
        queries, keys = kind_maps.shape
        visible = np.log(np.arange(1, queries + 1)).mean() if kind_maps.causal else math.log(keys)
        if rows:
            named += behaviours(rows, math.log(keys), float(visible))
    if not any(row.group != "none" for row in named):
        return []
    columns = ["kind", "layer", "head", "statistic", "group", "value"]
    values = [[getattr(row, name) for name in columns] for row in named]
    return names_of(pd.DataFrame(values, columns=columns))


def _rule_rows(maps: Maps, tokens: Sequence[str]) -> list[Row]:
    """The statistics of each head on this text, as far as the rules ask for them."""
    statistics = {name: statistic for statistic, name in NAMES.items()}
    classes = _class_places(tokens)
    rows: list[Row] = []
    for layer in maps.layers:
        if not layer.measures:
            continue
        numbers = {statistics[name]: values for name, values in layer.measures.items()}
        if layer.tiles is None:
            numbers |= {("to_class", name): _mass_on(layer, places) for name, places in classes.items()}
        for (statistic, group), values in numbers.items():
            for head, value in zip(layer.heads, values, strict=True):
                rows.append(
                    Row(maps.attention, layer.layer, head, statistic, group, float(value), math.nan, 1)
                )
    return rows


def _class_places(tokens: Sequence[str]) -> dict[str, list[int]]:
    """Class -> where its tokens are, of the classes that this text has."""
    marks = " " + "".join(WORD_BEGINS)

    places: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        text = token.strip(marks)
        if text in ("[CLS]", "<s>"):
            places.setdefault("cls", []).append(place)
        elif text in ("[SEP]", "</s>"):
            places.setdefault("sep", []).append(place)
        elif text in PUNCTUATION:
            places.setdefault("punct", []).append(place)
    return places


def _mass_on(layer: LayerMaps, places: Sequence[int]) -> NDArray[np.float64]:
    """head: the mean over rows of the weight on these keys; for rows cut short, a lower bound."""
    if isinstance(layer.weights, Strongest):
        there = np.isin(layer.weights.columns, places)
        return np.asarray((layer.weights.weights * there).sum(axis=-1).mean(axis=-1, dtype=np.float64))
    return np.asarray(layer.weights[:, :, list(places)].sum(axis=-1).mean(axis=-1, dtype=np.float64))


MOST_HEADS = 4
_FAINTEST = 0.05  # a layer whose best heads put less on words of a token's own tells nothing
_ROLLED_AWAY = 0.75  # of a rollout on the first token
_SINK = 0.25  # of all attention on the first token


@dataclass(frozen=True)
class Opening:
    """The options with what nobody chose filled in, and why it was chosen."""

    options: ViewOptions
    without_first: bool
    why: str


def opening(maps: Sequence[Maps], tokens: Mapping[SideName, Sequence[str]], options: ViewOptions) -> Opening:
    """Fill in the layer, the heads, and whether the first token is left out."""
    kind, _, rollout = (options.attention or maps[0].attention).partition(" ")
    shown = next((candidate for candidate in maps if candidate.attention == kind), maps[0])
    sink = first_share(shown)
    without_first = sink > _least_sink(shown) if options.without_first is None else options.without_first
    options = replace(options, without_first=without_first)
    if rollout and options.layer is None:
        options = replace(options, layer=_telling_rollout(shown))
    if options.layer is not None or options.heads is not None or not _can_be_read(shown):
        return Opening(options, without_first, "")
    layer, heads, scores = _most_telling(shown, tokens)
    if not heads:
        return Opening(options, without_first, "")
    return Opening(replace(options, layer=layer, heads=heads), without_first, _why(layer, heads, scores))


def _telling_rollout(maps: Maps) -> int:
    """The last layer whose rollout leaves a quarter beside the first token: the first layer's is little more
    than a diagonal, and the last ones of a decoder may have everything there."""
    rolled = {layer.layer: layer.rollout for layer in maps.layers if layer.rollout is not None}
    telling = [layer for layer, rollout in rolled.items() if rollout[maps.causal :, 0].mean() < _ROLLED_AWAY]
    return telling[-1] if telling else maps.layers[-1].layer


def first_share(maps: Maps) -> float:
    """The share of attention on the first token: the mean over heads, and rows that can look elsewhere."""
    if not maps.shares or maps.shape[1] < 2:
        return 0.0
    return float(np.mean([_weight_on_first(layer, maps.causal).mean() for layer in maps.layers]))


def _least_sink(maps: Maps) -> float:
    """The first token takes much where it gets twice what even attention would give it, and a quarter."""
    queries, keys = maps.shape
    even = float(np.mean(1 / np.arange(2, queries + 1))) if maps.causal and queries > 1 else 1 / keys
    return max(_SINK, 2 * even)


def _can_be_read(maps: Maps) -> bool:
    return maps.shares and all(layer.tiles is None for layer in maps.layers)


def _weight_on_first(layer: LayerMaps, causal: bool) -> Floats32:
    """head: the weight on the first key, the mean over queries that can look elsewhere; 0 where unknown."""
    if layer.tiles is not None:
        known = layer.tiles.first is not None
        return layer.tiles.mean_first(layer.shape[1], causal) if known else np.zeros(1, np.float32)
    if not isinstance(layer.weights, Strongest):
        return np.asarray(layer.weights[:, causal:, 0].mean(axis=-1))
    on_first = layer.weights.weights * (layer.weights.columns == 0)
    return np.asarray(on_first.sum(axis=-1)[:, causal:].mean(axis=-1))


def _most_telling(
    maps: Maps, tokens: Mapping[SideName, Sequence[str]]
) -> tuple[int, list[int], dict[int, float]]:
    """The layer whose two best heads look most strongly at other words, and its best heads."""
    plain = ~np.array([is_special(token) for token in tokens[SIDES[maps.attention][1]]])
    best: tuple[float, int, dict[int, float]] = (_FAINTEST, 0, {})
    for layer in maps.layers:
        scores = dict(zip(layer.heads, map(float, _weight_on_words(layer, plain, maps)), strict=True))
        strongest = sorted(scores.values())[-2:]
        if (mean := sum(strongest) / len(strongest)) > best[0]:
            best = mean, layer.layer, scores
    _, number, scores = best
    order = sorted(scores, key=lambda head: -scores[head])[:MOST_HEADS]
    heads = sorted(head for head in order if scores[head] >= 0.5 * scores[order[0]])
    return number, heads, scores


def _weight_on_words(layer: LayerMaps, plain: NDArray[np.bool_], maps: Maps) -> Floats32:
    """head: the mean over rows of the strongest weight on a key that is neither special, the first, the token
    itself, nor beside it, less what other tokens put on the same key. Where all tokens rest, or what a
    neighbour is, tells little."""
    queries, keys = maps.shape
    wanted = np.broadcast_to(plain, (queries, keys)).copy()
    wanted[:, 0] = False
    if maps.attention != "cross":
        wanted &= np.abs(np.arange(queries)[:, None] - np.arange(keys)) > 1
    others = (np.arange(queries, queries - keys, -1) if maps.causal else np.full(keys, queries)) - 1
    others = np.maximum(others, 1)  # key: how many rows see it beside the one that is looked at
    if isinstance(layer.weights, Strongest):
        columns, weights = layer.weights.columns.astype(np.int64), layer.weights.weights
        totals = np.stack(
            [np.bincount(c.ravel(), w.ravel(), keys) for c, w in zip(columns, weights, strict=True)]
        )
        there = np.take_along_axis(wanted[None], columns, axis=-1)
        total = np.take_along_axis(totals[:, None], columns, axis=-1)
        beyond = weights - (total - weights) / others[columns]
        return np.asarray((beyond * there).max(axis=-1, initial=0).mean(axis=-1))
    beyond = layer.weights - (layer.weights.sum(axis=1, keepdims=True) - layer.weights) / others
    return np.asarray((beyond * wanted).max(axis=-1, initial=0).mean(axis=-1))


def _why(layer: int, heads: Sequence[int], scores: Mapping[int, float]) -> str:
    named = [f"{layer}.{head} ({scores[head]:.2f})" for head in heads]
    opened = f"head {named[0]}" if len(named) == 1 else f"heads {', '.join(named[:-1])} and {named[-1]}"
    return (
        f"Opened on {opened}: on this text, this layer has the strongest links beyond neighbours (in "
        "brackets, their mean, less what other tokens give the same word)."
    )
