"""Are the distances between 144 heads cheaper than the forward pass that fed them?

    python benchmarks/distances.py
    python benchmarks/distances.py --threads 1 --cpu-time

BERT-base size, random weights (or `--model mini`), segments of 128 tokens. The forward pass is plain (fused
attention); the reducer is shown what one such pass saw. Torch alone is what runs without a C
compiler, on one segment. The straightforward way is a numpy double loop over heads; it takes its time, so it
runs once, on one segment.
"""

import argparse
import statistics
import time

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console
from rich.table import Table

from attlas.reducers.divergence import _joint_sums, pairwise_divergence
from attlas.studies.surface.head_distances import Distances
from attlas.tap import Needs, Observation, Tap, native
from measure import interleaved, ratio
from surface import TOKENS_IN_A_BATCH, make_case, plain


class Keep:
    """Holds the last observation, so that a reducer can be shown it again and again."""

    name = "keep"
    needs = Needs(weights=True, lazy_weights=True)
    observation: Observation

    def update(self, observation: Observation) -> None:
        self.observation = observation


def double_loop(weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """As one would write it: Jensen-Shannon for each pair of heads, summed over rows."""
    heads = len(weights)
    divergence = np.zeros((heads, heads))
    for i in range(heads):
        for j in range(i + 1, heads):
            p, q = weights[i], weights[j]
            log_m = np.log(np.maximum((p + q) / 2, 1e-30))
            terms = p * (np.log(np.maximum(p, 1e-30)) - log_m) + q * (np.log(np.maximum(q, 1e-30)) - log_m)
            divergence[i, j] = divergence[j, i] = terms.sum() / 2
    return divergence


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", choices=["bert-base", "mini"], default="bert-base")
    parser.add_argument("--batch", type=int, default=TOKENS_IN_A_BATCH, help="tokens in a batch")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--cpu-time", action="store_true", help="CPU seconds, not the clock on the wall")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    subject, [batch] = make_case(options.model, 128, 1, options.batch)
    keep = Keep()
    with Tap(subject, [keep]) as tap:
        tap.run(batch)
    observation, segments = keep.observation, len(batch.ids)
    segment_weights = torch.cat([seen.weights[0] for seen in observation.calls])  # head query key
    ways = {
        "plain forward": lambda: plain(subject, [batch]),
        "distances": lambda: Distances(subject.heads).update(observation),
        "distances, torch alone": lambda: _joint_sums(segment_weights),
    }
    seconds = interleaved(ways, options.repeats, options.cpu_time)
    seconds["distances, torch alone"] = [s * segments for s in seconds["distances, torch alone"]]
    start = time.process_time() if options.cpu_time else time.perf_counter()
    expected = double_loop(segment_weights.numpy())
    elapsed = (time.process_time() if options.cpu_time else time.perf_counter()) - start
    seconds["numpy, double loop"] = [elapsed * segments] * options.repeats
    worst = (torch.from_numpy(expected) - pairwise_divergence(segment_weights)).abs().max() / expected.max()
    table = Table(title=f"distances between 144 heads, {options.threads} threads, {options.repeats} rounds")
    for column in ("way", "s a segment", "of the forward pass"):
        table.add_column(column, justify="left" if column == "way" else "right")
    for way, taken in seconds.items():
        relative = f"{ratio(seconds, way, 'plain forward'):.2f}"
        table.add_row(way, f"{statistics.median(taken) / segments:.4f}", relative)
    Console().print(table)
    Console().print(f"Largest difference from the double loop: {worst:.1e} of the largest distance.")
    if native.reason() is not None:
        Console().print(f"There is no compiled kernel here: {native.reason()}")


if __name__ == "__main__":
    main()
