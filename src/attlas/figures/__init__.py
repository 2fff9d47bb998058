"""Figures of an atlas: for papers (SVG, PDF, PNG), and as one page to read in a browser."""

from attlas.figures.drawing import draw, save_figures
from attlas.figures.page import write_page
from attlas.figures.plates import FIGURES

__all__ = ["FIGURES", "draw", "save_figures", "write_page"]
