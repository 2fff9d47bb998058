"""Texts that patterns are looked for in: which of their tokens are special, of one sentence, or akin, by
the cosine of their vectors, the model's input embeddings or GloVe's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.corpora.documents import read_sentences
from attlas.corpora.source import SourceOver
from attlas.corpora.text import text_corpus
from attlas.corpora.token_text import strip_marks
from attlas.files import file_hash
from attlas.studies.patterns.definitions import PatternBatch, PatternTokens, classes_of
from attlas.studies.word_vectors import read_glove
from attlas.subject import Subject

RARE = 0.99  # two tokens are akin where their cosine exceeds that of so many pairs of tokens of a text
ROUNDING = 1e-5  # the bound is the cosine of a pair that is drawn often: rounding must not decide about it
PAIRS = 2**17
TEXT = 2**16  # characters of the embedded text, from which such pairs are drawn


@dataclass
class Kinship:
    """Vectors without their mean over the tokens of a text, which all have in common, and the cosine that
    only one in a hundred pairs of different tokens of a text exceeds. Pairs come from text, since the
    vocabulary is mostly of rare tokens, beside which all frequent ones look alike. Found where they are first
    needed."""

    words: Path | None = None  # a file in GloVe's format; None: the model's own
    _tables: dict[int, tuple[Tensor, Tensor, float]] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {"words": self.words, "_tables": {}}

    def describe(self) -> str | dict[str, str]:
        if self.words is None:
            return "embeddings"
        return {"name": self.words.name, "sha256": self._checksum}

    @cached_property
    def _checksum(self) -> str:
        """The hash of the file of vectors, which another may replace under the same name."""
        assert self.words is not None
        return file_hash(self.words)

    def related(self, subject: Subject, ids: Tensor) -> Tensor:
        """batch token token: whether they are akin. A token without a vector is akin to none."""
        table, known, least = self._table(subject)
        vectors = table[ids.to(table.device)].float()
        having = known[ids.to(known.device)]
        cosines = torch.einsum("bqd,bkd->bqk", vectors, vectors)
        return (cosines > least) & having[:, :, None] & having[:, None]

    def _table(self, subject: Subject) -> tuple[Tensor, Tensor, float]:
        key = id(subject.model)
        if key not in self._tables:
            self._tables[key] = self._computed_table(subject)
        return self._tables[key]

    def _computed_table(self, subject: Subject) -> tuple[Tensor, Tensor, float]:
        vectors, known = self._embeddings(subject) if self.words is None else self._glove(subject, self.words)
        ordinary = known.clone()
        special = torch.tensor(sorted(set(subject.tokenizer.all_special_ids)), device=known.device)
        ordinary[special[special < len(known)]] = False
        read = torch.tensor(text_tokens(subject), dtype=torch.long, device=known.device)
        among = read[ordinary[read]].cpu()
        if not len(among):  # a tokenizer of another script
            among = ordinary.nonzero()[:, 0].cpu()
        vectors = vectors - vectors[among.to(known.device)].mean(0)
        vectors = vectors / vectors.norm(dim=-1, keepdim=True).clamp(min=1e-9)
        rng = torch.Generator().manual_seed(0)
        a, b = (among[torch.randint(len(among), (PAIRS,), generator=rng)].to(known.device) for _ in range(2))
        cosines = (vectors[a] * vectors[b]).sum(-1)[a != b]
        bound = float(cosines.quantile(RARE)) if len(cosines) else 1.0
        return vectors, ordinary, bound + ROUNDING

    def _embeddings(self, subject: Subject) -> tuple[Tensor, Tensor]:
        model: Any = subject.model
        weights = model.get_input_embeddings().weight.detach().float()
        known = torch.zeros(len(weights), dtype=torch.bool, device=weights.device)
        known[: len(subject.tokenizer)] = True
        return weights, known

    def _glove(self, subject: Subject, path: Path) -> tuple[Tensor, Tensor]:
        vocabulary = subject.tokenizer.get_vocab()
        vectors = read_glove(path, {strip_marks(token) for token in vocabulary})
        rows = torch.zeros(max(vocabulary.values()) + 1, dtype=torch.long)
        for token, i in vocabulary.items():
            (rows[i],) = vectors.look_up([strip_marks(token)])
        return vectors.table[rows].to(subject.device), (rows > 0).to(subject.device)


def text_tokens(subject: Subject) -> list[int]:
    """The tokens at the beginning of the embedded text, as often as they occur."""
    text = ""
    for sentences in read_sentences(text_corpus()):
        text += " ".join(sentences)
        if len(text) > TEXT:
            break
    ids: list[int] = subject.tokenizer(text[:TEXT], add_special_tokens=False, verbose=False)["input_ids"]
    return ids


SENTENCE_ENDS = frozenset(".!?")


@dataclass(frozen=True)
class PatternText(SourceOver):
    """A source of text whose batches also say what patterns need: which tokens are special, akin (where a
    kinship is given), and of one sentence (A or B where there are pairs, else what stands between full
    stops)."""

    kinship: Kinship | None = None

    def describe(self) -> dict[str, Any]:
        related = {} if self.kinship is None else {"related": self.kinship.describe()}
        return {**self.source.describe(), **related}

    def batches(self, subject: Subject, items: Sequence[Any]) -> Iterator[Batch]:
        for batch in self.source.batches(subject, items):
            yield annotate_batch(subject, batch, self.kinship)


def annotate_batch(subject: Subject, batch: Batch, kinship: Kinship | None) -> PatternBatch:
    texts = {}
    special = torch.tensor(sorted(set(subject.tokenizer.all_special_ids)), device=subject.device)
    for side, tokens in batch.sides.items():
        if tokens.ids is None:
            continue
        specials = torch.isin(tokens.ids, special) & tokens.real
        sentence = torch.full_like(tokens.ids, -1)
        if "sentence_b" in tokens.classes:
            for number, name in enumerate(("sentence_a", "sentence_b")):
                sentence = sentence.masked_fill(tokens.classes[name], number)
        else:
            ends = torch.isin(tokens.ids, _ends(subject.tokenizer).to(subject.device)) & tokens.real
            before = ends.cumsum(-1) - ends.long()  # a full stop belongs to what it ends
            sentence = torch.where(tokens.real & ~specials, before, sentence)
        akin = None if kinship is None else kinship.related(subject, tokens.ids)
        unknown = torch.isin(tokens.ids, _unknown_token(subject.tokenizer).to(subject.device)) & tokens.real
        texts[side] = PatternTokens(
            tokens.ids, tokens.real, specials, sentence, akin, batch.ids, unknown, classes_of(tokens)
        )
    return PatternBatch(batch.inputs, batch.sides, batch.ids, texts)


def _unknown_token(tokenizer: Any) -> Tensor:
    """[UNK], unless the same token begins or ends texts as well (GPT-2's does)."""
    others = (getattr(tokenizer, f"{role}_token_id", None) for role in ("bos", "eos", "cls", "sep", "pad"))
    unknown = getattr(tokenizer, "unk_token_id", None)
    return torch.tensor([] if unknown is None or unknown in others else [unknown], dtype=torch.long)


@lru_cache(maxsize=4)
def _ends(tokenizer: Any) -> Tensor:
    """The tokens that end a sentence; going through a vocabulary takes longer than a GPU's batch."""
    return torch.tensor([i for t, i in tokenizer.get_vocab().items() if strip_marks(t) in SENTENCE_ENDS])
