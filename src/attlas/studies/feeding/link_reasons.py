"""Why a head looks from one token at another, in one text: who wrote the query, and who wrote the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd
from rich.console import Console

from attlas.address import Head, Kind
from attlas.atlas.catalogue.result_tables import records
from attlas.corpora.batches import Batch, sides_of
from attlas.errors import AttlasError, option
from attlas.studies.feeding.link_parts import Link, LinkParts, TextLinks, WriterPart
from attlas.studies.feeding.writers import address_of, name_writer
from attlas.subject import Subject
from attlas.tap.score_parts import SIDES, ScoreParts, ScorePaths, Side
from attlas.wording.printing import ResultTable

LONGEST = 512  # tokens of a text
LISTED = 6  # writers in a table of the terminal, for either end
NAMED = 2  # writers in the sentence, for either end
MENTIONED = 0.1  # of the lift: a writer of less is not named
COLUMNS = ["end", "writer", "part", "layer", "head", "score", "lift", "looks_at", "weight"]


@dataclass(frozen=True, repr=False)
class LinkReasons:
    """Why a head looks from `query` at `key` (places in `tokens` and `key_tokens`). `table` has who wrote
    either: `score` is what that adds to the score, and `lift` what it adds beyond the mean of the other keys
    that the query may see, which is what decides where a head looks. `products` has what the strongest of
    both make together. Scores of either end add up to `score`; lifts, with `distance_lift`, to `lift`."""

    parts: LinkParts
    sides: Mapping[str, Sequence[str]]  # the tokens of every side that the model reads
    products: pd.DataFrame | None = None
    names: Mapping[Head, str] = field(default_factory=dict)  # what heads are called, where that is known

    @property
    def head(self) -> Head:
        return self.parts.head

    @property
    def query(self) -> int:
        return self.parts.link.query

    @property
    def key(self) -> int:
        return self.parts.link.key

    @property
    def weight(self) -> float:
        return self.parts.weight

    @property
    def score(self) -> float:
        return self.parts.score

    @property
    def lift(self) -> float:
        return self.parts.lift

    @property
    def tokens(self) -> tuple[str, ...]:
        """What attends."""
        return tuple(self.sides[sides_of(self.head.kind)[0]])

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """What is attended to."""
        return tuple(self.sides[sides_of(self.head.kind)[1]])

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for every writer of either end."""
        rows = []
        for end, writer, score, lift, looks_at, weight in self.parts.parts:
            address = address_of(writer)
            rows.append((end, name_writer(*address), *address, score, lift, looks_at, weight))
        return pd.DataFrame(rows, columns=COLUMNS)

    @property
    def sentence(self) -> str:
        """Why, in one sentence."""
        ends = f"from {self._quote(self.query, 0)} at {self._quote(self.key, 1)}"
        said = (
            f"{self.head} looks {ends} with a weight of {self.weight:.2f}: "
            f"the score is {self.lift:+.2f} beside the mean of other tokens"
        )
        reasons = [*(self._reason(end) for end in reversed(SIDES)), self._distance()]
        if self.lift > 0 and any(reasons):
            return f"{said}, because {'; '.join(filter(None, reasons))}"
        return f"{said}, and nobody wrote much of that into the key or the query"

    def _reason(self, end: Side) -> str:
        most = [part for part in self.parts.of(end) if part.lift > MENTIONED * abs(self.lift)][:NAMED]
        wrote = " and ".join(f"{self._writer(part)} {part.lift:+.2f}" for part in most)
        return f"{wrote} of it into the {end}" if wrote else ""

    def _distance(self) -> str:
        lift = self.parts.distance_lift
        return f"their distance gives {lift:+.2f} of it" if lift > MENTIONED * abs(self.lift) else ""

    def _writer(self, part: WriterPart) -> str:
        name = name_writer(*address_of(part.writer))
        if not isinstance(part.writer, Head):
            return f"{name} wrote"
        known = self.names.get(part.writer)
        called = f"{name} ({known})" if known else name
        at = self._quote(part.looks_at, 1, part.writer.kind)
        return f"{called}, which looks from there at {at}, wrote"

    def _quote(self, place: int, end: int, kind: Kind | None = None) -> str:
        tokens = self.sides[sides_of(kind or self.head.kind)[end]]
        return f"{tokens[place].strip()!r} ({place})"

    def as_data(self) -> dict[str, Any]:
        """All of it, as JSON takes it."""
        ends = {"query": self.query, "key": self.key, "weight": self.weight}
        tokens = {"tokens": list(self.tokens), "key_tokens": list(self.key_tokens)}
        parts = self.parts
        distance = {"distance": parts.distance, "distance_lift": parts.distance_lift}
        numbers = {"score": self.score, "lift": self.lift, **distance}
        products = [] if self.products is None else records(self.products)
        tables = {"parts": records(self.table), "products": products}
        return {"head": str(self.head), **ends, **tokens, **numbers, **tables, "sentence": self.sentence}

    def show(self, console: Console) -> None:
        """The sentence, and who wrote most."""
        console.print(self.sentence, markup=False, highlight=False, soft_wrap=True)
        for end, place in ((1, self.key), (0, self.query)):
            console.print(f"\n[bold]Who wrote the {SIDES[end]}[/bold]", end=" ")
            console.print(self._quote(place, end), markup=False, highlight=False)
            self._print_table(SIDES[end]).show(console)

    def _print_table(self, end: Side) -> ResultTable:
        parts = self.parts.of(end)
        lines = [
            [name_writer(*address_of(p.writer)), f"{p.lift:+.3f}", f"{p.score:+.3f}", self._looks(p)]
            for p in parts[:LISTED]
        ]
        others = parts[LISTED:]
        if others:
            lift, score = (sum(getattr(part, name) for part in others) for name in ("lift", "score"))
            lines.append([f"{len(others):,} others", f"{lift:+.3f}", f"{score:+.3f}", ""])
        if self.parts.distance:
            distance = f"{self.parts.distance_lift:+.3f}", f"{self.parts.distance:+.3f}"
            lines.append(["their distance", *distance, ""])
        lines.append(["all", f"{self.lift:+.3f}", f"{self.score + self.parts.distance:+.3f}", ""])
        columns = ("wrote", "beside other tokens", "score", "looking at")
        return ResultTable(columns, lines, {"wrote", "looking at"}, less=("looking at",))

    def _looks(self, part: WriterPart) -> str:
        if not isinstance(part.writer, Head):
            return ""
        return f"{self._quote(part.looks_at, 1, part.writer.kind)} {part.weight:.2f}"

    def __repr__(self) -> str:
        return f"LinkReasons({self.sentence})"

    def _repr_html_(self) -> str:
        from html import escape

        tables = "".join(self._print_table(end).html() for end in reversed(SIDES))
        return f"<p>{escape(self.sentence)}</p>{tables}"


def reasons_for(
    subject: Subject,
    text: str,
    head: Head,
    link: tuple[int, int] | None = None,
    kernel: str | None = None,
) -> LinkReasons:
    """Why a head looks from one token of a text at another. Without a link, it is the one of the most weight
    that does not go to the first token or to a separator."""
    batch = subject.encode(text)
    sides = spell_sides(subject, batch)
    with read_links(subject, batch, kernel) as links:
        strongest = links.strongest(head, 1) or links.strongest(head, 0, 1)
        at = strongest[0] if link is None else Link(*link)
        check_link(links, head, at, sides)
        (parts,) = links.take_apart({head: [at]})
    with ScorePaths(subject, batch, at, kernel).record() as ends:
        products = _products(ends.of_link(head, *at))
    return LinkReasons(parts, sides, products)


@contextmanager
def read_links(subject: Subject, batch: Batch, kernel: str | None = None) -> Iterator[TextLinks]:
    """Read the only text of a batch, whose links can be taken apart until the block ends."""
    if max(side.real.shape[1] for side in batch.sides.values()) > LONGEST:
        raise AttlasError(f"the text has more than {LONGEST:,} tokens: shorten it")
    with ScorePaths(subject, batch, kernel=kernel).record() as paths:
        yield TextLinks(paths, batch)


def spell_sides(subject: Subject, batch: Batch) -> dict[str, tuple[str, ...]]:
    """The tokens of every side of the only text of a batch."""
    return {
        name: tuple(subject.spell(side.ids[0].tolist()))
        for name, side in batch.sides.items()
        if side.ids is not None
    }


def check_link(links: TextLinks, head: Head, link: Link, sides: Mapping[str, Sequence[str]]) -> None:
    """Refuse a link between tokens that are not there, or of which one cannot see the other."""
    for end, place, side in zip(SIDES, link, sides_of(head.kind), strict=True):
        tokens = sides[side]
        if not 0 <= place < len(tokens):
            listed = " ".join(f"{i}:{token.strip()}" for i, token in enumerate(tokens[:40]))
            raise AttlasError(f"{option('link')}: there is no {end} {place} here. The tokens are {listed}")
    if not links.weight(head, link) > 0:
        raise AttlasError(f"{option('link')}: token {link.query} cannot see token {link.key}")


def _products(parts: ScoreParts) -> pd.DataFrame:
    """What the strongest writers of a query make of those of a key."""
    flat = parts.parts.flatten()
    order = flat.abs().argsort(descending=True, stable=True)[: 2 * LISTED].tolist()
    rows = []
    for place in order:
        query, key = divmod(place, len(parts.keys))
        names = (name_writer(*address_of(w)) for w in (parts.queries[query], parts.keys[key]))
        rows.append((*names, float(flat[place])))
    return pd.DataFrame(rows, columns=["query", "key", "score"])
