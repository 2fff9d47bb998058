"""What patching found, in tables: every head, how far attribution agrees, and paths from head to head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from attlas.address import Head
from attlas.array_types import Floats
from attlas.atlas.catalogue.result_tables import records
from attlas.corpora.source import ItemId
from attlas.row import Row
from attlas.statistics.clusters import (
    Estimates,
    document_sums,
    effective_units,
    estimates,
    moments_by_document,
)
from attlas.statistics.hypotheses import holm, not_zero, student_interval
from attlas.statistics.scores import score
from attlas.statistics.verdicts import judge_row
from attlas.studies.patching.pair_texts import CONTROL, FIELDS, GROUP, PairItem
from attlas.studies.patching.patch_sweep import INTO, LOGITS, WHAT, Patched
from attlas.studies.patching.stability import ATTRIBUTED, INTEGRATED, again_by_head

TOP = 20  # heads, the strongest, that two ways are asked to agree on, and between which paths are followed
KIND = "logits"  # of claim: what is the smallest effect that matters
_ADDRESS = ["kind", "layer", "head"]
_NUMBERS = ["effect", "stderr", "low", "high", "p_alone", "p", "n", "documents"]


def known_of(values: Floats, ids: Sequence[ItemId]) -> Estimates:
    """The mean over pairs (... pair)."""
    return estimates(moments_by_document(values, ids))


def gap_of(patched: Mapping[str, Patched]) -> Floats:
    """pair: by how much the clean text favours its answer more than the corrupt one does."""
    return patched["clean"].plain - patched["corrupt"].plain


def head_table(
    patched: Mapping[str, Patched], heads: Sequence[Head], ids: Sequence[ItemId], seed: int = 0
) -> pd.DataFrame:
    """A row for every head, what of it is patched, and where to. `share` is the effect over the gap between
    the texts: all of it is -1 in the clean text, and 1 in the corrupt one. p is corrected for all heads.
    `again` is the share of redraws of the pairs in which the head is among the first ten."""
    gap = known_of(gap_of(patched), ids)
    tables = []
    for what in WHAT:
        for into in INTO:
            table = pd.DataFrame([(h.kind, h.layer, h.head) for h in heads], columns=_ADDRESS)
            table["from_1"] = [head.from_1 for head in heads]
            table["what"], table["into"] = what, into
            numbers = _numbers(patched[into].exact[what], ids, gap)
            more: dict[str, Floats] = {"again": again_by_head(patched[into].exact[what], ids, seed)}
            for name in ("attributed", "integrated"):
                known = known_of(getattr(patched[into], name)[what], ids)
                more |= {name: known.mean, f"{name}_stderr": known.stderr}
            tables.append(table.assign(**numbers, **more))
    return pd.concat(tables, ignore_index=True)


def path_table(
    paths: Sequence[tuple[Head, Head | None]], changed: Floats, gap: Floats, ids: Sequence[ItemId]
) -> pd.DataFrame:
    """A row for every path, the strongest first: `to` is a head, or the logits."""
    columns = [*_ADDRESS, "to", "to_layer", "to_head"]
    rows = [(s.kind, s.layer, s.head, *(_end(receiver))) for s, receiver in paths]
    table = pd.DataFrame(rows, columns=columns).assign(**_numbers(changed, ids, known_of(gap, ids)))
    return table.iloc[np.argsort(-table["effect"].abs(), kind="stable")].reset_index(drop=True)


def _end(receiver: Head | None) -> tuple[str, int, int]:
    return (LOGITS, -1, -1) if receiver is None else (str(receiver), receiver.layer, receiver.head)


def _numbers(values: Floats, ids: Sequence[ItemId], gap: Estimates | None = None) -> dict[str, Any]:
    """The columns of effects (test pair), corrected for as many tests, and the verdict on each."""
    known = known_of(values, ids)
    low, high = student_interval(known.mean, known.stderr, known.degrees)
    p = not_zero(known.mean, known.stderr, known.degrees)
    read = known.items.astype(int), known.documents.astype(int)
    columns = known.mean, known.stderr, low, high, p, holm(p), *read
    numbers: dict[str, Any] = dict(zip(_NUMBERS, columns, strict=True))
    judged = [judge_row(KIND, row, "effect") for row in records(pd.DataFrame(numbers))]
    numbers["verdict"] = [judgement.verdict for judgement in judged]
    numbers["documents_needed"] = [judgement.documents for judgement in judged]
    if gap is not None:
        numbers["share"] = known.mean / gap.mean if _is_sure(gap) else np.full(len(known.mean), np.nan)
    return numbers


def _is_sure(gap: Estimates) -> bool:
    """Whether the texts surely differ: a share of nothing would be noise."""
    low, high = student_interval(gap.mean, gap.stderr, gap.degrees)
    return bool(low > 0 or high < 0)


def agreement_table(heads: pd.DataFrame) -> pd.DataFrame:
    """How far attribution, from one backward pass or from several (integrated gradients), says the same as
    patching every head: the correlation over heads, that of ranks, and how many of the strongest heads are
    among the strongest of both."""
    rows = []
    for way, column in ((ATTRIBUTED, "attributed"), (INTEGRATED, "integrated")):
        for what, into in product(WHAT, INTO):
            table = heads[(heads["what"] == what) & (heads["into"] == into)]
            exact, attributed = (table[name].to_numpy(float) for name in ("effect", column))
            top = top_of(len(table))
            both = len(set(strongest(exact, top)) & set(strongest(attributed, top)))
            correlations = (score(name, attributed, exact) for name in ("pearson", "spearman"))
            rows.append((way, what, into, *correlations, both, top, top**2 / len(table), len(table)))
    columns = ["way", "what", "into", "correlation", "rank_correlation", "both", "top", "by_chance", "heads"]
    return pd.DataFrame(rows, columns=columns)


def control_table(
    effects: Floats, patched: Mapping[str, Patched], heads: Sequence[Head], ids: Sequence[ItemId]
) -> pd.DataFrame:
    """What a text with the same answer moves (head pair), by every head's output, beside what the corrupt
    text moves. p is corrected for all heads."""
    table = pd.DataFrame([(h.kind, h.layer, h.head) for h in heads], columns=_ADDRESS)
    return table.assign(**_numbers(effects, ids), corrupt=patched["clean"].exact["output"].mean(-1))


def top_of(heads: int) -> int:
    """How many heads are the strongest: twenty, but no more than a fifth of all."""
    return max(1, min(TOP, heads // 5))


def strongest(effects: Floats, many: int) -> list[int]:
    return [int(place) for place in np.argsort(-np.abs(effects), kind="stable")[:many]]


def pair_table(
    items: Sequence[PairItem], patched: Mapping[str, Patched], ids: Sequence[ItemId]
) -> pd.DataFrame:
    """A row for every pair: its texts, its answers, and the logit difference in both texts."""
    texts = {item.id: item.pair.record() for item in items if item.pair is not None}
    fields = (*FIELDS, CONTROL, GROUP)
    several = pd.DataFrame([{name: texts.get(id, {}).get(name, "") for name in fields} for id in ids])
    differences = {f"{into}_difference": patched[into].plain for into in INTO}
    return several.assign(document=[id.document for id in ids], **differences)


def head_rows(table: pd.DataFrame, ids: Sequence[ItemId]) -> list[Row]:
    """patched_output and patched_weights, attributed_output and attributed_weights, by where they go."""
    _, sizes = document_sums(np.ones(len(ids)), ids)
    read = len(ids), len(sizes), float(effective_units(sizes.sum(), sizes @ sizes))
    rows = []
    for statistic, value, stderr in (
        ("patched", "effect", "stderr"),
        ("attributed", "attributed", "attributed_stderr"),
    ):
        for r in table.to_dict("records"):
            address = r["kind"], r["layer"], r["head"], f"{statistic}_{r['what']}", f"into_{r['into']}"
            rows.append(Row(*address, r[value], r[stderr], *read))
    return rows
