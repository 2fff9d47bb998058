"""What an atlas says of the model that it is of."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attlas.subject import Subject


def model_entry(subject: Subject) -> dict[str, Any]:
    """The `model` of a manifest: name, class, weights and config (hashes), dtype; how many heads it has of
    each kind, and how many in each layer."""
    config: Any = subject.model.config
    return {
        "name": subject.name,
        "class": type(subject.model).__name__,
        "weights": subject.weight_hash(),
        "config": sha256(json.dumps(config.to_dict(), sort_keys=True, default=str).encode()).hexdigest(),
        "dtype": str(next(subject.model.parameters()).dtype).removeprefix("torch."),
        "heads": {k: sum(h.kind == k for h in subject.heads) for k in subject.kinds},
        "layers": {k: _by_layer(subject, k) for k in subject.kinds},
    }


def _by_layer(subject: Subject, kind: str) -> list[int]:
    """Heads in layer 0, 1, ...: none in a layer without attention."""
    layers = [h.layer for h in subject.heads if h.kind == kind]
    return [layers.count(layer) for layer in range(max(layers) + 1)]
