"""Disabling heads: `uniform` spreads a head's weight evenly over what it may see, `zero` takes it away."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.errors import AttlasError
from attlas.tap.call import WeightEdit


@dataclass(frozen=True)
class Edit:
    """`change` gives the new weights of the chosen heads from the old ones and from what may be seen."""

    name: str
    heads: frozenset[Head]
    change: Callable[[Tensor, Tensor | None], Tensor]

    def __str__(self) -> str:
        written = ", ".join(h.full for h in sorted(self.heads)[:4])
        return f"{self.name} on {written}{', ...' if len(self.heads) > 4 else ''}"

    def check(self, heads: tuple[Head, ...]) -> None:
        """An edit that names a head the model does not have would do nothing in silence."""
        if not self.heads:
            raise AttlasError(f"the edit {self.name} names no head")
        if missing := sorted(self.heads - set(heads)):
            raise AttlasError(f"the model has no head {missing[0].full}")

    def at(self, kind: Kind, layer: int) -> WeightEdit | None:
        """The change to make in one attention call, or None."""
        chosen = sorted(h.head for h in self.heads if (h.kind, h.layer) == (kind, layer))
        if not chosen:
            return None

        def edit(weights: Tensor, allowed: Tensor | None) -> Tensor:
            old = weights[:, chosen]
            visible = None if allowed is None else allowed.expand(-1, weights.shape[1], -1, -1)[:, chosen]
            edited = weights.clone()
            edited[:, chosen] = self.change(old, visible)
            return edited

        return edit


def uniform(heads: Iterable[Head]) -> Edit:
    """Each row of these heads becomes 1/L over the L tokens it may see (Kovaleva 2019, section 4.6)."""
    return Edit("uniform", frozenset(heads), _uniform)


def zero(heads: Iterable[Head]) -> Edit:
    """These heads give nothing: every weight is 0."""
    return Edit("zero", frozenset(heads), _zero)


EDITS: dict[str, Callable[[Iterable[Head]], Edit]] = {"uniform": uniform, "zero": zero}


def _uniform(weights: Tensor, allowed: Tensor | None) -> Tensor:
    if allowed is None:
        return torch.full_like(weights, 1 / weights.shape[-1])
    share = allowed.to(weights.dtype)
    return share / share.sum(-1, keepdim=True).clamp(min=1)


def _zero(weights: Tensor, allowed: Tensor | None) -> Tensor:
    return torch.zeros_like(weights)
