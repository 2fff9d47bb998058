"""Questions about which heads are alike: pairs, two heads, and layers beside one another."""

from __future__ import annotations

import math
import re

import numpy as np

from attlas.address import Head
from attlas.array_types import Floats
from attlas.reports.ask_answer import Answer
from attlas.reports.question import MOST, WORTH, Question, column_of
from attlas.reports.sentences import BESIDE
from attlas.statistics.claims import CLAIMS
from attlas.wording.numbers import number, percent

_ALIKE_WORDS = (
    r"alike|similar\w*|close\w*|near\w*|cluster\w*|apart|distan\w*|js|jensen\w*|diverg\w*|same"
    r"|resembl\w*|differ\w*|redundan\w*|duplicates?|copies"
)
PAIRS = re.compile(
    r"\bsame (?:thing|job)\b.*\beach other|\beach other|\bpairs?\b|\bduplicates?\b.*\bheads?\b$"
    r"|\bheads? (?:are )?alike\b"
    r"|\b(?:do|doing) the same (?:thing|job)\b"
)
LAYERS_ALIKE = re.compile(
    r"(?=.*\b(?:same layers?|within (?:a|the|each|one) layers?|different layers?|(?:across|between) "
    rf"layers)\b)(?=.*\b(?:{_ALIKE_WORDS})\b).*"
)
#: asks for heads, not for layers
WHICH_PAIRS = re.compile(r"\b(?:which|what|list|find|show|any) (?:\w+ )?(?:pairs?|heads?)\b|\bpairs?\b")
_TWO_ALIKE = re.compile(rf"\b(?:{_ALIKE_WORDS}|keep (?:only )?one)\b")
_OTHER_LAYERS = re.compile(r"\b(?:different|other|separate|across|between)(?: \w+)? layers?\b")
_SAME_LAYER = re.compile(r"\bsame layer\b|\bwithin (?:a|one|each|the) layer\b")
_MISSING = "how far heads are from one another"


def pairs_alike(q: Question) -> Answer | None:
    """The pairs of heads that attend most alike; of different layers, where that is asked for."""
    if not PAIRS.search(q.plain) or q.named:
        return None
    apart, chapter = distances(q)
    if apart is None:
        return Answer(q.text, missing=((_MISSING, q.command("surface")[1]),))
    layers = np.array([head.layer for head in q.atlas.addresses])
    first, second = np.triu_indices(len(layers), 1)
    same = layers[first] == layers[second]
    wanted = np.isfinite(apart[first, second])
    if _OTHER_LAYERS.search(q.plain):
        wanted &= ~same
    elif _SAME_LAYER.search(q.plain):
        wanted &= same
    order = np.argsort(np.where(wanted, apart[first, second], np.inf), kind="stable")[:MOST]
    best = [(int(first[i]), int(second[i])) for i in order if wanted[i]]
    if not best:
        return None
    heads = tuple(
        q.head(
            a,
            ["Attends as ", b, " does.", BESIDE, f"{number(float(apart[a, b]), 3)} nats apart"],
            "alike",
            chapter,
        )
        for a, b in best
    )
    a, b = best[0]
    lead = f"Heads {q.addresses[a]} and {q.addresses[b]} are most alike."
    return Answer(q.text, heads, lead=nearer_than_most(q, float(apart[a, b])) or lead)


def layers_alike(q: Question) -> Answer | None:
    """Whether heads of a layer are nearer to one another than heads of different layers."""
    if not LAYERS_ALIKE.search(q.plain) or WHICH_PAIRS.search(q.plain) or q.named:
        return None
    apart, _ = distances(q)
    if apart is None:
        return Answer(q.text, missing=((_MISSING, q.command("surface")[1]),))
    layers = np.array([head.layer for head in q.atlas.addresses])
    same = (layers[:, None] == layers) & ~np.eye(len(layers), dtype=bool)
    other = layers[:, None] != layers
    if not (same & np.isfinite(apart)).any() or not (other & np.isfinite(apart)).any():
        return None
    within, between = float(np.nanmean(apart[same])), float(np.nanmean(apart[other]))
    nearer = [
        lay for lay in np.unique(layers) if np.nanmean(apart[(layers == lay)[:, None] & same]) < between
    ]
    differ = abs(within - between)
    matters = differ >= CLAIMS["change"].size
    says = ("Yes" if within < between else "No, the other way round") if matters else "Hardly"
    numbers = f"{number(within, 2)} nats apart on average, those of different layers {number(between, 2)}"
    many = f"{len(nearer)} of {len(np.unique(layers))} layers are closer than that"
    return Answer(q.text, lead=f"{says}: heads of the same layer are {numbers}; {many}.")


def two_heads(q: Question) -> Answer | None:
    """How far two named heads are from each other, beside how far heads are on average."""
    if len(q.named) != 2 or not _TWO_ALIKE.search(q.plain) or re.search(r"\btokens?\b", q.plain):
        return None
    a, b = (q.atlas.addresses.index(q.atlas.address(written)) for written in q.named)
    apart, _ = distances(q)
    if apart is None or not math.isfinite(apart[a, b]):
        return Answer(q.text, missing=((_MISSING, q.command("surface")[1]),))
    value, usual = float(apart[a, b]), float(np.nanmedian(apart[apart > 0]))
    nearer = float(np.mean(apart[a][np.isfinite(apart[a]) & (np.arange(len(apart)) != a)] < value))
    says = (
        "alike"
        if value <= usual / 2
        else "no more alike than heads are"
        if value >= 0.9 * usual
        else "somewhat alike"
    )
    lead = (
        f"{q.named[0]} and {q.named[1]} are {says}: {number(value, 3)} nats apart, heads "
        f"{number(usual, 3)} in the "
        f"median; {percent(nearer, 0)} of the heads are closer to {q.named[0]}."
    )
    both = f"attlas disable {q.model} --heads {q.named[0]},{q.named[1]} --atlas {q.folder}"
    missing = (("what both are worth together", both),) if WORTH.search(q.plain) or "keep" in q.plain else ()
    return Answer(q.text, missing=missing, lead=lead)


def nearer_than_most(q: Question, apart: float) -> str:
    """That two heads are no nearer than heads are; empty where they are: untrained heads are all alike."""
    column = column_of(q, "distance_between")
    usual = math.nan if column is None else float(np.nanmedian(column.values))
    if not apart > usual / 2:
        return ""
    said = f"{number(apart, 4)} nats apart, and heads are {number(usual, 4)} from one another on average"
    return f"Practically none: the nearest are {said}."


def distances(q: Question) -> tuple[Floats | None, str]:
    """Head by head, NaN between heads of different kinds, and the chapter; None where none were measured."""
    places = {head: place for place, head in enumerate(q.atlas.addresses)}
    apart = np.full((len(places), len(places)), np.nan)
    named = ""
    for kind in q.atlas.kinds:
        chapter = q.atlas.chapter_with(array=f"{kind}.distances")
        if chapter is None:
            continue
        values, order = q.atlas.array(f"{kind}.distances", chapter), q.atlas.array(f"{kind}.heads", chapter)
        if values is None or order is None:
            continue
        at = [places[Head(kind, layer, head)] for layer, head in order.tolist()]
        apart[np.ix_(at, at)] = values
        named = chapter
    return (apart, named) if named else (None, "")
