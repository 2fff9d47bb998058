"""The fused kernel against eager attention in float64, on a GPU: how far apart they are, by dtype and mask.

    python benchmarks/gpu_numbers.py [--calls 2] [--dtypes bfloat16] [--sizes 192,128] [--masks chunks packed]

Each line is the largest difference over random calls: of the outputs, of the row functions' means over groups
of queries (distances in lengths of the input), and of what the second passes give (mass received, chosen
pairs, the strongest weights, tiles).
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace

import torch
from torch import Tensor
from transformers import masking_utils

from attlas.tap import Distance, Entropy, Largest, Mass, Offset
from attlas.tap.call import Call
from attlas.tap.kernels import eager
from attlas.tap.making_masks import mask_function
from attlas.tap.mask import Mask
from attlas.tap.needs import KernelRequest
from attlas.tap.triton.launch import forward, obstacle
from attlas.tap.triton.prepared import columns_of
from attlas.tap.triton.tile_passes import TilePasses

DISTANCES = (Distance(1), Distance(2), Distance(1, rest=True), Distance(2, rest=True))
FUNCTIONS = (Entropy(), Mass("a"), Offset(-1), Mass("b"), Largest(), Offset(2), Mass("c"), *DISTANCES)
FORMS = ("full", "causal", "window", "local", "chunks", "packed", "images")


def mask_of(form: str, batch: int, length: int) -> Mask:
    document = (torch.rand(batch, length, device="cuda") < 0.02).cumsum(-1)
    image = torch.where(document % 2 == 1, document, -1)
    causal = masking_utils.causal_mask_function
    window = masking_utils.sliding_window_causal_mask_function(100)
    functions = {
        "full": masking_utils.bidirectional_mask_function,
        "causal": causal,
        "window": window,
        "local": masking_utils.sliding_window_bidirectional_mask_function(70),
        "chunks": masking_utils.chunked_causal_mask_function(96, torch.zeros(batch, device="cuda").long()),
        "packed": masking_utils.and_masks(causal, masking_utils.packed_sequence_mask_function(document)),
        "images": masking_utils.or_masks(window, masking_utils.blockwise_overlay(image)),
    }
    real = torch.ones(batch, length, dtype=torch.bool, device="cuda")
    if form != "chunks":
        real[0, length - random.randrange(length // 2) :] = False
    return mask_function(
        batch, length, length, mask_function=functions[form], attention_mask=real, device=torch.device("cuda")
    )


def call_of(form: str, sizes: tuple[int, int], dtype: torch.dtype) -> Call:
    batch, groups, shared, length = 2, 2, random.choice((1, 3)), random.randrange(30, 700)
    dim, wide = sizes
    query = torch.randn(batch, groups * shared, length, dim, device="cuda").to(dtype) * 2
    key, value = (torch.randn(batch, groups, length, size, device="cuda").to(dtype) for size in (dim, wide))
    return Call("decoder", 0, query, key, value, mask_of(form, batch, length), dim**-0.5)


def in_double(call: Call) -> Call:
    return replace(call, query=call.query.double(), key=call.key.double(), value=call.value.double())


def differences(call: Call) -> tuple[float, float, float]:
    batch, _, length, _ = call.query.shape
    allowed = call.mask.allowed(0, length)
    live = torch.ones(batch, length, dtype=torch.bool, device="cuda")
    live = live if allowed is None else live & allowed.any(-1)[:, 0]
    real = torch.ones_like(live) if call.mask.keys is None else call.mask.keys
    features = (torch.rand(batch, length, 3, device="cuda") < 0.4) & real[..., None]
    groups = (torch.rand(batch, 4, length, device="cuda") < 0.5) & live[:, None]
    request = KernelRequest(FUNCTIONS, features, real, groups)
    assert obstacle(call, request) is None, obstacle(call, request)
    exact, fused = eager(in_double(call), request), forward(call, request)
    assert exact.rows is not None
    columns = columns_of(FUNCTIONS)
    sums = fused.sums.sum(2).unflatten(-1, (-1, columns.width))[..., list(columns.of)]
    wanted = torch.einsum("bgq,bhqf->bhgf", groups.double(), exact.rows)
    members = groups.sum(-1)[:, None, :, None].clamp(min=1)
    outputs = largest((fused.output - exact.output) * live[:, None, :, None])
    sizes = torch.tensor(
        [1.0] * 7 + [length, length**2] * 2, device="cuda"
    )  # distances as shares of the length
    return outputs, largest((sums - wanted) / members / sizes), second_passes(call, live)


def second_passes(call: Call, live: Tensor) -> float:
    weights = in_double(call).weights() * live[:, None, :, None]
    passes = TilePasses.of(call, None)
    assert passes is not None
    length = live.shape[1]
    apart = [largest(passes.received(live.float()) - weights.sum(2)) / length]
    places = torch.randint(length, (2, 500), device="cuda")
    row = torch.randint(len(live), (500,), device="cuda")
    at = weights[row, :, places[0], places[1]]
    apart.append(largest((passes.pairs(row, *places) - at) * live[row, places[0]][:, None]))
    top = passes.strongest(3)[0] * live[:, None, :, None]
    apart.append(largest(top - weights.topk(3).values))
    padded = torch.nn.functional.pad(weights, (0, -length % 64, 0, -length % 64))
    tiles = padded.unflatten(3, (-1, 64)).unflatten(2, (-1, 64)).sum((3, 5))
    apart.append(largest(passes.tiles(64)[0] - tiles) / 64 if bool(live.all()) else 0.0)
    return max(apart)


def largest(difference: Tensor) -> float:
    assert difference.isfinite().all()
    return float(difference.abs().max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=2, help="of each dtype, mask and size")
    parser.add_argument("--dtypes", nargs="+", default=["float32", "float16", "bfloat16"])
    parser.add_argument("--masks", nargs="+", choices=FORMS, default=FORMS)
    parser.add_argument("--sizes", nargs="+", default=["64,64", "128,128", "192,128", "256,256", "576,512"])
    chosen = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    print(f"{'dtype':>10} {'keys, values':>12} {'output':>8} {'rows':>8} {'second':>8}")
    for dtype in chosen.dtypes:
        for size in chosen.sizes:
            dim, wide = map(int, size.split(","))
            seen = [
                differences(call_of(form, (dim, wide), getattr(torch, dtype)))
                for form in chosen.masks
                for _ in range(chosen.calls)
            ]
            output, rows, second = (max(column) for column in zip(*seen, strict=True))
            print(f"{dtype:>10} {size:>12} {output:8.1e} {rows:8.1e} {second:8.1e}", flush=True)


if __name__ == "__main__":
    main()
