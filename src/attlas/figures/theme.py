"""How figures look: colours for light and dark, type, and the rules that matplotlib draws by."""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal

from attlas.choices import ThemeName
from attlas.figures.head_measures import writable

LAYER_STEPS = 16  # shades that tell layers apart
HEAT_STEPS = 12  # shades of a heat map
TEXT = 11.5  # the one size of text in a panel, in points
ROW = 17.0  # a row of a legend or subtitle, in points
#: behaviour, target or class -> place in a theme's series; the last is a grey, for nothing in particular
COLOURED = {
    "next": 0,
    "previous": 1,
    "broad": 2,
    "self": 2,
    "all": 2,
    "sep": 3,
    "punct": 4,
    "cls": 5,
    "first": 5,
    "other": 6,
    "vertical": 0,
    "diagonal": 1,
    "vertical+diagonal": 2,
    "block": 4,
    "heterogeneous": 6,
}
#: the first that is installed leads; the rest lend it the characters that it lacks
FONTS = (
    "Inter",
    "Source Sans 3",
    "Noto Sans",
    "Helvetica Neue",
    "Arial",
    "Liberation Sans",
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Droid Sans Fallback",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Symbols2",
)


@dataclass(frozen=True)
class Theme:
    """Colours by what they are for. `gold` marks what a corpus or a table names; `series` tells things apart,
    also to the colour-blind; `layers` runs from the first layer to the last, `heat` from nothing to
    everything."""

    paper: str
    ink: str
    muted: str
    grid: str
    gold: str
    series: tuple[str, ...]
    layers: tuple[str, ...]
    heat: tuple[str, ...]

    def colour(self, name: str) -> str:
        """The colour of a behaviour, target or class: the same wherever it is met."""
        return self.series[COLOURED.get(name, len(name) % (len(self.series) - 1))]

    def colours_by_name(self) -> dict[str, str]:
        """Every colour under the name that it has in CSS: `ink`, `series-0`, ..."""
        colours: dict[str, str] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, str):
                colours[field.name] = value
            else:
                colours |= {f"{field.name}-{i}": colour for i, colour in enumerate(value)}
        return colours


def _ramp(stops: Sequence[str], steps: int) -> tuple[str, ...]:
    """Colours at equal steps along the stops."""
    colours = []
    for step in range(steps):
        place = step / (steps - 1) * (len(stops) - 1)
        first = min(int(place), len(stops) - 2)
        share = place - first
        pair = [[int(stop[i : i + 2], 16) for i in (1, 3, 5)] for stop in stops[first : first + 2]]
        mixed = (round(a + (b - a) * share) for a, b in zip(*pair, strict=True))
        colours.append("#{:02x}{:02x}{:02x}".format(*mixed))
    return tuple(colours)


THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        paper="#ffffff",
        ink="#1b1f24",
        muted="#59636e",
        grid="#e4e7eb",
        gold="#c8102e",
        series=("#0067b1", "#c1470a", "#00805f", "#b8478f", "#8a6100", "#5b51c9", "#7a828c"),
        layers=_ramp(("#c07d00", "#c8501c", "#a92a69", "#5a2d91", "#16264f"), LAYER_STEPS),
        heat=_ramp(("#f0f3f7", "#b5d3ea", "#5b9fd2", "#0067b1", "#0a2f5c"), HEAT_STEPS),
    ),
    "dark": Theme(
        paper="#14171c",
        ink="#e9ecef",
        muted="#a5aeb9",
        grid="#2c323a",
        gold="#ff7a85",
        series=("#58b4f5", "#f08a4b", "#2fc597", "#e58cc4", "#e2b93b", "#a39bff", "#8b95a1"),
        layers=_ramp(("#ffe39a", "#f8a64e", "#ec6f86", "#b07be6", "#7486e0"), LAYER_STEPS),
        heat=_ramp(("#20262e", "#1f4468", "#2b78b4", "#58b4f5", "#d9efff"), HEAT_STEPS),
    ),
}


def _sentinels() -> Theme:
    light = THEMES["light"]
    numbered = (f"#01f0{n:02x}" for n in range(256))
    series, layers, heat = (
        tuple(next(numbered) for _ in many) for many in (light.series, light.layers, light.heat)
    )
    paper, ink, muted, grid, gold = (next(numbered) for _ in range(5))
    return Theme(paper, ink, muted, grid, gold, series, layers, heat)


#: stand-ins that no one sees: the page puts a CSS variable in the place of each
INLINE = _sentinels()


@contextlib.contextmanager
def drawing(theme: Theme, svg_text: Literal["none", "path"] = "path") -> Iterator[None]:
    """Draw by our rules, whatever the user's own settings: tokens are plain text, and nothing is random."""
    import matplotlib

    with matplotlib.rc_context(), any_characters():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_settings(theme, svg_text))  # type: ignore[arg-type]
        yield


@contextlib.contextmanager
def any_characters() -> Iterator[None]:
    """Draw tokens with any characters: those that no installed font has, and those that no SVG may have."""
    # fonts that lend characters need not have every weight
    with warnings.catch_warnings(), _silence_logger("matplotlib.font_manager"), _writable_svg():
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        warnings.filterwarnings("ignore", message="Matplotlib currently does not", category=UserWarning)
        yield


@contextlib.contextmanager
def _writable_svg() -> Iterator[None]:
    """Keep out of SVG the characters that make a file which no reader opens; matplotlib writes them all."""
    from matplotlib.backends.backend_svg import RendererSVG

    unchanged: Any = RendererSVG.draw_text

    def draw_text(self: Any, gc: Any, x: Any, y: Any, s: str, *rest: Any, **named: Any) -> None:
        unchanged(self, gc, x, y, writable(s), *rest, **named)

    RendererSVG.draw_text = draw_text  # type: ignore[method-assign]
    try:
        yield
    finally:
        RendererSVG.draw_text = unchanged  # type: ignore[method-assign]


@contextlib.contextmanager
def _silence_logger(name: str) -> Iterator[None]:
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _settings(theme: Theme, svg_text: str) -> dict[str, Any]:
    return {
        "text.parse_math": False,
        "text.usetex": False,
        "svg.hashsalt": "attlas",
        "svg.fonttype": svg_text,
        "pdf.fonttype": 42,
        "path.simplify": False,
        "font.family": [token_fonts()[0], "DejaVu Sans"],  # the latter, in matplotlib, has ∂ and ⁻³
        "font.size": TEXT,
        "axes.titlesize": TEXT + 1,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.titlepad": 9,
        "axes.labelsize": TEXT,
        "axes.labelpad": 5,
        "xtick.labelsize": TEXT,
        "ytick.labelsize": TEXT,
        "legend.fontsize": TEXT,
        "legend.frameon": False,
        "legend.handletextpad": 0.5,
        "legend.columnspacing": 1.4,
        "legend.labelspacing": 0.25,
        "legend.borderaxespad": 0,
        "figure.facecolor": theme.paper,
        "axes.facecolor": "none",
        "text.color": theme.ink,
        "axes.labelcolor": theme.muted,
        "axes.titlecolor": theme.ink,
        "axes.edgecolor": theme.grid,
        "axes.linewidth": 1,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.spines.left": False,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "axes.axisbelow": True,
        "grid.color": theme.grid,
        "grid.linewidth": 0.8,
        "xtick.color": theme.grid,
        "ytick.color": theme.grid,
        "xtick.labelcolor": theme.muted,
        "ytick.labelcolor": theme.muted,
        "ytick.major.size": 0,
        "xtick.major.size": 3,
        "axes.unicode_minus": True,
    }


@cache
def token_fonts() -> list[str]:
    """The fonts of ours that are installed: the first leads, and tokens may need all."""
    from matplotlib import font_manager

    have = set(font_manager.get_font_names())
    return [name for name in FONTS if name in have] or ["DejaVu Sans"]
