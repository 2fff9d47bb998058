"""Who writes queries and keys, in the order of a model, and as people read it."""

from __future__ import annotations

from attlas.address import Head
from attlas.subject import Subject
from attlas.tap.score_parts import Writer
from attlas.tap.stream_parts import BIASES, EMBEDDINGS, FEED_FORWARD, POSITIONS, TOKEN_TYPES

FIRST = (EMBEDDINGS, POSITIONS, TOKEN_TYPES, BIASES)
_WORDS = {
    EMBEDDINGS: "the tokens' embeddings",
    POSITIONS: "their positions",
    TOKEN_TYPES: "the types of their tokens",
    BIASES: "biases",
}


def every_writer(subject: Subject) -> list[Writer]:
    """Everything that may write: embeddings and biases, then layer by layer heads and feed-forward layer."""
    writers: list[Writer] = [*FIRST]
    for layer in range(1 + max(head.layer for head in subject.heads)):
        writers += [head for head in subject.heads if head.layer == layer]
        writers.append(f"{FEED_FORWARD}.{layer}")
    return writers


def address_of(writer: Writer) -> tuple[str, int, int]:
    """part, layer and head, as tables have them: -1 where there is none."""
    if isinstance(writer, Head):
        return writer.kind, writer.layer, writer.head
    name, _, layer = writer.partition(".")
    return name, int(layer or -1), -1


def name_writer(part: str, layer: int, head: int) -> str:
    """As people read it: 10.2, MLP 3, the tokens' embeddings."""
    if head >= 0:
        return f"{layer}.{head}" if part in ("decoder", "encoder") else f"{part}.{layer}.{head}"
    return f"MLP {layer}" if part == FEED_FORWARD else _WORDS[part]
