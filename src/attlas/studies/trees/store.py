"""Trained probes in a folder: weights as safetensors, and what is needed to use them again as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from attlas.errors import AttlasError, call, option
from attlas.files import write_whole
from attlas.studies.trees.head_probes import HeadsProbe
from attlas.studies.trees.kinds import KINDS
from attlas.studies.trees.recorded_features import Shape
from attlas.studies.trees.word_vectors import WordVectors


@dataclass(frozen=True)
class Trained:
    """`uas` is that on the part for choices, of probes that can parse a text."""

    name: str
    weights: Mapping[str, Tensor]
    uas: float | None


@dataclass(frozen=True)
class Stored:
    """The best probe of a folder, ready to parse."""

    name: str
    probe: HeadsProbe
    vectors: WordVectors
    shape: Shape
    weights: str  # the hash of the model's


def write_probes(
    folder: Path, trained: Sequence[Trained], vectors: WordVectors, weights: str, shape: Shape, faithful: bool
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


def read_best(folder: Path) -> Stored:
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
        return Stored(name, probe.eval(), vectors, Shape(about["heads"], about["norms"]), about["model"])
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise AttlasError(
            f"the probes in {path.parent} cannot be read: {str(error).splitlines()[0]}"
        ) from error
