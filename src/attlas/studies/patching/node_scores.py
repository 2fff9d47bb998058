"""Scores of heads as the evaluator of the Mechanistic Interpretability Benchmark reads them: a graph in JSON,
whose nodes are named as TransformerLens counts them (a3.h7, m3). Nodes without a score always stay in."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pandas as pd

from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.subject import Subject

#: settings by which models say that attention and feed-forward layer of a block read the same
_PARALLEL = ("use_parallel_residual", "parallel_attn")
_ALWAYS_PARALLEL = frozenset({"gptj", "codegen", "phi", "cohere", "cohere2"})


def graph_json(subject: Subject, heads: pd.DataFrame) -> str:
    """The graph of a model, with how much each head speaks for the answer: the fall of the logit difference
    when its output comes from the corrupt text."""
    rows = heads[(heads["what"] == "output") & (heads["into"] == "clean")]
    scores = {f"a{r['layer']}.h{r['head']}": -float(r["effect"]) for r in rows.to_dict("records")}
    layers = Counter(head.layer for head in subject.heads)
    if len(subject.kinds) != 1 or len(set(layers.values())) != 1 or set(layers) != set(range(len(layers))):
        raise AttlasError(
            f"{subject.name} is no graph of the benchmark: its layers do not have as many heads"
        )
    named = [name for n in range(len(layers)) for name in (*_heads(n, layers[n]), f"m{n}")]
    nodes = {
        name: {"in_graph": True, **({"score": scores[name]} if name in scores else {})}
        for name in ("input", *named, "logits")
    }
    config = getattr(subject.model, "config")  # noqa: B009
    cfg = {
        "n_layers": len(layers),
        "n_heads": layers[0],
        "parallel_attn_mlp": config.model_type in _ALWAYS_PARALLEL
        or any(getattr(config, name, False) for name in _PARALLEL),
        "d_model": config.hidden_size,
    }
    return json.dumps({"cfg": cfg, "nodes": nodes, "edges": {}}, indent=1)


def _heads(layer: int, heads: int) -> list[str]:
    return [f"a{layer}.h{head}" for head in range(heads)]
