"""A view, ready to be shown: in a notebook, as a page, as a figure."""

from __future__ import annotations

import html
import tempfile
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attlas.errors import AttlasError

from .contract import Scene
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
            raise AttlasError("views in notebooks need anywidget: pip install 'attlas[notebook]'") from error
        return AttentionWidget(self.packed)

    def html(self) -> str:
        """A self-contained page."""
        return page(self.packed)

    def save(self, path: str | Path) -> Path:
        """Write the self-contained page."""
        file = Path(path)
        try:
            file.write_text(self.html(), encoding="utf-8", newline="\n")
        except OSError as error:
            raise AttlasError(f"cannot write {file}: {error.strerror or error}") from error
        return file

    def figure(self, path: str | Path) -> Path:
        """Draw what is chosen as a still picture: SVG, PDF or PNG by the name's ending; needs no browser."""
        from .figure import draw

        return draw(self.scene, self.maps, Path(path))

    def open(self) -> Path:
        """Show the page in the browser, from a temporary file."""
        file = self.save(Path(tempfile.mkdtemp(prefix="attlas-")) / "view.html")
        webbrowser.open(file.as_uri())
        return file

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """How notebooks show it: as a widget, or where anywidget is missing as a page within the page."""
        try:
            widget = self.widget
        except AttlasError:
            inner = html.escape(self.html(), quote=True)
            return {
                "text/html": f'<iframe srcdoc="{inner}" style="width:100%;height:720px;border:0"></iframe>',
                "text/plain": repr(self),
            }
        return widget._repr_mimebundle_(**options)

    def _display_(self) -> AttentionWidget:
        """How marimo shows it."""
        return self.widget

    def __repr__(self) -> str:
        selection = self.scene["selection"]
        return f"<{selection['kind']} view of {self.scene['title']}>"
