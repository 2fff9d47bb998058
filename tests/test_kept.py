"""What is kept of items as they are, without a mean: lengths, samples, tokens, and weights to look at."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest

import reference
from attlas.address import Head
from attlas.corpora.batches import collate
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId, seeded
from attlas.edits import zero
from attlas.errors import AttlasError
from attlas.reducers.document import LongDocument, rows_that_fit, tile_size
from attlas.reducers.items import Lengths, Sample, TokenLists
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.surface.sentence_maps import PassageWeights
from attlas.studies.trees.recorded_features import RecordedFeatures, Recorder
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap import Tap
from listed import REDUCERS, SUBJECTS, observe, swept, windows_of


@pytest.mark.parametrize("name", SUBJECTS)
def test_lengths_tokens_and_a_sample_are_those_of_the_segments(
    name: str, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    subject = subject_of(name)
    segments = segments_of(subject, 6)
    lengths, sample, lists = (
        observe(subject, r, segments, 4) for r in (Lengths(), Sample(3, 7), TokenLists())
    )
    assert isinstance(lengths, Lengths)
    assert isinstance(sample, Sample)
    assert isinstance(lists, TokenLists)
    sizes = [len(s.ids) for s in segments]
    assert lengths.means() == pytest.approx(
        {
            "tokens": sum(sizes),
            "mean_log_length": np.mean([math.log(n) for n in sizes]),
            "mean_log_visible": np.mean([np.mean(np.log(np.arange(1, n + 1))) for n in sizes]),
        }
    )
    assert sample.ids() == sorted((s.id for s in segments), key=lambda i: seeded(7, "sample", *i))[:3]
    assert lists.lengths() == {s.id: len(s.ids) for s in segments}
    side = "decoder" if name == "llama" else "encoder"
    for segment in segments:
        np.testing.assert_array_equal(lists.lists[segment.id, side], segment.ids)


@pytest.mark.parametrize("shown", [slice(-5, None), slice(-40, None), slice(3, 8)])
@pytest.mark.parametrize("name", SUBJECTS)
def test_weights_between_the_tokens_of_a_passage_equal_the_reference(
    name: str, shown: slice, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    subject = subject_of(name)
    segments = segments_of(subject, 3)
    passages = dict.fromkeys(("encoder", "decoder"), shown)
    keep = observe(subject, PassageWeights(passages), segments[::-1], 3)
    assert isinstance(keep, PassageWeights)
    for segment in segments:
        for kind, layer, weights, _, _ in reference.maps(subject, segment):
            between = keep.kept[segment.id, f"{kind}.{layer}"]
            np.testing.assert_allclose(between[:, :, 1:], weights[:, shown, shown], atol=1e-5)
            if shown.indices(weights.shape[2])[0] > 0:
                np.testing.assert_allclose(between[:, :, 0], weights[:, shown, 0], atol=1e-5)
            else:
                assert np.isnan(between[:, :, 0]).all(), "the first token is among those shown"
    wanted = defaultdict(list)
    for kind, _, weights, _, _ in reference.maps(subject, segments[0]):
        wanted[kind].append(weights[:, shown, shown])
    arrays = keep.arrays()
    for kind, maps in wanted.items():
        np.testing.assert_allclose(arrays[f"{kind}.maps"], np.concatenate(maps), atol=1e-5)
        assert (f"{kind}.maps_first" in arrays) is (shown.indices(len(segments[0].ids))[0] > 0)


@pytest.mark.parametrize("name", SUBJECTS)
def test_tiles_and_strongest_weights_of_a_document_equal_the_reference(
    name: str, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    subject = subject_of(name)
    (segment,) = segments_of(subject, 1)
    n = len(segment.ids)
    document = LongDocument(subject.heads[::-1], n)
    document.tile, document.k = 7, 3  # as of a longer one
    arrays = observe(subject, document, [segment], 1).arrays()
    whole = defaultdict(list)
    for kind, _, weights, _, _ in reference.maps(subject, segment):
        whole[kind].append(weights)
    edges = [range(start, min(start + 7, n)) for start in range(0, n, 7)]
    for kind, several in whole.items():
        maps = np.concatenate(several)
        tiles = [
            [maps[:, rows][:, :, columns].sum((1, 2)) / len(rows) for columns in edges] for rows in edges
        ]
        np.testing.assert_allclose(arrays[f"{kind}.tiles"], np.moveaxis(tiles, -1, 0), atol=1e-3)  # halves
        on_first = np.stack([maps[:, rows, 0].mean(1) for rows in edges], -1)
        np.testing.assert_allclose(arrays[f"{kind}.tiles_first"], on_first, atol=1e-5)
        having = arrays[f"{kind}.strongest_heads"]
        per_layer = len(maps) // len(several)
        assert [Head(kind, *h) for h in having.tolist()] == [h for h in subject.heads[::-1] if h.kind == kind]  # type: ignore[arg-type]
        kept_maps = maps[having[:, 0] * per_layer + having[:, 1]]  # in the order of the reducer
        strong = arrays[f"{kind}.strongest_weights"]
        np.testing.assert_allclose(strong, -np.sort(-kept_maps, axis=-1)[:, :, :3], atol=1e-3)
        at_keys = np.take_along_axis(kept_maps, arrays[f"{kind}.strongest_keys"].astype(np.int64), -1)
        np.testing.assert_allclose(strong, at_keys, atol=1e-3)


@pytest.mark.parametrize(
    ("tokens", "heads", "size"),
    [(100, 4, 1), (256, 4, 1), (257, 4, 2), (1024, 144, 8), (131_072, 64, 512), (8192, 1, 32)],
)
def test_a_tile_is_the_least_power_of_two_that_leaves_few_enough(tokens: int, heads: int, size: int) -> None:
    assert tile_size(tokens, heads) == size


def test_rows_are_kept_of_the_first_heads_as_far_as_they_fit() -> None:
    """Ten rows of an encoder's head, twenty of a decoder's; a weight takes 6 bytes, and a row 2 besides."""
    first, second = Head("encoder", 0, 0), Head("decoder", 0, 0)
    queries = {"encoder": 10, "decoder": 20}
    assert rows_that_fit([first, second], queries, 30 * 32, 6, 2) == (5, [first, second])
    assert rows_that_fit([first, second], queries, 30 * 10**6, 6, 2) == (64, [first, second])
    # fewer than four weights of every row: eight of the first heads'
    assert rows_that_fit([first, second], queries, 30 * 25, 6, 2) == (8, [first])
    assert rows_that_fit([second, first], queries, 20 * 50, 6, 2) == (5, [second, first])
    assert rows_that_fit([second, first, first], queries, 20 * 50, 6, 2) == (8, [second])
    assert rows_that_fit([second, first, first], queries, 20 * 50 - 1, 6, 2) == (8, [])


def test_tiles_are_of_one_document(
    subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    subject = subject_of("bert")
    first, second = segments_of(subject, 2)

    def kept(*segments: Segment) -> LongDocument:
        reducer = LongDocument(subject.heads, 24)
        with Tap(subject, [reducer]) as tap:
            tap.run(collate(subject, segments))
        return reducer

    with pytest.raises(AttlasError, match="of one document alone"):
        kept(first, second)
    with pytest.raises(AttlasError, match="of one document alone"):
        kept(first).merge(kept(second))


@pytest.mark.parametrize("name", ["llama", "t5"])
def test_outcomes_equal_losses_in_double_precision(
    name: str, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    """Item by item, as the model is and without each of some heads."""
    subject = subject_of(name)
    segments = segments_of(subject, 4)
    reducer = observe(subject, Outcomes(), segments, 4)
    assert isinstance(reducer, Outcomes)
    exact = Subject(reference.in_double(subject.model), subject.tokenizer, name)
    assert reducer.ids() == [s.id for s in segments]
    assert np.isnan(reducer.true_labels()).all()
    for edits, outcomes in zip([[], *([zero(h)] for h in swept(subject))], reducer.table(), strict=True):
        for segment, outcome in zip(segments, outcomes, strict=True):
            batch, losses = objective(exact, collate(exact, [segment]))
            with Tap(exact, edits=edits, kernel="eager") as tap:
                assert outcome == pytest.approx(float(losses(tap.run(batch, predictions=True))), abs=2e-5)


def test_recorded_features_do_not_depend_on_the_batch(subject_of: Callable[[str], Subject]) -> None:
    subject = subject_of("bert")
    windows = windows_of("treebank", subject, 6)
    recorders = REDUCERS["recorder"](subject, False), REDUCERS["recorder"](subject, False)
    for recorder, size in zip(recorders, (1, 6), strict=True):
        observe(subject, recorder, windows, size).state()
    alone, together = (RecordedFeatures(r.files) for r in recorders if isinstance(r, Recorder))
    assert {ItemId(*i) for i in alone.layout.ids} == {w.id for w in windows}
    for place in range(len(windows)):
        for name in alone.layout.names:
            a, b = (features.get(name, [place]).numpy() for features in (alone, together))
            assert a.any()
            np.testing.assert_allclose(a, b, rtol=2**-10, atol=1e-5)  # half precision has 11 bits
