"""Texts and records given in Python: a list of strings, a Hugging Face dataset (also a streamed one), or
anything else that gives records again each time it is read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attlas.corpora.corpus_files import broken_off
from attlas.corpora.documents import Content, Entry, Problem, TextDocument, in_parts, sentences_of
from attlas.corpora.json_lines import FIELD, text_of_record
from attlas.errors import AttlasError

CHOSEN_CHARACTERS = 2**20  # of chosen documents in a run


@dataclass(frozen=True)
class Records:
    """A document is a record: a string, or fields of which one is its text. Its number is its place."""

    records: Any
    name: str
    lines_are_sentences: bool = False
    field: str | None = None

    def describe(self) -> dict[str, Any]:
        about: dict[str, Any] = {"name": self.name, "checksum": self._checksum()}
        return about if self.field is None else {**about, "field": self.field}

    def _checksum(self) -> str | None:
        """Of texts that are held; what a dataset knows itself by; nothing for a stream."""
        if not isinstance(self.records, (list, tuple)):
            return getattr(self.records, "_fingerprint", None)
        digest = hashlib.sha256()
        for record in self.records:
            digest.update(repr(record).encode() + b"\n")
        return digest.hexdigest()

    def holding(self, characters: int) -> Records:
        return self

    def parts(self, characters: int) -> Iterator[Content]:
        return in_parts(self.entries(), characters)

    def spread(self, characters: int, seed: int) -> Iterator[Content]:
        if not self._has_places:
            return self.parts(characters)
        order = np.random.default_rng(seed).permutation(len(self.records))
        return in_parts((self._entry(n, self.records[n]) for n in order.tolist()), characters)

    def read(self, content: Content) -> Iterator[Entry]:
        for entry in content:
            assert isinstance(entry, (TextDocument, Problem)), "records travel with their shard"
            yield entry

    def entries(self) -> Iterator[Entry]:
        number = 0
        records = iter(self.records)
        while True:
            try:
                record = next(records)
            except StopIteration:
                return
            except Exception as error:  # a lost connection, a broken file: each has errors of its own
                raise broken_off(self.name, number, "documents", error) from error
            yield self._entry(number, record)
            number += 1

    def documents(self) -> Iterator[list[str]]:
        return sentences_of(self)

    def chosen(self, numbers: Sequence[int]) -> Iterator[Content]:
        return in_parts(self._chosen(sorted(numbers)), CHOSEN_CHARACTERS)

    def _chosen(self, numbers: list[int]) -> Iterator[Entry]:
        if self._has_places:
            for number in numbers:
                if number < len(self.records):
                    yield self._entry(number, self.records[number])
            return
        wanted = set(numbers)
        for number, entry in enumerate(self.entries() if numbers else ()):
            if number in wanted:
                yield entry
            if number >= numbers[-1]:
                return

    @property
    def _has_places(self) -> bool:
        """Whether any record can be read without those before it."""
        return hasattr(self.records, "__getitem__") and hasattr(self.records, "__len__")

    def _entry(self, number: int, record: object) -> Entry:
        name = f"{self.name}, document {number:,}"
        try:
            return TextDocument(number, name, text_of_record(record, self.field))
        except ValueError as error:
            return Problem(name, str(error))


def records_of(records: Iterable[Any], lines_are_sentences: bool, field: str | None) -> Records:
    if isinstance(records, dict):
        raise AttlasError(f"choose a split of the dataset: it has {', '.join(map(repr, records))}")
    if not isinstance(records, Iterable):
        raise AttlasError(f"a text is an address, texts or a dataset, not {type(records).__name__}")
    if isinstance(records, Iterator):
        raise AttlasError(
            f"a {type(records).__name__} can be read only once, and a corpus is read several times: "
            "give a list, a dataset or a file"
        )
    if isinstance(records, (list, tuple)):
        if not records:
            raise AttlasError("there are no texts")
        return Records(tuple(records), "texts", lines_are_sentences, field)
    about = getattr(records, "info", None)
    name = getattr(about, "dataset_name", None) or getattr(about, "builder_name", None)
    field = field or _only_text(records)
    return Records(records, str(name or type(records).__name__), lines_are_sentences, field)


def _only_text(dataset: Any) -> str | None:
    """The one column of strings of a dataset that has no `text`."""
    features = getattr(dataset, "features", None) or {}
    strings = ("string", "large_string")
    texts = [name for name, kind in features.items() if getattr(kind, "dtype", None) in strings]
    return texts[0] if FIELD not in texts and len(texts) == 1 else None
