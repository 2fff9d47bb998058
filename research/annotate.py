"""Draws attention maps for people to look at, and gathers what they saw: the annotated maps.

    python research/annotate.py draw maps.parquet --texts enwiki.txt.xz en_ewt-ud-dev.conllu \\
        --models mini=mini mini-mrpc=FOLDER minilm=FOLDER smollm2=FOLDER --weights attention/*.npz
    python research/annotate.py sheets maps.parquet sheets/first --order 1
    python research/annotate.py gather maps.parquet first.txt second.txt [third.txt]
    python research/annotate.py gather maps.parquet --other other.txt [--again again.txt]
    python research/annotate.py draw more.parquet ... --of-a-text 25 --without maps.parquet

The last draws maps that nobody labels, of other passages: `patterns.py` learns from them what the labelled
ones taught it. A pass of labels is a text file: a map's number and the letter of its shape (v d b h, and m
for vertical and diagonal) on every line. Every pass has its own order, so that nothing is remembered by its
place. research/shapes/README.md says what the shapes are and what came out.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

import attlas
from attlas.corpora.documents import sentences
from attlas.tap import capture

LETTERS = {
    "v": "vertical",
    "d": "diagonal",
    "m": "vertical+diagonal",
    "b": "block",
    "h": "heterogeneous",
}
LENGTHS = (10, 19, 37, 70, 129)  # borders of the strata, about even in the logarithm
SHORTEST_CHARACTERS, LONGEST_CHARACTERS = 30, 400  # of a sentence
ROWS, COLUMNS, INCHES = 5, 6, 1.96


def draw(
    out: Path,
    texts: list[str],
    models: dict[str, str],
    weights: list[Path],
    sizes: dict[str, int],
    seed: int,
    of_a_text: int,
    without: Path | None,
) -> None:
    """Maps of every model, spread evenly over its layers and over lengths; a text is shared by a few maps.
    Where there are maps already, these are added to them."""
    rng = random.Random(seed)
    taken = set() if without is None else set(pd.read_parquet(without, columns=["passage"])["passage"])
    documents = list(enumerate(document for path in texts for document in _documents(path)))
    documents = [(number, document) for number, document in documents if f"{number}" not in taken]
    rng.shuffle(documents)
    rows = []
    for name, folder in models.items():
        rows += list(_of_model(name, attlas.load(folder), sizes[name], iter(documents), of_a_text, rng))
    for path in weights:
        rows += list(_of_file(path, sizes["files"] // len(weights), rng))
    rng.shuffle(rows)
    before = [pd.read_parquet(out)] if out.exists() else []
    frame = pd.concat([*before, pd.DataFrame(rows)], ignore_index=True)
    frame["map"] = range(len(frame))
    frame = frame[["map", *(column for column in frame.columns if column != "map")]]
    frame.to_parquet(out, compression="zstd", index=False)
    print(frame.groupby("model").size().to_string())


def _of_model(
    name: str,
    subject: Any,
    count: int,
    documents: Iterator[tuple[int, list[str]]],
    of_a_text: int,
    rng: random.Random,
) -> Iterator[dict[str, Any]]:
    """The same passages serve every model, from the first on; folds part maps by passage."""
    heads = {
        layer: [h for h in subject.heads if h.layer == layer] for layer in {h.layer for h in subject.heads}
    }
    left = {layer: rng.sample(several, len(several)) for layer, several in heads.items()}
    layers, strata = cycle(sorted(heads)), cycle(range(len(LENGTHS) - 1))
    for first in range(0, count, of_a_text):
        stratum = next(strata)
        length = round(np.exp(rng.uniform(np.log(LENGTHS[stratum]), np.log(LENGTHS[stratum + 1] - 1))))
        pair = name.endswith(("mrpc", "rte")) or (not name.endswith("sst-2") and rng.random() < 0.5)
        passage, text, batch = _text(subject, documents, length, pair, rng)
        calls = {call.layer: call.weights for call in capture(subject, batch)}
        for _ in range(min(of_a_text, count - first)):
            layer = next(layers)
            left[layer] = left[layer] or rng.sample(heads[layer], len(heads[layer]))
            head = left[layer].pop()
            weights = calls[layer][head.head].numpy()
            yield _row(name, head.kind, layer, head.head, f"{passage}", text, weights)


def _text(
    subject: Any,
    documents: Iterator[tuple[int, list[str]]],
    length: int,
    pair: bool,
    rng: random.Random,
) -> tuple[int, str, Any]:
    """Sentences that follow each other, as one text or two, cut to at most `length` tokens."""
    for passage, document in documents:
        start = rng.randrange(len(document))
        several = document[start : start + 12]
        pair_here = pair and subject.kinds == ("encoder",) and len(several) > 1
        middle = rng.randint(1, min(3, len(several) - 1)) if pair_here else len(several)
        a, b = " ".join(several[:middle]), " ".join(several[middle:]) if pair_here else None
        tokenizer = subject.tokenizer
        inputs = dict(tokenizer(a, b, return_tensors="pt", truncation=True, max_length=length))
        if inputs["input_ids"].shape[1] >= max(LENGTHS[0], 0.9 * length):
            used = {k: v for k, v in inputs.items() if k in subject.accepts}
            shown = a if b is None else f"{a} | {b}"
            return passage, shown[: 8 * length], subject.annotate(used)
    raise SystemExit("too few texts")


def _of_file(path: Path, count: int, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Real maps of larger models, with their tokens beside them."""
    attn = np.load(path)["attn"]  # layer head query key
    tokens = json.loads((path.parent / "tokens.json").read_text())[path.stem]
    layers = cycle(range(len(attn)))
    left = {layer: rng.sample(range(attn.shape[1]), attn.shape[1]) for layer in range(len(attn))}
    model = path.stem.split("_")[0]
    for layer, _ in zip(layers, range(count), strict=False):
        head = left[layer].pop()
        kind = "decoder" if model == "gpt2" else "encoder"
        yield _row(model, kind, layer, head, path.stem, " ".join(tokens), attn[layer, head])


def _row(
    model: str, kind: str, layer: int, head: int, passage: str, text: str, weights: Any
) -> dict[str, Any]:
    where = {"model": model, "kind": kind, "layer": layer, "head": head, "length": len(weights)}
    # roots in a byte: small weights keep some digits, and no weight is off by more than 0.4% of its root
    roots = np.rint(255 * np.sqrt(weights)).astype(np.uint8)
    return {**where, "passage": passage, "text": text, "weights": roots.tobytes()}


def _documents(path: str) -> Iterator[list[str]]:
    """Sentences of every article, or of every document of a treebank."""
    text = lzma.open(path, "rt").read() if path.endswith(".xz") else Path(path).read_text()  # noqa: SIM115
    if path.endswith(".conllu"):
        parts = [re.findall(r"^# text = (.*)$", part, re.M) for part in text.split("# newdoc")]
    else:
        parts = [[s for line in a.split("\n") for s in sentences(line)] for a in re.split(r"\n\s*\n", text)]
    for part in parts:
        fit = [s for s in part if SHORTEST_CHARACTERS <= len(s) <= LONGEST_CHARACTERS]
        # an article serves several texts, far from each other
        yield from (fit[i : i + 14] for i in range(0, len(fit), 14) if len(fit) - i > 2)


def weights_of(row: Any) -> Any:
    """query key: the weights of an annotated map."""
    roots = np.frombuffer(row.weights, np.uint8).reshape(row.length, row.length)
    squares = (roots / 255.0) ** 2
    return squares / squares.sum(-1, keepdims=True)


def sheets(maps: Path, folder: Path, order: int, only: list[int]) -> None:
    """Numbered maps, without a word about where they come from."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    frame = pd.read_parquet(maps)
    if only:
        frame = frame[frame["map"].isin(only)]
    frame = frame.sample(frac=1, random_state=order)
    for sheet, start in enumerate(range(0, len(frame), ROWS * COLUMNS)):
        # not white: a bright first column would be lost in it
        size = (COLUMNS * INCHES, ROWS * (INCHES + 0.12))
        figure, axes = plt.subplots(ROWS, COLUMNS, figsize=size, facecolor="#3a6a5a")
        for axis in axes.flat:
            axis.set_axis_off()
        for axis, row in zip(
            axes.flat, frame.iloc[start : start + ROWS * COLUMNS].itertuples(), strict=False
        ):
            weights = weights_of(row)
            top = weights.max(-1).mean()
            axis.imshow(np.sqrt(weights / top), vmin=0, vmax=1, cmap="magma", interpolation="antialiased")
            axis.set_title(f"{row.map}", fontsize=9, pad=2, color="white")
        figure.subplots_adjust(0.005, 0.005, 0.995, 0.975, 0.04, 0.12)
        figure.savefig(folder / f"{sheet:02}.png", dpi=100)
        plt.close(figure)


def gather(maps: Path, passes: list[Path]) -> None:
    """Both passes of the first annotator, and what was settled, go into the file."""
    frame = pd.read_parquet(maps)
    seen = [_labels(path) for path in passes]
    frame["first"], frame["second"] = (frame["map"].map(labels) for labels in seen[:2])
    _compare(frame, frame["first"], frame["second"])
    same = frame["first"] == frame["second"]
    if len(seen) < 3:
        print("to settle:", *frame.loc[~same, "map"].tolist())
        return
    frame["third"] = frame["map"].map(seen[2]).where(~same)
    frame["shape"] = alone(frame)
    _write(frame, maps)


def gather_other(maps: Path, other: Path, again: Path | None) -> None:
    """What another annotator saw, and what was seen where maps were looked at again."""
    frame = pd.read_parquet(maps)
    frame["other"] = frame["map"].map(_labels(other))
    _compare(frame, alone(frame), frame["other"])
    same = alone(frame) == frame["other"]
    if again is None:
        print("to settle:", *frame.loc[~same, "map"].tolist())
        return
    frame["again"] = frame["map"].map(_labels(again))
    frame["shape"] = frame["again"].fillna(frame["other"].where(same))
    _write(frame, maps)


def alone(frame: pd.DataFrame) -> pd.Series:
    """What the first annotator settled on by itself."""
    return frame["first"].where(frame["first"] == frame["second"], frame["third"])


def _compare(frame: pd.DataFrame, first: pd.Series, second: pd.Series) -> None:
    if missing := frame.loc[first.isna() | second.isna(), "map"].tolist():
        raise SystemExit(f"without a label: {missing}")
    kappa = cohen_kappa_score(first, second)
    print(f"{len(frame)} maps, agreement {(first == second).mean():.3f}, Cohen's kappa {kappa:.3f}")
    print(pd.crosstab(first, second).to_string())


def _write(frame: pd.DataFrame, maps: Path) -> None:
    if missing := frame.loc[frame["shape"].isna(), "map"].tolist():
        raise SystemExit(f"not settled: {missing}")
    columns = [c for c in ("first", "second", "third", "other", "again", "shape") if c in frame.columns]
    frame = frame[[*(c for c in frame.columns if c not in columns), *columns]]
    frame.to_parquet(maps, compression="zstd", compression_level=19, index=False)
    print(frame["shape"].value_counts().to_string())


def _labels(path: Path) -> dict[int, str]:
    lines = (line.split() for line in path.read_text().splitlines() if line.strip())
    return {int(number): LETTERS[letter] for number, letter in lines}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("out", type=Path)
    drawing.add_argument("--texts", nargs="+", required=True)
    drawing.add_argument("--models", nargs="+", required=True, metavar="NAME=FOLDER")
    drawing.add_argument("--weights", nargs="*", type=Path, default=[])
    drawing.add_argument("--sizes", nargs="+", required=True, metavar="NAME=MAPS")
    drawing.add_argument("--seed", type=int, default=0)
    drawing.add_argument("--of-a-text", type=int, default=3, help="maps of every text")
    drawing.add_argument("--without", type=Path, help="maps whose passages are not used again")
    laying_out = commands.add_parser("sheets")
    laying_out.add_argument("maps", type=Path)
    laying_out.add_argument("folder", type=Path)
    laying_out.add_argument("--order", type=int, default=1)
    laying_out.add_argument(
        "--only", nargs="*", type=int, default=[], help="numbers of maps; all if none are given"
    )
    gathering = commands.add_parser("gather")
    gathering.add_argument("maps", type=Path)
    gathering.add_argument("passes", type=Path, nargs="*")
    gathering.add_argument("--other", type=Path, help="the pass of another annotator")
    gathering.add_argument("--again", type=Path, help="what was seen where maps were looked at again")
    options = parser.parse_args()
    if options.command == "draw":
        models = dict(pair.split("=", 1) for pair in options.models)
        sizes = {name: int(count) for name, count in (pair.split("=") for pair in options.sizes)}
        draw(
            options.out,
            options.texts,
            models,
            options.weights,
            sizes,
            options.seed,
            options.of_a_text,
            options.without,
        )
    elif options.command == "sheets":
        sheets(options.maps, options.folder, options.order, options.only)
    elif options.other:
        gather_other(options.maps, options.other, options.again)
    else:
        gather(options.maps, options.passes)


if __name__ == "__main__":
    main()
