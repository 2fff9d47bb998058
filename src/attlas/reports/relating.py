"""Questions about two measured things: whether they go together, which is more common, or both at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from attlas.array_types import Floats
from attlas.reports.ask_answer import Answer, AnsweredHead
from attlas.reports.asked_numbers import JOINED, PLACES, mentioned, number_of, places_mentioned
from attlas.reports.columns import Column
from attlas.reports.matching import DENIALS, units_of
from attlas.reports.narrowing import COUNTS, can_be_counted, denies
from attlas.reports.page_contract import Topic
from attlas.reports.question import MOST, Question, impossible, say_topic
from attlas.reports.sentences import BESIDE
from attlas.statistics.claims import CLAIMS, HALF_OF_ATTENTION, SURE
from attlas.wording.numbers import chance_of, count, percent

#: whether one number of heads follows another
RELATED = re.compile(
    r"\bcorrelat\w*|\brelation(?:ship)? (?:between|over|with)\b|\b(?:predict|impl|explain)(?:s|y"
    r"|ies)?\b.*\b(?:effect|loss|score|entrop|importan|drop)"
    r"|\balso (?:an? |the )?(?:heads?|ones?)\b|\balso (?:more|less|the (?:most|least))\b|\btend to\b"
    r"|\bassociated\b|\bgo(?:es)? (?:together|along)\b|\bdepends? on\b|\bthe more\b"
)
VERSUS = re.compile(
    r"\bvs\b|\bversus\b|\bmore (?:common|frequent)\b|\bmore of\b|\bor more\b|\bmore \w+(?: \w+)? than\b"
)
HOW_MUCH = re.compile(r"\bhow much\b|\bwhat (?:share|fraction|part|percent\w*|proportion) of\b")
WHERE = re.compile(
    r"\b(?:in )?(?:which|what) layers? (?:do|does|are|is|can|have|hold|contain|has|holds|contains)\b"
    r"|\bin (?:which|what) layers?\b|^(?=.*\bheads?\b)where (?:are|do|is)\b"
)


def go_together(q: Question) -> Answer | None:
    """Whether two numbers go together over all heads: their rank correlation."""
    if not RELATED.search(q.plain) or q.named:
        return None
    units = units_of(RELATED.sub(lambda m: f" {m[0].split()[-1]} ", q.plain), q.search.phrases)
    topics = mentioned(q, [unit for unit in units if unit.words not in DENIALS])
    pairs: list[tuple[Floats, str]] = []
    for values, title in (number_of(q, topic) for topic in topics):
        if title not in (other for _, other in pairs):
            pairs.append((values, title))
    if len(pairs) < 2:
        missing, lead = q.search.missing(units), impossible(units, q.atlas)
        return Answer(q.text, missing=missing, lead=lead) if missing or lead else None
    (first, title), (second, title_of_second) = pairs[:2]
    both = np.isfinite(first) & np.isfinite(second)
    if both.sum() < 8 or min(np.ptp(first[both]), np.ptp(second[both])) == 0:
        return None
    from scipy.stats import spearmanr

    correlation = spearmanr(first[both], second[both])
    rank, p = float(correlation.statistic), float(correlation.pvalue)
    together = "rise together" if rank > 0 else "run against each other"
    says = f"{_upper(title)} and {title_of_second} {together}"
    if abs(rank) < CLAIMS["curve"].size or p >= SURE:
        says = (
            f"{_upper(title)} and {title_of_second} "
            f"{'are not shown to go together' if p >= SURE else f'{together} only weakly'}"
        )
    evidence = f"rank correlation {rank:+.2f} over {count(int(both.sum()), 'head')}, {chance_of(p)}"
    return Answer(q.text, lead=f"{says}: {evidence}. Heads are not independent, and this is no cause.")


def versus(q: Question) -> Answer | None:
    """How many heads do one thing, and how many another."""
    if q.named or not VERSUS.search(q.plain) or q.layers:
        return None
    topics = [topic for topic in mentioned(q, q.units) if can_be_counted(q, topic)]
    cannot = impossible(q.units, q.atlas)
    if len(topics) + bool(cannot) < 2:
        return None
    lines = [_counted(q, topic, bool(WHERE.search(q.plain))) for topic in topics[:3]]
    lines += [cannot] if cannot else []
    return Answer(q.text, lead="\n".join(lines))


def by_layer(q: Question) -> Answer | None:
    """In which layers the heads are that do something."""
    if not WHERE.search(q.plain) or not re.search(r"\bheads?\b", q.plain) or q.layers or q.named:
        return None
    topics = [topic for topic in q.topics if can_be_counted(q, topic)]
    if not topics:
        return None
    most = max(topics, key=lambda topic: sum(k.shown for k in say_topic(q, topic)))
    best = sorted((k for k in say_topic(q, most) if k.shown), key=lambda k: -k.size)
    chapter = q.atlas.chapters[most["chapter"]]
    heads = tuple(q.head(k.place, k.sentence, most["title"], chapter) for k in best[:MOST])
    lead = _counted(q, most, True)
    return Answer(q.text, heads or q.search.ranked(q, [most]).heads[:1], lead=lead)


def _counted(q: Question, topic: Topic, layers: bool) -> str:
    """9 heads (next token), in layers 7 (3), 8 (6)"""
    shown = [k.place for k in say_topic(q, topic) if k.shown]
    said = f"{count(len(shown), 'head')} of {len(q.addresses):,} ({topic['title']})" if shown else ""
    if not shown:
        return f"No head is shown to do it ({topic['title']})."
    if not layers:
        return f"{said}."
    of_layers = [q.atlas.addresses[place].layer for place in shown]
    where = ", ".join(f"{layer} ({of_layers.count(layer)})" for layer in sorted(set(of_layers)))
    return f"{said}, in layers {where}."


def shares_together(q: Question) -> Answer | None:
    """How much attention goes to several places together: the first token or a separator."""
    columns = places_mentioned(q)
    named_delimiters = any("delimiter" in unit.terms for unit in q.units)
    asked = {term for unit in q.units for term in unit.terms if term in PLACES}
    enough = len(columns) > 1 or (columns and (named_delimiters or len(asked) > 1))
    asks = COUNTS.search(q.plain) or denies(q) or HOW_MUCH.search(q.plain)
    if not enough or not asks or not (JOINED.search(q.plain) or named_delimiters) or VERSUS.search(q.plain):
        return None
    whole = np.sum([column.values for column in columns], axis=0)
    where = " or ".join(column.known.write_title(column.group) for column in columns)
    lacks = "".join(
        f" T{why.partition(': t')[2]}" for why in (impossible(q.units, q.atlas),) if "reads no" in why
    )
    if q.named:
        places = [q.atlas.addresses.index(q.atlas.address(written)) for written in q.named]
        parts = [
            f"{q.addresses[p]} gives {percent(float(whole[p]))} of its attention to {where}" for p in places
        ]
        return Answer(
            q.text,
            tuple(_head(q, p, whole, where, columns) for p in places),
            lead=f"{'; '.join(parts)} (median head {percent(float(np.nanmedian(whole)))}).",
        )
    least = (
        q.bound.value if q.bound is not None and q.bound.above and q.bound.value <= 1 else HALF_OF_ATTENTION
    )
    within = [p for p, h in enumerate(q.atlas.addresses) if not q.layers or h.layer in q.layers]
    many = [p for p in within if whole[p] >= least]
    few = [p for p in within if whole[p] < least]
    chosen, less = (few, "less") if denies(q) else (many, "more")
    order = sorted(chosen, key=lambda p: whole[p], reverse=less == "more")
    share = f" ({percent(len(chosen) / len(within), 0)})" if chosen and within else ""
    part = "half" if least == HALF_OF_ATTENTION else percent(least)
    verb, whose = ("give", "their") if len(chosen) > 1 else ("gives", "its")
    lead = (
        f"{len(chosen) or 'None'} of {count(len(within), 'head')}{share} {verb} {less} than {part} of "
        f"{whose} attention to {where}.{lacks}"
    )
    return Answer(q.text, tuple(_head(q, p, whole, where, columns) for p in order[:MOST]), lead=lead)


def how_much(q: Question) -> Answer | None:
    """How much attention goes to a place, over all heads or those of a layer."""
    columns = places_mentioned(q)
    if not HOW_MUCH.search(q.plain) or len(columns) != 1 or q.named or q.layers or COUNTS.search(q.plain):
        return None
    (column,) = columns
    values, where = column.values, column.known.write_title(column.group)
    order = [int(p) for p in np.argsort(-np.nan_to_num(values), kind="stable")[:MOST]]
    heads = tuple(q.head(p, q.search.sentences.share(column, p), where) for p in order)
    mean, median = percent(float(np.nanmean(values))), percent(float(np.nanmedian(values)))
    return Answer(
        q.text,
        heads,
        lead=f"Heads give {mean} of their attention to {where} on average ({median} in the median).",
    )


def _head(q: Question, place: int, whole: Floats, where: str, columns: Sequence[Column]) -> AnsweredHead:
    parts = ", ".join(f"{c.known.write_title(c.group)} {c.plainly(float(c.values[place]))}" for c in columns)
    claim = f"Gives {percent(float(whole[place]))} of its attention to {where}."
    return q.head(
        place, [claim, BESIDE, f"{parts}; median head {percent(float(np.nanmedian(whole)))}"], where
    )


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
