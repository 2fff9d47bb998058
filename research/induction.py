"""Trains a two-layer attention-only model on tokens that repeat, until it has induction heads.

    python research/induction.py --out /tmp/induction

writes the model as it was after the first step and after the last, and says how well each head of either does
induction. A model of one layer cannot learn it: one head has to tell the next which token came before.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from attlas.corpora.text_source import RepeatedTokens
from attlas.studies.patterns.pattern_scores import PatternScore, PatternScores
from attlas.studies.patterns.pattern_texts import PatternText
from attlas.subject import Subject
from attlas.tap import Tap


def tokenizer(size: int) -> PreTrainedTokenizerFast:
    """Words a, t1, t2, ...: nothing but tokens."""
    words = {"a": 0, **{f"t{i}": i for i in range(1, size)}}
    made = Tokenizer(WordLevel(words, unk_token="a"))
    made.pre_tokenizer = Whitespace()  # type: ignore[assignment]
    return PreTrainedTokenizerFast(tokenizer_object=made)


def fresh_model(
    size: int, width: int = 64, heads: int = 4, layers: int = 2, seed: int = 0
) -> LlamaForCausalLM:
    """A Llama whose MLPs give 0 and stay so."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=size,
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        intermediate_size=1,
        max_position_embeddings=128,
        tie_word_embeddings=False,
    )
    model = LlamaForCausalLM(config)
    for layer in model.model.layers:
        layer.mlp.down_proj.weight.data.zero_()
        layer.mlp.requires_grad_(False)
    return model


def batch(size: int, rows: int, shortest: int, longest: int, rng: torch.Generator) -> torch.Tensor:
    """row token: as many random tokens as the longest has, twice, cut to one length."""
    period = int(torch.randint(shortest, longest + 1, (), generator=rng))
    drawn = torch.randint(size, (rows, period), generator=rng)
    return drawn.repeat(1, 2)


def train(
    model: LlamaForCausalLM,
    steps: int,
    rows: int = 32,
    shortest: int = 6,
    longest: int = 16,
    rate: float = 3e-3,
    seed: int = 0,
    report: int = 0,
) -> float:
    """The loss on the second half, in the last step."""
    rng = torch.Generator().manual_seed(seed)
    size = int(model.config.vocab_size)
    weights = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=rate, weight_decay=0.01, betas=(0.9, 0.98))
    model.train()
    loss = torch.tensor(0.0)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 50)
        ids = batch(size, rows, shortest, longest, rng)
        logits = model(input_ids=ids, use_cache=False).logits
        half = ids.shape[1] // 2  # what can be known: from the second token of the second half on
        loss = torch.nn.functional.cross_entropy(
            logits[:, half:-1].flatten(0, 1), ids[:, half + 1 :].flatten()
        )
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        if report and (step + 1) % report == 0:
            print(f"step {step + 1:5d}: loss on the second half {float(loss.detach()):.3f}")
    model.eval()
    return float(loss.detach())


def induction(model: LlamaForCausalLM, words: PreTrainedTokenizerFast, items: int = 32) -> list[PatternScore]:
    """Every head's score on repeated random tokens, as `attlas patterns` has it."""
    subject = Subject(model, words, "two layers")
    source = PatternText(RepeatedTokens(words, items, shortest=8, longest=16))
    reducer = PatternScores(("induction",))
    with Tap(subject, [reducer]) as tap:
        for shard in source.shards():
            for made in source.batches(subject, source.prepare(shard).items):
                tap.run(made)
    return reducer.scores()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--vocabulary", type=int, default=256)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    words = tokenizer(asked.vocabulary)
    model = fresh_model(asked.vocabulary, layers=asked.layers)
    for name, steps in (("first", 1), ("last", asked.steps - 1)):
        train(model, steps, report=200)
        if asked.out is not None:
            model.save_pretrained(asked.out / name)
            words.save_pretrained(asked.out / name)
        scores = ", ".join(f"{s.head} {s.score:.2f} (null {s.null:.2f})" for s in induction(model, words))
        print(f"{name}: {scores}")


if __name__ == "__main__":
    main()
