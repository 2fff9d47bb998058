"""Which earlier heads feed the queries and keys of a head, over a corpus (`attlas why`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.corpora.source import Source
from attlas.engines import Merged, Pass
from attlas.statistics.claims import FEEDS_SHARE
from attlas.statistics.clusters import Estimates
from attlas.statistics.hypotheses import above_zero, holm, student_interval
from attlas.statistics.verdicts import Estimate, judge
from attlas.studies.feeding.feed_sweep import FeedLayout, FeedMeans, FeedSweep
from attlas.studies.feeding.writers import address_of, name_writer
from attlas.studies.provenance import (
    about,
    chapter_name,
    described,
    items_of,
    nothing_in,
    of_documents,
    one_document,
)
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.tap.score_parts import SIDES
from attlas.tap.stream_parts import FEED_FORWARD
from attlas.wording.numbers import count

FEEDS, LOOKS = "feeds", "looks"  # the tables
KEPT = 20  # writers of each end of a head, the strongest
NAMED = 3  # feeds in a sentence
_SUMS = ("embeddings", "positions", "biases", "heads", "feed_forward")


@dataclass(frozen=True, kw_only=True)
class Why:
    subject: Subject
    source: Source
    heads: tuple[Head, ...]
    kernel: str | None = None

    @property
    def name(self) -> str:
        return chapter_name("why", self.source)

    def describe(self) -> dict[str, Any]:
        heads = [head.full for head in self.heads]
        settings = {"heads": heads, "least_share": FEEDS_SHARE, "kernel": self.kernel}
        return described("why", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        layout = FeedLayout.of(self.subject, self.heads)
        sweep = FeedSweep(layout, self.kernel)
        done = run(Pass("feeds", self.source, [FeedMeans()], sweep=sweep, doing="who feeds whom"))
        if not done.counts["items"]:
            raise nothing_in(self.source, done.problems)
        known = done.reducer(FeedMeans).lifts(layout)
        feeds = feed_table(known, layout, self.heads)
        tables = {FEEDS: feeds, LOOKS: look_table(known, layout, self.heads)}
        return Chapter(self.name, about(self.describe(), done, self._notes(done, feeds)), (), tables)

    def _notes(self, done: Merged, feeds: pd.DataFrame) -> list[str]:
        items, documents = (int(feeds[name].max()) for name in ("n", "documents"))
        return [
            *feeds_sentences(feeds, len(self.heads)),
            f"read: {of_documents(items, documents, items_of(self.source))}",
            *one_document([documents], [items], items_of(self.source)),
        ]


def feed_table(known: Estimates, layout: FeedLayout, heads: Sequence[Head]) -> pd.DataFrame:
    """For each end of each head the writers that lift its scores most, strongest first. `beside` is the mean
    of the other heads of the sender's layer, `elsewhere` what the sender gives the other heads of the
    receiver's layer on average. p tests that the lift is above 0 and above `beside`; it is corrected for all
    heads that may feed one of these."""
    mean, stderr = known.mean, known.stderr
    p = above_zero(mean, stderr, known.degrees)[..., :2].max(-1)  # receiver side writer
    low, high = student_interval(mean[..., 0], stderr[..., 0], known.degrees[..., 0])
    total = mean[..., 0].sum(-1)
    rows = []
    for receiver, side, writer in _writers(known, layout, heads):
        head = layout.receivers[receiver]
        part, layer, number = address_of(layout.writers[writer])
        at = receiver, side, writer
        lift = mean[(*at, 0)]
        rows.append(
            {
                **{"kind": head.kind, "layer": head.layer, "head": head.head, "end": SIDES[side]},
                **{"writer": name_writer(part, layer, number), "part": part},
                **{"from_layer": layer, "from_head": number, "lift": lift},
                **{"stderr": stderr[(*at, 0)], "low": low[at], "high": high[at]},
                "share": lift / total[receiver, side] if total[receiver, side] > 0 else np.nan,
                **_excess(mean[(*at, 1)], stderr[(*at, 1)], total[receiver, side], known.degrees[(*at, 1)]),
                "beside": lift - mean[(*at, 1)],
                "elsewhere": lift - mean[(*at, 2)],
                "p_alone": p[at] if number >= 0 else np.nan,
                "n": int(known.items[(*at, 0)]),
                "documents": int(known.documents[(*at, 0)]),
            }
        )
    table = pd.DataFrame(rows)
    of_heads = table["from_head"] >= 0
    table["p"] = np.nan
    table.loc[of_heads, "p"] = holm(table.loc[of_heads, "p_alone"].to_numpy(float))
    table["verdict"] = [_verdict(row) for row in table.to_dict("records")]
    order = table["lift"].abs().argsort(kind="stable")[::-1]
    strongest = table.iloc[order].groupby(["kind", "layer", "head", "end"], sort=False).head(KEPT)
    return strongest.sort_values(["kind", "layer", "head", "end"], kind="stable", ignore_index=True)


def _excess(mean: float, stderr: float, total: float, degrees: float) -> dict[str, float]:
    """The share beyond the other heads of the writer's layer, with its interval; the total is held."""
    scale = 1 / total if total > 0 else np.nan
    low, high = student_interval(mean, stderr, degrees)
    numbers = float(mean) * scale, float(low) * scale, float(high) * scale
    return dict(zip(("excess", "excess_low", "excess_high"), numbers, strict=True))


def _verdict(row: dict[Any, Any]) -> str:
    """By the rule of evidence; empty for what is no head."""
    if row["from_head"] < 0:
        return ""
    share = Estimate(row["excess"], row["excess_low"], row["excess_high"], row["documents"])
    return judge("feed", share, p=row["p"]).verdict


def _writers(known: Estimates, layout: FeedLayout, heads: Sequence[Head]) -> Iterator[tuple[int, int, int]]:
    """The places of what may feed one of these heads: what comes before it in the model."""
    gives = (known.mean[..., 0] != 0) | (known.stderr[..., 0] > 0)
    for receiver, side, writer in zip(*np.nonzero(gives), strict=True):
        if layout.receivers[receiver] in heads:
            yield int(receiver), int(side), int(writer)


def look_table(known: Estimates, layout: FeedLayout, heads: Sequence[Head]) -> pd.DataFrame:
    """For each head and end, the mean lift of the scores of what it attends to, and what all embeddings,
    positions, biases, heads and feed-forward layers write of it."""
    rows = []
    for receiver, head in enumerate(layout.receivers):
        for side, end in enumerate(SIDES if head in heads else ()):
            sums = dict.fromkeys(_SUMS, 0.0)
            for writer, lift in zip(layout.writers, known.mean[receiver, side, :, 0], strict=True):
                sums[_kind_of(address_of(writer))] += float(lift)
            address = {"kind": head.kind, "layer": head.layer, "head": head.head, "end": end}
            rows.append({**address, "lift": sum(sums.values()), **sums})
    return pd.DataFrame(rows)


def _kind_of(writer: tuple[str, int, int]) -> str:
    part, _, head = writer
    if head >= 0:
        return "heads"
    return part if part in (FEED_FORWARD, "positions", "biases") else "embeddings"


def sure_feeds(feeds: pd.DataFrame) -> pd.DataFrame:
    """The feeds that are shown, and large enough to matter."""
    return feeds[feeds["verdict"] == "shown"]


def feeds_sentences(feeds: pd.DataFrame, heads: int) -> list[str]:
    """For either end, how many heads are fed by an earlier one, and the strongest feeds."""
    said = []
    for end, ends in (("key", "keys"), ("query", "queries")):
        sure = sure_feeds(feeds[feeds["end"] == end])
        fed = len(sure[["kind", "layer", "head"]].drop_duplicates())
        if not fed:
            said.append(f"no earlier head is shown to feed the {ends} of {_these(heads)}")
            continue
        order = sure["share"].to_numpy(float).argsort(kind="stable")[::-1][:NAMED]
        most = ", ".join(
            f"{r['writer']} writes {r['share']:.0%} of what lifts the {ends} of {r['layer']}.{r['head']}"
            for r in sure.iloc[order].to_dict("records")
        )
        said.append(
            f"earlier heads are shown to feed the {ends} of {fed:,} of {count(heads, 'head')}: {most}"
        )
    return said


def _these(heads: int) -> str:
    return "this head" if heads == 1 else f"any of these {heads:,} heads"
