"""Trained probes in a folder, weights as safetensors and the rest as JSON; and parsing a text with the
best of them, with the heads that decided each arc."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.tree import Tree as Branch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from attlas.address import Head
from attlas.corpora.alignment import aligned_batches, fits
from attlas.corpora.annotated_documents import Document, Sentence, Word, spread
from attlas.corpora.source import ItemId
from attlas.corpora.windows import make_window
from attlas.errors import AttlasError, call, option, printable
from attlas.files import write_whole
from attlas.studies.trees.decoding import decode
from attlas.studies.trees.head_probes import KINDS, HeadsProbe, TreeBatch
from attlas.studies.trees.recorded_features import Shape, word_features
from attlas.studies.word_vectors import WordVectors
from attlas.subject import Subject
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation
from attlas.tap.tap import Tap
from attlas.wording.printing import safe


@dataclass(frozen=True)
class TrainedProbe:
    """`uas` is that on the part for choices, of probes that can parse a text."""

    name: str
    weights: Mapping[str, Tensor]
    uas: float | None


@dataclass(frozen=True)
class StoredProbe:
    """The best probe of a folder, ready to parse."""

    name: str
    probe: HeadsProbe
    vectors: WordVectors
    shape: Shape
    weights: str  # the hash of the model's


def write_probes(
    folder: Path,
    trained: Sequence[TrainedProbe],
    vectors: WordVectors,
    weights: str,
    shape: Shape,
    faithful: bool,
) -> None:
    probes = folder / "probes"
    probes.mkdir(parents=True, exist_ok=True)
    for probe in trained:
        write_whole(probes / f"{probe.name}.safetensors", save(dict(probe.weights)))
    write_whole(probes / "vectors.safetensors", save({"table": vectors.table.half().contiguous()}))
    scores = {probe.name: probe.uas for probe in trained if probe.uas is not None}
    about = {
        "best": max(scores, key=lambda name: scores[name]),
        "uas": scores,
        "model": weights,
        "heads": shape.heads,
        "norms": shape.norms,
        "faithful": faithful,
        "vectors": vectors.name,
        "words": list(vectors.rows),
    }
    write_whole(probes / "probes.json", json.dumps(about, ensure_ascii=False))


def read_best(folder: Path) -> StoredProbe:
    path = folder / "probes" / "probes.json"
    if not path.is_file():
        training = call("probe tree", "MODEL", "TREEBANK", option("trained", folder))
        raise AttlasError(f"{folder} has no trained probes: {training} trains them")
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        name, words = about["best"], about["words"]
        table = load_file(path.parent / "vectors.safetensors")["table"].float()
        kind = KINDS[name]
        norms = torch.ones(about["heads"]) if kind.norms else None
        probe = kind.make(about["heads"], table, norms, about["faithful"])
        assert isinstance(probe, HeadsProbe)
        probe.load_state_dict(load_file(path.parent / f"{name}.safetensors"))
        rows = {word: row for row, word in enumerate(words, 1)}
        vectors = WordVectors(about["vectors"], rows, table)
        return StoredProbe(name, probe.eval(), vectors, Shape(about["heads"], about["norms"]), about["model"])
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise AttlasError(
            f"the probes in {path.parent} cannot be read: {str(error).splitlines()[0]}"
        ) from error


DECIDED = 3  # heads that are named for each arc
_WORD = re.compile(r"\w+(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b|\w+(?:[-.]\w+)*|[^\w\s]")


@dataclass(frozen=True)
class Arc:
    """An arc from a word to its head (0 is ROOT). `heads` are those that spoke most for it, beside the other
    candidates, with how much each added to the score."""

    word: int
    head: int
    heads: tuple[tuple[Head, float], ...]


@dataclass(frozen=True, repr=False)
class Parsed:
    """The tree of a text, as a probe reads it out of a model's attention."""

    words: tuple[str, ...]
    arcs: tuple[Arc, ...]
    probe: str
    model: str
    svg: Path | None = None

    def as_data(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "probe": self.probe,
            "words": list(self.words),
            "arcs": [
                {
                    "word": self.words[arc.word - 1],
                    "number": arc.word,
                    "head": arc.head,
                    "heads": {f"{h.layer}.{h.head}": round(share, 3) for h, share in arc.heads},
                }
                for arc in self.arcs
            ],
            "svg": None if self.svg is None else str(self.svg),
        }

    def show(self, console: Console) -> None:
        console.print(self._branch(0, Branch("ROOT", guide_style="dim")))
        console.print(
            f"the probe {self.probe} on {printable(self.model)}; beside each word, the heads that spoke most "
            "for its arc",
            style="dim",
            soft_wrap=True,
            highlight=False,
        )
        if self.svg is not None:
            console.print(f"the tree is drawn in {safe(self.svg)}", style="dim", soft_wrap=True)

    def _branch(self, head: int, at: Branch) -> Branch:
        for arc in self.arcs:
            if arc.head == head:
                named = ", ".join(f"{h.layer}.{h.head} {share:+.1f}" for h, share in arc.heads)
                word = safe(self.words[arc.word - 1])
                self._branch(arc.word, at.add(f"{word} [dim]{named}[/dim]", highlight=False))
        return at

    def __repr__(self) -> str:
        return f"Parsed({' '.join(self.words)!r}, heads {[arc.head for arc in self.arcs]})"


def parse(subject: Subject, text: str, folder: Path) -> Parsed:
    """The tree that the best probe in a folder finds."""
    stored = read_best(folder)
    if stored.weights != subject.weight_hash():
        raise AttlasError(f"the probes in {folder} were trained on another model than {subject.name}")
    words = split_words(text)
    batch = _read(subject, words, stored)
    with torch.no_grad():
        scores = stored.probe(batch)[0].double().numpy()
        contributions = stored.probe.contributions(batch)[0].double().numpy()  # dependent candidate head
    heads = decode(scores).tree
    kind = subject.kinds[0]
    addresses = [head for head in subject.heads if head.kind == kind]
    arcs = tuple(
        _arc(word, int(head), contributions[word - 1], addresses) for word, head in enumerate(heads, 1)
    )
    return Parsed(tuple(words), arcs, stored.name, subject.name)


def split_words(text: str) -> list[str]:
    """Words and marks of punctuation, roughly as treebanks of English have them: `don't` is `do n't`."""
    words = _WORD.findall(text)
    if not words:
        raise AttlasError(f"{option('parse')}: the text has no words")
    return words


def _arc(
    word: int, head: int, contributions: np.ndarray[Any, np.dtype[np.float64]], addresses: list[Head]
) -> Arc:
    """Heads by how much more they gave to the chosen candidate than to the others on average."""
    others = np.delete(contributions, [head, word], 0)
    above = contributions[head] - (others.mean(0) if len(others) else 0)
    strongest = np.argsort(-above, kind="stable")[:DECIDED]
    return Arc(word, head, tuple((addresses[i], float(above[i])) for i in strongest))


class _LastFeatures:
    """Keeps what one pass showed."""

    def __init__(self, stored: StoredProbe) -> None:
        self.needs = Needs(lazy_weights=True)
        self.shape = stored.shape
        self.features: dict[str, Any] = {}

    def update(self, observation: Observation) -> None:
        self.features = word_features(observation, self.shape)


def _read(subject: Subject, words: list[str], stored: StoredProbe) -> TreeBatch:
    """What the probe sees of one sentence."""
    text, spans = spread(words, [True] * len(words))
    made = tuple(Word(word, start, end) for word, (start, end) in zip(words, spans, strict=True))
    window = make_window(ItemId(0, 0), Document("text", (Sentence(text, made),)), 0, 0, "words")
    if not fits(subject, subject.longest or 512)(window.text):
        raise AttlasError(
            f"{option('parse')}: the text is longer than the {subject.longest} tokens that "
            f"{subject.name} takes"
        )
    keep = _LastFeatures(stored)
    with Tap(subject, [keep]) as tap:
        for batch in aligned_batches(subject, [window]):
            tap.run(batch)
    nothing = torch.zeros(1, len(words), dtype=torch.long)
    return TreeBatch(
        torch.from_numpy(keep.features["attention"]).float(),
        torch.from_numpy(keep.features["norms"]).float() if stored.shape.norms else None,
        torch.tensor([stored.vectors.look_up(words)]),
        nothing,
        nothing.bool(),
    )
