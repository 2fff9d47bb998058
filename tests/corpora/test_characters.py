"""Tokenizers that do not say where their pieces stand: characters tell, as those that say it would."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from transformers import ByT5Tokenizer, PreTrainedTokenizerBase
from transformers.models.bert.tokenization_bert_legacy import BertTokenizerLegacy

from attlas.corpora.alignment import aligned_batches
from attlas.corpora.annotated_documents import Document, Sentence, Word
from attlas.corpora.source import ItemId
from attlas.corpora.token_text import spans_of
from attlas.corpora.windows import Window
from attlas.subject import Subject

TEXTS = [
    "The naïve café, it didn't sell straw-berries!",
    "Strawberries   with  Spaces\tand CAPITALS.",
    "An unknown ☃ stands between words ☃☃ .",
]


@pytest.fixture
def slow(mini: Subject, tmp_path: Path) -> PreTrainedTokenizerBase:
    """mini's tokenizer, as Python code that keeps no places."""
    vocabulary = sorted(mini.tokenizer.get_vocab().items(), key=lambda item: item[1])
    (tmp_path / "vocab.txt").write_text("\n".join(token for token, _ in vocabulary) + "\n", encoding="utf-8")
    return BertTokenizerLegacy(str(tmp_path / "vocab.txt"))


def windows() -> list[Window]:
    made = []
    for number, text in enumerate(TEXTS):
        words = tuple(Word(match[0], *match.span()) for match in re.finditer(r"\S+", text))
        document = Document(str(number), (Sentence(text, words),))
        spans = tuple((word.start, word.end) for word in words)
        made.append(Window(ItemId(number, 0), document, 0, 0, text, words, spans, (0,)))
    return made


def test_places_are_those_of_a_tokenizer_that_says_them(mini: Subject, slow: PreTrainedTokenizerBase) -> None:
    assert not slow.is_fast
    other = Subject(mini.model, slow, "slow")
    (said,), (slow_batch,) = (
        list(aligned_batches(subject, windows(), weight_bytes=2**40)) for subject in (mini, other)
    )
    assert torch.equal(said.inputs["input_ids"], slow_batch.inputs["input_ids"])
    assert [[(p.start, p.end) for p in row] for row in said.pieces["encoder"]] == [
        [(p.start, p.end) for p in row] for row in slow_batch.pieces["encoder"]
    ]


def test_bytes_of_one_character_share_it() -> None:
    text = "a é b"
    tokens = ByT5Tokenizer().tokenize(text)
    spans = spans_of(text, tokens)
    assert [text[start:end] for start, end in spans] == ["a", "", "é", "é", "", "b"]


@pytest.mark.parametrize(
    ("pieces", "says"),
    [
        (["straw", "##berries"], ["straw", "Berries"]),
        (["▁straw", "berries"], ["straw", "Berries"]),
        (["straw@@", "berries"], ["straw", "Berries"]),
        ([None, "straw", "", None], ["", "straw", "Berries", ""]),
    ],
)
def test_marks_of_pieces_are_looked_through(pieces: list[str | None], says: list[str]) -> None:
    assert [("strawBerries")[start:end] for start, end in spans_of("strawBerries", pieces)] == says
