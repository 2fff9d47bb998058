"""Models that fill a GPU or are spread: from a text file to an atlas with one of 70 billion weights; and the
same numbers from a model whose layers lie on two devices as from one.

    python benchmarks/gpu_spread.py --layers 80          # the shape of Llama-3-70B, 129 GiB in bfloat16
    python benchmarks/gpu_spread.py --layers 4 --only spread

Weights are random.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

import attlas
from attlas.edits import zero
from attlas.reducers.surface_statistics import surface
from attlas.row import Row
from attlas.studies.pruning.prune_study import GateGradients
from attlas.studies.surface.head_distances import Distances
from attlas.subject import Subject, load
from attlas.subject.losses import objective
from attlas.tap import Tap

SHAPE = {
    "hidden_size": 8192,
    "intermediate_size": 28672,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "max_position_embeddings": 8192,
}
SMALL = {
    **SHAPE,
    "hidden_size": 1024,
    "intermediate_size": 2048,
    "num_attention_heads": 16,
    "vocab_size": 30000,
}


def made(layers: int, shape: dict[str, int], dtype: torch.dtype, device: str) -> Any:
    """A Llama of that shape with random weights, made on the device layer by layer."""
    import transformers

    config = transformers.LlamaConfig(**shape, num_hidden_layers=layers, tie_word_embeddings=False)
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(config)
    model = model.to(dtype).to_empty(device=device)
    torch.manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.02) if parameter.ndim > 1 else parameter.fill_(1)
    with torch.device(device):
        model.model.rotary_emb = type(model.model.rotary_emb)(config)
    return model.eval()


def tokenizer() -> Any:
    """That of the embedded model: which tokens are read does not matter to what is measured."""
    return load("mini", device="cpu").tokenizer


def whole(layers: int, length: int, segments: int) -> None:
    """From a text file to an atlas, in batches as large as the weights leave room for: beside 129 GiB there
    is none for the distances between 5,120 heads."""
    model = made(layers, SHAPE, torch.bfloat16, "cuda")
    size = sum(p.numel() * p.element_size() for p in model.parameters()) / 2**30
    subject = load(model, tokenizer())
    source = Path(attlas.__file__).parent / "data" / "corpus" / "wikipedia.txt"
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "wikipedia.txt"
        text.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
        began = time.monotonic()
        subject.weight_hash()
        print(f"a fingerprint of the weights in {time.monotonic() - began:.0f} s", flush=True)
        torch.cuda.reset_peak_memory_stats()
        began = time.monotonic()
        atlas = attlas.map(
            subject,
            text=text,
            atlas=Path(folder) / "large.attlas",
            segments=segments,
            length=length,
            sample=0,
            progress=False,
        )
        seconds = time.monotonic() - began
        entropy = atlas.heads[(atlas.heads["statistic"] == "entropy") & (atlas.heads["group"] == "all")]
    peak = torch.cuda.max_memory_allocated() / 2**30
    print(
        f"{layers} layers, {size:.1f} GiB of weights, {len(atlas.addresses):,} heads: {segments} segments of"
    )
    print(f"{length} tokens from a text file in {seconds:.0f} s, {peak:.1f} GiB at most; ", end="")
    print(f"entropies {entropy['value'].min():.3f} to {entropy['value'].max():.3f}, none of them broken")
    assert entropy["value"].notna().all()
    assert len(entropy) == len(atlas.addresses)


def spread(layers: int) -> None:
    """float32, so that devices differ by rounding alone."""
    torch.backends.cuda.matmul.allow_tf32 = False
    words, several = tokenizer(), {}
    ways = {"one GPU": on_gpu, "GPU and CPU in turns, both computing": in_turns}
    if find_spec("accelerate") is not None:
        ways["every second layer waits in memory (accelerate)"] = waiting
    for name, placed in ways.items():
        subject = Subject(placed(made(layers, SMALL, torch.float32, "cpu")), words, name)
        several[name] = numbers(subject)
        print(f"{name}: {', '.join(map(str, subject.devices))}; {len(several[name]):,} numbers", flush=True)
    first, *others = several.values()
    for name, rows in zip(list(several)[1:], others, strict=True):
        assert [row[:5] for row in rows] == [row[:5] for row in first]
        apart = max(abs(a.value - b.value) / max(1.0, abs(b.value)) for a, b in zip(rows, first, strict=True))
        print(f"{name}: at most {apart:.1e} from one GPU")
        assert apart < 2e-4


def on_gpu(model: Any) -> Any:
    return model.to("cuda")


def in_turns(model: Any) -> Any:
    """Every second layer on the CPU, and computed there."""
    model.to("cuda")
    for number, layer in enumerate(model.model.layers):
        device = torch.device("cuda", 0) if number % 2 else torch.device("cpu")
        layer.to(device).register_forward_pre_hook(partial(_bring, device), with_kwargs=True)
    model.model.norm.register_forward_pre_hook(partial(_bring, torch.device("cuda", 0)), with_kwargs=True)
    return model


def _bring(device: torch.device, _: Any, args: Any, named: Any) -> Any:
    return _moved(args, device), _moved(named, device)


def _moved(value: Any, device: torch.device) -> Any:
    if hasattr(value, "to"):
        return value.to(device)
    if isinstance(value, tuple | list):
        return type(value)(_moved(part, device) for part in value)
    return {k: _moved(v, device) for k, v in value.items()} if isinstance(value, dict) else value


def waiting(model: Any) -> Any:
    import accelerate

    places = {f"model.layers.{n}": 0 if n % 2 else "cpu" for n in range(len(model.model.layers))}
    places |= {"model.embed_tokens": 0, "model.norm": 0, "model.rotary_emb": 0, "lm_head": 0}
    return accelerate.dispatch_model(model, places, main_device=0, force_hooks=True)


def numbers(subject: Subject) -> list[Row]:
    """Statistics, distances, gradients of gates, and the loss with a head switched off."""
    text = "The cat sat on the mat, and the dog slept beside it all day long, as dogs do. " * 6
    batch = subject.encode(text)
    statistics, distances, gates = surface(subject.classes), Distances(subject.heads), GateGradients()
    with Tap(subject, [statistics], rows=1) as tap:
        tap.run(batch)
    with Tap(subject, [distances]) as tap:
        tap.run(batch)
    with Tap(subject, [gates]) as tap:
        tap.run(*objective(subject, batch))
    rows = [*statistics.rows(), *distances.rows(), *gates.rows()]
    for head in ("0.3", f"{len(subject.model.model.layers) - 1}.1"):  # type: ignore[union-attr, arg-type]
        changed, losses = objective(subject, batch)
        with Tap(subject, edits=[zero([head])]) as tap, torch.no_grad():
            loss = float(losses(tap.run(changed, predictions=True)).mean())
        rows.append(Row("decoder", 0, 0, "loss", head, loss, 0.0, 1))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", type=int, default=80)
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--segments", type=int, default=128)
    parser.add_argument("--only", choices=["whole", "spread"])
    chosen = parser.parse_args()
    if chosen.only != "whole":
        spread(min(chosen.layers, 6))
    if chosen.only != "spread":
        whole(chosen.layers, chosen.length, chosen.segments)


if __name__ == "__main__":
    main()
