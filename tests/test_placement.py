"""Models whose weights wait in memory or on disk until they are needed give the numbers of those at hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

import attlas
from attlas.corpora.batches import TOKENS_IN_A_BATCH
from attlas.edit import zero
from attlas.engines import Pass, engine_named, run_pass
from attlas.engines.worker import _Attempt, _shrink_batches
from attlas.errors import AttlasError
from attlas.options.option_groups import TextOptions
from attlas.reducers.surface_statistics import surface
from attlas.studies.pruning.prune_study import GateGradients
from attlas.studies.study_items import text_items
from attlas.studies.surface.gradient_importance import Gradients
from attlas.subject import Subject, load
from attlas.subject.losses import objective
from attlas.subject.weights import batch_tokens, bytes_of_a_token, devices_of, home_of, layout_of
from attlas.tap import Tap
from attlas.tap.kernels import PlainPass, tiled
from attlas.tap.making_masks import as_mask
from attlas.tap.tap import DevicePasses

TEXT = "The cat sat on the mat, and the dog slept beside it all day long."


@pytest.fixture(scope="module")
def waiting(mini: Subject, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    """`mini` with its layers on disk."""
    accelerate = pytest.importorskip("accelerate")
    model = load("mini", device="cpu").model
    on_disk = accelerate.disk_offload(model, str(tmp_path_factory.mktemp("disk")), torch.device("cpu"))
    return Subject(on_disk, mini.tokenizer, "mini")


def test_weights_on_disk_are_found_where_they_are_needed(waiting: Subject, mini: Subject) -> None:
    assert any(parameter.device.type == "meta" for parameter in waiting.model.parameters())
    assert waiting.device == torch.device("cpu") == home_of(waiting.model)
    assert devices_of(waiting.model) == (torch.device("cpu"),)
    assert waiting.heads == mini.heads
    assert waiting.weight_hash() == mini.weight_hash()


def test_statistics_edits_and_gradients_are_those_of_the_model_at_hand(
    waiting: Subject, mini: Subject
) -> None:
    rows, outputs = [], []
    for subject in (mini, waiting):
        statistics, gates = surface(subject.classes), GateGradients()
        gradients = Gradients(subject.classes.names)
        batch = subject.encode(TEXT)
        with Tap(subject, [statistics]) as tap:
            tap.run(batch)
        with Tap(subject, [gates, gradients]) as tap:
            tap.run(*objective(subject, batch))
        with Tap(subject, edits=[zero(["3.4"])]) as tap:
            outputs.append(tap.run(batch, predictions=True)[0])
        # without standard errors, of which one text has none
        rows.append([row[:6] for reducer in (statistics, gates, gradients) for row in reducer.rows()])
    assert rows[0] == rows[1]
    assert torch.equal(outputs[0], outputs[1])


def test_a_pass_over_several_devices_adds_up_what_one_device_does(mini: Subject) -> None:
    """Each has a kernel of its own. Here both are the CPU: on a GPU, `benchmarks/gpu_spread.py` compares."""
    batch = mini.encode(TEXT)
    plain, spread = surface(mini.classes), surface(mini.classes)
    with Tap(mini, [plain], kernel="tiled") as tap:
        tap.run(batch)
    tap = Tap(mini, [spread])
    tap.kernel = lambda: DevicePasses(lambda device: PlainPass(tiled))
    with tap:
        tap.run(batch)
    assert [row[:6] for row in plain.rows()] == [row[:6] for row in spread.rows()]


def test_a_mask_goes_with_its_layer() -> None:
    query = torch.zeros(1, 1, 4, 2)
    mask = as_mask(None, query, query, causal=True)
    assert mask.to("cpu") is mask, "it is not known to be elsewhere"
    mask.device = torch.device("cuda", 0)
    moved = mask.to("cpu")
    assert moved.to(torch.device("cpu")) is moved
    assert mask.to("cpu") is moved, "one for all layers"
    assert torch.equal(moved.rows(0, 4), mask.rows(0, 4))


def test_a_model_is_spread_over_what_there_is(tmp_path: Path) -> None:
    pytest.importorskip("accelerate")
    subject = load("mini", device="auto")
    assert subject.weight_hash() == load("mini", device="cpu").weight_hash()
    assert sum(layout_of(subject.model).values()) > 0


def test_a_gpu_that_is_full_is_said_in_a_line(
    mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As torch says it; here on a CPU."""

    def full(*_: object, **__: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 1.75 GiB.")

    monkeypatch.setattr(Subject, "run", full)
    with pytest.raises(AttlasError, match="too little of the GPU's memory: choose a smaller") as refusal:
        attlas.map(mini, atlas=tmp_path / "a.attlas", segments=1, length=8, sample=0, progress=False)
    assert "\n" not in str(refusal.value)


def test_a_batch_that_does_not_fit_is_halved_and_nothing_else_changes(
    mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As on a GPU that is too small for more than 120 tokens; here on a CPU. Its twins, which are measured
    beside it, begin with what fits; and the second is made peaked on texts of 64 tokens, one by one."""
    options: dict[str, Any] = {"segments": 12, "length": 32, "sample": 0, "progress": False}
    whole = attlas.map(mini, atlas=tmp_path / "whole.attlas", **options)
    run, sizes = Subject.run, list[int]()

    def small(subject: Subject, inputs: Mapping[str, torch.Tensor], *rest: Any, **named: Any) -> Any:
        sizes.append(inputs["input_ids"].numel())
        if sizes[-1] > 120:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 1.75 GiB.")
        return run(subject, inputs, *rest, **named)

    monkeypatch.setattr(Subject, "run", small)
    monkeypatch.delitem(mini.__dict__, "batch_tokens", raising=False)
    try:
        halved = attlas.map(mini, atlas=tmp_path / "halved.attlas", **options)
        assert mini.batch_tokens == 96, "384, 192, 96: later shards begin with what fits"
    finally:
        mini.__dict__.pop("batch_tokens", None)
    assert sizes[:6] == [384, 192, 96, 96, 96, 96]
    assert max(sizes[6:]) <= 96
    assert sizes.count(64) == 4 + (12 * 3 + 1), "of the model; of the twin, layer by layer"
    said = [record.getMessage() for record in caplog.records if "does not fit" in record.getMessage()]
    assert said == [
        "a batch of 384 tokens does not fit into the GPU's memory beside mini: going on with 192",
        "a batch of 192 tokens does not fit into the GPU's memory beside mini: going on with 96",
    ]
    names = ["kind", "layer", "head", "statistic", "group", "n"]
    assert whole.heads[names].equals(halved.heads[names])
    for column in ("value", "stderr"):
        assert np.allclose(whole.heads[column], halved.heads[column], atol=1e-6, equal_nan=True)
    twins = [atlas.tables[f"{atlas.chapters[0]}/twin"] for atlas in (whole, halved)]
    assert set(twins[0]["twin"]) == {"untrained", "peaked"}
    names.insert(3, "twin")
    assert twins[0][names].equals(twins[1][names])
    for column in ("value", "stderr"):
        assert np.allclose(twins[0][column], twins[1][column], atol=1e-5, equal_nan=True)


def test_a_loss_is_differentiated_over_few_tokens_at_once_and_gives_the_same(
    mini: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What every layer gave waits for the backward pass, so that memory would grow with the batch."""
    source = text_items(mini, TextOptions(segments=8, length=20)).source
    pass_ = Pass("gradients", source, [Gradients(("cls", "other"))], gradients=True)
    run, sizes = Subject.run, list[int]()

    def count_tokens(subject: Subject, inputs: Mapping[str, torch.Tensor], *rest: Any) -> Any:
        sizes.append(inputs["input_ids"].numel())
        return run(subject, inputs, *rest)

    def gradients() -> list[float]:
        with engine_named("local") as engine:
            return [row.value for row in run_pass(mini, pass_, engine).reducer(Gradients).rows()]

    monkeypatch.setattr(Subject, "run", count_tokens)
    at_once = gradients()
    assert sizes == [160]
    monkeypatch.setitem(mini.__dict__, "gradient_tokens", 40)
    assert gradients() == pytest.approx(at_once, rel=1e-4)
    assert sizes[1:] == [40] * 4
    assert mini.batch_tokens == TOKENS_IN_A_BATCH["cpu"], "passes without gradients keep theirs"


def test_progress_goes_back_where_a_shard_is_begun_anew(mini: Subject) -> None:
    attempt = _Attempt(advance=(steps := list[int]()).append)
    attempt.done(3)
    attempt.batch = mini.encode("a b c")
    tokens = attempt.tokens
    try:
        again = _shrink_batches(mini, attempt)
        assert mini.batch_tokens == again.most == tokens // 2 > 0
    finally:
        mini.__dict__.pop("batch_tokens", None)
    again.done(5)
    assert steps == [3, -3, 5]


def test_a_batch_is_as_large_as_suits_the_device_and_fits_beside_the_weights(
    mini: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The largest of 70 billion weights that one GPU holds has seven gibibytes left for everything else."""
    gpu = torch.device("cuda", 0)
    config = LlamaConfig(
        vocab_size=128_256, hidden_size=8192, intermediate_size=28_672, num_hidden_layers=1,
        num_attention_heads=64, num_key_value_heads=8,
    )  # fmt: skip
    with torch.device("meta"):
        large = LlamaForCausalLM(config).to(torch.bfloat16)
    free = {"bytes": 7 * 2**30}
    monkeypatch.setattr("attlas.subject.weights._free", lambda _: free["bytes"])
    assert bytes_of_a_token(large) == 2 * (8 * 8192 + 4 * 28_672) + (2 + 4) * 128_256
    assert 2048 < batch_tokens(large, (gpu,)) < 8192
    free["bytes"] = 100 * 2**30
    assert batch_tokens(large, (gpu,)) == batch_tokens(mini.model, (gpu,)) == TOKENS_IN_A_BATCH["cuda"]
    free["bytes"] = 0
    assert batch_tokens(large, (gpu,)) == 1
    assert mini.batch_tokens == mini.gradient_tokens == TOKENS_IN_A_BATCH["cpu"]
    assert bytes_of_a_token(large, 80) == 80 * 2 * (8 * 8192 + 4 * 28_672) + 2 * (2 + 4) * 128_256
    assert batch_tokens(large, (torch.device("cpu"),), 80) == 2**30 // bytes_of_a_token(large, 80) > 30
