"""Numbers of heads to order the model view by: of this text, or from an atlas, which also names heads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from attlas.address import KINDS, Head
from attlas.errors import AttlasError

from .contract import MapKind, SceneName, SceneStatistic
from .head_names import BEST, SECOND, names_of
from .inputs import Maps
from .text_measures import SMALLEST_FIRST

if TYPE_CHECKING:
    from attlas.atlas import Atlas


def of_this_text(maps: Sequence[Maps]) -> list[SceneStatistic]:
    """What the maps themselves say of each head, so that an order exists without an atlas."""
    values: dict[str, list[tuple[MapKind, int, int, float]]] = {}
    for kind_maps in maps:
        for layer in kind_maps.layers:
            for name, numbers in layer.measures.items():
                rows = zip(layer.heads, numbers, strict=True)
                values.setdefault(name, []).extend(
                    (kind_maps.attention, layer.layer, head, round(float(number), 5)) for head, number in rows
                )
    return [_statistic(f"{name} (this text)", name, numbers) for name, numbers in values.items()]


def _statistic(shown: str, name: str, values: list[tuple[MapKind, int, int, float]]) -> SceneStatistic:
    return {"name": shown, "first": "smallest" if name in SMALLEST_FIRST else "largest", "values": values}


def from_atlas(atlas: str | Path | Atlas) -> tuple[list[SceneStatistic], list[SceneName]]:
    """The statistics of an atlas with a number a head, ordered as in the registry, and its names of heads."""
    from attlas.atlas import load_atlas
    from attlas.atlas import statistic as known
    from attlas.atlas.registry import REGISTRY

    opened = load_atlas(atlas) if isinstance(atlas, str | Path) else atlas
    order = {chapter: i for i, chapter in enumerate(opened.chapters)}
    frame = opened.heads.sort_values("chapter", key=lambda c: c.map(order), kind="stable")
    for kind in frame["kind"].unique():
        if kind not in KINDS:
            raise AttlasError(f"the atlas has heads of kind {kind!r}; known are {', '.join(KINDS)}")
    numbers = frame[~frame["statistic"].isin([*BEST, *SECOND]) & np.isfinite(frame["value"])]
    # where several chapters say the same of a head, the first does
    numbers = numbers.drop_duplicates(["kind", "layer", "head", "statistic", "group"])
    statistics: list[SceneStatistic] = []
    place = {name: i for i, name in enumerate(REGISTRY)}  # a score comes before its yardstick
    grouped = numbers.groupby(["statistic", numbers["group"].fillna("")], sort=True)
    for (statistic, group), rows in sorted(grouped, key=lambda item: place.get(str(item[0][0]), len(place))):
        columns = rows[["kind", "layer", "head", "value"]]
        values = [
            (cast(MapKind, kind), int(layer), int(head), float(value))
            for kind, layer, head, value in columns.itertuples(index=False)
        ]
        statistics.append(_statistic(known(str(statistic)).called(str(group)), str(statistic), values))
    return statistics, names_of(frame)


def check_heads(atlas: Atlas, heads: Sequence[Head], name: str) -> None:
    """Refuse an atlas of another model: of each kind that it tells of, it has the model's heads.

    Another name is no reason: a model may have moved, or been trained further.
    """
    expected = {head for head in heads if head.kind in atlas.kinds}
    if not expected or set(atlas.addresses) != expected:
        about = atlas.manifest.get("model", {}).get("name", "another model")
        raise AttlasError(
            f"{atlas.path or 'the atlas'} is of {about} and not of {name}: it has other heads "
            f"({_shape(atlas.addresses)}; {name} has {_shape(heads)})"
        )


def _shape(heads: Sequence[Head]) -> str:
    """144 encoder in 12 layers"""
    kinds = dict.fromkeys(head.kind for head in heads)
    counted = ((kind, [head.layer for head in heads if head.kind == kind]) for kind in kinds)
    return ", ".join(f"{len(layers)} {kind} in {len(set(layers))} layers" for kind, layers in counted)
