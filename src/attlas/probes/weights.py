"""The weight that heads put on chosen tokens, as mergeable reducers: between linked tokens, and on features.

Each value has beside it what the same head puts elsewhere under the same conditions (`matched`), and the
difference of the two. Windows are the units, and all weigh the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt
import torch
from scipy.special import gammaln
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.alignment import Piece, WordBatch
from attlas.corpora.windows import Window
from attlas.errors import AttlasError
from attlas.reducers.reducer import Moments, Row, State, check_numbers, moments_of, reading_order
from attlas.tap.lazy_weights import LazyWeights
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

SPECIAL = ("cls", "sep")
#: suffixes of the three statistics
COLUMNS = ("", "_matched", "_over_matched")


@dataclass(frozen=True)
class Pairs:
    """Linked pieces: (query, key) places. Their largest weight is one value of the group."""

    group: str
    places: tuple[tuple[int, int], ...]


#: window, query pieces, key pieces -> linked pieces; a group without places counts as a weight of 0
AskPairs = Callable[[Window, Sequence[Piece], Sequence[Piece]], Sequence[Pairs]]
#: window, key pieces -> group -> places of its tokens; an empty group counts as a weight of 0
AskFeatures = Callable[[Window, Sequence[Piece]], Mapping[str, Sequence[int]]]


#: one call -> group -> value and matched value (window head; NaN: there is nothing to match), and which
#: windows count
Weigh = Callable[[LazyWeights], dict[str, tuple[Tensor, Tensor, Tensor]]]
#: batch, kind -> how to weigh its calls: what all layers have in common is worked out once
Prepare = Callable[[WordBatch, Kind], Weigh]


class WindowWeights:
    """Moments over windows of value, matched value and their difference, for each group."""

    needs = Needs(lazy_weights=True)

    def __init__(self, name: str, statistic: str, prepare: Prepare) -> None:
        self.name = name
        self.statistic = statistic
        self.prepare = prepare
        self.moments = Moments()  # kind.layer/group -> 3 column head

    def update(self, observation: Observation) -> None:
        if not isinstance(observation.batch, WordBatch):
            raise AttlasError(f"the probe {self.name} needs words: give it batches from aligned_batches")
        prepared: dict[Kind, Weigh] = {}
        for seen in observation.calls:
            assert seen.lazy_weights is not None
            if seen.kind not in prepared:
                prepared[seen.kind] = self.prepare(observation.batch, seen.kind)
            for group, (value, matched, present) in prepared[seen.kind](seen.lazy_weights).items():
                check_numbers(value[present])
                columns = torch.stack([value, matched, value - matched], 1)  # window column head
                some = ~matched.isnan()
                have = torch.stack([torch.ones_like(some), some, some], 1) & present[:, None, None]
                self.moments.add(f"{seen.kind}.{seen.layer}/{group}", moments_of(columns, have, 0))

    def merge(self, other: WindowWeights) -> None:
        self.moments.merge(other.moments)

    def state(self) -> State:
        return self.moments.state()

    def restore(self, state: State) -> None:
        self.moments.restore(state)

    def result(self) -> list[Row]:
        rows = []
        for key in sorted(self.moments.sums, key=lambda k: (reading_order(k.partition("/")[0]), k)):
            layer_key, _, group = key.partition("/")
            kind, _, layer = layer_key.partition(".")
            mean, stderr, count = self.moments.mean(key)  # column head
            for column, head in zip(*np.nonzero(count), strict=True):
                name = self.statistic + COLUMNS[column]
                where = cast(Kind, kind), int(layer), int(head)
                rows.append(
                    Row(
                        *where,
                        name,
                        group,
                        mean[column, head],
                        stderr[column, head],
                        int(count[column, head]),
                    )
                )
        return rows

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        return {}


def between_pairs(ask: AskPairs) -> Prepare:
    """The largest weight within each set of linked pieces, averaged over the sets of a window.

    Matched: the same set slid along the window, so that distances stay, averaged over all places where it
    fits.
    """

    def prepare(batch: WordBatch, kind: Kind) -> Weigh:
        slid: dict[str, _Slid] = {}
        for row, window in enumerate(batch.windows):
            queries, keys = batch.word_pieces(kind, row)
            for pairs in ask(window, queries, keys):
                slid.setdefault(pairs.group, _Slid(len(batch.windows))).add(row, pairs, queries, keys)
        device = batch.queries(kind).real.device
        ready = {group: sets.ready(device) for group, sets in slid.items()}
        places = torch.cat([one.places for one in ready.values()], 1) if ready else None

        def weigh(look: LazyWeights) -> dict[str, tuple[Tensor, Tensor, Tensor]]:
            if places is None:
                return {}
            chosen = torch.split(look.pairs(*places), [one.places.shape[1] for one in ready.values()])
            return {group: one.weigh(some) for (group, one), some in zip(ready.items(), chosen, strict=True)}

        return weigh

    return prepare


class _Slid:
    """The sets of one group in a batch: where each is, and everywhere it could be slid to."""

    def __init__(self, windows: int) -> None:
        self.windows = windows
        self.sets: list[int] = []  # set: its window
        self.own: list[tuple[int, int, int, int]] = []  # set, window, query, key
        self.places: list[int] = []  # place that a set could be slid to: its set
        self.slid: list[tuple[int, int, int, int]] = []  # place, window, query, key

    def add(self, row: int, pairs: Pairs, queries: Sequence[Piece], keys: Sequence[Piece]) -> None:
        number = len(self.sets)
        self.sets.append(row)
        self.own += [(number, row, q, k) for q, k in pairs.places]
        if not pairs.places:
            return
        spelled = [[i for i, p in enumerate(side) if p.spells] for side in (queries, keys)]
        ranges = [(own[0], own[-1]) for own in spelled if own]
        if len(ranges) < 2:
            return
        down = min(
            min(q - ranges[0][0] for q, _ in pairs.places), min(k - ranges[1][0] for _, k in pairs.places)
        )
        up = min(
            min(ranges[0][1] - q for q, _ in pairs.places), min(ranges[1][1] - k for _, k in pairs.places)
        )
        for shift in range(-down, up + 1):
            if shift:
                place = len(self.places)
                self.places.append(number)
                self.slid += [(place, row, q + shift, k + shift) for q, k in pairs.places]

    def ready(self, device: torch.device) -> _Ready:
        several = len(self.sets)
        places = torch.tensor(
            [*self.own, *((place + several, *rest) for place, *rest in self.slid)],
            dtype=torch.long,
            device=device,
        ).view(-1, 4)
        return _Ready(
            self.windows,
            torch.tensor(self.sets, device=device),
            torch.tensor(self.places, dtype=torch.long, device=device),
            places[:, 0],
            places[:, 1:].T.contiguous(),
        )


@dataclass(frozen=True)
class _Ready:
    """`_Slid` as tensors: sets where they are, and after them where they could be."""

    windows: int
    sets: Tensor  # set: its window
    slid: Tensor  # place that a set could be slid to: its set
    member: Tensor  # pair: its set, or place
    places: Tensor  # 3 pair: window, query, key

    def weigh(self, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """`chosen` is (pair head)."""
        several, heads = len(self.sets), chosen.shape[1]
        largest = chosen.new_zeros(several + len(self.slid), heads)  # a set without pairs has 0
        largest = largest.scatter_reduce(0, self.member[:, None].expand_as(chosen), chosen, "amax")
        matched = _mean_by(largest[several:], self.slid, several)  # set head
        value = _mean_by(largest[:several], self.sets, self.windows)
        found = torch.isfinite(matched[:, 0])
        windows = _mean_by(matched[found], self.sets[found], self.windows)
        present = torch.zeros(self.windows, dtype=torch.bool, device=chosen.device)
        present[self.sets] = True
        return value, windows, present


def _mean_by(values: Tensor, groups: Tensor, count: int) -> Tensor:
    """The mean of the rows of each group; NaN for groups without rows."""
    sums = values.new_zeros(count, values.shape[1]).index_add(0, groups, values)
    return sums / torch.bincount(groups, minlength=count)[:, None]


def on_features(ask: AskFeatures, from_cls: bool = False) -> Prepare:
    """The largest attention that any token of a feature receives: the mean over all queries, or from [CLS]
    only.

    Matched: the expected largest among as many tokens drawn at random from the window: from those that spell
    words, or from all for [CLS] and [SEP].
    """

    def prepare(batch: WordBatch, kind: Kind) -> Weigh:
        queries, keys = batch.queries(kind), batch.keys(kind)
        members: dict[str, Tensor] = {}
        present: dict[str, Tensor] = {}
        for row, window in enumerate(batch.windows):
            for group, places in ask(window, batch.word_pieces(kind, row)[1]).items():
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
        if from_cls:
            rows = queries.members("cls") if queries.has("cls") else torch.zeros_like(rows)
        words = torch.tensor(
            [[p.spells for p in batch.word_pieces(kind, row)[1]] for row in range(len(batch.windows))],
            device=keys.real.device,
        )
        words &= keys.real
        among = {group: keys.real if group in SPECIAL else words for group in members}
        expected = {group: _expected_largest(among[group], member) for group, member in members.items()}
        return _Profile(rows, among, members, present, expected).weigh

    return prepare


@dataclass(frozen=True)
class _Profile:
    rows: Tensor  # batch query: the queries that are averaged
    among: dict[str, Tensor]  # group -> batch key: what its matched tokens are drawn from
    members: dict[str, Tensor]  # group -> batch key
    present: dict[str, Tensor]  # group -> batch
    expected: dict[str, Tensor]  # group -> batch key: weights of the sorted values, largest first

    def weigh(self, look: LazyWeights) -> dict[str, tuple[Tensor, Tensor, Tensor]]:
        if not bool(self.rows.any()):
            return {}
        mean = look.received(self.rows / self.rows.sum(1, keepdim=True).clamp(min=1))  # batch head key
        ordered: dict[int, Tensor] = {}
        found = {}
        for group, member in self.members.items():
            among = self.among[group]
            if id(among) not in ordered:
                ordered[id(among)] = _descending(mean, among)
            value = mean.masked_fill(~member[:, None], 0).amax(-1)
            matched = torch.einsum("bhk,bk->bh", ordered[id(among)], self.expected[group].to(mean.dtype))
            found[group] = value, matched.masked_fill(~member.any(1)[:, None], torch.nan), self.present[group]
        return found


def _descending(mean: Tensor, among: Tensor) -> Tensor:
    """batch head rank: the values of some keys, largest first, then zeros."""
    return mean.masked_fill(~among[:, None], -1).sort(-1, descending=True).values.clamp(min=0)


def _expected_largest(among: Tensor, member: Tensor) -> Tensor:
    """batch rank: drawing k of n at random, the r-th largest is the largest drawn with probability
    C(n-r, k-1) / C(n, k)."""
    n = among.sum(1).double().cpu().numpy()[:, None]
    k = member.sum(1).double().cpu().numpy()[:, None]
    rank = np.arange(1, among.shape[1] + 1, dtype=float)[None]
    with np.errstate(invalid="ignore"):
        log = _log_choose(n - rank, k - 1) - _log_choose(n, k)
    possible = (k > 0) & (n - rank >= k - 1)
    return torch.from_numpy(np.where(possible, np.exp(np.where(possible, log, 0)), 0)).to(among.device)


def _log_choose(n: npt.NDArray[np.float64], k: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    n, k = np.maximum(n, 0), np.maximum(k, 0)
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(np.maximum(n - k, 0) + 1))
