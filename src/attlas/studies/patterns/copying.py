"""Copying: does attending to a token raise that token's logit, through the head's value-output product?

An induction head that copies has both: it looks at what came after, and says it. What a head adds when it
gives all its attention to a token t is W_O W_V norm(E[t]); how that changes the logits is read off the
model's own unembedding, the final norm folded in but for its division, which moves all logits alike. What
other layers add to t before this one reads it is left out too; so are the layers that BERT has between the
stream and its unembedding, and its norm after attention.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, cast

import torch
from torch import Tensor, nn

from attlas.address import Head, Kind
from attlas.studies.patterns.pattern_scores import PatternScore
from attlas.subject import Subject
from attlas.subject.projections import projections, value_and_output

SAMPLE, TOP = 512, 5  # tokens, and how many of them may be raised as much
_INPUT_NORMS = ("input_layernorm", "ln_1", "self_attn_layer_norm", "ln_attn")
_EMBEDDING_NORMS = ("word_embeddings_layernorm",)  # BLOOM norms embeddings, and again in every layer
_FINAL_NORMS = ("norm", "ln_f", "final_layer_norm", "final_layernorm")


def copying(subject: Subject, seed: int = 0) -> list[PatternScore]:
    """Score every head whose values and outputs can be found: the share of sampled tokens t of which
    attending to t raises t's own logit among the most raised. By chance it would be TOP / SAMPLE."""
    if not has_copying(subject):
        return []
    return [_score(head, raised) for head, raised in raised_logits(subject, _sample(subject, seed))]


def has_copying(subject: Subject) -> bool:
    """Whether a model has tokens, and logits that its heads could raise."""
    unembeds = isinstance(subject.unembedding, nn.Linear)
    return subject.tokenizer is not None and not subject.encoder_decoder and unembeds


@torch.no_grad()
def raised_logits(
    subject: Subject, ids: Tensor, stream: Tensor | None = None
) -> Iterator[tuple[Head, Tensor]]:
    """What each head adds to the logits of tokens (column) when it attends to one of them (row): token token.
    A token is its embedding, unless `stream` says what layers read of it (token model)."""
    model, output = cast("Any", subject.model), subject.unembedding
    assert output is not None
    read = _through(_norm_named(model, _FINAL_NORMS), output.get_parameter("weight")[ids].float())
    norm = _in_float(_norm_named(model, _EMBEDDING_NORMS) or nn.Identity())
    embedded = norm(model.get_input_embeddings().weight[ids].float()) if stream is None else stream.float()
    for name, kind, layer in _attention_modules(subject):
        heads = sum((h.kind, h.layer) == (kind, layer) for h in subject.heads)
        parts = value_and_output(model, name, heads)
        if parts is None or parts[0][0].shape[1] != embedded.shape[1]:  # embeddings of another size
            continue
        norm_before = _input_norm(model, name)
        normed = (norm_before or (_embeddings_norm(model) if stream is None else nn.Identity()))(embedded)
        layer_read = _through(_output_norm(model, name), read)
        for head, (value, out) in enumerate(parts):
            yield Head(kind, layer, head), (normed @ value.T) @ out.T @ layer_read.T


def _attention_modules(subject: Subject) -> list[tuple[str, Kind, int]]:
    """The modules' names, with the kind and layer of their heads. In models outside of transformers'
    attention interface (BLOOM, Falcon), they are what has projections, where there are as many as layers."""
    named = list(subject.model.named_modules())
    if subject.addresses:
        names = {module: name for name, module in named}
        return [(names[module], *where) for (module, _), where in subject.addresses.items()]
    layers = sorted({(head.kind, head.layer) for head in subject.heads})
    with_projections = [name for name, _ in named if projections(subject.model, name) is not None]
    return (
        [(name, *where) for name, where in zip(with_projections, layers, strict=True)]
        if len(with_projections) == len(layers)
        else []
    )


def _score(head: Head, raised: Tensor) -> PatternScore:
    own_logits = raised.diagonal()
    hits = ((raised > own_logits[:, None]).sum(-1) < TOP).double()
    share, null = float(hits.mean()), TOP / len(raised)
    error = math.sqrt(share * (1 - share) / len(raised))
    tokens, documents = len(raised), 0  # sampled tokens come from no document
    return PatternScore(head, "copying", share, error, null, share - null, error, tokens, documents)


def _sample(subject: Subject, seed: int) -> Tensor:
    special = set(subject.tokenizer.all_special_ids)
    ordinary = torch.tensor(sorted(i for i in subject.tokenizer.get_vocab().values() if i not in special))
    rng = torch.Generator().manual_seed(seed)
    return ordinary[torch.randperm(len(ordinary), generator=rng)[:SAMPLE]].to(subject.device)


def _above(model: nn.Module, name: str) -> Iterator[nn.Module]:
    """The modules that hold the one of that name, nearest first."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield model.get_submodule(name)


def _input_norm(model: nn.Module, attention: str) -> nn.Module | None:
    """What a layer does to its input before it attends."""
    for above in _above(model, attention):
        for name in _INPUT_NORMS:
            if isinstance(norm := getattr(above, name, None), nn.Module):
                return _in_float(norm)
    return None


def _embeddings_norm(model: nn.Module) -> nn.Module:
    """A model that norms after it attends norms its embeddings."""
    named = (m for name, m in model.named_modules() if name.endswith("embeddings.LayerNorm"))
    return _in_float(next(named, nn.Identity()))


def _in_float(norm: nn.Module) -> nn.Module:
    return deepcopy(norm).float()


def _output_norm(model: nn.Module, attention: str) -> nn.Module | None:
    """What Gemma 2 and later do to what attention gives before it joins the stream. Elsewhere the norm of
    that name comes before the feed-forward layer, which then has none after it."""
    for above in _above(model, attention):
        if isinstance(getattr(above, "post_feedforward_layernorm", None), nn.Module):
            return getattr(above, "post_attention_layernorm", None)
    return None


def _norm_named(model: nn.Module, names: Sequence[str]) -> nn.Module | None:
    base = getattr(model, "base_model", model)
    norms = (getattr(base, name, None) for name in names)
    return next((norm for norm in norms if isinstance(norm, nn.Module)), None)


def _through(norm: nn.Module | None, read: Tensor) -> Tensor:
    """What is read after a norm (token model), as it is read before it, but for the norm's division and what
    it adds. Asked of the norm itself, since it may multiply by its weight or by 1 more (Gemma), and may take
    the mean off (LayerNorm) or not."""
    if norm is None:
        return read
    norm = _in_float(norm)

    def linear(x: Tensor) -> Tensor:
        made: Tensor = (norm(x) - norm(-x)) / 2
        return made

    ones = read.new_ones(read.shape[-1])
    steps = ones.clone()
    steps[::2] = -1
    steps = steps - steps.mean()  # no mean, and no 0
    scale = linear(steps) / steps
    read = read * scale
    takes_mean_off = linear(ones).norm() < 0.5 * scale.norm()
    return read - read.mean(-1, keepdim=True) if takes_mean_off else read
