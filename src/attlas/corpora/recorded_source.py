"""RecordedSource: the texts of a recording, as items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from attlas.corpora.batches import Batch
from attlas.corpora.classes import TokenClasses
from attlas.corpora.recording import Recording
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard, fewest, make_shards
from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.subject import Subject

TEXTS_IN_A_SHARD = 16


class RecordedTokens:
    """The tokens of a recording in the place of a tokenizer: it knows those that occur, and cannot cut text.

    A space before a word becomes SentencePiece's mark, which classes of tokens look through: `.` and ` .` are
    both periods."""

    mask_token_id = None

    def __init__(self, recording: Recording, looks_ahead: bool) -> None:
        self.path = recording.path
        every = dict.fromkeys(mark_space(token) for _, tokens in recording.texts for token in tokens)
        self.vocabulary = {token: number for number, token in enumerate(every)}
        pairs = [("[CLS]", "[SEP]")] + [("<s>", "</s>")] * looks_ahead  # elsewhere <s> begins any text
        cls, sep = next((pair for pair in pairs if all(token in every for token in pair)), ("", ""))
        self.all_special_tokens = [token for token in (cls, sep) if token]
        self.cls_token_id, self.sep_token_id = self.vocabulary.get(cls), self.vocabulary.get(sep)

    def __len__(self) -> int:
        return len(self.vocabulary)

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise AttlasError(
            f"{self.path} is recorded attention: it has texts of its own, and no tokenizer to read others"
        )

    def get_vocab(self) -> dict[str, int]:
        return dict(self.vocabulary)

    def ids(self, tokens: Sequence[str]) -> list[int]:
        return [self.vocabulary[mark_space(token)] for token in tokens]

    def convert_ids_to_tokens(self, ids: Sequence[int]) -> list[str]:
        every = list(self.vocabulary)
        return [every[i] for i in ids]


def mark_space(token: str) -> str:
    return f"▁{token[1:]}" if token.startswith(" ") and len(token) > 1 else token


class RecordedText(NamedTuple):
    id: ItemId  # the number of the text is its document's
    ids: list[int]


@dataclass(frozen=True)
class RecordedSource:
    """Every text of a recording is an item, and a batch by itself: nothing is padded."""

    recording: Recording
    tokenizer: RecordedTokens
    classes: TokenClasses
    limit: int | None = None
    chosen: Chosen = ALL_ITEMS

    def describe(self) -> dict[str, Any]:
        path = self.recording.path
        corpus = {"name": path.name, "path": str(path), "sha256": self.recording.checksum}
        return {
            "corpus": corpus,
            "items": "texts",
            "tokens": self.recording.tokens_digest,  # they may stand in another file
            "limit": self.limit,
            "chosen": self.chosen.describe(),
        }

    def shards(self) -> Iterator[Shard]:
        return make_shards(len(self.recording.texts), TEXTS_IN_A_SHARD)

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        texts = [
            RecordedText(ItemId(number, 0), self.tokenizer.ids(self.recording.texts[number][1]))
            for number in islice(shard.content, fewest(most, self.limit))
        ]
        items = [text for text in texts if self.chosen(text)]
        counts = Counter(segments=len(items), tokens=sum(len(text.ids) for text in items))
        return PreparedShard(items, +counts, seen=len(texts))

    def batches(self, subject: Subject, items: Sequence[RecordedText]) -> Iterator[Batch]:
        for text in items:
            inputs = {"input_ids": torch.tensor([text.ids]), "text": torch.tensor([text.id.document])}
            placed = {name: tensor.to(subject.device) for name, tensor in inputs.items()}
            yield subject.annotate(placed, (text.id,), self.classes)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> RecordedSource:
        return replace(self, chosen=self.chosen.and_also(chosen))
