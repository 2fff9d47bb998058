"""Succession: does attending to a day, month, number or letter raise the next one, through the head's
value-output product (Gould et al. 2024)? It is about weights alone, as `copying` is, and about no text;
`successor` is what a head does in one.

What a head reads of a token is what the first layer makes of it, in a text of this token alone: embeddings
of numbers say little of their order before the first feed-forward layer."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attlas.address import Head
from attlas.array_types import Floats
from attlas.corpora.source import ItemId
from attlas.statistics.clusters import estimates, moments_by_document
from attlas.studies.patterns.copying import has_copying, raised_logits
from attlas.studies.patterns.pattern_scores import PatternScore
from attlas.studies.word_families import FAMILIES, family_tokens
from attlas.subject import Subject
from attlas.subject.blocks import stacks_of
from attlas.subject.sharing import in_this_thread

FEWEST = 4  # members: of fewer, none is next but few others could be raised instead


def succession(subject: Subject) -> list[PatternScore]:
    """Score every head behind the first layer whose values and outputs can be found: of the members of
    families but the last, the share of which attending to one raises the next more than all others. The null
    is how often it so raises a member that is neither, over their number. Families are what was drawn: what a
    head does with Monday it does with Tuesday."""
    if not has_copying(subject) or not stacks_of(subject):
        return []
    families = [
        tokens for words in FAMILIES if len(tokens := family_tokens(subject.tokenizer, words)) >= FEWEST
    ]
    if not families:
        return []
    ids = torch.tensor([token for tokens in families for token in tokens], device=subject.device)
    sizes = [len(tokens) for tokens in families]
    return [
        _score(head, raised.double().cpu().numpy(), sizes)
        for head, raised in raised_logits(subject, ids, _after_first_layer(subject, ids))
        if head.layer > 0
    ]


@torch.no_grad()
def _after_first_layer(subject: Subject, ids: Tensor) -> Tensor:
    """token model"""
    streams: list[Tensor] = []

    def keep(_: nn.Module, __: Any, output: Any) -> None:
        streams.append(output[0] if isinstance(output, tuple) else output)

    alone = ids[:, None]
    handle = stacks_of(subject)[0][0].register_forward_hook(in_this_thread(keep))
    try:
        subject.run({"input_ids": alone, "attention_mask": torch.ones_like(alone)}, predictions=False)
    finally:
        handle.remove()
    # the last: a survey may come first. OPT's blocks have all rows in one
    return streams[-1].view(len(ids), -1)


def _score(head: Head, raised: Floats, sizes: list[int]) -> PatternScore:
    """`raised` is token token, family by family."""
    hits, misses, ids, start = list[Floats](), list[Floats](), list[ItemId](), 0
    for family, size in enumerate(sizes):
        places = np.arange(size - 1)
        most = raised[start : start + size - 1, start : start + size].argmax(-1)
        hits.append((most == places + 1).astype(np.float64))
        misses.append(((most != places) & (most != places + 1)) / (size - 2))
        ids += [ItemId(family, int(place)) for place in places]
        start += size
    score, null = np.concatenate(hits), np.concatenate(misses)
    known = estimates(moments_by_document(np.stack([score, null, score - null]), ids))
    mean, stderr, items, documents, effective = known.for_row(0)
    gain, gain_stderr, *_ = known.at(2)
    read = items, documents, effective
    return PatternScore(head, "succession", mean, stderr, float(known.mean[1]), gain, gain_stderr, *read)
