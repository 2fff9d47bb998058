"""The seam into the model, and the kernels behind it."""

from attlas.tap.kernels import KERNELS, kernel_for, usable
from attlas.tap.needs import Distance, Entropy, Largest, Mass, Needs, Offset, Total
from attlas.tap.observation import Observation, ObservedCall, Observer
from attlas.tap.tap import CapturedCall, Tap, capture

__all__ = [
    "KERNELS",
    "CapturedCall",
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
