"""Heads in the plane: a picture of the distances between heads (Clark 2019, figure 6)."""

import numpy as np
import numpy.typing as npt


def in_the_plane(distances: npt.NDArray[np.float64], seed: int = 0) -> npt.NDArray[np.float64]:
    """head 2: metric multidimensional scaling of the distances, with the settings of the original, seeded."""
    from sklearn.manifold import MDS

    heads = len(distances)
    if not distances.any():  # all heads alike: the scaling would divide by nothing
        return np.zeros((heads, 2))
    if heads < 3:
        return np.stack([np.arange(heads, dtype=np.float64) * distances.max(initial=0), np.zeros(heads)], -1)
    scale = float(distances.max())  # so that eps means the same for sums and for means
    scaling = MDS(
        n_components=2,
        metric="precomputed",
        init="random",
        n_init=5,
        max_iter=1000,
        eps=1e-10,
        random_state=seed,
        normalized_stress=False,
    )
    places: npt.NDArray[np.float64] = scaling.fit_transform(distances / scale) * scale
    return places
