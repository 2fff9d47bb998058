"""The shapes of a model's maps over a text (Kovaleva 2019, section 4.1 and figure 2)."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import torch

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.corpora.source import Source
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError
from attlas.options.option_groups import BatchOptions, TextOptions
from attlas.row import Row
from attlas.studies.provenance import about, chapter_name, corpus_name, described, one_document
from attlas.studies.shapes.network import SHAPES, WEIGHTS, pictures_of, probabilities
from attlas.studies.shapes.shares import SHORTEST, ShapeShares, Share, check_maps
from attlas.studies.study import RunPass
from attlas.studies.study_items import choose_kernel, text_items
from attlas.subject import Subject


@dataclass(frozen=True, kw_only=True)
class Shapes:
    """Every head's map of every item is classified: what each head's maps look like, and the share of each
    shape in every layer and in the whole model."""

    source: Source
    seed: int = 0
    kernel: str | None = None

    @property
    def name(self) -> str:
        return chapter_name("shapes", self.source)

    def describe(self) -> dict[str, Any]:
        settings = {"faithful": False, "seed": self.seed, "kernel": self.kernel, "network": network_hash()}
        return described("shapes", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        reducers = [self.reducer()]
        return self.chapter(
            run(Pass("shapes", self.source, reducers, kernel=self.kernel, doing="shapes of maps"))
        )

    def reducer(self) -> ShapeShares:
        return ShapeShares()

    def chapter(self, done: Merged) -> Chapter:
        """From a pass over the source that the reducer was part of."""
        reducer = done.reducer(ShapeShares)
        rows = reducer.rows()
        if not rows:
            why = f" ({done.problems[0]})" if done.problems else ""
            raise AttlasError(f"{corpus_name(self.source)} holds no text of {SHORTEST} tokens or more{why}")
        notes = [
            "shape_share: the mean probability of the shape over a head's maps, by the network that "
            "docs/shapes.md describes; shape: the likeliest",
            *_intervals(rows),
        ]
        tables = share_tables(reducer.shares())
        return Chapter(self.name, about(self.describe(), done, notes), [*rows, *named(rows)], tables)


def _intervals(rows: Sequence[Row]) -> list[str]:
    """What intervals are over."""
    alone = one_document([row.documents for row in rows], [row.n for row in rows], "segments")
    return alone or ["intervals: 95%, Student's, over documents"]


def network_hash() -> str:
    """The hash of the weights that name shapes."""
    return hashlib.sha256((files("attlas") / WEIGHTS).read_bytes()).hexdigest()


def shape_study(
    subject: Subject,
    text_options: TextOptions = TextOptions(),
    batch_options: BatchOptions = BatchOptions(),
) -> Shapes:
    """Return the study over a text, the embedded sample of Wikipedia by default."""
    source = text_items(subject, text_options, batch_options).source
    return Shapes(source=source, seed=text_options.seed, kernel=choose_kernel(subject, batch_options))


def named(rows: Sequence[Row]) -> list[Row]:
    """`shape` and `second_shape` of every head: the likeliest two, each with its mean probability."""
    shape_rows = []
    for _, head_rows in groupby(rows, key=lambda row: Head(row.kind, row.layer, row.head)):
        best, second, *_ = sorted(head_rows, key=lambda row: -row.value)
        for statistic, row in (("shape", best), ("second_shape", second)):
            shape_rows.append(row._replace(statistic=statistic, stderr=math.nan))
    return shape_rows


def share_tables(shares: Sequence[Share]) -> dict[str, pd.DataFrame]:
    """`shares` of all layers together, and `shares_by_layer`."""
    frame = pd.DataFrame(shares)
    whole = frame["layer"].isna()
    by_layer = frame[~whole].astype({"layer": "int32"}).reset_index(drop=True)
    return {"shares": frame[whole].drop(columns="layer").reset_index(drop=True), "shares_by_layer": by_layer}


def shapes_of(maps: npt.ArrayLike | torch.Tensor) -> pd.DataFrame:
    """The shape of each of some whole attention maps (map query key), without padding: a row a map, with the
    likeliest shape and the probability of every one.

    >>> import numpy as np
    >>> looks_back = np.eye(12, k=-1)
    >>> looks_back[0, 0] = 1
    >>> shapes_of(looks_back[None])["shape"].tolist()
    ['diagonal']
    """
    weights = torch.as_tensor(maps if isinstance(maps, torch.Tensor) else np.asarray(maps)).float()
    check_maps(weights)
    chances = probabilities(pictures_of(weights)).cpu()
    frame = pd.DataFrame(chances.double().numpy(), columns=list(SHAPES))
    frame.insert(0, "shape", [SHAPES[i] for i in chances.argmax(-1).tolist()])
    return frame
