"""Which tokens are akin: by the cosine of their vectors, the model's input embeddings or GloVe's."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attlas.corpora.text import text_corpus
from attlas.corpora.token_text import bare
from attlas.studies.trees.word_vectors import read_glove
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
        """Of the file of vectors, which another may replace under the same name."""
        assert self.words is not None
        with self.words.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

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
        read = torch.tensor(_text_tokens(subject), dtype=torch.long, device=known.device)
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
        vectors = read_glove(path, {bare(token) for token in vocabulary})
        rows = torch.zeros(max(vocabulary.values()) + 1, dtype=torch.long)
        for token, i in vocabulary.items():
            (rows[i],) = vectors.look_up([bare(token)])
        return vectors.table[rows].to(subject.device), (rows > 0).to(subject.device)


def _text_tokens(subject: Subject) -> list[int]:
    """Of the beginning of the embedded text, as often as they occur."""
    text = ""
    for sentences in text_corpus().documents():
        text += " ".join(sentences)
        if len(text) > TEXT:
            break
    ids: list[int] = subject.tokenizer(text[:TEXT], add_special_tokens=False, verbose=False)["input_ids"]
    return ids
