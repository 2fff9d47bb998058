"""Figures of an atlas: for papers (SVG, PDF, PNG), and as one page to read in a browser."""

from attlas.figures.charts import FIGURES
from attlas.figures.drawing import draw, save_figures, save_specs
from attlas.figures.heat_map import heat_map
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.weight_marks import links

__all__ = [
    "FIGURES",
    "FigureSpec",
    "Group",
    "Panel",
    "draw",
    "heat_map",
    "links",
    "save_figures",
    "save_specs",
]
