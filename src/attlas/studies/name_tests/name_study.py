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

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.corpora.batches import Batch
from attlas.corpora.source import Source, seeded
from attlas.edits import mean, zero
from attlas.edits.head_edit import HeadEdit
from attlas.edits.sweep import Sweep
from attlas.engines.passes import Pass
from attlas.studies.disabling.disable_study import mean_outputs, refuse_no_items
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.name_tests.explained import (
    NEIGHBOURS,
    RANDOM,
    TABLE,
    names_of,
    rows_of,
    sentences,
    tables_of,
)
from attlas.studies.name_tests.following import AtOnce, Claim, follow
from attlas.studies.patterns.definitions import REACHES
from attlas.studies.patterns.pattern_texts import annotate_batch
from attlas.studies.provenance import about, chapter_name, described
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap.observation import Observation


@dataclass(frozen=True)
class NameSweep:
    """Edits depend on the texts of a batch: they are made anew for each."""

    claims: tuple[Claim, ...]
    others: tuple[Claim, ...]  # the same heads with another head's name
    random: tuple[tuple[Claim, ...], ...]  # draw: the same heads, each with a pattern drawn at random
    means: Mapping[Head, Any]
    seed: int = 0

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        for batch in batches:
            # names give the weights of whole texts, and other kernels ask for some rows at a time
            yield Sweep(self.edits(subject, batch), seed=self.seed, kernel="eager").observe(subject, batch)

    def edits(self, subject: Subject, batch: Batch) -> list[Any]:
        """Each head in each of WAYS; then all of them at once: names, means, names of those alone that look
        at a neighbour, random patterns; then all heads of each name: names and means."""
        prepared, _ = objective(subject, batch, self.seed)  # masked words are unknown to a name, too
        texts = annotate_batch(subject, batch, None).texts
        if subject.kinds == ("encoder",):
            texts = {side: replace(t, ids=prepared.inputs["input_ids"]) for side, t in texts.items()}
        by_name, by_other, *by_chance = (
            tuple(follow(claims, texts, self.means)) for claims in (self.claims, self.others, *self.random)
        )
        edits: list[Any] = []
        for place, claim in enumerate(self.claims):
            edits += [by_name[place], mean(claim.head, self.means), zero(claim.head), by_other[place]]
        edits.append(AtOnce("follow names", by_name))
        edits.append(mean([claim.head for claim in self.claims], self.means))
        edits.append(self._neighbours_alone(by_name))
        edits += [AtOnce("follow random patterns", chance) for chance in by_chance]
        for pattern in names_of(self.claims):
            places = [place for place, claim in enumerate(self.claims) if claim.pattern == pattern]
            edits.append(AtOnce(f"follow {pattern}", tuple(by_name[place] for place in places)))
            edits.append(mean([self.claims[place].head for place in places], self.means))
        return [edit.resolved(subject.heads) for edit in edits]

    def _neighbours_alone(self, by_name: Sequence[HeadEdit]) -> AtOnce:
        paired = list(zip(self.claims, by_name, strict=True))
        follow = [edit for claim, edit in paired if claim.pattern in NEIGHBOURS]
        others = [claim.head for claim, _ in paired if claim.pattern not in NEIGHBOURS]
        rest = [mean(others, self.means)] if others else []
        return AtOnce("follow next and previous alone", (*follow, *rest))


@dataclass(frozen=True, kw_only=True)
class NameTests:
    """`claims` were chosen on documents that `source` does not have; `chosen_on` has some of those, for mean
    outputs. `patterns` are those that a random one is drawn from."""

    subject: Subject
    source: Source
    chosen_on: Source
    claims: tuple[Claim, ...]
    patterns: tuple[str, ...]
    seed: int = 0
    kernel: str | None = None

    @property
    def name(self) -> str:
        return chapter_name("name_tests", self.source)

    def describe(self) -> dict[str, Any]:
        settings = {
            "names": {claim.head.full: [claim.pattern, claim.scale] for claim in self.claims},
            "patterns": list(self.patterns),
            "chosen_on": self.chosen_on.describe(),
            "seed": self.seed,
            "kernel": self.kernel,
        }
        return described("name_tests", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        means, done = mean_outputs(self.chosen_on, run, self.kernel)
        claims = tuple(claim for claim in self.claims if claim.can_be_tested)
        sweep = NameSweep(
            claims,
            _other_names(claims, self.seed),
            tuple(_random_patterns(claims, self.patterns, self.seed, draw) for draw in range(RANDOM)),
            {claim.head: means[claim.head] for claim in claims},
            self.seed,
        )
        notes = [f"names that say nothing of where a head looks in a text: {_name_untested(self.claims)}"]
        notes = [] if len(claims) == len(self.claims) else notes
        if not claims:
            return Chapter(self.name, about(self.describe(), done, notes), [], {})
        doing = "putting names in the place of heads"
        swept = run(Pass("names", self.source, [Outcomes()], sweep=sweep, doing=doing))
        refuse_no_items(self.source, swept)
        tables = tables_of(claims, sweep.others, swept.reducer(Outcomes))
        provenance = about(self.describe(), swept, [*sentences(tables), *notes])
        return Chapter(self.name, provenance, rows_of(tables[TABLE]), tables)


def _other_names(claims: Sequence[Claim], seed: int) -> tuple[Claim, ...]:
    """The same heads, each with the name of another head that differs from its own, where there is one."""
    rng = np.random.default_rng(seeded(seed, "names", "other"))
    dealt = []
    for claim in claims:
        unlike = [other for other in claims if other.pattern != claim.pattern]
        chosen = unlike[int(rng.integers(len(unlike)))] if unlike else Claim(claim.head, "sink")
        dealt.append(replace(chosen, head=claim.head))
    return tuple(dealt)


def _random_patterns(
    claims: Sequence[Claim], patterns: Sequence[str], seed: int, draw: int
) -> tuple[Claim, ...]:
    """The same heads, each with any pattern but its own."""
    rng = np.random.default_rng(seeded(seed, "names", "random", draw))
    drawn = []
    for claim in claims:
        unlike = [pattern for pattern in patterns if pattern != claim.pattern] or ["sink"]
        pattern = unlike[int(rng.integers(len(unlike)))]
        scale = int(rng.integers(len(REACHES))) if pattern == "local" else 0
        drawn.append(Claim(claim.head, pattern, scale))
    return tuple(drawn)


def _name_untested(claims: Sequence[Claim]) -> str:
    return ", ".join(dict.fromkeys(claim.pattern for claim in claims if not claim.can_be_tested))
