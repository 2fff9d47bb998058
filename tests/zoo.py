"""A tiny model of each architecture Attlas promises, with random weights, and inputs with padding.

Sizes are small but not degenerate: several layers and heads, grouped queries, windows shorter than the text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import transformers as tr
from torch import Tensor, nn

VOCAB, LENGTH = 60, 11
SHAPE: dict[str, Any] = {
    "vocab_size": VOCAB,
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 64,
}
DECODER: dict[str, Any] = {**SHAPE, "num_key_value_heads": 2, "head_dim": 8, "pad_token_id": 0}
SEQ2SEQ: dict[str, Any] = {
    "vocab_size": VOCAB,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "eos_token_id": 1,
    "decoder_start_token_id": 1,
    "bos_token_id": 1,
    "forced_eos_token_id": None,
}
GPT: dict[str, Any] = {"vocab_size": VOCAB, "n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 64}
IMAGES: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "image_size": 12,
    "patch_size": 4,
}
LATENT: dict[str, Any] = {
    **SHAPE,
    "num_key_value_heads": 4,
    "pad_token_id": 0,
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 16,
    "v_head_dim": 12,
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
    "n_group": 2,
    "topk_group": 1,
    "moe_intermediate_size": 16,
    "first_k_dense_replace": 1,
}
EXPERTS: dict[str, Any] = {
    "num_experts": 2,
    "num_experts_per_tok": 1,
    "moe_intermediate_size": 16,
    "shared_expert_intermediate_size": 16,
}
LINEAR: dict[str, Any] = {
    "layer_types": ["linear_attention", "linear_attention", "full_attention"],
    "linear_num_value_heads": 4,
    "linear_num_key_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
}
STATES: dict[str, Any] = {
    "mamba_d_ssm": 64,
    "mamba_n_heads": 4,
    "mamba_d_head": 16,
    "mamba_n_groups": 1,
    "mamba_d_state": 8,
    "mamba_d_conv": 2,
    "mamba_chunk_size": 8,
}


@dataclass(frozen=True)
class Species:
    build: Callable[[], nn.Module]
    heads: dict[str, tuple[int | tuple[int, ...], int]]  # kind -> layers (how many, or which), heads of each
    sides: tuple[str, ...] = ("right", "left")
    interface: bool = True
    text: bool = True
    fused: bool = True  # whether Triton's kernel takes all its calls
    sound: str = ""  # what its input is called, if it is sound


def _model(model: str, config: str, **settings: Any) -> Callable[[], nn.Module]:
    def build() -> nn.Module:
        torch.manual_seed(0)
        made: nn.Module = getattr(tr, model)(getattr(tr, config)(**settings)).eval()
        with torch.no_grad():
            for parameter in made.parameters():
                # initial weights are so small that attention is all but uniform; these are large enough
                if parameter.ndim > 1 and config not in ("T5Config", "SiglipVisionConfig"):
                    parameter.mul_(4)
        return made

    return build


ENCODER_HEADS = {"encoder": (3, 4)}
DECODER_HEADS = {"decoder": (3, 4)}
LAST_HEADS = {"decoder": ((2,), 4)}
ONE = ("left",)  # side on which rows are padded

ZOO: dict[str, Species] = {
    "bert": Species(_model("BertForMaskedLM", "BertConfig", **SHAPE), ENCODER_HEADS),
    "roberta": Species(_model("RobertaForMaskedLM", "RobertaConfig", **SHAPE, pad_token_id=0), ENCODER_HEADS),
    "distilbert": Species(
        _model(
            "DistilBertForMaskedLM",
            "DistilBertConfig",
            vocab_size=VOCAB,
            dim=32,
            n_layers=3,
            n_heads=4,
            hidden_dim=48,
            max_position_embeddings=64,
        ),
        ENCODER_HEADS,
    ),
    "albert": Species(_model("AlbertForMaskedLM", "AlbertConfig", **SHAPE, embedding_size=16), ENCODER_HEADS),
    "electra": Species(
        _model("ElectraForMaskedLM", "ElectraConfig", **SHAPE, embedding_size=16), ENCODER_HEADS
    ),
    "modernbert": Species(
        _model(
            "ModernBertForMaskedLM",
            "ModernBertConfig",
            **SHAPE,
            pad_token_id=0,
            local_attention=6,
            global_attn_every_n_layers=2,
            cls_token_id=1,
            sep_token_id=2,
            bos_token_id=1,
            eos_token_id=2,
        ),
        ENCODER_HEADS,
    ),
    "gpt2": Species(
        _model(
            "GPT2LMHeadModel",
            "GPT2Config",
            vocab_size=VOCAB,
            n_embd=32,
            n_layer=3,
            n_head=4,
            n_positions=64,
            scale_attn_by_inverse_layer_idx=True,
        ),
        DECODER_HEADS,
    ),
    "llama": Species(_model("LlamaForCausalLM", "LlamaConfig", **DECODER), DECODER_HEADS),
    "qwen3": Species(
        _model(
            "Qwen3ForCausalLM",
            "Qwen3Config",
            **DECODER,
            use_sliding_window=True,
            sliding_window=4,
            max_window_layers=1,
        ),
        DECODER_HEADS,
    ),
    "gemma3": Species(
        _model(
            "Gemma3ForCausalLM",
            "Gemma3TextConfig",
            **DECODER,
            sliding_window=4,
            query_pre_attn_scalar=8,
            layer_types=["sliding_attention", "full_attention", "sliding_attention"],
        ),
        DECODER_HEADS,
    ),
    "gemma2": Species(
        _model(
            "Gemma2ForCausalLM",
            "Gemma2Config",
            **DECODER,
            sliding_window=4,
            query_pre_attn_scalar=8,
            attn_logit_softcapping=2.0,
        ),
        DECODER_HEADS,
    ),
    "gpt_oss": Species(
        _model(
            "GptOssForCausalLM",
            "GptOssConfig",
            **DECODER,
            num_local_experts=2,
            num_experts_per_tok=1,
            sliding_window=4,
        ),
        DECODER_HEADS,
    ),
    "deepseek_v3": Species(  # keys of 24 numbers, values of 12
        _model("DeepseekV3ForCausalLM", "DeepseekV3Config", **LATENT), DECODER_HEADS
    ),
    "llama4": Species(  # two layers attend within chunks
        _model(
            "Llama4ForCausalLM",
            "Llama4TextConfig",
            **DECODER,
            attention_chunk_size=4,
            num_local_experts=2,
            num_experts_per_tok=1,
            intermediate_size_mlp=48,
            no_rope_layers=[1, 1, 0],
        ),
        DECODER_HEADS,
    ),
    "gpt_neox": Species(_model("GPTNeoXForCausalLM", "GPTNeoXConfig", **SHAPE), DECODER_HEADS),
    "t5": Species(
        _model(
            "T5ForConditionalGeneration",
            "T5Config",
            vocab_size=VOCAB,
            d_model=32,
            d_kv=8,
            num_heads=4,
            num_layers=2,
            num_decoder_layers=3,
            d_ff=48,
            pad_token_id=0,
            decoder_start_token_id=0,
        ),
        {"encoder": (2, 4), "decoder": (3, 4), "cross": (3, 4)},
        sides=("right",),
    ),
    "bart": Species(
        _model("BartForConditionalGeneration", "BartConfig", **SEQ2SEQ),
        {"encoder": (2, 4), "decoder": (3, 2), "cross": (3, 2)},
        sides=("right",),
    ),
    "marian": Species(
        _model("MarianMTModel", "MarianConfig", **SEQ2SEQ),
        {"encoder": (2, 4), "decoder": (3, 2), "cross": (3, 2)},
        sides=("right",),
    ),
    "vit": Species(
        _model(
            "ViTModel",
            "ViTConfig",
            hidden_size=32,
            num_hidden_layers=3,
            num_attention_heads=4,
            intermediate_size=48,
            image_size=12,
            patch_size=4,
        ),
        ENCODER_HEADS,
        sides=("none",),
        text=False,
    ),
    **{
        name: Species(_model(f"{model}ForCausalLM", f"{model}Config", **DECODER, **more), DECODER_HEADS, ONE)
        for name, model, more in (
            ("cohere2", "Cohere2", {"sliding_window": 4}),
            ("gemma", "Gemma", {}),
            ("glm4", "Glm4", {}),
            ("granite", "Granite", {}),
            ("mistral", "Mistral", {"sliding_window": 4}),
            ("mixtral", "Mixtral", {"num_local_experts": 2, "num_experts_per_tok": 1}),
            ("olmo2", "Olmo2", {}),
            ("phi", "Phi", {}),
            ("phi3", "Phi3", {}),
            ("qwen2", "Qwen2", {}),
            (
                "qwen3_moe",
                "Qwen3Moe",
                {"num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 16},
            ),
            ("smollm3", "SmolLM3", {}),
            ("starcoder2", "Starcoder2", {}),
            ("diffllama", "DiffLlama", {}),
        )
    },
    **{
        name: Species(
            _model(f"{model}ForMaskedLM", f"{model}Config", **SHAPE, pad_token_id=0), ENCODER_HEADS, ONE
        )
        for name, model in (("camembert", "Camembert"), ("esm", "Esm"), ("xlm_roberta", "XLMRoberta"))
    },
    "opt": Species(
        _model(
            "OPTForCausalLM",
            "OPTConfig",
            vocab_size=VOCAB,
            hidden_size=32,
            num_hidden_layers=3,
            num_attention_heads=4,
            ffn_dim=48,
            max_position_embeddings=64,
            word_embed_proj_dim=32,
            pad_token_id=0,
        ),
        DECODER_HEADS,
        ONE,
    ),
    "gpt_bigcode": Species(_model("GPTBigCodeForCausalLM", "GPTBigCodeConfig", **GPT), DECODER_HEADS, ONE),
    "gptj": Species(
        _model("GPTJForCausalLM", "GPTJConfig", **GPT, rotary_dim=4), DECODER_HEADS, ONE, interface=False
    ),
    "bloom": Species(
        _model(
            "BloomForCausalLM",
            "BloomConfig",
            vocab_size=VOCAB,
            hidden_size=32,
            n_layer=3,
            n_head=4,
            pad_token_id=0,
        ),
        DECODER_HEADS,
        ("right",),  # a query of padding on the left sees nothing, and its row is then even
        interface=False,
    ),
    "qwen3_next": Species(
        _model("Qwen3NextForCausalLM", "Qwen3NextConfig", **DECODER, **LINEAR, **EXPERTS), LAST_HEADS, ONE
    ),
    "qwen3_5": Species(
        _model("Qwen3_5ForCausalLM", "Qwen3_5TextConfig", **DECODER, **LINEAR), LAST_HEADS, ONE
    ),
    "lfm2": Species(
        _model("Lfm2ForCausalLM", "Lfm2Config", **DECODER, layer_types=["conv", "full_attention", "conv"]),
        {"decoder": ((1,), 4)},
        ONE,
    ),
    "jamba": Species(
        _model(
            "JambaForCausalLM",
            "JambaConfig",
            **DECODER,
            attn_layer_period=2,
            attn_layer_offset=1,
            num_experts=2,
            num_experts_per_tok=1,
            mamba_d_state=4,
            mamba_d_conv=2,
            mamba_dt_rank=4,
        ),
        {"decoder": ((1,), 4)},
        ONE,
    ),
    "falcon_h1": Species(
        _model("FalconH1ForCausalLM", "FalconH1Config", **DECODER, **STATES), DECODER_HEADS, ONE
    ),
    "bamba": Species(
        _model("BambaForCausalLM", "BambaConfig", **DECODER, **STATES, attn_layer_indices=[1]),
        {"decoder": ((1,), 4)},
        ONE,
    ),
    "nemotron_h": Species(
        _model(
            "NemotronHForCausalLM",
            "NemotronHConfig",
            **{name: value for name, value in DECODER.items() if name != "num_hidden_layers"},
            hybrid_override_pattern="M*-M*",
            mamba_num_heads=4,
            mamba_head_dim=16,
            n_groups=1,
            ssm_state_size=8,
            conv_kernel=2,
            chunk_size=8,
        ),
        {"decoder": ((1, 4), 4)},
        ONE,
    ),
    "zamba2": Species(  # one attention module, called for two of its layers
        _model(
            "Zamba2ForCausalLM",
            "Zamba2Config",
            vocab_size=VOCAB,
            hidden_size=32,
            num_hidden_layers=4,
            num_attention_heads=4,
            num_key_value_heads=4,
            intermediate_size=48,
            mamba_d_state=8,
            mamba_d_conv=2,
            mamba_ngroups=1,
            n_mamba_heads=4,
            chunk_size=8,
            hybrid_layer_ids=[1, 3],
            num_mem_blocks=1,
            layers_block_type=["mamba", "hybrid", "mamba", "hybrid"],
            pad_token_id=0,
        ),
        {"decoder": ((1, 3), 4)},
        ONE,
    ),
    "gemma3n": Species(  # two layers take the keys of two others
        _model(
            "Gemma3nForCausalLM",
            "Gemma3nTextConfig",
            **{**DECODER, "num_hidden_layers": 4},
            layer_types=["sliding_attention", "full_attention"] * 2,
            sliding_window=4,
            num_kv_shared_layers=2,
            hidden_size_per_layer_input=8,
            vocab_size_per_layer_input=VOCAB,
            laurel_rank=4,
            altup_num_inputs=2,
            activation_sparsity_pattern=[0.0] * 4,
        ),
        {"decoder": (4, 4)},
        ONE,
    ),
    "deepseek_v32": Species(  # keys that an index chose: its masks are not runs
        _model(
            "DeepseekV32ForCausalLM",
            "DeepseekV32Config",
            **LATENT,
            index_n_heads=2,
            index_head_dim=16,
            index_topk=3,
        ),
        DECODER_HEADS,
        ONE,
        fused=False,
    ),
    "t5gemma": Species(
        lambda: _model(
            "T5GemmaForConditionalGeneration",
            "T5GemmaConfig",
            encoder=tr.T5GemmaModuleConfig(**DECODER, query_pre_attn_scalar=8, sliding_window=4),
            decoder=tr.T5GemmaModuleConfig(
                **DECODER, query_pre_attn_scalar=8, sliding_window=4, cross_attention_hidden_size=32
            ),
            vocab_size=VOCAB,
        )(),
        {"encoder": (3, 4), "decoder": (3, 4), "cross": (3, 4)},
        ("right",),
    ),
    "dinov2": Species(_model("Dinov2Model", "Dinov2Config", **IMAGES), ENCODER_HEADS, ("none",), text=False),
    "siglip": Species(
        _model("SiglipVisionModel", "SiglipVisionConfig", **IMAGES), ENCODER_HEADS, ("none",), text=False
    ),
    "whisper": Species(
        _model(
            "WhisperForConditionalGeneration",
            "WhisperConfig",
            **{**SEQ2SEQ, "max_position_embeddings": None},
            max_source_positions=12,
            max_target_positions=32,
            num_mel_bins=8,
        ),
        {"encoder": (2, 4), "decoder": (3, 2), "cross": (3, 2)},
        ("none",),
        text=False,
        sound="input_features",
    ),
    "wav2vec2": Species(
        _model(
            "Wav2Vec2Model",
            "Wav2Vec2Config",
            hidden_size=32,
            num_hidden_layers=3,
            num_attention_heads=4,
            intermediate_size=48,
            conv_dim=(8,) * 7,
            num_conv_pos_embeddings=4,
            num_conv_pos_embedding_groups=2,
        ),
        ENCODER_HEADS,
        ("none",),
        text=False,
        sound="input_values",
    ),
    "falcon": Species(  # its attention class for SDPA returns weights that are not masked
        _model("FalconForCausalLM", "FalconConfig", **SHAPE, alibi=False, multi_query=True, pad_token_id=0),
        DECODER_HEADS,
        interface=False,
    ),
    "mpnet": Species(
        _model("MPNetForMaskedLM", "MPNetConfig", **SHAPE, pad_token_id=0), ENCODER_HEADS, interface=False
    ),
    "deberta_v2": Species(
        _model(
            "DebertaV2ForMaskedLM",
            "DebertaV2Config",
            **SHAPE,
            relative_attention=True,
            pos_att_type=["p2c", "c2p"],
            position_buckets=8,
        ),
        ENCODER_HEADS,
        interface=False,
    ),
}


def inputs_for(species: Species, side: str, rows: int = 3) -> dict[str, Tensor]:
    """Rows of 11, 8 and 5 tokens, padded on one side; images have no padding."""
    rng = torch.Generator().manual_seed(1)
    if species.sound == "input_values":
        return {species.sound: torch.randn(rows, 9 * 320, generator=rng)}
    if species.sound:
        decoder = torch.randint(3, VOCAB, (rows, LENGTH - 2), generator=rng)
        return {species.sound: torch.randn(rows, 8, 24, generator=rng), "decoder_input_ids": decoder}
    if not species.text:
        return {"pixel_values": torch.randn(rows, 3, 12, 12, generator=rng)}
    ids = torch.randint(3, VOCAB, (rows, LENGTH), generator=rng)
    mask = torch.ones_like(ids)
    for row in range(rows):
        padding = 3 * row
        if padding and side == "right":
            mask[row, LENGTH - padding :] = 0
        elif padding:
            mask[row, :padding] = 0
    ids = ids.masked_fill(mask == 0, 0)
    inputs = {"input_ids": ids, "attention_mask": mask}
    if len(species.heads) > 1:
        inputs["decoder_input_ids"] = torch.randint(3, VOCAB, (rows, LENGTH - 2), generator=rng)
        decoder_mask = torch.ones_like(inputs["decoder_input_ids"])
        for row in range(1, rows):
            decoder_mask[row, -row:] = 0
        inputs["decoder_attention_mask"] = decoder_mask
    return inputs


@dataclass(frozen=True)
class Refused:
    build: Callable[[], nn.Module]
    error: str  # a part of it
    reason: str  # as the table of models gives it


#: what Attlas cannot observe, and how it says so
REFUSED: dict[str, Refused] = {
    "mamba": Refused(
        _model(
            "MambaForCausalLM",
            "MambaConfig",
            vocab_size=VOCAB,
            hidden_size=32,
            num_hidden_layers=2,
            state_size=8,
        ),
        "shows no attention weights",
        "no attention: a model of states",
    ),
    "rwkv": Refused(
        _model("RwkvForCausalLM", "RwkvConfig", vocab_size=VOCAB, hidden_size=32, num_hidden_layers=2),
        "shows no attention weights",
        "no softmax: a recurrence",
    ),
}
