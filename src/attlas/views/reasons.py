"""Why heads look where they look: worked out for the strongest links of a view's heads, so that a click on
one needs no model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import numpy as np

from attlas.address import KINDS, Head
from attlas.errors import AttlasError, option
from attlas.options.view_options import ViewOptions
from attlas.studies.feeding.link_parts import Link, TextLinks
from attlas.studies.feeding.link_parts import WriterPart as Wrote
from attlas.studies.feeding.link_reasons import LinkReasons, check_link, read_links, spell_sides
from attlas.studies.feeding.writers import address_of, name_writer
from attlas.tap import Tap
from attlas.tap.score_parts import no_score_parts
from attlas.views.block import Block
from attlas.views.contract import LinkReason, Pin, Reasons, SceneName, Selection, WriterPart

if TYPE_CHECKING:
    from attlas.corpora.batches import Batch
    from attlas.edits import Edit
    from attlas.subject import Subject

PER_HEAD = 8  # links of a head, one of which may rest on the first token or a separator
MOST_LINKS = 2000  # of a page, which take a megabyte, and a tenth of that when they are packed
LISTED = 5  # writers of either end
_DIGITS = 5  # after the point
#: names that say nothing of where a head looks
_SILENT = ("none", "broad")


def reasons_in(
    subject: Subject,
    batch: Batch,
    options: ViewOptions,
    names: Sequence[SceneName] = (),
    edits: Sequence[Edit] = (),
) -> list[LinkReason]:
    """Why each head that is shown looks where it looks most, in the only text of a batch; and at the pair of
    tokens that is pinned."""
    if (reason := no_score_parts(subject)) is not None:
        raise AttlasError(f"{option('why', True)}: it cannot be known who wrote queries and keys: {reason}")
    heads = [head for head in subject.heads if options.includes(head.layer, head.head)]
    heads = options.first(heads)[:MOST_LINKS]
    per_head = links_per_head(len(heads))
    with _read_edited(subject, batch, edits) as links:
        wanted = {}
        for head in heads:
            resting = 1 if per_head > 1 else 0
            wanted[head] = links.strongest(head, per_head - resting, resting)
            pinned = _pinned_link(options)
            if pinned is not None and pinned not in wanted[head] and links.sees(head, pinned):
                wanted[head].append(pinned)
        return _reasons(subject, batch, links, wanted, names)


def reason_of(
    subject: Subject,
    batch: Batch,
    head: Head,
    link: tuple[int, int],
    names: Sequence[SceneName] = (),
    edits: Sequence[Edit] = (),
) -> LinkReason:
    """Why a head looks from one token of the only text of a batch at another."""
    with _read_edited(subject, batch, edits) as links:
        check_link(links, head, Link(*link), spell_sides(subject, batch))
        return _reasons(subject, batch, links, {head: [Link(*link)]}, names)[0]


@contextmanager
def _read_edited(subject: Subject, batch: Batch, edits: Sequence[Edit]) -> Iterator[TextLinks]:
    with Tap(subject, edits=edits) if edits else nullcontext(), read_links(subject, batch) as links:
        yield links


def _reasons(
    subject: Subject,
    batch: Batch,
    links: TextLinks,
    wanted: Mapping[Head, Sequence[Link]],
    names: Sequence[SceneName],
) -> list[LinkReason]:
    called, sides = _called(names), spell_sides(subject, batch)
    return [reason_data(LinkReasons(parts, sides, None, called)) for parts in links.take_apart(wanted)]


def links_per_head(heads: int) -> int:
    """How many links of each head a page has room for."""
    return max(1, min(PER_HEAD, MOST_LINKS // max(1, heads)))


def _pinned_link(options: ViewOptions) -> Link | None:
    ends = {end: [token for pinned, token in options.pinned if pinned == end] for end in ("query", "key")}
    if any(len(tokens) != 1 for tokens in ends.values()):
        return None
    return Link(ends["query"][0], ends["key"][0])


def _called(names: Sequence[SceneName]) -> dict[Head, str]:
    """What heads are called: by what they look for, where that is known, else by what they do."""
    called: dict[Head, str] = {}
    for name in sorted(names, key=lambda name: name["kind"] != "pattern"):
        for kind, layer, head, _ in name["heads"]:
            if name["name"] not in _SILENT and name["kind"] != "shape" and kind in KINDS:
                called.setdefault(Head(kind, layer, head), name["title"])
    return called


def reason_data(reasons: LinkReasons) -> LinkReason:
    """Reasons as the front end gets them: the strongest writers of either end."""
    parts, head = reasons.parts, reasons.head
    return {
        "head": (head.kind, head.layer, head.head),
        "query": reasons.query,
        "key": reasons.key,
        "weight": round(parts.weight, _DIGITS),
        "score": round(parts.score, _DIGITS),
        "lift": round(parts.lift, _DIGITS),
        "distance": round(parts.distance, _DIGITS),
        "distance_lift": round(parts.distance_lift, _DIGITS),
        "wrote_key": [_part_data(part, reasons.names) for part in parts.of("key")[:LISTED]],
        "wrote_query": [_part_data(part, reasons.names) for part in parts.of("query")[:LISTED]],
        "sentence": reasons.sentence,
    }


def _part_data(part: Wrote, names: Mapping[Head, str]) -> WriterPart:
    writer = part.writer if isinstance(part.writer, Head) else None
    return {
        "writer": name_writer(*address_of(part.writer)),
        "head": None if writer is None else (writer.kind, writer.layer, writer.head),
        "called": "" if writer is None else names.get(writer, ""),
        "score": round(part.score, _DIGITS),
        "lift": round(part.lift, _DIGITS),
        "looks_at": None if writer is None else part.looks_at,
        "weight": None if writer is None else round(part.weight, _DIGITS),
    }


def pack_reasons(reasons: Sequence[LinkReason], block: Block) -> Reasons:
    """Put reasons into the bytes of a view."""
    written = json.dumps(reasons, ensure_ascii=False, separators=(",", ":")).encode()
    heads = len({reason["head"] for reason in reasons})
    return {"links": block.add(np.frombuffer(written, np.uint8)), "per_head": links_per_head(heads)}


def strongest_link(reasons: Sequence[LinkReason], selection: Selection) -> list[Pin]:
    """Both ends of the strongest link of the heads that are chosen, to be pinned; resting ones come last."""
    first: dict[tuple[str, int, int], LinkReason] = {}
    for reason in reasons:
        kind, layer, head = reason["head"]
        if (kind, layer) == (selection["attention"], selection["layer"]) and head in selection["heads"]:
            first.setdefault(reason["head"], reason)
    if not first:
        return []
    strongest = max(first.values(), key=lambda reason: reason["weight"])
    return [("query", strongest["query"]), ("key", strongest["key"])]
