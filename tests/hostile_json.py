"""Hostile JSON, for every reader of it: a case puts one thing into a good document, a strategy any thing at
any place."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

DATA = Path(__file__).parent / "data" / "hostile"
_MARK = "\N{SNOWMAN} here \N{SNOWMAN}"


def cases(name: str) -> list[dict[str, Any]]:
    """What a reader is given: `file` the document, `at` the place in it, what goes there (`value`; `raw`, as
    it stands in the file; a string `repeat`ed so many `times`; a number of so many `digits`; lists nested to
    a `depth`), and whether it is `accepted`."""
    read: list[dict[str, Any]] = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    return read


def called(case: Mapping[str, Any]) -> str:
    shown = {k: v for k, v in case.items() if k not in ("file", "at", "accepted")}
    return f"{case['file']} {'.'.join(map(str, case['at']))} {json.dumps(shown)}"[:80]


def spoilt(document: Any, case: Mapping[str, Any]) -> str:
    """The text of a document with the case in it."""
    return json.dumps(put(document, case["at"], _MARK)).replace(json.dumps(_MARK), _written(case))


def _written(case: Mapping[str, Any]) -> str:
    if "repeat" in case:
        return json.dumps(case["repeat"] * case["times"])
    if "digits" in case:
        return "9" * int(case["digits"])
    if "depth" in case:
        return "[" * int(case["depth"]) + "]" * int(case["depth"])
    return str(case["raw"]) if "raw" in case else json.dumps(case["value"])


def put(document: Any, at: list[Any], value: Any) -> Any:
    """A copy of the document with the value at this place."""
    if not at:
        return value
    changed = copy.deepcopy(document)
    inner = changed
    for step in at[:-1]:
        inner = inner[step]
    inner[at[-1]] = value
    return changed


def places(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document: the whole, and what is inside."""
    yield at
    if isinstance(document, dict):
        for key, value in document.items():
            yield from places(value, (*at, key))
    elif isinstance(document, list):
        for number, value in enumerate(document[:3]):
            yield from places(value, (*at, number))


#: what may stand at any place of a document that somebody else wrote
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats()
    | st.sampled_from(
        [-1, 0, 1, 2**31, 2**63, 2**64, 1e308, -0.0, "", "..", "../x", "/etc/passwd", "\0", "\ud800"]
    )
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def spoilt_documents(document: Any) -> st.SearchStrategy[Any]:
    """The document with one or two places changed, or without them."""
    everywhere = list(places(document))

    def change(changes: list[tuple[tuple[Any, ...], Any, bool]]) -> Any:
        changed = document
        for at, value, drop in changes:
            try:
                changed = without(changed, at) if drop and at else put(changed, list(at), value)
            except (KeyError, IndexError, TypeError):  # the first change took that place away
                continue
        return changed

    places_and_values = st.tuples(st.sampled_from(everywhere), VALUES, st.booleans())
    return st.lists(places_and_values, min_size=1, max_size=2).map(change)


def without(document: Any, at: tuple[Any, ...]) -> Any:
    changed = copy.deepcopy(document)
    inner = changed
    for step in at[:-1]:
        inner = inner[step]
    del inner[at[-1]]
    return changed
