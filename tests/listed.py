"""Every reducer that there is, listed once, with what it is shown; and how a reducer observes it.

Segments are cut from plain text. Windows come from an annotated corpus, whose words the probes need. A task
has examples. Most reducers see one model run; `OBSERVED` says which see more, and `SHOWN_AS` which are shown
an item in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from attlas.address import Head
from attlas.corpora.alignment import aligned_batches, fits
from attlas.corpora.batches import Batch, TokenClasses, collate
from attlas.corpora.halves import Half
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId
from attlas.corpora.task_data import TaskData
from attlas.corpora.task_source import TaskBatch, TaskItem, TaskSource
from attlas.corpora.tasks import Task
from attlas.corpora.windows import (
    CoveringWindow,
    DocumentWindows,
    SentenceWindows,
    Window,
    WindowCutter,
    WindowSource,
)
from attlas.edits import uniform, zero
from attlas.edits.sweep import Sweep
from attlas.headvis.headvis_sequences import LargestWeights, StrongestOfRows
from attlas.reducers import Means, Reducer, offsets, over_a_sample, surface, surface_by_norm
from attlas.reducers.document import LongDocument
from attlas.reducers.items import Lengths, Sample, TokenLists
from attlas.row import Row
from attlas.studies.comparing.two_models import CrossDistances, MapChanges, OtherModel, PairedMeans
from attlas.studies.coreference_study import BASELINES, AntecedentLinks, MentionCounts, gap_links
from attlas.studies.dependency_study import DependencyLinks
from attlas.studies.disabling.disable_study import HeadOutputMeans
from attlas.studies.disabling.outcomes import Outcomes, measure_answers
from attlas.studies.disabling.screening import HalfCounts
from attlas.studies.disabling.sweep_trial import Trial, TrialAnswers
from attlas.studies.feature_study import OriginalLinkPairs, OriginalPlaces, feature_places, link_pairs
from attlas.studies.feeding.feed_sweep import FeedLayout, FeedMeans, FeedSweep
from attlas.studies.finetuning.predictions import Predictions
from attlas.studies.frame_study import OriginalFramePairs, frame_pairs
from attlas.studies.links.accuracy import LinkAccuracy
from attlas.studies.links.heads_at_work import FirstLinks, HeadsAtWork
from attlas.studies.links.link_questions import EVERYTHING, BaselineCounts, DirectedHead, Direction, FindLinks
from attlas.studies.patterns.function_vectors import FunctionVectors
from attlas.studies.patterns.needle_scores import LongInduction, QueryFocus, Retrieval, answer_batch
from attlas.studies.patterns.needles import Needle, Question, needle_batch
from attlas.studies.patterns.pattern_scores import PatternScores
from attlas.studies.patterns.predictive import Predictive, hidden_batch
from attlas.studies.patterns.small_tasks import (
    CandidateBatch,
    CopySuppression,
    SolvedTexts,
    Successor,
    candidate_batch,
)
from attlas.studies.patterns.typical_maps import TypicalMaps
from attlas.studies.programs.fitting import Fit
from attlas.studies.programs.program_shares import Fits, ProgramShares
from attlas.studies.programs.program_sums import ProgramSums, Reading, StreamLengths, reading_for
from attlas.studies.programs.program_vocabulary import programs
from attlas.studies.programs.token_features import CLASSES as PROGRAM_CLASSES
from attlas.studies.pruning.prune_study import GateGradients
from attlas.studies.related_study import WordCounts
from attlas.studies.resting_study import OnRestingPlace
from attlas.studies.shapes.shares import ShapeShares
from attlas.studies.surface.causal_heads import Reach, Rest
from attlas.studies.surface.examples import ExampleRows, Examples
from attlas.studies.surface.gradient_importance import Gradients
from attlas.studies.surface.head_distances import Distances
from attlas.studies.surface.image_attention import ImageAttention
from attlas.studies.surface.sentence_maps import PassageWeights
from attlas.studies.trees.recorded_features import FeatureLayout, Recorder, Shape, prepare_files
from attlas.studies.trees.treebank import Trees
from attlas.studies.weights.window_weights import BetweenPairs, OnFeatures, WindowWeights
from attlas.studies.writing.found_again import ItemLogits
from attlas.studies.writing.inactivity import InactivityScores
from attlas.studies.writing.logit_contributions import LogitMeans, PartMeans, SentVectors
from attlas.studies.writing.stream_writes import GateMeans, LargestDimensions, StreamEntries, WriteLengths
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap import Needs, Observation, Tap, usable
from made_models import classifier, disturbed
from naive import RESTING

MENTIONS = ("mention_to_antecedent", "antecedent_to_mention")
DATA = Path(__file__).parent / "data"
OWN = {"the": {"the"}}
CLASSES = ("cls", "sep", "punct", "other", "the")
MORE_OFFSETS = (2, -3)
#: subject, faithful -> reducer
Make = Callable[[Subject, bool], Reducer]
#: subject, reducer, batches, kernel: shows them to it
Show = Callable[[Subject, Reducer, Iterator[Batch], str | None], None]


def _links(find: FindLinks, there: str, back: str, baselines: dict[str, str]) -> Make:
    names: dict[Direction, str] = {"to": there, "from": back}

    def make(subject: Subject, faithful: bool) -> Reducer:
        return LinkAccuracy("links", find, names, "mean", baselines)

    return make


def _at_work(subject: Subject, faithful: bool) -> Reducer:
    find = DependencyLinks()
    places = FirstLinks("places", find)
    for batch in aligned_batches(subject, windows_of("treebank", subject, 6)):
        places.update(Observation(batch, ()))
    best = {"all": DirectedHead(subject.heads[0].kind, 1, 1, "from")}
    return HeadsAtWork("at_work", find, best, places.places)


_folders = TemporaryDirectory()  # what recorders write, as long as the tests last


def _recorder(subject: Subject, faithful: bool) -> Reducer:
    gathered = Trees()
    observe(subject, gathered, windows_of("treebank", subject, 6), 6)
    trees = gathered.by_length()
    shape = Shape.of(subject, states=True)
    layout = FeatureLayout(shape, tuple(t.id for t in trees), tuple(len(t.words) for t in trees))
    return Recorder(prepare_files(Path(mkdtemp(dir=_folders.name)), "train", layout, {})[0])


def _paired(subject: Subject, faithful: bool) -> Reducer:
    return PairedMeans(surface(TokenClasses(subject.tokenizer, OWN), MORE_OFFSETS, faithful).means)


def _few_programs(subject: Subject) -> Reading:
    """Some programs, and fewer rows than a text has."""
    return replace(reading_for(subject), programs=programs(None, ["previous", "broad", "sentence"]), rows=9)


def _program_shares(subject: Subject, faithful: bool) -> Reducer:
    """As if every head were mostly even attention."""
    weights = np.full((len(PROGRAM_CLASSES), 2), 0.4)
    fits = {h: Fit(h, (1, 0), weights, weights / 2, 0.5, np.zeros(0), np.zeros(0)) for h in subject.heads}
    return ProgramShares(_few_programs(subject), {head: Fits(fit, fit, fit) for head, fit in fits.items()})


#: reducers that are shown segments
ON_SEGMENTS: dict[str, Make] = {
    "surface": lambda subject, faithful: Means(
        [
            *surface(TokenClasses(subject.tokenizer, OWN), MORE_OFFSETS, faithful).means,
            *over_a_sample().means,
        ],
        "surface",
    ),
    "distances": lambda subject, faithful: Distances(subject.heads, faithful),
    "rest": lambda subject, faithful: Rest(CLASSES),
    "reach": lambda subject, faithful: Reach(),
    "image attention": lambda subject, faithful: ImageAttention(),
    "gradients": lambda subject, faithful: Gradients(CLASSES),
    "examples": lambda subject, faithful: Examples(),
    "row_sample": lambda subject, faithful: ExampleRows(keep=6),
    "head outputs": lambda subject, faithful: HeadOutputMeans(),
    "shapes": lambda subject, faithful: ShapeShares(),
    "patterns": lambda subject, faithful: PatternScores(),
    "typical maps": lambda subject, faithful: TypicalMaps(
        dict.fromkeys(subject.heads, ("previous", 0, 0.3)), keep=2
    ),
    "predictive": lambda subject, faithful: Predictive(),
    "long induction": lambda subject, faithful: LongInduction(),
    "retrieval": lambda subject, faithful: Retrieval(),
    "query focus": lambda subject, faithful: QueryFocus(),
    "successor": lambda subject, faithful: Successor(),
    "copy suppression": lambda subject, faithful: CopySuppression(),
    "function vectors": lambda subject, faithful: FunctionVectors(swept(subject)),
    "solved": lambda subject, faithful: SolvedTexts(),
    "gates": lambda subject, faithful: GateGradients(),
    "halves": lambda subject, faithful: HalfCounts(),
    "surface by norm": lambda subject, faithful: surface_by_norm(
        TokenClasses(subject.tokenizer, OWN), MORE_OFFSETS
    ),
    "write lengths": lambda subject, faithful: WriteLengths(),
    "inactivity": lambda subject, faithful: InactivityScores(),
    "stream entries": lambda subject, faithful: StreamEntries(),
    "largest dimensions": lambda subject, faithful: LargestDimensions(),
    "gate means": lambda subject, faithful: GateMeans(),
    "logit means": lambda subject, faithful: LogitMeans(),
    "parts of logits": lambda subject, faithful: PartMeans(),
    "logits of items": lambda subject, faithful: ItemLogits(),
    "sent vectors": lambda subject, faithful: SentVectors(),
    "outcomes": lambda subject, faithful: Outcomes(),
    "tried": lambda subject, faithful: TrialAnswers(),
    "feeds": lambda subject, faithful: FeedMeans(),
    "stream lengths": lambda subject, faithful: StreamLengths(),
    "program sums": lambda subject, faithful: ProgramSums(_few_programs(subject)),
    "program shares": _program_shares,
    "map changes": lambda subject, faithful: MapChanges(),
    "means of the other": lambda subject, faithful: OtherModel(Means(offsets())),
    "paired means": _paired,
    "cross distances": lambda subject, faithful: CrossDistances(subject.heads),
    "lengths": lambda subject, faithful: Lengths(),
    "sample": lambda subject, faithful: Sample(3),
    "token lists": lambda subject, faithful: TokenLists(),
    "passage weights": lambda subject, faithful: PassageWeights(
        dict.fromkeys(("encoder", "decoder"), slice(-5, None))
    ),
    "largest weights": lambda subject, faithful: LargestWeights(subject.kinds[0]),
    "strongest of rows": lambda subject, faithful: StrongestOfRows(
        subject.kinds[0],
        {(1, 1): {ItemId(n, 0) for n in range(0, 9, 2)}, (0, 2): {ItemId(1, 0)}},
        keys=16,  # all of them: which of two equal ones is the stronger depends on rounding
    ),
    "long document": lambda subject, faithful: LongDocument(subject.heads, 16),
}
#: of these, those that are shown one
ONE_SEGMENT = ("long document",)
#: reducers that are shown windows, by corpus
ON_WINDOWS: dict[str, dict[str, Make]] = {
    "treebank": {
        "dependencies": _links(
            DependencyLinks(), "dependent_to_head", "head_to_dependent", {"all": "+1", "obj": "-2"}
        ),
        "offset counts": lambda s, f: BaselineCounts(
            "b", DependencyLinks(), ("-1", "+1"), {**EVERYTHING, "half": Half(True, by="turn")}
        ),
        "first links": lambda s, f: FirstLinks("l", DependencyLinks()),
        "heads at work": _at_work,
        "features": lambda s, f: WindowWeights("f", "feature_weight", OnFeatures(feature_places)),
        "features, original": lambda s, f: WindowWeights(
            "f", "feature_weight", OnFeatures(OriginalPlaces(s.tokenizer))
        ),
        "from [CLS]": lambda s, f: WindowWeights(
            "c", "cls_weight", OnFeatures(feature_places, from_cls=True)
        ),
        "word links": lambda s, f: WindowWeights("l", "link_weight", BetweenPairs(link_pairs)),
        "word links, original": lambda s, f: WindowWeights(
            "l", "link_weight", BetweenPairs(OriginalLinkPairs(s.tokenizer))
        ),
        "resting": lambda s, f: WindowWeights("r", "resting_weight", OnRestingPlace(RESTING)),
        "words counted": lambda s, f: WordCounts("w"),
        "trees": lambda s, f: Trees(),
        "recorder": _recorder,
    },
    "documents": {
        "coreference": _links(AntecedentLinks(), *MENTIONS, {"all": "rules"}),
        "coreference, all words": _links(AntecedentLinks("words"), *MENTIONS, {"all": "rules"}),
        "rules": lambda s, f: BaselineCounts("b", AntecedentLinks(), BASELINES, EVERYTHING),
        "mentions": lambda s, f: MentionCounts(AntecedentLinks()),
    },
    "gap": {"pronouns": _links(gap_links, "pronoun_to_name", "name_to_pronoun", {"all": "nearest"})},
    "frames": {
        "frames": lambda s, f: WindowWeights("f", "frame_weight", BetweenPairs(frame_pairs)),
        "frames, original": lambda s, f: WindowWeights(
            "f", "frame_weight", BetweenPairs(OriginalFramePairs(s.tokenizer))
        ),
    },
}
#: reducers that are shown examples of a task
ON_TASK: dict[str, Make] = {
    "predictions": lambda subject, faithful: Predictions(),
    "outcomes of a task": lambda subject, faithful: Outcomes(),
}
#: every statistic that is a mean over segments, as the code declares them
DECLARED = tuple(
    dict.fromkeys(
        mean.statistic
        for means in (surface(SimpleNamespace(names=CLASSES), MORE_OFFSETS), over_a_sample())  # type: ignore[arg-type]
        for mean in means.means
    )
)
CORPUS = {name: corpus for corpus, several in ON_WINDOWS.items() for name in several}
_on_windows = {name: make for several in ON_WINDOWS.values() for name, make in several.items()}
REDUCERS = ON_SEGMENTS | _on_windows | ON_TASK
SUBJECTS = ("mini", "llama", "t5")
#: where a kernel is not named, it is the device's own; in Triton's interpreter, see test_triton
KERNELS = [k for k in usable() if k != "triton" or torch.cuda.is_available()]


@cache
def windows_of(corpus: str, subject: Subject, count: int) -> list[Window]:
    """Each is a document of its own, so that they can be parted at will: a document belongs to one part."""
    cutters: dict[str, tuple[Path | None, WindowCutter]] = {
        "treebank": (None, SentenceWindows(shortest=4, longest=16)),
        "documents": (DATA / "gum", DocumentWindows()),
        "gap": (DATA / "gap.tsv", CoveringWindow()),
        "frames": (DATA / "framenet_v17", SentenceWindows("raw", longest=14)),
    }
    path, cutter = cutters[corpus]
    tokens = 64 if corpus == "gap" else 48  # a pronoun stands far from its names
    source = WindowSource(annotated_corpus(path), cutter, fits(subject, tokens), limit=count)
    windows: list[Window] = []
    for shard in source.shards():
        windows += source.prepare(shard).items
    return [replace(window, id=ItemId(n, 0)) for n, window in enumerate(windows[:count])]


@cache
def task_source(subject: Subject) -> TaskSource:
    task = Task("mine", ("a", "b"), "y", ("no", "yes", "perhaps"))
    return TaskSource(TaskData(task, "dev", DATA / "task.tsv"), subject.tokenizer, 32)


def examples_of(subject: Subject, count: int) -> list[TaskItem]:
    source = task_source(subject)
    return [item for shard in source.shards() for item in source.prepare(shard).items][:count]


@cache
def classifier_of(subject: Subject) -> Subject:
    """One of the same kind for the task."""
    return classifier(subject, "bert" if subject.name == "mini" else subject.name, 3)


def observe(
    subject: Subject,
    reducer: Reducer,
    shown: Sequence[Segment] | Sequence[Window] | Sequence[TaskItem],
    size: int,
    kernel: str | None = None,
) -> Reducer:
    if shown and isinstance(shown[0], TaskItem):
        subject = classifier_of(subject)
    batches = (
        batch
        for start in range(0, len(shown), size)
        for batch in _batches(subject, shown[start : start + size], reducer)
    )
    OBSERVED.get(type(reducer), alone)(subject, reducer, batches, kernel)
    return reducer


def alone(subject: Subject, reducer: Reducer, batches: Iterator[Batch], kernel: str | None) -> None:
    """The model runs; where the reducer asks for it, its loss is differentiated."""
    with Tap(subject, [reducer], kernel=kernel) as tap:
        for batch in batches:
            if tap.needs.differentiates or tap.needs.direct:
                tap.run(*objective(subject, batch))
            else:
                tap.run(batch)


class _Last:
    """What a tap showed last."""

    def __init__(self, needs: Needs) -> None:
        self.needs = needs

    def update(self, observation: Observation) -> None:
        self.seen = observation


def beside_another(subject: Subject, reducer: Reducer, batches: Iterator[Batch], kernel: str | None) -> None:
    """A model with other weights runs as well."""
    first, second = _Last(reducer.needs), _Last(reducer.needs)
    other = disturbed(subject, name=subject.name)  # the reference goes by names
    kernel = kernel or "tiled"
    with Tap(subject, [first], kernel=kernel) as tap, Tap(other, [second], kernel=kernel) as beside:
        for batch in batches:
            tap.run(batch)
            beside.run(batch)
            reducer.update(replace(first.seen, beside=second.seen))


def in_a_sweep(subject: Subject, reducer: Reducer, batches: Iterator[Batch], kernel: str | None) -> None:
    """The model runs as it is, and without each of some heads."""
    edits = [zero(head).resolved(subject.heads) for head in swept(subject)]
    for batch in batches:
        measure = measure_answers if isinstance(batch, TaskBatch) else objective
        reducer.update(Sweep(edits, measure, kernel=kernel).observe(subject, batch))


def in_a_trial(subject: Subject, reducer: Reducer, batches: Iterator[Batch], kernel: str | None) -> None:
    """The edits of a sweep are tried."""
    edits = [zero(head).resolved(subject.heads) for head in swept(subject)]
    for observation in Trial(Sweep(edits, objective, kernel=kernel)).observations(subject, batches):
        reducer.update(observation)


def with_feeds(subject: Subject, reducer: Reducer, batches: Iterator[Batch], kernel: str | None) -> None:
    """Who feeds the heads of the second layer."""
    layout = FeedLayout.of(subject, [head for head in subject.heads if head.layer == 1])
    for observation in FeedSweep(layout, kernel).observations(subject, batches):
        reducer.update(observation)


def with_gates(subject: Subject, reducer: Reducer, batches: Iterator[Batch], kernel: str | None) -> None:
    """As if the model had gates."""
    last = _Last(reducer.needs)
    with Tap(subject, [last], kernel=kernel) as tap:
        for batch in batches:
            tap.run(batch)
            writes = tuple(write._replace(gates=write.cosines.sigmoid()) for write in last.seen.writes)
            reducer.update(replace(last.seen, writes=writes))


def swept(subject: Subject) -> Sequence[Head]:
    return subject.heads[:: max(1, len(subject.heads) // 3)]


def with_each_head_replaced(
    subject: Subject, reducer: Reducer, batches: Iterator[Batch], kernel: str | None
) -> None:
    """Two numbers for every head that is swept, from the losses without it."""
    edits = [edit(head).resolved(subject.heads) for edit in (zero, uniform) for head in swept(subject)]
    for batch in batches:
        seen = Sweep(edits, objective, kernel=kernel).observe(subject, batch)
        assert seen.outcomes is not None
        reducer.update(replace(seen, outcomes=seen.outcomes[1:]))


#: who does not see one model alone
OBSERVED: dict[type, Show] = {
    MapChanges: beside_another,
    OtherModel: beside_another,
    PairedMeans: beside_another,
    CrossDistances: beside_another,
    Outcomes: in_a_sweep,
    FunctionVectors: with_each_head_replaced,
    FeedMeans: with_feeds,
    GateMeans: with_gates,
    TrialAnswers: in_a_trial,
}
#: who is shown an item in a way of its own: subject, item -> batch
SHOWN_AS: dict[type, Callable[[Subject, Any], Batch]] = {
    # as if one of its tokens stood for a piece of a picture
    ImageAttention: lambda subject, item: collate(
        subject, [item], TokenClasses(subject.tokenizer, OWN, image=int(item.ids[3]))
    ),
    Predictive: lambda subject, item: hidden_batch(subject, item, queries=1),
    # the first tokens, which are then repeated
    LongInduction: lambda subject, item: needle_batch(subject, _needle(item)),
    # an answer that has the second and the third of the first tokens
    Retrieval: lambda subject, item: answer_batch(
        subject, Question(item, (1, 2, 3), 4), [int(item.ids[place]) for place in (2, 3, 2, 5)]
    ),
    QueryFocus: lambda subject, item: answer_batch(subject, Question(item, (1, 2), 1, (5, 6)), [3]),
    Successor: lambda subject, item: asked_for(subject, item, "answer"),
    CopySuppression: lambda subject, item: asked_for(subject, item, "repeated"),
    SolvedTexts: lambda subject, item: asked_for(subject, item, "repeated"),
}


def _batches(subject: Subject, shown: Sequence[Any], reducer: Reducer) -> Iterator[Batch]:
    if type(reducer) in SHOWN_AS:
        return (SHOWN_AS[type(reducer)](subject, item) for item in shown)
    if isinstance(shown[0], Window):
        return aligned_batches(subject, shown, weight_bytes=2**30)
    if isinstance(shown[0], TaskItem):
        return task_source(subject).batches(subject, shown)
    # the reference has no padding; here llama has it on the left, the others on the right
    return iter([collate(subject, shown, TokenClasses(subject.tokenizer, OWN), left=subject.name == "llama")])


def asked_for(subject: Subject, item: Segment, name: str) -> CandidateBatch:
    """The last tokens are what is asked for, and some of the text's are what could be said."""
    batch = collate(subject, [item])
    last = torch.zeros_like(batch.queries(subject.kinds[-1]).real)
    last[:, -2:] = True
    candidates = list(dict.fromkeys([*item.ids[2:5].tolist(), int(item.ids[-1]), 7, 8]))
    return candidate_batch(subject, batch, {name: last}, candidates)


def _needle(item: Segment) -> Needle:
    ids = np.concatenate([item.ids, item.ids[1:4]])
    again = tuple(range(len(item.ids), len(ids)))
    return Needle(Segment(item.id, ids, np.zeros(len(ids), np.uint8)), (1, 2, 3), again)


def assert_same(reducer: Reducer, expected: Reducer, tolerance: float) -> None:
    for have, want in ((reducer.state(), expected.state()), (arrays_of(reducer), arrays_of(expected))):
        assert have.keys() == want.keys()
        for key, array in want.items():
            assert have[key].dtype == array.dtype
            if array.dtype.kind == "f":
                close = max(tolerance, np.finfo(array.dtype).eps if tolerance else 0)
                largest = np.nan_to_num(np.abs(array)).max(initial=1)
                np.testing.assert_allclose(have[key], array, rtol=0, atol=close * largest)
            else:
                np.testing.assert_array_equal(have[key], array)
    assert [r[:5] for r in rows_of(reducer)] == [r[:5] for r in rows_of(expected)]


def rows_of(reducer: Reducer) -> list[Row]:
    """Of a reducer that counts statistics of heads; another has none."""
    rows: list[Row] = reducer.rows() if hasattr(reducer, "rows") else []
    return rows


def arrays_of(reducer: Reducer) -> dict[str, Any]:
    arrays: dict[str, Any] = reducer.arrays() if hasattr(reducer, "arrays") else {}
    return arrays
