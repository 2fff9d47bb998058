"""The study of trees: features of a treebank's parts, probes trained on them, and the table of what they
know."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.corpora.source import Source
from attlas.corpora.windows import unread
from attlas.edits import Edit
from attlas.engines.passes import Pass
from attlas.engines.run import Merged
from attlas.engines.unfinished import UnfinishedRun
from attlas.files import hold_lock
from attlas.row import Row
from attlas.studies.provenance import about, chapter_name, described, software
from attlas.studies.study import RunPass
from attlas.studies.trees import tree_tables as tables
from attlas.studies.trees.fits import (
    Fit,
    FitStore,
    Outcome,
    Trainer,
    TreeSettings,
    model_of,
    plan,
    without_training,
)
from attlas.studies.trees.head_probes import KINDS, RIGHT_BRANCHING
from attlas.studies.trees.recorded_features import (
    FeatureFiles,
    FeatureLayout,
    RecordedFeatures,
    Recorder,
    Shape,
    in_words,
    prepare_files,
)
from attlas.studies.trees.stored_probes import TrainedProbe, write_probes
from attlas.studies.trees.training import TreebankPart
from attlas.studies.trees.treebank import PARTS, SentenceTree, Trees, refuse_empty, split_by_chance
from attlas.studies.word_vectors import WordVectors
from attlas.subject import Subject
from attlas.wording.numbers import count

Say = Callable[[str], None]
#: from the words of a treebank to their vectors
FindVectors = Callable[[set[str]], WordVectors]


def to_stderr(line: str) -> None:
    print(line, file=sys.stderr)


@dataclass(frozen=True)
class ReadModel:
    """A model whose attention is recorded: the one that is studied, or one at random, as a control."""

    weights: str  # their hash
    shape: Shape
    subject: Subject | None = None  # None: that of the study
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TreeStudy:
    """`sources` are the parts of a treebank, or one source under `all`, which is cut into parts. Features and
    probes go to `folder`; without it, features go to a folder that is removed in the end."""

    sources: Mapping[str, Source]
    heads: tuple[Head, ...]
    model: ReadModel
    controls: Mapping[str, Callable[[], ReadModel]]  # initialise -> what makes the model, when its turn comes
    vectors: FindVectors
    vectors_name: str
    settings: TreeSettings
    folder: Path | None = None
    device: str = "cpu"
    say: Say = field(default=to_stderr)
    vectors_checksum: str | None = None  # of the file that they come from

    @property
    def name(self) -> str:
        return chapter_name("tree", next(iter(self.sources.values())), self.settings.faithful)

    def describe(self) -> dict[str, Any]:
        parts = {part: source.describe() for part, source in self.sources.items()}
        settings = {**vars(self.settings), "probes": list(self.settings.probes), "words": self.vectors_name}
        if self.vectors_checksum is not None:
            settings["words_checksum"] = self.vectors_checksum
        return described("tree", next(iter(self.sources.values())), {**settings, "parts": parts})

    def conclude(self, run: RunPass) -> Chapter:
        with ExitStack() as stack:
            folder = self.folder
            if folder is None:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="attlas-trees-")))
            stack.enter_context(hold_lock(folder, folder))
            return _Work(self, run, folder).chapter()


class _Work:
    """One run of the study, step by step."""

    def __init__(self, study: TreeStudy, run: RunPass, folder: Path) -> None:
        self.study, self.run, self.folder = study, run, folder
        self.settings, self.say = study.settings, study.say
        self.counts: Counter[str] = Counter()
        self.problems: tuple[str, ...] = ()
        self.notes: list[str] = []

    def chapter(self) -> Chapter:
        trees, sources = self._trees()
        vectors = self.study.vectors({word for part in trees.values() for t in part for word in t.words})
        results = tables.Results(
            [tree.id for tree in trees["test"]], self._outcomes(trees, sources, vectors), self.settings.seed
        )
        self._note(trees, vectors, results)
        weights = results.head_weights()
        return Chapter(
            self.study.name,
            about(self.study.describe(), Merged((), self.counts, self.problems), self.notes),
            self._rows(weights, sum(len(t.words) for t in trees["dev"])),
            {"trees": results.table(), "curve": results.curve(), "few_heads": results.few_heads()},
        )

    def _outcomes(
        self, trees: Mapping[str, Sequence[SentenceTree]], sources: Mapping[str, Source], vectors: WordVectors
    ) -> dict[Fit, Outcome]:
        """The outcomes of everything that is trained, model by model."""
        outcomes = without_training(trees["test"]) if RIGHT_BRANCHING in self.settings.probes else {}
        fits = plan(self.settings)
        for name in ("", *self.study.controls):
            model = self.study.controls[name]() if name else self.study.model
            prefix = f"{name}-" if name else ""
            files = self._record(prefix, model, trees, sources)
            device = self.study.device
            parts = {
                part: TreebankPart(part_trees, RecordedFeatures(files[part], device), vectors)
                for part, part_trees in trees.items()
            }
            unfinished = UnfinishedRun(self.folder / "fits" / (name or "model"))
            unfinished.take_up(self._identity(model, sources, vectors))
            store = FitStore(unfinished)
            trainer = Trainer(parts, self.settings, store)
            outcomes |= {fit: trainer.find(fit, self.say) for fit in fits if model_of(fit) == name}
            for problem in unfinished.problems:
                self.say(problem)
            if not name and self.study.folder is not None:
                self._write(store, outcomes, vectors)
        return outcomes

    def _identity(
        self, model: ReadModel, sources: Mapping[str, Source], vectors: WordVectors
    ) -> dict[str, Any]:
        """All that decides what probes learn. Which probes, and how many seeds, does not."""
        settings = {n: v for n, v in vars(self.settings).items() if n not in ("probes", "seeds", "curves")}
        return {
            "settings": settings,
            "weights": model.weights,
            "sources": {part: source.describe() for part, source in sources.items()},
            "vectors": vectors.digest(),
            "device": self.study.device,
            "software": software(),
        }

    def _trees(self) -> tuple[dict[str, list[SentenceTree]], dict[str, Source]]:
        """The trees of every part, by length, and its source."""
        sources = dict(self.study.sources)
        if "all" in sources:
            whole = sources.pop("all")
            kept = self._gather("all", whole).kept
            parts = split_by_chance(kept, self.settings.seed, self.counts["too_long"])
            trees = {
                p: sorted((kept[i] for i in ids), key=lambda t: (len(t.words), t.id))
                for p, ids in parts.items()
            }
            return trees, {part: whole.only(ids) for part, ids in parts.items()}
        by_part = {}
        for part in PARTS:
            gathered = self._gather(part, sources[part])
            refuse_empty(part, len(gathered.kept), sources[part])
            by_part[part] = gathered.by_length()
        return by_part, sources

    def _gather(self, part: str, source: Source) -> Trees:
        merged = self.run(Pass(f"trees-{part}", source, [Trees()], doing="reading trees"))
        self.counts += merged.counts
        self.problems += merged.problems
        gathered = merged.reducer(Trees)
        self.counts["without_tree"] += merged.counts["items"] - len(gathered.kept)
        return gathered

    def _record(
        self,
        prefix: str,
        model: ReadModel,
        trees: Mapping[str, Sequence[SentenceTree]],
        sources: Mapping[str, Source],
    ) -> dict[str, FeatureFiles]:
        """The files of every part's features: what is there already is not made again."""
        folder = self.folder / "features"
        layouts = {
            part: FeatureLayout(
                model.shape, tuple(t.id for t in part_trees), tuple(len(t.words) for t in part_trees)
            )
            for part, part_trees in trees.items()
        }
        self.say(f"features take {in_words(sum(layout.bytes for layout in layouts.values()))} in {folder}")
        recorded = {}
        for part in PARTS:
            identity = {"weights": model.weights, "source": sources[part].describe()}
            files, complete = prepare_files(folder, f"{prefix}{part}", layouts[part], identity)
            if not complete:
                self.run(
                    Pass(
                        f"features-{prefix}{part}",
                        sources[part],
                        [Recorder(files)],
                        model.edits,
                        subject=model.subject,
                        kept_in=files.run,
                        doing="recording attention",
                        items=len(trees[part]),
                    )
                )
                files.finish()
            recorded[part] = files
        return recorded

    def _rows(self, weights: Any, words: int) -> list[Row]:
        directions = ("dependent to head", "head to dependent")
        return [
            Row(
                head.kind,
                head.layer,
                head.head,
                "tree_weight",
                group,
                float(weights[i, d]),
                float("nan"),
                words,
            )
            for i, head in enumerate(self.study.heads)
            for d, group in enumerate(directions)
        ]

    def _write(self, store: FitStore, outcomes: Mapping[Fit, Outcome], vectors: WordVectors) -> None:
        """Every probe of the first seed; the one that is best on the part for choices is named."""
        assert self.study.folder is not None
        kept = [
            TrainedProbe(name, store.weights(Fit(name)), outcomes[Fit(name)].numbers.get("dev_uas"))
            for name, kind in KINDS.items()
            if Fit(name) in outcomes and not kind.model
        ]
        model = self.study.model
        write_probes(self.study.folder, kept, vectors, model.weights, model.shape, self.settings.faithful)

    def _note(
        self, trees: Mapping[str, Sequence[SentenceTree]], vectors: WordVectors, results: tables.Results
    ) -> None:
        if layers := sorted(set(results.layers())):
            shape = self.study.model.shape
            text = " and ".join("the embeddings" if n == 0 else f"layer {n}" for n in layers)
            self.notes.append(
                f"the structural probe (rank {min(self.settings.rank, shape.width)}) reads {text}, which did "
                f"best on the part for choices, of {count(shape.states - 1, 'layer')} (from 1) and embeddings"
            )
        sizes = ", ".join(
            f"{len(part_trees):,} to {what}"
            for what, part_trees in zip(("train", "choose", "report"), trees.values(), strict=True)
        )
        words = [word for t in trees["test"] for word in t.words]
        known = sum(row > 0 for row in vectors.look_up(words)) / len(words)
        self.notes += [
            f"sentences: {sizes}; {self.counts['too_long']:,} longer than the window left out, "
            f"{self.counts['without_tree']:,} without a tree",
            *unread(self.counts, self.problems),
            f"word vectors: {vectors.name}, {vectors.table.shape[1]} dimensions, for {100 * known:.1f}% of "
            "the words that are reported on",
            "the paper's figures are for BERT-base on the Penn Treebank with Stanford Dependencies: this "
            "treebank, its relations and its size differ, so that only the order can be compared",
        ]
