"""Probing: corpus, windows, model under the tap, probe reducers, tables. Every probe runs through here."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pandas as pd
import torch

from attlas.corpora.alignment import From, aligned_batches
from attlas.corpora.windows import Cut, Window
from attlas.errors import AttlasError
from attlas.probes.accuracy import Cell, LinkAccuracy, ratio
from attlas.probes.choosing import BaselineCounts, Bootstrap, adjusted, beats_baseline, best_cells
from attlas.probes.found import Probed
from attlas.probes.links import Ask, Direction
from attlas.reducers import Reducer
from attlas.subject import Subject
from attlas.tap import Tap

#: reads the corpus from the beginning, and counts what is left out
Windows = Callable[[Cut], Iterator[Window]]


def run(
    subject: Subject, reducers: Sequence[Reducer], windows: Iterable[Window], advance: Callable[[int], None]
) -> None:
    """Shows every window to the reducers."""
    with (
        _without_onednn(subject),
        # where all weights are needed anyway, the kernel that makes them all
        Tap(subject, reducers, kernel="eager" if any(r.needs.weights for r in reducers) else None) as tap,
    ):
        for batch in aligned_batches(subject, windows):
            tap.run(batch)
            advance(len(batch.windows))


@contextmanager
def _without_onednn(subject: Subject) -> Iterator[None]:
    """oneDNN compiles a kernel for every new shape of a batch and keeps it, and around what is kept the heap
    falls to pieces: memory would grow with the corpus. In float32 on x86, PyTorch takes only GELU from it."""
    onednn: Any = torch.backends.mkldnn
    before = onednn.enabled
    if next(subject.model.parameters()).dtype == torch.float32 and platform.machine() in ("x86_64", "AMD64"):
        onednn.enabled = False
    try:
        yield
    finally:
        onednn.enabled = before


@dataclass(frozen=True)
class LinkProbe:
    """A question to heads, and how its answers are reported."""

    name: str
    ask: Ask
    statistics: Mapping[Direction, str]
    windows: Windows
    choosing: Windows | None = None  # another corpus to choose heads on; without it, half of `windows`
    rows: From = "mean"
    untabled: frozenset[str] = frozenset()
    least: int = 100  # links that a group needs to be in the table
    seed: int = 0
    every_baseline: bool = False  # a column for each, beside the best


def probe_links(subject: Subject, probe: LinkProbe, faithful: bool, progress: bool) -> Probed:
    """Chooses the best head of every group on one part and reports it on the other; or, the original's way,
    chooses and reports on all of it."""
    halves = _halves(probe, faithful)
    wanted = [g for g in halves.groups(probe) if g not in probe.untabled]
    if not wanted:
        raise AttlasError(
            f"no group of links comes {probe.least} times or more: give a larger corpus, or a smaller --least"
        )
    # the strongest there is where heads are reported, so that none wins cheaply
    rivals = halves.second.best()
    chosen_on = LinkAccuracy(probe.name, probe.ask, probe.statistics, probe.rows, rivals)
    with progress_bar(probe.name, halves.windows, progress) as advance:
        run(subject, [chosen_on], halves.choosing(), advance)
        best = best_cells(chosen_on, wanted)
        if faithful:
            return _original(probe, chosen_on, best, halves)
        bootstrap = Bootstrap(best, probe.seed)
        reported = LinkAccuracy(probe.name, probe.ask, probe.statistics, probe.rows, rivals, [bootstrap])
        run(subject, [reported], halves.reporting(), advance)
    table = _table(probe, best, chosen_on, reported, bootstrap, halves)
    if probe.choosing is None:
        reported.merge(chosen_on)
    notes = (halves.cut.said(), halves.said(), _CORRECTION.format(n=_family(subject, wanted)))
    return Probed(probe.name, table, reported.result(), notes, best)


_CORRECTION = (
    "95%: bootstrap over windows; p: more often right than the best offset or rule (sign test over windows), "
    "Holm-corrected for the groups; --json and --csv also have it for all {n:,} heads x directions x groups"
)


def _family(subject: Subject, groups: Sequence[str]) -> int:
    return len(subject.heads) * 2 * len(groups)


@dataclass(frozen=True)
class _Halves:
    """The part to choose on and the part to report on, with what the baselines do on each."""

    choosing: Callable[[], Iterator[Window]]
    reporting: Callable[[], Iterator[Window]]
    first: BaselineCounts
    second: BaselineCounts
    cut: Cut
    how: str

    @property
    def windows(self) -> int:
        return self.first.windows + (self.second.windows if self.second is not self.first else 0)

    def groups(self, probe: LinkProbe) -> list[str]:
        """Groups with enough links in all, and some in both parts; the most frequent first."""
        same = self.second is self.first
        count = {
            g: n + (0 if same or probe.choosing is not None else self.first.links.get(g, 0))
            for g, n in self.second.links.items()
            if g in self.first.links
        }
        return sorted((g for g, n in count.items() if n >= probe.least), key=lambda g: -count[g])

    def said(self) -> str:
        if self.second is self.first:
            return self.how
        return f"{self.how}: chosen on {self.first.windows:,} windows, reported on {self.second.windows:,}"


def _halves(probe: LinkProbe, faithful: bool) -> _Halves:
    cut = Cut()
    if faithful:
        counts = BaselineCounts()
        for window in probe.windows(cut):
            counts.see(window, probe.ask)
        return _Halves(
            lambda: probe.windows(Cut()),
            lambda: probe.windows(Cut()),
            counts, counts, cut, "the original's way: heads chosen and reported on the same windows",
        )  # fmt: skip
    if probe.choosing is not None:
        first, second = BaselineCounts(), BaselineCounts()
        other = probe.choosing
        for window in other(Cut()):
            first.see(window, probe.ask)
        for window in probe.windows(cut):
            second.see(window, probe.ask)
        return _Halves(
            lambda: other(Cut()),
            lambda: probe.windows(Cut()),
            first,
            second,
            cut,
            "heads chosen on another corpus",
        )
    by: Half = _by_document
    how = "halves of the corpus by document"
    parts, cut = _split(probe, by)
    if min(p.windows for p in parts) * 5 < cut.windows:
        # a corpus of very few documents cannot be halved between them
        by = _by_window
        how = "halves of the corpus, every other window"
        parts, cut = _split(probe, by)

    def part(first: bool) -> Iterator[Window]:
        return (w for w in probe.windows(Cut()) if by(w, probe.seed) is first)

    return _Halves(lambda: part(True), lambda: part(False), parts[0], parts[1], cut, how)


#: window, seed -> is it in the part that heads are chosen on?
Half = Callable[[Window, int], bool]


def _by_document(window: Window, seed: int) -> bool:
    return in_first_half(window.document.name, seed)


def _by_window(window: Window, seed: int) -> bool:
    return (window.number + seed) % 2 == 0


def _split(probe: LinkProbe, by: Half) -> tuple[tuple[BaselineCounts, BaselineCounts], Cut]:
    parts, cut = (BaselineCounts(), BaselineCounts()), Cut()
    for window in probe.windows(cut):
        parts[0 if by(window, probe.seed) else 1].see(window, probe.ask)
    return parts, cut


def in_first_half(name: str, seed: int) -> bool:
    """Decided by the name and the seed alone, so that order and batches do not matter."""
    return hashlib.blake2b(f"{seed}/{name}".encode(), digest_size=1).digest()[0] % 2 == 0


def _original(probe: LinkProbe, accuracy: LinkAccuracy, best: Mapping[str, Cell], halves: _Halves) -> Probed:
    rivals = halves.first.best()
    records = [
        {
            "group": group,
            "links": halves.first.links[group],
            **_address(cell),
            "accuracy": ratio(accuracy.table(group)[cell])[0],
            "baseline": rivals[group],
            "baseline_accuracy": halves.first.accuracy(group, rivals[group]),
            **_every_baseline(probe, halves.first, group),
        }
        for group, cell in best.items()
    ]
    return Probed(
        probe.name, pd.DataFrame(records), accuracy.result(), (halves.cut.said(), halves.said()), best
    )


def _every_baseline(probe: LinkProbe, counts: BaselineCounts, group: str) -> dict[str, float]:
    if not probe.every_baseline:
        return {}
    return {name: counts.accuracy(group, name) for name in counts.right[group]}


def _table(
    probe: LinkProbe,
    best: Mapping[str, Cell],
    chosen_on: LinkAccuracy,
    reported: LinkAccuracy,
    bootstrap: Bootstrap,
    halves: _Halves,
) -> pd.DataFrame:
    rivals = halves.second.best()
    raw = beats_baseline(reported, list(best))
    # heads were chosen on other windows, so only the groups were tried here; `everything` also covers those
    # who look for the best of all heads in this part
    p = adjusted({group: raw[group, cell] for group, cell in best.items()})
    everything = adjusted(raw)
    records = []
    for group, cell in best.items():
        low, high = bootstrap.interval(group)
        gain = bootstrap.interval(group, over_rival=True)
        records.append(
            {
                "group": group,
                "links": halves.second.links[group],
                **_address(cell),
                "accuracy": ratio(reported.table(group)[cell])[0],
                "low": low,
                "high": high,
                "baseline": rivals[group],
                "baseline_accuracy": halves.second.accuracy(group, rivals[group]),
                "gain_low": gain[0],
                "gain_high": gain[1],
                "p": p[group],
                "p_all": everything[group, cell],
                "heads_better": sum(value < 0.05 for (g, _), value in everything.items() if g == group),
                **_every_baseline(probe, halves.second, group),
                "when_chosen": ratio(chosen_on.table(group)[cell])[0],
            }
        )
    return pd.DataFrame(records)


def _address(cell: Cell) -> dict[str, Any]:
    """Counted from 0; `paper` as the papers write it, counted from 1."""
    return {
        "kind": cell.kind,
        "layer": cell.layer,
        "head": cell.head,
        "direction": cell.direction,
        "paper": f"{cell.layer + 1}-{cell.head + 1}",
    }


@contextmanager
def progress_bar(name: str, windows: int | None, show: bool) -> Iterator[Callable[[int], None]]:
    """Windows done, of how many where that is known, and time left."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), disable=not show, transient=True) as bar:
        task = bar.add_task(name, total=windows)
        yield lambda done: bar.advance(task, done)
