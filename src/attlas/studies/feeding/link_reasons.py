"""Why a head looks from one token at another, in one text: who wrote the query, and who wrote the key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import torch
from rich.console import Console
from torch import Tensor

from attlas.address import Head
from attlas.atlas.catalogue.result_tables import records
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError, option
from attlas.studies.feeding.feed_sweep import keys_at_rest
from attlas.studies.feeding.writers import address_of, named
from attlas.subject import Subject
from attlas.tap.call import Call
from attlas.tap.score_parts import SIDES, ScoreParts, ScorePaths, Side, Writer
from attlas.wording.printing import ResultTable

LONGEST = 512  # tokens of the text
LISTED = 6  # writers in a table of the terminal, for either end
NAMED = 2  # writers in the sentence, for either end
MENTIONED = 0.1  # of the lift: a writer of less is not named
COLUMNS = ["end", "writer", "part", "layer", "head", "score", "lift", "looks_at", "weight"]


@dataclass(frozen=True, repr=False)
class LinkReasons:
    """Why a head looks from `query` at `key` (places in `tokens`). `table` has who wrote either: `score` is
    what that adds to the score, and `lift` what it adds beyond the mean of the other keys that the query may
    see, which is what decides where a head looks. `products` has what the strongest of both make together.
    Scores, and lifts, of either end add up to `score` and `lift`."""

    head: Head
    tokens: tuple[str, ...]
    query: int
    key: int
    weight: float
    score: float
    bias: float
    lift: float
    table: pd.DataFrame
    products: pd.DataFrame

    @property
    def sentence(self) -> str:
        """Why, in one sentence."""
        said = (
            f"{self.head} looks from {self._quote(self.query)} at {self._quote(self.key)} with a weight of "
            f"{self.weight:.2f}: the score is {self.lift:+.2f} beside the mean of other tokens"
        )
        reasons = [self._reason(side) for side in ("key", "query")]
        if self.lift > 0 and any(reasons):
            return f"{said}, because {'; '.join(filter(None, reasons))}"
        return f"{said}, and nobody wrote much of that into the key or the query"

    def _reason(self, end: str) -> str:
        rows = self._of(end)
        rows = rows[rows["lift"] > MENTIONED * abs(self.lift)][:NAMED]
        wrote = " and ".join(f"{self._writer(row)} {row['lift']:+.2f}" for row in records(rows))
        return f"{wrote} of it into the {end}" if wrote else ""

    def _writer(self, row: dict[str, Any]) -> str:
        if row["head"] < 0:
            return f"{row['writer']} wrote"
        return f"{row['writer']}, which looks from there at {self._quote(int(row['looks_at']))}, wrote"

    def _quote(self, place: int) -> str:
        return f"{self.tokens[place].strip()!r} ({place})"

    def _of(self, end: str) -> pd.DataFrame:
        """Who wrote one end, the strongest lift first."""
        rows = self.table[self.table["end"] == end]
        return rows.iloc[rows["lift"].abs().argsort(kind="stable")[::-1]]

    def as_data(self) -> dict[str, Any]:
        """All of it, as JSON takes it."""
        ends = {"query": self.query, "key": self.key, "tokens": list(self.tokens), "weight": self.weight}
        numbers = {"score": self.score, "bias": self.bias, "lift": self.lift}
        tables = {"parts": records(self.table), "products": records(self.products)}
        return {"head": str(self.head), **ends, **numbers, **tables, "sentence": self.sentence}

    def show(self, console: Console) -> None:
        """The sentence, and who wrote most."""
        console.print(self.sentence, markup=False, highlight=False, soft_wrap=True)
        for end, place in (("key", self.key), ("query", self.query)):
            console.print(f"\n[bold]Who wrote the {end}[/bold]", end=" ")
            console.print(f"{self._quote(place)}", markup=False, highlight=False)
            self._print_table(end).show(console)

    def _print_table(self, end: str) -> ResultTable:
        rows = self._of(end)
        lines = [
            [r["writer"], f"{r['lift']:+.3f}", f"{r['score']:+.3f}", self._looks(r)]
            for r in records(rows[:LISTED])
        ]
        others = rows[LISTED:]
        if len(others):
            many = f"{len(others):,} others"
            lines.append([many, f"{others['lift'].sum():+.3f}", f"{others['score'].sum():+.3f}", ""])
        lines.append(["all", f"{self.lift:+.3f}", f"{self.score:+.3f}", ""])
        columns = ("wrote", "beside other tokens", "score", "looking at")
        return ResultTable(columns, lines, {"wrote", "looking at"}, less=("looking at",))

    def _looks(self, row: dict[str, Any]) -> str:
        return "" if row["head"] < 0 else f"{self._quote(int(row['looks_at']))} {row['weight']:.2f}"

    def __repr__(self) -> str:
        return f"LinkReasons({self.sentence})"

    def _repr_html_(self) -> str:
        from html import escape

        tables = "".join(self._print_table(end).html() for end in ("key", "query"))
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
    tokens = spelled(subject, batch)
    if max(map(len, tokens.values())) > LONGEST:
        raise AttlasError(f"the text has more than {LONGEST:,} tokens: shorten it")
    with ScorePaths(subject, batch, kernel=kernel).record() as whole:
        call = whole.calls[head.kind, head.layer]
        weights = _weights(call)[head.head]
        query, key = _strongest(weights, batch, head) if link is None else link
        _check_link(query, key, weights, tokens, head)
        lifts = {
            side: {
                w: float(v[0, head.head]) for w, v in whole.lifts(head.kind, head.layer, side, slopes).items()
            }
            for side, slopes in zip(SIDES, _link_slopes(call, batch, head, query, key), strict=True)
        }
        looks = {at: _weights(other) for at, other in whole.calls.items()}
    with ScorePaths(subject, batch, (query, key), kernel).record() as ends:
        parts = ends.of_link(head, query, key)
    table = _table(parts, lifts, {"query": query, "key": key}, looks)
    lift = sum(lifts["key"].values())
    queries, keys = (tokens[side] for side in _sides(head))
    return LinkReasons(
        head,
        keys if len(keys) >= len(queries) else queries,
        query,
        key,
        float(weights[query, key]),
        parts.score,
        parts.bias,
        lift,
        table,
        _products(parts),
    )


def spelled(subject: Subject, batch: Batch) -> dict[str, tuple[str, ...]]:
    """The tokens of every side of the only text of a batch."""
    return {
        name: tuple(subject.spell(side.ids[0].tolist()))
        for name, side in batch.sides.items()
        if side.ids is not None
    }


def _sides(head: Head) -> tuple[str, str]:
    from attlas.corpora.batches import sides_of

    return sides_of(head.kind)


def _weights(call: Call) -> Tensor:
    """head query key, of the only text."""
    with torch.no_grad():
        return call.weights()[0].float().cpu()


def _strongest(weights: Tensor, batch: Batch, head: Head) -> tuple[int, int]:
    rests = keys_at_rest(batch.keys(head.kind))[0].cpu()
    place = int(weights.masked_fill(rests, -1.0).argmax())
    return divmod(place, weights.shape[1])


def _check_link(
    query: int, key: int, weights: Tensor, tokens: dict[str, tuple[str, ...]], head: Head
) -> None:
    for end, place, side in zip(SIDES, (query, key), _sides(head), strict=True):
        if not 0 <= place < len(tokens[side]):
            listed = " ".join(f"{i}:{token.strip()}" for i, token in enumerate(tokens[side][:40]))
            raise AttlasError(f"{option('link')}: there is no {end} {place} here. The tokens are {listed}")
    if not float(weights[query, key]) > 0:
        raise AttlasError(f"{option('link')}: token {query} cannot see token {key}")


def _link_slopes(call: Call, batch: Batch, head: Head, query: int, key: int) -> tuple[Tensor, Tensor]:
    """batch head token dim, twice: the derivative, by queries and by keys, of the score less the mean of the
    other keys that do not rest."""
    with torch.no_grad():
        allowed = call.mask.allowed(0, call.query.shape[2])
        seen = batch.keys(head.kind).real[0].clone()
        if allowed is not None:
            seen &= allowed.expand(1, -1, -1, -1)[0, min(head.head, allowed.shape[1] - 1), query]
        others = seen & ~keys_at_rest(batch.keys(head.kind))[0]
        others[key] = False
        count = torch.zeros(len(seen), device=call.key.device)
        count[others] = -1.0 / max(1, int(others.sum()))
        count[key] = 1.0
        keys = call.per_head(call.key.detach())[0, head.head].float()
        by_query = torch.zeros_like(call.query.detach(), dtype=torch.float32)
        by_query[0, head.head, query] = count @ keys * call.scaling
        by_key = torch.zeros(*call.query.shape[:2], *keys.shape, device=keys.device)
        by_key[0, head.head] = torch.outer(count, call.query[0, head.head, query].float()) * call.scaling
    return by_query, by_key


def _table(
    parts: ScoreParts,
    lifts: dict[Side, dict[Writer, float]],
    places: dict[str, int],
    looks: dict[tuple[Any, int], Tensor],
) -> pd.DataFrame:
    rows = []
    for end, writers, scores in (
        ("query", parts.queries, parts.parts.sum(1)),
        ("key", parts.keys, parts.parts.sum(0)),
    ):
        for writer, score in zip(writers, scores.tolist(), strict=True):
            part, layer, number = address_of(writer)
            at, weight = -1, float("nan")
            if isinstance(writer, Head):
                row = looks[writer.kind, writer.layer][writer.head, places[end]]
                at, weight = int(row.argmax()), float(row.max())
            lift = lifts[end].get(writer, 0.0)  # type: ignore[index]
            rows.append((end, named(part, layer, number), part, layer, number, score, lift, at, weight))
    return pd.DataFrame(rows, columns=COLUMNS)


def _products(parts: ScoreParts) -> pd.DataFrame:
    """What the strongest writers of a query make of those of a key."""
    flat = parts.parts.flatten()
    order = flat.abs().argsort(descending=True, stable=True)[: 2 * LISTED].tolist()
    rows = []
    for place in order:
        query, key = divmod(place, len(parts.keys))
        names = (named(*address_of(w)) for w in (parts.queries[query], parts.keys[key]))
        rows.append((*names, float(flat[place])))
    return pd.DataFrame(rows, columns=["query", "key", "score"])
