"""Every reducer that there is, listed once, with what it is shown; and how a reducer observes it.

Segments are cut from plain text. Windows come from an annotated corpus, whose words the probes need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from attlas.corpora.alignment import aligned_batches, fits
from attlas.corpora.batches import Batch
from attlas.corpora.classes import POSITIONS, TokenClasses
from attlas.corpora.objective import objective
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.segments import Segment, collate
from attlas.corpora.windows import Cut, Window, document_windows, sentence_windows
from attlas.probes.accuracy import LinkAccuracy
from attlas.probes.coreference import Antecedents
from attlas.probes.dependencies import Dependencies
from attlas.probes.features import feature_places, link_pairs, original_link_pairs, original_places
from attlas.probes.frames import frame_pairs, original_pairs
from attlas.probes.links import Ask, Direction
from attlas.probes.weights import WindowWeights, between_pairs, on_features
from attlas.reducers import (
    Distances,
    Examples,
    Gradients,
    Reducer,
    entropy,
    from_sep,
    largest,
    offsets,
    received,
    sink,
    to_class,
)
from attlas.subject import Subject
from attlas.tap import Tap, usable

DATA = Path(__file__).parent / "data"
OWN = {"the": {"the"}}
CLASSES = ("cls", "sep", "punct", "other", "the")
OFFSETS = (-1, 0, 1, 2, -3)
#: subject, faithful -> reducer
Make = Callable[[Subject, bool], Reducer]


def _links(ask: Ask, rivals: dict[str, str]) -> Make:
    names: dict[Direction, str] = {"to": "there", "from": "back"}
    return lambda subject, faithful: LinkAccuracy("links", ask, names, rivals=rivals)


#: reducers that are shown segments
ON_SEGMENTS: dict[str, Make] = {
    "offsets": lambda subject, faithful: offsets(OFFSETS, faithful),
    "to_class": lambda subject, faithful: to_class(CLASSES),
    "from_sep": lambda subject, faithful: from_sep(faithful),
    "sink": lambda subject, faithful: sink(),
    "received": lambda subject, faithful: received([*CLASSES, *POSITIONS]),
    "entropy": lambda subject, faithful: entropy(faithful),
    "largest": lambda subject, faithful: largest(),
    "distances": lambda subject, faithful: Distances(subject.heads, faithful),
    "gradients": lambda subject, faithful: Gradients(CLASSES),
    "examples": lambda subject, faithful: Examples(),
}
#: reducers that are shown windows, by corpus
ON_WINDOWS: dict[str, dict[str, Make]] = {
    "treebank": {
        "dependencies": _links(Dependencies(), {"all": "+1", "obj": "-2"}),
        "features": lambda s, f: WindowWeights("f", "feature", on_features(feature_places)),
        "features, original": lambda s, f: WindowWeights(
            "f", "feature", on_features(original_places(s.tokenizer))
        ),
        "from [CLS]": lambda s, f: WindowWeights("c", "cls", on_features(feature_places, from_cls=True)),
        "word links": lambda s, f: WindowWeights("l", "link", between_pairs(link_pairs)),
        "word links, original": lambda s, f: WindowWeights(
            "l", "link", between_pairs(original_link_pairs(s.tokenizer))
        ),
    },
    "documents": {
        "coreference": _links(Antecedents(), {"all": "rules"}),
        "coreference, all words": _links(Antecedents("words"), {"all": "rules"}),
    },
    "frames": {
        "frames": lambda s, f: WindowWeights("f", "frame", between_pairs(frame_pairs)),
        "frames, original": lambda s, f: WindowWeights(
            "f", "frame", between_pairs(original_pairs(s.tokenizer))
        ),
    },
}
CORPUS = {name: corpus for corpus, several in ON_WINDOWS.items() for name in several}
REDUCERS = ON_SEGMENTS | {name: make for several in ON_WINDOWS.values() for name, make in several.items()}
SURFACE = [n for n in ON_SEGMENTS if n not in ("distances", "gradients", "examples")]
SUBJECTS = ("mini", "llama", "t5")
#: where a kernel is not named, it is the device's own; in Triton's interpreter, see test_triton
KERNELS = [k for k in usable() if k != "triton" or torch.cuda.is_available()]


@cache
def windows_of(corpus: str, subject: Subject, count: int) -> list[Window]:
    fit = fits(subject, 48)
    if corpus == "treebank":
        found = sentence_windows(annotated_corpus(None).read(), fit, Cut(), shortest=4, longest=16)
    elif corpus == "documents":
        found = document_windows(annotated_corpus(DATA / "gum").read(), fit, Cut())
    else:
        found = sentence_windows(
            annotated_corpus(DATA / "framenet_v17").read(), fit, Cut(), "raw", longest=14
        )
    return [w for w, _ in zip(found, range(count), strict=False)]


def observe(
    subject: Subject,
    reducer: Reducer,
    shown: Sequence[Segment] | Sequence[Window],
    size: int,
    kernel: str | None = None,
) -> Reducer:
    with Tap(subject, [reducer], kernel=kernel) as tap:
        for start in range(0, len(shown), size):
            for batch in _batches(subject, shown[start : start + size]):
                if reducer.needs.gradients:
                    tap.run(*objective(subject, batch))
                else:
                    tap.run(batch)
    return reducer


def _batches(subject: Subject, shown: Sequence[Any]) -> Iterator[Batch]:
    if isinstance(shown[0], Window):
        return aligned_batches(subject, shown, weight_bytes=2**30)
    # the reference has no padding; here llama has it on the left, the others on the right
    return iter([collate(subject, shown, TokenClasses(subject.tokenizer, OWN), left=subject.name == "llama")])


def assert_same(found: Reducer, expected: Reducer, tolerance: float) -> None:
    have, want = found.state(), expected.state()
    assert have.keys() == want.keys()
    for key in want:
        np.testing.assert_allclose(
            have[key], want[key], rtol=0, atol=tolerance * max(1, np.abs(want[key]).max())
        )
    assert [r[:5] for r in found.result()] == [r[:5] for r in expected.result()]
