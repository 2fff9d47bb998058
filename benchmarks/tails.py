"""Do intervals cover, and do tests err, as often as they say, far out in the tail?

    python benchmarks/tails.py                                  # 2,000,000 heads of each kind: minutes
    python benchmarks/tails.py --heads 100000 --picture docs/images/tails.png

Heads are made whose true value is known, over documents of equal size and of sizes that differ as those of
the embedded text do. Each segment's number has a part that its document's segments share. A row is a kind of
number: how often its 95 % interval holds the truth, and how often a test finds what is not there, over how
often it should. "by count" is the same test with as many degrees of freedom as documents less one.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from attlas.statistics.clusters import degrees, estimates, ratio_and_stderr
from attlas.statistics.hypotheses import not_zero, student_interval

Array = np.ndarray[Any, np.dtype[np.float64]]
LEVELS = (0.05, 0.01, 0.001, 1e-4, 2e-5)
AT_ONCE = 100_000
#: segments of 128 tokens of the embedded text, document by document; drawn evenly, most give 7 of 200
UNEQUAL = (7, 7, 7, 9, 10, 14, 14, 14, 17, 17, 19, 20, 21, 21, 22, 30, 32, 36, 36, 37, 41, 43, 45, 60, 72)
UNEQUAL = (*UNEQUAL, 90, 99, 127, 154)
SIZES = {"equal": (7,) * 29, "unequal": UNEQUAL}
SHARED = (0.0, 0.06, 0.17)  # of the variance between segments: what lies between documents


class Found(NamedTuple):
    """What a simulation found: coverage of intervals, and the rate of false findings at each of LEVELS over
    the level, of our test and of one by the count of documents."""

    coverage: float
    ratios: Array
    by_count: Array


class Tested(NamedTuple):
    """Estimates of numbers whose truth is 0."""

    value: Array
    stderr: Array
    freedom: Array


Draw = Callable[[np.random.Generator, Array, float, int], Tested]


def means(rng: np.random.Generator, sizes: Array, shared: float, heads: int) -> Tested:
    """A mean over segments."""
    return over_documents(sums(rng, sizes, shared, heads), sizes)


def effects(rng: np.random.Generator, sizes: Array, shared: float, heads: int) -> Tested:
    """What an edit changes, segment by segment: what makes a segment hard cancels out."""
    hard = sums(rng, sizes, 0.5, heads)
    return over_documents((hard + 0.3 * sums(rng, sizes, shared, heads)) - hard, sizes)


def differences(rng: np.random.Generator, sizes: Array, shared: float, heads: int) -> Tested:
    """Two models on the same segments, which both find hard."""
    hard = sums(rng, sizes, 0.5, heads)
    first, second = (hard + sums(rng, sizes, shared, heads) for _ in range(2))
    return over_documents(second - first, sizes)


def ratios(rng: np.random.Generator, sizes: Array, shared: float, heads: int) -> Tested:
    """The share of links that a head finds, of which each segment has its own number, less the true share."""
    links = rng.poisson(3 * sizes, (heads, len(sizes))) + 1.0
    extra = rng.normal(size=links.shape) * np.sqrt(0.25 * (links**2 * shared + links * (1 - shared)))
    right = 0.5 * links + extra
    two = (right**2).sum(1), (right * links).sum(1), (links**2).sum(1)
    value, stderr = ratio_and_stderr(len(sizes), right.sum(1), links.sum(1), *two)
    effective = links.sum(1) ** 2 / (links**2).sum(1)
    return Tested(value - 0.5, stderr, degrees(links.sum(1), effective))


KINDS: dict[str, Draw] = {"mean": means, "ratio": ratios, "effect": effects, "difference": differences}


def sums(rng: np.random.Generator, sizes: Array, shared: float, heads: int) -> Array:
    """head document: the sum of its segments, each of variance 1."""
    spread: Array = rng.normal(size=(heads, len(sizes))) * np.sqrt(sizes**2 * shared + sizes * (1 - shared))
    return spread


def over_documents(of_document: Array, sizes: Array) -> Tested:
    """As every reducer estimates it, from its seven sums; those over segments play no part here."""
    ones = np.ones(len(of_document))
    moments = np.stack(
        [
            *(ones * sizes.sum(), of_document.sum(1), ones, ones * len(sizes)),
            *((of_document**2).sum(1), of_document @ sizes, ones * (sizes**2).sum()),
        ]
    )
    known = estimates(moments)
    return Tested(known.mean, known.stderr, known.degrees)


def simulate(draw: Draw, sizes: tuple[int, ...], shared: float, heads: int, seed: int = 0) -> Found:
    rng = np.random.default_rng(seed)
    of_document = np.array(sizes, np.float64)
    covered, hits, counted = 0.0, np.zeros(len(LEVELS)), np.zeros(len(LEVELS))
    for _ in range(max(1, heads // AT_ONCE)):
        made = draw(rng, of_document, shared, min(heads, AT_ONCE))
        low, high = student_interval(*made)
        covered += float(((low <= 0) & (high >= 0)).sum())
        plain = made._replace(freedom=np.full_like(made.freedom, len(sizes) - 1))
        for rates, tested in ((hits, made), (counted, plain)):
            rates += (not_zero(*tested)[:, None] < np.array(LEVELS)).sum(0)
    tried = max(1, heads // AT_ONCE) * min(heads, AT_ONCE)
    return Found(covered / tried, hits / tried / LEVELS, counted / tried / LEVELS)


def rows(heads: int) -> Iterator[tuple[str, str, float, Found]]:
    for kind, draw in KINDS.items():
        for name, sizes in SIZES.items():
            for shared in SHARED:
                yield kind, name, shared, simulate(draw, sizes, shared, heads)


def picture(results: list[tuple[str, str, float, Found]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(8.6, 3.4), sharey=True, layout="constrained")
    for panel, name in zip(panels, SIZES, strict=True):
        panel.axhspan(1 / 1.5, 1.5, color="#dbe9f6", zorder=0)
        panel.axhline(1, color="#888888", linewidth=0.8)
        for place, (_, _, _, result) in enumerate(row for row in results if row[1] == name):
            labels = ("effective documents", "count of documents") if not place else (None, None)
            panel.plot(LEVELS, result.ratios, color="#1f5fa8", alpha=0.7, label=labels[0])
            panel.plot(LEVELS, result.by_count, color="#c0571c", alpha=0.7, linestyle="--", label=labels[1])
        panel.set(xscale="log", yscale="log", xlabel="nominal rate", title=f"documents of {name} size")
        panel.set_xlim(0.06, 1.5e-5)
        panel.set_yticks([0.25, 0.5, 1, 1.5, 3, 10], ["0.25", "0.5", "1", "1.5", "3", "10"])
        panel.minorticks_off()
    panels[0].set_ylabel("false findings over nominal")
    panels[0].legend(frameon=False, title="degrees of freedom by")
    figure.savefig(path, dpi=140)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--heads", type=int, default=2_000_000, help="of each row")
    parser.add_argument("--picture", type=Path, help="also draw it here")
    options = parser.parse_args()
    results = []
    levels = " ".join(f"{level:>7g}" for level in LEVELS)
    print(f"{'number':<11}{'documents':<11}{'shared':>7}{'covered':>9}  {levels}   by count {levels}")
    for kind, name, shared, result in rows(options.heads):
        results.append((kind, name, shared, result))
        ours, counted = (" ".join(f"{x:7.2f}" for x in of) for of in (result.ratios, result.by_count))
        covered = f"{100 * result.coverage:7.2f} %"
        print(f"{kind:<11}{name:<11}{shared:>7.2f}{covered:>9}  {ours}            {counted}", flush=True)
    if options.picture:
        picture(results, options.picture)


if __name__ == "__main__":
    main()
