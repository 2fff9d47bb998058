"""What two models make of the same items, against float64 maps of each, one segment at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

import reference
from attlas.corpora.segments import Segment
from attlas.studies.comparing.two_models import CrossDistances, MapChanges, PairedMeans
from attlas.subject import Subject
from compared import Compared
from listed import KERNELS, REDUCERS, SUBJECTS, observe, rows_of
from made_models import disturbed

PLAIN = [kernel for kernel in KERNELS if kernel != "triton"]


def both_maps(subject: Subject, segment: Segment) -> dict[tuple[str, int], list[np.ndarray]]:
    """kind, layer -> the weights (head query key) of both models"""
    pairs: dict[tuple[str, int], list[np.ndarray]] = defaultdict(list)
    for model in (subject, disturbed(subject, name=subject.name)):
        for kind, layer, weights, _, _ in reference.maps(model, segment):
            pairs[kind, layer].append(weights)
    return pairs


@pytest.mark.parametrize("kernel", PLAIN)
@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.reference("map_cosine", "map_distance")
def test_cosine_and_divergence_equal_plain_maps(
    name: str,
    kernel: str,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
    compared: Compared,
) -> None:
    subject = subject_of(name)
    segments = segments_of(subject, 3, 12)
    values: dict[tuple[str, int, int, str], list[float]] = defaultdict(list)
    for segment in segments:
        for (kind, layer), (mine, theirs) in both_maps(subject, segment).items():
            for head, (a, b) in enumerate(zip(mine, theirs, strict=True)):
                cosine = (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum())
                divergence = np.mean([jensenshannon(p, q) ** 2 for p, q in zip(a, b, strict=True)])
                values[kind, layer, head, "map_cosine"].append(cosine)
                values[kind, layer, head, "map_distance"].append(divergence)
    rows = rows_of(observe(subject, MapChanges(), segments, 3, kernel))
    assert {row[:4] for row in rows} == values.keys()
    for row in rows:
        mean, stderr = reference.mean_and_stderr(values[row[:4]])
        compared(row.statistic, row.value, mean, 2e-5)
        assert row.stderr == pytest.approx(stderr, abs=2e-5)
        assert row.n == 3


@pytest.mark.parametrize("name", SUBJECTS)
def test_distances_between_the_heads_of_two_models_equal_plain_loops(
    name: str, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    subject = subject_of(name)
    segments = segments_of(subject, 2, 12)
    crossed = observe(subject, CrossDistances(subject.heads), segments, 2)
    assert isinstance(crossed, CrossDistances)
    for kind in subject.kinds:
        step = 12 if name == "mini" else 1  # 144 heads by plain loops take minutes: one of each layer will do
        wanted = []
        for segment in segments:
            maps = [pair for (of_kind, _), pair in both_maps(subject, segment).items() if of_kind == kind]
            first, second = (np.concatenate([pair[which] for pair in maps])[::step] for which in (0, 1))
            whole = reference.jensen_shannon(np.concatenate([first, second]), faithful=False)
            wanted.append(whole[: len(first), len(first) :])
        distances = crossed.distances(kind)
        assert len(distances) == len([head for head in subject.heads if head.kind == kind])
        np.testing.assert_allclose(distances[::step, ::step], np.mean(wanted, 0), atol=2e-5)


@pytest.mark.parametrize("name", SUBJECTS)
def test_means_of_two_models_and_their_change_equal_the_reference(
    name: str, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    subject = subject_of(name)
    segments = segments_of(subject, 5)
    paired = observe(subject, REDUCERS["paired means"](subject, False), segments, 3)
    assert isinstance(paired, PairedMeans)
    other = disturbed(subject, name=subject.name)
    first, second = (reference.values(model, tuple(segments), False) for model in (subject, other))
    change = {key: [b - a for a, b in zip(first[key], second[key], strict=True)] for key in first}
    statistics = {mean.statistic for mean in paired.means}
    for which, values in (("first", first), ("second", second), ("change", change)):
        rows = paired.rows_of(which)
        assert {row[:5] for row in rows} == {key for key in values if key[3] in statistics}
        for row in rows:
            mean, stderr = reference.mean_and_stderr(values[row[:5]])
            assert row.value == pytest.approx(mean, abs=1e-4), row
            assert row.stderr == pytest.approx(stderr, abs=1e-4, nan_ok=True), row
            assert row.n == len(values[row[:5]])
