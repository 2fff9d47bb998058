"""What heads give on average: what the edit `mean` puts in the place of what they give."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from attlas.address import Head
from attlas.reducers.reducer import Sums, layer_of, reading_order
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


class HeadOutputMeans(Sums):
    """The mean over all real tokens of what each head gives: its part of the output of the layer's attention,
    before heads are joined."""

    name = "head_outputs"
    needs = Needs(head_outputs=True)

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.outputs is not None:
                at = f"{call.kind}.{call.layer}"
                self.add(f"{at}/sums", call.outputs.double().sum(0))  # head dim
                self.add(f"{at}/tokens", observation.batch.queries(call.kind).count("all").sum())

    def means(self) -> dict[Head, npt.NDArray[np.float64]]:
        """The mean outputs as the edit `mean` takes them."""
        means = {}
        layers = (key.removesuffix("/sums") for key in self.sums if key.endswith("/sums"))
        for at in sorted(layers, key=reading_order):
            for head, sums in enumerate(self.sums[f"{at}/sums"].cpu().numpy()):
                means[Head(*layer_of(at), head)] = sums / float(self.sums[f"{at}/tokens"])
        return means
