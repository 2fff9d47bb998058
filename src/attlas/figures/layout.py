"""What figures are made of: panels, in groups, one group for each kind of head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attlas.address import Kind
from attlas.figures.theme import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Panel:
    """One picture. `says` is its text alternative, for screen readers; `tips` name the heads of its marks."""

    title: str
    says: str
    draw: Callable[[Axes, Theme], None]
    subtitle: str = ""
    width: float = 400  # in points; text has the size that the theme gives it
    height: float = 240
    margins: tuple[float, float, float, float] = (44, 8, 8, 42)  # left, right, top, bottom
    tips: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """The panels of one kind of head; where the chapter lacks what they show, `absent` says why."""

    kind: Kind
    panels: tuple[Panel, ...] = ()
    note: tuple[str, ...] = ()  # sentences
    absent: str = ""


@dataclass(frozen=True)
class FigureSpec:
    """A figure before anything is drawn: its panels, or a sentence on what the chapter lacks."""

    name: str
    file: str
    title: str
    caption: str
    groups: tuple[Group, ...]

    @property
    def absent(self) -> str:
        """Why there is nothing to draw; empty where there is."""
        if any(group.panels for group in self.groups):
            return ""
        return " ".join(dict.fromkeys(group.absent for group in self.groups)) or "This atlas has no heads."
