"""Pairs of texts that differ in what should be answered, and what they are to a tokenizer.

A decoder answers after the last token. A masked model answers at its mask, which stands in both texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from attlas.corpora.lines import json_of, raw_lines, shortened, wrong
from attlas.corpora.segments import Template, template_of
from attlas.corpora.source import ItemId

FIELDS = ("clean", "corrupt", "answer", "wrong")


@dataclass(frozen=True)
class Pair:
    """`answer` belongs to the clean text and `wrong` does not. `where` is its place, for messages."""

    clean: str
    corrupt: str
    answer: str
    wrong: str
    where: str = ""


@dataclass(frozen=True)
class PairItem:
    """A pair in tokens: both texts have as many, and the answer stands, or would stand, at `place`."""

    id: ItemId
    clean: tuple[int, ...]
    corrupt: tuple[int, ...]
    place: int  # of the token whose logits are read
    answer: int
    wrong: int


def read_pairs(path: Path, most: int | None = None) -> list[Pair]:
    """The pairs of a file of JSON lines, or its first. A line that is none is an error."""
    return list(islice(_pairs_in(path), most))


def _pairs_in(path: Path) -> Iterator[Pair]:
    for line, raw in raw_lines(path):
        if not raw.strip():
            continue
        record = json_of(path, line, raw)
        if not isinstance(record, dict):
            raise wrong(path, line, f"a record with {', '.join(FIELDS)} is needed, not {_kind(record)}")
        for field in FIELDS:
            if field not in record:
                has = ", ".join(map(repr, list(record)[:8])) or "none"
                raise wrong(path, line, f"the pair has no field {field!r} (it has {has})")
            _check_text(path, line, field, record[field])
        yield Pair(**{field: record[field] for field in FIELDS}, where=f"line {line}")


def _kind(value: object) -> str:
    return "nothing" if value is None else type(value).__name__


def _check_text(path: Path, line: int, field: str, value: object) -> None:
    if not isinstance(value, str):
        raise wrong(path, line, f"its {field!r} is {_kind(value)}, not text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise wrong(path, line, f"its {field!r} has half a character, at {error.start}") from error
    if not value.strip():
        raise wrong(path, line, f"its {field!r} is empty")


@dataclass(frozen=True)
class PairFitter:
    """Makes tokens of pairs. A pair that does not fit is a ValueError that says why."""

    tokenizer: Any
    masked: bool  # whether the model answers at a mask
    longest: int | None = None  # tokens that it takes

    @cached_property
    def _template(self) -> Template:
        return template_of(self.tokenizer)

    def fit(self, pair: Pair, number: int) -> PairItem:
        self._check_mask(pair)
        clean, corrupt = (self._ids(text) for text in (pair.clean, pair.corrupt))
        if len(clean) != len(corrupt):
            raise ValueError(f"the clean text has {len(clean)} tokens and the corrupt one {len(corrupt)}")
        if clean == corrupt:
            raise ValueError("both texts have the same tokens")
        answer, other = (self._answer(pair.clean, clean, text) for text in (pair.answer, pair.wrong))
        if answer == other:
            raise ValueError(f"the answer {pair.answer!r} and {pair.wrong!r} are the same token")
        place = self._mask_place(clean) if self.masked else len(clean) - 1
        if self.masked and self._mask_place(corrupt) != place:
            raise ValueError("the mask is not at the same place in both texts")
        before, after = self._template.before, self._template.after if self.masked else ()
        whole = [(*before, *ids, *after) for ids in (clean, corrupt)]
        if self.longest is not None and len(whole[0]) > self.longest:
            raise ValueError(f"the texts have {len(whole[0]):,} tokens, and {self.longest:,} are the most")
        return PairItem(ItemId(number, 0), whole[0], whole[1], len(before) + place, answer, other)

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        return ids

    def _check_mask(self, pair: Pair) -> None:
        if not self.masked:
            return
        mask = self.tokenizer.mask_token
        for name, text in (("clean", pair.clean), ("corrupt", pair.corrupt)):
            if (many := text.count(mask)) != 1:
                has = "no" if not many else f"{many} times"
                raise ValueError(f"the {name} text has {has} {mask}: write it once, where the answer goes")

    def _mask_place(self, ids: list[int]) -> int:
        return ids.index(self.tokenizer.mask_token_id)

    def _answer(self, text: str, ids: list[int], answer: str) -> int:
        """The token that the answer is in its place: all others stay as they are."""
        if self.masked:
            place, length = self._mask_place(ids), len(ids)
            filled = self._ids(text.replace(self.tokenizer.mask_token, answer))
        else:
            place, length = len(ids), len(ids) + 1
            filled = self._ids(text + answer)
        kept = (
            len(filled) == length and filled[:place] + filled[place + 1 :] == ids[:place] + ids[place + 1 :]
        )
        if kept and filled[place] != self.tokenizer.unk_token_id:
            return filled[place]
        if self.masked:
            raise ValueError(f"{shortened(answer)} is not one token in place of {self.tokenizer.mask_token}")
        joined = not answer[:1].isspace() and not text[-1:].isspace()
        hint = f": did you mean {shortened(' ' + answer)}?" if joined else ""
        raise ValueError(f"{shortened(answer)} is not one token after the clean text{hint}")
