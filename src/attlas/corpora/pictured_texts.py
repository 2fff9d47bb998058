"""Texts with pictures: JSON lines with the fields `text` and `images`, or a folder of pictures.

    {"text": "Where is the red square?", "images": ["squares/1.png"]}

Paths are relative to the file that names them. Every picture of a folder is an item, and the question is the
same for all.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard, Skips, fewest, make_shards
from attlas.corpora.text_formats import FIELD, text_of_record
from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.corpora.batches import Batch, TokenClasses
    from attlas.subject import Subject

IMAGES = "images"  # the field of a record that names its pictures
QUESTION = "Describe this picture."  # to a picture that comes without a text
PICTURE_ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"})
ITEMS_IN_A_SHARD = 16


@dataclass(frozen=True)
class PicturedText:
    """A text and the files of its pictures, or what is wrong with its record."""

    id: ItemId
    text: str
    images: tuple[Path, ...]
    problem: str = ""


def has_pictures(text: Any) -> bool:
    """Whether a corpus, as the user names it, is of texts with pictures."""
    if isinstance(text, str | Path):
        path = Path(text)
        if os.path.isdir(path):  # Path.is_dir raises for a name that is too long
            return any(file.suffix.lower() in PICTURE_ENDINGS for file in path.iterdir())
        return path.suffix == ".jsonl" and os.path.isfile(path) and _names_images(path)
    return isinstance(text, Sequence) and bool(text) and isinstance(text[0], Mapping) and IMAGES in text[0]


def _names_images(path: Path) -> bool:
    """Whether its first record does."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        first = next((line for line in lines if line.strip()), "")
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and IMAGES in record


@dataclass(frozen=True)
class PicturedTexts:
    """A corpus: its name, and its items in order."""

    name: str
    items: tuple[PicturedText, ...]

    @staticmethod
    def of(text: Any, field: str | None = None) -> PicturedTexts:
        if isinstance(text, str | Path) and Path(text).is_dir():
            files = sorted(file for file in Path(text).iterdir() if file.suffix.lower() in PICTURE_ENDINGS)
            items = (
                PicturedText(ItemId(n, 0), QUESTION, (path,), _irregular(path))
                for n, path in enumerate(files)
            )
            return PicturedTexts(Path(text).name, tuple(items))
        if isinstance(text, str | Path):
            path = Path(text)
            lines = [line for line in path.read_bytes().splitlines() if line.strip()]
            items = (_read(n, line, path.parent, field) for n, line in enumerate(lines))
            return PicturedTexts(path.name, tuple(items))
        items = (_item(n, record, Path(), field) for n, record in enumerate(text))
        return PicturedTexts("records", tuple(items))

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "items": len(self.items), "checksum": self._checksum}

    @cached_property
    def _checksum(self) -> str:
        digest = hashlib.sha256()
        for item in self.items:
            digest.update(repr((item.text, [str(i) for i in item.images], item.problem)).encode())
            for image in item.images:
                digest.update(image.read_bytes() if os.path.isfile(image) else b"")
        return digest.hexdigest()


def _irregular(file: Path) -> str:
    return "" if os.path.isfile(file) else f"{file.name} is not a regular file"


def _read(number: int, line: bytes, folder: Path, field: str | None) -> PicturedText:
    try:
        return _item(number, json.loads(line), folder, field)
    except (ValueError, RecursionError) as error:
        return PicturedText(ItemId(number, 0), "", (), f"line {number + 1}: this is not JSON ({error})")


def _item(number: int, record: Any, folder: Path, field: str | None) -> PicturedText:
    place = ItemId(number, 0)
    try:
        text = text_of_record(record, field or FIELD)
        named = record[IMAGES]
        named = [named] if isinstance(named, str | Path) else named
        if not isinstance(named, Sequence) or not all(isinstance(i, str | Path) for i in named) or not named:
            raise ValueError(f"its {IMAGES!r} is not a list of files")
    except (KeyError, ValueError) as error:
        return PicturedText(place, "", (), f"record {number + 1}: {error}")
    images = tuple(folder / image for image in named)
    missing = [image for image in images if not os.path.isfile(image)]  # or could not be
    problem = f"record {number + 1}: there is no picture {str(missing[0])[:200]}" if missing else ""
    return PicturedText(place, text, images, problem)


@dataclass(frozen=True)
class PicturedSource:
    """Texts with pictures as items, each a batch by itself: the pictures of one may be of another size than
    the next one's. Nothing is cut."""

    corpus: PicturedTexts
    classes: TokenClasses
    limit: int | None = None
    strict: bool = False
    chosen: Chosen = ALL_ITEMS
    #: makes the model's inputs of a text and its pictures, or raises what is wrong with them
    read: Callable[[str, Sequence[Path]], object] | None = None
    #: document -> what is wrong with it, of those that were read
    known: dict[int, str] = field(default_factory=dict, compare=False, repr=False)

    def describe(self) -> dict[str, Any]:
        return {
            "corpus": self.corpus.describe(),
            "items": "texts with pictures",
            "limit": self.limit,
            "strict": self.strict,
            "chosen": self.chosen.describe(),
        }

    def shards(self) -> Iterator[Shard]:
        return make_shards(len(self.corpus.items), ITEMS_IN_A_SHARD)

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        skipped, seen = Skips(self.strict), list[PicturedText]()
        for item in (self.corpus.items[number] for number in shard.content):
            if problem := item.problem or self._problem(item):
                skipped.add(f"{self.corpus.name}, {problem}")
            else:
                seen.append(item)
        seen = list(islice(seen, fewest(most, self.limit)))
        items = [item for item in seen if self.chosen(item)]
        skips, problems = skipped.take()
        counts = Counter(
            documents=len(items), segments=len(items), images=sum(len(i.images) for i in items), skipped=skips
        )
        return PreparedShard(items, +counts, problems, len(seen))

    def _problem(self, item: PicturedText) -> str:
        """What keeps the model from reading this text and its pictures. Each is tried once."""
        number = item.id.document
        if self.read is not None and number not in self.known:
            try:
                self.read(item.text, item.images)
                self.known[number] = ""
            except AttlasError as error:
                self.known[number] = f"record {number + 1}: {error}"
        return self.known.get(number, "")

    def batches(self, subject: Subject, items: Sequence[PicturedText]) -> Iterator[Batch]:
        for item in items:
            yield subject.encode_images(item.text, item.images, item.id, self.classes)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> PicturedSource:
        return replace(self, chosen=self.chosen.and_also(chosen))


def refuse_without_pictures(subject: Subject) -> None:
    if subject.processor is None:
        raise AttlasError(
            f"{subject.name} has no processor, so it cannot read pictures: its folder needs "
            "preprocessor_config.json, as transformers' save_pretrained writes it"
        )
