"""What heads do with needles in long texts: do they look far back at what is being repeated, at what the
model quotes in an answer of its own, at the passage that answers a question?

Long induction: the needle is given back word by word, so that each of its tokens but the first can be
found by the one before it, as induction does.

Retrieval, as Wu et al. (2024) measure it: a question is asked that has no word of what it asks for, and
the model writes the answer itself, greedily. A head retrieves a token of the needle where the model writes
that token and the head's strongest weight, in the row that predicts it, is on it.

Query focus, as Zhang et al. (2025) measure it: all tokens of the question count, and the whole of their
attention, before the model has written anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import Batch, collate
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId, PreparedShard, Shard, SourceOver, seeded
from attlas.reducers.reducer import check_numbers
from attlas.studies.patterns.needles import NeedleBatch, Needles, Question
from attlas.studies.patterns.pattern_scores import ScoreMeans
from attlas.subject import Subject
from attlas.subject.sharing import evaluating
from attlas.tap.lazy_weights import LazyWeights
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

SHUFFLES = 16


class LongInduction(ScoreMeans):
    """The share of the needle's tokens for which a head's strongest weight, in the row that predicts the
    token, falls on that token where it first stood. The null is the same with the needle's tokens at other
    places between the first token and the copy, drawn from the item's id.

    A token that the row cannot see any more (a window shorter than the distance) does not count; a layer
    where none can be seen has no score.
    """

    name = "long_induction"
    needs = Needs(lazy_weights=True)

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        super().__init__()

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        assert isinstance(batch, NeedleBatch)
        queries = batch.again - 1  # which predict the copy
        other = draw_other_places(batch.first, int(batch.again[0]), self.seed, batch.ids[0])  # shuffle token
        for call in observation.calls:
            weights = call.lazy_weights
            if call.kind != "decoder" or weights is None:
                continue
            rows, seen = _rows(weights, int(queries[0]), int(queries[-1]) + 1)
            can = seen.gather(1, batch.first[:, None])[:, 0]  # query
            best = rows.argmax(-1)  # head query
            score = _share(best == batch.first, can)
            null = torch.stack([_share(best == places, can) for places in other]).mean(0)
            self.add_item(f"{call.kind}.{call.layer}", score, null, can.any(), batch)


def draw_other_places(first: Tensor, before: int, seed: int, item: ItemId) -> Tensor:
    """shuffle token: other places of the needle's tokens, from the second token to `before`."""
    rng = torch.Generator().manual_seed(seeded(seed, "needle", *item))
    drawn = [1 + torch.randperm(before - 1, generator=rng)[: len(first)] for _ in range(SHUFFLES)]
    return torch.stack(drawn).to(first.device)


def _share(hits: Tensor, counts: Tensor) -> Tensor:
    """head: of the queries that count."""
    return (hits & counts).sum(-1).double() / counts.sum().clamp(min=1)


ANSWERED = 0.5  # of the needle's different tokens: an answer that has fewer of them is none


@dataclass(frozen=True)
class Questions(SourceOver):
    """Texts with a needle and a question. Without `answers` a batch is a text and the answer that the model
    writes to it; with them, it is what was written, for a head's weights to be looked at."""

    source: Needles
    answers: Mapping[ItemId, tuple[int, ...]] | None = None

    def describe(self) -> dict[str, Any]:
        return {**self.source.describe(), "question": "answered by the model"}

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        questions = self.source.prepare_with(self.source.question_of, shard, most)
        if self.answers is None:
            return questions
        kept = [item for item in questions.items if self.answers.get(item.id)]
        return replace(questions, items=kept)

    def batches(self, subject: Subject, items: Sequence[Question]) -> Iterator[Batch]:
        for item in items:  # one by one: they are long
            if self.answers is None:
                yield answer_batch(subject, item, write_answer(subject, item))
            else:
                yield answer_batch(subject, item, self.answers[item.id])


@dataclass(frozen=True)
class AnswerBatch(Batch):
    """A text of one row, where the needle's tokens stand in it, how many tokens the answer has, and where the
    question stands."""

    first: Tensor  # token
    answer: int
    question: Tensor  # token


def write_answer(subject: Subject, item: Question) -> tuple[int, ...]:
    """The model's answer, greedily: up to its end, or to twice the needle's length."""
    model: Any = subject.model
    ids = torch.from_numpy(np.asarray(item.segment.ids, np.int64))[None].to(subject.device)
    with torch.no_grad(), evaluating(model):
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


def has_answer(item: Question, answer: Sequence[int]) -> bool:
    wanted = {int(item.segment.ids[place]) for place in item.first}
    return len(wanted & set(answer)) >= ANSWERED * len(wanted)


def answer_batch(subject: Subject, item: Question, answer: Sequence[int]) -> AnswerBatch:
    """The text, the question and the answer."""
    ids = np.array([*item.segment.ids, *answer], np.int32)
    plain = collate(subject, [Segment(item.id, ids, np.zeros(len(ids), np.uint8))])
    first, question = (
        torch.tensor(places, dtype=torch.long, device=subject.device)
        for places in (item.first, item.question)
    )
    return AnswerBatch(plain.inputs, plain.sides, plain.ids, first, len(answer), question)


class Retrieval(ScoreMeans):
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
        others = draw_other_places(batch.first, start + 1, self.seed, batch.ids[0])  # shuffle token
        for call in observation.calls:
            weights = call.lazy_weights
            if call.kind != "decoder" or weights is None:
                continue
            rows, seen = _rows(weights, start, stop)
            can = seen[:, batch.first] & (said[:, None] == needle)  # row token: it is said, and in sight
            strongest = rows.argmax(-1)  # head row
            score = _share_retrieved(strongest, batch.first, can, needle)
            shuffled = [_share_retrieved(strongest, places, can, needle) for places in others]
            null = torch.stack(shuffled).mean(0)
            self.add_item(f"{call.kind}.{call.layer}", score, null, can.any(), batch)


def _share_retrieved(strongest: Tensor, places: Tensor, can: Tensor, needle: Tensor) -> Tensor:
    """head: of the needle's different tokens, the share that a row says while its strongest weight (head row)
    is on the token's place."""
    hits = ((strongest[..., None] == places) & can).any(1)  # head token
    different = torch.tensor(sorted(set(needle.tolist())), device=needle.device)
    same = needle[:, None] == different  # token different
    return (hits[..., None] & same).any(1).double().mean(-1)


READERS = 64  # tokens before the question, which ask nothing


class QueryFocus(ScoreMeans):
    """The attention of a question's tokens on what answers it, averaged over them. The null is what the last
    tokens of the text before the question pay to it, who ask nothing: many heads look at whatever is odd in
    a text. Tokens that cannot see the answer any more do not count; a layer where none can has no score."""

    name = "query_focus"
    needs = Needs(lazy_weights=True)

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        assert isinstance(batch, AnswerBatch)
        if "decoder" not in batch.sides or not len(batch.question):
            return
        asking = int(batch.question[0]), int(batch.question[-1]) + 1
        between = max(int(batch.first[-1]) + 1, asking[0] - READERS), asking[0]
        for call in observation.calls:
            weights = call.lazy_weights
            if call.kind != "decoder" or weights is None or between[0] >= between[1]:
                continue
            (score, asks), (null, reads) = (
                _mean_attention(weights, *rows, batch.first) for rows in (asking, between)
            )
            self.add_item(f"{call.kind}.{call.layer}", score, null, asks & reads, batch)


def _mean_attention(weights: LazyWeights, start: int, stop: int, first: Tensor) -> tuple[Tensor, Tensor]:
    """head: the mean attention of these queries on the answer, of those that can see any of it; and whether
    some can."""
    rows, seen = _rows(weights, start, stop)
    can = seen[:, first].any(-1)  # query
    mean = (rows[:, :, first].double().sum(-1) * can).sum(-1) / can.sum().clamp(min=1)
    return mean, can.any()


def _rows(weights: LazyWeights, start: int, stop: int) -> tuple[Tensor, Tensor]:
    """The weights of some queries of one text (head query key), and which keys they may see (query key)."""
    rows = weights.rows(start, stop)[0]
    check_numbers(rows)
    if weights.call is not None and (allowed := weights.call.mask.allowed(start, stop)) is not None:
        return rows, allowed[0, 0]
    return rows, torch.ones(rows.shape[1:], dtype=torch.bool, device=rows.device)
