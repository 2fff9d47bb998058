"""The seam into the model, and the kernels behind it."""

from attlas.tap.capture import Captured, capture
from attlas.tap.kernels import KERNELS, kernel_for, usable
from attlas.tap.needs import Distance, Entropy, Largest, Mass, Needs, Offset, Total
from attlas.tap.observation import Observation, ObservedCall
from attlas.tap.observer import Observer
from attlas.tap.tap import Tap

__all__ = [
    "KERNELS",
    "Captured",
    "Distance",
    "Entropy",
    "Largest",
    "Mass",
    "Needs",
    "Observation",
    "ObservedCall",
    "Observer",
    "Offset",
    "Tap",
    "Total",
    "capture",
    "kernel_for",
    "usable",
]
