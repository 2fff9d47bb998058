"""Attention calls drawn at random: what the kernels' tests are run over."""

from __future__ import annotations

from dataclasses import replace

import torch
from hypothesis import strategies as st
from torch import Tensor
from transformers import masking_utils

from attlas.tap.call import Call
from attlas.tap.making_masks import as_mask, mask_function
from attlas.tap.mask import Mask

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
#: against float64 on the same inputs; in the narrow types p is rounded before it meets values and classes
TOLERANCE = {torch.float32: 1e-4, torch.bfloat16: 2e-2, torch.float16: 2e-3}


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """Attention of every kind that the kernel takes, with padding on either side or none."""
    torch.manual_seed(draw(st.integers(0, 10_000)))
    batch, groups, shared = draw(st.integers(1, 2)), draw(st.integers(1, 2)), draw(st.sampled_from([1, 1, 3]))
    form = draw(
        st.sampled_from(["full", "causal", "window", "local", "chunks", "packed", "images", "matrix"])
    )
    queries = draw(st.integers(1, 40))
    keys = queries if form != "full" else draw(st.integers(1, 40))
    dim = draw(st.sampled_from([16, 24, 64, 80, 192]))
    wide = draw(st.sampled_from([dim, dim, 16, 128]))  # of values, where keys are of another size
    # the interpreter multiplies bfloat16 as if it were integers
    dtype = draw(st.sampled_from([d for d in TOLERANCE if DEVICE == "cuda" or d != torch.bfloat16]))
    shape = batch, groups * shared, queries, dim
    query = torch.randn(shape, device=DEVICE).to(dtype) * 2
    key, value = (torch.randn(batch, groups, keys, size, device=DEVICE).to(dtype) for size in (dim, wide))
    bias = None
    if draw(st.booleans()):
        biased = draw(st.sampled_from([queries, 1]))  # 1: the same for every query
        bias = torch.randn(1, shape[1], biased, keys, device=DEVICE).to(dtype)
    return Call(
        "encoder",
        0,
        query,
        key,
        value,
        _mask(draw, form, batch, queries, keys),
        scaling=dim**-0.5,
        softcap=draw(st.sampled_from([None, None, 3.0])),
        bias=bias,
        sinks=torch.randn(shape[1], device=DEVICE) if draw(st.booleans()) else None,
    )


def _mask(draw: st.DrawFn, form: str, batch: int, queries: int, keys: int) -> Mask:
    real = torch.ones(batch, keys, dtype=torch.bool, device=DEVICE)
    padding = draw(st.sampled_from(["none", "right", "left", "holes"]))
    for row in range(batch):
        cut = draw(st.integers(0, keys - 1))
        if padding == "right" and cut:
            real[row, -cut:] = 0
        elif padding == "left":
            real[row, :cut] = 0
        elif padding == "holes":
            real[row, 1 + torch.randperm(keys - 1)[: cut // 2]] = 0
    if form == "matrix":  # as a model makes it: added to the scores, padding and all, and a bias besides
        lower = torch.ones(queries, keys, dtype=torch.bool, device=DEVICE).tril(2)
        extra = torch.randn(batch, 1, queries, keys, device=DEVICE)
        real = torch.ones_like(real) if padding == "holes" else real
        added = extra.masked_fill(~(lower & real[:, None, None]), torch.finfo(torch.float32).min)
        shape = (torch.empty(batch, 1, places, 1, device=DEVICE) for places in (queries, keys))
        return as_mask(added, *shape, causal=False)
    # documents begin anew at some places, and images are some runs of tokens
    document = (torch.rand(batch, keys, device=DEVICE) < 0.2).cumsum(-1)
    image = torch.where(document % 2 == 1, document, -1)
    causal = masking_utils.causal_mask_function
    window = masking_utils.sliding_window_causal_mask_function(5)
    functions = {
        "full": masking_utils.bidirectional_mask_function,
        "causal": masking_utils.causal_mask_function,
        "window": window,
        "local": masking_utils.sliding_window_bidirectional_mask_function(7),
        "chunks": masking_utils.chunked_causal_mask_function(6, (~real).int().cumprod(-1).sum(-1)),
        "packed": masking_utils.and_masks(causal, masking_utils.packed_sequence_mask_function(document)),
        "images": masking_utils.or_masks(window, masking_utils.blockwise_overlay(image)),
    }
    return mask_function(
        batch, queries, keys, mask_function=functions[form], attention_mask=real, device=torch.device(DEVICE)
    )


def in_double(call: Call) -> Call:
    return replace(
        call,
        **{
            n: getattr(call, n).double()
            for n in ("query", "key", "value", "bias", "sinks")
            if getattr(call, n) is not None
        },
    )


def live(call: Call) -> Tensor:
    """batch query: those that see any key at all. Padding queries may see none, and nobody reads them."""
    allowed = call.mask.allowed(0, call.query.shape[2])
    some = torch.ones(call.query.shape[0], call.query.shape[2], dtype=torch.bool, device=DEVICE)
    return some if allowed is None else allowed.any(-1)[:, 0] & some
