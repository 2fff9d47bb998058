"""An independent reference for the studies of words: one window at a time, the model's own eager attention,
plain loops.

Nothing here uses the tap, the alignment's tensors or the reducers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from attlas.corpora.windows import Window
from attlas.studies.feature_study import word_features, word_links
from attlas.studies.frame_study import core_elements
from attlas.studies.links.link_questions import Link
from attlas.subject import Subject
from reference import in_double

Array = npt.NDArray[np.float64]
Span = tuple[int, int]
#: relations that tests of resting ask about
RESTING = ("det", "nsubj")


def maps(subject: Subject, window: Window) -> Iterator[tuple[str, int, Array, list[Span], list[Span]]]:
    """kind, layer, weights (head query key), and the characters of the queries and keys; specials have
    none."""
    encoded = subject.tokenizer(window.text, return_offsets_mapping=True, return_special_tokens_mask=True)
    ids = torch.tensor([encoded["input_ids"]], device=subject.device)
    offsets: list[Span] = [
        (0, 0) if special else (int(a), int(b))
        for (a, b), special in zip(encoded["offset_mapping"], encoded["special_tokens_mask"], strict=True)
    ]
    inputs = {"input_ids": ids}
    shifted = [(0, 0), *offsets[:-1]]
    if subject.encoder_decoder:
        inputs["decoder_input_ids"] = torch.cat([torch.zeros_like(ids[:, :1]), ids[:, :-1]], 1)
    with torch.no_grad():
        output = in_double(subject.model)(**inputs, output_attentions=True)
    if subject.encoder_decoder:
        sides = (
            ("encoder", output.encoder_attentions, offsets, offsets),
            ("decoder", output.decoder_attentions, shifted, shifted),
            ("cross", output.cross_attentions, shifted, offsets),
        )
    else:
        sides = (("decoder" if subject.name == "llama" else "encoder", output.attentions, offsets, offsets),)
    for kind, attentions, queries, keys in sides:
        for layer, weights in enumerate(attentions):
            yield kind, layer, weights[0].cpu().numpy(), queries, keys


def word_map(window: Window, weights: Array, queries: list[Span], keys: list[Span]) -> Array:
    """word word, for one head. Words of these windows never share a piece."""
    by_word = np.zeros((len(window.spans), len(window.spans)))
    asked = [pieces(keys, span) for span in window.spans]
    for i, span in enumerate(window.spans):
        rows = [weights[query].tolist() for query in pieces(queries, span)]
        for j, columns in enumerate(asked):
            if rows:
                by_word[i, j] = sum(sum(row[k] for k in columns) for row in rows) / len(rows)
    return by_word


def pieces(side: list[Span], span: Span) -> list[int]:
    return [i for i, (a, b) in enumerate(side) if a < span[1] and span[0] < b]


def answers(subject: Subject, window: Window, links: Sequence[Link]) -> dict[Any, tuple[int, int]]:
    """(kind, layer, head, direction, group) -> links correct, links."""
    counts: dict[Any, tuple[int, int]] = {}
    for kind, layer, weights, queries, keys in maps(subject, window):
        for head, head_map in enumerate(weights):
            words = word_map(window, head_map, queries, keys)
            for link in links:
                candidates = link.candidates or [i for i in range(len(words)) if i != link.word]
                for name, row in (("to", words[link.word]), ("from", words[:, link.word])):
                    best = max(candidates, key=lambda j: row[j])
                    correct = row[best] > 0 and best in link.gold
                    for group in link.groups:
                        old = counts.get((kind, layer, head, name, group), (0, 0))
                        counts[kind, layer, head, name, group] = old[0] + correct, old[1] + 1
    return counts


def weights(subject: Subject, window: Window, probe: str) -> dict[Any, float]:
    """(kind, layer, head, group, column) -> value of this window."""
    by_head: dict[Any, float] = {}
    for kind, layer, maps_, queries, keys in maps(subject, window):
        for head, head_map in enumerate(maps_):
            for group, value, matched in _values(probe, subject, window, head_map, queries, keys):
                by_head[kind, layer, head, group, ""] = value
                if matched is not None:
                    by_head[kind, layer, head, group, "matched"] = matched
                    by_head[kind, layer, head, group, "over_matched"] = value - matched
    return by_head


def _values(
    probe: str, subject: Subject, window: Window, head_map: Array, queries: list[Span], keys: list[Span]
) -> Iterator[tuple[str, float, float | None]]:
    if probe in ("features", "from [CLS]"):
        yield from _features(probe, subject, window, head_map, queries, keys)
    elif probe == "resting":
        yield from _resting(subject, window, head_map, queries, keys)
    elif probe == "frames":
        frame = window.document.frame
        assert frame is not None
        spans = [(e.start, e.end) for e in core_elements(window.document)]
        asking, element = _covered(queries, spans), _covered(keys, spans)
        back, target = _covered(queries, frame.targets), _covered(keys, frame.targets)
        for group, q, k in (("element_to_target", asking, target), ("target_to_element", back, element)):
            pairs = [(i, j) for i in q for j in k]
            yield (
                group,
                max((head_map[i, j] for i, j in pairs), default=0.0),
                _slid(head_map, pairs, queries, keys),
            )
    else:
        for group, linked in word_links(window).items():
            sets = []
            for a, b in linked:
                ends = pieces(queries, window.spans[a]), pieces(keys, window.spans[b])
                if all(ends):
                    sets.append([(q, k) for q in ends[0] for k in ends[1]])
            if sets:
                slid = [m for s in sets if (m := _slid(head_map, s, queries, keys)) is not None]
                value = float(np.mean([max(head_map[i, j] for i, j in s) for s in sets]))
                yield group, value, float(np.mean(slid)) if slid else None


def _resting(
    subject: Subject, window: Window, weights: Array, queries: list[Span], keys: list[Span]
) -> Iterator[tuple[str, float, float]]:
    tokens = subject.tokenizer.convert_ids_to_tokens(subject.tokenizer(window.text)["input_ids"])
    read = ["start", *tokens[:-1]] if keys[1] == (0, 0) else tokens
    place = [i for i, token in enumerate(read) if token == "[SEP]"] or [0]
    to_place = weights[:, place].sum(1)
    spelling = [i for i, (a, b) in enumerate(queries) if b > a]
    for relation in RESTING:
        spans = [
            span
            for word, span in zip(window.words, window.spans, strict=True)
            if relation in (word.relation, word.relation.split(":")[0])
        ]
        asking = _covered(queries, spans)
        others = [i for i in spelling if i not in asking]
        if asking and others:
            yield relation, float(to_place[asking].mean()), float(to_place[others].mean())


def _covered(side: list[Span], spans: Sequence[Span]) -> list[int]:
    return sorted({i for span in spans for i in pieces(side, span)})


def _slid(
    head_map: Array, pairs: list[tuple[int, int]], queries: list[Span], keys: list[Span]
) -> float | None:
    real_q = [i for i, (a, b) in enumerate(queries) if b > a]
    real_k = [i for i, (a, b) in enumerate(keys) if b > a]
    values = []
    for shift in range(-len(queries), len(queries) + 1):
        moved = [(i + shift, j + shift) for i, j in pairs]
        inside = all(real_q[0] <= i <= real_q[-1] and real_k[0] <= j <= real_k[-1] for i, j in moved)
        if shift and moved and inside:
            values.append(max(head_map[i, j] for i, j in moved))
    return float(np.mean(values)) if values else None


def _features(
    probe: str, subject: Subject, window: Window, head_map: Array, queries: list[Span], keys: list[Span]
) -> Iterator[tuple[str, float, float | None]]:
    tokens = subject.tokenizer.convert_ids_to_tokens(subject.tokenizer(window.text)["input_ids"])
    own_queries, own_keys = (
        ["start", *tokens[:-1]] if side[1] == (0, 0) else tokens  # what an encoder-decoder's decoder reads
        for side in (queries, keys)
    )
    rows = [i for i, t in enumerate(own_queries) if t == "[CLS]" or probe == "features"]
    if not rows:
        return
    profile = head_map[rows].mean(0)
    groups = {}
    for name, words in word_features(window).items():
        groups[name] = _covered(keys, [window.spans[w] for w in words])
    groups["cls"] = [i for i, t in enumerate(own_keys) if t == "[CLS]"]
    groups["sep"] = [i for i, t in enumerate(own_keys) if t == "[SEP]"]
    for group, places in groups.items():
        if places:
            # words are matched with words, [CLS] and [SEP] with anything
            among = (
                profile if group in ("cls", "sep") else profile[[i for i, (a, b) in enumerate(keys) if b > a]]
            )
            drawn = list(combinations(range(len(among)), len(places))) if len(among) < 14 else None
            matched = (
                float(np.mean([among[list(d)].max() for d in drawn]))
                if drawn is not None
                else _expected_by_rank(among, len(places))
            )
            yield group, float(profile[places].max()), matched


def _expected_by_rank(profile: Array, k: int) -> float:
    """E[max of k drawn of n] = Σ over thresholds of P(max >= x), from how many values are smaller."""
    from math import comb

    ordered = sorted(profile)
    n = len(ordered)
    return float(sum(x * (comb(i + 1, k) - comb(i, k)) for i, x in enumerate(ordered)) / comb(n, k))
