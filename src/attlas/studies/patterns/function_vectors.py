"""Function vectors (Todd et al. 2024): does a head carry what its examples have in common?

Prompts show a function by examples: antonyms, capitals, plurals, past tenses. What a head gives at the end
of prompts with right examples, on average, is put in its place at the end of a prompt whose answers are
dealt out wrongly, so that only their form is left. If the model then gives the right answer, the head
carried the function.

Only the last token is changed, so that only it is run again: with the keys and values of the others kept,
a row for every head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attlas.address import Head, Kind
from attlas.corpora.batches import Batch, collate
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, template_of
from attlas.corpora.source import ItemId, MadeSource, PreparedShard, Shard, seeded
from attlas.studies.patterns.pattern_scores import ScoreMeans
from attlas.subject import Subject
from attlas.subject.projections import OutputMap
from attlas.subject.sharing import in_this_thread
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation
from attlas.tap.stream import output_maps

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
class FunctionPrompts(MadeSource):
    """`items` prompts of each function, which is a shard. Pairs whose answer is not one token are left
    out."""

    tokenizer: Any
    items: int = 4
    seed: int = 0
    longest: int | None = None  # tokens that a prompt may have

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
        return self.prepare_items(fitting, most)

    def _prompt(self, id: ItemId, pairs: Sequence[tuple[str, str]]) -> FunctionPrompt:
        rng = np.random.default_rng(seeded(self.seed, "function", *id))
        *examples, (asked, answer) = (pairs[i] for i in rng.permutation(len(pairs))[: EXAMPLES + 1])
        turned = [(x, examples[i - 1][1]) for i, (x, _) in enumerate(examples)]  # each has another's answer
        right, wrong = (
            [*template_of(self.tokenizer).before, *self._ids(_write_prompt(several, asked))]
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


def _write_prompt(examples: Sequence[tuple[str, str]], asked: str) -> str:
    """Q: big\\nA: small\\n\\nQ: hot\\nA:"""
    return "".join(f"Q: {x}\nA: {y}\n\n" for x, y in examples) + f"Q: {asked}\nA:"


ROWS = 128  # of the last token that run together
WAYS = ("right", "wrong")  # the examples after which a head gives what is put in its place

Outputs = dict[tuple[Kind, int], Tensor]  # head dim


@dataclass(frozen=True)
class FunctionSweep:
    """The probability of the answer to prompts with wrong examples, with each head's mean output after right
    examples, and after wrong ones. Means are over the other prompts of the function that the model solves
    with right examples; those that it does not solve have no numbers."""

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        for batch in batches:
            assert isinstance(batch, FunctionBatch)
            yield Observation(batch, outcomes=self.outcomes(subject, batch.prompts))

    def outcomes(self, subject: Subject, prompts: Sequence[FunctionPrompt]) -> Tensor:
        """way·head item, heads as the subject has them."""
        runner = LastToken(subject)
        heads = len(subject.heads)
        made = torch.full((len(WAYS) * heads, len(prompts)), torch.nan, dtype=torch.float64)
        solved: dict[int, tuple[Outputs, Outputs]] = {}
        for place, prompt in enumerate(prompts):
            logits, right = runner.outputs(prompt.segment.ids.tolist())
            if int(logits.argmax()) == prompt.answer:
                solved[place] = right, runner.outputs(prompt.wrong)[1]
        for place in solved if len(solved) > 1 else ():
            others = [outputs for other, outputs in solved.items() if other != place]
            means = [
                {at: torch.stack([o[way][at] for o in others]).mean(0) for at in others[0][way]}
                for way in range(len(WAYS))
            ]
            changes = [(head, mean) for mean in means for head in subject.heads]
            made[:, place] = runner.answers(prompts[place], changes)
        return made


class LastToken:
    """A decoder's last token, run for itself once what it looks back at is kept."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.maps = output_maps(subject)

    @torch.no_grad()
    def outputs(self, ids: Sequence[int]) -> tuple[Tensor, Outputs]:
        """The logits after a prompt, and what each head gives there."""
        by_layer: Outputs = {}

        def keep(at: tuple[Kind, int], joined: Tensor) -> Tensor:
            by_layer[at] = joined[0, -1].unflatten(0, (len(self.maps[at].weights), -1)).clone()  # type: ignore[no-untyped-call]
            return joined

        with self._change_outputs(keep):
            logits = self._model(input_ids=self._tensor(ids)).logits[0, -1]
        return logits, by_layer

    @torch.no_grad()
    def answers(self, prompt: FunctionPrompt, changes: Sequence[tuple[Head, Outputs]]) -> Tensor:
        """change: how likely the answer is after wrong examples, with one head giving something else."""
        before = self._model(input_ids=self._tensor(prompt.wrong[:-1]), use_cache=True).past_key_values
        answers = []
        for start in range(0, len(changes), ROWS):
            some = changes[start : start + ROWS]

            def change(at: tuple[Kind, int], joined: Tensor, some: Any = some) -> Tensor:
                many = len(self.maps[at].weights)
                by_head: Tensor = joined.unflatten(-1, (many, -1)).clone()  # type: ignore[no-untyped-call]
                for row, (head, mean) in enumerate(some):
                    if (head.kind, head.layer) == at:
                        by_head[row, -1, head.head] = mean[at][head.head]
                return by_head.flatten(-2)

            kept = deepcopy(before)
            kept.batch_repeat_interleave(len(some))
            last = self._tensor(prompt.wrong[-1:]).expand(len(some), 1)
            with self._change_outputs(change):
                logits = self._model(input_ids=last, past_key_values=kept, use_cache=True).logits[:, -1]
            answers.append(logits.double().softmax(-1)[:, prompt.answer])
        return torch.cat(answers).cpu()

    @property
    def _model(self) -> Any:
        return self.subject.model

    def _tensor(self, ids: Sequence[int]) -> Tensor:
        return torch.tensor([list(ids)], device=self.subject.device)

    @contextmanager
    def _change_outputs(self, change: Any) -> Iterator[None]:
        """`change` makes of what the heads of a layer give (row token head·dim) what they shall give."""

        def hook_of(at: tuple[Kind, int]) -> Any:
            def hook(_: nn.Module, args: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
                return (change(at, args[0]), *args[1:])

            return hook

        with ExitStack() as hooks:
            for at, layer_map in self.maps.items():
                hook = layer_map.module.register_forward_pre_hook(in_this_thread(hook_of(at)))
                hooks.callback(hook.remove)
            yield


class FunctionVectors(ScoreMeans):
    """The mean probability of the right answer with what a head gives after right examples; the null is that
    with what it gives after wrong ones."""

    name = "function_vectors"
    columns = (("function_vector", 0),)
    needs = Needs(output=True)

    def __init__(self, heads: Sequence[Head]) -> None:
        self.heads = tuple(heads)
        super().__init__()

    def update(self, observation: Observation) -> None:
        assert observation.outcomes is not None
        right, wrong = observation.outcomes.view(len(WAYS), len(self.heads), -1)  # head item
        values = torch.stack([right, wrong, right - wrong], -1)  # head item 3
        there = ~values.isnan()
        layers = dict.fromkeys((head.kind, head.layer) for head in self.heads)
        for kind, layer in layers:
            places = [i for i, head in enumerate(self.heads) if (head.kind, head.layer) == (kind, layer)]
            of_layer, present = (t[places].transpose(0, 1)[:, :, None] for t in (values, there))
            self.add_items(f"{kind}.{layer}", of_layer.nan_to_num(), present, observation.batch)


def no_function_vectors(subject: Subject) -> str | None:
    """Why what a head gives at the last token cannot be replaced; None where it can."""
    maps: dict[tuple[Kind, int], OutputMap] = output_maps(subject)
    if len(maps) < len({(head.kind, head.layer) for head in subject.heads}):
        return "what its heads write was not found"
    with torch.no_grad():
        model: Any = subject.model
        ids = torch.zeros(1, 1, dtype=torch.long, device=subject.device)
        kept = getattr(model(input_ids=ids, use_cache=True), "past_key_values", None)
    return None if hasattr(kept, "batch_repeat_interleave") else "it keeps no keys and values"
