"""The study of trees: features of a treebank's parts, probes trained on them, and the table of what they
know."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.corpora.source import Source
from attlas.engines.passes import Pass
from attlas.engines.run import Merged
from attlas.errors import AttlasError
from attlas.reducers.reducer import Row
from attlas.studies.provenance import about, chapter_name, described
from attlas.studies.study import Run
from attlas.studies.trees import controls, kinds, tables
from attlas.studies.trees.decoding import score
from attlas.studies.trees.features import (
    FeatureFiles,
    Features,
    Layout,
    Recorder,
    Shape,
    in_words,
    prepare_files,
)
from attlas.studies.trees.kinds import KINDS, RELATIONS, RIGHT_BRANCHING, STRUCTURAL
from attlas.studies.trees.probes import HeadsProbe, right_branching
from attlas.studies.trees.relations import labels_of, score_relations, train_relations
from attlas.studies.trees.sentences import Tree, Trees
from attlas.studies.trees.store import Trained, write_probes
from attlas.studies.trees.structural import StructuralProbe, score_structural, train_structural
from attlas.studies.trees.training import Part, Schedule, Trainee, accuracy, batches_of, predict, train
from attlas.studies.trees.treebank import PARTS, refuse_empty, split_by_chance
from attlas.studies.trees.word_vectors import WordVectors

Say = Callable[[str], None]
#: from the words of a treebank to their vectors
FindVectors = Callable[[set[str]], WordVectors]
#: probes whose learning curves are drawn
CURVES = ("distances", "attention", "words")


def to_stderr(said: str) -> None:
    print(said, file=sys.stderr)


@dataclass(frozen=True)
class Model:
    """A model whose attention is recorded: the one that is studied, or one at random, as a control."""

    weights: str  # their hash
    shape: Shape
    run: Run | None = None  # None: as the study is told


@dataclass(frozen=True)
class TreeSettings:
    """All that decides the numbers, beside model, treebank and words."""

    probes: tuple[str, ...] = kinds.NAMES
    seeds: int = 5
    epochs: int = 3
    batch: int = 16
    rank: int = 64  # of the structural probe
    curves: bool = True
    faithful: bool = False
    seed: int = 0


@dataclass(frozen=True)
class TreeStudy:
    """`sources` are the parts of a treebank, or one source under `all`, which is cut into parts. Features and
    probes go to `folder`; without it, features go to a folder that is removed in the end."""

    sources: Mapping[str, Source]
    heads: tuple[Head, ...]
    model: Model
    others: Mapping[str, Model]  # initialise -> model
    vectors: FindVectors
    vectors_name: str
    settings: TreeSettings = TreeSettings()
    folder: Path | None = None
    device: str = "cpu"
    say: Say = field(default=to_stderr)

    @property
    def name(self) -> str:
        return chapter_name("tree", next(iter(self.sources.values())), self.settings.faithful)

    def describe(self) -> dict[str, Any]:
        parts = {part: source.describe() for part, source in self.sources.items()}
        settings = {**vars(self.settings), "probes": list(self.settings.probes), "words": self.vectors_name}
        return described("tree", next(iter(self.sources.values())), {**settings, "parts": parts})

    def conclude(self, run: Run) -> Chapter:
        with ExitStack() as stack:
            folder = self.folder
            if folder is None:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="attlas-trees-")))
            return _Work(self, run, folder / "features").chapter()


class _Work:
    """One run of the study, step by step."""

    def __init__(self, study: TreeStudy, run: Run, folder: Path) -> None:
        self.study, self.run, self.folder = study, run, folder
        self.settings, self.say = study.settings, study.say
        self.counts: Counter[str] = Counter()
        self.problems: tuple[str, ...] = ()
        self.notes: list[str] = []

    def chapter(self) -> Chapter:
        trees, sources = self._trees()
        vectors = self.study.vectors({word for part in trees.values() for t in part for word in t.words})
        files = self._record("", self.study.model, trees, sources, self.run)
        parts = self._parts(trees, files, vectors)
        kind_names = [name for name in self.settings.probes if name in KINDS]
        found = tables.Results(parts["test"].trees, self.settings.seed)
        trained = self._trained_probes(parts, [n for n in kind_names if not KINDS[n].model], found)
        for name in (n for n in kind_names if KINDS[n].model):
            other = self.study.others[KINDS[name].model]
            own = self._record(f"{KINDS[name].model}-", other, trees, sources, other.run or self.run)
            self._trained_probes(self._parts(trees, own, vectors), [name], found)
        if RIGHT_BRANCHING in self.settings.probes:
            heads = [np.array(right_branching(len(t.words))) for t in parts["test"].trees]
            found.add(RIGHT_BRANCHING, score(parts["test"].trees, heads), score(parts["test"].trees, heads))
        if STRUCTURAL in self.settings.probes:
            self._structural(parts, found)
        curve = self._curves(parts, found) if self.settings.curves else []
        weights = np.mean([controls.head_weights(parts["dev"], p) for p in trained["attention"]], 0)
        kept = self._few_heads(parts["test"], trained["attention"][0], weights)
        self._note(trees, vectors)
        if self.study.folder is not None:
            self._write(parts, trained, vectors)
        return Chapter(
            self.study.name,
            about(self.study.describe(), Merged((), self.counts, self.problems), self.notes),
            self._rows(weights, sum(len(t.words) for t in parts["dev"].trees)),
            {
                "trees": found.table(),
                "curve": tables.curve_table(curve),
                "few_heads": tables.few_heads_table(kept),
            },
        )

    def _trees(self) -> tuple[dict[str, list[Tree]], dict[str, Source]]:
        """The trees of every part, by length, and its source."""
        sources = dict(self.study.sources)
        if "all" in sources:
            whole = sources.pop("all")
            ids = self._gather("all", whole).kept
            parts = split_by_chance(ids, self.settings.seed)
            trees = {
                p: sorted((ids[i] for i in own), key=lambda t: (len(t.words), t.id))
                for p, own in parts.items()
            }
            return trees, {part: whole.only(own) for part, own in parts.items()}
        found = {}
        for part in PARTS:
            gathered = self._gather(part, sources[part])
            refuse_empty(part, len(gathered.kept), sources[part])
            found[part] = gathered.by_length()
        return found, sources

    def _gather(self, part: str, source: Source) -> Trees:
        merged = self.run(Pass(f"trees-{part}", source, [Trees()]))
        self.counts += merged.counts
        self.problems += merged.problems
        gathered = merged.reducers[0]
        assert isinstance(gathered, Trees)
        self.counts["without_tree"] += merged.counts["items"] - len(gathered.kept)
        return gathered

    def _record(
        self,
        prefix: str,
        model: Model,
        trees: Mapping[str, Sequence[Tree]],
        sources: Mapping[str, Source],
        run: Run,
    ) -> dict[str, FeatureFiles]:
        """The files of every part's features: what is there already is not made again."""
        layouts = {
            part: Layout(model.shape, tuple(t.id for t in own), tuple(len(t.words) for t in own))
            for part, own in trees.items()
        }
        self.say(f"features take {in_words(sum(each.bytes for each in layouts.values()))} in {self.folder}")
        found = {}
        for part in PARTS:
            identity = {"weights": model.weights, "source": sources[part].describe()}
            files, complete = prepare_files(self.folder, f"{prefix}{part}", layouts[part], identity)
            if not complete:
                one = Pass(f"features-{prefix}{part}-{files.mark}", sources[part], [Recorder(files)])
                run(replace(one, items=len(trees[part])))
                files.finish(identity)
            found[part] = files
        return found

    def _parts(
        self, trees: Mapping[str, Sequence[Tree]], files: Mapping[str, FeatureFiles], vectors: WordVectors
    ) -> dict[str, Part]:
        device = self.study.device
        return {part: Part(own, Features(files[part]), vectors, device) for part, own in trees.items()}

    def _make(self, name: str, part: Part, seed: int) -> nn.Module:
        """A probe that has learned nothing yet."""
        assert part.vectors is not None
        kind, shape = KINDS[name], part.features.layout.shape
        norms = None
        if kind.norms:
            if not shape.norms:
                raise AttlasError(f"the values of this model cannot be seen: leave {name!r} out of --probes")
            norms = kinds.mean_norms([part.features.get("norms", p) for p in batches_of(part, 256)])
        torch.manual_seed(seed)
        return kind.make(shape.heads, part.vectors.table, norms, self.settings.faithful).to(part.device)

    def _trained_probes(
        self, parts: Mapping[str, Part], names: Sequence[str], found: tables.Results
    ) -> dict[str, list[Any]]:
        """Every probe with every seed; with the first one, also on the control task."""
        trained: dict[str, list[Any]] = {name: [] for name in names}
        train_part, test = parts["train"], parts["test"]
        chance = controls.control_heads(train_part.trees, self.settings.seed)
        for seed in range(self.settings.seeds):
            own_self = self.settings.faithful
            trainees = {
                n: Trainee(self._make(n, train_part, seed), KINDS[n].rate, allow_self=own_self) for n in names
            }
            if seed == 0:
                for n in names:
                    probe = self._make(n, train_part, seed)
                    trainees[f"{n}/control"] = Trainee(probe, KINDS[n].rate, chance, allow_self=True)
            self.say(f"training {', '.join(names)}: seed {seed + 1} of {self.settings.seeds}")
            train(train_part, trainees, Schedule(self.settings.epochs, self.settings.batch, seed))
            predicted = predict(test, {n: trainees[n].probe for n in names})
            for n in names:
                trained[n].append(trainees[n].probe)
                greedy, tree = ([getattr(p, how) for p in predicted[n]] for how in ("greedy", "tree"))
                found.add(n, score(test.trees, tree), score(test.trees, greedy))
                self.say(
                    f"{n}: UAS {100 * found.tree[n][-1].uas:.1f}, greedy {100 * found.greedy[n][-1].uas:.1f}"
                )
                found.parameters[n] = sum(p.numel() for p in trainees[n].probe.parameters())
            if seed == 0:
                wanted = controls.control_heads(test.trees, self.settings.seed)
                found.control |= {n: accuracy(test, trainees[f"{n}/control"].probe, wanted) for n in names}
            if RELATIONS in self.settings.probes and "attention" in names:
                self._relations(parts, [p.tree for p in predicted["attention"]], seed, found)
        return trained

    def _relations(
        self, parts: Mapping[str, Part], heads: Sequence[Any], seed: int, found: tables.Results
    ) -> None:
        names = labels_of(parts["train"].trees)
        probe = train_relations(
            parts["train"], names, Schedule(self.settings.epochs, self.settings.batch, seed)
        )
        right, given = score_relations(parts["test"], probe, names, heads)
        arcs = score(parts["test"].trees, heads)
        found.add(RELATIONS, arcs, None)
        found.parameters[RELATIONS] = sum(p.numel() for p in probe.parameters())
        found.las.append(float(right.sum() / arcs.words.sum()))
        found.labels.append(float(given.sum() / arcs.words.sum()))

    def _structural(self, parts: Mapping[str, Part], found: tables.Results) -> None:
        """The layer is chosen on the part for choices, with the first seed."""
        shape, layer = self.study.model.shape, -1
        rank = min(self.settings.rank, shape.width)
        for seed in range(self.settings.seeds):
            self.say(f"training {STRUCTURAL}: seed {seed + 1} of {self.settings.seeds}")
            torch.manual_seed(seed)
            probe = StructuralProbe(shape.states, shape.width, rank).to(parts["train"].device)
            train_structural(parts["train"], probe, Schedule(self.settings.epochs, self.settings.batch, seed))
            if seed == 0:
                layer = int(np.argmax([one.uuas for one in score_structural(parts["dev"], probe)]))
            found.add(STRUCTURAL, score_structural(parts["test"], probe)[layer], None)
        found.parameters[STRUCTURAL] = shape.width * rank
        said = "the embeddings" if layer == 0 else f"layer {layer} of {shape.states - 1}"
        self.notes.append(
            f"the structural probe (rank {rank}) reads {said}, which did best on the part for choices"
        )

    def _curves(self, parts: Mapping[str, Part], found: tables.Results) -> list[tuple[str, int, float]]:
        """(probe, sentences, UAS): with the first seed; few sentences are seen more often."""
        part, curve = parts["train"], list[tuple[str, int, float]]()
        names = [name for name in CURVES if name in self.settings.probes]
        for share in controls.SHARES:
            places = controls.some_sentences(len(part.trees), share, self.settings.seed)
            steps = sum(1 for _ in batches_of(part, self.settings.batch, places))
            epochs = max(self.settings.epochs, -(-controls.FEWEST_STEPS // steps))
            self.say(f"training {', '.join(names)} on {len(places):,} sentences")
            trainees = {
                n: Trainee(self._make(n, part, 0), KINDS[n].rate, allow_self=self.settings.faithful)
                for n in names
            }
            train(part, trainees, Schedule(epochs, self.settings.batch, 0), places)
            predicted = predict(parts["test"], {n: t.probe for n, t in trainees.items()})
            for n in names:
                right = score(parts["test"].trees, [p.tree for p in predicted[n]])
                curve.append((n, len(places), right.uas))
        return curve + [(n, len(part.trees), found.tree[n][0].uas) for n in names]

    def _few_heads(self, test: Part, probe: HeadsProbe, weights: Any) -> list[tuple[str, int, float]]:
        """(`top` or `random`, k, UAS)."""
        sets = list(controls.sets_of_heads(weights, self.settings.seed))
        kept = {str(i): controls.with_heads_only(probe, heads) for i, (_, _, heads) in enumerate(sets)}
        predicted = predict(test, kept)
        return [
            (how, k, score(test.trees, [p.tree for p in predicted[str(i)]]).uas)
            for i, (how, k, _) in enumerate(sets)
        ]

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

    def _write(
        self, parts: Mapping[str, Part], trained: Mapping[str, list[Any]], vectors: WordVectors
    ) -> None:
        """Every probe of the first seed; the one that is best on the part for choices is named."""
        assert self.study.folder is not None
        with_heads = {n: probes[0] for n, probes in trained.items() if isinstance(probes[0], HeadsProbe)}
        predicted = predict(parts["dev"], with_heads)
        trees = parts["dev"].trees
        scores = {n: score(trees, [p.tree for p in predicted[n]]).uas for n in with_heads}
        model = self.study.model
        kept = [Trained(n, probes[0], scores.get(n)) for n, probes in trained.items()]
        write_probes(self.study.folder, kept, vectors, model.weights, model.shape, self.settings.faithful)

    def _note(self, trees: Mapping[str, Sequence[Tree]], vectors: WordVectors) -> None:
        sizes = ", ".join(
            f"{len(own):,} to {what}"
            for what, own in zip(("train", "choose", "report"), trees.values(), strict=True)
        )
        words = [word for t in trees["test"] for word in t.words]
        known = sum(row > 0 for row in vectors.look_up(words)) / len(words)
        self.notes += [
            f"sentences: {sizes}; {self.counts['too_long']:,} longer than the window left out, "
            f"{self.counts['without_tree']:,} without a tree",
            f"word vectors: {vectors.name}, {vectors.table.shape[1]} dimensions, for {100 * known:.1f}% of "
            "the words that are reported on",
            "the paper's figures are for BERT-base on the Penn Treebank with Stanford Dependencies: this "
            "treebank, its relations and its size differ, so that only the order can be compared",
        ]
