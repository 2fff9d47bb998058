"""Where does SmolLM2's sink go? What docs/findings/heads.md says of layers 10 and 11, tested.

    python research/sink.py SMOLLM2 [--text OTHER.txt] [--segments 24] [--json sink.json]

For each layer: how much of attention falls on the first token (from all tokens but the first four, the mean
over heads), and how large the first token's largest entry is as the layer reads it, over the median entry of
all tokens. Asked of segments of Wikipedia as they come, with a special token before them, of another text, of
shorter and longer segments, of random weights; and twice more with four entries of the first token put back
to the median of the other tokens before every layer: the largest, and as a control those next in size.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch

from attlas.corpora.text import text_corpus
from attlas.subject import Subject, load

FIRST_QUERY = 4  # tokens before it have hardly another place to look at
LENGTH, SHORT, LONG = 128, 32, 512
MASSIVE = 4  # entries of a token that are put back


def segments(subject: Subject, text: Path | None, count: int, length: int) -> Iterator[torch.Tensor]:
    """One segment from each document that is long enough: they are then independent of each other."""
    for document in text_corpus(text).entries():
        ids = subject.tokenizer(document.text, add_special_tokens=False).input_ids
        if len(ids) > length:
            yield torch.tensor([ids[:length]])
            count -= 1
        if not count:
            return


@contextmanager
def put_back(layers: Sequence[Any], skipped: int = 0) -> Iterator[None]:
    """Before every layer, put the largest entries of the first token, but for the `skipped` largest, back to
    the median of the other tokens."""

    def change(_: Any, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        stream = inputs[0].clone()
        largest = stream[0, 0].abs().topk(skipped + MASSIVE).indices[skipped:]
        stream[0, 0, largest] = stream[0, 1:, largest].median(0).values
        return (stream, *inputs[1:])

    hooks = [layer.register_forward_pre_hook(change) for layer in layers]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


@torch.no_grad()
def read(model: Any, ids: torch.Tensor) -> np.ndarray:
    """Per layer: attention to the first token, and that token's largest entry over the median."""
    out = model(ids, output_attentions=True, output_hidden_states=True, use_cache=False)
    sink = [float(weights[0, :, FIRST_QUERY:, 0].mean()) for weights in out.attentions]
    streams = [stream[0].abs() for stream in out.hidden_states[: len(sink)]]
    massive = [float(stream[0].max() / stream.median()) for stream in streams]
    return np.array([sink, massive])


def summarise(rows: Sequence[np.ndarray]) -> dict[str, list[float]]:
    """The mean over segments and its standard error, per layer."""
    every = np.stack(rows)
    mean, error = every.mean(0), every.std(0, ddof=1) / np.sqrt(len(rows))
    return {
        "segments": len(rows),
        "sink": mean[0].tolist(),
        "error": error[0].tolist(),
        "massive": mean[1].tolist(),
    }


def run(options: argparse.Namespace) -> dict[str, Any]:
    subject = load(options.model)
    model: Any = subject.model
    model.set_attn_implementation("eager")
    layers = model.model.layers
    special = subject.tokenizer.convert_tokens_to_ids(options.special)
    few = options.segments
    wiki = list(segments(subject, None, few, LENGTH))
    inputs = {
        "as it comes": wiki,
        f"after {options.special}": [torch.cat([torch.tensor([[special]]), s[:, :-1]], 1) for s in wiki],
        f"{SHORT} tokens": [s[:, :SHORT] for s in wiki],
        f"{LONG} tokens": list(segments(subject, None, max(4, few // 4), LONG)),
    }
    if options.text:
        inputs["another text"] = list(segments(subject, options.text, few, LENGTH))
    measured = {name: summarise([read(model, ids) for ids in of]) for name, of in inputs.items()}
    for name, skipped in (("largest entries put back", 0), ("next largest put back instead", MASSIVE)):
        with put_back(layers, skipped):
            measured[name] = summarise([read(model, ids) for ids in wiki])
    random: Any = load(subject, initialise="random").model
    random.set_attn_implementation("eager")
    measured["random weights"] = summarise([read(random, ids) for ids in wiki])
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model")
    parser.add_argument("--text", type=Path)
    parser.add_argument("--segments", type=int, default=24)
    parser.add_argument("--special", default="<|im_start|>")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    measured = run(options)
    if options.json:
        options.json.write_text(json.dumps(measured))
    for name, of in measured.items():
        print(f"{name} ({of['segments']} segments)")
        for layer, numbers in enumerate(zip(of["sink"], of["error"], of["massive"], strict=True)):
            print("  {:2d}  {:.3f} ± {:.3f}  {:8.0f}".format(layer, *numbers))


if __name__ == "__main__":
    main()
