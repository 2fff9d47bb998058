"""Heads at work: stretches of text in which a head links the words that the corpus links (Clark 2019,
figure 5).

Two reducers: `FirstLinks` notes, without the model, where links of each group stand that would fit into a
figure; `HeadsAtWork` then keeps the weights of the chosen heads there, where they are correct. They show
what a hit looks like, and nothing about how often it comes: that is the table's business."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import torch

from attlas.array_types import Floats
from attlas.atlas.chapter import Chapter, Example
from attlas.atlas.schema import LINK
from attlas.corpora.alignment import From, with_words, word_maps
from attlas.corpora.source import ItemId, Source
from attlas.corpora.windows import Window
from attlas.engines.passes import Pass
from attlas.reducers.reducer import State
from attlas.studies.links.link_questions import DIRECTIONS, DirectedHead, FindLinks, Link, LinkTensors
from attlas.studies.study import RunPass
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

TRIED = 6  # windows of a group that are run, for links over a distance and for neighbours
WIDEST = 16  # words in a stretch
BESIDE = 3  # words shown on either side of a link
SHOWN = 2  # stretches of a group


class Place(NamedTuple):
    """The place of a link. Sorted, links over a distance come before neighbours."""

    neighbours: bool
    document: int
    place: int
    word: int

    @property
    def item(self) -> ItemId:
        return ItemId(self.document, self.place)


class FirstLinks:
    """The first links of every group that fit into a figure: some over a distance, some of neighbours, at
    most one of each in a window."""

    needs = Needs()

    def __init__(self, name: str, find: FindLinks) -> None:
        self.name = name
        self.find = find
        self.places: dict[str, list[Place]] = {}  # group -> sorted

    def update(self, observation: Observation) -> None:
        batch = with_words(observation.batch, self.name)
        for window in batch.windows:
            first: dict[tuple[str, bool], Place] = {}
            for link in self.find(window):
                if place := _place(link, window):
                    for group in link.groups:
                        first.setdefault((group, place.neighbours), place)
            for (group, _), place in first.items():
                self._add(group, [place])

    def _add(self, group: str, places: Sequence[Place]) -> None:
        ordered = sorted([*self.places.get(group, []), *places])
        apart = [p for p in ordered if not p.neighbours][:TRIED]
        self.places[group] = apart + [p for p in ordered if p.neighbours][:TRIED]

    def merge(self, other: FirstLinks) -> None:
        for group, places in other.places.items():
            self._add(group, places)

    def state(self) -> State:
        return {group: np.array(places, dtype=np.int64) for group, places in self.places.items()}

    def restore(self, state: State) -> None:
        self.places = {
            group: [Place(bool(a), int(b), int(c), int(d)) for a, b, c, d in array]
            for group, array in state.items()
        }


def stretch(link: Link, window: Window) -> tuple[int, int]:
    """The first and past-the-last word of what a figure shows of a link."""
    ends = link.word, *link.gold
    return max(0, min(ends) - BESIDE), min(len(window.words), max(ends) + BESIDE + 1)


def _place(link: Link, window: Window) -> Place | None:
    """Find the place of a link; None if it does not fit into a figure."""
    low, high = stretch(link, window)
    if not link.gold or high - low > WIDEST:
        return None
    ends = link.word, *link.gold
    return Place(max(ends) - min(ends) < 2, *window.id, link.word)


@dataclass(frozen=True)
class HeadAtWork:
    """A head's weights between the words of a stretch: row attends to column. `gold` are the links of the
    group, the one that was looked for first."""

    group: str
    head: DirectedHead
    words: tuple[str, ...]
    weights: Floats
    gold: tuple[tuple[int, int], ...]  # attending word, attended word


class HeadsAtWork:
    """Keeps the weights around the links at `places` in which the group's head of `best` is correct."""

    needs = Needs(weights=True)

    def __init__(
        self,
        name: str,
        find: FindLinks,
        best: Mapping[str, DirectedHead],
        places: Mapping[str, Sequence[Place]],
        rows: From = "mean",
    ) -> None:
        self.name = name
        self.find = find
        self.best = dict(best)
        self.places = {group: tuple(places.get(group, ())) for group in best}
        self.piece_rows = rows
        self.kept: dict[tuple[str, Place], HeadAtWork] = {}

    def items(self) -> set[ItemId]:
        """The windows that must be shown."""
        return {place.item for places in self.places.values() for place in places}

    def update(self, observation: Observation) -> None:
        batch = with_words(observation.batch, self.name)
        for call in observation.calls:
            here = {g: h for g, h in self.best.items() if (h.kind, h.layer) == (call.kind, call.layer)}
            if not here or call.weights is None:
                continue
            maps = word_maps(call.weights, *batch.word_shares(call.kind), self.piece_rows)
            for row, window in enumerate(batch.windows):
                n = len(window.words)
                for group, head in here.items():
                    if places := [place for place in self.places[group] if place.item == window.id]:
                        weights = maps[row, head.head, :n, :n].double().cpu().numpy()
                        self._keep(window, group, head, weights, places)

    def _keep(
        self, window: Window, group: str, head: DirectedHead, weights: Floats, places: Sequence[Place]
    ) -> None:
        links = [link for link in self.find(window) if group in link.groups]
        for place in places:
            shown = next(link for link in links if _place(link, window) == place)
            if _is_correct(shown, weights, head):
                others = [link for link in links if link is not shown]
                self.kept[group, place] = _stretch_at_work(group, head, window, weights, [shown, *others])

    def merge(self, other: HeadsAtWork) -> None:
        self.kept |= other.kept

    def state(self) -> State:
        """The weights of every stretch; its name says, in JSON, which it is."""
        return {
            json.dumps([group, place, at_work.words, at_work.gold]): at_work.weights
            for (group, place), at_work in self.kept.items()
        }

    def restore(self, state: State) -> None:
        self.kept = {}
        for name, weights in state.items():
            group, place, words, gold = json.loads(name)
            links = tuple((word, other) for word, other in gold)
            stretch_at_work = HeadAtWork(group, self.best[group], tuple(words), np.array(weights), links)
            self.kept[group, Place(*place)] = stretch_at_work

    def first_of_each(self, most: int = SHOWN) -> list[HeadAtWork]:
        """The first of every group: over a distance if there are such, else between neighbours."""
        shown = []
        for group in self.best:
            places = sorted(place for kept_group, place in self.kept if kept_group == group)
            shown += [self.kept[group, place] for place in places[:most]]
        return shown


def _is_correct(link: Link, weights: Floats, head: DirectedHead) -> bool:
    asked = LinkTensors.of([[link]], len(weights), torch.device("cpu"))
    correct = asked.correct(torch.from_numpy(weights)[None, None])  # link direction head
    return bool(correct[0, DIRECTIONS.index(head.direction), 0])


def _stretch_at_work(
    group: str, head: DirectedHead, window: Window, weights: Floats, links: Sequence[Link]
) -> HeadAtWork:
    low, high = stretch(links[0], window)
    ends = [(link.word, gold) for link in links for gold in link.gold]
    if head.direction == "from":
        ends = [(b, a) for a, b in ends]
    return HeadAtWork(
        group,
        head,
        tuple(w.text for w in window.words[low:high]),
        weights[low:high, low:high].copy(),
        tuple((a - low, b - low) for a, b in ends if low <= a < high and low <= b < high),
    )


def heads_at_work(
    find: FindLinks,
    best: Mapping[str, DirectedHead],
    places: Mapping[str, Sequence[Place]],
    source: Source,
    run: RunPass,
    rows: From = "mean",
) -> list[HeadAtWork]:
    """The last pass: the heads of `best` in the windows of `places`."""
    empty = HeadsAtWork("at_work", find, best, places, rows)
    if not empty.items():
        return []
    items = empty.items()
    chosen = source.only(items)
    done = run(Pass("at-work", chosen, [empty], kernel="eager", doing="heads at work", items=len(items)))
    return done.reducer(HeadsAtWork).first_of_each()


def add_heads_at_work(chapter: Chapter, shown: Sequence[HeadAtWork]) -> Chapter:
    """Return a chapter with heads at work.

    The words of a stretch are the token list `at-work-N`; the weights between them are the array
    `at-work-N.weights` (word word), the gold links `at-work-N.links` (link 2: attending, attended word).
    """
    named = {f"at-work-{number}": at_work for number, at_work in enumerate(shown)}
    records = [
        {"group": at_work.group, **asdict(at_work.head), "tokens": name} for name, at_work in named.items()
    ]
    arrays: dict[str, npt.NDArray[Any]] = {}
    examples = []
    for name, at_work in named.items():
        arrays |= {
            f"{name}.weights": at_work.weights,
            f"{name}.links": np.array(at_work.gold, dtype=np.int64),
        }
        query, key = at_work.gold[0]
        weight = float(at_work.weights[query, key])
        examples.append(Example(at_work.head.address, weight, name, query, key, sample=LINK))
    return replace(
        chapter,
        tables={**chapter.tables, **({"at_work": pd.DataFrame(records)} if records else {})},
        arrays={**chapter.arrays, **arrays},
        examples=sorted(examples, key=lambda e: (e.head, -e.weight)),
        tokens={name: at_work.words for name, at_work in named.items()},
    )
