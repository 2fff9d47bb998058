"""What is chosen when a view opens, and so comes first where not all of it fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attlas.address import Head

from .contract import AttentionKind, ViewKind


@dataclass(frozen=True)
class Choice:
    """None means the first, or all heads."""

    kind: ViewKind = "head"
    attention: AttentionKind | None = None
    layer: int | None = None
    heads: Sequence[int] | None = None

    def first(self, heads: Sequence[Head]) -> list[Head]:
        """All these heads, the chosen ones before the others of their layer, and that layer before others."""
        attention = self.attention or heads[0].kind
        of_kind = [head.layer for head in heads if head.kind == attention]
        layer = min(of_kind, default=0) if self.layer is None else self.layer

        def far(head: Head) -> tuple[bool, bool, bool]:
            chosen = self.heads is None or head.head in self.heads
            return head.kind != attention, head.layer != layer, not chosen

        return sorted(heads, key=far)
