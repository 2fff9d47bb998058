"""A small model that reads pictures with its text, its processor, and pictures to ask it about: those of
`research/pictures.py`, before any training."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path.append(str(Path(__file__).parents[1] / "research"))

import pictures


def save_model(folder: Path) -> Path:
    """Its weights are random."""
    torch.manual_seed(0)
    model = pictures.new_model().eval()
    model.save_pretrained(folder)
    pictures.new_processor().save_pretrained(folder)
    return folder


def write_records(folder: Path, records: list[dict[str, Any]]) -> Path:
    file = folder / "records.jsonl"
    file.write_text("\n".join(json.dumps(record) for record in records) + "\n")
    return file


def write_pictures(folder: Path, count: int) -> list[str]:
    """Names of files beside each other."""
    from PIL import Image

    made, names = pictures.Made(3), [f"{number}.png" for number in range(count)]
    for name in names:
        Image.fromarray(np.asarray(made.pictures(1)[0][0])).save(folder / name)
    return names
