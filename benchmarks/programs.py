"""What the pass costs that programs are fitted from, against the plain forward pass of `mini`.

python benchmarks/programs.py
python benchmarks/programs.py --threads 1 --cpu-time
"""

import argparse

import torch
from rich.console import Console
from rich.table import Table

from attlas import load
from attlas.corpora.batches import collate
from attlas.corpora.documents import read_sentences
from attlas.corpora.segments import make_segments
from attlas.corpora.text import text_corpus
from attlas.studies.patterns.pattern_texts import annotate_batch
from attlas.studies.programs.program_sums import ProgramSums, reading_for
from attlas.tap import Tap
from measure import interleaved, ratio
from surface import plain


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--cpu-time", action="store_true", help="CPU seconds, not the clock on the wall")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    subject = load("mini")
    segments = make_segments(read_sentences(text_corpus()), subject.tokenizer, options.length, options.rows)
    batch = collate(subject, segments)
    reading = reading_for(subject)

    def fitted() -> None:
        with Tap(subject, [ProgramSums(reading)]) as tap:
            tap.run(annotate_batch(subject, batch, None))

    ways = {"forward pass": lambda: plain(subject, [batch]), "with the sums of programs": fitted}
    seconds = interleaved(ways, options.repeats, options.cpu_time)
    table = Table(title=f"mini, {options.rows} segments of {options.length} tokens")
    for column in ("", "seconds", "of the forward pass"):
        table.add_column(column, justify="right")
    for name, spent in seconds.items():
        table.add_row(name, f"{min(spent):.3f}", f"{ratio(seconds, name, 'forward pass'):.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
