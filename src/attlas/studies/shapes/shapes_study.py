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
from attlas.atlas.untrained_heads import PLAIN, TABLE, Untrained
from attlas.corpora.source import ItemId, Source
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError
from attlas.options.option_groups import BatchOptions, TextOptions
from attlas.reducers.items import Sample
from attlas.reducers.reducer import Reducer
from attlas.row import Row
from attlas.statistics.clusters import degrees
from attlas.statistics.verdicts import estimate, judge
from attlas.studies.provenance import about, chapter_name, corpus_name, described, one_document
from attlas.studies.shapes.network import SHAPES, WEIGHTS, pictures_of, probabilities
from attlas.studies.shapes.shares import SHORTEST, ShapeShares, Share, check_maps
from attlas.studies.study import RunPass
from attlas.studies.study_items import choose_kernel, text_items
from attlas.studies.twins.twins import SEGMENTS as TWIN_SEGMENTS
from attlas.studies.twins.twins import Twin, TwinRows, measure_twins
from attlas.subject import Subject
from attlas.wording.names import NONE


@dataclass(frozen=True, kw_only=True)
class Shapes:
    """Every head's map of every item is classified: what each head's maps look like, and the share of each
    shape in every layer and in the whole model."""

    source: Source
    seed: int = 0
    kernel: str | None = None
    twin_of: Subject | None = None  # the model whose untrained twins are measured beside it

    @property
    def name(self) -> str:
        return chapter_name("shapes", self.source)

    def describe(self) -> dict[str, Any]:
        settings = {"faithful": False, "seed": self.seed, "kernel": self.kernel, "network": network_hash()}
        settings["twin"] = self.twin_of is not None
        return described("shapes", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        done = run(self._pass(self.source, [self.reducer(), Sample(TWIN_SEGMENTS)]))
        return self.chapter(done, self._twins(run, done.reducer(Sample).ids()))

    def _pass(self, source: Source, reducers: Sequence[Reducer]) -> Pass:
        return Pass("shapes", source, reducers, kernel=self.kernel, doing="shapes of maps")

    def _twins(self, run: RunPass, ids: Sequence[ItemId]) -> TwinRows | None:
        if self.twin_of is None or not ids:
            return None

        def rows_of(twin: Twin, run_twin: RunPass) -> list[Row]:
            read = run_twin(self._pass(self.source.only(ids), [self.reducer()]))
            return read.reducer(ShapeShares).rows()

        return measure_twins(self.twin_of, run, True, rows_of)

    def reducer(self) -> ShapeShares:
        return ShapeShares()

    def chapter(self, done: Merged, beside: TwinRows | None = None) -> Chapter:
        """From a pass over the source that the reducer was part of, beside untrained twins."""
        reducer = done.reducer(ShapeShares)
        rows = reducer.rows()
        if not rows:
            why = f" ({done.problems[0]})" if done.problems else ""
            raise AttlasError(f"{corpus_name(self.source)} holds no text of {SHORTEST} tokens or more{why}")
        notes = [
            "shape_share: the mean probability of the shape over a head's maps, by the network that "
            "docs/shapes.md describes; shape: the likeliest"
            + (", if untrained heads have it less" if beside and beside.tables else ""),
            *_intervals(rows),
            *(beside.notes if beside else []),
        ]
        tables = share_tables(reducer.shares())
        if beside is not None and beside.untrained is not None:
            tables |= {
                "shares": tables["shares"].assign(untrained=_untrained_shares(tables["shares"], beside))
            }
            tables |= beside.tables
        names = name_shapes(rows, beside.untrained if beside else None)
        return Chapter(self.name, about(self.describe(), done, notes), [*rows, *names], tables)


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


def name_shapes(rows: Sequence[Row], untrained: Untrained | None = None) -> list[Row]:
    """`shape` and `second_shape` of every head: the likeliest two, each with its mean probability. Where
    untrained twins were measured, none names a head that it has no more often than theirs; `none` has what is
    left to the likeliest."""
    shape_rows = []
    for _, head_rows in groupby(rows, key=lambda row: Head(row.kind, row.layer, row.head)):
        likeliest = sorted(head_rows, key=lambda row: -row.value)[:2]
        fitting = [row for row in likeliest if untrained is None or _is_shown(row, untrained)]
        if not fitting:
            best = likeliest[0]
            fitting = [best._replace(group=NONE, value=1 - best.value)]
        for statistic, row in zip(("shape", "second_shape"), fitting, strict=False):
            shape_rows.append(row._replace(statistic=statistic, stderr=math.nan))
    return shape_rows


def _untrained_shares(shares: pd.DataFrame, beside: TwinRows) -> list[float]:
    """Of the maps of the plain twin, by the kinds and shapes of a table."""
    table = beside.tables[TABLE]
    mean = table[table["twin"] == PLAIN].groupby(["kind", "group"])["value"].mean()
    return [float(mean.get(at, math.nan)) for at in zip(shares["kind"], shares["shape"], strict=True)]


def _is_shown(row: Row, untrained: Untrained) -> bool:
    """Whether a head has a shape more often than any untrained head."""
    freedom = float(degrees(row.n, row.effective or row.documents))
    measured = estimate(row.value, row.stderr, freedom, row.documents or row.n)
    return judge("shape", measured, untrained=untrained.most("shape_share", row.group, row.kind)).shown


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
