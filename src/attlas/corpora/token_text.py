"""The marks that tokenizers write into tokens, and tokens without them. The marks are listed here alone; what
a reader of tokens does with one is its own."""

from collections.abc import Collection
from itertools import product

PUNCTUATION = frozenset(".,")

WORD_BEGINS = ("Ġ", "▁")  # a space before the token: byte-level tokenizers, SentencePiece
WORD_GOES_ON = "##"  # WordPiece: the token belongs to the word before it
WORD_ENDS = "</w>"  # CLIP and others: a space after the token
PIECE_GOES_ON = "@@"  # fastBPE: the next token belongs to this word

BYTE_LINE, BYTE_TAB = "Ċ", "ĉ"  # how byte-level tokenizers write \n and \t


def bare(token: str) -> str:
    """A token without its word-boundary mark."""
    for mark in WORD_BEGINS:
        token = token.removeprefix(mark)
    return token.removesuffix(WORD_ENDS)


def spellings(tokens: Collection[str]) -> set[str]:
    """Every spelling that `bare` may turn into one of these tokens."""
    begins = ["".join(marks) for marks in product(*(("", mark) for mark in WORD_BEGINS))]
    return {f"{begin}{token}{end}" for token in tokens for begin in begins for end in ("", WORD_ENDS)}
