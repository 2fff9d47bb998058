"""Small tasks for decoders: prompts with one right answer each, whether a model gives it, and the patterns
that need one: successor, copy suppression, function vectors.

A task that a model cannot do shows nothing of its heads. So each is put to the model first, and only what
it solves is looked at. What a head writes is what it sends straight to the logits (`attlas.tap.direct`),
compared between the tokens that could be said there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import ANSWER, REPEATED, Batch, collate
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, template_of
from attlas.corpora.source import ItemId, MadeSource, PreparedShard, Shard, Source, SourceOver, seeded
from attlas.corpora.text_source import RepeatedTokens
from attlas.engines import Pass
from attlas.reducers.kept_arrays import ItemNumbers
from attlas.reducers.reducer import check_numbers
from attlas.studies.patterns.function_vectors import (
    FUNCTIONS,
    FunctionPrompts,
    FunctionSweep,
    FunctionVectors,
    no_function_vectors,
)
from attlas.studies.patterns.pattern_scores import PatternScore, ScoreMeans
from attlas.studies.study import RunPass
from attlas.studies.word_families import FAMILIES, family_tokens
from attlas.subject import Subject
from attlas.subject.losses import no_objective
from attlas.tap.direct import NO_TARGET, DirectLogits, no_direct_paths
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

SOLVED = 0.5  # of the tokens that a text asks for: a text with fewer of them predicted is not solved
PREDICTED = 10  # tokens: one that is not among as many of the likeliest is not predicted
SHOWN = 4  # members of a family before the one that is asked for
PROMPTS_IN_A_SHARD = 16


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
class Successions(MadeSource):
    """Days, months, numbers, ordinals and letters in their order, with commas: `items` runs of them at
    random. A family ends before its first member that the tokenizer cuts."""

    tokenizer: Any
    items: int = 16
    seed: int = 0

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
        for family in (family_tokens(self.tokenizer, members) for members in FAMILIES):
            if len(family) > SHOWN + 1:
                runs += [(family, start) for start in range(len(family) - SHOWN)]
        rng = np.random.default_rng(seeded(self.seed, "successions"))
        return [runs[i] for i in sorted(rng.permutation(len(runs))[: self.items])]

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
        return self.prepare_items(items, most)

    def batches(self, subject: Subject, items: Sequence[Succession]) -> Iterator[Batch]:
        for item in items:
            plain = collate(subject, [item.segment])
            answer = torch.zeros_like(plain.sides["decoder"].real)
            answer[:, -1] = True
            yield candidate_batch(subject, plain, {ANSWER: answer}, item.family)


@dataclass(frozen=True)
class RepeatedTexts(SourceOver):
    """Repeated random tokens one text at a time: what could be said in one is its own tokens."""

    source: RepeatedTokens

    def describe(self) -> dict[str, Any]:
        return {**self.source.describe(), "candidates": "of the text"}

    def batches(self, subject: Subject, items: Sequence[Segment]) -> Iterator[Batch]:
        template = template_of(self.source.tokenizer)
        first = len(template.before)
        for item in items:
            (batch,) = self.source.batches(subject, [item])
            half = (len(item.ids) - first - len(template.after)) // 2
            yield candidate_batch(subject, batch, {}, item.ids[first : first + half].tolist())


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


class SolvedTexts(ItemNumbers):
    """Which texts a model solves: it predicts half of the tokens that a text asks for, or more."""

    name = "solved"
    needs = Needs(output=True)

    def update(self, observation: Observation) -> None:
        side = observation.batch.sides.get("decoder")
        if side is None or side.ids is None:
            return
        asked = side.members(ANSWER if side.has(ANSWER) else REPEATED)[:, 1:] & side.real[:, 1:]
        said = observation.output.logits[:, :-1].argmax(-1)
        share = ((said == side.ids[:, 1:]) & asked).sum(-1) / asked.sum(-1).clamp(min=1)
        self.add(observation.batch.ids, share)

    def solved_ids(self) -> list[ItemId]:
        return [item for item in self.ids() if self.numbers[item][0] >= SOLVED]


class Successor(ScoreMeans):
    """Whether a head, where the next of `one, two, three, four,` is predicted, raises that one more than
    any other of the family (Gould et al. 2023). The null is how often it so raises another that was not
    shown."""

    name = "successor"
    needs = Needs(direct=True, direct_vectors=True)

    def update(self, observation: Observation) -> None:
        if "decoder" not in observation.batch.sides:
            return
        batch, direct, ids = _decoder_parts(observation)
        places = answer_places(direct)
        answer = batch.candidates == direct.targets[0, places[-1]]  # candidate
        others = ~torch.isin(batch.candidates, ids)  # neither shown nor the answer
        for (kind, layer), added in logits_of(direct, batch).items():
            raised = added[:, -1]  # head candidate
            most = (raised == raised.amax(-1, keepdim=True)) & (raised > 0)
            score = (most & answer).any(-1).double()
            null = (most & others).sum(-1).double() / others.sum().clamp(min=1)
            self.add_item(f"{kind}.{layer}", score, null, others.any(), batch)


class CopySuppression(ScoreMeans):
    """Where random tokens repeat: how often a head's strongest weight is on a token that the model predicts
    there, and that the head lowers more than any other token of the text (McDougall et al. 2023). Lowering
    what nobody would have said suppresses nothing. The null is how often the head so lowers a token that it
    does not look at, over their number."""

    name = "copy_suppression"
    needs = Needs(lazy_weights=True, output=True, direct=True, direct_vectors=True)

    def update(self, observation: Observation) -> None:
        if "decoder" not in observation.batch.sides:
            return
        batch, direct, ids = _decoder_parts(observation)
        places, many = answer_places(direct), len(batch.candidates)
        which = ids[0][:, None] == batch.candidates  # key candidate: none for special tokens
        logits, predicted = logits_of(direct, batch), predicted_candidates(observation, places)
        for call in observation.calls:
            weights = call.lazy_weights
            if (call.kind, call.layer) not in logits or weights is None:
                continue
            rows = weights.rows(int(places[0]), int(places[-1]) + 1)[0][:, places - places[0]]
            check_numbers(rows)
            looked_at = which[rows.argmax(-1)]  # head query candidate
            added = logits[call.kind, call.layer]
            lowered = (added == added.amin(-1, keepdim=True)) & (added < 0) & predicted
            score = (lowered & looked_at).any(-1).double().mean(-1)
            elsewhere = (lowered & ~looked_at).any(-1) & looked_at.any(-1)
            null = elsewhere.double().mean(-1) / max(1, many - 1)
            self.add_item(f"{call.kind}.{call.layer}", score, null, torch.ones_like(score[0]).bool(), batch)


def _decoder_parts(observation: Observation) -> tuple[CandidateBatch, DirectLogits, Tensor]:
    """What a decoder reads, what its heads send to the logits, and the tokens."""
    batch, direct = observation.batch, observation.direct
    assert isinstance(batch, CandidateBatch)
    assert direct is not None
    ids = batch.sides["decoder"].ids
    assert ids is not None
    return batch, direct, ids


def predicted_candidates(observation: Observation, places: Tensor) -> Tensor:
    """place candidate: whether it is among the tokens that the model holds likeliest there."""
    assert isinstance(observation.batch, CandidateBatch)
    logits = observation.output.logits[0, places]
    least = logits.topk(min(PREDICTED, logits.shape[-1])).values[:, -1:]
    predicted: Tensor = logits[:, observation.batch.candidates] >= least
    return predicted


def answer_places(direct: DirectLogits) -> Tensor:
    """The places where something is predicted, in a batch of one row."""
    return (direct.targets[0] != NO_TARGET).nonzero()[:, 0]


def logits_of(direct: DirectLogits, batch: CandidateBatch) -> dict[tuple[str, int], Tensor]:
    """What each head adds to what could be said: by kind and layer, head place candidate."""
    places = answer_places(direct)
    return {
        where: vectors[:, 0, places].double() @ batch.read.double().T
        for where, vectors in direct.vectors.items()
    }


NEEDED = 84  # tokens: random ones that repeat, and special ones
FEWEST = 4  # texts that a model must solve before anything is concluded from them
#: makes a pass over a source: its name, what it does, the source, its reducers
MakePass = Callable[[str, str, Any, list[Any]], Pass]
TASKS = ("successor", "copy_suppression", "function_vector")
_DOING = {
    "successor": "what comes next in line",
    "copy_suppression": "tokens that are looked at and lowered",
}
#: what the model did with how many of how many texts
_DID = {
    "successor": "continued {} of {} runs of days, months, numbers, ordinals and letters",
    "copy_suppression": "repeated {} of {} texts of random tokens",
    "function_vector": "answered {} of {} prompts with examples of a function",
}


def no_tasks(subject: Subject) -> str | None:
    """Why tasks say nothing of a model; None where they may."""
    if subject.kinds != ("decoder",):
        return "the model does not generate text"
    if missing := no_objective(subject):
        return f"the model has {missing}"
    if subject.longest is not None and subject.longest < NEEDED:
        return f"the model takes {subject.longest} tokens, and tasks need {NEEDED}"
    return no_direct_paths(subject)


def task_scores(
    subject: Subject, texts: int, seed: int, make: MakePass, run: RunPass
) -> tuple[list[PatternScore], list[str]]:
    """Scores over at most `texts` texts of each task, and a note on how many of them the model solved."""
    if not texts or no_tasks(subject):
        return [], []
    tokenizer: Any = subject.tokenizer
    repeated = RepeatedTexts(RepeatedTokens(tokenizer, texts, seed=seed))
    tasks: dict[str, tuple[Source, type[Successor] | type[CopySuppression]]] = {
        "successor": (Successions(tokenizer, texts, seed), Successor),
        "copy_suppression": (repeated, CopySuppression),
    }
    scores, notes = list[PatternScore](), list[str]()
    for task, (source, reducer) in tasks.items():
        asked = run(make(f"{task}-solved", _DOING[task], source, [SolvedTexts()])).reducer(SolvedTexts)
        solved = asked.solved_ids()
        notes.append(_note(task, len(solved), len(asked.numbers)))
        if len(solved) >= FEWEST:
            done = run(make(task, _DOING[task], source.only(solved), [reducer()]))
            scores += done.reducer(reducer).scores()
    by_function, note = _function_vectors(subject, texts, seed, make, run)
    return [*scores, *by_function], [*notes, note]


def _function_vectors(
    subject: Subject, texts: int, seed: int, make: MakePass, run: RunPass
) -> tuple[list[PatternScore], str]:
    if missing := no_function_vectors(subject):
        return [], f"not applicable: function_vector ({missing})"
    source = FunctionPrompts(subject.tokenizer, max(2, texts // len(FUNCTIONS)), seed, subject.longest)
    work = make("function_vectors", "functions shown by examples", source, [FunctionVectors(subject.heads)])
    done = run(replace(work, sweep=FunctionSweep()))
    scores = done.reducer(FunctionVectors).scores()
    solved = max((score.items for score in scores), default=0)
    return (scores if solved >= FEWEST else []), _note("function_vector", solved, done.counts["items"])


def _note(task: str, solved: int, asked: int) -> str:
    if not asked:
        return f"not applicable: {task} (none of its prompts fits the model's tokens)"
    none = "" if solved >= FEWEST else ", so that no head has a score"
    return f"{task}: the model {_DID[task].format(solved, asked)}{none}"
