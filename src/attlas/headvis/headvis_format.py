"""The names in HeadVis's tree: `config.json`, `scatter_data.json`, `heads/L{layer}H{head}.json`.

They are those of Neuronpedia's pipeline (`compute-head-metrics.py`) and of the front end that it feeds.
"""

from __future__ import annotations

from typing import Any, Final, TypedDict

CONFIG: Final = "config.json"
SCATTER: Final = "scatter_data.json"
SERVER: Final = "server_config.json"
MANIFEST: Final = "attributions/manifest.json"
HEAD_FILES: Final = "L{layer}H{head}.json"

INTERVALS = 5  # of a head's largest weight, from 1 (lowest) to 5
IN_AN_INTERVAL, IN_THE_TOP = 3, 10  # sequences
KEYS_OF_A_ROW, LEAST_WEIGHT = 8, 0.005
TOP_TOKENS = 50
BINS = 50  # of the histogram of largest weights, from 0 to 1
DISTANCE_EDGES = [0, *(2**i for i in range(13))]

#: metric -> the statistic and group of ours, and what it is, in words
METRICS: dict[str, tuple[str, str, str]] = {
    "self_attention_score": ("to_self", "", "Mean attention from a token to itself."),
    "prev_token_score": ("to_previous", "", "Mean attention to the token before."),
    "pattern_entropy": ("entropy", "all", "Mean entropy of a row of attention, in nats."),
    "qk_distance": ("token_distance", "", "Mean |q - k|, weighted by attention."),
    "qk_distance_variance": ("token_distance_variance", "", "Variance of |q - k|, weighted by attention."),
    "induction_score": (
        "pattern_score",
        "induction_text",
        "Mean attention to what followed an earlier occurrence of the same token, in text.",
    ),
}


class Sequence(TypedDict):
    """A text and a head's attention in it: weight i lies at `attention_indices[i]`, query * seq_len + key."""

    sequence_id: int
    interval: int
    tokens: list[str]
    attention_indices: list[int]
    attention_values: list[float]
    seq_len: int
    max_activation: float


class Histogram(TypedDict):
    bin_edges: list[float]
    bin_values: list[float]


class TokenWeight(TypedDict):
    token: str
    weight: float


class HeadFile(TypedDict):
    sequences: list[Sequence]
    qk_distance_histogram: Histogram
    top_query_tokens: list[TokenWeight]
    top_key_tokens: list[TokenWeight]
    histogram: Histogram
    statistics: dict[str, float | None]


class Tree(TypedDict):
    """A whole tree, in memory."""

    config: dict[str, Any]
    scatter: list[dict[str, Any]]
    heads: dict[tuple[int, int], HeadFile]
