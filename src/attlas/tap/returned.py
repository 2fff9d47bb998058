"""Models outside transformers' attention interface: the weights that they return themselves."""

from collections.abc import Iterator
from typing import Any

from torch import Tensor

from attlas.address import Kind


def returned_attentions(output: Any) -> Iterator[tuple[Kind, int, Tensor]]:
    """Each layer's weights (batch head query key) among a model's outputs."""
    kinds: dict[str, Kind] = {
        "encoder_attentions": "encoder",
        "decoder_attentions": "decoder",
        "cross_attentions": "cross",
    }
    for field, kind in kinds.items():
        for layer, weights in enumerate(getattr(output, field, None) or ()):
            yield kind, layer, weights
    for layer, weights in enumerate(getattr(output, "attentions", None) or ()):
        yield ("encoder" if bool((weights[..., 0, 1:] > 0).any()) else "decoder"), layer, weights
