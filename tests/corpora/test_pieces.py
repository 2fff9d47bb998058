"""Pieces looked up word by word are the tokenizer's own, for every kind of tokenizer and any text."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from attlas.corpora.documents import read_sentences
from attlas.corpora.pieces import _SPLITS, Pieces
from attlas.corpora.text import text_corpus

SAMPLE = [sentence for document in read_sentences(text_corpus()) for sentence in document][:400]


def _bpe(*steps: pre_tokenizers.PreTokenizer, nfc: bool = False) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    if nfc:
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(list(steps)) if len(steps) > 1 else steps[0]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=800, initial_alphabet=alphabet, special_tokens=["<|end|>"])
    tokenizer.train_from_iterator(SAMPLE, trainer)
    return tokenizer


def _wordpiece() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    specials = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(SAMPLE, trainers.WordPieceTrainer(vocab_size=800, special_tokens=specials))
    tokenizer.add_special_tokens([AddedToken("[MASK]", lstrip=True)])
    return tokenizer


def _metaspace() -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=500, special_tokens=["<unk>"], unk_token="<unk>")
    tokenizer.train_from_iterator(SAMPLE, trainer)
    return tokenizer


def _spaces() -> Tokenizer:
    """A token was added that reaches over a space."""
    tokenizer = _wordpiece()
    tokenizer.add_tokens(["new york"])
    return tokenizer


BYTES = pre_tokenizers.ByteLevel(add_prefix_space=False)
PLAIN_BYTES = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
#: a tokenizer, and how its words are looked up
TOKENIZERS: dict[str, tuple[Callable[[], Tokenizer], str | None]] = {
    "bert": (_wordpiece, "alone"),
    "gpt-2": (lambda: _bpe(BYTES), "spaced"),
    "digits": (lambda: _bpe(pre_tokenizers.Digits(individual_digits=True), BYTES), "spaced"),
    "llama 3": (
        lambda: _bpe(pre_tokenizers.Split(Regex(_SPLITS[0]), "isolated"), PLAIN_BYTES, nfc=True),
        "spaced",
    ),
    "qwen": (lambda: _bpe(pre_tokenizers.Split(Regex(_SPLITS[1]), "isolated"), PLAIN_BYTES), "spaced"),
    "other split": (lambda: _bpe(pre_tokenizers.Split(Regex(r"\d+ ?"), "isolated"), PLAIN_BYTES), None),
    "prefix": (lambda: _bpe(pre_tokenizers.ByteLevel(add_prefix_space=True)), None),
    "sentencepiece": (_metaspace, None),
    "added space": (_spaces, None),
}


@cache
def tokenizer_of(name: str) -> PreTrainedTokenizerFast:
    return PreTrainedTokenizerFast(tokenizer_object=TOKENIZERS[name][0]())


@cache
def pieces_of(name: str) -> Pieces:
    return Pieces(tokenizer_of(name))


#: what words, marks and spaces there are to get wrong
PARTS = [
    "the",
    "New",
    "york",
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\t",
    "\u00a0",
    "\u3000",
    "\x1f",
    "\x1c",
    ".",
    "...",
    ",",
    "'t",
]
PARTS += [
    "don't",
    "3.14",
    "1234567",
    "café",
    "e\u0301",
    "\u0301",
    "日本",
    "[MASK]",
    "[SEP]",
    "<|end|>",
    "(a)",
    "U.S.",
    "Σας",
]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=12).map("".join) | st.text(max_size=20)


@pytest.mark.parametrize("name", TOKENIZERS)
def test_how_a_tokenizer_splits_is_known(name: str) -> None:
    assert pieces_of(name).words == TOKENIZERS[name][1]


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(max_examples=300, deadline=None)
@given(texts=st.lists(TEXTS, max_size=4))
@example(texts=["a" * 500, "", " ", "the", "the"])
def test_pieces_are_the_tokenizers_own(name: str, texts: list[str]) -> None:
    expected = [tokenizer_of(name)(text, add_special_tokens=False)["input_ids"] for text in texts]
    assert pieces_of(name)(texts) == expected


@pytest.mark.parametrize("name", TOKENIZERS)
def test_pieces_of_real_text_are_the_tokenizers_own(name: str) -> None:
    documents = [" ".join(document) for document in read_sentences(text_corpus())][:8]
    expected = tokenizer_of(name)(documents, add_special_tokens=False, verbose=False)["input_ids"]
    assert Pieces(tokenizer_of(name))(documents) == expected


def test_what_is_remembered_is_bounded_and_does_not_travel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attlas.corpora.pieces.MOST_WORDS", 100)
    pieces = Pieces(tokenizer_of("bert"))
    for start in range(0, 400, 20):
        some = SAMPLE[start : start + 20]
        assert pieces(some) == tokenizer_of("bert")(some, add_special_tokens=False)["input_ids"]
        assert len(pieces._known) < 100 + sum(len(s.split()) * 3 for s in some)
    assert len(pickle.dumps(pieces)) < len(pickle.dumps(tokenizer_of("bert"))) + 500


def test_a_tokenizer_that_truncates_still_gives_all_pieces() -> None:
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=_wordpiece())
    expected = tokenizer(SAMPLE[:5], add_special_tokens=False)["input_ids"]
    tokenizer.backend_tokenizer.enable_truncation(4)
    assert Pieces(tokenizer)(SAMPLE[:5]) == expected
