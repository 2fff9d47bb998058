"""The edits that disable heads. Each says in its docstring what a head does instead of what it did.

torch loads when an edit is made or used, so that the terminal knows their names at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from attlas.address import Head
from attlas.edits.head_edit import HeadEdit, Heads, heads_of
from attlas.errors import AttlasError

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

EditName = Literal["uniform", "zero", "mean", "shuffle"]
__all__ = ["EDITS", "mean", "shuffle", "uniform", "zero"]


def uniform(heads: Heads) -> HeadEdit:
    """Attends evenly, 1/L to each of the L tokens that it may see; padding gets nothing. Kovaleva 2019,
    section 4.6."""
    return HeadEdit("uniform", heads_of(heads), _uniform)


def zero(heads: Heads) -> HeadEdit:
    """Gives nothing: every weight is 0."""
    return HeadEdit("zero", heads_of(heads), _zero)


def mean(heads: Heads, means: Mapping[Head, npt.ArrayLike]) -> HeadEdit:
    """Gives the same to every token: its mean output over the corpus, taken in a first pass. Weights stay.

    `means` are what `HeadOutputMeans` collects."""
    if not isinstance(means, Mapping):
        raise AttlasError("means are given by head, as HeadOutputMeans collects them")
    return HeadEdit("mean", heads_of(heads), output=_Mean(dict(means)))


def shuffle(heads: Heads, seed: int = 0) -> HeadEdit:
    """Attends as it did in another input of the same length; its values are its own."""
    from attlas.edits.shuffling import Shuffle

    return HeadEdit("shuffle", heads_of(heads), weights_in=Shuffle(seed))


#: every edit, by name
EDITS: dict[str, Callable[..., HeadEdit]] = {name: globals()[name] for name in get_args(EditName)}


def _uniform(weights: Tensor, allowed: Tensor | None) -> Tensor:
    import torch

    if allowed is None:
        return torch.full_like(weights, 1 / weights.shape[-1])
    share = allowed.to(weights.dtype)
    return (share / share.sum(-1, keepdim=True).clamp(min=1)).expand_as(weights)


def _zero(weights: Tensor, allowed: Tensor | None) -> Tensor:
    import torch

    return torch.zeros_like(weights)


@dataclass(frozen=True, eq=False)
class _Mean:
    means: Mapping[Head, Any]

    def __call__(self, output: Tensor, heads: Sequence[Head]) -> Tensor:
        import torch

        if missing := [head for head in heads if head not in self.means]:
            raise AttlasError(f"no mean output of head {missing[0].full} was given")
        vectors = torch.stack([torch.as_tensor(self.means[head]) for head in heads])  # head dim
        if vectors.shape[-1] != output.shape[-1]:
            raise AttlasError(
                f"the mean output of head {heads[0].full} has {vectors.shape[-1]} numbers, "
                f"and the head gives {output.shape[-1]}"
            )
        return vectors.to(output)[None, :, None].expand_as(output)
