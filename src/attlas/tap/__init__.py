"""The seam into the model, and the kernels behind it."""

from attlas.tap.capture import Captured, capture
from attlas.tap.kernels import KERNELS, kernel_for, usable
from attlas.tap.needs import Entropy, Largest, Mass, Needs, Offset, Total
from attlas.tap.observation import Block, Observation, Seen
from attlas.tap.tap import Tap

__all__ = [
    "KERNELS",
    "Block",
    "Captured",
    "Entropy",
    "Largest",
    "Mass",
    "Needs",
    "Observation",
    "Offset",
    "Seen",
    "Tap",
    "Total",
    "capture",
    "kernel_for",
    "usable",
]
