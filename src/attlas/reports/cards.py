"""The cards: what the atlas knows of each head beyond its statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.atlas.catalogue.result_tables import records
from attlas.atlas.schema import ADDRESS
from attlas.reports.evidence import MOST_CHANGES, MOST_RELATIONS, Evidence, gain_of
from attlas.reports.packing import TokenPool, round_digits
from attlas.reports.page_contract import Card, ExampleKind, HeadExamples, TokenCounts, TypicalMap
from attlas.reports.sentences import Sentences
from attlas.views.block import Block
from attlas.wording.vocabulary import ALL, DIRECTION

ALIKE = 5  # heads most like another


def cards_of(
    atlas: Atlas, sentences: Sentences, chapters: Mapping[str, int], tokens: TokenPool, block: Block
) -> list[Card]:
    evidence = sentences.evidence
    numbers = {(c.chapter, c.name, c.group): number for number, c in enumerate(sentences.columns.all)}
    examples = _examples(atlas, tokens, evidence)
    maps, alike = _typical_maps(atlas, tokens, block), nearest_heads(atlas)
    looks = {side: _token_counts(atlas, side) for side in ("from", "at")}
    cards: list[Card] = []
    for place in range(len(atlas.addresses)):
        said, known = sentences.card(place)
        relations = [r for r in evidence.relations[place] if gain_of(r) > 0 or r["best"]][:MOST_RELATIONS]
        for relation in relations:
            chapter, group = atlas.chapters[relation["chapter"]], relation["group"]
            along = (name for name, way in DIRECTION.items() if way == relation["direction"])
            columns = (numbers.get((chapter, name, group)) for name in along)
            relation["statistic"] = next((number for number in columns if number is not None), None)
        near = alike.get(place)
        cards.append(
            {
                "sentences": [noted.sentence for noted in said],
                "tells": [noted.about for noted in said],
                "known": known,
                "relations": relations,
                "effects": evidence.effects[place],
                "changes": evidence.changes[place][:MOST_CHANGES],
                "matches": evidence.matches[place],
                "examples": examples[place],
                "looks_from": looks["from"].get(place),
                "looks_at": looks["at"].get(place),
                "map": maps.get(place),
                "alike": near[1] if near else [],
                "alike_chapter": chapters[near[0]] if near else None,
            }
        )
    return cards


def _token_counts(atlas: Atlas, side: str) -> dict[int, TokenCounts]:
    """For each head the tokens that it looks from, or at, most often."""
    chapter = next((c for c in atlas.chapters if f"{c}/looks" in atlas.tables), None)
    if chapter is None:
        return {}
    table = atlas.tables[f"{chapter}/looks"]
    table = table[table["side"] == side]
    places = {head: place for place, head in enumerate(atlas.addresses)}
    counts: dict[int, TokenCounts] = {}
    for address, rows in table.groupby(list(ADDRESS), sort=False):
        kind, layer, head = cast(tuple[Kind, int, int], address)
        place = places.get(Head(kind, int(layer), int(head)))
        if place is not None:
            counts[place] = {
                "tokens": [str(token) for token in rows["token"]],
                "shares": [round_digits(share) for share in rows["share"]],
                "common": [round_digits(share) for share in rows["common"]],
            }
    return counts


def _examples(atlas: Atlas, tokens: TokenPool, evidence: Evidence) -> list[HeadExamples]:
    """Those at work on a relation in the order in which the head's sentences claim them."""
    by_head: list[HeadExamples] = [
        {"kind": [], "step": [], "weight": [], "tokens": [], "query": [], "key": [], "key_tokens": []}
        for _ in atlas.addresses
    ]
    if atlas.examples.empty:
        return by_head
    places = {head: place for place, head in enumerate(atlas.addresses)}
    at_work = {key.partition("/")[0] for key in atlas.tables if key.endswith("/at_work")}
    rows = atlas.examples.sort_values(["kind", "layer", "head", "rank"], kind="stable").to_dict("records")
    claimed = _claimed(atlas, evidence)
    rows.sort(key=lambda row: claimed.get((row["chapter"], str(row["tokens"])), -1))
    for row in rows:
        place = places.get(Head.from_row(row))
        if place is None:
            continue
        columns, chapter = by_head[place], row["chapter"]
        other = row["key_tokens"] not in ("", row["tokens"])
        sample, _, step = str(row["sample"]).partition(" ")
        columns["kind"].append(cast(ExampleKind, "at_work" if chapter in at_work else sample))
        columns["step"].append(int(step) if step else None)
        columns["weight"].append(round_digits(float(row["weight"])))
        columns["tokens"].append(tokens.place(f"{chapter}/{row['tokens']}"))
        columns["query"].append(int(row["query"]))
        columns["key"].append(int(row["key"]))
        columns["key_tokens"].append(tokens.place(f"{chapter}/{row['key_tokens']}") if other else None)
    return by_head


def _claimed(atlas: Atlas, evidence: Evidence) -> dict[tuple[str, str], int]:
    """Of each text in which a head is at work: the place of its relation among those that the head finds."""
    places = {head: place for place, head in enumerate(atlas.addresses)}
    claimed: dict[tuple[str, str], int] = {}
    for key, table in atlas.tables.items():
        chapter, _, name = key.rpartition("/")
        for row in records(table) if name == "at_work" else ():
            sure = sorted(evidence.relations[places[Head.from_row(row)]], key=lambda r: not r["sure"])
            order = [r["group"] for r in sure if r["group"] != ALL]
            place = order.index(row["group"]) if row["group"] in order else len(order)
            claimed[chapter, str(row["tokens"])] = place
    return claimed


def _typical_maps(atlas: Atlas, tokens: TokenPool, block: Block) -> dict[int, TypicalMap]:
    """Each head's map of the text that shows it best at what it does on average."""
    places = {head: place for place, head in enumerate(atlas.addresses)}
    typical: dict[int, TypicalMap] = {}
    for kind in atlas.kinds:
        chapter = atlas.chapter_with(array=f"{kind}.typical")
        if chapter is None:
            continue
        maps, items, heads = (
            atlas.array(f"{kind}.{name}", chapter) for name in ("typical", "typical_items", "heads")
        )
        if maps is None or items is None or heads is None or not maps.shape[1]:
            continue
        for whole, item, (layer, head) in zip(maps[:, 0], items[:, 0].tolist(), heads.tolist(), strict=True):
            key = f"{chapter}/typical.{item[0]}.{item[1]}.{kind}"
            place = places.get(Head(kind, layer, head))
            if place is None or key not in atlas.tokens:
                continue
            size = min(len(atlas.tokens[key]), len(whole))
            weights = whole[:size, :size].astype(np.float64)
            scale = float(weights.max()) or 1.0
            coded = np.rint(255 * np.sqrt(np.clip(weights / scale, 0, 1))).astype(np.uint8)
            section = block.add(coded)
            typical[place] = {"weights": section, "scale": round_digits(scale), "tokens": tokens.place(key)}
    return typical


def nearest_heads(atlas: Atlas) -> dict[int, tuple[str, list[tuple[int, float]]]]:
    """For each head the chapter that has distances, and the nearest heads with theirs."""
    places = {head: place for place, head in enumerate(atlas.addresses)}
    nearest_to: dict[int, tuple[str, list[tuple[int, float]]]] = {}
    for kind in atlas.kinds:
        chapter = atlas.chapter_with(array=f"{kind}.distances")
        if chapter is None:
            continue
        distances, order = atlas.array(f"{kind}.distances", chapter), atlas.array(f"{kind}.heads", chapter)
        if distances is None or order is None or len(order) < 2:
            continue
        at = [places[Head(kind, layer, head)] for layer, head in order.tolist()]
        apart = distances + np.diag(np.full(len(order), np.inf))
        nearest = np.argsort(apart, axis=1, kind="stable")[:, : min(ALIKE, len(order) - 1)]
        for row, near in enumerate(nearest.tolist()):
            nearest_to[at[row]] = chapter, [(at[n], round_digits(float(distances[row, n]))) for n in near]
    return nearest_to
