"""Words from pieces: characters decide, rows still sum to 1, for every kind of tokenizer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from attlas.corpora.alignment import WordBatch, aligned_batches, fits, word_maps, word_shares
from attlas.corpora.annotated_documents import Document, Sentence, Word, spread
from attlas.corpora.source import ItemId
from attlas.corpora.windows import DocumentWindows, SentenceWindows, Window, make_window, what_was_read
from attlas.errors import AttlasError
from attlas.subject import Subject

WORDS = ["the", "strawberries", ",", "did", "n't", "café", "naïve", "日本", "zum", "See", "'", "x"]


def document(*sentences: list[str], name: str = "d") -> Document:
    made = []
    for words in sentences:
        text, spans = spread(words, [True] * len(words))
        made.append(Sentence(text, tuple(Word(w, *span) for w, span in zip(words, spans, strict=True))))
    return Document(name, tuple(made))


def wordpiece() -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=90, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    tokenizer.train_from_iterator([" ".join(WORDS)] * 4, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]")


def byte_bpe() -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=290, special_tokens=["<pad>"], initial_alphabet=alphabet)
    tokenizer.train_from_iterator([" ".join(WORDS)] * 4, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>")


def sentencepiece() -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=60, special_tokens=["<pad>", "<unk>"], unk_token="<unk>")
    tokenizer.train_from_iterator([" ".join(WORDS), *WORDS] * 4, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", unk_token="<unk>")


TOKENIZERS: dict[str, Callable[[], PreTrainedTokenizerFast]] = {
    "wordpiece": wordpiece,
    "byte-level bpe": byte_bpe,
    "sentencepiece": sentencepiece,
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_every_word_is_spelled_by_its_own_pieces(name: str) -> None:
    tokenizer = TOKENIZERS[name]()
    window = make_window(ItemId(0, 0), document(WORDS), 0, 0, "words")
    encoded = tokenizer(window.text, return_offsets_mapping=True)
    offsets = [tuple(o) for o in encoded["offset_mapping"]]
    shares = word_shares([window.spans], [offsets])[0]  # piece word
    assert (shares.sum(0) > 0).all(), "no word is lost"
    for (start, end), share in zip(offsets, shares, strict=True):
        belongs = {i for i, (a, b) in enumerate(window.spans) if a < end and start < b}
        assert set(torch.nonzero(share).flatten().tolist()) == belongs
        assert not belongs or share.sum() == pytest.approx(1)


def test_a_piece_over_several_words_is_shared_by_characters() -> None:
    # `don't` as don + 't, where the treebank has do + n't; `zum` belongs to two words at once
    shares = word_shares([[(0, 2), (2, 5), (6, 9), (6, 9)]], [[(0, 0), (0, 3), (3, 5), (5, 9), (0, 0)]])[0]
    expected = [[0, 0, 0, 0], [2 / 3, 1 / 3, 0, 0], [0, 1, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0, 0]]
    np.testing.assert_allclose(shares.numpy(), expected, atol=1e-6)


@st.composite
def maps_and_shares(draw: st.DrawFn) -> tuple[torch.Tensor, torch.Tensor]:
    """Random weights, and pieces dealt to words: every piece to one word, some shared by two."""
    words = draw(st.integers(1, 5))
    pieces = draw(st.lists(st.integers(0, words - 1), min_size=words, max_size=10))
    pieces = sorted([*range(words), *pieces])  # every word has a piece
    shares = torch.zeros(1, len(pieces), words)
    for i, word in enumerate(pieces):
        part = draw(st.sampled_from([1.0, 1.0, 0.25]))
        shares[0, i, word] = part
        shares[0, i, (word + 1) % words] += 1 - part
    seed = draw(st.integers(0, 2**16))
    generator = torch.Generator().manual_seed(seed)
    weights = torch.rand(1, 2, len(pieces), len(pieces), generator=generator).mul(4).softmax(-1)
    return weights, shares


@settings(max_examples=60, deadline=None)
@given(maps_and_shares(), st.sampled_from(["mean", "first", "max"]))
def test_rows_still_sum_to_one(map_and_shares: tuple[torch.Tensor, torch.Tensor], rows: str) -> None:
    weights, shares = map_and_shares
    word_weights = word_maps(weights, shares, shares, rows)  # type: ignore[arg-type]
    torch.testing.assert_close(word_weights.sum(-1), torch.ones_like(word_weights[..., 0]), atol=1e-5, rtol=0)
    assert (word_weights >= 0).all()


def test_sum_over_to_pieces_and_mean_over_from_pieces_by_hand() -> None:
    weights = torch.tensor(
        [[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1], [0.25, 0.25, 0.25, 0.25], [0.7, 0.1, 0.1, 0.1]]
    )
    shares = torch.tensor([[1.0, 0], [1, 0], [0, 1], [0, 0]])  # pieces 0 and 1 spell a word, 3 is [SEP]
    args = weights[None, None], shares[None], shares[None]
    np.testing.assert_allclose(word_maps(*args)[0, 0].numpy(), [[0.5, 0.25], [0.5, 0.25]], atol=1e-6)
    np.testing.assert_allclose(word_maps(*args, "first")[0, 0].numpy(), [[0.3, 0.3], [0.5, 0.25]], atol=1e-6)
    # the largest of each column, .7 .3 .4 with [SEP], scaled to sum to 1
    np.testing.assert_allclose(word_maps(*args, "max")[0, 0].numpy(), [[0.5, 3 / 14], [0.5, 0.25]], atol=1e-6)


def batches(subject: Subject, windows: list[Window], **options: int) -> list[WordBatch]:
    return list(aligned_batches(subject, windows, **options))


def test_batches_hold_every_window_once_and_within_their_budget(mini: Subject) -> None:
    windows = [
        make_window(ItemId(i, 0), document(["a"] * (1 + 5 * i % 17)), 0, 0, "words") for i in range(40)
    ]
    budget = 4 * len(mini.heads) * 3 * 15**2
    made = batches(mini, windows, weight_bytes=budget, ahead=16)
    assert sorted(n for b in made for n in b.ids) == [(i, 0) for i in range(40)]
    for batch in made:
        rows, length = batch.inputs["input_ids"].shape
        assert rows == 1 or rows * length**2 * 4 * len(mini.heads) <= budget
        assert [w.id for w in batch.windows] == list(batch.ids)
        # padding and special tokens spell no word
        assert (batch.shares["encoder"].sum(-1).bool() <= batch.sides["encoder"].real).all()


def test_an_encoder_decoder_reads_the_text_again_one_place_later(
    subject_of: Callable[[str], Subject],
) -> None:
    subject = subject_of("t5")
    (batch,) = batches(
        subject, [make_window(ItemId(0, 0), document(["strawberries", "grow"]), 0, 0, "words")]
    )
    encoder, decoder = batch.pieces["encoder"][0], batch.pieces["decoder"][0]
    assert decoder[1:] == encoder[:-1]
    torch.testing.assert_close(batch.shares["decoder"][:, 1:], batch.shares["encoder"][:, :-1])


def test_documents_are_cut_at_sentences_and_the_cut_is_counted(mini: Subject) -> None:
    counts = Counter[str]()
    long = document(["one", "two"], ["three"] * 30, ["four"], ["five", "six"], ["seven"] * 9)
    windows = list(DocumentWindows()(0, long, fits(mini, 12), counts))
    windows += DocumentWindows()(1, document(["x"]), fits(mini, 12), counts)
    assert [(w.id, w.first, w.last) for w in windows] == [
        ((0, 0), 0, 0),
        ((0, 1), 2, 3),
        ((0, 2), 4, 4),
        ((1, 0), 0, 0),
    ]
    assert +counts == Counter(too_long=1, split=1)
    assert windows[1].place(3, 1) == 2
    assert "1 longer than the window left out; 1 document cut at a sentence" in what_was_read(counts)


def test_sentences_of_other_lengths_are_left_out_and_counted(mini: Subject) -> None:
    counts = Counter[str]()
    sentences = document(["a"], ["a", "b"], ["a"] * 5, ["a"] * 30)
    windows = list(SentenceWindows(shortest=2, longest=30)(0, sentences, fits(mini, 12), counts))
    assert [(w.id.place, len(w.words)) for w in windows] == [(0, 2), (1, 5)]
    assert counts == Counter(other_length=1, too_long=1)


def test_a_window_longer_than_the_model_takes_is_refused(mini: Subject) -> None:
    with pytest.raises(AttlasError, match="the window has 4,096 tokens"):
        fits(mini, 4096)
    with pytest.raises(AttlasError, match="too short"):
        fits(mini, 2)


def test_a_subject_without_a_fast_tokenizer_is_refused(mini: Subject) -> None:
    with pytest.raises(AttlasError, match="has no tokenizer"):
        fits(Subject(mini.model, None, "bare"), 20)
