"""Attention of generated text: `generate` returns it step by step, and a view shows it whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .rows import Floats


def is_generated(attention: Any) -> bool:
    """Whether this is what `generate(..., output_attentions=True)` gives: a list of layers for each step."""
    return (
        isinstance(attention, list | tuple) and len(attention) > 0 and isinstance(attention[0], list | tuple)
    )


def prompt_length(attention: Any) -> int | None:
    """How many tokens the first step read at once; None where this is not what `generate` gives."""
    if not is_generated(attention) or attention[0][0] is None:
        return None
    return int(attention[0][0].shape[-2])


def whole(steps: Sequence[Sequence[Any]]) -> list[Floats | None]:
    """One map (head query key) a layer: the rows of all steps, and no weight on keys that came later."""
    from .inputs import as_array

    layers: list[Floats | None] = []
    for layer in range(len(steps[0])):
        parts = [step[layer] for step in steps]
        if any(part is None for part in parts):
            layers.append(None)
            continue
        rows = [_rows_of_step(as_array(part)) for part in parts]
        keys = max(part.shape[-1] for part in rows)
        layers.append(np.concatenate([np.pad(r, ((0, 0), (0, 0), (0, keys - r.shape[-1]))) for r in rows], 1))
    return layers


def _rows_of_step(step: Floats) -> Floats:
    """One step as head, query, key: without its batch of one, where it has a batch."""
    from attlas.errors import AttlasError

    if step.ndim == 4 and step.shape[0] == 1:
        step = step[0]
    if step.ndim != 3:
        raise AttlasError(
            f"a step of generated attention has shape {tuple(step.shape)}: each must be "
            "[1, heads, queries, keys]; generate one text at a time, without beams"
        )
    return step
