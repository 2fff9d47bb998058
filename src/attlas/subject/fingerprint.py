"""A fingerprint of a model's weights, by which runs, atlases and trained probes know it again."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from torch import Tensor, nn

from attlas.subject.placement import weights_of
from attlas.subject.quantised import parts_of

PIECE = 2**24  # bytes that are hashed together


def fingerprint_of(model: nn.Module) -> str:
    """Equal weights give the same one, wherever they came from and lie; any other weight gives another.

    A tensor of more than a piece goes in by the hashes of its pieces, which threads take side by side: one
    core hashes about a gigabyte a second.
    """
    digest = hashlib.sha256()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for name, tensor in weights_of(model):
            digest.update(name.encode())
            for part in parts_of(tensor.detach()):
                pieces = list(_pieces(part))
                if len(pieces) == 1:
                    digest.update(_written(pieces[0]))
                    continue
                for piece in threads.map(_hash_of, pieces):
                    digest.update(piece)
    return digest.hexdigest()


def _pieces(tensor: Tensor) -> Iterator[Tensor]:
    """The tensor's numbers in order, in pieces that are copied only when they are read."""
    flat = tensor.contiguous().flatten()
    numbers = PIECE // flat.element_size()
    for start in range(0, max(1, len(flat)), numbers):
        yield flat[start : start + numbers]


def _hash_of(piece: Tensor) -> bytes:
    return hashlib.sha256(_written(piece)).digest()


def _written(piece: Tensor) -> Any:
    if piece.is_cuda:  # to pinned memory, which is several times as fast
        piece = torch.empty_like(piece, device="cpu", pin_memory=True).copy_(piece)
    return piece.cpu().view(torch.uint8).numpy()
