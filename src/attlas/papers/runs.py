"""What a reproduction runs: verbs with their options, in the paper's order, and the data of the papers in a
folder, found by the names that these corpora come with. Sizes follow from the budget alone, so that a
reproduction that was stopped goes on with the same settings.
"""

from __future__ import annotations

import lzma
import shutil
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from attlas.choices import Budget, Paper
from attlas.corpora.clark import is_clark
from attlas.corpora.wordnet import has_index, nltks_wordnet
from attlas.errors import AttlasError
from attlas.files import refuse_irregular
from attlas.papers.pace import Pace

PROBES = ("right-branching", "embeddings", "distances", "attention", "words")
DEFECTIVE = ("attention", "words")  # the probes that the original's defects are in
LENGTH = 128
#: passes that 1,200 sentences of a treebank are worth. It, the numbers of map, patterns and frames, and their
#: `fixed` seconds were measured by processor time on models of 3.5 and 110 million parameters; the others
#: follow from how much is read
TREEBANK = 190
_OF_A_TRAINING = 10.0  # seconds beside the passes
TWIN_WORTH = 0.5  # of what the model itself takes: it reads fewer windows
#: tasks of a small run, and how they are trained: a short run needs larger steps to learn anything
QUICK_TASKS = ("MRPC", "STS-B")
QUICK_TRAINING = {"batch": 8, "learning_rate": 2e-4}
#: of `attlas patterns`, nothing that no paper here speaks of: retrieval, small tasks, typical maps
SIX_PATTERNS = {"repeated": 2, "needles": [0], "tasks": 0, "maps": 0}


@dataclass(frozen=True)
class Run:
    """A verb and its options. `passes` is about how many forward passes of a segment it is worth, and `fixed`
    the seconds of an idle core for what does not depend on the model's width: reading, counting, judging."""

    verb: str
    what: str
    passes: float
    options: Mapping[str, Any] = field(default_factory=dict)
    twin: bool = False  # of the untrained twin, for probes that measure none themselves
    fixed: float = 1.0

    def seconds(self, pace: Pace) -> float:
        """About how long it takes."""
        return self.passes * pace.once + self.fixed * pace.busy

    @property
    def faithful(self) -> bool:
        return bool(self.options.get("faithful"))


@dataclass(frozen=True)
class Training:
    """A task to fine-tune on, from pre-trained or from random weights; `examples` None for all."""

    task: str
    examples: int | None
    epochs: float
    random_init: bool = False
    compared: int = 1000  # examples to compare maps on
    disabled: int | None = None  # to disable heads on; None for all, 0 to disable none
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the training, where not the usual ones

    @property
    def name(self) -> str:
        return f"{self.task} from random weights" if self.random_init else self.task

    def seconds(self, pace: Pace) -> float:
        """About how long it takes."""
        return self.passes * pace.once + _OF_A_TRAINING * pace.busy

    @property
    def passes(self) -> float:
        """An example is about half a segment. A training step is worth three passes; disabling every head in
        turn about 70."""
        disabled = 1_000 if self.disabled is None else self.disabled
        seen = 3 * (self.examples or 8_000) * self.epochs + 1_000
        return 0.4 * (seen + (0 if self.random_init else 4 * self.compared + 70 * disabled))


def plan_runs(
    paper: Paper, budget: Budget, data: GivenData, causal: bool, length: int, has_loss: bool = True
) -> list[Run]:
    """The runs that a paper needs on the model itself."""
    make = {"clark2019": _clark, "kovaleva2019": _kovaleva, "vig2019": _vig}[paper]
    return list(make(budget == "quick", data, causal, min(length, LENGTH), has_loss))


def plan_recorded_runs(paper: Paper) -> list[Run]:
    """The runs that a paper needs on recorded attention: what maps alone can show."""
    surface = Run("map", "where heads look", 1, {"sample": 1})
    return {
        "clark2019": [surface],
        "kovaleva2019": [surface, Run("shapes", "the shapes of maps", 1)],
        "vig2019": [surface, Run("vig2019", "the six patterns", 1)],
    }[paper]


def plan_trainings(paper: Paper, budget: Budget, data: GivenData) -> list[Training]:
    """The tasks that the model is fine-tuned on."""
    if paper != "kovaleva2019":
        return []
    if budget == "quick":
        return [
            Training(task, 640, 1, compared=40, disabled=0, settings=QUICK_TRAINING)
            for task in QUICK_TASKS
            if task in data.tasks
        ]
    both = [(task, random) for task in data.tasks for random in (False, True)]
    return [Training(task, None, 3, random) for task, random in both]


def _run_both_ways(run: Run, ways: Sequence[bool] = (False, True)) -> Iterator[Run]:
    """Ours, then the original's way."""
    for faithful in ways:
        if faithful:
            what, options = f"{run.what}, the original's way", {**run.options, "faithful": True}
            yield replace(run, what=what, options=options)
        else:
            yield run


def _on_twin(run: Run, windows: int, worth: float = TWIN_WORTH) -> Run:
    """The same probe of the untrained twin, over fewer windows: its best heads are a null of every claim."""
    options = {**run.options, "windows": windows}
    what = f"{run.what}, of an untrained twin"
    return replace(run, what=what, passes=worth * run.passes, options=options, twin=True)


def _clark(quick: bool, data: GivenData, causal: bool, length: int, has_loss: bool) -> Iterator[Run]:
    segments, sample = (200, 32) if quick else (1000, 200)
    size = {"segments": segments, "length": length, "sample": sample}
    what, ways = "where heads look (figures 1 to 4 and 6)", (False,) if causal else (False, True)
    surface = Run("map", what, 0.5 * segments + 6 * sample, size, fixed=0.045 * segments)
    yield from _run_both_ways(surface, ways)
    treebank: dict[str, Any] = {} if data.treebank is None else {"corpus": data.treebank}
    treebank |= {"windows": 1200} if quick else {}
    relations = {**treebank, "min_count": 40, "subtypes": True}
    grammar = Run("dependencies", "single heads and grammar (table 1)", TREEBANK, relations, fixed=8)
    yield from _run_both_ways(grammar)
    yield _on_twin(replace(grammar, options={**relations, "min_count": 10}), 600)
    yield Run("resting", "where words rest that a relation does not apply to", TREEBANK, treebank, fixed=8)
    if has_loss:
        few = 32 if quick else 100
        what = "the loss without attention to the resting place"
        yield Run("resting_loss", what, 18 * few, {"segments": few, "length": length})
    if data.coreference is not None:
        passes, some = (300, {"windows": 300}) if quick else (2000, {})
        mentions = {"corpus": data.coreference, "min_count": 40, **some}
        links = Run("coreference", "single heads and coreference (table 2)", passes, mentions, fixed=10)
        yield from _run_both_ways(links)
        yield _on_twin(replace(links, options={**mentions, "min_count": 10}), 150)
    trees: dict[str, Any] = {"quick": quick, "epochs": 1 if quick else 3}
    trees |= {} if data.training is None or quick else {"corpus": data.training}
    trees |= {} if data.word_vectors is None else {"word_vectors": data.word_vectors}
    worth, what = (560.0 if quick else 12_000.0), "all heads and grammar (table 3)"
    yield Run("tree", what, worth, {**trees, "probes": PROBES}, fixed=20)
    if not quick:  # the original's defect is shown beside, and judged by nothing
        yield from _run_both_ways(Run("tree", what, worth, {**trees, "probes": DEFECTIVE}), (True,))


def _kovaleva(quick: bool, data: GivenData, causal: bool, length: int, has_loss: bool) -> Iterator[Run]:
    segments = 60 if quick else 1000
    size = {"segments": segments, "length": length}
    names = {**size, "hidden": 0, **SIX_PATTERNS}
    yield Run("patterns", "the shapes of maps (figure 2)", 2 * segments, names, fixed=0.1 * segments)
    if data.framenet is not None:
        sentences = {"corpus": data.framenet, "length": length}
        frames = Run("frames", "heads and frames (figures 3 and 4)", 45, sentences, fixed=8)
        yield from _run_both_ways(frames)
        yield _on_twin(frames, 1000, worth=1)
        if has_loss:
            few, what = (60 if quick else 200), "the loss without the heads of frames, each and both"
            yield Run("redundancy", what, 3 * few, {"segments": few, "length": length})
    treebank: dict[str, Any] = {} if data.treebank is None or quick else {"corpus": data.treebank}
    treebank |= {"windows": 600} if quick else {}
    what = "heads and features of words (figures 6 and 7)"
    features = Run("features", what, TREEBANK / 2, treebank, fixed=5)
    yield features
    yield _on_twin(features, 300)
    if has_loss and not quick:  # few texts decide no effect of single heads
        disabled = 100
        what = "the loss without each head (figure 8, on a text)"
        options = {"segments": disabled, "length": length, "edit": "uniform"}
        yield Run("disable", what, 70 * disabled, options)


def _vig(quick: bool, data: GivenData, causal: bool, length: int, has_loss: bool) -> Iterator[Run]:
    segments, hidden = (100, 16) if quick else (1000, 64)
    size = {"segments": segments, "length": length, "hidden": hidden, **SIX_PATTERNS, "repeated": 16}
    passes = 2 * segments + 8 * hidden
    yield Run("patterns", "the six patterns over a text", passes, size, fixed=0.1 * segments)
    if data.wordnet is not None:
        corpus = data.coreference or data.treebank  # whole documents, if there are any
        synonyms: dict[str, Any] = {"wordnet": data.wordnet, "length": length}
        synonyms |= {} if corpus is None else {"corpus": corpus}
        run = Run("related", "heads and synonyms", 400, synonyms, fixed=30)
        yield run
        yield _on_twin(run, 1000)
    yield Run("vig2019", "the six patterns on his sentences", 1)


TASKS = ("MRPC", "STS-B", "SST-2", "QQP", "RTE", "QNLI", "MNLI")  # of Kovaleva 2019
#: paper -> names of archives with data that it used
ARCHIVES: Mapping[str, Sequence[str]] = {
    "clark2019": ("ud*", "gum*", "ontonotes*", "litbank*", "glove*"),
    "kovaleva2019": ("framenet*", "glue*", "ud*"),
    "vig2019": ("gum*", "wordnet*"),
}
MOST_TIMES, LEAST_UNPACKED = 200, 2**28  # an archive unpacks to this many times its size, or to so many bytes
PACKED = (".tar.xz", ".tar.gz", ".tgz", ".tar.bz2", ".zip")


@dataclass(frozen=True)
class GivenData:
    """The parts of a folder that a reproduction reads; None for what is not there."""

    treebank: Path | None = None  # to report on: the development part
    training: Path | None = None  # of the treebank
    coreference: Path | None = None
    framenet: Path | None = None
    word_vectors: Path | None = None
    glue: Path | None = None
    wordnet: Path | None = None

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that GLUE's folder has."""
        return () if self.glue is None else tuple(t for t in TASKS if (self.glue / t / "train.tsv").is_file())


def find_data(*folders: Path) -> GivenData:
    """Look through folders, three levels deep. A treebank may have any name; one that is called so is taken
    first."""
    places = [place for folder in folders for place in sorted(_walk(folder, 3))]
    files, inner = [p for p in places if p.is_file()], [p for p in places if p.is_dir()]
    gum = next((f for f in inner if f.name.lower() == "gum" and any(f.glob("*.conllu"))), None)
    alone = [f for f in files if f.parent != gum]
    to_train = _first(alone, "en_*-ud-train.conllu", "*-ud-train.conllu", "*train*.conllu")
    others = [f for f in alone if f != to_train]
    clarks = [f for f in files if f.suffix in (".txt", ".json") and f.name[:3] == "dev" and is_clark(f)]
    return GivenData(
        treebank=_first(others, "en_*-ud-dev.conllu", "*-ud-dev.conllu", "*dev*.conllu")
        or _first(clarks, "*.txt", "*.json")
        or _first(others, "*.conllu"),
        training=to_train,
        coreference=gum or next((f for f in inner if any(f.glob("*.conll")) or any(f.glob("*_conll"))), None),
        framenet=next((f for f in inner if (f / "frame").is_dir() and (f / "lu").is_dir()), None),
        word_vectors=_first(files, "glove*.txt"),
        glue=next((f for f in inner if any((f / t / "train.tsv").is_file() for t in TASKS)), None),
        wordnet=next((f for f in inner if has_index(f)), None) or nltks_wordnet(),
    )


def unpack_archives(paper: str, folder: Path, into: Path) -> Path:
    """Unpack the archives of a folder that the paper needs, each once, and return where they are."""
    for path in sorted(folder.iterdir()):
        needed = any(path.match(pattern) for pattern in ARCHIVES[paper])
        if needed and path.name.endswith((*PACKED, ".txt.xz")):
            place = into / path.name.split(".tar")[0].removesuffix(".zip").removesuffix(".tgz")
            if not place.exists():
                _unpack(path, place)
    return into


def _unpack(path: Path, place: Path) -> None:
    """Unpack under another name first, so that what was stopped half-way is not taken for the whole."""
    unfinished = place.with_name(f".{place.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    refuse_irregular(path)
    left = max(LEAST_UNPACKED, MOST_TIMES * path.stat().st_size)
    try:
        unfinished.mkdir(parents=True)
        if path.name.endswith(".txt.xz"):
            with lzma.open(path) as packed, (unfinished / path.stem).open("wb") as file:
                while piece := packed.read(2**20):
                    left = _take(left, len(piece), path)
                    file.write(piece)
        elif path.suffix == ".zip":
            with ZipFile(path) as zipped:
                for entry in zipped.infolist():
                    left = _take(left, entry.file_size, path)
                    zipped.extract(entry, unfinished)
        else:
            with tarfile.open(path) as archive:
                for member in archive:
                    left = _take(left, member.size, path)
                    archive.extract(member, unfinished, filter="data")
    except AttlasError:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    except (OSError, lzma.LZMAError, tarfile.TarError, BadZipFile, EOFError, RuntimeError) as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise AttlasError(f"{path} cannot be unpacked: {error}") from error
    unfinished.rename(place)


def _take(left: int, size: int, path: Path) -> int:
    """How many bytes may still be unpacked after these."""
    if size > left:
        raise AttlasError(
            f"{path} unpacks to more than {MOST_TIMES} times its size, as no corpus does: if you trust it, "
            "unpack it yourself"
        )
    return left - size


def _walk(folder: Path, levels: int) -> Iterator[Path]:
    yield folder
    if levels and folder.is_dir():
        for path in folder.iterdir():
            if not path.name.startswith("."):
                yield from _walk(path, levels - 1)


def _first(files: Sequence[Path], *patterns: str) -> Path | None:
    """The first file of the first pattern that fits any."""
    return next((path for pattern in patterns for path in files if path.match(pattern)), None)
