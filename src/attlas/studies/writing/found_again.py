"""How far the heads that `attlas writes` finds would be found again: with documents drawn anew, and with
targets that say nothing (`studies/patching/stability.py` has the measures).

Shuffling gives every place of a text the target of another place. What a head then adds to the logit of its
target is what it adds to the words of the text wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from attlas.array_types import Floats
from attlas.corpora.batches import Batch
from attlas.corpora.source import ItemId, seeded
from attlas.reducers.kept_arrays import ItemNumbers
from attlas.reducers.reducer import State
from attlas.statistics.claims import CLAIMS
from attlas.studies.patching.stability import DIRECT, REDRAWS, stability_table
from attlas.studies.writing.logit_contributions import means_over
from attlas.subject import Subject
from attlas.subject.losses import TokenLosses, objective
from attlas.tap.direct import NO_TARGET
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation
from attlas.tap.tap import Tap

KEPT = 512  # texts, drawn by their ids
BEYOND, REMOVED = "the same, beyond other targets", "removing the head"


class ItemLogits(ItemNumbers):
    """What each head adds to the logit of a text's targets, in the order of heads, of texts that a seed
    chooses."""

    name = "item_logits"
    needs = Needs(direct=True)

    def __init__(self, seed: int = 0, most: int = KEPT) -> None:
        super().__init__()
        self.seed, self.most = seed, most

    def update(self, observation: Observation) -> None:
        direct = observation.direct
        assert direct is not None
        wanted = direct.targets != NO_TARGET  # batch query
        several = [added.double()[..., None] for _, added in sorted(direct.heads.items())]
        by_head = torch.cat([means_over(added, wanted)[0][..., 0] for added in several], 1)  # batch head
        there = wanted.any(-1).cpu()
        ids = [item for item, some in zip(observation.batch.ids, there.tolist(), strict=True) if some]
        self.add(ids, by_head.cpu()[there])
        self._keep()

    def merge(self, other: ItemLogits) -> None:
        super().merge(other)
        self._keep()

    def restore(self, state: State) -> None:
        super().restore(state)
        self._keep()

    def _keep(self) -> None:
        chosen = sorted(self.numbers, key=lambda item: seeded(self.seed, "logits", *item))[: self.most]
        self.numbers = {item: self.numbers[item] for item in chosen}

    def by_head(self) -> Floats:
        """head item"""
        return np.ascontiguousarray(self.by_item().T)


@dataclass(frozen=True)
class ShuffledTargets:
    """Runs batches whose targets stand at other places of their text."""

    seed: int = 0
    kernel: str | None = None

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        watch = _Watch()
        with Tap(subject, [watch], kernel=self.kernel) as tap:
            for batch in batches:
                prepared, losses = objective(subject, batch, self.seed)
                assert isinstance(losses, TokenLosses)
                tap.run(prepared, TokenLosses(shuffle_targets(losses, batch, self.seed)))
                yield from watch.take()


class _Watch:
    needs = Needs(direct=True)

    def __init__(self) -> None:
        self.seen: list[Observation] = []

    def update(self, observation: Observation) -> None:
        self.seen.append(observation)

    def take(self) -> list[Observation]:
        taken, self.seen = self.seen, []
        return taken


def shuffle_targets(losses: TokenLosses, batch: Batch, seed: int) -> Tensor:
    """batch token: each text's targets, moved on by a random number of places, so that none stays."""
    labels = losses.labels.clone()
    for row, item in enumerate(batch.ids):
        places = losses.places[row]
        many = int(places.sum())
        if many > 1:
            by = 1 + seeded(seed, "targets", *item) % (many - 1)
            labels[row, places] = labels[row, places].roll(by)
    return labels


def found_again_table(
    logits: ItemLogits | None,
    shuffled: ItemLogits | None,
    removed: tuple[Floats, Sequence[ItemId]] | None,
    seed: int,
) -> pd.DataFrame:
    """A row for every way to score heads: what they add to targets, that beyond other targets of their texts,
    and what removing them changes (head item, and items)."""
    tables = []
    if logits is not None and shuffled is not None:
        added, elsewhere = logits.by_head(), shuffled.by_head()
        effects = {DIRECT: added, BEYOND: added - elsewhere}
        tables.append(stability_table(effects, logits.ids(), seed, shuffled={DIRECT: [elsewhere]}))
    if removed is not None:
        changes, ids = removed
        tables.append(stability_table({REMOVED: changes}, ids, seed, CLAIMS["loss"].size))
    return pd.concat(tables, ignore_index=True)


def found_again_sentence(table: pd.DataFrame) -> str:
    """How often the first ten return, and what is found where targets are shuffled."""
    rows: list[dict[Any, Any]] = table.to_dict("records")
    best = rows[0]
    again = ", ".join(f"{row['way']} {row['again']:.0%}" for row in rows)
    shuffled = "targets" if best["way"] == DIRECT else "signs"
    return (
        f"with the documents drawn anew {REDRAWS} times, a head of the first {best['first']:.0f} is "
        f"among them again: {again} ({best['by_chance']:.0%} by chance); a test finds "
        f"{best['tested']:.0f} of {best['heads']:,} heads by {best['way']}, and "
        f"{best['tested_shuffled']:.1f} with shuffled {shuffled}"
    )
