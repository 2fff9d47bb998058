"""Observers: whatever is shown the forward passes of a tap."""

from __future__ import annotations

from typing import Protocol

from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


class Observer(Protocol):
    """`needs` says what a tap must compute; `update` is shown each forward pass once it is over.

    A reducer is an observer whose counts merge (`attlas.reducers.reducer`).
    """

    @property
    def needs(self) -> Needs: ...

    def update(self, observation: Observation) -> None: ...
