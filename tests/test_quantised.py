"""Quantised weights: what is observed is what the same model with those weights written out gives."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

import attlas
from attlas.edit import zero
from attlas.reducers.surface_statistics import surface
from attlas.studies import estimate
from attlas.subject import Subject
from attlas.subject.projections import output_map, projections, value_and_output
from attlas.subject.quantised import dense_weight, quantised_by
from attlas.subject.weights import layout_of
from attlas.tap import Tap

IDS = torch.tensor([[1, 5, 9, 7, 30, 12, 5, 9, 2, 40]])
LLAMA = {
    "vocab_size": 64,
    "hidden_size": 64,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
}


def random_model(architecture: str = "Llama", **settings: Any) -> Any:
    torch.manual_seed(0)
    config = getattr(transformers, f"{architecture}Config")(**LLAMA | settings)
    model = getattr(transformers, f"{architecture}ForCausalLM")(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.mul_(5)  # so that attention is not all even
    return model


def statistics(subject: Subject) -> list[tuple[Any, ...]]:
    """Of every head, and with one switched off what the model predicts."""
    batch = subject.annotate({"input_ids": IDS})
    means = surface(subject.classes)
    with Tap(subject, [means]) as tap:
        tap.run(batch)
    with Tap(subject, edits=[zero(["1.2"])]) as tap:
        edited = tap.run(batch, predictions=True).logits
    return [tuple(row[:6]) for row in means.rows()] + [("edited", *edited[0, -1].tolist())]


def assert_same(first: list[tuple[Any, ...]], second: list[tuple[Any, ...]]) -> None:
    assert len(first) == len(second) > 50
    for one_row, other in zip(first, second, strict=True):
        assert one_row[:5] == pytest.approx(other[:5], abs=1e-4)
        assert one_row[5:] == pytest.approx(other[5:], abs=1e-4)


class InEightBits(nn.Linear):
    """As the libraries that quantise build theirs: a linear map whose weight is not its numbers."""

    @staticmethod
    def of(plain: nn.Linear) -> InEightBits:
        made = InEightBits(plain.in_features, plain.out_features, plain.bias is not None)
        scale = plain.weight.detach().abs().amax(1, keepdim=True) / 127
        made.weight = nn.Parameter((plain.weight / scale).round().to(torch.int8), requires_grad=False)
        made.register_buffer("scale", scale)
        made.bias = plain.bias
        return made

    def written_out(self) -> Tensor:
        return self.weight * self.get_buffer("scale")

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.linear(x, self.written_out().to(x), self.bias)


@pytest.fixture(scope="module")
def pair() -> tuple[Subject, Subject]:
    """A model in eight bits, and the same one written out."""
    plain = random_model(attention_bias=True)
    packed = deepcopy(plain)
    for name, module in plain.model.layers.named_modules():
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.bias) if module.bias is not None else None
            eight = InEightBits.of(module)
            packed.model.layers.set_submodule(name, eight)
            module.weight.data = eight.written_out()
    packed.config.quantization_config = {"quant_method": "eight_bits"}
    return Subject(packed, name="packed"), Subject(plain, name="plain")


def test_every_number_of_a_quantised_model_is_that_of_its_weights_written_out(
    pair: tuple[Subject, Subject],
) -> None:
    assert_same(*map(statistics, pair))


def test_what_a_head_reads_and_writes_is_known_of_packed_weights(pair: tuple[Subject, Subject]) -> None:
    """Their integers without the scale would be no numbers of the model."""
    name = "model.layers.1.self_attn"
    packed, plain = (value_and_output(subject.model, name, 4) for subject in pair)
    assert packed is not None
    assert plain is not None
    for here, there in zip(packed, plain, strict=True):
        for matrix, wanted in zip(here, there, strict=True):
            torch.testing.assert_close(matrix, wanted, rtol=1e-5, atol=1e-6)
    first, second = (output_map(subject.model, name, 4) for subject in pair)
    assert first is not None
    assert second is not None
    torch.testing.assert_close(first.weights, second.weights, rtol=1e-5, atol=1e-6)


class UnderAnotherName(nn.Module):
    """As GPTQ and AWQ build theirs: no linear map by its class, and no weight by its name."""

    def __init__(self, plain: nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features, self.bias = plain.in_features, plain.out_features, plain.bias
        self.register_buffer("qweight", (plain.weight.detach() * 16).round().to(torch.int32).T)

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.linear(x, self.get_buffer("qweight").T / 16, self.bias)


def test_a_linear_map_that_has_no_weight_by_that_name_is_known_by_what_it_does() -> None:
    model = random_model(attention_bias=True)
    attention = model.model.layers[1].self_attn
    nn.init.normal_(attention.o_proj.bias)
    written = {}
    for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
        packed = UnderAnotherName(attention.get_submodule(name))
        written[name] = packed.get_buffer("qweight").T / 16
        attention.set_submodule(name, packed)
    torch.testing.assert_close(dense_weight(attention.o_proj), written["o_proj"])
    heads = value_and_output(model, "model.layers.1.self_attn", 4)
    assert heads is not None
    torch.testing.assert_close(torch.cat([output for _, output in heads], 1), written["o_proj"])
    torch.testing.assert_close(heads[3][0], written["v_proj"][16:])
    layout = projections(model, "model.layers.1.self_attn")
    assert layout is not None
    assert not layout.can_be_cut, "a head's share of packed numbers cannot be cut out"


def test_a_plain_weight_is_taken_as_it_is() -> None:
    plain = nn.Linear(5, 3)
    assert dense_weight(plain).data_ptr() == plain.weight.data_ptr()


def test_an_atlas_and_a_plan_say_how_weights_are_quantised(pair: tuple[Subject, Subject]) -> None:
    packed, plain = pair
    assert packed.describe()["quantised"] == "eight_bits"
    assert "quantised" not in plain.describe()
    assert packed.weight_hash() != plain.weight_hash()
    assert sum(layout_of(packed.model).values()) < 0.6 * sum(layout_of(plain.model).values())


def test_a_plan_prints_it(mini: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "SECONDS", 0.0)  # of its short run
    quantised = Subject(deepcopy(mini.model), mini.tokenizer, "mini")
    quantised.model.config.quantization_config = {"quant_method": "eight_bits"}
    made: estimate.Plan = attlas.plan(quantised, length=16)
    assert any("MiB, quantised by eight_bits)" in line for line in made.lines())


def test_fp8_is_loaded_as_transformers_loads_it(tmp_path: Path) -> None:
    """Blocks of weights that share a scale, as DeepSeek-V3 ships: unpacked where there is no GPU."""
    pytest.importorskip("accelerate")
    plain = random_model()
    plain.save_pretrained(tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    for name in [name for name in stored if name.endswith("proj.weight")]:
        weight = stored.pop(name)
        scale = weight.abs().amax() / 448
        packed = (weight / scale).to(torch.float8_e4m3fn)
        stored |= {name: packed, f"{name}_scale_inv": scale.view(1, 1)}
        plain.get_parameter(name).data = packed.float() * scale
    save_file(stored, tmp_path / "model.safetensors", {"format": "pt"})
    say_quantised(tmp_path, {"quant_method": "fp8", "weight_block_size": [128, 128]})
    loaded = attlas.load(tmp_path, device="cpu")
    assert_same(statistics(loaded), statistics(Subject(plain)))
    assert quantised_by(loaded.model) is None, "unpacked"


def test_mxfp4_is_loaded_as_transformers_loads_it(tmp_path: Path) -> None:
    """The experts of gpt-oss, two numbers in a byte and 32 to a scale: unpacked where its kernels are not."""
    pytest.importorskip("accelerate")
    plain = random_model("GptOss", head_dim=16, num_local_experts=4, num_experts_per_tok=2)
    plain.save_pretrained(tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    for name in [name for name in stored if name.endswith(("gate_up_proj", "down_proj"))]:
        experts, wide, high = stored.pop(name).shape
        blocks = torch.randint(0, 256, (experts, high, wide // 32, 16), dtype=torch.uint8)
        scales = torch.randint(121, 125, (experts, high, wide // 32), dtype=torch.uint8)
        stored |= {f"{name}_blocks": blocks, f"{name}_scales": scales}
        plain.get_parameter(name).data = in_four_bits(blocks, scales).bfloat16()  # all are such numbers
    save_file(stored, tmp_path / "model.safetensors", {"format": "pt"})
    say_quantised(tmp_path, {"quant_method": "mxfp4"})
    loaded = attlas.load(tmp_path, device="cpu")
    assert_same(statistics(loaded), statistics(Subject(plain)))


#: what four bits stand for: a sign, two bits of exponent, one of mantissa
FOUR_BITS = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def in_four_bits(blocks: Tensor, scales: Tensor) -> Tensor:
    """expert in out"""
    low, high = FOUR_BITS[(blocks & 15).long()], FOUR_BITS[(blocks >> 4).long()]
    numbers = torch.stack([low, high], -1).flatten(-2) * torch.exp2(scales.float() - 127)[..., None]
    return numbers.flatten(-2).transpose(1, 2).contiguous()


def say_quantised(folder: Path, settings: dict[str, Any]) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "quantization_config": settings}))
