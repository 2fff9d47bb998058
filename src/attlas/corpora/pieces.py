"""A tokenizer's pieces, and nothing else of it; word by word where that gives the same: words repeat."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Iterable
from itertools import chain
from typing import Any

MOST_WORDS = 2**18  # that are remembered, in some 60 MB
#: BERT's tokenizer makes a word of each of these
_MARKS = ".,;:!?()\"'-"
LONGEST_WORDS = 32  # characters on average: texts without spaces are not worth remembering
#: between words in a text for byte-level tokenizers, whose pieces may hang together across other spaces
_SINGLE_SPACE = re.compile(r"(?<=\S) (?=\S)")
_OTHER_SPACE = re.compile(r"[^\S ]|  |^ | $")
#: a mark that ends a word, which no byte-level tokenizer joins to the word or the space after it
_LAST_MARK = re.compile("(?<=[A-Za-z])([.,;:!?])(?=\x1f|$)")
#: how GPT-4, Llama 3 and Qwen split text before they look for pieces: at most one space, before a word
_SPLITS = tuple(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|" + digits + r"| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    for digits in (r"\p{N}{1,3}", r"\p{N}")
)


class Pieces:
    """Texts -> the pieces of each, without special tokens.

    Where a tokenizer's pieces never reach over a space, a word has the same pieces in every text, and those
    of words that were met before are looked up, which is faster than making them again. `words` says how:
    `alone`, a word's pieces are those of the word by itself (BERT); `spaced`, those of the word with the
    space before it (byte-level tokenizers); None, whole texts are tokenised.
    """

    def __init__(self, tokenizer: Any) -> None:
        #: its Rust part alone, where it has one: faster, and nothing of transformers is needed to unpickle it
        self._backend: Any = getattr(tokenizer, "backend_tokenizer", None)
        self._tokenizer: Any = tokenizer if self._backend is None else None
        self.words = _words(tokenizer)
        self._known: dict[str, tuple[int, ...]] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_known": {}}

    def __call__(self, texts: list[str]) -> list[list[int]]:
        if self.words is None:
            return self._tokenise(texts)
        split = [_split_words(text) if self.words == "alone" else _split_at_spaces(text) for text in texts]
        worth = [len(text) <= LONGEST_WORDS * len(words) for text, words in zip(texts, split, strict=True)]
        made = iter(
            self._tokenise([text for text, looked_up in zip(texts, worth, strict=True) if not looked_up])
        )
        remembered = iter(
            self._look_up([words for words, looked_up in zip(split, worth, strict=True) if looked_up])
        )
        return [next(remembered) if looked_up else next(made) for looked_up in worth]

    def _look_up(self, texts: list[list[str]]) -> list[list[int]]:
        if len(self._known) > MOST_WORDS:
            self._known = {}
        known = self._known  # another thread may begin a new one meanwhile
        new = list(set(chain.from_iterable(texts)).difference(known))
        known.update(zip(new, map(tuple, self._tokenise(new)), strict=True))
        return [list(chain.from_iterable(map(known.__getitem__, words))) for words in texts]

    def _tokenise(self, texts: list[str]) -> list[list[int]]:
        if not texts:
            return []
        if self._backend is not None:
            if self._backend.truncation is not None or self._backend.padding is not None:
                self._backend = _whole_texts(self._backend)  # somebody else wants short ones, or even ones
            return [
                encoding.ids for encoding in self._backend.encode_batch_fast(texts, add_special_tokens=False)
            ]
        unasked = {"return_attention_mask": False, "return_token_type_ids": False, "verbose": False}
        pieces: list[list[int]] = self._tokenizer(texts, add_special_tokens=False, **unasked)["input_ids"]
        return pieces


def _whole_texts(backend: Any) -> Any:
    """A copy that neither truncates nor pads."""
    copied = copy.deepcopy(backend)
    copied.no_truncation()
    copied.no_padding()
    return copied


def _split_words(text: str) -> list[str]:
    for mark in _MARKS:
        text = text.replace(mark, f" {mark} ")
    return text.split(" ")


def _split_at_spaces(text: str) -> list[str]:
    """Words with the space before them, and the marks that end them by themselves."""
    if "\x1f" in text:
        return [text]
    spread = _SINGLE_SPACE.sub("\x1f ", text) if _OTHER_SPACE.search(text) else text.replace(" ", "\x1f ")
    return _LAST_MARK.sub("\x1f\\1", spread).split("\x1f")


def _words(tokenizer: Any) -> str | None:
    """Whether pieces are those of words, by what the tokenizer is made of."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None or backend.pre_tokenizer is None or getattr(backend.model, "dropout", None):
        return None
    added = list(tokenizer.added_tokens_decoder.values())
    normalizer, splits = _steps(backend.normalizer), _steps(backend.pre_tokenizer)
    if [s["type"] for s in splits] == ["BertPreTokenizer"]:
        plain = all(n["type"] in ("BertNormalizer", "Lowercase") for n in normalizer)
        return "alone" if plain and not _reach_over(added, _MARKS) else None
    if all(n["type"] == "NFC" for n in normalizer) and _splits_before_spaces(splits):
        return None if _reach_over(added, ".,;:!?\x1f") else "spaced"
    return None


def _reach_over(added: Iterable[Any], marks: str) -> bool:
    """Whether a token that was added to the vocabulary has spaces or marks inside, or takes the space after
    it."""
    return any(token.rstrip or any(c.isspace() or c in marks for c in token.content) for token in added)


def _steps(part: Any) -> list[dict[str, Any]]:
    """The steps of a normalizer or pre-tokenizer, as its file would have them."""
    if part is None:
        return []
    about: dict[str, Any] = json.loads(part.__getstate__())
    return about.get("pretokenizers") or about.get("normalizers") or [about]


def _splits_before_spaces(steps: list[dict[str, Any]]) -> bool:
    *before, last = steps
    if last["type"] != "ByteLevel" or last["add_prefix_space"]:
        return False
    if last["use_regex"]:
        return all(step["type"] == "Digits" for step in before)
    return [(s["type"], s.get("pattern"), s.get("behavior"), s.get("invert")) for s in before] in [
        [("Split", {"Regex": split}, "Isolated", False)] for split in _SPLITS
    ]


def tokenizer_hash(tokenizer: Any) -> str:
    backend = getattr(tokenizer, "backend_tokenizer", None)
    written = backend.to_str() if backend is not None else repr(sorted(tokenizer.get_vocab().items()))
    return hashlib.sha256(written.encode()).hexdigest()
