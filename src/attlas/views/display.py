"""A view, ready to be shown: in a notebook, as a page, as a still picture for papers."""

from __future__ import annotations

import base64
import html
import tempfile
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from attlas.choices import FIGURE_FORMATS, FigureFormat, ViewKind
from attlas.errors import AttlasError
from attlas.extras import install_command
from attlas.figures.drawing import figure_bytes
from attlas.figures.theme import any_characters
from attlas.outputs import write_output
from attlas.views.contract import Scene, Selection
from attlas.views.drawings import grid, link_picture, matrix, neuron, text_picture
from attlas.views.drawings.still import Still
from attlas.views.inputs import LayerMaps, Maps
from attlas.views.scene import Packed
from attlas.views.view_page import page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from attlas.views.widget import AttentionWidget


DRAWINGS: dict[ViewKind, Callable[[Still, Figure], None]] = {
    "head": link_picture.draw,
    "model": grid.draw,
    "text": text_picture.draw,
    "matrix": matrix.draw,
    "neuron": neuron.draw,
    "image": text_picture.draw_image,
}


def draw(
    scene: Scene,
    maps: Sequence[Maps],
    path: Path,
    selection: Selection | None = None,
    width: float | None = None,
    theme: Literal["light", "dark"] = "light",
    dots: int = 200,
) -> bytes:
    """The picture as the bytes of a file; the ending of its name says the format."""
    format_of(path)
    if width is not None and not 1 <= width <= 50:
        raise AttlasError(f"width is {width}: it is that of a column in inches, from 1 to 50")
    import matplotlib
    from matplotlib.figure import Figure

    chosen = scene["selection"] if selection is None else selection
    still = Still(scene, _chosen_maps(maps, chosen), chosen, theme, width, dots)
    # text stays text in SVG and PDF, so that it can be searched and set in the paper's own font
    settings: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": "attlas",
        "pdf.fonttype": 42,
        "text.usetex": False,
    }
    with matplotlib.rc_context(settings), any_characters():
        figure = Figure(layout="constrained", facecolor=still.colours.page)
        DRAWINGS[chosen["kind"]](still, figure)
        return figure_bytes(figure, format_of(path), dots)


def format_of(path: Path) -> FigureFormat:
    """The format that the ending of a file's name says."""
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FIGURE_FORMATS:
        *others, last = (f".{name}" for name in FIGURE_FORMATS)
        raise AttlasError(f"{path} has no ending that figures know: name it {', '.join(others)} or {last}")
    return ending


def _chosen_maps(maps: Sequence[Maps], selection: Selection) -> Maps:
    """The maps that are chosen: a kind of attention, or its rollout."""
    kind, _, rolled = selection["attention"].partition(" ")
    chosen = next(candidate for candidate in maps if candidate.attention == kind)
    if not rolled:
        return chosen
    layers = [
        LayerMaps(layer.layer, [0], np.asarray(layer.rollout)[None])
        for layer in chosen.layers
        if layer.rollout is not None
    ]
    return replace(chosen, layers=layers)


MOST_KEPT = 8_000_000  # characters of a page that a notebook keeps; of a larger one it keeps a picture
_HEIGHT = 720  # pixels of a view in a notebook
_TOO_LARGE = (
    "A picture: the view takes {:.0f} MB, too much to keep in a notebook. Run the cell to see the view here "
    "(needs attlas[notebook]), or write it to a page with save()."
)


@dataclass(frozen=True)
class View:
    """A view, not yet shown: a notebook shows it by itself; `save`, `figure` and `open` put it elsewhere."""

    packed: Packed
    maps: Sequence[Maps]

    @property
    def scene(self) -> Scene:
        """What the view shows, as the front end gets it."""
        return self.packed.scene

    @cached_property
    def widget(self) -> AttentionWidget:
        """The view as a widget, whose traits (kind, layer, heads, pinned, ...) are what is chosen in it."""
        try:
            from attlas.views.widget import AttentionWidget
        except ImportError as error:
            raise AttlasError(f"views in notebooks need anywidget: {install_command('notebook')}") from error
        return AttentionWidget(self.packed)

    def html(self) -> str:
        """A self-contained page."""
        return page(self.packed)

    def save(self, path: str | Path) -> Path:
        """Write the self-contained page."""
        return write_output(Path(path), self.html().encode())

    def figure(
        self, path: str | Path, *, width: float | None = None, theme: Literal["light", "dark"] = "light"
    ) -> Path:
        """Draw what is chosen as a still picture: SVG, PDF or PNG by the name's ending; needs no browser.

        `width` is that of a paper's column, in inches. Where the view was shown as a widget, what is chosen
        there is drawn.
        """
        from attlas.views.display import draw

        return write_output(Path(path), draw(self.scene, self.maps, Path(path), self.selection, width, theme))

    @property
    def selection(self) -> Selection:
        """What is chosen: in the widget, while there is one that shows this view."""
        widget = self.__dict__.get("widget")
        if widget is None or not widget.shows(self.packed):
            return self.scene["selection"]
        return cast(Selection, {name: getattr(widget, name) for name in self.scene["selection"]})

    def open(self) -> Path:
        """Show the page in the browser, from a temporary file."""
        file = self.save(Path(tempfile.mkdtemp(prefix="attlas-")) / "view.html")
        webbrowser.open(file.as_uri())
        return file

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """How notebooks show it: as a page in a frame, which still works when the kernel is gone, before a
        picture for where no script runs. While there is a kernel, the frame speaks to the widget."""
        try:
            key = self.widget.key
        except AttlasError:
            key = ""
        still = self._still_picture()
        return {"text/plain": repr(self), **still, "text/html": self._frame_html(key, still.get("image/png"))}

    def _frame_html(self, key: str, picture: str | None) -> str:
        """A page in a frame; of a view that is too large for a notebook, without its data, which the widget
        gives it. The picture behind it is seen where the frame is not, or has nothing to show."""
        whole = page(self.packed, key)
        if len(whole) <= MOST_KEPT:
            return frame_page(whole, _picture_html(picture, repr(self), ""))
        behind = _picture_html(picture, repr(self), _TOO_LARGE.format(len(whole) / 1e6))
        return frame_page(page(self.packed, key, with_data=False), behind) if key else behind

    def _still_picture(self) -> dict[str, str]:
        """A picture of what is chosen; where that cannot be drawn, of the first head's map."""
        from attlas.views.display import draw

        still = Path("still.png")
        try:
            drawn = draw(self.scene, self.maps, still, self.selection, dots=110)
        except AttlasError:  # too long for links, or no vectors of this layer
            matrix: Selection = {**self.selection, "kind": "matrix"}
            drawn = draw(self.scene, self.maps, still, matrix, dots=110)
        return {"image/png": base64.b64encode(drawn).decode("ascii")}

    def _display_(self) -> AttentionWidget:
        """How marimo shows it."""
        return self.widget

    def __repr__(self) -> str:
        selection = self.scene["selection"]
        return f"<{selection['kind']} view of {self.scene['title']}>"


def frame_page(page: str, behind: str = "") -> str:
    """A page within a page: it can run its own script and save files, and reach nothing around it."""
    return (
        f'<div style="position:relative;height:{_HEIGHT}px;overflow:hidden">{behind}'
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts allow-downloads" '
        'allow="clipboard-write" style="position:absolute;inset:0;width:100%;height:100%;border:0"></iframe>'
        "</div>"
    )


def _picture_html(picture: str | None, name: str, note: str) -> str:
    """The still picture, below what there is to say about it."""
    above = f'<p style="margin:0 0 8px">{html.escape(note)}</p>' if note else ""
    if picture is None:
        return above
    high = "calc(100% - 60px)" if note else "100%"
    return above + (
        f'<img alt="{html.escape(name, quote=True)}" src="data:image/png;base64,{picture}" '
        f'style="max-width:100%;max-height:{high}">'
    )
