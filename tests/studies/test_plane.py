"""Heads in the plane: distances are kept as well as the plane allows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.manifold import MDS

from attlas.studies.surface.head_distances import ENOUGH, STARTS, STEPS, in_the_plane


def distances_of(places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.linalg.norm(places[:, None] - places[None], axis=-1)


def test_places_in_a_plane_are_found_again() -> None:
    distances = distances_of(np.random.default_rng(0).normal(size=(40, 2)))
    assert distances_of(in_the_plane(distances)) == pytest.approx(distances, abs=1e-3)


def test_what_no_plane_can_keep_is_kept_as_well_as_scikit_learn_does() -> None:
    """It has other random starts: the better of two seeds is compared."""
    distances = distances_of(np.random.default_rng(0).normal(size=(60, 8)))

    def stress(places: npt.NDArray[np.float64]) -> float:
        return float(((distances_of(places) - distances) ** 2).sum())

    peer = [
        MDS(
            2, metric="precomputed", init="random", n_init=STARTS, max_iter=STEPS, eps=ENOUGH,
            normalized_stress=False, random_state=seed,
        ).fit_transform(distances)
        for seed in (0, 1)
    ]  # fmt: skip
    ours = [in_the_plane(distances, seed) for seed in (0, 1)]
    assert min(map(stress, ours)) == pytest.approx(min(map(stress, peer)), rel=0.02)
    assert in_the_plane(distances, 1).tolist() == ours[1].tolist(), "the same seed, the same places"


def test_heads_that_are_all_alike_lie_on_one_point() -> None:
    """Warnings are errors here: the scaling would divide by nothing."""
    assert in_the_plane(np.zeros((4, 4))).tolist() == [[0.0, 0.0]] * 4
