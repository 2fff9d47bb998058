"""What heads attend to, as scores: how much of a row of attention lies where a pattern would have it.

A pattern says of each query which keys are its *targets*; its score is the attention on them, averaged over
the queries that have any. The patterns that spread (bag, local, broad) say instead how a row should be
spread, and the score is what the row shares with that *ideal*: Σ min(weight, ideal). Every score is from 0 to
1.

Each has a null, which position and frequency alone would give. Where targets depend on the tokens (CONTENT),
it is the same score with the tokens shuffled and the weights kept; elsewhere what even attention over the
keys in view would score. Even attention is itself broad: there it is what attention that
is even over a third of them would score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch, Tokens, sides_of
from attlas.corpora.source import ItemId, seeded

#: patterns whose targets depend on where a token stands: pattern -> what they are, as the docs have it
POSITION: Mapping[str, str] = {
    "next": "the token after",
    "previous": "the token before",
    "self": "the token itself",
    "delimiter": "special tokens ([CLS], [SEP], the tokenizer's own, but not [UNK]); in decoders not the "
    "first token",
    "cls": "of the targets of `delimiter`, those that are [CLS]",
    "sep": "of the targets of `delimiter`, those that are [SEP]",
    "sink": "the first token, from all others; not where texts of an encoder begin with a special token, "
    "which is a delimiter",
}
#: and on what the tokens are
CONTENT: Mapping[str, str] = {
    "related": "other occurrences of the same token, and related tokens",
    "other_sentence": "those of `related` that are in another sentence",
    "duplicate": "other occurrences of the same token",
    "induction": "the token after an earlier occurrence of the query's token, over *repeated random tokens*",
    "punctuation": "periods and commas, the token itself left out",
}
#: patterns of a whole row -> the ideal row
SPREAD: Mapping[str, str] = {
    "bag": "even over the words of the query's sentence, the query itself among them: sentence A or B where "
    "there are pairs, else what stands between tokens that are `.`, `!` or `?` (each belongs to what it "
    "ends). Ordinary tokens only",
    "local": "falling with distance from the token itself, exp(-distance / reach), with a reach of 2, 4, 8 "
    "or 16 tokens; the reach that exceeds chance by most is taken, over all texts, and its p counts as four "
    "tests",
    "broad": "even over all tokens in view",
}
IN_TEXT = (*POSITION, *CONTENT, *SPREAD)

REACHES = (2, 4, 8, 16)  # tokens in which local attention falls to 1/e
PART = 1 / 3  # of the keys in view: who is even over these alone is not broad
SHUFFLES = 4
CLASSES = ("cls", "sep", "punct")  # of tokens, which patterns speak of


@dataclass(frozen=True)
class PatternTokens:
    """What patterns need to know of the texts of a batch. `sentence` is -1 where a token belongs to none."""

    ids: Tensor  # batch token
    real: Tensor  # batch token: False on padding
    special: Tensor  # batch token: [CLS], [SEP] and the like
    sentence: Tensor  # batch token: the number of its sentence
    related: Tensor | None  # batch token token: whether two tokens are akin; None where nobody knows
    items: tuple[ItemId, ...]
    unknown: Tensor | None = None  # batch token: special, but a word that the tokenizer does not have
    classes: Mapping[str, Tensor] = field(default_factory=dict)  # of CLASSES: batch token

    @property
    def ordinary(self) -> Tensor:
        return self.real & ~self.special

    def shuffle_tokens(self, seed: int) -> PatternTokens:
        """The same with the ordinary tokens of each text in another order, drawn from the item's id. Places
        keep their sentences."""
        ids = self.ids.clone()
        punctuation = self.classes.get("punct", torch.zeros_like(self.real)).clone()
        related = None if self.related is None else self.related.clone()
        for row, item in enumerate(self.items):
            places = self.ordinary[row].nonzero()[:, 0].cpu()
            rng = torch.Generator().manual_seed(seeded(seed, "shuffle", *item))
            drawn = places[torch.randperm(len(places), generator=rng)]
            places, drawn = places.to(ids.device), drawn.to(ids.device)
            ids[row, places] = self.ids[row, drawn]
            if "punct" in self.classes:
                punctuation[row, places] = self.classes["punct"][row, drawn]
            if related is not None and self.related is not None:
                related[row, places[:, None], places] = self.related[row, drawn[:, None], drawn]
        return replace(self, ids=ids, related=related, classes={**self.classes, "punct": punctuation})


@dataclass(frozen=True)
class PatternBatch(Batch):
    """A batch of which more is known than the classes of its tokens."""

    texts: dict[str, PatternTokens]  # by side


def tokens_of(batch: Batch, kind: Kind) -> PatternTokens | None:
    """The texts that are queries of a kind, and its keys too; None for what is not text."""
    side = sides_of(kind)[0]
    if isinstance(batch, PatternBatch):
        return batch.texts.get(side)
    tokens = batch.sides[side]
    if tokens.ids is None:
        return None
    special = torch.zeros_like(tokens.real)
    for name in ("cls", "sep"):
        special = special | tokens.classes.get(name, special)
    sentence = torch.full_like(tokens.ids, -1)
    for number, name in enumerate(("sentence_a", "sentence_b")):
        if name in tokens.classes:
            sentence = sentence.masked_fill(tokens.classes[name], number)
    if "sentence_a" not in tokens.classes:
        sentence = sentence.masked_fill(tokens.real & ~special, 0)
    classes = classes_of(tokens)
    return PatternTokens(tokens.ids, tokens.real, special, sentence, None, batch.ids, classes=classes)


def classes_of(tokens: Tokens) -> dict[str, Tensor]:
    return {name: tokens.classes[name] for name in CLASSES if name in tokens.classes}


def targets(name: str, tokens: PatternTokens, visible: Tensor) -> Tensor:
    """batch query key: the keys that a pattern would have each query attend to.

    `visible` (batch query key) says which keys a query may see.
    """
    ids, ordinary = tokens.ids, tokens.ordinary
    length = ids.shape[1]
    offset = _offsets(length, ids.device)
    other = offset != 0
    words = ordinary[:, :, None] & ordinary[:, None] & other
    same = (ids[:, :, None] == ids[:, None]) & words
    match name:
        case "next":
            keys = (offset == 1).expand_as(visible)
        case "previous":
            keys = (offset == -1).expand_as(visible)
        case "self":
            keys = (offset == 0).expand_as(visible)
        case "sink":
            first = _first(tokens.real)
            resting = first if _causal(visible) else first & ~tokens.special  # [CLS] is a delimiter
            keys = resting[:, None] & ~first[:, :, None]
        case "delimiter":
            keys = _delimiters(tokens, visible)[:, None].expand_as(visible)
        case "cls" | "sep":
            chosen = tokens.classes.get(name, torch.zeros_like(tokens.real))
            keys = (_delimiters(tokens, visible) & chosen)[:, None].expand_as(visible)
        case "punctuation":
            keys = (tokens.classes.get("punct", torch.zeros_like(tokens.real)) & ordinary)[:, None] & other
        case "duplicate":
            keys = same
        case "induction":
            # the key that follows an earlier token which is the query's own
            after = torch.nn.functional.pad(same, (1, -1))
            keys = after & words & (offset < 0)
        case "related" | "other_sentence":
            keys = same if tokens.related is None else same | (tokens.related & words)
            if name == "other_sentence":
                keys = keys & (tokens.sentence[:, :, None] != tokens.sentence[:, None])
        case _:
            raise KeyError(name)
    return keys & visible


def ideals(name: str, tokens: PatternTokens, visible: Tensor) -> list[Tensor]:
    """batch query key, once or for several reaches: how a row would be spread. Rows of zeros do not
    count."""
    length = tokens.ids.shape[1]
    apart = _offsets(length, tokens.ids.device).abs()
    seen = visible.sum(-1, keepdim=True)
    match name:
        case "bag":
            belongs = (tokens.sentence[:, :, None] == tokens.sentence[:, None]) & visible
            words = tokens.ordinary & (tokens.sentence >= 0)
            shapes = [belongs & words[:, :, None] & words[:, None]]
        case "local":
            shapes = [torch.exp(-apart.double() / reach) * visible for reach in REACHES]
        case "broad":
            shapes = [visible]
        case _:
            raise KeyError(name)
    spreads = []
    for shape in shapes:
        size = shape.double().sum(-1, keepdim=True)
        # a query that could do nothing else shows nothing
        counts = (size > 0) & ((size < seen) if name == "bag" else (seen > 1))
        spreads.append(torch.where(counts, shape.double() / size.clamp(min=1e-9), 0.0))
    return spreads


@dataclass(frozen=True)
class PatternTargets:
    """What the rows of a batch would be if heads followed the patterns. A column of `shares` is summed with
    the weights; a column of `spreads` is compared with them. `columns` name them: pattern, and scale where
    there are several."""

    columns: tuple[tuple[str, int], ...]
    shares: Tensor  # score batch query key, then null batch query key: those of CONTENT patterns
    spreads: Tensor  # column batch query key
    counted: Tensor  # column batch: the queries that count for each of `spreads`
    even: Tensor  # batch column: the null of those that have none in `shares`, mostly of even attention
    present: Tensor  # batch column

    def to(self, dtype: torch.dtype) -> PatternTargets:
        """Convert what meets the weights to their own precision; once for all layers."""
        return replace(self, shares=self.shares.to(dtype), spreads=self.spreads.to(dtype))


def pattern_targets(
    names: Sequence[str], tokens: PatternTokens, visible: Tensor, seed: int = 0
) -> PatternTargets:
    """Find the targets of the patterns named. `visible` is batch query key, False on padding."""
    content = [name for name in names if name in CONTENT]
    shuffles = [tokens.shuffle_tokens(seeded(seed, i)) for i in range(SHUFFLES if content else 0)]
    seen = visible.sum(-1, keepdim=True).clamp(min=1).double()
    columns: list[tuple[str, int]] = []
    shares, nulls, spreads, counted, even, present = [], [], [], [], [], []
    for name in (n for n in names if n not in SPREAD):
        share, count = _per_query(targets(name, tokens, visible))
        columns.append((name, 0))
        shares.append(share)
        if name in CONTENT:
            several = [_per_query(targets(name, text, visible)) for text in shuffles]
            having = torch.stack([many > 0 for _, many in several]).sum(0)
            nulls.append(sum(part for part, _ in several) / having.clamp(min=1)[:, None, None])
            present.append((count > 0) & (having > 0))
            even.append(torch.zeros_like(count, dtype=torch.float64))
        else:
            present.append(count > 0)
            even.append((share / seen).sum((1, 2)))
    for name in (n for n in names if n in SPREAD):
        for scale, ideal in enumerate(ideals(name, tokens, visible)):
            count = (ideal.sum(-1) > 0).sum(-1)
            columns.append((name, scale))
            spreads.append(ideal)
            counted.append(count)
            present.append(count > 0)
            # of attention that is even over a part of the keys in view, whichever, or over all of them
            broad = (1 / seen).clamp(min=PART)[..., 0]  # batch query
            chance = broad if name == "broad" else torch.minimum(ideal, 1 / seen).sum(-1)
            even.append((chance * (ideal.sum(-1) > 0)).sum(-1) / count.clamp(min=1))
    batch, length = tokens.ids.shape
    empty = torch.zeros(0, batch, length, length, dtype=torch.float64, device=tokens.ids.device)
    return PatternTargets(
        tuple(columns),
        torch.stack([*shares, *nulls]) if shares else empty,
        torch.stack(spreads) if spreads else empty,
        torch.stack(counted) if counted else empty[..., 0, 0],
        torch.stack(even, -1),
        torch.stack(present, -1),
    )


def scores(wanted: PatternTargets, rows: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    """batch head column, twice: what these rows of weights (batch head query key, from query `start` on) add
    to scores and nulls. What is wanted has the precision of the weights. The nulls of even attention are not
    in it."""
    stop = start + rows.shape[2]
    batch, heads = rows.shape[:2]
    shares = wanted.shares[:, :, start:stop]  # column batch query key
    sums = torch.einsum("bhm,cbm->bhc", rows.flatten(2), shares.flatten(2)).double()
    targeted = len(wanted.columns) - len(wanted.spreads)
    columns = [sums[..., :targeted]]
    for ideal, count in zip(wanted.spreads, wanted.counted, strict=True):
        common = torch.minimum(rows, ideal[:, None, start:stop]).sum((2, 3))
        columns.append((common.double() / count[:, None].clamp(min=1))[..., None])
    nulls = torch.zeros(batch, heads, len(wanted.columns), dtype=torch.float64, device=rows.device)
    with_null = [i for i, (name, _) in enumerate(wanted.columns) if name in CONTENT]
    nulls[..., with_null] = sums[..., targeted:]
    return torch.cat(columns, -1), nulls


def visible_keys(real: Tensor, allowed: Tensor | None, causal: bool) -> Tensor:
    """batch query key: from the mask of a call (broadcastable, or None where all may be seen)."""
    length = real.shape[1]
    both = real[:, :, None] & real[:, None]
    if allowed is not None:
        both = both & allowed[:, 0]
    if causal:
        both = both & (_offsets(length, real.device) <= 0)
    return both


def _causal(visible: Tensor) -> bool:
    """Tell whether no query sees a later key."""
    return not bool((visible & (_offsets(visible.shape[-1], visible.device) > 0)).any())


def _delimiters(tokens: PatternTokens, visible: Tensor) -> Tensor:
    """batch token: special tokens, but words that the tokenizer lacks; in decoders not the first token."""
    special = tokens.special & ~_first(tokens.real) if _causal(visible) else tokens.special
    return special if tokens.unknown is None else special & ~tokens.unknown


def _per_query(keys: Tensor) -> tuple[Tensor, Tensor]:
    """Targets over the number of queries that have any, float64; and that number."""
    count = keys.any(-1).sum(-1)
    return keys.double() / count.clamp(min=1)[:, None, None], count


def _offsets(length: int, device: torch.device) -> Tensor:
    """query key: how far a key is to the right."""
    place = torch.arange(length, device=device)
    return place[None] - place[:, None]


def _first(real: Tensor) -> Tensor:
    """batch token: the first that is real, whichever side padding is on."""
    return real & (real.cumsum(-1) == 1)
