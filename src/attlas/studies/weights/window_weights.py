"""The weight that heads put on chosen tokens, as a mergeable reducer; what to choose: linked tokens, tokens
of a feature; and tables of the strongest heads.

Each value has beside it what the same head puts elsewhere under the same conditions (`matched`), and the
difference of the two. Windows are the units, and all weigh the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.alignment import Piece, WordBatch, with_words
from attlas.corpora.windows import Window
from attlas.reducers.reducer import ItemMeans, check_numbers, estimate_rows, layer_of, reading_order
from attlas.row import Row
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import above_zero, holm
from attlas.studies.links.link_questions import DirectedHead
from attlas.tap.lazy_weights import LazyWeights
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

#: suffixes of the three statistics
COLUMNS = ("", "_matched", "_over_matched")

#: one call -> group -> value and matched value (window head; NaN: there is nothing to match), and which
#: windows count
Weigh = Callable[[LazyWeights], dict[str, tuple[Tensor, Tensor, Tensor]]]


class WeighTokens(Protocol):
    """Which tokens are weighed, and how: what all layers have in common is worked out once, by `prepare`.
    Must survive pickling."""

    def prepare(self, batch: WordBatch, kind: Kind) -> Weigh: ...


class WindowWeights(ItemMeans):
    """Means over windows of value, matched value and difference, for each group."""

    needs = Needs(lazy_weights=True)

    def __init__(self, name: str, statistic: str, weigh: WeighTokens) -> None:
        self.name = name
        self.statistic = statistic
        self.weigh = weigh
        super().__init__()  # kind.layer/group -> head column

    def update(self, observation: Observation) -> None:
        batch = with_words(observation.batch, self.name)
        prepared: dict[Kind, Weigh] = {}
        for call in observation.calls:
            assert call.lazy_weights is not None
            if call.kind not in prepared:
                prepared[call.kind] = self.weigh.prepare(batch, call.kind)
            for group, (value, matched, present) in prepared[call.kind](call.lazy_weights).items():
                check_numbers(value[present])
                columns = _columns(value, matched, present)
                self.add_items(f"{call.kind}.{call.layer}/{group}", *columns, batch)

    def rows(self) -> list[Row]:
        rows = []
        for key in sorted(self.sums, key=lambda k: (reading_order(k.partition("/")[0]), k)):
            group = key.partition("/")[2]
            columns = [(self.statistic + end, group) for end in COLUMNS]
            rows += estimate_rows(*layer_of(key), self.mean(key), columns)
        return rows


def _columns(value: Tensor, matched: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
    """window head column, twice: the three numbers, and which there are (`present`: window)."""
    columns = torch.stack([value, matched, value - matched], -1)
    some = ~matched.isnan()
    return columns, torch.stack([torch.ones_like(some), some, some], -1) & present[:, None, None]


@dataclass(frozen=True)
class Pairs:
    """Linked pieces: (query, key) places. Their largest weight is one value of the group. `matched`: other
    places to compare with, where not the same slid along the window."""

    group: str
    places: tuple[tuple[int, int], ...]
    matched: tuple[tuple[tuple[int, int], ...], ...] | None = None


class FindPairs(Protocol):
    """Linked pieces among the queries and keys of a window; a group without places counts as a weight of 0. A
    function, or a dataclass with settings, that survives pickling."""

    def __call__(
        self, window: Window, queries: Sequence[Piece], keys: Sequence[Piece], /
    ) -> Sequence[Pairs]: ...


@dataclass(frozen=True)
class BetweenPairs:
    """The largest weight within each set of linked pieces, averaged over the sets of a window.

    Matched: the same set slid along the window, so that distances stay, averaged over all places where it
    fits; or other sets that `find` names.
    """

    find: FindPairs

    def prepare(self, batch: WordBatch, kind: Kind) -> Weigh:
        slid: dict[str, _Slid] = {}
        for row, window in enumerate(batch.windows):
            queries, keys = batch.word_pieces(kind, row)
            for pairs in self.find(window, queries, keys):
                slid.setdefault(pairs.group, _Slid(len(batch.windows))).add(row, pairs, queries, keys)
        device = batch.queries(kind).real.device
        ready = {group: sets.ready(device) for group, sets in slid.items()}
        places = torch.cat([tensors.places for tensors in ready.values()], 1) if ready else None

        def weigh(lazy_weights: LazyWeights) -> dict[str, tuple[Tensor, Tensor, Tensor]]:
            if places is None:
                return {}
            sizes = [tensors.places.shape[1] for tensors in ready.values()]
            chosen = torch.split(lazy_weights.pairs(*places), sizes)
            return {
                group: tensors.weigh(some)
                for (group, tensors), some in zip(ready.items(), chosen, strict=True)
            }

        return weigh


class _Slid:
    """The sets of one group in a batch: where each is, and everywhere it could be slid to."""

    def __init__(self, windows: int) -> None:
        self.windows = windows
        self.sets: list[int] = []  # set: its window
        self.unslid: list[tuple[int, int, int, int]] = []  # set, window, query, key
        self.places: list[int] = []  # place that a set could be slid to: its set
        self.slid: list[tuple[int, int, int, int]] = []  # place, window, query, key

    def add(self, row: int, pairs: Pairs, queries: Sequence[Piece], keys: Sequence[Piece]) -> None:
        number = len(self.sets)
        self.sets.append(row)
        self.unslid += [(number, row, q, k) for q, k in pairs.places]
        for places in _slide(pairs, queries, keys) if pairs.matched is None else pairs.matched:
            place = len(self.places)
            self.places.append(number)
            self.slid += [(place, row, q, k) for q, k in places]

    def ready(self, device: torch.device) -> _Ready:
        several = len(self.sets)
        places = torch.tensor(
            [*self.unslid, *((place + several, *rest) for place, *rest in self.slid)],
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


def _slide(pairs: Pairs, queries: Sequence[Piece], keys: Sequence[Piece]) -> Iterator[list[tuple[int, int]]]:
    """The places of a set everywhere else that it fits among the pieces that spell words."""
    spelled = [[i for i, p in enumerate(side) if p.spells] for side in (queries, keys)]
    ranges = [(places[0], places[-1]) for places in spelled if places]
    if len(ranges) < 2 or not pairs.places:
        return
    ends = [(at, *ends) for pair in pairs.places for at, ends in zip(pair, ranges, strict=True)]
    down, up = min(at - first for at, first, _ in ends), min(last - at for at, _, last in ends)
    for shift in range(-down, up + 1):
        if shift:
            yield [(q + shift, k + shift) for q, k in pairs.places]


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
        can_slide = torch.isfinite(matched[:, 0])
        windows = _mean_by(matched[can_slide], self.sets[can_slide], self.windows)
        present = torch.zeros(self.windows, dtype=torch.bool, device=chosen.device)
        present[self.sets] = True
        return value, windows, present


def _mean_by(values: Tensor, groups: Tensor, count: int) -> Tensor:
    """The mean of the rows of each group; NaN for groups without rows. `groups` rise, as windows do: rows are
    added in their order, where `index_add` would take a GPU's, which differs from run to run."""
    rows = torch.bincount(groups, minlength=count)
    return torch.segment_reduce(values, "mean", lengths=rows)


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
                ordered[id(among)] = _sort_descending(mean, among)
            value = mean.masked_fill(~member[:, None], 0).amax(-1)
            matched = torch.einsum("bhk,bk->bh", ordered[id(among)], self.expected[group].to(mean.dtype))
            weighed[group] = (
                value,
                matched.masked_fill(~member.any(1)[:, None], torch.nan),
                self.present[group],
            )
        return weighed


def _sort_descending(mean: Tensor, among: Tensor) -> Tensor:
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


_HEAD = ["kind", "layer", "head"]
_COLUMNS = ["statistic", "group", *_HEAD, "from_1"]
_COLUMNS += ["weight", "stderr", "matched", "gain", "gain_stderr", "p", "n", "documents"]


def weight_table(rows: Sequence[Row], statistic: str) -> pd.DataFrame:
    """A row for every head and group: weight, standard error, the matched weight, how far above it, and p.

    p is that of Student's one-sided test that the head's weight is larger than the matched one, over
    documents, Holm-corrected for all heads x groups.
    """
    tidy = pd.DataFrame(list(rows), columns=list(Row._fields))
    parts = [tidy[tidy["statistic"] == f"{statistic}{end}"] for end in ("", "_matched", "_over_matched")]
    value, matched, gain = (
        part.set_index([*_HEAD, "group"])[["value", "stderr", "n", "documents", "effective"]]
        for part in parts
    )
    table = value.rename(columns={"value": "weight"})
    table["matched"] = matched["value"]
    table["gain"] = gain["value"]
    table["gain_stderr"] = gain["stderr"]
    items, effective = (gain[name].reindex(table.index).to_numpy(dtype=float) for name in ("n", "effective"))
    above, stderr = (table[name].to_numpy(dtype=float) for name in ("gain", "gain_stderr"))
    table["p"] = holm(above_zero(above, stderr, degrees(items, effective)))
    table = table.reset_index()
    table["statistic"] = statistic
    table["from_1"] = [f"{la + 1}-{h + 1}" for la, h in zip(table["layer"], table["head"], strict=True)]
    return table[_COLUMNS]


def past_percentile(table: pd.DataFrame, percentile: float = 99) -> pd.DataFrame:
    """The heads of each group whose weight lies above the percentile of all heads, strongest first."""
    limit = table.groupby("group")["weight"].transform(lambda w: np.percentile(w, percentile))
    chosen = table[table["weight"] > limit]
    return chosen.sort_values(["group", "weight"], ascending=[True, False]).reset_index(drop=True)


def strongest(table: pd.DataFrame) -> pd.DataFrame:
    """The strongest head of each group; of equals the first in reading order."""
    best = table.loc[table.groupby("group", sort=False)["weight"].idxmax()]
    return best.reset_index(drop=True)


def named_heads(table: pd.DataFrame) -> dict[str, DirectedHead]:
    """group -> the strongest of the table's heads. A group says who attends: the direction is always `to`."""
    return {
        record["group"]: DirectedHead(record["kind"], int(record["layer"]), int(record["head"]), "to")
        for record in strongest(table).to_dict("records")
    }
