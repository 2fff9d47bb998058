"""What an edit is: a change to the weights of some heads, to what they give, or to both.

Heads are written `7.9`; all of a layer, `7.*` or `layer 7`; `cross.7.9`, `cross layer 7`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from attlas.address import KINDS, Head
from attlas.errors import AttlasError

if TYPE_CHECKING:
    from torch import Tensor

    from attlas.tap.call import Call, CallEdit, OutputChange, WeightChange

#: heads, or their names: "7.9", "cross.0.3", "7.*", "layer 7"
Heads = Iterable[Head | str] | Head | str
#: rows of a batch; None for all
Rows = tuple[int, ...] | None


class Edit(Protocol):
    """`resolved` finds its heads in a model, or says which of them the model does not have; `at` gives the
    changes to make in these rows of one attention call."""

    @property
    def every_head(self) -> frozenset[Head]: ...

    def resolved(self, heads: tuple[Head, ...]) -> Edit: ...

    def at(self, call: Call, rows: Rows = None) -> list[CallEdit]: ...


@dataclass(frozen=True, eq=False)
class HeadEdit:
    """One change to several heads. `weights` gives their new weights from the old ones and from what may be
    seen; `output` what they give from what they gave (row head query dim), given which heads these are.
    Where the change to the weights depends on the batch, `weights_in` makes it from the call and its rows."""

    name: str
    heads: tuple[Head | str, ...]
    weights: WeightChange | None = None
    output: Callable[[Tensor, Sequence[Head]], Tensor] | None = None
    weights_in: Callable[[Call, Rows], WeightChange] | None = None

    def __str__(self) -> str:
        written = ", ".join(h.full if isinstance(h, Head) else h for h in self.heads[:4])
        return f"{self.name} on {written}{', ...' if len(self.heads) > 4 else ''}"

    @property
    def every_head(self) -> frozenset[Head]:
        return frozenset(head for head in self.heads if isinstance(head, Head))

    def resolved(self, heads: tuple[Head, ...]) -> HeadEdit:
        """An edit that names a head the model does not have would do nothing in silence."""
        if not self.heads:
            raise AttlasError(f"the edit {self.name} names no head")
        chosen: set[Head] = set()
        for head in self.heads:
            chosen |= set(heads_named(head, heads)) if isinstance(head, str) else {head}
        if missing := sorted(chosen - set(heads)):
            raise AttlasError(f"the model has no head {missing[0].full}")
        return replace(self, heads=tuple(sorted(chosen)))

    def at(self, call: Call, rows: Rows = None) -> list[CallEdit]:
        from attlas.tap.call import CallEdit

        here = [h for h in self.heads if isinstance(h, Head) and (h.kind, h.layer) == (call.kind, call.layer)]
        if not here:
            return []
        weights = self.weights if self.weights_in is None else self.weights_in(call, rows)
        output = None if self.output is None else _for(here, self.output)
        return [CallEdit(tuple(h.head for h in here), weights, output, rows)]


def _for(heads: Sequence[Head], change: Callable[[Tensor, Sequence[Head]], Tensor]) -> OutputChange:
    return lambda output: change(output, heads)


def heads_of(wanted: Heads) -> tuple[Head | str, ...]:
    heads = (wanted,) if isinstance(wanted, str | Head) else wanted if isinstance(wanted, Iterable) else None
    heads = None if heads is None else tuple(heads)
    if heads is None or not all(isinstance(head, str | Head) for head in heads):
        raise AttlasError(f"{wanted!r} are not heads: write them as in '7.9', or as ['7.9', '7.10']")
    return heads


def by_row(edits: Sequence[Edit | None]) -> ByRow:
    """An edit of its own for every row of the batch, None for an unchanged row: one batch can then show
    what each head of a layer is worth."""
    if not isinstance(edits, Sequence) or not all(e is None or hasattr(e, "resolved") for e in edits):
        raise AttlasError(f"by_row takes a list of edits (None leaves a row unchanged), not {edits!r}")
    if any(isinstance(edit, ByRow) for edit in edits):
        raise AttlasError("by_row takes edits of whole batches, not another by_row")
    return ByRow(tuple(edits))


@dataclass(frozen=True, eq=False)
class ByRow:
    edits: tuple[Edit | None, ...]

    def __str__(self) -> str:
        first = next((str(edit) for edit in self.edits if edit is not None), "nothing")
        return f"{first} and others by row"

    @property
    def every_head(self) -> frozenset[Head]:
        return frozenset().union(*(edit.every_head for edit in self.edits if edit is not None))

    def resolved(self, heads: tuple[Head, ...]) -> ByRow:
        resolved = {id(edit): edit.resolved(heads) for edit in self.edits if edit is not None}
        return ByRow(tuple(None if edit is None else resolved[id(edit)] for edit in self.edits))

    def at(self, call: Call, rows: Rows = None) -> list[CallEdit]:
        if rows is not None:
            raise AttlasError("by_row takes a whole batch, not some of its rows")
        if call.query.shape[0] != len(self.edits):
            raise AttlasError(
                f"by_row has {len(self.edits)} edits, and the batch has {call.query.shape[0]} rows"
            )
        where: dict[Edit, list[int]] = {}
        for row, edit in enumerate(self.edits):
            if edit is not None:
                where.setdefault(edit, []).append(row)
        return [change for edit, edit_rows in where.items() for change in edit.at(call, tuple(edit_rows))]


_LAYER = re.compile(
    rf"(?:(?P<kind>{'|'.join(KINDS)})[. ])?(?:layer (?P<named>\d+)|(?P<layer>\d+)\.\*)", re.IGNORECASE
)


def heads_named(written: str, heads: tuple[Head, ...]) -> tuple[Head, ...]:
    """The heads of `heads` that `written` names: one, or all of a layer. Commas join several."""
    if "," in written:
        parts = [part for part in written.split(",") if part.strip()]
        named = tuple(head for part in parts for head in heads_named(part, heads))
        if len(set(named)) < len(named):
            raise AttlasError(f"{written!r} names a head twice")
        return named
    match = _LAYER.fullmatch(" ".join(written.split()))
    if match is None:
        if "*" in written or "layer" in written.lower():
            raise AttlasError(f"{written!r} is not a layer: write 7.* or layer 7, counted from 0")
        return (Head.parse(written, heads),)
    layer, kind = int(match["named"] or match["layer"]), (match["kind"] or "").lower()
    kinds = [k for k in KINDS if kind in ("", k) and any(h.kind == k and h.layer == layer for h in heads)]
    kinds = [k for k in kinds if k != "vision"] or kinds  # as for heads: those that read text
    if len(kinds) > 1:
        raise AttlasError(
            f"{written!r} could be {' or '.join(f'{k}.{layer}.*' for k in kinds)}: write one of these"
        )
    if not kinds:
        raise AttlasError(f"there is no layer {written!r} ({_ranges(heads)}, counted from 0)")
    return tuple(h for h in heads if (h.kind, h.layer) == (kinds[0], layer))


def _ranges(heads: tuple[Head, ...]) -> str:
    last = {k: max(h.layer for h in heads if h.kind == k) for k in KINDS if any(h.kind == k for h in heads)}
    return ", ".join(f"{kind}: layers 0 to {layer}" for kind, layer in last.items())
