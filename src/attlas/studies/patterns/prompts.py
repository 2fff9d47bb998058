"""Small tasks for decoders: prompts with one right answer each, and whether a model gives it.

A task that a model cannot do shows nothing of its heads. So each is put to the model first, and only what it
solves is looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import ANSWER, REPEATED, Batch
from attlas.corpora.collating import collate
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, template_of
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard, seeded
from attlas.reducers.reducer import State
from attlas.studies.patterns.sources import RepeatedTokens
from attlas.studies.word_families import DAYS, LETTERS, MONTHS, NUMBERS, ORDINALS
from attlas.subject import Subject
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

SOLVED = 0.5  # of the tokens that a text asks for: a text with fewer of them predicted is not solved
SHOWN = 4  # members of a family before the one that is asked for
PROMPTS_IN_A_SHARD = 16
FAMILIES = (DAYS, MONTHS, NUMBERS, ORDINALS, LETTERS)


@dataclass(frozen=True)
class CandidateBatch(Batch):
    """A text of one row that has answers (the class `answer` or `repeated`), the tokens that could be said in
    it, and how they are read off the end of the stream, less the mean of the vocabulary."""

    candidates: Tensor  # candidate: tokens
    read: Tensor  # candidate model


@dataclass(frozen=True)
class Succession:
    """An item: members of a family in their order, the last of which is asked for, and all of the family."""

    segment: Segment
    family: tuple[int, ...]

    @property
    def id(self) -> ItemId:
        return self.segment.id


@dataclass(frozen=True)
class Successions:
    """Days, months, numbers, ordinals and letters in their order, with commas: `items` runs of them at
    random. A family ends before its first member that the tokenizer cuts."""

    tokenizer: Any
    items: int = 16
    seed: int = 0
    chosen: Chosen = ALL_ITEMS
    limit: int | None = field(default=None, init=False)

    def describe(self) -> dict[str, Any]:
        return {
            "corpus": {"name": "successions"},
            "items": self.items,
            "shown": SHOWN,
            "seed": self.seed,
            "tokenizer": tokenizer_hash(self.tokenizer),
            "chosen": self.chosen.describe(),
        }

    def runs(self) -> list[tuple[tuple[int, ...], int]]:
        """A family, and where in it a run begins: all that there are, or `items` of them."""
        runs = []
        for family in (self._tokens(members) for members in FAMILIES):
            if len(family) > SHOWN + 1:
                runs += [(family, start) for start in range(len(family) - SHOWN)]
        rng = np.random.default_rng(seeded(self.seed, "successions"))
        return [runs[i] for i in sorted(rng.permutation(len(runs))[: self.items])]

    def _tokens(self, members: Sequence[str]) -> tuple[int, ...]:
        """Up to the first that is not one token; all of them different."""
        tokens: list[int] = []
        for member in members:
            ids = self.tokenizer(f" {member}", add_special_tokens=False)["input_ids"]
            unknown = len(ids) != 1 or ids[0] in tokens or ids[0] in self.tokenizer.all_special_ids
            if unknown:
                break
            tokens += ids
        return tuple(tokens)

    def shards(self) -> Iterator[Shard]:
        for number, start in enumerate(range(0, len(self.runs()), PROMPTS_IN_A_SHARD)):
            yield Shard(number, range(start, start + PROMPTS_IN_A_SHARD))

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        before, items = list(template_of(self.tokenizer).before), []
        comma = self.tokenizer(",", add_special_tokens=False)["input_ids"]
        for number, (family, start) in enumerate(self.runs()):
            if number in shard.content:
                *shown, answer = family[start : start + SHOWN + 1]
                listed = [token for member in shown for token in (member, *comma)]
                ids = np.array([*before, *listed, answer], np.int32)
                segment = Segment(ItemId(number, 0), ids, np.zeros(len(ids), np.uint8))
                items.append(Succession(segment, family))
        kept = [item for item in items if self.chosen(item)][:most]
        return PreparedShard(kept, Counter(segments=len(kept), tokens=sum(len(i.segment.ids) for i in kept)))

    def batches(self, subject: Subject, items: Sequence[Succession]) -> Iterator[Batch]:
        for item in items:
            plain = collate(subject, [item.segment])
            answer = torch.zeros_like(plain.sides["decoder"].real)
            answer[:, -1] = True
            yield candidate_batch(subject, plain, {ANSWER: answer}, item.family)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> Successions:
        return replace(self, chosen=self.chosen.and_also(chosen))


@dataclass(frozen=True)
class RepeatedTexts:
    """Repeated random tokens one text at a time: what could be said in one is its own tokens."""

    source: RepeatedTokens

    @property
    def limit(self) -> int | None:
        return self.source.limit

    def describe(self) -> dict[str, Any]:
        return {**self.source.describe(), "candidates": "of the text"}

    def shards(self) -> Iterator[Shard]:
        return self.source.shards()

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        return self.source.prepare(shard, most)

    def batches(self, subject: Subject, items: Sequence[Segment]) -> Iterator[Batch]:
        template = template_of(self.source.tokenizer)
        first = len(template.before)
        for item in items:
            (batch,) = self.source.batches(subject, [item])
            half = (len(item.ids) - first - len(template.after)) // 2
            yield candidate_batch(subject, batch, {}, item.ids[first : first + half].tolist())

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> RepeatedTexts:
        return replace(self, source=self.source.only(chosen))


def candidate_batch(
    subject: Subject, batch: Batch, classes: dict[str, Tensor], candidates: Sequence[int]
) -> CandidateBatch:
    sides = {
        name: replace(side, classes={**side.classes, **classes}) if name == "decoder" else side
        for name, side in batch.sides.items()
    }
    assert subject.unembedding is not None
    table = subject.unembedding.get_parameter("weight").detach().float()
    chosen = torch.tensor(candidates, dtype=torch.long, device=table.device)
    return CandidateBatch(batch.inputs, sides, batch.ids, chosen, table[chosen] - table.mean(0))


class Solved:
    """Which texts a model solves: it predicts half of the tokens that a text asks for, or more."""

    name = "solved"
    needs = Needs(output=True)

    def __init__(self) -> None:
        self.right: dict[ItemId, float] = {}  # item -> the share of what it asks for that is predicted

    def update(self, observation: Observation) -> None:
        side = observation.batch.sides.get("decoder")
        if side is None or side.ids is None:
            return
        asked = side.members(ANSWER if side.has(ANSWER) else REPEATED)[:, 1:] & side.real[:, 1:]
        said = observation.output.logits[:, :-1].argmax(-1)
        share = ((said == side.ids[:, 1:]) & asked).sum(-1) / asked.sum(-1).clamp(min=1)
        self.right |= zip(observation.batch.ids, share.double().tolist(), strict=True)

    def merge(self, other: Solved) -> None:
        self.right |= other.right

    def state(self) -> State:
        if not self.right:
            return {}
        ids = sorted(self.right)
        return {"ids": np.array(ids, np.int64), "right": np.array([self.right[i] for i in ids], np.float64)}

    def restore(self, state: State) -> None:
        pairs = zip(state["ids"].tolist(), state["right"].tolist(), strict=True) if state else ()
        self.right = {ItemId(*i): share for i, share in pairs}

    def ids(self) -> list[ItemId]:
        return [item for item, share in sorted(self.right.items()) if share >= SOLVED]
