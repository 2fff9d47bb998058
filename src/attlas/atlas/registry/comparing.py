"""What a comparison finds, of a model beside another; the chapter says which (Kovaleva 2019)."""

from __future__ import annotations

import math

from attlas.atlas.registry.entry import Statistic

COMPARING = (
    Statistic(
        "map_cosine",
        meaning="cosine between the head's maps here and in the other model, averaged over inputs",
        chance="1 where nothing changed",
        title="likeness to the other model's map",
        short="cosine",
        sentence="has maps whose cosine with those of the other model is {value}",
        family="distance",
    ),
    Statistic(
        "map_distance",
        meaning="Jensen-Shannon divergence between the head's rows here and in the other model, in nats",
        unit="nats",
        high=math.log(2),
        chance="0 where nothing changed",
        title="distance from the other model's map",
        short="change",
        sentence="is {value} from the same head of the other model",
        family="distance",
    ),
)
