"""Writing a site: one model after the other, so that memory does not grow with their number."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attlas.atlas import Atlas, load_atlas
from attlas.atlas.folder import alone, building, clear_leftovers
from attlas.atlas.schema import MANIFEST
from attlas.errors import AttlasError, option, printable
from attlas.progress import progress_bars
from attlas.reports.page import page_html
from attlas.site.frame import SiteFrame
from attlas.site.head_page import head_page
from attlas.site.index_pages import ModelEntry, entry_of, heads_page, index_page, tables_page
from attlas.site.pictures import preview
from attlas.site.published_model import PublishedModel, read_model
from attlas.site.search_data import SearchData
from attlas.wording.numbers import count, model_title

if TYPE_CHECKING:
    from rich.console import Console

LISTING = "site/files.json"  # what the site consists of
RESERVED = ("site", "tables")  # folders of a site that are no model's
_LONGEST_SLUG = 80


@dataclass(frozen=True)
class Published:
    """The site's folder, its models, and the atlases that were skipped, each with the reason."""

    folder: Path
    models: tuple[str, ...]
    heads: int
    bytes: int
    files: int
    seconds: float
    largest_head_page: int
    skipped: tuple[tuple[str, str], ...] = ()

    def as_data(self) -> dict[str, Any]:
        return {
            **{name: value for name, value in vars(self).items() if name != "skipped"},
            "folder": str(self.folder),
            "skipped": [{"atlas": atlas, "why": why} for atlas, why in self.skipped],
        }

    def show(self, console: Console) -> None:
        from attlas.wording.printing import safe

        pages = f"{count(len(self.models), 'model')}, {count(self.heads, 'head')}"
        size = f"{self.bytes / 1e6:,.1f} MB in {count(self.files, 'file')}, in {self.seconds:,.0f} s"
        largest = f"the largest page of a head has {self.largest_head_page / 1e3:,.0f} kB"
        console.print(f"{pages}: {size}; {largest}")
        for atlas, why in self.skipped:
            console.print(f"Skipped {safe(atlas)}: {safe(why)}", soft_wrap=True, highlight=False)
        console.print(f"The site is [bold]{safe(self.folder / 'index.html')}[/bold]", soft_wrap=True)


class SkippedError(AttlasError):
    """The site was written without some atlases. `result` is what was written."""

    def __init__(self, result: Published) -> None:
        many = len(result.skipped)
        verb = "was" if many == 1 else "were"
        named = ", ".join(atlas for atlas, _ in result.skipped)
        super().__init__(f"{count(many, 'atlas').replace('atlass', 'atlases')} {verb} skipped: {named}")
        self.result = result


@dataclass
class _Writer:
    """Writes the files of a site below a folder, and counts them."""

    folder: Path
    names: list[str] = field(default_factory=list)
    size: int = 0

    def write(self, name: str, content: str | bytes) -> int:
        data = content.encode("utf-8") if isinstance(content, str) else content
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        self.names.append(name)
        self.size += len(data)
        return len(data)


@dataclass(frozen=True)
class Site:
    """What is published: atlases by their folders' names, under a title."""

    atlases: Sequence[Any]
    title: str = "Attlas gallery"
    address: str = ""
    previews: bool = True

    def write(self, folder: Path, overwrite: bool = False, progress: bool = True) -> Published:
        """Write the site, whole or not at all."""
        began = time.monotonic()
        named = slugs_of(self.atlases)
        frame = SiteFrame(self.title, f"{self.address.rstrip('/')}/" if self.address else "")
        check_folder(folder, overwrite, self.atlases)
        with _whole(folder) as new, progress_bars(progress) as open_bar:
            writer, search = _Writer(new), SearchData()
            entries: list[ModelEntry] = []
            skipped: list[tuple[str, str]] = []
            largest = 0
            advance = open_bar("publishing", len(named), "atlases")
            for (slug, atlas), title in zip(named.items(), self._titles(named), strict=True):
                try:
                    model = read_model(slug, title, atlas if isinstance(atlas, Atlas) else load_atlas(atlas))
                except AttlasError as error:
                    skipped.append((printable(str(atlas)), str(error)))
                else:
                    entry = entry_of(model)
                    largest = max(largest, self._write_model(model, entry, frame, writer))
                    search.add(model)
                    entries.append(entry)
                advance(1)
            if not entries:
                raise AttlasError("no atlas can be read: " + "; ".join(why for _, why in skipped))
            self._write_whole_site(entries, search, frame, writer)
        made = Published(
            folder,
            tuple(entry.slug for entry in entries),
            sum(entry.heads for entry in entries),
            writer.size,
            len(writer.names),
            time.monotonic() - began,
            largest,
            tuple(skipped),
        )
        if skipped:
            raise SkippedError(made)
        return made

    def _titles(self, named: dict[str, Any]) -> Iterator[str]:
        """The models' own names; with the atlas's, where two are of one model."""
        names = [_model_of(atlas) for atlas in named.values()]
        for slug, name in zip(named, names, strict=True):
            title = model_title(name) or slug
            yield f"{title} ({slug})" if name and names.count(name) > 1 else title

    def _write_model(
        self, model: PublishedModel, entry: ModelEntry, frame: SiteFrame, writer: _Writer
    ) -> int:
        """Write the pages of a model. Return the size of the largest page of a head."""
        first = entry.stands_out[0] if entry.stands_out else entry.size
        said = f"{entry.size}. {first}"
        card = frame.card(f"{model.title} · Attlas", said, f"{model.slug}/")
        writer.write(f"{model.slug}/index.html", page_html(model.packed, card))
        writer.write(f"{model.slug}/heads.html", heads_page(model, entry, frame))
        if self.previews:
            writer.write(f"{model.slug}/preview.png", preview(model.title, said, model.colours("light")))
        largest = 0
        for place, address in enumerate(model.addresses):
            name = f"{model.slug}/{address}"
            largest = max(largest, writer.write(f"{name}/index.html", head_page(model, place, frame)))
            if self.previews:
                titled = f"{model.title} {address}"
                picture = preview(titled, model.first_sentence(place), model.levels(place))
                writer.write(f"{name}/preview.png", picture)
        return largest

    def _write_whole_site(
        self, entries: Sequence[ModelEntry], search: SearchData, frame: SiteFrame, writer: _Writer
    ) -> None:
        from attlas.views.view_page import site_script

        writer.write("index.html", index_page(entries, frame))
        writer.write("tables/index.html", tables_page(entries, frame))
        if self.previews:
            said = f"{count(sum(e.heads for e in entries), 'head')} of {count(len(entries), 'model')}"
            for name in ("preview.png", "tables/preview.png"):
                writer.write(name, preview(frame.title, said, None))
        writer.write("site/site.css", (files("attlas.site") / "site.css").read_text(encoding="utf-8"))
        writer.write("site/site.js", site_script())
        writer.write("site/search.js", search.script())
        writer.write(".nojekyll", "")  # GitHub's pages then serve every file unmodified
        writer.write(LISTING, json.dumps([*writer.names, LISTING]))


def slugs_of(atlases: Sequence[Any]) -> dict[str, Any]:
    """Each atlas's part of addresses, from the name of its folder."""
    named: dict[str, Any] = {}
    taken: dict[str, Any] = {}
    for atlas in atlases:
        if not isinstance(atlas, Atlas | str | Path):
            raise AttlasError(f"give atlases or the paths of their folders, not a {type(atlas).__name__}")
        path = atlas.path if isinstance(atlas, Atlas) else Path(atlas)
        name = path.name.removesuffix(".attlas") if path is not None else model_title(_model_of(atlas))
        slug = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:_LONGEST_SLUG] or "model"
        slug = f"{slug}-model" if slug.lower() in RESERVED else slug
        if slug.lower() in taken:  # as one folder, where names differ in case alone
            raise AttlasError(
                f"two atlases would have the address {slug}/: {printable(str(taken[slug.lower()]))} and "
                f"{printable(str(path))}; rename one folder"
            )
        taken[slug.lower()] = path
        named[slug] = atlas
    return named


def _model_of(atlas: Any) -> str:
    """The name of an atlas's model, without reading the whole; empty where it cannot be read."""
    if isinstance(atlas, Atlas):
        return str(atlas.model.get("name", ""))
    if not (Path(atlas) / MANIFEST).is_file():
        return ""
    try:
        manifest = json.loads((Path(atlas) / MANIFEST).read_text(encoding="utf-8"))
        return str(manifest["model"]["name"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return ""


def check_folder(folder: Path, overwrite: bool, atlases: Sequence[Any] = ()) -> None:
    """Refuse a folder that holds something else, or lies in an atlas, before any work is done."""
    for atlas in atlases:
        path = atlas.path if isinstance(atlas, Atlas) else atlas
        if isinstance(path, str | Path) and folder.resolve().is_relative_to(Path(path).resolve()):
            raise AttlasError(f"{folder} lies in the atlas {path}: name another folder for the site")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise AttlasError(f"{folder} is a file: name a folder for the site")
    if (folder / MANIFEST).is_file():
        raise AttlasError(f"{folder} is an atlas: name the folder of the site last")
    if not any(folder.iterdir()):
        return
    if _site_files(folder) is None:
        raise AttlasError(f"{folder} is not empty, and not a site of Attlas: name another folder")
    if not overwrite:
        raise AttlasError(f"{folder} holds a site: {option('overwrite', True)} replaces it")


def _site_files(folder: Path) -> set[str] | None:
    """The files of a site; None where there is none."""
    if not (folder / LISTING).is_file():
        return None
    try:
        names = json.loads((folder / LISTING).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(names, list):
        return None
    inside = (name for name in names if isinstance(name, str) and not Path(name).is_absolute())
    return {name for name in inside if ".." not in Path(name).parts}


@contextmanager
def _whole(folder: Path) -> Iterator[Path]:
    """A folder to fill, which takes the place of `folder` when all is written. Files that are not the site's
    (CNAME, .git) stay."""
    real = folder.resolve()
    try:
        with alone(real) as locked:
            if locked:
                clear_leftovers(real, _site_files)
            with building(real, _site_files, durable=False) as new:
                yield new
    except OSError as error:
        if error.errno is None:
            raise
        raise AttlasError(f"{folder} cannot be written: {error.strerror}") from error
