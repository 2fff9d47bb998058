"""Batches: what goes into the model, and what is known about its tokens."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import Tensor, nn

from attlas.address import Kind
from attlas.corpora.source import ItemId

#: the class of tokens that a text repeats; where a batch has it, a loss counts no others
REPEATED = "repeated"
ANSWER = "answer"  # what a prompt asks for
#: with their padding, where they fit (`Subject.batch_tokens`)
TOKENS_IN_A_BATCH = {"cpu": 2048, "cuda": 32_768}


@dataclass(frozen=True)
class Tokens:
    """One side's tokens (batch token): which are real, and which belong to each class."""

    real: Tensor  # batch token, False on padding
    classes: Mapping[str, Tensor]  # name -> batch token, True on members; padding belongs to none
    ids: Tensor | None = None  # batch token; None for what is not text

    def members(self, name: str) -> Tensor:
        """batch token: the members of a class; `all` is every real token."""
        return self.real if name == "all" else self.classes[name]

    def has(self, name: str) -> bool:
        return name == "all" or name in self.classes

    def count(self, name: str) -> Tensor:
        """batch: the number of members in each segment."""
        return self.counts[self.names.index(name)]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return "all", *self.classes

    @cached_property
    def counts(self) -> Tensor:
        """class batch, float64, in the order of `names`: all at once, which is one step on a GPU."""
        return self.members_of_all.sum(-1, dtype=torch.float64)

    @cached_property
    def members_of_all(self) -> Tensor:
        """class batch token, in the order of `names`."""
        return torch.stack([self.real, *self.classes.values()])


def sides_of(kind: Kind) -> tuple[str, str]:
    """Which side of a model gives a kind its queries, and which its keys."""
    if kind == "vision":
        return "vision", "vision"
    return "encoder" if kind == "encoder" else "decoder", "decoder" if kind == "decoder" else "encoder"


@dataclass(frozen=True)
class Batch:
    """Inputs of one forward pass. `ids` name the items that its rows are; `ends` the documents of which no
    later batch has an item, where that is known."""

    inputs: Mapping[str, Tensor]
    sides: Mapping[str, Tokens]  # "encoder", "decoder", or both; "vision": patches, once they were attended
    ids: tuple[ItemId, ...]
    ends: frozenset[int] | None = field(default=None, kw_only=True)

    def queries(self, kind: Kind) -> Tokens:
        return self.sides[sides_of(kind)[0]]

    def keys(self, kind: Kind) -> Tokens:
        return self.sides[sides_of(kind)[1]]

    def during_pass(self, model: nn.Module) -> AbstractContextManager[None]:
        """What is done to the model while it runs over this batch, where inputs cannot say it."""
        return nullcontext()
