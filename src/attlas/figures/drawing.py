"""Drawing with matplotlib: a paper's figure, in files that are the same twice, or one panel for the page."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from attlas.atlas import Atlas
from attlas.choices import FIGURE_FORMATS, FigureFormat, ThemeName
from attlas.errors import AttlasError
from attlas.figures.figure_specs import figure_spec, figure_specs
from attlas.figures.head_measures import KIND_NAMES
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.theme import ROW, TEXT, THEMES, Theme, drawing
from attlas.outputs import write_output
from attlas.progress import tell

if TYPE_CHECKING:
    from matplotlib.figure import Figure, FigureBase


#: format -> what a file of it says of itself
METADATA: Mapping[FigureFormat, dict[str, str | None]] = MappingProxyType(
    {
        "svg": {"Date": None, "Creator": "Attlas"},
        "pdf": {"CreationDate": None, "Creator": "Attlas", "Producer": "Attlas"},
        "png": {"Software": "Attlas"},
    }
)


def figure_bytes(figure: Figure, format: FigureFormat, dots: int = 200) -> bytes:
    """The figure as the bytes of a file: in memory, since matplotlib does not survive a full disk."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=format, dpi=dots, metadata=METADATA[format])
    return buffer.getvalue()


_POINTS = 72  # to the inch
_GAP = 14  # between panels, in points
#: points; printed across both columns of a paper (6.3 inches), the text of a figure this wide has 6 points
_WIDEST = 870


def draw(atlas: Atlas, figure: str, theme: ThemeName = "light", chapter: str | None = None) -> Figure:
    """A figure of an atlas: maps, targets, gradients, entropy, reach, plane, glance, relations, patterns or
    shapes."""
    if theme not in THEMES:
        raise AttlasError(f"there is no theme {theme!r}: choose one of {', '.join(THEMES)}")
    spec = figure_spec(atlas, figure, chapter)
    if spec.absent:
        raise AttlasError(f"figure {figure}: {spec.absent}")
    with drawing(THEMES[theme]):
        return draw_spec(spec, THEMES[theme])


def save_figures(
    atlas: Atlas,
    folder: str | Path,
    formats: Sequence[FigureFormat] = FIGURE_FORMATS,
    theme: ThemeName = "light",
    chapter: str | None = None,
) -> list[Path]:
    """Every figure that the atlas has the numbers for, in every format. Gives the files written."""
    specs = [spec for spec in figure_specs(atlas, chapter) if not spec.absent]
    if not specs:
        raise AttlasError(
            f"{atlas.path or 'the atlas'} has nothing to draw: it holds neither what attlas map finds nor a "
            "table of heads"
        )
    return save_specs(specs, folder, formats, theme)


def save_specs(
    specs: Iterable[FigureSpec],
    folder: str | Path,
    formats: Sequence[FigureFormat] = FIGURE_FORMATS,
    theme: ThemeName = "light",
) -> list[Path]:
    """Draw and write figures, each file whole or not at all."""
    unknown = [f for f in formats if f not in FIGURE_FORMATS]
    if unknown:
        raise AttlasError(f"there is no format {unknown[0]!r}: choose from {', '.join(FIGURE_FORMATS)}")
    written = []
    for spec in specs:
        tell(f"drawing {spec.file}")
        with drawing(THEMES[theme]):
            drawn = draw_spec(spec, THEMES[theme])
            drawn.draw_without_rendering()
            drawn.set_layout_engine("none")  # laid out once, and not again for every format
            written += [
                write_output(Path(folder) / f"{spec.file}.{form}", figure_bytes(drawn, form))
                for form in formats
            ]
    return written


def draw_spec(spec: FigureSpec, theme: Theme) -> Figure:
    """All panels of a figure, a block of rows for every kind of head. Call it inside `drawing`."""
    from matplotlib.figure import Figure

    shown = [g for g in spec.groups if g.panels]
    across = shown[0].panels[0].width + _GAP
    columns = _columns(max(len(g.panels) for g in shown), max(1, int(_WIDEST / across)))
    titled = len({g.kind for g in shown}) > 1
    notes = [_wrap_note(g.note, columns * across) for g in shown]
    heights = [_height(g, columns, titled, len(lines)) for g, lines in zip(shown, notes, strict=True)]
    drawn = Figure(figsize=(columns * across / _POINTS, sum(heights) / _POINTS), layout="constrained")
    drawn.get_layout_engine().set(w_pad=0.12, h_pad=0.12, wspace=0.02, hspace=0.03)  # type: ignore[union-attr,call-arg]
    blocks = drawn.subfigures(len(shown), 1, squeeze=False, height_ratios=heights)[:, 0]
    for block, group, lines in zip(blocks, shown, notes, strict=True):
        block.set_facecolor(theme.paper)
        if titled:
            block.suptitle(KIND_NAMES[group.kind], x=0.012, ha="left", fontsize=14, fontweight="bold")
        if lines:
            block.supxlabel("\n".join(lines), x=0.012, ha="left", fontsize=TEXT, color=theme.muted)
        _draw_group(block, group, columns, theme)
    return drawn


def _columns(panels: int, most: int) -> int:
    """How many panels stand in a row: as many as fit, in equal rows where two will do."""
    if panels <= most:
        return panels
    return -(-panels // 2) if panels <= 2 * most else most


def _wrap_note(note: Sequence[str], width: float) -> list[str]:
    """The sentences of a note, in lines that fit a figure of this width in points."""
    most = int(width / (0.55 * TEXT))  # a letter is about half as wide as the text is high
    return [line for sentence in note for line in textwrap.wrap(sentence, most)]


def _height(group: Group, columns: int, titled: bool, lines: int) -> float:
    rows = -(-len(group.panels) // columns)
    height = rows * (max(p.height + ROW * _subtitle_rows(p) for p in group.panels) + 34)
    return height + 1.2 * ROW * lines + (36 if titled else 0)


def _subtitle_rows(panel: Panel) -> int:
    return panel.subtitle.count("\n") + 1 if panel.subtitle else 0


def _draw_group(block: FigureBase, group: Group, columns: int, theme: Theme) -> None:
    rows = -(-len(group.panels) // columns)
    axes = list(block.subplots(rows, columns, squeeze=False).flat)
    for ax, panel in zip(axes, group.panels, strict=False):
        panel.draw(ax, theme)
        ax.set_title(panel.title, loc="left", pad=9 + ROW * _subtitle_rows(panel))
        if panel.subtitle:
            ax.annotate(
                panel.subtitle,
                (0, 1),
                xycoords="axes fraction",
                xytext=(0, 8),
                textcoords="offset points",
                color=theme.muted,
            )
    for ax in axes[len(group.panels) :]:
        ax.set_axis_off()


def draw_panel(panel: Panel, theme: Theme) -> Figure:
    """One panel alone, without its title, at its natural size. Call it inside `drawing`."""
    from matplotlib.figure import Figure

    left, right, top, bottom = panel.margins
    drawn = Figure(figsize=(panel.width / _POINTS, panel.height / _POINTS), facecolor="none")
    across, up = panel.width, panel.height
    ax = drawn.add_axes((left / across, bottom / up, 1 - (left + right) / across, 1 - (top + bottom) / up))
    panel.draw(ax, theme)
    return drawn
