"""Models outside transformers' attention interface: the weights that they return themselves."""

from collections.abc import Iterator
from typing import Any

from torch import Tensor

from attlas.address import Kind


def returned_attentions(output: Any, alone: Kind | None = None) -> Iterator[tuple[Kind, int, Tensor]]:
    """Each layer's weights (batch head query key) among a model's outputs.

    `alone` is the kind of a model that has one kind only; without it, whether the first row looks ahead
    tells, which padding would hide.
    """
    kinds: dict[str, Kind] = {
        "encoder_attentions": "encoder",
        "decoder_attentions": "decoder",
        "cross_attentions": "cross",
    }
    for field, kind in kinds.items():
        for layer, weights in enumerate(getattr(output, field, None) or ()):
            yield kind, layer, weights
    for layer, weights in enumerate(getattr(output, "attentions", None) or ()):
        ahead = weights is not None and bool((weights[..., 0, 1:] > 0).any())
        yield alone or ("encoder" if ahead else "decoder"), layer, weights
