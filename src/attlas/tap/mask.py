"""Which keys each query may see, known without holding the query-by-key matrix.

transformers asks a mask function for "the mask" once per forward pass and hands whatever it got to every
attention call. Attlas answers with a `Mask`: it gives any block of rows on demand, so that memory does not
grow with the square of the length, and it says when the pattern is simple enough for a fused kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor

Form = Literal["full", "causal", "window", "other"]

#: how many places to the left and to the right of a query its keys may be; None is without limit
Reach = tuple[int | None, int | None]

BLOCK = 2**24  # weights whose mask is looked at together


class Runs(NamedTuple):
    """For each query the first key that it may see and the one past the last: (batch or 1) query, int32."""

    first: Tensor
    past: Tensor
    longest: int


@dataclass(eq=False)
class Mask:
    """`form` is the pattern before padding; `keys` (batch key) is False on padding, None if there is none."""

    form: Form
    keys: Tensor | None
    rows: Callable[[int, int], Tensor]  # first and past-the-last query -> allowed, (batch or 1) 1 query key
    bias: Tensor | None = None  # what an additive mask adds to the scores of the keys it allows
    window: Reach = (None, None)
    pattern: Callable[[int, int], Tensor] | None = None  # `rows` without the padding; None: they have none
    queries: int = 0  # how many rows there are, where a model may ask for all of them
    columns: int = 0  # and how many keys
    device: torch.device | None = None  # of its rows, where that matters
    _moved: dict[torch.device, Mask] = field(default_factory=dict)
    _cached: tuple[tuple[int, int], Tensor] | None = None
    _runs: dict[tuple[int, int], Runs | None] = field(default_factory=dict)

    @property
    def allows_everything(self) -> bool:
        return self.form == "full" and self.keys is None

    def allowed(self, start: int, stop: int) -> Tensor | None:
        """Rows `start` to `stop`: (batch or 1) 1 query key, or None where every key may be seen."""
        if self.allows_everything:
            return None
        # every layer of a forward pass asks for the same rows in turn
        if self._cached is None or self._cached[0] != (start, stop):
            self._cached = ((start, stop), self.rows(start, stop))
        return self._cached[1]

    def part(self, rows: Sequence[int] | None, heads: Sequence[int]) -> Mask:
        """The mask restricted to these rows and heads."""

        def allowed(start: int, stop: int) -> Tensor:
            whole = self.allowed(start, stop)
            assert whole is not None
            chosen = take_heads(whole, rows, heads)
            assert chosen is not None
            return chosen

        keys = self.keys if self.keys is None or rows is None else self.keys[list(rows)]
        return Mask(self.form, keys, allowed, take_heads(self.bias, rows, heads), self.window)

    def visible(self, queries: int, keys: int, device: torch.device) -> Tensor:
        """(batch or 1) query: how many keys each query may see."""
        if self.form == "other":
            counts = [block.sum(-1).amax(1) for block in _blocks_of(self.rows, queries, keys)]
            return torch.cat(counts, -1).expand(-1, queries)
        real = torch.ones(1, keys, dtype=torch.bool, device=device) if self.keys is None else self.keys
        before = torch.nn.functional.pad(real.long().cumsum(-1), (1, 0))  # batch place: real keys before it
        first, past = self._bounds(queries, keys, device)
        return before[:, past] - before[:, first]

    def _bounds(self, queries: int, keys: int, device: torch.device) -> tuple[Tensor, Tensor]:
        """query: the first key of each, and the one past the last; `form` is not "other"."""
        place = torch.arange(queries, device=device)
        left, right = self.reach
        first = torch.zeros_like(place) if left is None else (place - left).clamp(0, keys)
        past = torch.full_like(place, keys) if right is None else (place + right + 1).clamp(0, keys)
        return first, past

    def runs(self, queries: int, keys: int, device: torch.device) -> Runs | None:
        """The keys that each query may see, padding aside, if they stand side by side in every row."""
        if (queries, keys) not in self._runs:
            if self.form == "other":
                runs = _runs_in(self.pattern or self.rows, queries, keys)
            else:
                first, past = self._bounds(queries, keys, device)
                runs = Runs(first[None].int(), past[None].int(), self.longest(keys))
            self._runs[queries, keys] = runs
        return self._runs[queries, keys]

    def among(self, chosen: Tensor, keys: int) -> Mask:
        """What it allows among the keys that an index chose for each query: `chosen` is batch query key."""
        batch, queries, _ = chosen.shape
        seen = torch.zeros(batch, queries, keys, dtype=torch.bool, device=chosen.device)
        seen = seen.scatter_(-1, chosen.long(), True)[:, None]
        allowed = self.allowed(0, queries)
        seen = seen if allowed is None else seen & allowed
        return Mask("other", None, lambda start, stop: rows_of(seen, start, stop), self.bias)

    def longest(self, keys: int) -> int:
        """The most keys that a query sees; `form` is not "other"."""
        left, right = self.reach
        return keys if left is None or right is None else min(keys, left + right + 1)

    def at(self, places: Tensor, queries: int, keys: int) -> Mask:
        """The mask restricted to some queries, others in each row of the batch: `places` is batch query."""
        runs = self.runs(queries, keys, places.device)
        if runs is None:
            whole = self.allowed(0, queries)
            assert whole is not None
            row = torch.arange(len(places), device=places.device)[:, None]
            if whole.shape[2] > 1:
                whole = whole.expand(len(places), -1, -1, -1)[row, :, places].transpose(1, 2)
            return Mask("other", self.keys, lambda start, stop: rows_of(whole, start, stop))
        first, past = (bound.expand(len(places), -1).gather(1, places) for bound in runs[:2])
        key = torch.arange(keys, device=places.device)

        def pattern(start: int, stop: int) -> Tensor:
            after, before = first[:, None, start:stop, None], past[:, None, start:stop, None]
            return (key >= after) & (key < before)

        def allowed(start: int, stop: int) -> Tensor:
            seen = pattern(start, stop)
            return seen if self.keys is None else seen & self.keys[:, None, None]

        few = Mask("other", self.keys, allowed, pattern=pattern)
        few._runs[places.shape[1], keys] = Runs(first, past, runs.longest)
        return few

    @property
    def reach(self) -> Reach:
        """What `form` says in numbers; of no meaning where it is "other"."""
        return (None, 0) if self.form == "causal" else self.window

    @cached_property
    def span(self) -> Tensor | None:
        """batch 2, int32: the first real key and the one past the last; None if others stand between."""
        if self.keys is None:
            return None
        real = self.keys.int()
        first = real.argmax(-1)
        past = real.shape[1] - real.flip(-1).argmax(-1)
        if bool((past - first != real.sum(-1)).any()):
            return None
        return torch.stack([first, past], -1).int()

    # some models look at the mask's rank before they pass it on, and sparse ones (DeepSeek-V3.2) make one of
    # their own out of it, as of the boolean matrix that it stands for
    ndim = 4
    dtype = torch.bool

    def to(self, device: torch.device | str | int, **_: Any) -> Mask:
        """Move the mask to another device, for a layer there: accelerate moves whatever can be moved to where
        a layer is."""
        wanted = torch.device("cuda", device) if isinstance(device, int) else torch.device(device)
        if self.device in (None, wanted):
            return self
        if wanted not in self._moved:
            pattern = self.pattern
            self._moved[wanted] = replace(
                self,
                keys=None if self.keys is None else self.keys.to(wanted),
                rows=lambda start, stop: self.rows(start, stop).to(wanted),
                bias=None if self.bias is None else self.bias.to(wanted),
                pattern=None if pattern is None else lambda start, stop: pattern(start, stop).to(wanted),
                device=wanted,
                _cached=None,
                _runs={},
                _moved={},
            )
        return self._moved[wanted]

    @property
    def shape(self) -> tuple[int, int, int, int]:
        return 1, 1, self.queries, self.columns

    def __getitem__(self, index: Any) -> Tensor:
        return self.rows(0, self.queries)[index]

    def __and__(self, other: Tensor) -> Tensor:
        return self.rows(0, self.queries) & other


def _blocks_of(rows: Callable[[int, int], Tensor], queries: int, keys: int) -> Iterator[Tensor]:
    step = max(1, BLOCK // keys)
    for start in range(0, queries, step):
        yield rows(start, min(start + step, queries))


def _runs_in(rows: Callable[[int, int], Tensor], queries: int, keys: int) -> Runs | None:
    bounds: list[tuple[Tensor, Tensor, Tensor]] = []
    for allowed in _blocks_of(rows, queries, keys):
        if allowed.shape[1] > 1:  # heads that see different keys
            return None
        if allowed.stride(0) == 0:  # the same in every row of the batch
            allowed = allowed[:1]
        seen = allowed[:, 0].to(torch.int8)  # batch query key
        count = seen.sum(-1, dtype=torch.int32)
        first = seen.argmax(-1).int()
        past = keys - seen.flip(-1).argmax(-1).int()
        past = torch.where(count > 0, past, first)
        bounds.append((first, past, (past - first) - count))
    first, past, missing = (torch.cat(parts, -1) for parts in zip(*bounds, strict=True))
    # one look for both: the host waits for each
    gaps, longest = torch.stack([missing.amax(), (past - first).amax()]).tolist()
    if first.shape[-1] != queries:  # a matrix of one row stands for all
        first, past = first.expand(-1, queries), past.expand(-1, queries)
    return None if gaps else Runs(first, past, longest)


def take_heads(tensor: Tensor | None, rows: Sequence[int] | None, heads: Sequence[int]) -> Tensor | None:
    """These rows and heads of a tensor, which is the same for all rows, or for all heads, where it has one of
    them."""
    if tensor is None:
        return None
    if rows is not None and tensor.shape[0] > 1:
        tensor = tensor[list(rows)]
    return tensor[:, list(heads)] if tensor.shape[1] > 1 else tensor


def rows_of(dense: Tensor, start: int, stop: int) -> Tensor:
    return dense if dense.shape[2] == 1 else dense[:, :, start:stop]
