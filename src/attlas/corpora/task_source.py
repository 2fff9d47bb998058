"""TaskSource: the examples of a task as a model reads them, a shard at a time, with their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import Batch, TokenClasses, collate
from attlas.corpora.pieces import Pieces, tokenizer_hash
from attlas.corpora.segments import Segment, Template, batches, pieces_to_take, template_of
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard, Skips, fewest, in_runs
from attlas.corpora.task_data import LabelledExample, TaskData
from attlas.corpora.tasks import Task, output_order
from attlas.corpora.text_preparer import CHARACTERS_IN_A_TOKEN
from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.subject import Subject

SHARD_TOKENS = 2**14
#: between two texts for models that have no token for it
NEW_LINE = "\n"


@dataclass(frozen=True, eq=False)
class TaskItem(Segment):
    label: float = 0.0  # its place among the task's labels, or the number to be predicted

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TaskItem) and self.label == other.label and super().__eq__(other)

    __hash__ = Segment.__hash__


@dataclass(frozen=True)
class TaskBatch(Batch):
    """`labels` are places among the task's labels (numbers for a task of numbers). Which of the model's
    outputs each of those is, is looked up when answers are read: attention needs none."""

    labels: Tensor  # batch, float64
    task: Task
    config: Any  # of the model
    model: str

    @cached_property
    def order(self) -> tuple[int, ...]:
        return output_order(self.task, self.config, self.model)

    @property
    def classes(self) -> bool:
        """Whether the labels are classes."""
        return bool(self.task.labels)

    def answers(self, output: Any) -> Tensor:
        """batch label: what the model gives for each label, or (batch 1) the number that it predicts."""
        logits: Tensor | None = getattr(output, "logits", None)
        if logits is None or logits.ndim != 2:
            raise AttlasError("the model does not classify texts: it gives no number for each label")
        return logits[:, list(self.order)]


@dataclass(frozen=True)
class ReadExamples:
    """Examples, and what was met on the way to them."""

    examples: tuple[LabelledExample, ...]
    skipped: int = 0
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class TaskSource:
    """`[CLS] A [SEP] B [SEP]`, of at most `length` tokens: what is longer loses the end of its longer text
    (of B, where they are equal). Models without such pairs read A, a new line, and B. `strict`: a line that
    cannot be read is an error, and is not skipped. `pad`: tokens that every input is padded to. `assumed`:
    what people must know of how a model's outputs are read (`assumed_order`)."""

    data: TaskData
    tokenizer: Any
    length: int = 128
    limit: int | None = None
    classes: TokenClasses | None = None
    batch: int | None = None
    shard_tokens: int = SHARD_TOKENS
    strict: bool = False
    chosen: Chosen = ALL_ITEMS
    pad: int | None = None
    assumed: str | None = None

    def __post_init__(self) -> None:
        room = self.length - self.template.specials
        if room < 2:
            raise AttlasError(
                f"inputs of {self.length} tokens leave no room for text beside {self.template.specials} "
                "special ones"
            )

    @property
    def task(self) -> Task:
        return self.data.task

    @cached_property
    def template(self) -> Template:
        return template_of(self.tokenizer)

    @cached_property
    def pieces(self) -> Pieces:
        return Pieces(self.tokenizer)

    def describe(self) -> dict[str, Any]:
        return {
            "corpus": self.data.describe(),
            "items": "examples",
            "length": self.length,
            "limit": self.limit,
            "batch": self.batch,
            "pad": self.pad,
            "shard_tokens": self.shard_tokens,
            "tokenizer": tokenizer_hash(self.tokenizer),
            "strict": self.strict,
            "chosen": self.chosen.describe(),
            "assumed": self.assumed,
        }

    def shards(self) -> Iterator[Shard]:
        for number, content in enumerate(self._contents()):
            yield Shard(number, content)

    def _contents(self) -> Iterator[ReadExamples]:
        wanted = self.chosen.documents
        among = None if wanted is None else set(wanted)
        skipped = Skips(self.strict)
        examples = (e for e in self.data.read(skipped.add) if among is None or e.number in among)
        characters = self.shard_tokens * CHARACTERS_IN_A_TOKEN
        for run in in_runs(examples, lambda e: sum(map(len, e.texts)), characters):
            yield ReadExamples(tuple(run), *skipped.take())
        if skipped.count:
            yield ReadExamples((), *skipped.take())

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        content: ReadExamples = shard.content
        counts = Counter[str](skipped=content.skipped)
        seen = list(islice(self._items(content.examples, counts), fewest(most, self.limit)))
        items = [item for item in seen if self.chosen(item)]
        counts.update(examples=len(items), tokens=sum(len(item.ids) for item in items))
        return PreparedShard(items, +counts, content.problems, len(seen))

    def _items(self, examples: Sequence[LabelledExample], counts: Counter[str]) -> Iterator[TaskItem]:
        between = "" if self.template.pairs else NEW_LINE
        first = self.pieces([e.texts[0] for e in examples])
        pairs = len(self.task.texts) == 2
        second = self.pieces([between + e.texts[1] for e in examples]) if pairs else [None] * len(examples)
        for example, a, b in zip(examples, first, second, strict=True):
            a, b = self._fit(a, b, counts)
            ids, of_first = _join(self.template, a, b)
            if not ids:  # blank, and a model without special tokens
                counts["too_short"] += 1
                continue
            types = np.zeros(len(ids), np.uint8)
            types[of_first:] = 1
            yield TaskItem(ItemId(example.number, 0), np.array(ids, np.int32), types, example.label)

    def _fit(
        self, a: list[int], b: list[int] | None, counts: Counter[str]
    ) -> tuple[list[int], list[int] | None]:
        template = self.template
        specials = template.specials if b is not None else len(template.before) + len(template.after)
        room = self.length - specials
        surplus = len(a) + len(b or ()) - room
        if surplus <= 0:
            return a, b
        counts["cut"] += 1
        if b is None:
            return a[:room], None
        from_a, from_b = pieces_to_take(len(a), len(b), surplus)
        return a[: len(a) - from_a], b[: len(b) - from_b]

    def batches(self, subject: Subject, items: Sequence[TaskItem]) -> Iterator[TaskBatch]:
        size = self.batch
        if subject.kinds == ("decoder",) and getattr(subject.model.config, "pad_token_id", None) is None:
            size = 1  # it could not tell where an input ends
        labels = {item.id: item.label for item in items}
        for several in batches(items, size, subject.batch_tokens):
            plain = collate(subject, several, self.classes, pad=self.pad)
            row_labels = torch.tensor(
                [labels[i] for i in plain.ids], dtype=torch.float64, device=subject.device
            )
            about = self.task, subject.model.config, subject.name
            yield TaskBatch(plain.inputs, plain.sides, plain.ids, row_labels, *about)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> TaskSource:
        limit = self.limit if callable(chosen) else None
        return replace(self, chosen=self.chosen.and_also(chosen), limit=limit)


def _join(template: Template, a: list[int], b: list[int] | None) -> tuple[list[int], int]:
    """The tokens of an input, and how many of them belong to the first text."""
    before, after = list(template.before), list(template.after)
    if b is None or not template.pairs:
        ids = [*before, *a, *(b or ()), *after]
        return ids, len(ids)
    first = [*before, *a, *template.between]
    return [*first, *b, *after], len(first)
