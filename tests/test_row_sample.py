"""A sample of rows estimates what all rows give: without bias, with the right error, the same for an item
wherever it is met."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from torch import Tensor

from attlas.corpora.batches import collate
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId
from attlas.errors import AttlasError
from attlas.reducers import Means, surface
from attlas.row import Row
from attlas.studies.surface.head_distances import Distances
from attlas.subject import Subject
from attlas.tap import Distance, Entropy, Largest, Mass, Offset, Tap, usable
from attlas.tap.call import Call
from attlas.tap.kernels import PlainPass, SampledPass, eager, own_attention, tiled
from attlas.tap.making_masks import as_mask
from attlas.tap.needs import KernelRequest, Layout
from attlas.tap.row_sample import LEAST, RowSample, sample_rows
from calls import DEVICE, calls, in_double, live


def groups_of(length: int, padding: int = 0) -> Tensor:
    """1 group query: all, and a [SEP] at the end and in the middle; padding before."""
    every = torch.arange(length + padding) >= padding
    sep = torch.zeros_like(every)
    sep[[padding + length // 2, -1]] = True
    return torch.stack([every, sep])[None]


def items(count: int) -> list[ItemId]:
    return [ItemId(document, 3) for document in range(count)]


def test_every_row_is_drawn_as_often_as_it_has_to_be() -> None:
    length, several = 100, 4000
    sample = sample_rows(groups_of(length).expand(several, -1, -1), items(several), 1 / 5)
    standing = torch.zeros(several, length).scatter_add_(1, sample.places, sample.stands_for)
    # a row that stands for n, drawn one time in n: mean 1, variance n - 1, and n is at most 5
    assert (standing.mean(0) - 1).abs().max() < 5 * (4 / several) ** 0.5
    # draws of neighbouring runs know nothing of each other
    drawn = standing[:, :50]  # of ten runs of five; then comes a [SEP], which is always taken
    together = np.corrcoef(drawn.T)
    run = torch.arange(50) // 5
    assert abs(together[run[:, None] != run[None, :]]).max() < 6 / several**0.5


def test_rows_stand_for_as_many_as_there_are() -> None:
    groups = groups_of(93)
    sample = sample_rows(groups, items(1), 1 / 16)
    stands_for = groups[0][:, sample.places[0]] * sample.stands_for[0]
    assert stands_for.sum(-1).tolist() == [93, 2]
    assert sample.places.shape[1] == LEAST + 2


def test_groups_of_few_rows_are_taken_whole() -> None:
    sample = sample_rows(groups_of(60), items(1), 1 / 16)
    chosen = dict(zip(sample.places[0].tolist(), sample.stands_for[0].tolist(), strict=True))
    assert (chosen[30], chosen[59]) == (1, 1)


def test_an_item_has_the_same_rows_in_every_batch() -> None:
    alone = sample_rows(groups_of(70), items(3)[1:2], 1 / 8)
    padded = [torch.nn.functional.pad(groups_of(n), (0, 90 - n)) for n in (90, 70, 31)]
    together = sample_rows(torch.cat(padded), items(3), 1 / 8)
    real = together.stands_for[1] > 0
    assert torch.equal(together.places[1][real], alone.places[0])
    shifted = sample_rows(groups_of(70, padding=9), items(3)[1:2], 1 / 8)
    assert torch.equal(shifted.places - 9, alone.places)
    other = sample_rows(groups_of(70), items(3)[2:], 1 / 8)
    assert not torch.equal(other.places, alone.places)


FUNCTIONS = (Entropy(), Mass("a"), Offset(-1), Largest(), Offset(2), Distance(1), Distance(2, rest=True))


def request_for(call: Call) -> KernelRequest:
    batch, _, queries, _ = call.query.shape
    real = torch.ones(batch, call.key.shape[2], dtype=torch.bool, device=DEVICE)
    groups = (torch.rand(batch, 3, queries, device=DEVICE) < 0.7) & live(call)[:, None]
    features = torch.rand(*real.shape, 1, device=DEVICE) < 0.4
    return KernelRequest(
        FUNCTIONS, features, real, groups, Layout((), FUNCTIONS, ()), items=tuple(items(batch))
    )


@settings(max_examples=40, deadline=None)
@given(calls())
def test_a_sample_of_all_rows_is_all_rows(call: Call) -> None:
    """Whatever the mask: the rows of a sample are the rows at its places."""
    call = in_double(call)
    request = request_for(call)
    places = torch.rand(live(call).shape, device=DEVICE).argsort(-1)  # every row, in another order
    few, asked = RowSample(places, torch.ones_like(places).double()).of(call, request)
    expected, sampled = eager(call, request), tiled(few, asked)
    assert expected.rows is not None
    assert sampled.rows is not None
    index = places[:, None, :, None].expand_as(sampled.rows)
    seen = live(call).gather(1, places)[:, None, :, None]
    torch.testing.assert_close(sampled.rows * seen, expected.rows.gather(2, index) * seen)


@settings(max_examples=40, deadline=None)
@given(calls())
def test_the_models_own_attention_is_eager_attention(call: Call) -> None:
    call = in_double(call)
    output = own_attention(call)
    if call.softcap is not None or call.sinks is not None:
        assert output is None
        return
    assert output is not None
    seen = live(call)[:, None, :, None]
    torch.testing.assert_close(output * seen, call.mix(call.weights()) * seen)


def surface_of(subject: Subject, segments: list[Segment], kernel: str, rows: float | None) -> list[Row]:
    statistics = surface(subject.classes)
    with Tap(subject, [statistics], kernel=kernel, rows=rows) as tap:
        for start in range(0, len(segments), 8):
            tap.run(collate(subject, segments[start : start + 8], subject.classes))
    return statistics.rows()


def errors_in_their_own_units(sampled: list[Row], exact: list[Row]) -> Tensor:
    assert [row[:5] for row in sampled] == [row[:5] for row in exact]
    apart = [(s.value - e.value) / s.stderr for s, e in zip(sampled, exact, strict=True) if s.stderr > 1e-9]
    return torch.tensor(apart)


def test_means_are_within_their_standard_errors(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    segments = segments_of(mini, 12, 96)
    exact = surface_of(mini, segments, "tiled", None)
    sampled = surface_of(mini, segments, "tiled", 1 / 8)
    assert any(s.value != e.value for s, e in zip(sampled, exact, strict=True))
    assert (errors_in_their_own_units(sampled, exact).abs() < 2).float().mean() > 0.95


@pytest.mark.slow
@pytest.mark.skipif("triton" not in usable(), reason="Triton is not installed")
def test_the_fused_kernel_samples_the_same_rows(
    subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    small = subject_of("bert")
    segments = segments_of(small, 3, 96)
    tiled, fused = (surface_of(small, segments, kernel, 1 / 8) for kernel in ("tiled", "triton"))
    assert [row.value for row in fused] == pytest.approx([row.value for row in tiled], abs=1e-4, rel=1e-5)
    exact = surface_of(small, segments, "tiled", None)
    assert any(f.value != e.value for f, e in zip(fused, exact, strict=True))


def test_the_standard_error_has_the_samplings_share(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    """The same text many times, as different items: all spread is the sampling's."""
    (segment,) = segments_of(mini, 1, 80)
    many = [replace(segment, id=item) for item in items(48)]
    exact = surface_of(mini, many[:2], "tiled", None)
    sampled = surface_of(mini, many, "tiled", 1 / 8)
    apart = errors_in_their_own_units(sampled, exact)
    assert 0.8 < float(apart.square().mean().sqrt()) < 1.25
    assert all(row.stderr < 1e-6 for row in exact)


def test_one_is_every_row_and_other_fractions_are_refused(mini: Subject) -> None:
    for rows in (0, -1, 1.5, "all"):
        with pytest.raises(AttlasError, match="a fraction of the rows is above 0 and at most 1"):
            Tap(mini, rows=rows)  # type: ignore[arg-type]


def test_who_needs_every_row_says_so(mini: Subject, caplog: pytest.LogCaptureFixture) -> None:
    batch = mini.encode("The cat sat on the mat, and the dog slept beside it all day long.")
    arrays = []
    for rows in (None, 1 / 16):
        distances = Distances(mini.heads)
        with Tap(mini, [Means([]), distances], rows=rows) as tap:
            tap.run(batch)
        arrays.append(distances.arrays())
    assert "rows are not sampled for distances" in caplog.text
    for name, array in arrays[0].items():
        assert np.array_equal(array, arrays[1][name], equal_nan=True)


@pytest.mark.slow
@pytest.mark.skipif("triton" not in usable(), reason="Triton is not installed")
def test_where_the_fused_kernel_cannot_go_rows_are_sampled(caplog: pytest.LogCaptureFixture) -> None:
    from attlas.tap.triton import fused_pass

    fused_pass._said.clear()
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 2, 2, 200, 16, device=DEVICE).unbind()
    scattered = torch.rand(2, 1, 200, 200, device=DEVICE) < 0.5
    call = Call("encoder", 0, query, key, value, as_mask(scattered, query, key, causal=False), 0.25)
    every = torch.ones(2, 1, 200, dtype=torch.bool, device=DEVICE)
    request = KernelRequest(
        (Largest(),), every[:, 0, :, None][..., :0], every[:, 0], every, items=tuple(items(2))
    )
    with caplog.at_level(logging.WARNING):
        result = fused_pass.FusedPass().call(call, request)
    assert "a sample of the rows is observed" in caplog.text
    torch.testing.assert_close(result.output, eager(call, request).output)
    exact = fused_pass.FusedPass(exact=True).call(call, request)
    assert exact.rows is not None
    few = SampledPass(1 / 16, PlainPass(eager))._sample(request)
    assert few is not None
    assert few.places.shape[1] == 13
