"""Where a head sits in a model: kind, layer, head, each counted from 0."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from attlas.errors import AttlasError

Kind = Literal["encoder", "decoder", "cross", "vision"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_WRITTEN = re.compile(rf"(?:({'|'.join(KINDS)})\.)?(\d+)\.(\d+)")


@dataclass(frozen=True, order=True)
class Head:
    """One attention head. Written `7.9`, or `cross.7.9` where the kind must be said."""

    kind: Kind
    layer: int
    head: int

    def __str__(self) -> str:
        return f"{self.layer}.{self.head}"

    @property
    def from_1(self) -> str:
        """The head as papers write it, counted from 1: `8-10` for 7.9."""
        return f"{self.layer + 1}-{self.head + 1}"

    @property
    def full(self) -> str:
        return f"{self.kind}.{self.layer}.{self.head}"

    def write(self, with_kind: bool) -> str:
        """7.9; encoder.7.9 where a model has heads of several kinds."""
        return self.full if with_kind else str(self)

    @classmethod
    def from_row(cls, row: Mapping[Any, Any]) -> "Head":
        """The head that a row of a table is about."""
        return cls(row["kind"], int(row["layer"]), int(row["head"]))

    @classmethod
    def parse(cls, written: str, heads: "tuple[Head, ...]") -> "Head":
        """The head of `heads` that `written` names; the kind may be left out where only one kind fits."""
        match = _WRITTEN.fullmatch(written.strip())
        if match is None:
            raise AttlasError(
                f"{written!r} is not a head: write LAYER.HEAD counted from 0, as in 7.9 or cross.0.3"
            )
        kind, layer, head = match[1], int(match[2]), int(match[3])
        fits = [h for h in heads if (h.layer, h.head) == (layer, head) and kind in (None, h.kind)]
        # of a model that reads images, 7.9 is the head that reads text
        fits = [h for h in fits if h.kind != "vision"] or fits
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise AttlasError(
                f"head {written} could be {' or '.join(h.full for h in fits)}: write one of these"
            )
        having = sorted({h.layer for h in heads if kind in (None, h.kind)})
        if having and layer not in having and layer < having[-1]:
            raise AttlasError(
                f"there is no head {written}: layer {layer} has no attention; the layers that have it are "
                f"{', '.join(map(str, having))}"
            )
        shape = ", ".join(
            f"{k}: layers 0 to {max(h.layer for h in heads if h.kind == k)}, "
            f"heads 0 to {max(h.head for h in heads if h.kind == k)}"
            for k in KINDS
            if any(h.kind == k for h in heads)
        )
        raise AttlasError(f"there is no head {written} ({shape}, counted from 0)")
