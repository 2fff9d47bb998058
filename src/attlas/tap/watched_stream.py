"""Both ways to watch the residual stream, together: what heads write, and what reaches the logits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from attlas.tap.direct import DirectPaths
from attlas.tap.stream import StreamWatch


@dataclass
class StreamWatches:
    writes: StreamWatch | None
    direct: DirectPaths | None

    @contextmanager
    def watching(self) -> Iterator[StreamWatches]:
        with ExitStack() as stack:
            # direct paths first: they replace what modules give, and writes are of what is then there
            for watch in (self.direct, self.writes):
                if watch is not None:
                    stack.enter_context(watch.watching())
            yield self

    def attended(self, output: Tensor) -> None:
        """Told of what the heads of a call gave, batch query head dim."""
        if self.writes is not None:
            self.writes.attended = output

    def seen(self, targets: Tensor | None) -> dict[str, Any]:
        """What an observation has of it, once the pass is over."""
        seen: dict[str, Any] = {}
        if self.writes is not None:
            seen["writes"] = tuple(self.writes.writes)
        if self.direct is not None and targets is not None:
            seen["direct"] = self.direct.contributions(targets)
        return seen
