"""Tokens say what they stand for, whatever bytes they are made of."""

from __future__ import annotations

import json

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from attlas.subject.spelling import spell_ids, spell_tokens

TEXT = "Café 你好, “naïve” 🙂 done"


@pytest.fixture(scope="module")
def byte_level():
    """A byte-level tokenizer as GPT-2's, that knows no character beyond ASCII as a whole."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, special_tokens=["<|end|>"])
    made.train_from_iterator(["the done The"] * 9, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|end|>")


def joined(tokens: list[str]) -> str:
    """The text again: a character that several tokens show counts where it begins."""
    import re

    return re.sub(r"…(.)…?", "", "".join(t if t.startswith("…") else t.replace("…", "") for t in tokens))


def test_byte_level_tokens_show_characters_and_give_the_text_back(byte_level):
    ids = byte_level(TEXT)["input_ids"]
    tokens = spell_ids(byte_level, ids)
    assert len(tokens) == len(ids)
    assert "".join(tokens[:3]) == "Caf"
    assert joined(tokens) == TEXT
    assert not any(c in "".join(tokens) for c in "ÃĠ½ł�")


def test_a_character_of_several_tokens_is_shown_in_each(byte_level):
    assert spell_ids(byte_level, byte_level("é")["input_ids"]) == ["é…", "…é"]
    assert spell_ids(byte_level, byte_level("你")["input_ids"]) == ["你…", "…你…", "…你"]


def test_special_tokens_are_names_and_half_characters_are_marked_as_lost(byte_level):
    ids = byte_level("é")["input_ids"]
    assert spell_ids(byte_level, [byte_level.eos_token_id, ids[0]]) == ["<|end|>", "�"]
    assert spell_ids(byte_level, [ids[0], byte_level.eos_token_id, ids[1]]) == ["�", "<|end|>", "�"]


def test_wordpieces_keep_their_mark(mini):
    tokens = spell_ids(mini.tokenizer, mini.tokenizer("strawberries")["input_ids"])
    assert tokens[0] == "[CLS]"
    assert any(token.startswith("##") for token in tokens)


def test_bytes_beside_sentencepieces_are_put_together():
    assert spell_tokens(["▁Ca", "f", "<0xC3>", "<0xA9>", "</s>"]) == [" Ca", "f", "é…", "…é", "</s>"]


def test_tokens_alone_tell_what_they_are():
    assert spell_tokens(["Caf", "Ã©", "Ġä½", "łå¥½"]) == ["Caf", "é", " 你…", "…你好"]
    # BERT's tokens are characters already, whatever they are
    assert spell_tokens(["[CLS]", "Ã", "##berries"]) == ["[CLS]", "Ã", "##berries"]


def test_subjects_spell_so(mini, subject_of):
    batch = mini.encode("Strawberries.")
    assert mini.strings(batch.sides["encoder"])[0] == "[CLS]"
    assert json.dumps(mini.strings(batch.sides["encoder"]))
