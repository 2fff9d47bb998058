"""What an atlas gives to a view: statistics and names of heads, and its long document. No model runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from attlas.address import KINDS, Head, Kind
from attlas.atlas import Atlas, load_atlas, statistic
from attlas.atlas.registry import REGISTRY
from attlas.choices import MapKind
from attlas.errors import AttlasError, option
from attlas.options.view_options import ViewOptions
from attlas.reducers.document import LONG, rows_that_fit
from attlas.views.contract import SceneName, SceneStatistic, SideName
from attlas.views.document_checks import tokens_of
from attlas.views.head_names import BEST, SECOND, by_chapter, names_of
from attlas.views.inputs import SIDES, LayerMaps, Maps
from attlas.views.model import TextMaps
from attlas.views.rows import LONG_BUDGET, ROW_BYTES, Strongest, TiledMaps, weight_bytes
from attlas.views.text_measures import scene_statistic


def read_atlas(atlas: Any) -> Atlas | None:
    """The atlas that is given, or that lies in the folder that is given."""
    return atlas if atlas is None or hasattr(atlas, "manifest") else load_atlas(atlas)


def from_atlas(atlas: str | Path | Atlas | None) -> tuple[list[SceneStatistic], list[SceneName]]:
    """The statistics of an atlas with one number per head, in the registry's order, and its names."""
    opened = read_atlas(atlas)
    if opened is None:
        return [], []
    statistics, names = _of_opened(opened)
    return [*statistics], [*names]


@lru_cache(maxsize=4)  # the app asks for every text
def _of_opened(opened: Atlas) -> tuple[list[SceneStatistic], list[SceneName]]:
    frame = by_chapter(opened)
    for kind in frame["kind"].unique():
        if kind not in KINDS:
            raise AttlasError(f"the atlas has heads of kind {kind!r}; known are {', '.join(KINDS)}")
    numbers = frame[~frame["statistic"].isin([*BEST, *SECOND]) & np.isfinite(frame["value"])]
    # where several chapters say the same of a head, the first does
    numbers = numbers.drop_duplicates(["kind", "layer", "head", "statistic", "group"])
    statistics: list[SceneStatistic] = []
    place = {name: i for i, name in enumerate(REGISTRY)}  # a score comes before its yardstick
    grouped = numbers.groupby(["statistic", numbers["group"].fillna("")], sort=True)
    for (name, group), rows in sorted(grouped, key=lambda item: place.get(str(item[0][0]), len(place))):
        columns = rows[["kind", "layer", "head", "value"]]
        values = [
            (cast(MapKind, kind), int(layer), int(head), float(value))
            for kind, layer, head, value in columns.itertuples(index=False)
        ]
        statistics.append(scene_statistic(statistic(str(name)).write_name(str(group)), str(name), values))
    return statistics, names_of(frame)


def check_heads(atlas: Atlas, heads: Sequence[Head], name: str) -> None:
    """Refuse an atlas of another model: of each kind that it covers, it must have the model's heads.

    Another name is no reason: a model may have moved, or been trained further.
    """
    kinds = atlas.kinds
    expected = {head for head in heads if head.kind in kinds}
    if not expected or set(atlas.addresses) != expected:
        about = atlas.manifest.get("model", {}).get("name", "another model")
        raise AttlasError(
            f"{atlas.path or 'the atlas'} is of {about} and not of {name}: it has other heads "
            f"({_describe_heads(atlas.addresses)}; {name} has {_describe_heads(heads)})"
        )


def _describe_heads(heads: Sequence[Head]) -> str:
    """144 encoder in 12 layers"""
    kinds = dict.fromkeys(head.kind for head in heads)
    counted = ((kind, [head.layer for head in heads if head.kind == kind]) for kind in kinds)
    return ", ".join(f"{len(layers)} {kind} in {len(set(layers))} layers" for kind, layers in counted)


def look_at_document(atlas: Atlas, options: ViewOptions) -> tuple[TextMaps, ViewOptions]:
    """What the atlas kept of its longest segment; where nothing is chosen, a head that has rows is."""
    chapter = atlas.chapter_with(about="document")
    if chapter is None:
        raise AttlasError(
            f"{atlas.path or 'the atlas'} keeps no document to view: attlas map keeps the longest segment "
            f"where it has more than {LONG:,} tokens ({option('length')})"
        )
    tokens = tokens_of(atlas, chapter)
    wanted = [head for head in atlas.addresses if options.includes(head.layer, head.head)]
    if not wanted:
        raise AttlasError(f"{atlas.path or 'the atlas'} has none of the layers and heads asked for")
    stored = [
        head
        for kind in atlas.kinds
        for head in _heads(atlas, chapter, kind, "strongest_heads")
        if head in wanted
    ]
    options = _open_on_rows(options, wanted, stored)
    kept, k = _rows_that_fit(stored, tokens, options)
    keys = [atlas.arrays[f"{chapter}/{head.kind}.strongest_keys"] for head in stored]
    k = min(k, *(array.shape[2] for array in keys)) if stored else k
    kinds = dict.fromkeys(h.kind for h in wanted)
    maps = [_maps(atlas, chapter, kind, wanted, kept, k, tokens) for kind in kinds]
    return TextMaps(maps, tokens), options


def _heads(atlas: Atlas, chapter: str, kind: Kind, name: str) -> list[Head]:
    rows = atlas.array(f"{kind}.{name}", chapter)
    return [] if rows is None else [Head(kind, int(layer), int(head)) for layer, head in rows]


def _open_on_rows(options: ViewOptions, wanted: Sequence[Head], stored: Sequence[Head]) -> ViewOptions:
    attention = options.attention or wanted[0].kind
    first = next((head for head in stored if head.kind == attention), None)
    if first is None or options.layer is not None or options.heads is not None:
        return options
    return replace(options, layer=first.layer, heads=[first.head])


def _rows_that_fit(
    stored: Sequence[Head], tokens: Mapping[SideName, Sequence[str]], options: ViewOptions
) -> tuple[list[Head], int]:
    """The heads whose stored rows a page has room for, and how much of each row."""
    if not stored:
        return [], 1
    queries = {head.kind: len(tokens[SIDES[head.kind][0]]) for head in stored}
    longest = max(len(side) for side in tokens.values())
    k, kept = rows_that_fit(options.first(stored), queries, LONG_BUDGET, weight_bytes(longest), ROW_BYTES)
    return kept, k


def _maps(
    atlas: Atlas,
    chapter: str,
    kind: Kind,
    wanted: Sequence[Head],
    kept: Sequence[Head],
    k: int,
    tokens: Mapping[SideName, Sequence[str]],
) -> Maps:
    every, stored = (_heads(atlas, chapter, kind, name) for name in ("heads", "strongest_heads"))
    queries, keys = (len(tokens[side]) for side in SIDES[kind])
    size = int(atlas.about(chapter)["document"]["tile"])
    layers = []
    for layer in dict.fromkeys(head.layer for head in wanted if head.kind == kind):
        heads = [head for head in wanted if (head.kind, head.layer) == (kind, layer)]
        having = [head for head in heads if head in kept]
        places = [every.index(head) for head in heads]
        shares = atlas.arrays[f"{chapter}/{kind}.tiles"][places].astype(np.float32)
        first = atlas.array(f"{kind}.tiles_first", chapter)
        layers.append(
            LayerMaps(
                layer,
                [head.head for head in heads],
                _strongest(atlas, chapter, kind, [stored.index(head) for head in having], k, queries, keys),
                tiles=TiledMaps(shares, size, None if first is None else first[places]),
                with_rows=[head.head for head in having],
            )
        )
    return Maps(kind, layers)


def _strongest(
    atlas: Atlas, chapter: str, kind: Kind, places: Sequence[int], k: int, queries: int, keys: int
) -> Strongest:
    if not places:
        return Strongest.none(queries, k, keys)
    columns, weights = (
        atlas.arrays[f"{chapter}/{kind}.strongest_{name}"][places, :, :k] for name in ("keys", "weights")
    )
    return Strongest.of(columns, weights.astype(np.float32), keys)
