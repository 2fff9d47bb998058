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
from attlas.corpora.window_source import WindowSource
from attlas.corpora.windows import DocumentWindows, SentenceWindows, Window, WindowCutter
from attlas.reducers import (
    Distances,
    Examples,
    Gradients,
    HeadOutputMeans,
    Means,
    Reducer,
    entropy,
    from_sep,
    largest,
    offsets,
    received,
    sink,
    to_class,
)
from attlas.reducers.pattern_scores import PatternScores
from attlas.reducers.predictive import Predictive
from attlas.reducers.retrieval import Retrieval
from attlas.reducers.typical_maps import TypicalMaps
from attlas.studies.coreference import BASELINES, AntecedentLinks, MentionCounts
from attlas.studies.dependencies import DependencyLinks
from attlas.studies.features import OriginalLinkPairs, OriginalPlaces, feature_places, link_pairs
from attlas.studies.frames import OriginalFramePairs, frame_pairs
from attlas.studies.links.accuracy import LinkAccuracy
from attlas.studies.links.at_work import FirstLinks, HeadsAtWork
from attlas.studies.links.baselines import BaselineCounts
from attlas.studies.links.halves import Everything, Half
from attlas.studies.links.links import DirectedHead, Direction, FindLinks
from attlas.studies.patterns.hiding import hidden_batch
from attlas.studies.patterns.needles import Needle, needle_batch
from attlas.studies.shapes.shares import ShapeShares
from attlas.studies.weights.on_features import OnFeatures
from attlas.studies.weights.pairs import BetweenPairs
from attlas.studies.weights.window_weights import WindowWeights
from attlas.subject import Subject
from attlas.tap import Observation, Tap, usable

DATA = Path(__file__).parent / "data"
OWN = {"the": {"the"}}
CLASSES = ("cls", "sep", "punct", "other", "the")
OFFSETS = (-1, 0, 1, 2, -3)
#: subject, faithful -> reducer
Make = Callable[[Subject, bool], Reducer]


def _links(find: FindLinks, baselines: dict[str, str]) -> Make:
    names: dict[Direction, str] = {"to": "there", "from": "back"}

    def make(subject: Subject, faithful: bool) -> Reducer:
        first, last = subject.heads[0], subject.heads[-1]
        chosen = {
            "all": DirectedHead(first.kind, first.layer, first.head, "to"),
            "obj": DirectedHead(last.kind, last.layer, last.head, "from"),
        }
        return LinkAccuracy("links", find, names, "mean", baselines, chosen, replicates=20)

    return make


def _at_work(subject: Subject, faithful: bool) -> Reducer:
    find = DependencyLinks()
    places = FirstLinks("places", find)
    for batch in aligned_batches(subject, windows_of("treebank", subject, 6)):
        places.update(Observation(batch, ()))
    best = {"all": DirectedHead(subject.heads[0].kind, 1, 1, "from")}
    return HeadsAtWork("at_work", find, best, places.places)


#: reducers that are shown segments
ON_SEGMENTS: dict[str, Make] = {
    "offsets": lambda subject, faithful: Means(offsets(OFFSETS, faithful)),
    "to_class": lambda subject, faithful: Means(to_class(CLASSES)),
    "from_sep": lambda subject, faithful: Means(from_sep(faithful)),
    "sink": lambda subject, faithful: Means(sink()),
    "received": lambda subject, faithful: Means(received([*CLASSES, *POSITIONS])),
    "entropy": lambda subject, faithful: Means(entropy(faithful)),
    "largest": lambda subject, faithful: Means(largest()),
    "distances": lambda subject, faithful: Distances(subject.heads, faithful),
    "gradients": lambda subject, faithful: Gradients(CLASSES),
    "examples": lambda subject, faithful: Examples(),
    "head outputs": lambda subject, faithful: HeadOutputMeans(),
    "shapes": lambda subject, faithful: ShapeShares(replicates=20),
    "patterns": lambda subject, faithful: PatternScores(),
    "typical maps": lambda subject, faithful: TypicalMaps(
        dict.fromkeys(subject.heads, ("previous", 0, 0.3)), keep=2
    ),
    "predictive": lambda subject, faithful: Predictive(),
    "retrieval": lambda subject, faithful: Retrieval(),
}
#: reducers that are shown windows, by corpus
ON_WINDOWS: dict[str, dict[str, Make]] = {
    "treebank": {
        "dependencies": _links(DependencyLinks(), {"all": "+1", "obj": "-2"}),
        "offset counts": lambda s, f: BaselineCounts(
            "b", DependencyLinks(), ("-1", "+1"), {"all": Everything(), "half": Half("window", True)}
        ),
        "first links": lambda s, f: FirstLinks("l", DependencyLinks()),
        "heads at work": _at_work,
        "features": lambda s, f: WindowWeights("f", "feature", OnFeatures(feature_places)),
        "features, original": lambda s, f: WindowWeights(
            "f", "feature", OnFeatures(OriginalPlaces(s.tokenizer))
        ),
        "from [CLS]": lambda s, f: WindowWeights("c", "cls", OnFeatures(feature_places, from_cls=True)),
        "word links": lambda s, f: WindowWeights("l", "link", BetweenPairs(link_pairs)),
        "word links, original": lambda s, f: WindowWeights(
            "l", "link", BetweenPairs(OriginalLinkPairs(s.tokenizer))
        ),
    },
    "documents": {
        "coreference": _links(AntecedentLinks(), {"all": "rules"}),
        "coreference, all words": _links(AntecedentLinks("words"), {"all": "rules"}),
        "rules": lambda s, f: BaselineCounts("b", AntecedentLinks(), BASELINES, {"all": Everything()}),
        "mentions": lambda s, f: MentionCounts(AntecedentLinks()),
    },
    "frames": {
        "frames": lambda s, f: WindowWeights("f", "frame", BetweenPairs(frame_pairs)),
        "frames, original": lambda s, f: WindowWeights(
            "f", "frame", BetweenPairs(OriginalFramePairs(s.tokenizer))
        ),
    },
}
#: reducers that count what is not a value of a head: they have no rows
WITHOUT_ROWS = (
    "typical maps",
    "examples",
    "offset counts",
    "first links",
    "heads at work",
    "rules",
    "mentions",
)
CORPUS = {name: corpus for corpus, several in ON_WINDOWS.items() for name in several}
REDUCERS = ON_SEGMENTS | {name: make for several in ON_WINDOWS.values() for name, make in several.items()}
#: those that have a reference of their own
ELSEWHERE = ("distances", "gradients", "examples", "head outputs")
ELSEWHERE += ("patterns", "typical maps", "predictive", "retrieval", "shapes")
SURFACE = [n for n in ON_SEGMENTS if n not in ELSEWHERE]
SUBJECTS = ("mini", "llama", "t5")
#: where a kernel is not named, it is the device's own; in Triton's interpreter, see test_triton
KERNELS = [k for k in usable() if k != "triton" or torch.cuda.is_available()]


@cache
def windows_of(corpus: str, subject: Subject, count: int) -> list[Window]:
    cutters: dict[str, tuple[Path | None, WindowCutter]] = {
        "treebank": (None, SentenceWindows(shortest=4, longest=16)),
        "documents": (DATA / "gum", DocumentWindows()),
        "frames": (DATA / "framenet_v17", SentenceWindows("raw", longest=14)),
    }
    path, cutter = cutters[corpus]
    source = WindowSource(annotated_corpus(path), cutter, fits(subject, 48), limit=count)
    found: list[Window] = []
    for shard in source.shards():
        found += source.prepare(shard).items
    return found[:count]


def observe(
    subject: Subject,
    reducer: Reducer,
    shown: Sequence[Segment] | Sequence[Window],
    size: int,
    kernel: str | None = None,
) -> Reducer:
    with Tap(subject, [reducer], kernel=kernel) as tap:
        for start in range(0, len(shown), size):
            for batch in _batches(subject, shown[start : start + size], reducer):
                if reducer.needs.gradients:
                    tap.run(*objective(subject, batch))
                else:
                    tap.run(batch)
    return reducer


def _batches(subject: Subject, shown: Sequence[Any], reducer: Reducer) -> Iterator[Batch]:
    if isinstance(reducer, Predictive):
        return (hidden_batch(subject, item, queries=1) for item in shown)
    if isinstance(reducer, Retrieval):  # the first tokens, which are then repeated
        return (needle_batch(subject, _needle(item)) for item in shown)
    if isinstance(shown[0], Window):
        return aligned_batches(subject, shown, weight_bytes=2**30)
    # the reference has no padding; here llama has it on the left, the others on the right
    return iter([collate(subject, shown, TokenClasses(subject.tokenizer, OWN), left=subject.name == "llama")])


def _needle(item: Segment) -> Needle:
    ids = np.concatenate([item.ids, item.ids[1:4]])
    again = tuple(range(len(item.ids), len(ids)))
    return Needle(Segment(item.id, ids, np.zeros(len(ids), np.uint8)), (1, 2, 3), again)


def assert_same(found: Reducer, expected: Reducer, tolerance: float) -> None:
    have, want = found.state(), expected.state()
    assert have.keys() == want.keys()
    for key in want:
        np.testing.assert_allclose(
            have[key], want[key], rtol=0, atol=tolerance * max(1, np.abs(want[key]).max())
        )
    assert [r[:5] for r in found.result()] == [r[:5] for r in expected.result()]
