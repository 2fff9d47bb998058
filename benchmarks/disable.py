"""How long a sweep over all heads takes, against one whole evaluation a head. Same numbers, checked here.

    python benchmarks/disable.py              # the embedded model: sentences, and segments of one length
    python benchmarks/disable.py --decoder    # GPT-2's shape, 12 x 12 heads, with TransformerLens beside

Seconds are of one core (process time), so that other work on the machine counts little. `--peer FOLDER` adds
a folder to the search path, where TransformerLens is installed.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import transformers
from torch import Tensor

import attlas
from attlas.address import Head
from attlas.corpora.batches import Batch, collate
from attlas.corpora.documents import read_sentences
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.edits import EDITS
from attlas.edits.sweep import Sweep
from attlas.studies.disabling.evaluation import ITEMS_IN_A_BATCH
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap import Tap

FILE_BATCH = 32  # as evaluation scripts have it: inputs in the order of the file


def timed(work: Callable[[], Tensor]) -> tuple[float, Tensor]:
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def sentences(subject: Subject, count: int) -> list[Segment]:
    """Sentences of the embedded text, each an input of its own, as those of a task are."""
    texts: list[Segment] = []
    for document in read_sentences(text_corpus()):
        for sentence in document:
            ids = subject.tokenizer(sentence, truncation=True, max_length=128)["input_ids"]
            if len(ids) > 6:
                texts.append(Segment(ItemId(len(texts), 0), ids, [0] * len(ids)))
            if len(texts) == count:
                return texts
    return texts


def segments(subject: Subject, count: int, length: int) -> list[Segment]:
    source = TextSource(text_corpus(), subject.tokenizer, length, count)
    return list(source.prepare(next(source.shards()), count).items)


def in_file_order(subject: Subject, items: Sequence[Segment]) -> Iterator[Batch]:
    for start in range(0, len(items), FILE_BATCH):
        yield collate(subject, items[start : start + FILE_BATCH])


def sorted_by_length(subject: Subject, items: Sequence[Segment]) -> Iterator[Batch]:
    yield from TextSource(text_corpus(), subject.tokenizer, batch=ITEMS_IN_A_BATCH).batches(subject, items)


def whole_runs(subject: Subject, heads: Sequence[Head], batches: Sequence[Batch], edit: str) -> Tensor:
    """head: the mean loss over items, from one evaluation of all items for every head."""
    means = []
    for head in heads:
        losses = []
        with torch.no_grad(), Tap(subject, edits=[EDITS[edit](head)]) as tap:
            for batch in batches:
                prepared, loss = objective(subject, batch)
                losses.append(loss(tap.run(prepared, predictions=True)))
        means.append(torch.cat(losses).double().mean())
    return torch.stack(means)


def sweep(subject: Subject, heads: Sequence[Head], batches: Sequence[Batch], edit: str) -> Tensor:
    edits = [EDITS[edit](head).resolved(subject.heads) for head in heads]
    outcomes = [Sweep(edits).observe(subject, batch).outcomes for batch in batches]
    return torch.cat([of_batch[1:] for of_batch in outcomes if of_batch is not None], 1).mean(1)


def report(name: str, results: dict[str, tuple[float, Tensor]]) -> None:
    ours, numbers = results["a sweep"]
    print(f"\n{name}")
    for way, (seconds, losses) in results.items():
        apart = float((losses - numbers).abs().max())
        print(f"  {way:<52}{seconds:8.1f} s{seconds / ours:8.2f} x   differs by {apart:.1e}", flush=True)


def embedded(edit: str, many: int, length: int, every: int) -> None:
    subject = attlas.load("mini")
    compared(subject, f"mini, {many} sentences", sentences(subject, many), edit, every)
    compared(subject, f"mini, {many // 2} segments", segments(subject, many // 2, length), edit, every)


def compared(subject: Subject, name: str, items: Sequence[Segment], edit: str, every: int) -> None:
    heads = subject.heads[::every]
    plain, ordered = (list(way(subject, items)) for way in (in_file_order, sorted_by_length))
    results = {
        "one evaluation a head, in the order of the file": timed(
            lambda: whole_runs(subject, heads, plain, edit)
        ),
        "one evaluation a head, sorted by length": timed(lambda: whole_runs(subject, heads, ordered, edit)),
        "a sweep": timed(lambda: sweep(subject, heads, ordered, edit)),
    }
    tokens = sum(len(item.ids) for item in items)
    report(f"{name} ({tokens:,} tokens), {len(heads)} heads, {edit}", results)


def decoder(width: int, many: int, length: int, every: int) -> None:
    """GPT-2's shape at another width, with random weights: zero edits, the loss of the next token."""
    torch.manual_seed(0)
    shape = {"n_embd": width, "n_layer": 12, "n_head": 12, "vocab_size": 5000}
    config = transformers.GPT2Config(**shape, bos_token_id=1, eos_token_id=1)
    subject = Subject(transformers.GPT2LMHeadModel(config), attlas.load("mini").tokenizer, "gpt2")
    ids = torch.randint(5, 5000, (many, length), generator=torch.Generator().manual_seed(1))
    batch = subject.annotate({"input_ids": ids})
    heads = subject.heads[::every]
    results = {
        "one evaluation a head (Tap)": timed(lambda: whole_runs(subject, heads, [batch], "zero")),
        "one evaluation a head (a hook of PyTorch)": timed(lambda: hooked(subject.model, heads, ids)),
    }
    peer = transformer_lens(subject.model, heads, ids, width)
    if peer is not None:
        results["TransformerLens, run_with_hooks a head"] = peer
    results["a sweep"] = timed(lambda: sweep(subject, heads, [batch], "zero"))
    report(f"GPT-2's shape, width {width}, {many} x {length} tokens, {len(heads)} heads, zero", results)


def next_token_losses(logits: Tensor, ids: Tensor) -> Tensor:
    losses = torch.nn.functional.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    return losses.double().mean()


def hooked(model: Any, heads: Sequence[Head], ids: Tensor) -> Tensor:
    """What one would write by hand: a head's columns are zero on their way into the output projection."""
    losses = []
    size = model.config.n_embd // 12
    for at in heads:

        def blank(_: Any, inputs: tuple[Tensor, ...], head: int = at.head) -> tuple[Tensor, ...]:
            zeroed = inputs[0].clone()
            zeroed[..., head * size : (head + 1) * size] = 0
            return (zeroed, *inputs[1:])

        hook = model.transformer.h[at.layer].attn.c_proj.register_forward_pre_hook(blank)
        with torch.no_grad():
            losses.append(next_token_losses(model(ids, use_cache=False).logits, ids))
        hook.remove()
    return torch.stack(losses)


def transformer_lens(
    model: Any, heads: Sequence[Head], ids: Tensor, width: int
) -> tuple[float, Tensor] | None:
    try:
        from transformer_lens import HookedTransformer, HookedTransformerConfig
        from transformer_lens.pretrained.weight_conversions import convert_gpt2_weights
    except Exception as error:
        print(f"without TransformerLens: {type(error).__name__}: {error}")
        return None
    config = HookedTransformerConfig(
        n_layers=12,
        n_heads=12,
        d_model=width,
        d_head=width // 12,
        d_mlp=4 * width,
        n_ctx=1024,
        d_vocab=5000,
        act_fn="gelu_new",
        normalization_type="LN",
        eps=model.config.layer_norm_epsilon,
        device="cpu",
    )
    peer = HookedTransformer(config)
    peer.load_state_dict(convert_gpt2_weights(model, config), strict=False)
    peer.eval()

    def every_head() -> Tensor:
        losses = []
        for at in heads:

            def blank(z: Tensor, hook: Any, head: int = at.head) -> Tensor:
                z[:, :, head] = 0
                return z

            with torch.no_grad():
                logits = peer.run_with_hooks(ids, fwd_hooks=[(f"blocks.{at.layer}.attn.hook_z", blank)])
            losses.append(next_token_losses(logits, ids))
        return torch.stack(losses)

    return timed(every_head)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--decoder", action="store_true")
    arguments.add_argument("--edit", default="uniform", choices=[e for e in EDITS if e != "mean"])
    arguments.add_argument("--items", type=int, default=32)
    arguments.add_argument("--length", type=int, default=48)
    arguments.add_argument("--width", type=int, default=192)
    arguments.add_argument("--every", type=int, default=1, help="only each n-th head")
    arguments.add_argument("--peer", default="")
    options = arguments.parse_args()
    if options.peer:
        sys.path.append(options.peer)
    torch.set_num_threads(1)
    if options.decoder:
        decoder(options.width, options.items, options.length, options.every)
    else:
        embedded(options.edit, options.items, options.length, options.every)
