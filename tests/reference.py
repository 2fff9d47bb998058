"""An independent reference: every statistic from the formula, on the model's own attentions, in float64.

Nothing here uses the tap, the kernels or the reducers. One segment at a time, no padding, plain loops.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from transformers import PreTrainedModel

from attlas.corpora.segments import Segment
from attlas.subject import Subject

Array = npt.NDArray[np.float64]
Key = tuple[str, str]  # statistic, group


@cache
def in_double(model: nn.Module) -> nn.Module:
    """A copy in float64, with its own eager attention."""
    copied = deepcopy(model).double().eval()
    for stack in copied.modules():
        if isinstance(stack, PreTrainedModel):  # not every release hands it on to encoder and decoder
            stack.config._attn_implementation = "eager"  # Falcon refuses `set_attn_implementation`
    if hasattr(copied, "set_experts_implementation"):
        copied.set_experts_implementation("eager")  # others know no float64
    return copied


def maps(subject: Subject, segment: Segment) -> Iterator[tuple[str, int, Array, list[str], list[str]]]:
    """kind, layer, weights (head query key), query tokens, key tokens, from the model's eager attention."""
    device = subject.device
    ids = torch.tensor(np.array([segment.ids]), device=device).long()
    inputs = {"input_ids": ids}
    if subject.name == "mini":
        inputs["token_type_ids"] = torch.tensor(np.array([segment.types]), device=device).long()
    if subject.encoder_decoder:
        inputs["decoder_input_ids"] = torch.cat([torch.zeros_like(ids[:, :1]), ids[:, :-1]], 1)
    with torch.no_grad():
        output = in_double(subject.model)(**inputs, output_attentions=True)
    tokens = subject.tokenizer.convert_ids_to_tokens(list(segment.ids))
    if subject.encoder_decoder:
        shifted = subject.tokenizer.convert_ids_to_tokens([0, *segment.ids[:-1]])
        sides = (
            ("encoder", output.encoder_attentions, tokens, tokens),
            ("decoder", output.decoder_attentions, shifted, shifted),
            ("cross", output.cross_attentions, shifted, tokens),
        )
    else:
        kind = "decoder" if subject.name == "llama" else "encoder"
        sides = ((kind, output.attentions, tokens, tokens),)
    for kind, attentions, queries, keys in sides:
        for layer, weights in enumerate(attentions):
            yield kind, layer, weights[0].double().cpu().numpy(), list(queries), list(keys)


def members(name: str, tokens: Sequence[str]) -> list[int]:
    n = len(tokens)
    match name:
        case "all":
            return list(range(n))
        case "cls" | "sep":
            return [i for i, t in enumerate(tokens) if t == f"[{name.upper()}]"]
        case "punct":
            return [i for i, t in enumerate(tokens) if t in (".", ",")]
        case "other":
            return [i for i, t in enumerate(tokens) if t not in ("[CLS]", "[SEP]", ".", ",")]
        case "the":
            return [i for i, t in enumerate(tokens) if t == "the"]
        case "first":
            return [0]
        case "last":
            return [n - 1]
        case _:
            quarter = int(name.removeprefix("quarter_")) - 1
            return [i for i in range(n) if i * 4 // n == quarter]


def statistics(w: Array, q: list[str], k: list[str], kind: str, faithful: bool) -> dict[Key, Array]:
    """(statistic, group) -> head: one segment's values; what a segment lacks is left out."""
    heads, n, keys = w.shape
    by_statistic: dict[Key, Array] = {}
    if kind != "cross":
        for name, offset in (
            ("to_previous", -1),
            ("to_self", 0),
            ("to_next", 1),
            ("to_offset", 2),
            ("to_offset", -3),
        ):
            values = [w[:, i, i + offset] for i in range(n) if 0 <= i + offset < n]
            group = f"{offset:+d}" if name == "to_offset" else ""
            if values:
                by_statistic[name, group] = sum(values, np.zeros(heads)) / (n if faithful else len(values))
    for name in ("cls", "sep", "punct", "other", "the"):
        columns = members(name, k)
        by_statistic["to_class", name] = w[:, :, columns].sum((1, 2)) / n
    by_statistic["to_first", ""] = w[:, :, 0].sum(1) / n
    for name in (
        "cls",
        "sep",
        "punct",
        "other",
        "the",
        "first",
        "last",
        *(f"quarter_{i}" for i in range(1, 5)),
    ):
        columns = members(name, k)
        if columns:
            by_statistic["received", name] = w[:, :, columns].sum((1, 2)) / len(columns)
    seps, rest = members("sep", q), [i for i in range(n) if i not in members("sep", q)]
    to_sep = w[:, :, members("sep", k)].sum(2)
    if seps or faithful:
        by_statistic["sep_to_sep", ""] = to_sep[:, seps].sum(1) / (2 if faithful else max(1, len(seps)))
    by_statistic["other_to_sep", ""] = to_sep[:, rest].sum(1) / (n - 2 if faithful else len(rest))
    smooth = 0.9999 * w + 0.0001 / keys if faithful else w
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(smooth > 0, smooth * np.log(smooth), 0).sum(2)  # head query
    by_statistic["entropy", "all"] = entropy.mean(1)
    if members("cls", q):
        by_statistic["entropy", "cls"] = entropy[:, members("cls", q)].mean(1)
    by_statistic["largest", ""] = w.max(2).mean(1)
    if kind != "cross":
        by_statistic |= token_distances(w, "token_distance", 0)
    if kind == "decoder":
        by_statistic |= token_distances(w, "rest_token_distance", 1)
    return by_statistic


def token_distances(w: Array, name: str, skipped: int) -> dict[Key, Array]:
    """(statistic, group) -> head: mean and variance of |q - k|, pairs of tokens weighing by their attention,
    without the pairs whose key is one of the first `skipped`, and queries that then see only themselves."""
    means, variances = [], []
    for head in w:
        pairs = [
            (abs(q - k), float(head[q, k]))
            for q in range(2 * skipped, len(head))
            for k in range(skipped, len(head[q]))
        ]
        whole = math.fsum(weight for _, weight in pairs)
        mean = math.fsum(weight * far for far, weight in pairs) / whole
        means.append(mean)
        variances.append(math.fsum(weight * (far - mean) ** 2 for far, weight in pairs) / whole)
    return {(name, ""): np.array(means), (f"{name}_variance", ""): np.array(variances)}


@cache
def values(
    model: Subject, segments: tuple[Segment, ...], faithful: bool
) -> dict[tuple[str, int, int, str, str], list[float]]:
    """kind, layer, head, statistic, group -> the values of the segments that have one"""
    collected = defaultdict(list)
    for segment in segments:
        for kind, layer, weights, queries, keys in maps(model, segment):
            for key, by_head in statistics(weights, queries, keys, kind, faithful).items():
                for head, value in enumerate(by_head):
                    collected[(kind, layer, head, *key)].append(value)
    return collected


def rests(w: Array, keys: Sequence[str]) -> dict[Key, Array]:
    """(statistic, group) -> head: of one segment of causal attention, what does not fall on the first token.
    NaN where that is less than a thousandth."""
    heads, n, _ = w.shape
    by_statistic: dict[Key, Array] = {}
    totals: dict[Key, list[float]] = defaultdict(lambda: [0.0] * heads)
    rest = np.zeros(heads)
    for h in range(heads):
        for i in range(2, n):
            others = range(1, i + 1)
            here = math.fsum(w[h, i, j] for j in others)
            rest[h] += here
            totals["rest_to_previous", ""][h] += w[h, i, i - 1] if i > 1 else 0
            totals["rest_to_self", ""][h] += w[h, i, i]
            for name in ("cls", "sep", "punct", "other", "the"):
                totals["rest_to_class", name][h] += sum(
                    w[h, i, j] for j in members(name, keys) if j in others
                )
            shares = [w[h, i, j] / here for j in others if w[h, i, j] > 0]
            totals["rest_entropy", ""][h] -= here * math.fsum(s * math.log(s) for s in shares)
    for key, by_head in totals.items():
        by_statistic[key] = np.where(rest >= (n - 2) / 1000, np.array(by_head) / rest, np.nan)
    return by_statistic


def reach(w: Array) -> dict[Key, Array]:
    """(statistic, group) -> head: of one segment of causal attention, what stays within the last k tokens.
    Tokens that see no more than the window (without the first token: no more of the others) do not count."""
    heads, n, _ = w.shape
    by_statistic: dict[Key, Array] = {}
    for window in (2**i for i in range(13)):
        for name, others in (("to_near", 0), ("rest_to_near", 1)):
            rows = [i for i in range(n) if i - window > others]
            if not rows:
                continue
            near = [
                math.fsum(w[h, i, j] for i in rows for j in range(max(others, i - window), i + 1))
                for h in range(heads)
            ]
            whole = [math.fsum(w[h, i, j] for i in rows for j in range(others, i + 1)) for h in range(heads)]
            by_statistic[name, str(window)] = np.array(near) / np.array(whole)
    return by_statistic


def rest_divergence(w: Array) -> Array:
    """head head: how different two heads of one segment are apart from the first token (w: head query key).

    The rests of two rows, each weighing by its size, have a Jensen-Shannon divergence; a segment's is divided
    by the most that it could be. NaN where a head's rest is less than a thousandth."""
    heads, n, _ = w.shape
    divergence = np.full((heads, heads), np.nan)
    for a in range(heads):
        for b in range(heads):
            apart, most = 0.0, 0.0
            for i in range(2, n):
                r, s = w[a, i, 1:].sum(), w[b, i, 1:].sum()
                both, x = (r + s) / 2, r / (r + s)
                p, q = w[a, i, 1 : i + 1] / r, w[b, i, 1 : i + 1] / s
                m = x * p + (1 - x) * q
                apart += both * (
                    x * (p[p > 0] * np.log(p / m)[p > 0]).sum()
                    + (1 - x) * (q[q > 0] * np.log(q / m)[q > 0]).sum()
                )
                most -= both * (x * math.log(x) + (1 - x) * math.log(1 - x))
            if min(w[a, 2:, 1:].sum(), w[b, 2:, 1:].sum()) >= (n - 2) / 1000:
                divergence[a, b] = math.log(2) * apart / most
    return divergence


def jensen_shannon(w: Array, faithful: bool) -> Array:
    """head head: the divergence of every two heads (w: head query key), averaged (or summed) over queries."""
    heads, queries, keys = w.shape
    p = 0.999 * w + 0.001 / keys if faithful else w
    divergence = np.zeros((heads, heads))
    for i in range(heads):
        for j in range(heads):
            for a, b in zip(p[i], p[j], strict=True):
                m = (a + b) / 2
                for row in (a, b):
                    live = row > 0
                    divergence[i, j] += (row[live] * np.log(row[live] / m[live])).sum() / 2
    return divergence if faithful else divergence / queries


def mean_and_stderr(values: Sequence[float]) -> tuple[float, float]:
    n = len(values)
    mean = math.fsum(values) / n
    if n == 1:
        return mean, math.nan
    return mean, math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (n - 1) / n)


def clustered(values: Sequence[float], documents: Sequence[int]) -> tuple[float, float]:
    """The mean, and its standard error with documents as what was drawn, written out: the residuals of a
    document's items are summed before they are squared."""
    mean = math.fsum(values) / len(values)
    residuals: dict[int, list[float]] = defaultdict(list)
    for value, document in zip(values, documents, strict=True):
        residuals[document].append(value - mean)
    if len(residuals) == 1:
        return mean_and_stderr(values)
    squares = math.fsum(math.fsum(of_document) ** 2 for of_document in residuals.values())
    effective = len(values) ** 2 / sum(len(of_document) ** 2 for of_document in residuals.values())
    return mean, math.sqrt(effective / (effective - 1) * squares) / len(values)


Scored = dict[str, tuple[Array, Array]]  # pattern -> scores and nulls of heads


def patterns(
    w: Array,
    ids: list[int],
    special: list[bool],
    sentence: list[int],
    causal: bool,
    shuffles: Sequence[list[int]],
    classes: Mapping[str, set[int]],
) -> Scored:
    """Every pattern in text, of one segment without padding and without related tokens. `shuffles` are its
    tokens in other orders, `classes` the ids of [CLS], [SEP] and of punctuation."""
    n = len(ids)
    seen = [[k for k in range(n) if not causal or k <= q] for q in range(n)]
    words = [i for i in range(n) if not special[i]]

    def wanted(name: str, tokens: list[int], q: int, k: int) -> bool:
        both = q in words and k in words and k != q
        match name:
            case "next":
                return k == q + 1
            case "previous":
                return k == q - 1
            case "self":
                return k == q
            case "sink":
                return k == 0 and q != 0 and (causal or not special[0])
            case "delimiter":
                return special[k] and not (causal and k == 0)
            case "cls" | "sep":
                return special[k] and tokens[k] in classes[name] and not (causal and k == 0)
            case "punctuation":
                return k in words and k != q and tokens[k] in classes["punct"]
            case "duplicate" | "related":
                return both and tokens[q] == tokens[k]
            case "other_sentence":
                return both and tokens[q] == tokens[k] and sentence[q] != sentence[k]
            case _:  # induction
                return both and 0 < k < q and (k - 1) in words and tokens[k - 1] == tokens[q]

    def score(name: str, tokens: list[int], even: bool = False) -> Array | None:
        rows = []
        for q in range(n):
            keys = [k for k in seen[q] if wanted(name, tokens, q, k)]
            if keys:
                rows.append(np.full(len(w), len(keys) / len(seen[q])) if even else w[:, q, keys].sum(1))
        return sum(rows) / len(rows) if rows else None

    scored: Scored = {}
    for name in ("next", "previous", "self", "delimiter", "cls", "sep", "sink"):
        if (value := score(name, ids)) is not None:
            scored[name] = value, score(name, ids, even=True)
    for name in ("related", "other_sentence", "duplicate", "induction", "punctuation"):
        others = [null for tokens in shuffles if (null := score(name, tokens)) is not None]
        if (value := score(name, ids)) is not None and others:
            scored[name] = value, sum(others) / len(others)
    return scored | _spread(w, seen, words, sentence)


def _spread(w: Array, seen: list[list[int]], words: list[int], sentence: list[int]) -> Scored:
    """Patterns that say how a whole row is spread."""
    shapes: dict[str, list[dict[int, float]]] = {
        "bag": [],
        "broad": [],
        **{f"local {i}": [] for i in range(4)},
    }
    for q, keys in enumerate(seen):
        fellows = [k for k in keys if k in words and sentence[k] == sentence[q]] if q in words else []
        shapes["bag"].append(dict.fromkeys(fellows, 1.0) if len(fellows) < len(keys) else {})
        shapes["broad"].append(dict.fromkeys(keys, 1.0) if len(keys) > 1 else {})
        for i, reach in enumerate((2, 4, 8, 16)):
            falling = {k: math.exp(-abs(k - q) / reach) for k in keys}
            shapes[f"local {i}"].append(falling if len(keys) > 1 else {})
    scored: Scored = {}
    for name, rows in shapes.items():
        scores, nulls = [], []
        for q, shape in enumerate(rows):
            if shape:
                ideal = {k: value / sum(shape.values()) for k, value in shape.items()}
                scores.append(sum(np.minimum(w[:, q, k], share) for k, share in ideal.items()))
                even = 1 / len(seen[q])
                part = max(1 / 3, even)  # what is even over a third of them has a third in common
                nulls.append(part if name == "broad" else sum(min(even, share) for share in ideal.values()))
        if scores:
            scored[name] = sum(scores) / len(scores), np.full(len(w), sum(nulls) / len(nulls))
    return scored
