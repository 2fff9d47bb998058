"""What does probing a treebank for dependencies cost, beside the straightforward way?

    python benchmarks/probes.py                                     # the treebank that ships
    python benchmarks/probes.py en_ewt-ud-dev.conllu --threads 1 --cpu-time
    python benchmarks/probes.py en_ewt-ud-train.conllu --sizes 900 2700 8100    # only memory, by size

Both ways give the accuracy of every head, in both directions, for every relation, over the same sentences,
and must agree on it. Attlas streams batches through one reducer. The straightforward way is that of the
original code: every sentence's maps are kept (as float16), word matrices are made of them in numpy, and
every head of every sentence is scored in turn. The last line is the whole verb: reading, halves, bootstrap,
tests and table. With --sizes, it is the peak memory of that verb over as many sentences of the treebank,
which is read again from its beginning where it has fewer.
"""

import argparse
import statistics
from collections import defaultdict
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console
from rich.table import Table

from attlas import probe
from attlas.corpora.alignment import fits
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.windows import SentenceWindows, Window, WindowSource
from attlas.engines import Pass, engine_named, run_pass
from attlas.studies.dependency_study import DependencyLinks
from attlas.studies.links.accuracy import LinkAccuracy
from attlas.studies.links.accuracy import ratio as accuracy_of
from attlas.subject import Subject, load
from measure import in_a_process_of_its_own, interleaved, peak, ratio

LENGTH = 128
Maps = npt.NDArray[np.float16]  # layer head piece piece


def source_of(subject: Subject, corpus: Path | None, sentences: int | None) -> WindowSource:
    return WindowSource(annotated_corpus(corpus), SentenceWindows(), fits(subject, LENGTH), limit=sentences)


def windows_of(source: WindowSource) -> list[Window]:
    return [w for shard in source.shards() for w in source.prepare(shard).items][: source.limit]


def streamed(subject: Subject, source: WindowSource) -> dict[str, float]:
    """relation -> accuracy of its best head."""
    empty = LinkAccuracy("links", DependencyLinks(), {"to": "to", "from": "from"})
    with engine_named("local") as engine:
        reducer = run_pass(subject, Pass("links", source, [empty], kernel="eager"), engine).reducers[0]
    assert isinstance(reducer, LinkAccuracy)
    return {
        group: max(accuracy_of(sums)[0] for sums in reducer.table(group).values()) for group in reducer.groups
    }


def straightforward(subject: Subject, source: WindowSource) -> dict[str, float]:
    windows = windows_of(source)
    maps: list[tuple[Maps, list[tuple[int, int]]]] = []
    subject.model.set_attn_implementation("eager")
    with torch.no_grad():
        for window in windows:
            encoded = subject.tokenizer(window.text, return_tensors="pt", return_offsets_mapping=True)
            offsets = [tuple(o) for o in encoded.pop("offset_mapping")[0].tolist()]
            output = subject.model(**encoded, output_attentions=True)
            maps.append((torch.cat(output.attentions).half().numpy(), offsets))
    subject.model.set_attn_implementation("sdpa")
    correct: dict[str, npt.NDArray[np.int64]] = defaultdict(lambda: np.zeros((2, len(subject.heads)), int))
    count: dict[str, int] = defaultdict(int)
    find = DependencyLinks()
    for window, (weights, offsets) in zip(windows, maps, strict=True):
        links = find(window)
        for link in links:
            for group in link.groups:
                count[group] += 1
        for head, head_weights in enumerate(weights.reshape(-1, *weights.shape[2:]).astype(np.float32)):
            words = _words(window, head_weights, offsets)
            np.fill_diagonal(words, 0)
            for direction, rows in enumerate((words, words.T)):
                answers = rows.argmax(1)
                for link in links:
                    if answers[link.word] in link.gold:
                        for group in link.groups:
                            correct[group][direction, head] += 1
    return {group: float(correct[group].max() / n) for group, n in count.items()}


def _words(
    window: Window, weights: npt.NDArray[np.float32], offsets: list[tuple[int, int]]
) -> npt.NDArray[np.float32]:
    """Columns summed over a word's pieces, rows averaged."""
    pieces = [[i for i, (a, b) in enumerate(offsets) if a < end and start < b] for start, end in window.spans]
    columns = np.stack([weights[:, p].sum(1) for p in pieces], 1)
    return np.stack([columns[p].mean(0) for p in pieces])


WAYS = {"attlas": streamed, "straightforward": straightforward}


def memory(way: str, corpus: Path | None, sentences: int | None, threads: int) -> int:
    torch.set_num_threads(threads)
    subject = load("mini")
    WAYS[way](subject, source_of(subject, corpus, 8))  # buffers that stay
    return peak(lambda: WAYS[way](subject, source_of(subject, corpus, sentences)))


def verb_memory(corpus: Path, threads: int) -> int:
    torch.set_num_threads(threads)
    subject = load("mini")
    return peak(lambda: probe.dependencies(subject, corpus, progress=False))


def by_size(treebank: Path, sizes: Sequence[int], threads: int) -> Table:
    """Peak memory above that of the loaded model, each size in a process of its own."""
    sentences = treebank.read_text(encoding="utf-8").strip("\n").split("\n\n")
    table = Table(title=f"`attlas probe dependencies` on {treebank.name}, mini, {threads} threads")
    for column in ("sentences", "peak memory"):
        table.add_column(column, justify="right")
    with TemporaryDirectory() as folder:
        for size in sizes:
            part = Path(folder) / f"{size}.conllu"
            part.write_text("\n\n".join(islice(cycle(sentences), size)) + "\n\n", encoding="utf-8")
            needed = in_a_process_of_its_own(verb_memory, part, threads)
            table.add_row(f"{size:,}", f"{needed / 2**20:,.0f} MiB")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", nargs="?", type=Path)
    parser.add_argument("--sentences", type=int, default=400, help="of the corpus, for the comparison")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--cpu-time", action="store_true", help="processor time, on a machine that is busy")
    parser.add_argument("--sizes", type=int, nargs="+", help="sentences; measures only memory by size")
    options = parser.parse_args()
    if options.sizes:
        Console().print(
            by_size(options.corpus or annotated_corpus(None).paths[0], options.sizes, options.threads)
        )
        return
    torch.set_num_threads(options.threads)
    subject = load("mini")
    source = source_of(subject, options.corpus, options.sentences)
    accuracies = {name: way(subject, source) for name, way in WAYS.items()}
    apart = max(abs(accuracies["attlas"][g] - accuracies["straightforward"][g]) for g in accuracies["attlas"])
    seconds = interleaved(
        {n: lambda w=w: w(subject, source) for n, w in WAYS.items()}, options.repeats, options.cpu_time
    )
    peaks = {
        n: in_a_process_of_its_own(memory, n, options.corpus, options.sentences, options.threads)
        for n in WAYS
    }
    clock = "processor" if options.cpu_time else "wall"
    sentences = len(windows_of(source))
    table = Table(
        title=f"dependencies on {sentences} sentences, mini, {options.threads} threads, {clock} time"
    )
    for column in ("way", "seconds", "times attlas", "peak memory"):
        table.add_column(column, justify="right" if column != "way" else "left")
    for name in WAYS:
        table.add_row(
            name,
            f"{statistics.median(seconds[name]):.1f}",
            f"{ratio(seconds, name, 'attlas'):.1f}",
            f"{peaks[name] / 2**20:,.0f} MiB",
        )
    console = Console()
    console.print(table)
    console.print(f"largest difference in any relation's best accuracy: {100 * apart:.2f} points")
    whole = interleaved(
        {"verb": lambda: probe.dependencies(subject, options.corpus, progress=False)}, 1, options.cpu_time
    )
    console.print(f"the whole verb on the whole corpus: {whole['verb'][0]:.1f} seconds")


if __name__ == "__main__":
    main()
