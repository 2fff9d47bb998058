"""A tokenizer's pieces, and nothing else of it."""

from __future__ import annotations

import hashlib
from typing import Any


def pieces_of(tokenizer: Any, texts: list[str]) -> list[list[int]]:
    """The pieces of each text, without special tokens."""
    if not texts:
        return []
    unasked = {"return_attention_mask": False, "return_token_type_ids": False, "verbose": False}
    found: list[list[int]] = tokenizer(texts, add_special_tokens=False, **unasked)["input_ids"]
    return found


def tokenizer_hash(tokenizer: Any) -> str:
    backend = getattr(tokenizer, "backend_tokenizer", None)
    written = backend.to_str() if backend is not None else repr(sorted(tokenizer.get_vocab().items()))
    return hashlib.sha256(written.encode()).hexdigest()
