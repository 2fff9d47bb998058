"""What a token says, without what its tokenizer marks in it. No library is needed for it."""

PUNCTUATION = frozenset(".,")


def bare(token: str) -> str:
    """A token without its word-boundary mark."""
    return token.removeprefix("Ġ").removeprefix("▁").removesuffix("</w>")
