"""The parts of a treebank: to train on, to choose on, to report on."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from attlas.corpora.source import ItemId, Source, seeded
from attlas.errors import AttlasError, option

PARTS = ("train", "dev", "test")
FEWEST = 10  # sentences of a treebank that is cut into parts
SHARES = (0.8, 0.9)  # where training ends, and where choosing ends


def files_of_parts(path: Path | None) -> dict[str, Path] | None:
    """The three files of a treebank of Universal Dependencies: a folder that has them, or the one to train
    on, with the others beside it. None for anything else, which is cut into parts."""
    if path is None or not path.exists():
        return None
    if path.is_dir():
        training = sorted(path.glob("*train*.conllu"))
        if len(training) > 1:
            names = ", ".join(file.name for file in training)
            raise AttlasError(f"{path} has several treebanks: name the file of one of them ({names})")
    else:
        training = [path] if "train" in path.name else []
    if not training:
        return None
    files = {part: training[0].with_name(training[0].name.replace("train", part)) for part in PARTS}
    return files if all(file.is_file() for file in files.values()) else None


def split_by_chance(ids: Collection[ItemId], seed: int, too_long: int = 0) -> dict[str, frozenset[ItemId]]:
    """Eight tenths of the sentences to train on, one to choose on, one to report on: by their ids, whoever
    reads them."""
    if len(ids) < FEWEST:
        many = "1 sentence with a tree" if len(ids) == 1 else f"{len(ids)} sentences with trees"
        raise AttlasError(
            f"the treebank has {many}{_left_out(too_long)}, and training, choosing and reporting need at "
            f"least {FEWEST}: {'see ' + option('length') if too_long else 'name a larger one'}"
        )
    order = sorted(ids, key=lambda item: (seeded(seed, "part", *item), item))
    first, second = (round(share * len(order)) for share in SHARES)
    parts = order[:first], order[first:second], order[second:]
    return {name: frozenset(part) for name, part in zip(PARTS, parts, strict=True)}


def _left_out(too_long: int) -> str:
    return f" ({too_long:,} longer than the window left out)" if too_long else ""


def refuse_empty(part: str, trees: int, source: Source) -> None:
    if not trees:
        name = source.describe()["corpus"]["name"]
        raise AttlasError(
            f"{name} has no sentence with a whole tree to {'train' if part == 'train' else 'report'} on: is "
            f"every word's head annotated, and do sentences fit into {option('length')}?"
        )
