"""What does classifying every map cost, beside the forward pass that made them?

    python benchmarks/shapes.py                      # mini, 1,000 segments of 128 tokens
    python benchmarks/shapes.py /path/to/model --segments 100 --threads 1 --cpu-time

"forward" runs the model alone, as the plainest loop would; "classified" is the pass of the study, with the
weights that the model itself does not keep, pictures, network, sums and bootstrap. The aim: what classifying
adds is no more than the forward pass.
"""

import argparse
import statistics
from collections.abc import Iterator

import torch

from attlas.corpora.batches import Batch
from attlas.corpora.source import Source
from attlas.engines import Pass, engine_named, run_pass
from attlas.options import TextOptions
from attlas.studies.shapes.shapes_study import shape_study
from attlas.studies.shapes.shares import ShapeShares
from attlas.subject import Subject, load
from measure import interleaved, ratio


def batches_of(subject: Subject, source: Source) -> Iterator[Batch]:
    """The first segments of a source, as many as its limit says, cut and put into batches."""
    left = source.limit or 2**53
    for shard in source.shards():
        prepared = source.prepare(shard, left)
        yield from source.batches(subject, prepared.items)
        left -= prepared.seen
        if not left:
            return


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", nargs="?", default="mini")
    parser.add_argument("--segments", type=int, default=1000)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--cpu-time", action="store_true")
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    subject = load(options.model)
    study = shape_study(subject, TextOptions(segments=options.segments, length=options.length))
    batches = list(batches_of(subject, study.source))
    done = sum(len(batch.ids) for batch in batches)

    def forward() -> None:
        with torch.no_grad():
            for batch in batches:
                subject.run(batch.inputs, predictions=False)

    def classified() -> None:
        with engine_named("local") as engine:
            run_pass(subject, Pass("shapes", study.source, [ShapeShares()], kernel=study.kernel), engine)

    def forward_from_text() -> None:
        """The same shards are read and cut, so that only what classifying adds is left."""
        with torch.no_grad():
            for batch in batches_of(subject, study.source):
                subject.run(batch.inputs, predictions=False)

    ways = {"forward": forward, "forward, from text": forward_from_text, "classified": classified}
    seconds = interleaved(ways, options.repeats, options.cpu_time)
    maps = done * len(subject.heads)
    print(f"{subject.name}: {done:,} segments, {maps:,} maps")
    for name, taken in seconds.items():
        print(f"  {name:<20} {statistics.median(taken):8.2f} s")
    added = ratio(seconds, "classified", "forward, from text") - 1
    print(f"classifying adds {added:.2f} of the forward pass")


if __name__ == "__main__":
    main()
