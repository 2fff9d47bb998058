"""A view, ready to be shown: in a notebook, as a page, as a figure."""

from __future__ import annotations

import base64
import html
import tempfile
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from attlas.errors import AttlasError
from attlas.extras import install_command
from attlas.files import write_whole

from .contract import Scene, Selection
from .inputs import Maps
from .scene import Packed
from .view_page import page

if TYPE_CHECKING:
    from .widget import AttentionWidget


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
            from .widget import AttentionWidget
        except ImportError as error:
            raise AttlasError(f"views in notebooks need anywidget: {install_command('notebook')}") from error
        return AttentionWidget(self.packed)

    def html(self) -> str:
        """A self-contained page."""
        return page(self.packed)

    def save(self, path: str | Path) -> Path:
        """Write the self-contained page."""
        return write_whole(Path(path), self.html().encode())

    def figure(
        self, path: str | Path, *, width: float | None = None, theme: Literal["light", "dark"] = "light"
    ) -> Path:
        """Draw what is chosen as a still picture: SVG, PDF or PNG by the name's ending; needs no browser.

        `width` is that of a paper's column, in inches. Where the view was shown as a widget, what is chosen
        there is drawn.
        """
        from .figure import draw

        return write_whole(Path(path), draw(self.scene, self.maps, Path(path), self.selection, width, theme))

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
            return framed(whole, _picture_html(picture, repr(self), ""))
        behind = _picture_html(picture, repr(self), _TOO_LARGE.format(len(whole) / 1e6))
        return framed(page(self.packed, key, with_data=False), behind) if key else behind

    def _still_picture(self) -> dict[str, str]:
        """A picture of what is chosen; where that cannot be drawn, of the first head's map."""
        from .figure import draw

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


def framed(page: str, behind: str = "") -> str:
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
