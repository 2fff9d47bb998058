"""What does training a probe of trees cost, beside the original's one sentence a step?

    python benchmarks/trees.py                                # the treebank that ships
    python benchmarks/trees.py en_ewt-ud-train.conllu --sentences 2000 --threads 1 --cpu-time

Features are recorded once. Both ways then train the probe of attention alone, for as many epochs, from the
same files: in batches of one length, and one sentence after another as the original did (Adam, a rate of
0.002, summed cross-entropy). What each finds on sentences that it has not seen is printed beside its time:
steps of one sentence are many more, and learn more slowly at the original's rate.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from attlas.corpora.alignment import fits
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.windows import SentenceWindows, WindowSource
from attlas.engines import Pass, engine_named, run_pass
from attlas.studies.trees.decoding import score
from attlas.studies.trees.head_probes import KINDS, HeadsProbe
from attlas.studies.trees.recorded_features import (
    FeatureLayout,
    RecordedFeatures,
    Recorder,
    Shape,
    in_words,
    prepare_files,
)
from attlas.studies.trees.training import Schedule, Trainee, TreebankPart, predict, train
from attlas.studies.trees.treebank import Trees
from attlas.subject import Subject, load
from measure import interleaved, ratio

LENGTH = 128
HELD_OUT = 10  # every tenth sentence is scored, and not trained on


def recorded(subject: Subject, source: WindowSource, folder: Path) -> TreebankPart:
    with engine_named(None) as engine:
        gathered = run_pass(subject, Pass("trees", source, [Trees()]), engine).reducers[0]
        assert isinstance(gathered, Trees)
        trees = gathered.by_length()
        lengths = tuple(len(tree.words) for tree in trees)
        layout = FeatureLayout(Shape.of(subject, False), tuple(tree.id for tree in trees), lengths)
        files, _ = prepare_files(folder, "all", layout, {})
        start = time.perf_counter()
        run_pass(subject, Pass("features", source, [Recorder(files)]), engine)
    seconds = time.perf_counter() - start
    words = sum(lengths)
    print(
        f"features of {len(trees):,} sentences ({words:,} words, {in_words(layout.bytes)}): {seconds:.1f} s"
    )
    return TreebankPart(trees, RecordedFeatures(files))


def trained(part: TreebankPart, batch: int, rate: float, epochs: int) -> Callable[[], HeadsProbe]:
    places = np.array([i for i in range(len(part.trees)) if i % HELD_OUT])

    def work() -> HeadsProbe:
        torch.manual_seed(0)
        probe = HeadsProbe(part.features.layout.shape.heads)
        train(part, Trainee(probe, rate), Schedule(epochs, batch), places)
        return probe

    return work


def held_out(part: TreebankPart, probe: HeadsProbe) -> float:
    predicted = predict(part, probe)
    places = range(0, len(part.trees), HELD_OUT)
    return score([part.trees[i] for i in places], [predicted[i].tree for i in places]).uas


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("corpus", nargs="?", type=Path)
    asked.add_argument("--sentences", type=int, help="only the first N")
    asked.add_argument("--epochs", type=int, default=3)
    asked.add_argument("--repeats", type=int, default=3)
    asked.add_argument("--threads", type=int)
    asked.add_argument("--cpu-time", action="store_true", help="of a machine that is busy with other things")
    options = asked.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    subject = load("mini")
    source = WindowSource(annotated_corpus(options.corpus), SentenceWindows(), fits(subject, LENGTH))
    with TemporaryDirectory() as folder:
        part = recorded(subject, replace(source, limit=options.sentences), Path(folder))
        ways = {
            "batches of one length": trained(part, 16, KINDS["attention"].rate, options.epochs),
            "one sentence a step": trained(part, 1, 0.002, options.epochs),
        }
        seconds = interleaved(ways, options.repeats, options.cpu_time)
        table = Table("way", "seconds", "times the first", "UAS on held-out sentences")
        first = next(iter(ways))
        for name, way in ways.items():
            cells = f"{statistics.median(seconds[name]):.1f}", f"{ratio(seconds, name, first):.1f}"
            table.add_row(name, *cells, f"{100 * held_out(part, way()):.1f}")
        Console().print(table)


if __name__ == "__main__":
    main()
