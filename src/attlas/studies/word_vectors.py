"""Vectors of words: from a file in GloVe's format, or the model's own input embeddings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.lines import quote, raw_lines, wrong
from attlas.errors import AttlasError, option
from attlas.files import file_hash
from attlas.subject import Subject

UNKNOWN = 0  # the row of words that have no vector: zeros


@dataclass(frozen=True)
class WordVectors:
    """Words in lower case, and a row for each of them after that of unknown words."""

    name: str
    rows: dict[str, int]
    table: Tensor  # row dim

    def look_up(self, words: Iterable[str]) -> list[int]:
        return [self.rows.get(word.lower(), UNKNOWN) for word in words]

    def digest(self) -> str:
        words = "\n".join(self.rows)  # in the order of their rows
        return sha256(words.encode() + self.table.numpy().tobytes()).hexdigest()


def check_words(path: Path) -> None:
    if not path.is_file():
        problem = "this is not a file" if path.exists() else "there is no such file"
        raise AttlasError(f"{option('word_vectors', str(path))}: {problem}")


def checksum(path: Path) -> str:
    """The hash of a file of vectors: another file of the same name is not the same words."""
    check_words(path)
    return file_hash(path)


def read_glove(path: Path, wanted: Collection[str]) -> WordVectors:
    """Words with their numbers, a line each, separated by spaces; of any dimension. Only the words that are
    `wanted`, in lower case, are kept."""
    check_words(path)
    wanted = {word.lower() for word in wanted}
    rows: dict[str, int] = {}
    vectors: list[np.ndarray[Any, np.dtype[np.float32]]] = []
    dim: int | None = None
    for number, raw in raw_lines(path):
        # GloVe's largest file has words of several parts: the numbers are the last ones
        parts = raw.decode("utf-8", errors="replace").rstrip().split(" ")
        if number == 1 and len(parts) == 2 and all(part.isdigit() for part in parts):
            continue  # word2vec's text format says first how many there are
        dim = len(parts) - 1 if dim is None else dim
        if dim < 1:
            raise wrong(path, number, "no numbers after the word")
        if len(parts) <= dim:
            many = "1 number" if len(parts) == 2 else f"{len(parts) - 1} numbers"
            raise wrong(path, number, f"{many} after the word, and {dim} in the first line")
        word = " ".join(parts[:-dim]).lower()
        if word not in wanted or word in rows:
            continue
        try:
            with np.errstate(over="ignore"):  # what is too large is found below
                vector = np.array([float(part) for part in parts[-dim:]], np.float32)
        except ValueError:
            bad = next(part for part in parts[-dim:] if not _is_number(part))
            raise wrong(path, number, f"{quote(bad)} is not a number") from None
        if not np.isfinite(vector).all():
            raise wrong(path, number, f"the vector of {quote(word)} is not finite")
        rows[word] = len(vectors) + 1
        vectors.append(vector)
    if dim is None:
        raise AttlasError(f"{path} is empty: it should have a word and its numbers in every line")
    if not vectors:
        raise AttlasError(f"{path} has a vector for none of the words that are read")
    table = np.concatenate([np.zeros((1, dim), np.float32), np.stack(vectors)])
    return WordVectors(path.name, rows, torch.from_numpy(table))


def model_vectors(subject: Subject, wanted: Collection[str]) -> WordVectors:
    """The mean of the input embeddings of a word's pieces, scaled so that numbers vary by 1."""
    model: Any = subject.model
    weights: Tensor = model.get_input_embeddings().weight.detach().float().cpu()
    words = sorted({word.lower() for word in wanted})
    pieces: Sequence[list[int]] = subject.tokenizer(words, add_special_tokens=False, verbose=False)[
        "input_ids"
    ]
    known = [(word, ids) for word, ids in zip(words, pieces, strict=True) if ids]
    vectors = torch.stack([weights[ids].mean(0) for _, ids in known])
    table = torch.cat([torch.zeros(1, weights.shape[1]), vectors / vectors.std()])
    return WordVectors(
        f"input embeddings of {subject.name}", {w: i for i, (w, _) in enumerate(known, 1)}, table
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
