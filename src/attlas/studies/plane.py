"""Heads in the plane: a picture of the distances between heads (Clark 2019, figure 6)."""

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.float64]  # head 2

# as the original has them
STARTS = 5
STEPS = 1000
ENOUGH = 1e-10  # a step that gains less is the last


def in_the_plane(distances: npt.NDArray[np.float64], seed: int = 0) -> Places:
    """head 2: metric multidimensional scaling of the distances. Of several random starts, the one that ends
    closest to them."""
    heads = len(distances)
    if not distances.any():  # all heads alike
        return np.zeros((heads, 2))
    if heads < 3:
        return np.stack([np.arange(heads, dtype=np.float64) * distances.max(initial=0), np.zeros(heads)], -1)
    scale = float(distances.max())  # so that ENOUGH means the same for sums and for means
    rng = np.random.default_rng(seed)
    ends = [_scaled(distances / scale, rng.uniform(size=(heads, 2))) for _ in range(STARTS)]
    places, _ = min(ends, key=lambda end: end[1])
    return places * scale


def _scaled(distances: npt.NDArray[np.float64], places: Places) -> tuple[Places, float]:
    """Places that were moved until no step gains much, and how far their distances are from those wanted.

    A step (the Guttman transform of SMACOF) moves each head to the mean of where the others would have it:
    at the wanted distance from them, in the direction in which it stands.
    """
    heads, size = len(places), float((distances**2).sum())
    stress = np.inf
    for _ in range(STEPS):
        squares = (places**2).sum(-1)
        apart = np.sqrt(np.maximum(squares[:, None] + squares - 2 * places @ places.T, 0))
        before, stress = stress, float(((apart - distances) ** 2).sum())
        if before - stress < ENOUGH * size:
            break
        pull = np.divide(distances, apart, out=np.zeros_like(apart), where=apart > 0)
        places = (pull.sum(-1, keepdims=True) * places - pull @ places) / heads
    return places, stress
