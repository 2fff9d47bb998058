"""Attention rollout (Abnar and Zuidema 2020): through all layers up to this one, where did it come from?

Each layer's map, the mean over its heads, is mixed half and half with the identity, for the residual stream,
and multiplied with what reached the layer below. Rows still sum to 1.
"""

from __future__ import annotations

import numpy as np

from .rows import Floats


def rolled(mean: Floats, below: Floats | None) -> Floats:
    """The rollout of a layer, given the mean of its heads' maps (query key) and the rollout below it."""
    mixed = 0.5 * mean + 0.5 * np.eye(len(mean), dtype=np.float32)
    result: Floats = mixed if below is None else mixed @ below
    return result
