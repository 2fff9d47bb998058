"""What Clark et al. 2019 report, as far as it is known."""

from __future__ import annotations

from collections.abc import Mapping

LAYERS = 12
READ_OFF = 0.02  # of a share, off a plot
READ_OFF_NATS = 0.05
#: Figure 2: statistic and group -> mean over the heads of layers 1 to 12
FIGURE_2: Mapping[tuple[str, str], tuple[str, tuple[float, ...]]] = {
    ("to_class", "sep"): (
        "share of attention on [SEP]",
        (0.03, 0.05, 0.08, 0.22, 0.50, 0.55, 0.54, 0.57, 0.58, 0.47, 0.05, 0.08),
    ),
    ("to_class", "cls"): (
        "share of attention on [CLS]",
        (0.06, 0.26, 0.24, 0.14, 0.02, 0.02, 0.01, 0.01, 0.01, 0.02, 0.03, 0.01),
    ),
    ("to_class", "punct"): (
        "share of attention on periods and commas",
        (0.07, 0.11, 0.09, 0.09, 0.05, 0.05, 0.04, 0.06, 0.05, 0.09, 0.52, 0.57),
    ),
    ("sep_to_sep", ""): (
        "share of [SEP]'s attention on [SEP]",
        (0.16, 0.14, 0.11, 0.49, 0.90, 0.91, 0.89, 0.91, 0.87, 0.36, 0.07, 0.11),
    ),
}
#: Figure 4: entropy in nats
FIGURE_4: Mapping[tuple[str, str], tuple[str, tuple[float, ...]]] = {
    ("entropy", "all"): (
        "entropy of attention, all tokens",
        (3.6, 2.9, 2.6, 2.7, 2.4, 1.9, 1.9, 1.8, 2.2, 2.5, 2.8, 2.8),
    ),
    ("entropy", "cls"): (
        "entropy of attention, from [CLS]",
        (3.7, 3.5, 2.1, 2.8, 2.4, 2.4, 2.6, 2.0, 2.2, 2.8, 3.5, 3.9),
    ),
}
#: Table 1: the paper's relation -> Universal Dependencies', accuracy, best fixed offset
TABLE_1: Mapping[str, tuple[str, float, float]] = {
    "all": ("all", 34.5, 26.3),
    "det": ("det", 94.3, 51.7),
    "nsubj": ("nsubj", 58.5, 45.5),
    "dobj": ("obj", 86.8, 40.0),
    "amod": ("amod", 75.6, 68.3),
    "advmod": ("advmod", 48.8, 40.2),
    "aux": ("aux", 81.1, 71.5),
    "nn": ("compound", 70.4, 70.2),
    "poss": ("nmod:poss", 80.5, 47.7),
    "auxpass": ("aux:pass", 94.1, 82.5),
    "ccomp": ("ccomp", 48.8, 12.4),
    "mark": ("mark", 50.7, 14.5),
    "prt": ("compound:prt", 99.1, 91.4),
    "cop": ("cop", 72.2, 40.5),
}
#: relations that the "no-op" is asked of
RELATIONS_ASKED = tuple(universal for universal, _, _ in TABLE_1.values() if universal != "all")
#: Table 1's rows that have no counterpart in Universal Dependencies
NO_COUNTERPART = {"prep": (66.7, 61.8), "pobj": (76.3, 34.6)}
#: Table 2: type of mention -> head 5-4, best rules
TABLE_2 = {"all": (65.0, 69.0), "pronoun": (64.0, 70.0), "proper": (73.0, 77.0), "nominal": (58.0, 60.0)}
#: Table 3: probe -> UAS
TABLE_3 = {
    "right-branching": ("right-branching", 26.0),
    "embeddings": ("random weights, its embeddings kept, with words", 30.0),
    "distances": ("distances and words", 58.0),
    "attention": ("attention alone", 61.0),
    "words": ("attention and words", 77.0),
}
#: probes of Table 3, each of which beats the next
TABLE_3_ORDER = (("distances", "embeddings"), ("attention", "distances"), ("words", "attention"))
