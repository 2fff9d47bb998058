"""How sets of heads are written: `7.9`; all of a layer, `7.*` or `layer 7`; `cross.7.9`, `cross layer 7`."""

from __future__ import annotations

import re

from attlas.address import KINDS, Head
from attlas.errors import AttlasError

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
