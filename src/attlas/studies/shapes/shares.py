"""The reducer: how likely each shape is, for every head over all items; and how far that would move if other
items had been drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.recording import check_attention
from attlas.errors import AttlasError
from attlas.reducers.reducer import Row, State, check_numbers, reading_order
from attlas.reducers.sums import Sums, moments_of, table
from attlas.statistics.bootstrap import REPLICATES, Bootstrap, ratio_interval
from attlas.studies.shapes.network import SHAPES, probabilities
from attlas.studies.shapes.pictures import cover, pictures
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

SHORTEST = 4  # tokens: a map of fewer has no shape, and is not counted
_DRAWN = "drawn/"  # before a key of the bootstrap's sums, in the state


class Share(NamedTuple):
    """Of the maps of a layer, or of all layers, with a 95% interval over items."""

    kind: Kind
    layer: int | None  # None: all layers
    shape: str
    share: float
    low: float
    high: float
    heads: int
    items: int


class ShapeShares:
    """Every head's map of every item is classified. Kept are sums of probabilities: `shape_share`, one a head
    and shape, is their mean over items, so that a map between two shapes counts for both."""

    name = "shapes"
    needs = Needs(lazy_weights=True)

    def __init__(
        self,
        seed: int = 0,
        replicates: int = REPLICATES,
        classify: Callable[[Tensor], Tensor] = probabilities,  # map SIZE SIZE -> map shape
    ) -> None:
        self.classify = classify
        self.moments = Sums()  # kind.layer -> 3 head shape
        self.bootstrap = Bootstrap(seed, replicates)  # kind.layer -> shape and count, replicate

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        weights = self.bootstrap.weights(batch.ids)  # item replicate
        covers: dict[Kind, tuple[Tensor, Tensor]] = {}  # the same for all layers
        for call in observation.calls:
            assert call.lazy_weights is not None
            queries, keys = batch.queries(call.kind).real, batch.keys(call.kind).real
            if call.kind not in covers:
                covers[call.kind] = cover(queries), cover(keys)
            seen = pictures(call.lazy_weights, *covers[call.kind])  # batch head SIZE SIZE
            chances = self.classify(seen.flatten(0, 1)).view(*seen.shape[:2], -1).double()
            long = (queries.sum(-1) >= SHORTEST) & (keys.sum(-1) >= SHORTEST)
            check_numbers(chances[long])
            at = f"{call.kind}.{call.layer}"
            self.moments.add(at, moments_of(chances, long[:, None, None], dim=0))
            self._draw(at, chances.mean(1)[long].cpu().numpy(), weights[long.cpu().numpy()])

    def _draw(self, at: str, means: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> None:
        """`means` is item shape: means over the heads of a layer."""
        if len(means):
            self.bootstrap.add(at, np.concatenate([means, np.ones((len(means), 1))], 1).T, weights)

    def merge(self, other: ShapeShares) -> None:
        self.moments.merge(other.moments)
        self.bootstrap.merge(other.bootstrap)

    def state(self) -> State:
        drawn = {_DRAWN + key: sums for key, sums in self.bootstrap.state().items()}
        return {**self.moments.state(), **drawn}

    def restore(self, state: State) -> None:
        self.moments.restore({k: v for k, v in state.items() if not k.startswith(_DRAWN)})
        drawn = {k.removeprefix(_DRAWN): v for k, v in state.items() if k.startswith(_DRAWN)}
        self.bootstrap.restore(drawn)

    def rows(self) -> list[Row]:
        return table(self.moments, [("shape_share", shape) for shape in SHAPES])

    def shares(self) -> list[Share]:
        """Of every kind of head, all its layers and then each."""
        shares = []
        layers = sorted(self.bootstrap.sums, key=reading_order)
        for kind in dict.fromkeys(key.partition(".")[0] for key in layers):
            keys = [key for key in layers if key.startswith(f"{kind}.")]
            shares += self._of_layers(cast(Kind, kind), None, keys)
            for key in keys:
                shares += self._of_layers(cast(Kind, kind), int(key.partition(".")[2]), [key])
        return shares

    def _of_layers(self, kind: Kind, layer: int | None, keys: list[str]) -> list[Share]:
        """Heads weigh the same, whatever layer they are in."""
        moments = [self.moments.sums[key].cpu().numpy() for key in keys]  # 3 head shape
        heads = [m.shape[1] for m in moments]
        count, total, _ = sum(m.sum(1) for m in moments)
        # shape replicate; every item has a map of every head
        drawn = sum(n * self.bootstrap.sums[key] for n, key in zip(heads, keys, strict=True))
        assert isinstance(drawn, np.ndarray)
        return [
            Share(
                kind,
                layer,
                shape,
                float(total[i] / count[i]),
                *ratio_interval(drawn[i], drawn[-1]),
                sum(heads),
                int(moments[0][0, 0, 0]),
            )
            for i, shape in enumerate(SHAPES)
        ]


def check_maps(maps: Tensor) -> None:
    """Whole maps that a user has (map query key): numbers, none negative, rows that sum to 1."""
    if maps.numel() == 0:
        raise AttlasError("there are no maps")
    if maps.ndim != 3:
        raise AttlasError(f"maps are wanted as (map, query, key), and there are {maps.ndim} dimensions")
    if min(maps.shape[1:]) < SHORTEST:
        raise AttlasError(f"a map of fewer than {SHORTEST} tokens has no shape")
    check_attention(maps.detach().cpu().numpy(), "maps")
