"""Numbers and behaviours of heads, to order and filter the model view: of this text, or from an atlas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from attlas.address import KINDS, Head
from attlas.errors import AttlasError

from .contract import Label, MapKind, Statistic
from .inputs import Maps
from .measures import SMALLEST_FIRST

if TYPE_CHECKING:
    from attlas.atlas import Atlas


def of_this_text(maps: Sequence[Maps]) -> list[Statistic]:
    """What the maps themselves say of each head, so that an order exists without an atlas."""
    values: dict[str, list[tuple[MapKind, int, int, float]]] = {}
    for each in maps:
        for layer in each.layers:
            for name, numbers in layer.measures.items():
                rows = zip(layer.heads, numbers, strict=True)
                values.setdefault(name, []).extend(
                    (each.attention, layer.layer, head, round(float(number), 5)) for head, number in rows
                )
    return [_statistic(f"{name} (this text)", name, numbers) for name, numbers in values.items()]


def _statistic(shown: str, name: str, values: list[tuple[MapKind, int, int, float]]) -> Statistic:
    return {"name": shown, "first": "smallest" if name in SMALLEST_FIRST else "largest", "values": values}


def from_atlas(atlas: str | Path | Atlas) -> tuple[list[Statistic], list[Label]]:
    """Every statistic of an atlas that has one number a head, and the behaviours it gives to heads."""
    from attlas.atlas import load_atlas
    from attlas.atlas import statistic as known
    from attlas.atlas.names import NAMING, NONE

    opened = load_atlas(atlas) if isinstance(atlas, str | Path) else atlas
    order = {chapter: i for i, chapter in enumerate(opened.chapters)}
    frame = opened.heads.sort_values("chapter", key=lambda c: c.map(order), kind="stable")
    # where several chapters say the same of a head, the first does
    frame = frame.drop_duplicates(["kind", "layer", "head", "statistic", "group"])
    statistics: list[Statistic] = []
    labels: list[Label] = []
    for (statistic, group), rows in frame.groupby(["statistic", frame["group"].fillna("")], sort=True):
        heads = [_address(*row) for row in rows[["kind", "layer", "head"]].itertuples(index=False)]
        numbers = rows["value"].to_numpy(dtype=float)
        if statistic == "behaviour" and group != NONE:
            having = [head for head, value in zip(heads, numbers, strict=True) if value > 0]
            labels.append({"name": str(group), "heads": having})
        elif statistic not in NAMING:
            values = [
                (*head, float(value))
                for head, value in zip(heads, numbers, strict=True)
                if np.isfinite(value)
            ]
            statistics.append(_statistic(known(str(statistic)).called(str(group)), str(statistic), values))
    return statistics, labels


def check_heads(atlas: Atlas, heads: Sequence[Head], name: str) -> None:
    """Refuse an atlas of another model: of each kind that it tells of, it has the model's heads.

    Another name is no reason: a model may have moved, or been trained further.
    """
    own = {head for head in heads if head.kind in atlas.kinds}
    if not own or set(atlas.addresses) != own:
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


def _address(kind: Any, layer: Any, head: Any) -> tuple[MapKind, int, int]:
    if kind not in KINDS:
        raise AttlasError(f"the atlas has heads of kind {kind!r}; known are {', '.join(KINDS)}")
    return cast(MapKind, kind), int(layer), int(head)
