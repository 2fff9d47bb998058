"""A head that does what its name says: its weights become those of the pattern, and its values stay.

Where the name says nothing of a token (an induction head whose token did not occur before), the head gives
its mean output: what is left of it when nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from attlas.address import Head
from attlas.edits.head_edit import HeadEdit, Rows
from attlas.studies.patterns.definitions import (
    IN_TEXT,
    REACHES,
    SPREAD,
    PatternTokens,
    ideals,
    targets,
    visible_keys,
)
from attlas.tap.call import Call, CallEdit, WeightChange
from attlas.wording.names import PATTERNS


@dataclass(frozen=True)
class Claim:
    """The name of a head: it follows a pattern, at one of the pattern's scales."""

    head: Head
    pattern: str
    scale: int = 0

    @property
    def can_be_tested(self) -> bool:
        """Cross attention has two texts; and some patterns are not about where a head looks in one text."""
        return self.pattern in IN_TEXT and self.head.kind != "cross"


def claimed_weights(claim: Claim, tokens: PatternTokens, visible: Tensor) -> Tensor:
    """batch query key: rows add up to 1, or are 0 where the name says nothing."""
    if claim.pattern in SPREAD:
        return ideals(claim.pattern, tokens, visible)[claim.scale]
    keys = targets(claim.pattern, tokens, visible).double()
    return keys / keys.sum(-1, keepdim=True).clamp(min=1)


def claims_of(patterns: pd.DataFrame) -> tuple[Claim, ...]:
    """The names in a chapter's table of patterns, in its order."""
    claims = []
    for row in patterns[patterns["named"] == 1].to_dict("records"):
        scale = REACHES.index(int(row["reach"])) if row["pattern"] == "local" else 0
        claims.append(Claim(Head.from_row(row), row["pattern"], scale))
    return tuple(claims)


def patterns_of(patterns: pd.DataFrame) -> tuple[str, ...]:
    """The names in a chapter's table that could be claimed of a head: those that some text could show."""
    scored = set(patterns["pattern"])
    return tuple(name for name in PATTERNS if name in IN_TEXT and name in scored)


def follow(
    claims: Sequence[Claim], texts: Mapping[str, PatternTokens], means: Mapping[Head, Any]
) -> list[HeadEdit]:
    """An edit for every claim, for a batch of these texts (by side)."""
    return [_follow(claim, texts[claim.head.kind], means[claim.head]) for claim in claims]


def _follow(claim: Claim, tokens: PatternTokens, mean: Any) -> HeadEdit:
    wanted = _Claimed(claim, tokens)
    return HeadEdit(
        f"follow {claim.pattern}", (claim.head,), output=_MeanElsewhere(wanted, mean), weights_in=wanted
    )


@dataclass(eq=False)
class _Claimed:
    """Makes the weights of a batch, once, from the mask of the call. A sweep runs copies of the batch: its
    rows come whole, and in order."""

    claim: Claim
    tokens: PatternTokens
    weights: Tensor | None = None  # batch query key

    def __call__(self, call: Call, rows: Rows) -> WeightChange:
        batch, length = self.tokens.ids.shape
        allowed = call.mask.allowed(0, length)
        # of the first copy, since all are alike; it says of causal attention which keys come later
        visible = visible_keys(self.tokens.real, None if allowed is None else allowed[:batch], causal=False)
        weights = self.weights = claimed_weights(self.claim, self.tokens, visible)

        def change(before: Tensor, _: Tensor | None) -> Tensor:
            return weights[:, None].to(before.dtype).expand_as(before)

        return change


@dataclass(eq=False)
class _MeanElsewhere:
    """What the head gives where its name says nothing: its mean."""

    claimed: _Claimed
    mean: Any

    def __call__(self, output: Tensor, heads: Sequence[Head]) -> Tensor:
        assert self.claimed.weights is not None
        silent = (self.claimed.weights.sum(-1) == 0)[:, None, :, None].to(output.device)  # row 1 query 1
        return torch.where(silent, torch.as_tensor(self.mean).to(output), output)


@dataclass(frozen=True, eq=False)
class AtOnce:
    """Several edits of different heads as one."""

    name: str
    edits: tuple[HeadEdit, ...]

    def __str__(self) -> str:
        return f"{self.name} on {len(self.every_head)} heads"

    @property
    def every_head(self) -> frozenset[Head]:
        return frozenset().union(*(edit.every_head for edit in self.edits))

    def resolved(self, heads: tuple[Head, ...]) -> AtOnce:
        return AtOnce(self.name, tuple(edit.resolved(heads) for edit in self.edits))

    def at(self, call: Call, rows: Rows = None) -> list[CallEdit]:
        return [change for edit in self.edits for change in edit.at(call, rows)]
