"""From HeadVis's tree to an atlas: its metrics, its sequences as examples, its tables of tokens."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
import pandas as pd
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from attlas.address import Head, Kind
from attlas.atlas.atlas import Atlas
from attlas.atlas.chapter import Chapter, Example
from attlas.atlas.disk import of_chapter
from attlas.atlas.registry import REGISTRY
from attlas.errors import AttlasError
from attlas.headvis.headvis_format import (
    CONFIG,
    HEAD_FILES,
    INTERVALS,
    METRICS,
    SCATTER,
    HeadFile,
    Tree,
)
from attlas.row import Row

CHAPTER = "headvis"
KIND: Kind = "decoder"  # HeadVis is for causal models


LARGEST = 2**28  # bytes of a file
MOST = 1000  # layers, and heads of a layer
LONGEST = 2**17  # tokens of a text


def _refuse_halves(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("holds half of a character") from None
    return text


_Checked = ConfigDict(strict=True, frozen=True)
_Name = Annotated[str, Field(max_length=1000), AfterValidator(_refuse_halves)]
_Count = Annotated[int, Field(ge=0, le=10**15)]
_Place = Annotated[int, Field(ge=0, lt=LONGEST**2)]
_Weight = Annotated[float, Field(ge=0, le=1.001, allow_inf_nan=False)]  # rounded by who wrote it
_Sum = Annotated[float, Field(ge=0, le=1e15, allow_inf_nan=False)]


class _Pipeline(BaseModel):
    model_config = _Checked
    dataset_name: _Name | None = None
    actual_sequences_processed: _Count | None = None
    n_sequences: _Count | None = None


class _Config(_Pipeline):
    model_name: _Name | None = None
    pipeline_config: _Pipeline | None = None


class _Row(BaseModel):
    """A head of the plane. Its metrics are checked against the ranges of our statistics."""

    model_config = ConfigDict(strict=True, frozen=True, extra="allow")
    layer: Annotated[int, Field(ge=0, lt=MOST)]
    head: Annotated[int, Field(ge=0, lt=MOST)]

    @model_validator(mode="after")
    def check_ranges(self) -> Self:
        for metric, (statistic, _, _) in METRICS.items():
            value = (self.model_extra or {}).get(metric)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ValueError(f"{metric} is not a number")
            low, high = REGISTRY[statistic].low, REGISTRY[statistic].high
            if value == value and not low - 0.001 <= value <= min(high + 0.001, 1e15):  # NaN: not measured
                raise ValueError(f"{metric} is outside {low:g} to {high:g}")
        return self


class _Sequence(BaseModel):
    model_config = _Checked
    sequence_id: _Name | Annotated[int, Field(ge=0, lt=2**53)]
    interval: Annotated[int, Field(ge=0, le=1000)]
    tokens: Annotated[list[_Name], Field(max_length=LONGEST)]
    attention_indices: list[_Place]
    attention_values: list[_Weight]
    seq_len: Annotated[int, Field(ge=0, le=LONGEST)]
    max_activation: _Weight

    @model_validator(mode="after")
    def check_places(self) -> Self:
        if self.seq_len > len(self.tokens):
            raise ValueError(f"seq_len is {self.seq_len}, and there are {len(self.tokens)} tokens")
        if len(self.attention_indices) != len(self.attention_values):
            raise ValueError("attention_indices and attention_values differ in length")
        if max(self.attention_indices, default=-1) >= self.seq_len**2:
            raise ValueError("attention_indices lie outside the text")
        return self


class _Token(BaseModel):
    model_config = _Checked
    token: _Name
    weight: _Sum


class _HeadFile(BaseModel):
    model_config = _Checked
    sequences: Annotated[list[_Sequence], Field(max_length=10_000)]
    top_query_tokens: Annotated[list[_Token], Field(max_length=10_000)]
    top_key_tokens: Annotated[list[_Token], Field(max_length=10_000)]


_ROWS = TypeAdapter(Annotated[list[_Row], Field(min_length=1, max_length=MOST**2)])


def is_tree(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (CONFIG, SCATTER))


def read_tree(folder: Path) -> Tree:
    """Read the files unchanged, once they are seen to be such a tree. Heads without a file of their own are
    left out of `heads`."""
    config, scatter = _read_json(folder / CONFIG), _read_json(folder / SCATTER)
    with _in_one_line(folder / CONFIG):
        _Config.model_validate(config)
    with _in_one_line(folder / SCATTER):
        rows = _ROWS.validate_python(scatter)
        if len({(row.layer, row.head) for row in rows}) < len(rows):
            raise ValueError("a head has two rows")
    heads: dict[tuple[int, int], HeadFile] = {}
    for row in rows:
        file = folder / "heads" / HEAD_FILES.format(layer=row.layer, head=row.head)
        if file.is_file():
            content = _read_json(file)
            with _in_one_line(file):
                _HeadFile.model_validate(content)
            heads[row.layer, row.head] = content
    return {"config": config, "scatter": scatter, "heads": heads}


def read_headvis(folder: Path) -> Atlas:
    """Read a tree as an atlas in memory. Its numbers come without standard errors."""
    tree = read_tree(folder)
    atlas = of_chapter(_make_chapter(tree))
    atlas.manifest["model"]["name"] = str(tree["config"].get("model_name") or folder.name)
    return atlas


def _make_chapter(tree: Tree) -> Chapter:
    config = {**(tree["config"].get("pipeline_config") or {}), **tree["config"]}
    rows, examples, looks = [], [], []
    tokens: dict[str, list[str]] = {}
    for row in tree["scatter"]:
        for metric, (statistic, group, _) in METRICS.items():
            value = row.get(metric)
            if value is not None and math.isfinite(value):
                n = int(config.get("actual_sequences_processed") or config.get("n_sequences") or 1)
                rows.append(Row(KIND, row["layer"], row["head"], statistic, group, float(value), math.nan, n))
    for (layer, head), content in tree["heads"].items():
        address = Head(KIND, layer, head)
        examples += _read_examples(address, content, tokens)
        looks += _read_looks(address, content)
    columns = ["kind", "layer", "head", "side", "token", "share", "common"]
    return Chapter(
        CHAPTER,
        {
            "study": "surface",
            "corpus": {
                "name": str(config.get("dataset_name", "")),
                "segments": int(config.get("actual_sequences_processed") or config.get("n_sequences") or 0),
            },
            "notes": ["read from a HeadVis tree: its numbers have no standard errors"],
        },
        rows,
        tables={"looks": pd.DataFrame(looks, columns=columns)} if looks else {},
        examples=examples,
        tokens=tokens,
    )


def _read_examples(head: Head, content: HeadFile, tokens: dict[str, Any]) -> list[Example]:
    """The strongest pair of each sequence, but for the first row and column; by interval."""
    examples = []
    for sequence in sorted(content["sequences"], key=lambda s: -s["max_activation"]):
        length = sequence["seq_len"]
        query, key = np.divmod(np.array(sequence["attention_indices"], int), length)
        values = np.where((query > 0) & (key > 0), np.array(sequence["attention_values"]), -1.0)
        if not len(values) or values.max() < 0:
            continue
        best = int(values.argmax())
        name = f"{sequence['sequence_id']}"
        if tokens.setdefault(name, sequence["tokens"]) != sequence["tokens"]:  # numbered head by head
            name = f"{head.layer}.{head.head}:{name}"
            tokens[name] = sequence["tokens"]
        interval = int(sequence["interval"])
        sample = "strongest" if interval == INTERVALS else f"step {min(interval, INTERVALS) - 1}"
        examples.append(
            Example(head, float(values[best]), name, int(query[best]), int(key[best]), sample=sample)
        )
    return examples


def _read_looks(head: Head, content: HeadFile) -> list[tuple[Any, ...]]:
    """Read the share of kept attention of each token, beside its share of the same texts."""
    texts = [token for sequence in content["sequences"] for token in sequence["tokens"]]
    common = pd.Series(texts, dtype=str).value_counts(normalize=True)
    lines = []
    for side, listed in (("from", content["top_query_tokens"]), ("at", content["top_key_tokens"])):
        whole = sum(sum(sequence["attention_values"]) for sequence in content["sequences"])
        for entry in listed:
            share = entry["weight"] / whole if whole else 0.0
            beside = float(common.get(entry["token"], 0.0))
            lines.append((head.kind, head.layer, head.head, side, entry["token"], share, beside))
    return lines


@contextmanager
def _in_one_line(file: Path) -> Iterator[None]:
    """Say where a file differs from what HeadVis writes, and how."""
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"][:4])
        said = first["msg"].removeprefix("Value error, ")
        raise AttlasError(
            f"{file} is not as HeadVis writes it: {place}{': ' if place else ''}{said}"
        ) from None
    except ValueError as error:
        raise AttlasError(f"{file} is not as HeadVis writes it: {error}") from None


def _read_json(file: Path) -> Any:
    try:
        if file.stat().st_size > LARGEST:
            raise AttlasError(f"{file} cannot be read: it is larger than {LARGEST // 2**20} MiB")
        return json.loads(file.read_text("utf-8"))
    except RecursionError:
        raise AttlasError(f"{file} cannot be read: it is nested too deeply") from None
    except (OSError, ValueError) as error:
        raise AttlasError(f"{file} cannot be read: {error}") from error
