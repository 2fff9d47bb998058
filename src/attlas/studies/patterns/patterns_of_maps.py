"""Patterns of maps that are given: weights and tokens, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.corpora.recording import check_attention
from attlas.corpora.source import ItemId
from attlas.corpora.token_text import PUNCTUATION
from attlas.errors import AttlasError
from attlas.studies.patterns.definitions import IN_TEXT, PatternTokens, pattern_targets, scores, visible_keys
from attlas.studies.patterns.pattern_scores import PatternScore, columns_of
from attlas.studies.patterns.predictive import predictive_scores

SPECIALS = ("[CLS]", "[SEP]", "<s>", "</s>", "<|endoftext|>", "<bos>", "<eos>")
ENDS = ("[SEP]", "</s>")


def patterns_of_maps(
    attention: Any,
    tokens: Sequence[str],
    *,
    causal: bool = False,
    specials: Sequence[str] = SPECIALS,
    related: Any = None,
    effects: Any = None,
    seed: int = 0,
) -> list[PatternScore]:
    """The scores of every head of one text: `attention` is layer head query key, `tokens` are its tokens.

    [SEP] ends sentence A. `related` (token token) says which tokens are akin, and `effects` (token token) how
    much the prediction of the first depends on the second, where somebody has found out.
    """
    weights = torch.as_tensor(attention).detach().cpu().double()
    _check(weights, tokens)
    text = _text(tokens, specials, related)
    visible = visible_keys(text.real, None, causal)
    wanted = pattern_targets(IN_TEXT, text, visible, seed)
    layers, heads = weights.shape[:2]
    flat = weights.flatten(0, 1)  # head query key
    score, null = scores(wanted, flat[None])
    null = null + wanted.even[:, None]
    kind: Kind = "decoder" if causal else "encoder"
    all_scores = []
    for at in range(layers * heads):
        head = Head(kind, at // heads, at % heads)
        for name in dict.fromkeys(name for name, _ in columns_of(IN_TEXT)):
            columns = [i for i, (n, _) in enumerate(wanted.columns) if n == name and wanted.present[0, i]]
            if columns:
                i = max(columns, key=lambda i: float(score[0, at, i] - null[0, at, i]))
                scale, numbers = wanted.columns[i][1], (float(score[0, at, i]), float(null[0, at, i]))
                all_scores.append(_score_of_one_text(head, name, *numbers, scale, len(columns)))
    if effects is not None:
        effect = torch.as_tensor(effects).double()
        words = text.ordinary[0]
        known = words[:, None] & words & visible[0] & (text.ids[0][:, None] != text.ids[0])
        strong, chance, tells = predictive_scores(flat, effect, known)
        if tells:
            for at, (a, b) in enumerate(zip(strong.tolist(), chance.tolist(), strict=True)):
                all_scores.append(_score_of_one_text(Head(kind, at // heads, at % heads), "predictive", a, b))
    return all_scores


def _score_of_one_text(
    head: Head, pattern: str, score: float, null: float, scale: int = 0, scales: int = 1
) -> PatternScore:
    nan = float("nan")
    return PatternScore(head, pattern, score, nan, null, score - null, nan, 1, 1, 1.0, scale, scales)


def _text(tokens: Sequence[str], specials: Sequence[str], related: Any) -> PatternTokens:
    numbers = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
    ids = torch.tensor([[numbers[token] for token in tokens]])
    special = torch.tensor([[token in specials for token in tokens]])
    ended = torch.tensor([[token in ENDS for token in tokens]])
    sentence = (ended.cumsum(-1) - ended.long()).masked_fill(special, -1)
    of_class = {"cls": ("[CLS]", "<s>"), "sep": ENDS, "punct": PUNCTUATION}
    classes = {name: torch.tensor([[token in of for token in tokens]]) for name, of in of_class.items()}
    akin = None if related is None else torch.as_tensor(related, dtype=torch.bool)[None]
    real = torch.ones_like(special)
    return PatternTokens(ids, real, special, sentence, akin, (ItemId(0, 0),), classes=classes)


def _check(weights: Tensor, tokens: Sequence[str]) -> None:
    if weights.ndim != 4:
        raise AttlasError(f"attention has shape {tuple(weights.shape)}: it must be layer, head, query, key")
    if weights.shape[2:] != (len(tokens), len(tokens)):
        high, wide = weights.shape[2:]
        raise AttlasError(f"the maps are {high} x {wide}, and there are {len(tokens)} tokens")
    if len(tokens) < 2:
        raise AttlasError("a text of a single token shows no pattern: give two tokens or more")
    check_attention(weights.numpy())
