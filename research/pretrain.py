"""Pre-trains the small BERT that ships as `mini`: 12 layers x 12 heads, hidden 192, 7.1 million parameters.

    python research/pretrain.py prepare tokens.npz enwiki.txt.xz simplewiki.txt.xz
    python research/pretrain.py train out-folder tokens.npz --minutes 20

Texts have a paragraph a line and a blank line between articles. `train` wants a GPU; the whole corpus stays
on it, and segments are drawn there at random. research/mini.md says what came out.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertForPreTraining

from attlas.corpora.documents import sentences

TOKENIZER = str(files("attlas") / "data" / "mini" / "tokenizer.json")
LENGTH, BATCH, PEAK_RATE, WARM_UP = 128, 1024, 8e-4, 1_500
SENTENCES_IN_REACH = 12  # of an article, from where a segment starts
MOST_MASKED = 20  # 15% of a segment, and a little room
ARTICLES_IN_A_BLOCK = 2_000


def prepare(out: str, paths: list[str]) -> None:
    """Texts to one array of piece ids, with the end of each sentence and its article's number."""
    blocks = [block for path in paths for block in _blocks(path)]
    with Pool() as pool:
        parts = pool.map(_tokenise, blocks, chunksize=1)
    ids, ends, articles = [], [np.zeros(1, np.int64)], []
    pieces = documents = 0
    for block_ids, block_ends, block_articles, count in parts:
        ids.append(block_ids)
        ends.append(block_ends + pieces)
        articles.append(block_articles + documents)
        pieces += len(block_ids)
        documents += count
    np.savez(out, ids=np.concatenate(ids), ends=np.concatenate(ends), articles=np.concatenate(articles))
    print(f"{pieces:,} pieces in {documents:,} articles")


def _blocks(path: str) -> Iterator[list[str]]:
    text = lzma.open(path, "rt").read() if path.endswith(".xz") else Path(path).read_text()  # noqa: SIM115
    articles = re.split(r"\n\s*\n", text)
    for start in range(0, len(articles), ARTICLES_IN_A_BLOCK):
        yield articles[start : start + ARTICLES_IN_A_BLOCK]


def _tokenise(articles: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    tokenizer = Tokenizer.from_file(TOKENIZER)
    split = [
        (number, sentence[:1000])
        for number, article in enumerate(articles)
        for paragraph in article.splitlines()
        for sentence in sentences(paragraph.strip())
    ]
    encoded = tokenizer.encode_batch([s for _, s in split], add_special_tokens=False)
    kept = [(n, e.ids) for (n, _), e in zip(split, encoded, strict=True) if 2 <= len(e.ids) <= LENGTH - 8]
    ids = np.concatenate([np.array(i, np.uint16) for _, i in kept])
    ends = np.cumsum([len(i) for _, i in kept])
    return ids, ends, np.array([n for n, _ in kept], np.int32), len(articles)


class Corpus(NamedTuple):
    ids: Tensor  # piece
    ends: Tensor  # 0, then the end of each sentence among the pieces
    articles: Tensor  # sentence: the number of its article


class Pieces(NamedTuple):
    cls: int
    sep: int
    mask: int
    pad: int
    count: int


def read(paths: list[str], device: str) -> Corpus:
    ids, ends, articles = [], [np.zeros(1, np.int64)], []
    pieces = documents = 0
    for path in paths:
        stored = np.load(path)
        ids.append(stored["ids"].astype(np.int16))
        ends.append(stored["ends"][1:] + pieces)
        articles.append(stored["articles"] + documents)
        pieces += len(stored["ids"])
        documents += int(stored["articles"].max()) + 1
    arrays = (np.concatenate(part) for part in (ids, ends, articles))
    return Corpus(*(torch.from_numpy(a).to(device) for a in arrays))


def draw_segments(
    corpus: Corpus, starts: Tensor, batch: int, p: Pieces
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """`[CLS] A [SEP] B [SEP]`: ids, types, mask (batch token), and whether B is from elsewhere (batch).

    A is whole sentences from a random start; B the continuation, or with probability ½ another row's.
    """
    device, last = starts.device, len(corpus.articles)
    first = starts[torch.randint(len(starts), (batch,), device=device)]
    after = (first[:, None] + torch.arange(1, SENTENCES_IN_REACH + 1, device=device)).clamp(max=last)
    inside = corpus.articles[(after - 1).clamp(max=last - 1)] == corpus.articles[first][:, None]
    begin = corpus.ends[first]
    whole = (inside & (corpus.ends[after] - begin[:, None] <= LENGTH - 3)).sum(1)
    usable = (whole + (inside.sum(1) > whole).long()).clamp(min=2)
    split = (torch.rand(batch, device=device) * (usable - 1)).long() + 1
    split = torch.minimum(split, whole.clamp(min=1))
    length_a = (corpus.ends[(first + split).clamp(max=last)] - begin).clamp(max=LENGTH - 4)
    article_end = corpus.ends[(first + inside.sum(1)).clamp(max=last)]
    length_b = torch.minimum(article_end - begin - length_a, LENGTH - 3 - length_a).clamp(min=1)
    itself = torch.arange(batch, device=device)
    swap = torch.rand(batch, device=device) < 0.5
    source = torch.where(swap, torch.randint(batch, (batch,), device=device), itself)
    begin_b = (begin + length_a)[source]
    length_b = torch.minimum(length_b[source], LENGTH - 3 - length_a)

    place = torch.arange(LENGTH, device=device)
    a, b = length_a[:, None], length_b[:, None]
    most = len(corpus.ids) - 1
    from_a = corpus.ids[(begin[:, None] + place - 1).clamp(0, most)].long()
    from_b = corpus.ids[(begin_b[:, None] + place - a - 2).clamp(0, most)].long()
    ids = torch.where(place <= a, from_a, from_b)
    ids = torch.where(place == 0, p.cls, ids)
    ids = torch.where((place == a + 1) | (place == a + b + 2), p.sep, ids)
    ids = torch.where(place > a + b + 2, p.pad, ids)
    types = ((place > a + 1) & (place <= a + b + 2)).long()
    return ids, types, (ids != p.pad).long(), (source != itself).long()


def mask_words(ids: Tensor, mask: Tensor, p: Pieces) -> tuple[Tensor, Tensor, Tensor]:
    """Masked ids (batch token), the places masked and what stood there (batch MOST_MASKED; -100 is none)."""
    score = torch.rand(ids.shape, device=ids.device)
    score[(ids == p.cls) | (ids == p.sep) | (mask == 0)] = -1
    top, places = score.topk(MOST_MASKED, 1)
    wanted = (0.15 * mask.sum(1, keepdim=True)).clamp(min=1)
    live = (torch.arange(MOST_MASKED, device=ids.device) < wanted) & (top >= 0)
    old = ids.gather(1, places)
    fate = torch.rand(places.shape, device=ids.device)
    noise = torch.randint(5, p.count, places.shape, device=ids.device)
    new = torch.where(fate < 0.8, p.mask, torch.where(fate < 0.9, noise, old))
    return ids.scatter(1, places, torch.where(live, new, old)), places, torch.where(live, old, -100)


def train(
    out: str,
    paths: list[str],
    minutes: float,
    batch: int,
    device: str,
    watch: Callable[[nn.Module, int, bool], None] = lambda model, step, ended: None,
    stop: float | None = None,
    warm_up: int = WARM_UP,
) -> None:
    """`watch` is shown the model before every step, and at the end; its time does not count. `stop`: minutes
    after which training ends, though the rate falls as if it went on."""
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")
    corpus = read(paths, device)
    # a sentence can start a segment when another of its article follows it
    starts = torch.nonzero(corpus.articles[:-1] == corpus.articles[1:]).squeeze(1)
    vocabulary = json.loads(Path(TOKENIZER).read_text())["model"]["vocab"]
    p = Pieces(*(vocabulary[f"[{name}]"] for name in ("CLS", "SEP", "MASK", "PAD")), len(vocabulary))
    model = _model(p).to(device)
    optimizer = _optimizer(model, device)
    losses = torch.compile(_losses) if device == "cuda" else _losses
    begun, watched, step, log = time.time(), 0.0, 0, []
    last = 1.0 if stop is None else stop / minutes
    while (done := (time.time() - begun - watched) / (minutes * 60)) < last:
        before = time.time()
        watch(model, step, False)
        watched += time.time() - before
        ids, types, mask, elsewhere = draw_segments(corpus, starts, batch, p)
        masked, places, words = mask_words(ids, mask, p)
        for group in optimizer.param_groups:
            group["lr"] = PEAK_RATE * min(1.0, (step + 1) / warm_up) * max(0.02, 1 - done)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            word_loss, next_loss, right = losses(model, masked, types, mask, places, words, elsewhere)
        optimizer.zero_grad(set_to_none=True)
        (word_loss + next_loss).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 200 == 0:
            row = {"step": step, "seconds": round(time.time() - begun, 1), "tokens": step * batch * LENGTH}
            row |= {"mlm": round(word_loss.item(), 4), "nsp": round(next_loss.item(), 4)}
            log.append(row | {"accuracy": round(right.item(), 4)})
            print(log[-1], flush=True)
    watch(model, step, True)
    model.eval().half().save_pretrained(out)
    (Path(out) / "training_log.json").write_text(json.dumps(log))


def _model(p: Pieces) -> BertForPreTraining:
    config = BertConfig(
        vocab_size=p.count,
        hidden_size=192,
        num_hidden_layers=12,
        num_attention_heads=12,
        intermediate_size=768,
        max_position_embeddings=512,
        pad_token_id=p.pad,
    )
    return BertForPreTraining._from_config(config, attn_implementation="sdpa").train()


def _optimizer(model: nn.Module, device: str) -> torch.optim.AdamW:
    matrices = [p for p in model.parameters() if p.ndim > 1]
    vectors = [p for p in model.parameters() if p.ndim == 1]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=PEAK_RATE, betas=(0.9, 0.98), eps=1e-6, fused=device == "cuda")


def _losses(
    model: BertForPreTraining,
    ids: Tensor,
    types: Tensor,
    mask: Tensor,
    places: Tensor,
    words: Tensor,
    elsewhere: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    """Masked-word loss, next-sentence loss, and the share of masked words that were guessed."""
    hidden, pooled = model.bert(ids, attention_mask=mask, token_type_ids=types, return_dict=False)[:2]
    there = hidden.gather(1, places[..., None].expand(-1, -1, hidden.shape[-1]))
    logits = model.cls.predictions(there).float()
    word_loss = nn.functional.cross_entropy(logits.flatten(0, 1), words.flatten())
    next_loss = nn.functional.cross_entropy(model.cls.seq_relationship(pooled).float(), elsewhere)
    right = ((logits.argmax(-1) == words) & (words >= 0)).sum() / (words >= 0).sum()
    return word_loss, next_loss, right.detach()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("prepare", "train"):
        command = commands.add_parser(name)
        command.add_argument("out")
        command.add_argument("paths", nargs="+")
    command.add_argument("--minutes", type=float, default=20)
    command.add_argument("--batch", type=int, default=BATCH)
    command.add_argument("--device", default="cuda")
    options = parser.parse_args()
    if options.command == "prepare":
        prepare(options.out, options.paths)
    else:
        train(options.out, options.paths, options.minutes, options.batch, options.device)


if __name__ == "__main__":
    main()
