"""The compiled kernel gives the numbers of `eager`, and steps aside where it cannot."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attlas.reducers.divergence import pairwise_divergence
from attlas.tap import native
from attlas.tap.call import Call
from attlas.tap.kernels import eager, tiled
from attlas.tap.mask import Mask
from attlas.tap.needs import Distance, Entropy, KernelRequest, Largest, Mass, Offset, RowFunction
from own_process import OwnProcess, script

compiled = pytest.mark.skipif(native.library() is None, reason=f"no compiled kernel: {native.reason()}")


def make_call(
    query_shape: tuple[int, int, int, int],
    groups: int,
    keys: int,
    causal: bool = False,
    padding: torch.Tensor | None = None,
    seed: int = 0,
) -> Call:
    batch, heads, queries, dim = query_shape
    generator = torch.Generator().manual_seed(seed)

    def tensor(tokens: int, count: int) -> torch.Tensor:
        # as models pass them: batch token head dim, with two axes exchanged
        return torch.randn(batch, tokens, count, dim, generator=generator).mul(1.3).transpose(1, 2)

    def rows(start: int, stop: int) -> torch.Tensor:
        allowed = torch.ones(batch, 1, stop - start, keys, dtype=torch.bool)
        if causal:
            allowed &= torch.arange(keys) <= torch.arange(start, stop)[:, None]
        return allowed if padding is None else allowed & padding[:, None, None]

    mask = Mask("causal" if causal else "full", padding, rows)
    return Call(
        "encoder", 0, tensor(queries, heads), tensor(keys, groups), tensor(keys, groups), mask, dim**-0.5
    )


def in_double(call: Call) -> Call:
    return replace(call, query=call.query.double(), key=call.key.double(), value=call.value.double())


def request_all(
    batch: int, keys: int, offsets: Sequence[int] = (-1, 0, 1), classes: int = 3, seed: int = 0
) -> KernelRequest:
    functions: tuple[RowFunction, ...] = (
        *(Offset(by) for by in offsets),
        Entropy(),
        *(Mass(str(i)) for i in range(classes)),
        Largest(),
        *(Distance(power, rest) for power in (1, 2) for rest in (False, True)),
    )
    generator = torch.Generator().manual_seed(seed)
    features = torch.rand(batch, keys, classes, generator=generator) < 0.3
    real = torch.ones(batch, keys, dtype=torch.bool)
    return KernelRequest(functions, features, real, torch.ones(batch, 1, 1))


def assert_agree(call: Call, request: KernelRequest) -> None:
    attended = native.attend(call, request)
    assert attended is not None
    expected = eager(in_double(call), request)
    torch.testing.assert_close(attended[0].double(), expected.output, atol=1e-5, rtol=1e-5)
    assert expected.rows is not None
    torch.testing.assert_close(attended[1].double(), expected.rows, atol=1e-5, rtol=1e-5)


@compiled
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_every_shape_and_mask_gives_the_numbers_of_eager(data: st.DataObject) -> None:
    batch, groups, repeats = (data.draw(st.integers(1, 3)) for _ in range(3))
    queries = data.draw(st.integers(1, 70))
    keys = data.draw(st.one_of(st.just(queries), st.integers(1, 300)))
    dim = data.draw(st.sampled_from([1, 3, 8, 16, 17, 64, 80]))
    seed = data.draw(st.integers(0, 2**16))
    padding = None
    if data.draw(st.booleans()):
        share = data.draw(st.sampled_from([0.0, 0.1, 0.9, 1.0]))
        padding = torch.rand(batch, keys, generator=torch.Generator().manual_seed(seed)) < share
    call = make_call(
        (batch, groups * repeats, queries, dim), groups, keys, data.draw(st.booleans()), padding, seed
    )
    offsets = tuple(data.draw(st.lists(st.integers(-90, 90), max_size=4, unique=True)))
    assert_agree(call, request_all(batch, keys, offsets, data.draw(st.integers(0, 5)), seed))


@compiled
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("causal", [False, True])
def test_padding_on_either_side_gets_nothing_and_blank_rows_are_uniform(side: str, causal: bool) -> None:
    lengths = torch.tensor([300, 170, 1])
    real = torch.arange(300) < lengths[:, None]
    padding = real if side == "right" else real.flip(-1)
    call = make_call((3, 2, 300, 16), 1, 300, causal, padding)
    assert_agree(call, request_all(3, 300))


@compiled
def test_scores_far_apart_neither_overflow_nor_lose_the_largest() -> None:
    call = make_call((1, 2, 40, 16), 2, 400)
    loud = replace(call, query=call.query * 100, key=call.key * 10)
    attended = native.attend(loud, request_all(1, 400))
    expected = eager(in_double(loud), request_all(1, 400))
    assert attended is not None
    torch.testing.assert_close(attended[1].double(), expected.rows, atol=5e-3, rtol=1e-3)
    assert attended[0].isfinite().all()


@compiled
def test_layouts_that_models_use_are_all_read_right() -> None:
    call = make_call((2, 4, 33, 16), 2, 33)
    for view in (torch.Tensor.contiguous, lambda t: t.transpose(2, 3).contiguous().transpose(2, 3)):
        seen = replace(call, query=view(call.query), key=view(call.key), value=view(call.value))
        assert_agree(seen, request_all(2, 33))


@compiled
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    call, request = make_call((3, 4, 50, 16), 2, 50), request_all(3, 50)
    expected = native.attend(call, request)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        attended = native.attend(call, request)
    finally:
        torch.set_num_threads(before)
    assert attended is not None
    assert expected is not None
    assert torch.equal(attended[0], expected[0])
    assert torch.equal(attended[1], expected[1])


@compiled
def test_threads_of_our_own_serve_where_torch_lends_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "_torch_pool", lambda: None)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    assert_agree(make_call((2, 4, 50, 16), 2, 50), request_all(2, 50))


@compiled
def test_it_steps_aside_for_what_it_cannot_do() -> None:
    call, request = make_call((1, 2, 9, 16), 2, 9), request_all(1, 9)
    assert native.attend(call, request) is not None
    smoothed = replace(request, functions=(Entropy(0.1),), features=request.features[..., :0])
    assert native.attend(call, smoothed) is None
    assert native.attend(call, replace(request, weights=True)) is None
    assert native.attend(replace(call, softcap=5.0), request) is None
    assert native.attend(in_double(call), request) is None


@compiled
def test_gradients_flow_through_tiled_all_the_same() -> None:
    call, request = make_call((1, 2, 9, 16), 2, 9), request_all(1, 9)
    learned = replace(call, query=call.query.clone().requires_grad_())
    assert native.attend(learned, request) is None
    tiled(learned, request).output.sum().backward()
    assert learned.query.grad is not None
    with torch.no_grad():
        assert native.attend(learned, request) is not None


@pytest.mark.parametrize("setting", [{"ATTLAS_NATIVE": "0"}, {"CC": "no-such-compiler"}, {"CC": "false"}])
def test_without_a_compiler_torch_computes_and_the_reason_is_known(
    setting: dict[str, str], tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        f"import os\nos.environ.update({setting})\n"
        "import torch\nfrom attlas.tap import native\n"
        "from attlas.reducers.divergence import pairwise_divergence\n"
        "assert native.library() is None and native.reason()\n"
        "assert pairwise_divergence(torch.eye(3).view(3, 1, 3))[0, 1] > 0.69"
    )
    process = OwnProcess(script, program)
    assert process.ended() == 0, process.said


def exact_divergence(weights: torch.Tensor) -> torch.Tensor:
    p = weights.double()
    p, q = p[:, None], p[None]
    middle = (p + q) / 2
    return 0.5 * sum(torch.special.xlogy(x, x / middle).nan_to_num(0).sum((-1, -2)) for x in (p, q))


@pytest.mark.parametrize("source", ["compiled", "torch"])
@given(heads=st.integers(1, 7), rows=st.integers(1, 20), keys=st.integers(1, 90), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_divergence_equals_its_definition_in_double(
    source: str, heads: int, rows: int, keys: int, seed: int
) -> None:
    scores = torch.randn(heads, rows, keys, generator=torch.Generator().manual_seed(seed)) * 3
    weights = scores.masked_fill(scores < -3, -1e30).softmax(-1)
    with pytest.MonkeyPatch.context() as patch:
        if source == "torch":
            patch.setattr(native, "library", lambda: None)
        divergence = pairwise_divergence(weights)
    assert divergence.dtype == torch.float64
    assert torch.equal(divergence, divergence.T)
    torch.testing.assert_close(divergence, exact_divergence(weights), atol=1e-5 * rows, rtol=1e-5)


def test_heads_that_never_meet_are_log_2_apart_and_equal_heads_not_at_all() -> None:
    weights = torch.eye(4).view(4, 1, 4).repeat(1, 5, 1)
    expected = 5 * torch.tensor(2.0, dtype=torch.float64).log() * (1 - torch.eye(4))
    torch.testing.assert_close(pairwise_divergence(weights), expected.double())
    same = torch.rand(1, 30, 40).softmax(-1).repeat(3, 1, 1)
    assert pairwise_divergence(same).abs().max() < 1e-5
