"""How much the loss would change if a head were turned down a little (Michel 2019, section 4.1)."""

from __future__ import annotations

import numpy as np

from attlas.address import Head
from attlas.reducers.reducer import ItemMeans, layer_of, reading_order, table
from attlas.row import Row
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


class GateGradients(ItemMeans):
    """`gate_gradient`: the mean over items of |dL/dξ|, ξ being a factor of what the head gives, at 1, and L
    the item's loss. The absolute value is taken of each item, so that items do not cancel each other out."""

    name = "gates"
    needs = Needs(gates=True)

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.gates is not None:
                sizes = call.gates.abs()[..., None]  # batch head 1
                every = sizes.new_ones(1, 1, 1).bool()
                self.add_items(f"{call.kind}.{call.layer}", sizes, every, observation.batch)

    def rows(self) -> list[Row]:
        return table(self, [("gate_gradient", "")])

    def importance(self) -> dict[Head, float]:
        """Divided by the length of the layer's vector, since layers differ in scale."""
        importance: dict[Head, float] = {}
        for key in sorted(self.sums, key=reading_order):
            means = self.mean(key).mean[:, 0]
            length = float(np.linalg.norm(means)) or 1.0
            importance |= {Head(*layer_of(key), h): float(m) / length for h, m in enumerate(means)}
        return importance
