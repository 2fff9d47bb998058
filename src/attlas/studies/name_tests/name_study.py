"""Names tested causally: how much of what a head is worth does its name account for?

Each named head is made to do what its name says, and beside that to give its mean output, or nothing, or to
do what the name of another head says. `explained` is the part of the loss between the mean output and the
unmodified head that the name restores: 1, the name accounts for all that the head does for the loss; 0, for
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.atlas.words import count
from attlas.corpora.batches import Batch
from attlas.corpora.source import ItemId, Source, seeded
from attlas.edits import mean, zero
from attlas.edits.sweep import Sweep
from attlas.engines.passes import Pass
from attlas.reducers.reducer import Row
from attlas.statistics.bootstrap import drawn, interval
from attlas.studies.disabling.disable_study import refuse_no_items
from attlas.studies.disabling.head_outputs import HeadOutputMeans
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.name_tests.following import AtOnce, Claim, follow
from attlas.studies.patterns.sources import annotated
from attlas.studies.provenance import about, chapter_name, described
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap.observation import Observation

Floats = npt.NDArray[np.float64]
WAYS = ("name", "mean", "zero", "other name")  # what is done to each head, in the order of the sweep
TOGETHER = ("names", "mean", "random names")  # and to all of them at once
TABLE, ALL = "name_tests", "names_together"
HOLDS = 0.5  # of what a head is worth: a name that restores more, surely, accounts for it


@dataclass(frozen=True)
class NameSweep:
    """Edits depend on the texts of a batch: they are made anew for each."""

    claims: tuple[Claim, ...]
    others: tuple[Claim, ...]  # the same heads with another head's name
    shuffled: tuple[Claim, ...]  # the same heads with the names dealt out at random
    means: Mapping[Head, Any]
    seed: int = 0
    kernel: str | None = None

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        for batch in batches:
            edits = self.edits(subject, batch)
            yield Sweep(edits, seed=self.seed, kernel=self.kernel).observe(subject, batch)

    def edits(self, subject: Subject, batch: Batch) -> list[Any]:
        """Of each head in WAYS, then of all of them in TOGETHER."""
        prepared, _ = objective(subject, batch, self.seed)  # masked words are unknown to a name, too
        texts = annotated(subject, batch, None).texts
        if subject.kinds == ("encoder",):
            texts = {side: replace(t, ids=prepared.inputs["input_ids"]) for side, t in texts.items()}
        by_name, by_other, by_chance = (
            follow(claims, texts, self.means) for claims in (self.claims, self.others, self.shuffled)
        )
        edits: list[Any] = []
        for place, claim in enumerate(self.claims):
            edits += [by_name[place], mean(claim.head, self.means), zero(claim.head), by_other[place]]
        heads = [claim.head for claim in self.claims]
        edits.append(AtOnce("follow names", tuple(by_name)))
        edits.append(mean(heads, self.means))
        edits.append(AtOnce("follow random names", tuple(by_chance)))
        return [edit.resolved(subject.heads) for edit in edits]


@dataclass(frozen=True)
class NameTests:
    subject: Subject
    source: Source
    claims: tuple[Claim, ...]
    seed: int = 0
    kernel: str | None = None

    @property
    def name(self) -> str:
        return chapter_name("name_tests", self.source)

    def describe(self) -> dict[str, Any]:
        names = {claim.head.full: [claim.pattern, claim.scale] for claim in self.claims}
        return described(
            "name_tests", self.source, {"names": names, "seed": self.seed, "kernel": self.kernel}
        )

    def conclude(self, run: RunPass) -> Chapter:
        done = run(Pass("means", self.source, [HeadOutputMeans()], kernel=self.kernel))
        refuse_no_items(self.source, done)
        means = done.reducer(HeadOutputMeans).means()
        claims = tuple(claim for claim in self.claims if claim.can_be_tested)
        sweep = NameSweep(
            claims,
            _dealt_out(claims, self.seed, "other"),
            _dealt_out(claims, self.seed, "random"),
            {claim.head: means[claim.head] for claim in claims},
            self.seed,
            self.kernel,
        )
        swept = run(Pass("names", self.source, [Outcomes()], sweep=sweep)) if claims else None
        tables = {} if swept is None else tables_of(claims, sweep.others, swept.reducer(Outcomes), self.seed)
        notes = [f"names that say nothing of where a head looks in a text: {_untested(self.claims)}"]
        notes = [] if len(claims) == len(self.claims) else notes
        return Chapter(
            self.name,
            about(self.describe(), done, [*(_sentences(tables) if tables else []), *notes]),
            [] if swept is None else _rows(tables[TABLE]),
            tables,
        )


def _dealt_out(claims: Sequence[Claim], seed: int, way: str) -> tuple[Claim, ...]:
    """The same heads with other names: each with one that differs from its own (`other`), where there is one;
    or with all names dealt out anew (`random`)."""
    rng = np.random.default_rng(seeded(seed, "names", way))
    order = rng.permutation(len(claims))
    if way == "random":
        return tuple(replace(claims[j], head=claim.head) for claim, j in zip(claims, order, strict=True))
    dealt = []
    for claim in claims:
        unlike = [claims[j] for j in order if claims[j].pattern != claim.pattern]
        chosen = unlike[int(rng.integers(len(unlike)))] if unlike else Claim(claim.head, "sink")
        dealt.append(replace(chosen, head=claim.head))
    return tuple(dealt)


@dataclass(frozen=True)
class Explained:
    """The part of a head's worth that something restores, with a 95 % interval over documents; NaN where the
    head is worth nothing."""

    value: float
    stderr: float
    low: float
    high: float


def explained(plain: Floats, without: Floats, instead: Floats, weights: Floats) -> Explained:
    """(without - instead) / (without - plain), of mean losses. The first three have a number for every item,
    `weights` how often each draw of documents has it (item draw)."""
    weights = weights[:, weights.sum(0) > 0]  # a draw may have no document at all
    worth = (without - plain).mean()
    drawn_worth = (without - plain) @ weights
    if not worth > 0 or np.quantile(drawn_worth, 0.025) <= 0:
        return Explained(*[float("nan")] * 4)
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = (without - instead) @ weights / drawn_worth
    low, high = interval(draws)
    some = draws[np.isfinite(draws)]
    return Explained(float((without - instead).mean() / worth), float(some.std(ddof=1)), low, high)


def tables_of(
    claims: Sequence[Claim], others: Sequence[Claim], outcomes: Outcomes, seed: int
) -> dict[str, pd.DataFrame]:
    """A row for every head: the loss in each way, what it is worth, and how much of that its name, and the
    name of another head, restore. And the loss with all heads at once."""
    ids: list[ItemId] = outcomes.ids()
    table, weights = outcomes.table(), drawn(ids, seed)
    plain, rows = table[0], []
    for place, (claim, other) in enumerate(zip(claims, others, strict=True)):
        named, without, nothing, by_other = table[1 + len(WAYS) * place :][: len(WAYS)]
        by_name, control = (explained(plain, without, way, weights) for way in (named, by_other))
        losses = [float(values.mean()) for values in (plain, named, without, nothing, by_other)]
        address = claim.head.kind, claim.head.layer, claim.head.head, claim.pattern
        numbers = by_name.value, by_name.stderr, by_name.low, by_name.high
        rows.append((*address, *losses, *numbers, other.pattern, control.value, _verdict(by_name), len(ids)))
    columns = ["kind", "layer", "head", "pattern", "loss", "loss_by_name", "loss_mean", "loss_zero"]
    columns += [
        "loss_by_other",
        "explained",
        "stderr",
        "low",
        "high",
        "other",
        "explained_by_other",
        "verdict",
    ]
    together = table[1 + len(WAYS) * len(claims) :]
    without = together[TOGETHER.index("mean")]
    at_once = []
    for way, losses_at_once in zip(("as it is", *TOGETHER), (plain, *together), strict=True):
        restored = explained(plain, without, losses_at_once, weights)
        bounds = restored.value, restored.low, restored.high
        at_once.append((way, float(losses_at_once.mean()), *bounds, len(claims)))
    return {
        TABLE: pd.DataFrame(rows, columns=[*columns, "n"]),
        ALL: pd.DataFrame(at_once, columns=["what", "loss", "explained", "low", "high", "heads"]),
    }


def _verdict(by_name: Explained) -> str:
    if not np.isfinite(by_name.value):
        return "worth nothing"
    return "holds" if by_name.low > HOLDS else "part" if by_name.low > 0 else "label only"


def _rows(table: pd.DataFrame) -> list[Row]:
    return [
        Row(r["kind"], r["layer"], r["head"], "explained", r["pattern"], r["explained"], r["stderr"], r["n"])
        for r in table[table["explained"].notna()].to_dict("records")
    ]


def _sentences(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    table, all_at_once = tables[TABLE], tables[ALL].set_index("what")
    at_once, restored = all_at_once["loss"], all_at_once.loc["names"]
    many = table["verdict"].value_counts()
    holds, part, label, nothing = (
        int(many.get(name, 0)) for name in ("holds", "part", "label only", "worth nothing")
    )
    names, without, random = (at_once[way] for way in TOGETHER)
    said = (
        f", which is {restored['explained']:.0%} of what they are worth" if restored["explained"] > 0 else ""
    )
    return [
        f"{count(len(table), 'name')} tested: {holds:,} account for more than half of what the head is worth "
        f"to the loss, {part:,} for a part, {label:,} for nothing; {nothing:,} heads are worth nothing that "
        "can be measured",
        f"all of them at once: loss {at_once['as it is']:.3f} as the model is, {names:.3f} by their "
        f"names{said}, {without:.3f} with their mean outputs, {random:.3f} by names dealt out at random",
    ]


def _untested(claims: Sequence[Claim]) -> str:
    return ", ".join(dict.fromkeys(claim.pattern for claim in claims if not claim.can_be_tested))
