"""Whether what an atlas says can be true: checksums tell of files that changed, not of what is wrong in
them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.address import KINDS
from attlas.atlas.catalogue import declared_table
from attlas.atlas.registry import REGISTRY
from attlas.atlas.schema import ADDRESS, SAMPLES, is_array_name, is_chapter_name, is_table_name
from attlas.errors import printable
from attlas.wording.names import NAMING

if TYPE_CHECKING:
    from attlas.atlas.atlas import Atlas

_ROUNDING = 1e-3  # shares are sums of rounded weights, in half precision too
_DEEPEST = 32  # levels of lists and objects in a manifest


class WrongError(Exception):
    """What is wrong, in a few words."""


def check_manifest(manifest: dict[str, Any]) -> None:
    """The shape of everything that others rely on."""
    _need(_depth(manifest) <= _DEEPEST, "the manifest is nested too deeply")
    model, chapters = manifest.get("model"), manifest.get("chapters")
    _need(isinstance(model, dict) and isinstance(model.get("name"), str), "the manifest names no model")
    assert isinstance(model, dict)
    heads = model.get("heads")
    _need(isinstance(heads, dict) and heads, "the manifest does not say which heads the model has")
    assert isinstance(heads, dict)
    for kind, many in heads.items():
        _need(kind in KINDS, f"the model has heads of an unknown kind, {_short(kind)}")
        _need(_whole(many) and many > 0, f"the model has {_short(many)} {kind} heads")
    layers = model.get("layers", {})
    _need(
        isinstance(layers, dict) and set(layers) <= set(heads),
        "the model's layers are not those of its heads",
    )
    for kind, by_layer in layers.items():
        counted = isinstance(by_layer, list) and all(_whole(n) and n >= 0 for n in by_layer)
        _need(
            counted and sum(by_layer) == heads[kind], f"the heads of the model's {kind} layers do not add up"
        )
    _need(isinstance(chapters, dict), "the manifest lists no chapters")
    assert isinstance(chapters, dict)
    for name, about in chapters.items():
        _need(is_chapter_name(name), f"{_short(name)} cannot be the name of a chapter")
        _need(isinstance(about, dict), f"the manifest says nothing about the chapter {name}")


def check_values(atlas: Atlas) -> None:
    """Every row, example, array and table against the model, the chapters and the registry's ranges."""
    _check_heads(atlas)
    _check_examples(atlas)
    for kept, fits in (
        (atlas.arrays, is_array_name),
        (atlas.tables, is_table_name),
        (atlas.tokens, is_array_name),
    ):
        for key in kept:
            chapter, _, name = str(key).partition("/")
            _need(chapter in atlas.chapters, f"{_short(key)} belongs to no chapter")
            _need(fits(name), f"{_short(name)} cannot be a name")
    for key, table in atlas.tables.items():
        _check_table(atlas, key, table)
    for key, array in atlas.arrays.items():
        _check_array(atlas, key, array)


def _check_heads(atlas: Atlas) -> None:
    rows = atlas.heads
    _known_chapters(atlas, rows, "heads")
    _known_heads(atlas, rows, "heads")
    again = rows.duplicated(["chapter", *ADDRESS, "statistic", "group"])
    _need(not again.any(), _row(rows, again, "there twice"))
    for name in NAMING:
        twice = rows[rows["statistic"] == name].duplicated(["chapter", *ADDRESS])
        _need(not twice.any(), f"a head has two names of the kind {name} in one chapter")
    _need((rows["n"] >= 0).all(), _row(rows, rows["n"] < 0, "from fewer than 0 segments"))
    many = (rows["documents"] < 0) | (rows["documents"] > rows["n"])
    _need(not many.any(), _row(rows, many, "from more documents than segments"))
    wrong = (rows["stderr"] < 0) | np.isinf(rows["stderr"])
    _need(not wrong.any(), _row(rows, wrong, "with a standard error that is negative or infinite"))
    ranges = {name: (s.low, s.high) for name, s in REGISTRY.items()}
    low, high = (
        rows["statistic"].map({name: r[i] for name, r in ranges.items()}).to_numpy(dtype=float)
        for i in (0, 1)
    )
    values = rows["value"].to_numpy(dtype=float)
    known = ~np.isnan(low)
    broken = known & ~np.isfinite(values)
    _need(not broken.any(), _row(rows, broken, "not a number"))
    outside = known & ((values < low - _ROUNDING) | (values > high + _ROUNDING))
    if outside.any():
        first = int(np.argmax(outside))
        within = (
            f"at least {low[first]:g}"
            if np.isinf(high[first])
            else f"within {low[first]:g} and {high[first]:g}"
        )
        raise WrongError(_row(rows, outside, f"{values[first]:g}, and such values are {within}"))


def _check_examples(atlas: Atlas) -> None:
    rows = atlas.examples
    if rows.empty:
        return
    _known_chapters(atlas, rows, "examples")
    _known_heads(atlas, rows, "examples")
    weights = rows["weight"].to_numpy(dtype=float)
    _need(
        ((weights >= 0) & (weights <= 1 + _ROUNDING)).all(),
        "an example has a weight that is not within 0 and 1",
    )
    _need(rows["sample"].isin(SAMPLES).all(), f"an example is of none of {', '.join(SAMPLES)}")
    twice = rows.duplicated(["chapter", *ADDRESS, "rank"]).any() or (rows["rank"] < 0).any()
    _need(not twice, "the examples of a head are not numbered from 0, each once")
    keys = rows["key_tokens"].where(rows["key_tokens"] != "", rows["tokens"])
    for names, places, what in ((rows["tokens"], rows["query"], "query"), (keys, rows["key"], "key")):
        lists = rows["chapter"] + "/" + names
        lengths = lists.map({name: len(tokens) for name, tokens in atlas.tokens.items()})
        _need(lengths.notna().all(), "an example points into a list of tokens that is not there")
        _need(((places >= 0) & (places < lengths)).all(), f"the {what} of an example lies outside its tokens")


def _check_table(atlas: Atlas, key: str, table: pd.DataFrame) -> None:
    chapter, _, table_name = key.partition("/")
    declared = declared_table(atlas.about(chapter), table_name, table.columns)
    for name in sorted(declared.needed) if declared is not None and declared.drawn else ():
        _need(name in table.columns, f"the table {key} has no column {name}")
    if set(ADDRESS) <= set(table.columns):
        for name in ("layer", "head"):
            _need(
                table.empty or pd.api.types.is_integer_dtype(table[name]),  # an empty column has no type
                f"the {name} of the table {key} is not a whole number",
            )
        _known_heads(atlas, table, f"the table {key}")
    for name, low, high in declared.ranges() if declared is not None else ():
        if name not in table.columns or table.empty:
            continue
        column = table[name]
        _need(pd.api.types.is_numeric_dtype(column), f"{name} of the table {key} is not a number")
        values = column.to_numpy(dtype=float, na_value=np.nan)
        outside = (values < low - _ROUNDING) | (values > high + _ROUNDING)
        within = f"at least {low:g}" if np.isinf(high) else f"within {low:g} and {high:g}"
        _need(not outside.any(), f"{name} of the table {key} is not {within}")


def _check_array(atlas: Atlas, key: str, array: npt.NDArray[Any]) -> None:
    """What figures draw: the heads that the other arrays are about, their places, and their maps."""
    chapter, _, name = key.partition("/")
    kind, _, what = name.partition(".")
    if kind not in KINDS or what not in ("heads", "plane", "distances", "maps", "maps_first"):
        return
    heads = atlas.arrays.get(f"{chapter}/{kind}.heads")
    _need(heads is not None, f"{key} is there without {kind}.heads")
    assert heads is not None
    _need(array.dtype.kind in ("iu" if what == "heads" else "f"), f"{key} holds {array.dtype}")
    shapes: dict[str, tuple[int | None, ...]] = {
        "heads": (len(heads), 2),
        "plane": (len(heads), 2),
        "distances": (len(heads), len(heads)),
        "maps": (len(heads), None, None),
        "maps_first": (len(heads), None),
    }
    fits = array.ndim == len(shapes[what]) and all(
        wanted in (None, have) for wanted, have in zip(shapes[what], array.shape, strict=True)
    )
    _need(fits, f"{key} has shape {array.shape}")
    if what == "heads":
        frame = pd.DataFrame(array, columns=["layer", "head"]).assign(kind=kind)
        _known_heads(atlas, frame, key)
        _need(not frame.duplicated().any(), f"{key} names a head twice")
        return
    _need(bool(np.isfinite(array).all()), f"{key} holds what is not a number")
    if what.startswith("maps"):
        _need(
            array.size == 0 or (array.min() >= 0 and array.max() <= 1 + _ROUNDING), f"{key} are not weights"
        )


def _known_chapters(atlas: Atlas, rows: pd.DataFrame, where: str) -> None:
    unknown = set(rows["chapter"]) - set(atlas.chapters)
    _need(
        not unknown,
        f"{where} has rows of a chapter that the manifest does not have, {_short(min(unknown, default=''))}",
    )


_MOST_PLACES = 4096  # layers, and heads of a layer


def _known_heads(atlas: Atlas, rows: pd.DataFrame, where: str) -> None:
    """Heads of the model; where the manifest has only their number, no more than these."""
    counts, layers = atlas.model["heads"], atlas.model.get("layers", {})
    strange = set(rows["kind"]) - set(counts)
    _need(
        not strange,
        f"{where} has heads of kind {_short(min(map(str, strange), default=''))}, and the model has none",
    )
    for kind, addresses in rows.groupby("kind")[["layer", "head"]]:
        places = addresses.drop_duplicates().to_numpy()
        by_layer = np.array(layers.get(kind, []), dtype=np.int64)
        bad = ((places < 0) | (places >= _MOST_PLACES)).any(1)
        if len(by_layer):
            inside = places[:, 0] < len(by_layer)
            room = np.where(inside, by_layer[np.where(inside, np.maximum(places[:, 0], 0), 0)], 0)
            bad |= places[:, 1] >= room
        else:
            bad |= (places >= counts[kind]).any(1)
        if bad.any():
            layer, head = places[int(np.argmax(bad))]
            raise WrongError(f"{where} has head {kind}.{layer}.{head}, and the model has no such head")
        _need(
            len(places) <= counts[kind],
            f"{where} has {len(places)} {kind} heads, and the model {counts[kind]}",
        )


def _row(rows: pd.DataFrame, chosen: Any, what: str) -> str:
    """to_class cls of encoder.3.4 in surface-wikipedia is ..."""
    chosen = np.asarray(chosen, dtype=bool)
    if not chosen.any():
        return ""
    row = rows.iloc[int(np.argmax(chosen))]
    name = _short(f"{row['statistic']} {row['group']}".strip())
    return f"{name} of {row['kind']}.{row['layer']}.{row['head']} in {row['chapter']} is {what}"


def _depth(value: Any) -> int:
    deepest, level = 0, [value]
    while level and deepest <= _DEEPEST:
        deepest += 1
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    return deepest


def _short(value: Any) -> str:
    return printable(str(value))[:60]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _need(holds: Any, otherwise: str) -> None:
    if not holds:
        raise WrongError(otherwise)
