"""What heads of two models do that can be held beside each other: names of patterns, relations of grammar;
and which heads are most alike by all that both atlases measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from attlas.array_types import Floats
from attlas.reports.page_contract import PageStatistic
from attlas.site.published_model import PublishedModel
from attlas.wording.names import NONE, PATTERNS
from attlas.wording.numbers import percent, uncertain

Standing = Literal["both", "moved", "appeared", "went", "not asked"]
MOVED = 0.25  # of the way from the first layer to the last
#: what profiles are made of: shares of attention, scores of patterns, accuracies of links
PROFILE = ("pattern_score", "dependent_to_head", "head_to_dependent", "to_previous", "to_next", "to_self")


@dataclass(frozen=True)
class Holder:
    """The heads of one model that do a job: how many, the best one, and its number in words."""

    heads: int
    best: int | None  # a place
    number: str
    depth: float  # of the best: 0 is the first layer, 1 the last


@dataclass(frozen=True)
class Job:
    """One thing that heads do, in both models. None where an atlas was not asked."""

    title: str
    sides: tuple[Holder | None, Holder | None]

    @property
    def standing(self) -> Standing:
        first, second = self.sides
        if first is None or second is None:
            return "not asked"
        if not first.heads or not second.heads:
            return "appeared" if second.heads else "went"
        return "moved" if abs(first.depth - second.depth) > MOVED else "both"


NOBODY = Holder(0, None, "", 0.0)


def jobs_of(first: PublishedModel, second: PublishedModel) -> list[Job]:
    """The jobs that some head of either does: those that both were asked for come first."""
    jobs = [*_relations(first, second), *_names(first, second)]
    held = [job for job in jobs if any(side is not None and side.heads for side in job.sides)]
    return sorted(
        held, key=lambda job: ("both", "moved", "appeared", "went", "not asked").index(job.standing)
    )


# ---- relations -------------------------------------------------------------------------------------


def _relations(first: PublishedModel, second: PublishedModel) -> Iterator[Job]:
    holders_of = [_holders_of_relations(model) for model in (first, second)]
    for title in dict.fromkeys((*holders_of[0], *holders_of[1])):
        yield Job(title, (holders_of[0].get(title), holders_of[1].get(title)))


def _holders_of_relations(model: PublishedModel) -> dict[str, Holder]:
    """Relation -> the head chosen for it, if it is shown to know it."""
    holders: dict[str, Holder] = {}
    for place, card in enumerate(model.report["cards"]):
        for relation in card["relations"]:
            if relation["best"] and relation["title"] not in holders:
                low, high = relation["low"], relation["high"]
                interval = "" if low is None or high is None else f" (95 % {100 * low:.0f}–{100 * high:.0f})"
                number = f"{percent(relation['value'])}{interval}"
                shown = int(relation["sure"])
                holders[relation["title"]] = Holder(
                    shown, place if shown else None, number, depth(model, place)
                )
    return holders


# ---- names -----------------------------------------------------------------------------------------


def _names(first: PublishedModel, second: PublishedModel) -> Iterator[Job]:
    holders_of = [_holders_of_names(model) for model in (first, second)]
    asked = [
        bool(holders) or _was_named(model) for holders, model in zip(holders_of, (first, second), strict=True)
    ]
    for title in dict.fromkeys((*holders_of[0], *holders_of[1])):
        sides = [
            holders.get(title, NOBODY) if of and (title in holders or _can(model, title)) else None
            for model, holders, of in zip((first, second), holders_of, asked, strict=True)
        ]
        yield Job(title, (sides[0], sides[1]))


def _can(model: PublishedModel, title: str) -> bool:
    """Whether heads of the model could: those of a decoder see nothing of what comes after."""
    ahead = title == _write_title(PATTERNS["next"])
    return not ahead or any(kind != "decoder" for kind in model.report["heads"]["kind"])


def _write_title(name: str) -> str:
    return f"Attention: {name}"


def _was_named(model: PublishedModel) -> bool:
    return any(names["kind"] == "pattern" for names in model.report["names"])


def _holders_of_names(model: PublishedModel) -> dict[str, Holder]:
    holders: dict[str, Holder] = {}
    for names in model.report["names"]:
        if names["kind"] != "pattern":
            continue
        for number, choice in enumerate(names["choices"]):
            having = [place for place, chosen in enumerate(names["heads"]) if chosen == number]
            if not having or choice["name"] == NONE:
                continue
            scores = column_of(model, "pattern_score", choice["name"])
            best = max(having, key=lambda place: _value(scores, place))
            score = "" if scores is None else f"score {_write_value(scores, best)}"
            holders[_write_title(choice["title"])] = Holder(len(having), best, score, depth(model, best))
    return holders


def column_of(model: PublishedModel, name: str, group: str) -> PageStatistic | None:
    columns = model.report["statistics"]
    return next((c for c in columns if (c["name"], c["group"]) == (name, group)), None)


def _value(column: PageStatistic | None, place: int) -> float:
    value = None if column is None else column["values"][place]
    return -np.inf if value is None else value


def _write_value(column: PageStatistic, place: int) -> str:
    value, stderr = column["values"][place], column["stderr"][place]
    return "" if value is None else uncertain(value, np.nan if stderr is None else stderr, 2)


def depth(model: PublishedModel, place: int) -> float:
    """How deep a head lies: 0 in the first layer, 1 in the last."""
    heads = model.report["heads"]
    kind = heads["kind"][place]
    layers = next(grid["layers"] for grid in model.report["model"]["grids"] if grid["kind"] == kind)
    return heads["layer"][place] / max(1, layers - 1)


# ---- heads most alike ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """A head of each model. `distance` is in the unit that `how` names."""

    first: int
    second: int
    distance: float


def measured_pairs(first: PublishedModel, second: PublishedModel) -> list[Pair]:
    """The matches that `attlas compare` measured on the same inputs, where the first atlas has them."""
    heads, kinds = second.report["heads"], first.report["heads"]["kind"]
    places = {
        at: place for place, at in enumerate(zip(heads["kind"], heads["layer"], heads["head"], strict=True))
    }
    pairs = []
    for place, card in enumerate(first.report["cards"]):
        for match in card["matches"]:
            other = places.get((kinds[place], match["layer"], match["head"]))
            if match["other"] == second.report["model"]["name"] and other is not None:
                pairs.append(Pair(place, other, match["distance"]))
                break
    return pairs


def alike_pairs(first: PublishedModel, second: PublishedModel) -> tuple[list[Pair], int]:
    """Heads that are each other's nearest by their profiles, nearest first; and how many numbers a profile
    has. Distances are Euclidean, as parts of that of the median pair."""
    shared = [key for key in _profile_keys(first) if key in _profile_keys(second)]
    if not shared:
        return [], 0
    a, b = (_profiles(model, shared) for model in (first, second))
    apart = np.sqrt(((a[:, None] - b[None]) ** 2).sum(-1))  # head-of-first head-of-second
    apart = apart / (np.median(apart) or 1.0)
    nearest, nearest_back = apart.argmin(1), apart.argmin(0)
    pairs = [
        Pair(place, int(other), float(apart[place, other]))
        for place, other in enumerate(nearest)
        if nearest_back[other] == place
    ]
    return sorted(pairs, key=lambda pair: pair.distance), len(shared)


def _profile_keys(model: PublishedModel) -> list[tuple[str, str]]:
    keys = ((c["name"], c["group"]) for c in model.report["statistics"] if c["name"] in PROFILE)
    return list(dict.fromkeys(keys))


def _profiles(model: PublishedModel, keys: list[tuple[str, str]]) -> Floats:
    """head number; 0 where a head has none."""
    columns = []
    for name, group in keys:
        column = column_of(model, name, group)
        assert column is not None
        columns.append([0.0 if value is None else value for value in column["values"]])
    return np.array(columns).T
