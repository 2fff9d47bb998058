"""Needles: a sentence that nobody could guess, somewhere in a long text, which is then asked for.

The text is the corpus's own, cut to length; the needle stands at a depth; a question follows. For long
induction the needle is given again, word by word (teacher forcing); for retrieval the model answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import Batch, collate
from attlas.corpora.documents import Problem, TextCorpus
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, template_of
from attlas.corpora.source import ItemId, MadeSource, PreparedShard, Shard, seeded
from attlas.errors import AttlasError, option
from attlas.subject import Subject

SHORTEST_NEEDLE, LONGEST_NEEDLE = 128, 2048
DEPTHS = (0.1, 0.5, 0.9)
HAY = 3  # times the length of an item: what its text is drawn from
#: who, what, where: enough of each that no two needles of a run are alike
WHO = ("Marta", "Oskar", "Leila", "Bruno", "Ingrid", "Tomas", "Yuki", "Farah")
WHAT = ("a copper lantern", "seven blue marbles", "an old accordion", "the silver whistle", "a jar of honey")
WHERE = ("under the harbour stairs", "behind the third bookshelf", "inside the clock tower", "near the mill")
GIVEN = "\nWhat did the text say about {who}? It said:"  # and then the needle again
ASKED = "What did {who} hide, and where?"  # has no word of what was hidden and where
MARK = "\u27e6text\u27e7"  # where the text stands in what a chat model is asked


@dataclass(frozen=True)
class Needle:
    """An item: its tokens, and where the needle's tokens stand, first and again."""

    segment: Segment
    first: tuple[int, ...]
    again: tuple[int, ...]

    @property
    def id(self) -> ItemId:
        return self.segment.id


@dataclass(frozen=True)
class Question:
    """An item up to its question: where the tokens of what was hidden and where stand, how many tokens an
    answer may have, and where the question's own tokens stand, without a template's around them."""

    segment: Segment
    first: tuple[int, ...]
    answer: int
    question: tuple[int, ...] = ()

    @property
    def id(self) -> ItemId:
        return self.segment.id


@dataclass(frozen=True)
class Needles(MadeSource):
    """`lengths` x `depths` x `times` items, each a document of its own; those of a length and depth are a
    shard, since the long ones are long."""

    corpus: TextCorpus
    tokenizer: Any
    lengths: tuple[int, ...]
    depths: tuple[float, ...] = DEPTHS
    times: int = 4
    seed: int = 0

    def describe(self) -> dict[str, Any]:
        about = {"lengths": list(self.lengths), "depths": list(self.depths), "times": self.times}
        return {
            "corpus": self.corpus.describe(),
            **about,
            "seed": self.seed,
            "tokenizer": tokenizer_hash(self.tokenizer),
            "chosen": self.chosen.describe(),
        }

    def shards(self) -> Iterator[Shard]:
        for number, place in enumerate(
            (length, depth) for length in self.lengths for depth in range(len(self.depths))
        ):
            yield Shard(number, place)

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        return self.prepare_with(self.needle_of, shard, most)

    def prepare_with(
        self, make: Callable[[ItemId], Any], shard: Shard, most: int | None = None
    ) -> PreparedShard:
        """The items of a shard: `needle_of` or `question_of`."""
        length, depth = shard.content
        numbers = (length * self._of_a_length + depth * self.times + i for i in range(self.times))
        made = (make(ItemId(number, 0)) for number in numbers)
        return self.prepare_items((item for item in made if item is not None), most)

    @property
    def _of_a_length(self) -> int:
        return len(self.depths) * self.times

    def needle_of(self, id: ItemId) -> Needle | None:
        """The needle, a question, and the needle again."""
        rng, (who, what, where) = self._draw_words(id)
        needle = self._ids(f" {who} hid {what} {where}.")
        before = list(template_of(self.tokenizer).before)
        text = self._text(id, rng, before, needle, self._ids(GIVEN.format(who=who)), len(needle))
        if text is None:
            return None
        ids, at = text
        places = range(len(needle))
        again = len(ids)
        segment = Segment(id, np.array([*ids, *needle], np.int32), np.zeros(len(ids) + len(needle), np.uint8))
        return Needle(segment, tuple(at + i for i in places), tuple(again + i for i in places))

    def question_of(self, id: ItemId) -> Question | None:
        """The needle and a question. What was hidden and where is what an answer must have."""
        rng, (who, what, where) = self._draw_words(id)
        begins, wanted = self._ids(f" {who} hid"), self._ids(f" {what} {where}")
        needle = [*begins, *wanted, *self._ids(".")]
        before, behind = self._around(who)
        question = self._ids(behind)
        text = self._text(id, rng, before, needle, question, 2 * len(needle))
        if text is None:
            return None
        ids, at = text
        asks = tuple(len(ids) - len(question) + i for i in self._places(behind, ASKED.format(who=who)))
        segment = Segment(id, np.array(ids, np.int32), np.zeros(len(ids), np.uint8))
        first = tuple(at + len(begins) + i for i in range(len(wanted)))
        return Question(segment, first, 2 * len(needle), asks)

    def _around(self, who: str) -> tuple[list[int], str]:
        """What stands before the text, and the question with what is behind it, as the model's chats have it
        where it has any."""
        question = ASKED.format(who=who)
        if getattr(self.tokenizer, "chat_template", None) is None:
            before = list(template_of(self.tokenizer).before)
            return before, f"\nQuestion: {question}\nAnswer:"
        says = [{"role": "user", "content": f"{MARK}\n\n{question}"}]
        chat = self.tokenizer.apply_chat_template(says, tokenize=False, add_generation_prompt=True)
        first, _, last = chat.partition(MARK)
        return self._ids(first), last

    def _places(self, text: str, part: str) -> range:
        """The places of a part among the tokens of a text: those that have a character of it. A template's
        tokens around a question ask nothing."""
        begins = text.index(part)
        before, through = (len(self._ids(text[:end])) for end in (begins, begins + len(part)))
        if not getattr(self.tokenizer, "is_fast", False):
            return range(before, through)
        of = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        inside = [i for i, (start, end) in enumerate(of) if start < begins + len(part) and end > begins]
        return range(inside[0], inside[-1] + 1)

    def _draw_words(self, id: ItemId) -> tuple[np.random.Generator, list[str]]:
        rng = np.random.default_rng(seeded(self.seed, "needle", *id))
        return rng, [str(rng.choice(list(some))) for some in (WHO, WHAT, WHERE)]

    def _text(
        self,
        id: ItemId,
        rng: np.random.Generator,
        before: list[int],
        needle: list[int],
        question: list[int],
        after: int,
    ) -> tuple[list[int], int] | None:
        """Text with the needle in it and the question behind it, so long that `after` tokens still fit; and
        where the needle begins. None where the corpus is too short."""
        length, number = divmod(id.document, self._of_a_length)
        depth = self.depths[number // self.times]
        room = length - len(before) - len(needle) - len(question) - after
        beginning = self._hay[: HAY * length]  # whatever other lengths there are
        if room < 2 or len(beginning) < room:
            return None
        start = int(rng.integers(len(beginning) - room + 1))
        hay = beginning[start : start + room]
        at = round(depth * room)
        return [*before, *hay[:at], *needle, *hay[at:], *question], len(before) + at

    @cached_property
    def _hay(self) -> list[int]:
        """The beginning of the corpus, as tokens, three times as long as the longest item."""
        wanted = HAY * max(self.lengths)
        ids: list[int] = []
        entries = (entry for entry in self.corpus.entries() if not isinstance(entry, Problem))
        for entry in islice(entries, 10_000):
            ids += self._ids(" ".join(entry.text.split())[: 8 * wanted] + "\n")
            if len(ids) >= wanted:
                break
        return ids

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def batches(self, subject: Subject, items: Sequence[Needle]) -> Iterator[Batch]:
        for item in items:  # one by one: they are long
            yield needle_batch(subject, item)


@dataclass(frozen=True)
class NeedleBatch(Batch):
    """A text of one row, and where the tokens of its needle stand in it: first, and when they are copied."""

    first: Tensor  # token
    again: Tensor  # token


def needle_batch(subject: Subject, item: Needle) -> NeedleBatch:
    plain = collate(subject, [item.segment])
    first, again = (torch.tensor(places, device=subject.device) for places in (item.first, item.again))
    return NeedleBatch(plain.inputs, plain.sides, plain.ids, first, again)


def needle_lengths(subject: Subject, asked: Sequence[int] | None) -> tuple[int, ...]:
    """Return the lengths asked for, each of which the model must take. Default: 128, 512 and 2,048 as far as
    it takes them, and what it takes where that is less."""
    if subject.kinds != ("decoder",):
        if asked and any(asked):
            raise AttlasError(
                f"{option('needles')}: {subject.name} does not generate text, so it copies nothing"
            )
        return ()
    shortest = shortest_needle(subject)
    if asked is not None:
        wanted = tuple(sorted({length for length in asked if length}))
        for length in wanted:
            if length < shortest:
                raise AttlasError(
                    f"{option('needles', length)}: needle and question alone take {shortest} tokens"
                )
            subject.check_length(length, f"a text with a needle ({option('needles', length)})")
        return wanted
    longest = min(subject.longest or LONGEST_NEEDLE, LONGEST_NEEDLE)
    usual = {min(SHORTEST_NEEDLE * 4**i, longest) for i in range(3)}
    return tuple(sorted(length for length in usual if length >= shortest))


def shortest_needle(subject: Subject) -> int:
    def longest(texts: Sequence[str]) -> str:
        return max(texts, key=len)

    needle = f" {longest(WHO)} hid {longest(WHAT)} {longest(WHERE)}."
    once, question = (
        len(subject.tokenizer(text)["input_ids"]) for text in (needle, GIVEN.format(who=longest(WHO)))
    )
    return 2 * once + question + 4
