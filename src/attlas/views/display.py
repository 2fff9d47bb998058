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
from .page import page
from .scene import Packed

if TYPE_CHECKING:
    from .widget import AttentionWidget


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
        """What is chosen: in the widget, once there is one."""
        made = self.__dict__.get("widget")
        if made is None:
            return self.scene["selection"]
        return cast(Selection, {name: getattr(made, name) for name in self.scene["selection"]})

    def open(self) -> Path:
        """Show the page in the browser, from a temporary file."""
        file = self.save(Path(tempfile.mkdtemp(prefix="attlas-")) / "view.html")
        webbrowser.open(file.as_uri())
        return file

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """How notebooks show it: as a widget, with a picture for where no widget can be: a notebook that is
        opened again, or made into a page. Where anywidget is missing, as a page within the page."""
        still = {"text/plain": repr(self), **self._still()}
        try:
            widget = self.widget
        except AttlasError:
            return {"text/html": framed(self.html()), **still}
        shown: Any = widget._repr_mimebundle_(**options)
        bundle, metadata = shown
        return {**bundle, **still}, metadata

    def _still(self) -> dict[str, str]:
        """A picture of what is chosen, where one can be drawn."""
        from .figure import draw

        try:
            drawn = draw(self.scene, self.maps, Path("still.png"), self.selection, dots=110)
        except AttlasError:  # too long for links, or no vectors of this layer
            return {}
        return {"image/png": base64.b64encode(drawn).decode("ascii")}

    def _display_(self) -> AttentionWidget:
        """How marimo shows it."""
        return self.widget

    def __repr__(self) -> str:
        selection = self.scene["selection"]
        return f"<{selection['kind']} view of {self.scene['title']}>"


def framed(page: str, height: int = 720) -> str:
    """A page within a page."""
    inner = html.escape(page, quote=True)
    return f'<iframe srcdoc="{inner}" style="width:100%;height:{height}px;border:0"></iframe>'
