"""Retrieval: does a head look at what the model quotes out of a long text, in an answer of its own?

As Wu et al. (2024) measure it. A needle stands in the text, and a question is asked that has no word of what
it asks for; the model writes the answer itself, greedily. A head retrieves a token of the needle where the
model writes that token and the head's strongest weight, in the row that predicts it, is on it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.corpora.collating import collate
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId, PreparedShard, Shard
from attlas.reducers.reducer import check_numbers
from attlas.reducers.sums import ItemMeans
from attlas.studies.patterns.long_induction import elsewhere
from attlas.studies.patterns.needles import Asked, Needles
from attlas.studies.patterns.pattern_scores import PatternScore, scores_of
from attlas.subject import Subject
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

ANSWERED = 0.5  # of the needle's different tokens: an answer that has fewer of them is none


@dataclass(frozen=True)
class Questions:
    """Texts with a needle and a question. Without `answers` a batch is a text and the answer that the model
    writes to it; with them, it is what was written, for a head's weights to be looked at."""

    needles: Needles
    answers: Mapping[ItemId, tuple[int, ...]] | None = None
    limit: int | None = field(default=None, init=False)

    def describe(self) -> dict[str, Any]:
        return {**self.needles.describe(), "question": "answered by the model"}

    def shards(self) -> Iterator[Shard]:
        return self.needles.shards()

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        asked = self.needles.made(self.needles.asked, shard, most)
        if self.answers is None:
            return asked
        kept = [item for item in asked.items if self.answers.get(item.id)]
        return replace(asked, items=kept)

    def batches(self, subject: Subject, items: Sequence[Asked]) -> Iterator[Batch]:
        for item in items:  # one by one: they are long
            if self.answers is None:
                yield answer_batch(subject, item, written(subject, item))
            else:
                yield answer_batch(subject, item, self.answers[item.id])

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> Questions:
        return replace(self, needles=self.needles.only(chosen))


@dataclass(frozen=True)
class AnswerBatch(Batch):
    """A text of one row, where the needle's tokens stand in it, how many tokens the answer has, and where the
    question stands."""

    first: Tensor  # token
    answer: int
    question: Tensor  # token


def written(subject: Subject, item: Asked) -> tuple[int, ...]:
    """The model's answer, greedily: up to its end, or to twice the needle's length."""
    model: Any = subject.model
    ids = torch.from_numpy(np.asarray(item.segment.ids, np.int64))[None].to(subject.device)
    with torch.no_grad():
        both = model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=item.answer,
            min_new_tokens=1,
            do_sample=False,
            num_beams=1,
            repetition_penalty=1.0,
            pad_token_id=subject.tokenizer.pad_token_id or 0,
        )
    return tuple(both[0, ids.shape[1] :].tolist())


def answered(item: Asked, answer: Sequence[int]) -> bool:
    wanted = {int(item.segment.ids[place]) for place in item.first}
    return len(wanted & set(answer)) >= ANSWERED * len(wanted)


def answer_batch(subject: Subject, item: Asked, answer: Sequence[int]) -> AnswerBatch:
    """The text, the question and the answer."""
    ids = np.array([*item.segment.ids, *answer], np.int32)
    plain = collate(subject, [Segment(item.id, ids, np.zeros(len(ids), np.uint8))])
    first, question = (
        torch.tensor(places, dtype=torch.long, device=subject.device)
        for places in (item.first, item.question)
    )
    return AnswerBatch(plain.inputs, plain.sides, plain.ids, first, len(answer), question)


class Retrieval(ItemMeans):
    """The share of the needle's different tokens that a head retrieves. The null is the same with the
    needle's tokens at other places before the answer, drawn from the item's id. A token that no row of the
    answer can see any more does not count; a layer that sees none has no score."""

    name = "retrieval"
    needs = Needs(lazy_weights=True)

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        super().__init__()

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        assert isinstance(batch, AnswerBatch)
        side = batch.sides.get("decoder")
        if side is None or side.ids is None:
            return
        ids = side.ids
        start, stop = ids.shape[1] - batch.answer - 1, ids.shape[1] - 1  # rows that predict the answer
        said, needle = ids[0, start + 1 :], ids[0, batch.first]  # row · token
        others = elsewhere(batch.first, start + 1, self.seed, batch.ids[0])  # shuffle token
        for call in observation.calls:
            weights = call.lazy_weights
            if call.kind != "decoder" or weights is None:
                continue
            rows = weights.rows(start, stop)[0]  # head row key
            check_numbers(rows)
            seen = torch.ones(rows.shape[1:], dtype=torch.bool, device=rows.device)
            if weights.call is not None and (allowed := weights.call.mask.allowed(start, stop)) is not None:
                seen = allowed[0, 0]
            can = seen[:, batch.first] & (said[:, None] == needle)  # row token: it is said, and in sight
            strongest = rows.argmax(-1)  # head row
            score = _retrieved(strongest, batch.first, can, needle)
            null = torch.stack([_retrieved(strongest, places, can, needle) for places in others]).mean(0)
            values = torch.stack([score, null, score - null], -1)[None, :, None]  # item head column 3
            there = can.any().view(1, 1, 1, 1)
            self.add_items(f"{call.kind}.{call.layer}", values, there, batch)

    def scores(self) -> list[PatternScore]:
        return scores_of(self, (("retrieval", 0),))


def _retrieved(strongest: Tensor, places: Tensor, can: Tensor, needle: Tensor) -> Tensor:
    """head: of the needle's different tokens, the share that a row says while its strongest weight (head row)
    is on the token's place."""
    hits = ((strongest[..., None] == places) & can).any(1)  # head token
    different = torch.tensor(sorted(set(needle.tolist())), device=needle.device)
    same = needle[:, None] == different  # token different
    return (hits[..., None] & same).any(1).double().mean(-1)
