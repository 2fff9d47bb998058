"""The most attention that a token of a feature receives, beside that of as many tokens at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.alignment import Piece, WordBatch
from attlas.corpora.windows import Window
from attlas.studies.weights.window_weights import Weigh
from attlas.tap.lazy_weights import LazyWeights

SPECIAL = ("cls", "sep")


class FindFeatures(Protocol):
    """feature -> the places of its tokens among the keys of a window; an empty feature counts as a weight of
    0. A function, or a dataclass with settings, that survives pickling."""

    def __call__(self, window: Window, keys: Sequence[Piece], /) -> Mapping[str, Sequence[int]]: ...


@dataclass(frozen=True)
class OnFeatures:
    """The largest attention that any token of a feature receives: the mean over all queries, or from [CLS]
    only.

    Matched: the expected largest among as many tokens drawn at random from the window: from those that spell
    words, or from all for [CLS] and [SEP].
    """

    find: FindFeatures
    from_cls: bool = False

    def prepare(self, batch: WordBatch, kind: Kind) -> Weigh:
        queries, keys = batch.queries(kind), batch.keys(kind)
        members: dict[str, Tensor] = {}
        present: dict[str, Tensor] = {}
        for row, window in enumerate(batch.windows):
            for group, places in self.find(window, batch.word_pieces(kind, row)[1]).items():
                if group not in members:
                    members[group] = torch.zeros_like(keys.real)
                    present[group] = torch.zeros_like(keys.real[:, 0])
                members[group][row, list(places)] = True
                present[group][row] = True
        for special in SPECIAL:
            if keys.has(special):
                members[special] = keys.members(special)
                present[special] = members[special].any(1)
        rows = queries.real
        if self.from_cls:
            rows = queries.members("cls") if queries.has("cls") else torch.zeros_like(rows)
        words = torch.tensor(
            [[p.spells for p in batch.word_pieces(kind, row)[1]] for row in range(len(batch.windows))],
            device=keys.real.device,
        )
        words &= keys.real
        among = {group: keys.real if group in SPECIAL else words for group in members}
        expected = {group: _expected_largest(among[group], member) for group, member in members.items()}
        return _Profile(rows, among, members, present, expected).weigh


@dataclass(frozen=True)
class _Profile:
    rows: Tensor  # batch query: the queries that are averaged
    among: dict[str, Tensor]  # group -> batch key: what its matched tokens are drawn from
    members: dict[str, Tensor]  # group -> batch key
    present: dict[str, Tensor]  # group -> batch
    expected: dict[str, Tensor]  # group -> batch rank: weights of the sorted values, largest first

    def weigh(self, lazy_weights: LazyWeights) -> dict[str, tuple[Tensor, Tensor, Tensor]]:
        if not bool(self.rows.any()):
            return {}
        queries = self.rows / self.rows.sum(1, keepdim=True).clamp(min=1)
        mean = lazy_weights.received(queries)  # batch head key
        ordered: dict[int, Tensor] = {}
        weighed = {}
        for group, member in self.members.items():
            among = self.among[group]
            if id(among) not in ordered:
                ordered[id(among)] = _descending(mean, among)
            value = mean.masked_fill(~member[:, None], 0).amax(-1)
            matched = torch.einsum("bhk,bk->bh", ordered[id(among)], self.expected[group].to(mean.dtype))
            weighed[group] = (
                value,
                matched.masked_fill(~member.any(1)[:, None], torch.nan),
                self.present[group],
            )
        return weighed


def _descending(mean: Tensor, among: Tensor) -> Tensor:
    """batch head rank: the values of some keys, largest first, then zeros."""
    return mean.masked_fill(~among[:, None], -1).sort(-1, descending=True).values.clamp(min=0)


def _expected_largest(among: Tensor, member: Tensor) -> Tensor:
    """batch rank: drawing k of n at random, the r-th largest is the largest drawn with probability
    C(n-r, k-1) / C(n, k)."""
    n, k = (several.sum(1).double()[:, None] for several in (among, member))
    rank = torch.arange(1, among.shape[1] + 1, dtype=torch.float64, device=among.device)[None]
    log = _log_choose(n - rank, k - 1) - _log_choose(n, k)
    possible = (k > 0) & (n - rank >= k - 1)
    return torch.where(possible, log.exp(), 0.0)


def _log_choose(n: Tensor, k: Tensor) -> Tensor:
    n, k = n.clamp(min=0), k.clamp(min=0)
    return torch.lgamma(n + 1) - torch.lgamma(k + 1) - torch.lgamma((n - k).clamp(min=0) + 1)
