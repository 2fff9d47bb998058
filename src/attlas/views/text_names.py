"""Names of heads by what they do on one text, where no atlas knows better: the same rules as an atlas has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from attlas.corpora.token_text import PUNCTUATION, WORD_BEGINS
from attlas.row import Row
from attlas.views.contract import SceneName, SideName
from attlas.views.head_names import names_of
from attlas.views.inputs import SIDES, LayerMaps, Maps
from attlas.views.rows import Strongest
from attlas.views.text_measures import NAMES


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
