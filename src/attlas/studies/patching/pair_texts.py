"""Pairs of texts that differ in what should be answered; what they are to a tokenizer; and as a source,
what a model reads of each, clean and corrupt, in batches.

A decoder answers after the last token. A masked model answers at its mask, which stands in both texts."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import Batch, collate
from attlas.corpora.lines import parse_json_line, quote, raw_lines, wrong
from attlas.corpora.segments import Segment, Template, batches, template_of
from attlas.corpora.source import ItemId, MadeSource, PreparedShard, Shard
from attlas.corpora.text_formats import as_text
from attlas.subject import Subject

FIELDS = ("clean", "corrupt", "answer", "wrong")
CONTROL = "control"  # the field of another text with the same answer, which a pair may have
GROUP = "group"  # and of what it shares with other pairs


@dataclass(frozen=True)
class Pair:
    """`answer` belongs to the clean text and `wrong` does not. `controls` are other texts of the clean one's
    answer. `where` is its place, for messages. Pairs of one `group` (a subject, a template) are alike, and
    count as one document; a pair without one is its own."""

    clean: str
    corrupt: str
    answer: str
    wrong: str
    where: str = ""
    controls: tuple[str, ...] = ()
    group: str = ""

    def record(self) -> dict[str, str]:
        """Its fields in a file."""
        more = {CONTROL: self.controls[0]} if self.controls else {}
        more |= {GROUP: self.group} if self.group else {}
        return {**{name: getattr(self, name) for name in FIELDS}, **more}


@dataclass(frozen=True)
class PairItem:
    """A pair in tokens: both texts have as many, and the answer stands, or would stand, at `place`. Its
    document is its group."""

    id: ItemId
    clean: tuple[int, ...]
    corrupt: tuple[int, ...]
    place: int  # of the token whose logits are read
    answer: int
    wrong: int
    control: tuple[int, ...] = ()  # another text of the same answer; empty where none fits
    pair: Pair | None = None  # the texts, with the control that fits


def read_pairs(path: Path, most: int | None = None) -> list[Pair]:
    """The pairs of a file of JSON lines, or its first. A line that is none is an error."""
    return list(islice(_pairs_in(path), most))


def _pairs_in(path: Path) -> Iterator[Pair]:
    for line, raw in raw_lines(path):
        if not raw.strip():
            continue
        record = parse_json_line(path, line, raw)
        if not isinstance(record, dict):
            kind = "nothing" if record is None else type(record).__name__
            raise wrong(path, line, f"a record with {', '.join(FIELDS)} is needed, not {kind}")
        for name in FIELDS:
            if name not in record:
                has = ", ".join(map(repr, list(record)[:8])) or "none"
                raise wrong(path, line, f"the pair has no field {name!r} (it has {has})")
            if not _text_of(path, line, name, record[name]).strip():
                raise wrong(path, line, f"its {name!r} is empty")
        control = record.get(CONTROL)
        controls = () if control is None else (_text_of(path, line, CONTROL, control),)
        group = record.get(GROUP)
        shared = "" if group is None else _text_of(path, line, GROUP, group)
        fields = {name: record[name] for name in FIELDS}
        yield Pair(**fields, where=f"line {line}", controls=controls, group=shared)


def _text_of(path: Path, line: int, field: str, value: object) -> str:
    try:
        return as_text(value, field)
    except ValueError as error:
        raise wrong(path, line, str(error)) from error


@dataclass(frozen=True)
class PairFitter:
    """Makes tokens of pairs. A pair that does not fit is a ValueError that says why."""

    tokenizer: Any
    masked: bool  # whether the model answers at a mask
    longest: int | None = None  # tokens that it takes

    @cached_property
    def _template(self) -> Template:
        return template_of(self.tokenizer)

    def fit(self, pair: Pair, id: ItemId) -> PairItem:
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
        text, same = self._control(pair, clean)
        control = (*before, *same, *after) if same else ()
        at = id, whole[0], whole[1], len(before) + place, answer, other
        return PairItem(*at, control, replace(pair, controls=(text,) if same else ()))

    def _control(self, pair: Pair, clean: list[int]) -> tuple[str, list[int]]:
        """The first other text of the same answer that has as many tokens; none where no one fits."""
        for text in pair.controls:
            ids = self._ids(text)
            if len(ids) == len(clean) and ids != clean and self._masks(ids) == self._masks(clean):
                return text, ids
        return "", []

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

    def _masks(self, ids: list[int]) -> list[int]:
        """The places of masks, where the model answers at one."""
        mask = self.tokenizer.mask_token_id if self.masked else None
        return [place for place, token in enumerate(ids) if token == mask]

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
            raise ValueError(f"{quote(answer)} is not one token in place of {self.tokenizer.mask_token}")
        joined = not answer[:1].isspace() and not text[-1:].isspace()
        hint = f": did you mean {quote(' ' + answer)}?" if joined else ""
        raise ValueError(f"{quote(answer)} is not one token after the clean text{hint}")


SHARD = 16  # pairs: each is run thousands of times
TOKENS = {"cpu": 1024, "cuda": 16_384}  # of a batch


@dataclass(frozen=True)
class PairBatch(Batch):
    """The clean texts of some pairs, and beside them the corrupt ones. An answer is read at its place."""

    places: Tensor  # batch token: one in each row
    answers: Tensor  # batch
    wrongs: Tensor  # batch
    corrupt: PairBatch | None = None


@dataclass(frozen=True)
class PairSource(MadeSource):
    """Pairs that fit the model. `about` is where they come from, for the chapter's provenance."""

    items: tuple[PairItem, ...]
    about: tuple[tuple[str, Any], ...]
    batch: int | None = None
    shard: int | None = None  # tokens

    def describe(self) -> dict[str, Any]:
        written = repr(self.items).encode()
        return {
            "corpus": {**dict(self.about), "checksum": hashlib.sha256(written).hexdigest()},
            "items": "pairs",
            "pairs": len(self.items),
            "batch": self.batch,
            "shard_tokens": self.shard,
            "chosen": self.chosen.describe(),
        }

    @property
    def controls(self) -> PairSource:
        """The pairs whose corrupt text is one of the same answer, of those that have such a text."""
        items = tuple(replace(item, corrupt=item.control) for item in self.items if item.control)
        return replace(self, items=items)

    @property
    def unit(self) -> str:
        """What pairs of one document share; `pair` where each is its own."""
        return str(dict(self.about).get("unit", "pair"))

    def pairs(self) -> list[Pair]:
        return [item.pair for item in self.items if item.pair is not None]

    def lines(self) -> str:
        """The pairs as a file that `read_pairs` reads."""
        return "".join(json.dumps(pair.record(), ensure_ascii=False) + "\n" for pair in self.pairs())

    def shards(self) -> Iterator[Shard]:
        longest = max((len(item.clean) for item in self.items), default=1)
        size = SHARD if self.shard is None else max(1, self.shard // longest)
        for number, start in enumerate(range(0, len(self.items), size)):
            yield Shard(number, self.items[start : start + size])

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        kept = [item for item in shard.content[:most] if self.chosen(item)]
        counts = Counter(pairs=len(kept), tokens=sum(2 * len(item.clean) for item in kept))
        return PreparedShard(kept, counts)

    def batches(self, subject: Subject, items: Sequence[PairItem]) -> Iterator[PairBatch]:
        by_id = {item.id: item for item in items}
        tokens = TOKENS.get(subject.device.type, TOKENS["cpu"])
        for several in batches([_segment(item, item.clean) for item in items], self.batch, tokens):
            yield pair_batch(subject, [by_id[segment.id] for segment in several])


def pair_batch(subject: Subject, items: Sequence[PairItem]) -> PairBatch:
    clean = collate(subject, [_segment(item, item.clean) for item in items])
    corrupt = collate(subject, [_segment(item, item.corrupt) for item in items])
    places = torch.zeros_like(clean.inputs["input_ids"], dtype=torch.bool)
    places[torch.arange(len(items)), torch.tensor([item.place for item in items])] = True
    answers = torch.tensor([item.answer for item in items], device=subject.device)
    wrongs = torch.tensor([item.wrong for item in items], device=subject.device)
    other = PairBatch(corrupt.inputs, corrupt.sides, corrupt.ids, places, answers, wrongs)
    return PairBatch(clean.inputs, clean.sides, clean.ids, places, answers, wrongs, other)


def _segment(item: PairItem, ids: Sequence[int]) -> Segment:
    return Segment(item.id, np.array(ids, np.int32), np.zeros(len(ids), np.uint8))
