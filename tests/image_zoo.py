"""Tiny vision-language models with random weights, and inputs of text with images, as their processors make
them: one picture an item, or several, of one size or of two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import transformers as tr
from torch import Tensor, nn

from zoo import DECODER, IMAGES, VOCAB

IMAGE = VOCAB - 1  # the token that stands for a piece of an image
TEXT = {**DECODER, "bos_token_id": 1, "eos_token_id": 2}


@dataclass(frozen=True)
class Seeing:
    build: Callable[[], nn.Module]
    tokens: int  # that stand for an image
    inputs: Callable[[int], dict[str, Tensor]]  # images of one item -> what it is beside the text
    heads: int = 4  # in each of the layers that read images
    layers: int = 3


def _built(make: Callable[[], nn.Module]) -> Callable[[], nn.Module]:
    def build() -> nn.Module:
        torch.manual_seed(0)
        model = make().eval()
        with torch.no_grad():
            for parameter in model.parameters():
                # attention of initial weights is all but even; and these begin as zeros, or as chance has it
                if parameter.ndim > 1:
                    parameter.copy_(torch.randn_like(parameter) * 0.15)
        return model

    return build


def _pictures(images: int, size: int = 12) -> dict[str, Tensor]:
    return {"pixel_values": torch.rand(images, 3, size, size, generator=torch.Generator().manual_seed(7))}


def _in_one_item(images: int) -> dict[str, Tensor]:
    return {"pixel_values": _pictures(images, 16)["pixel_values"][None]}


def _patches(images: int) -> dict[str, Tensor]:
    """Two more rows of patches in every second image."""
    grids = torch.tensor([[1, 4 + 2 * (i % 2), 4] for i in range(images)])
    numbers = torch.rand(int(grids.prod(-1).sum()), 3 * 2 * 16, generator=torch.Generator().manual_seed(7))
    return {"pixel_values": numbers, "image_grid_thw": grids}


def _llava() -> nn.Module:
    vision, text = tr.CLIPVisionConfig(**IMAGES), tr.LlamaConfig(**TEXT)
    return tr.LlavaForConditionalGeneration(
        tr.LlavaConfig(
            vision_config=vision, text_config=text, image_token_index=IMAGE, vision_feature_layer=-2
        )
    )


def _gemma3() -> nn.Module:
    text = tr.Gemma3TextConfig(
        **TEXT,
        sliding_window=6,
        query_pre_attn_scalar=8,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"],
    )
    return tr.Gemma3ForConditionalGeneration(
        tr.Gemma3Config(
            vision_config=tr.SiglipVisionConfig(**{**IMAGES, "image_size": 16}, vision_use_head=False),
            text_config=text,
            mm_tokens_per_image=4,
            image_token_index=IMAGE,
            boi_token_index=3,
            eoi_token_index=4,
        )
    )


def _paligemma() -> nn.Module:
    return tr.PaliGemmaForConditionalGeneration(
        tr.PaliGemmaConfig(
            vision_config=tr.SiglipVisionConfig(**IMAGES, vision_use_head=False, projection_dim=32),
            text_config=tr.GemmaConfig(**TEXT),
            image_token_index=IMAGE,
            projection_dim=32,
            hidden_size=32,
        )
    )


def _idefics3(kind: str) -> Callable[[], nn.Module]:
    def make() -> nn.Module:
        vision = getattr(tr, f"{kind}VisionConfig")(**{**IMAGES, "image_size": 16})
        config = getattr(tr, f"{kind}Config")(
            vision_config=vision, text_config=tr.LlamaConfig(**TEXT), scale_factor=2, image_token_id=IMAGE
        )
        model: nn.Module = getattr(tr, f"{kind}ForConditionalGeneration")(config)
        return model

    return make


def _internvl() -> nn.Module:
    vision = tr.InternVLVisionConfig(**{**IMAGES, "image_size": [16, 16], "patch_size": [4, 4]})
    return tr.InternVLForConditionalGeneration(
        tr.InternVLConfig(
            vision_config=vision,
            text_config=tr.Qwen2Config(**TEXT),
            image_token_id=IMAGE,
            downsample_ratio=0.5,
        )
    )


def _qwen(kind: str, **vision: Any) -> Callable[[], nn.Module]:
    def make() -> nn.Module:
        of_text = {
            **TEXT,
            "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [1, 1, 2]},
        }
        config = getattr(tr, f"{kind}Config")(
            vision_config={"depth": 3, "num_heads": 4, "patch_size": 4, "spatial_merge_size": 2, **vision},
            text_config=of_text,
            image_token_id=IMAGE,
            video_token_id=IMAGE - 1,
            vision_start_token_id=IMAGE - 2,
            vision_end_token_id=IMAGE - 3,
        )
        model: nn.Module = getattr(tr, f"{kind}ForConditionalGeneration")(config)
        return model

    return make


SEEING: dict[str, Seeing] = {
    "llava": Seeing(_built(_llava), 9, _pictures),
    "gemma3_vl": Seeing(_built(_gemma3), 4, lambda n: _pictures(n, 16)),
    "paligemma": Seeing(_built(_paligemma), 9, _pictures),
    "idefics3": Seeing(_built(_idefics3("Idefics3")), 4, _in_one_item),
    "smolvlm": Seeing(_built(_idefics3("SmolVLM")), 4, _in_one_item),
    "internvl": Seeing(_built(_internvl), 4, lambda n: _pictures(n, 16)),
    "qwen2_vl": Seeing(_built(_qwen("Qwen2VL", embed_dim=32, hidden_size=32, mlp_ratio=2)), 4, _patches),
    "qwen2_5_vl": Seeing(
        _built(
            _qwen(
                "Qwen2_5_VL",
                hidden_size=32,
                out_hidden_size=32,
                intermediate_size=48,
                window_size=8,
                fullatt_block_indexes=[1],
            )
        ),
        4,
        _patches,
    ),
    "qwen3_vl": Seeing(
        _built(
            _qwen(
                "Qwen3VL",
                hidden_size=32,
                out_hidden_size=32,
                intermediate_size=48,
                num_position_embeddings=16,
                deepstack_visual_indexes=[0],
            )
        ),
        4,
        _patches,
    ),
}


def inputs_with_images(name: str, images: int = 2) -> dict[str, Tensor]:
    """One item: text, then each image and more text."""
    species = SEEING[name]
    image_inputs = species.inputs(images)
    grids = image_inputs.get("image_grid_thw")
    tokens = [species.tokens] * images if grids is None else (grids.prod(-1) // 4).tolist()
    ids = [1]
    for number, count in enumerate(tokens):
        ids += [5 + number, *[IMAGE] * count, 20 + number, 21, 22]
    of_text = torch.tensor([ids])
    named = {"token_type_ids": (of_text == IMAGE).long()} if name == "gemma3_vl" else {}
    if name == "paligemma":  # what comes before the answer sees itself whole
        named = {"token_type_ids": (torch.arange(len(ids)) >= len(ids) - 2).long()[None]}
    if grids is not None:
        named = {"mm_token_type_ids": (of_text == IMAGE).int()}
    return {"input_ids": of_text, **image_inputs, **named}
