"""Prompts that show a function by examples: antonyms, capitals, plurals, past tenses. And the same prompts
with the answers of their examples dealt out wrongly, so that only their form is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from attlas.corpora.batches import Batch
from attlas.corpora.collating import collate
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, template_of
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard, seeded
from attlas.subject import Subject

EXAMPLES = 4  # in a prompt
MOST = 1000  # prompts of a function


def _pairs(written: str) -> tuple[tuple[str, str], ...]:
    first, second = written.split()[::2], written.split()[1::2]
    return tuple(zip(first, second, strict=True))


FUNCTIONS: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "antonym": _pairs(
            "big small hot cold up down left right good bad old young open closed high low light dark "
            "fast slow rich poor hard soft full empty early late strong weak happy sad wet dry long short"
        ),
        "capital": _pairs(
            "France Paris Italy Rome Spain Madrid Germany Berlin Japan Tokyo Russia Moscow China Beijing "
            "England London Austria Vienna Egypt Cairo Greece Athens Cuba Havana Iraq Baghdad Iran Tehran"
        ),
        "plural": _pairs(
            "cat cats dog dogs tree trees house houses car cars book books child children man men "
            "woman women foot feet tooth teeth city cities story stories leaf leaves friend friends"
        ),
        "past": _pairs(
            "go went see saw take took come came make made give gave find found know knew run ran "
            "write wrote speak spoke begin began drink drank fall fell sing sang break broke buy bought"
        ),
    }
)


@dataclass(frozen=True)
class FunctionPrompt:
    """An item: a prompt with right examples, the same with wrong ones, and the token that is the answer."""

    segment: Segment
    wrong: tuple[int, ...]
    answer: int

    @property
    def id(self) -> ItemId:
        return self.segment.id


@dataclass(frozen=True)
class FunctionBatch(Batch):
    """All prompts of one function."""

    prompts: tuple[FunctionPrompt, ...]


@dataclass(frozen=True)
class FunctionPrompts:
    """`items` prompts of each function, which is a shard. Pairs whose answer is not one token are left
    out."""

    tokenizer: Any
    items: int = 4
    seed: int = 0
    longest: int | None = None  # tokens that a prompt may have
    chosen: Chosen = ALL_ITEMS
    limit: int | None = field(default=None, init=False)

    def describe(self) -> dict[str, Any]:
        return {
            "corpus": {"name": "functions shown by examples"},
            "functions": list(FUNCTIONS),
            "items": self.items,
            "examples": EXAMPLES,
            "longest": self.longest,
            "seed": self.seed,
            "tokenizer": tokenizer_hash(self.tokenizer),
            "chosen": self.chosen.describe(),
        }

    def shards(self) -> Iterator[Shard]:
        for number, name in enumerate(FUNCTIONS):
            yield Shard(number, name)

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        pairs = [(x, y) for x, y in FUNCTIONS[shard.content] if len(self._ids(f" {y}")) == 1]
        numbers = range(self.items if len(pairs) > EXAMPLES else 0)
        made = [self._prompt(ItemId(shard.number * MOST + number, 0), pairs) for number in numbers]
        fitting = [item for item in made if len(item.segment.ids) <= (self.longest or len(item.segment.ids))]
        kept = [item for item in fitting if self.chosen(item)][:most]
        return PreparedShard(kept, Counter(segments=len(kept), tokens=sum(len(i.segment.ids) for i in kept)))

    def _prompt(self, id: ItemId, pairs: Sequence[tuple[str, str]]) -> FunctionPrompt:
        rng = np.random.default_rng(seeded(self.seed, "function", *id))
        *examples, (asked, answer) = (pairs[i] for i in rng.permutation(len(pairs))[: EXAMPLES + 1])
        turned = [(x, examples[i - 1][1]) for i, (x, _) in enumerate(examples)]  # each has another's answer
        right, wrong = (
            [*template_of(self.tokenizer).before, *self._ids(_written(several, asked))]
            for several in (examples, turned)
        )
        segment = Segment(id, np.array(right, np.int32), np.zeros(len(right), np.uint8))
        return FunctionPrompt(segment, tuple(wrong), self._ids(f" {answer}")[0])

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def batches(self, subject: Subject, items: Sequence[FunctionPrompt]) -> Iterator[Batch]:
        if items:
            plain = collate(subject, [item.segment for item in items])
            yield FunctionBatch(plain.inputs, plain.sides, plain.ids, tuple(items))

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> FunctionPrompts:
        return replace(self, chosen=self.chosen.and_also(chosen))


def _written(examples: Sequence[tuple[str, str]], asked: str) -> str:
    """Q: big\\nA: small\\n\\nQ: hot\\nA:"""
    return "".join(f"Q: {x}\nA: {y}\n\n" for x, y in examples) + f"Q: {asked}\nA:"
