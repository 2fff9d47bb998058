"""Runs the gallery: every script of examples/gallery, its picture and its page.

    python docs/gallery.py mini.attlas    # writes docs/gallery.md and docs/images/gallery

The atlas is what `attlas report mini` and `attlas writes mini --atlas mini.attlas` leave. Pictures are kept
in the repository; a test runs the same scripts over a smaller atlas (`small_atlas`).
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parent
SCRIPTS = DOCS.parent / "examples" / "gallery"
ATTENTION = SCRIPTS.parent / "bert-base-uncased_store_strawberries.npz"
#: the gallery's order; a script that is in no part is an error
PARTS = {
    "One sentence": (
        "next_token", "previous_token", "every_head", "one_word", "across_sentences", "map_of_a_head",
        "query_and_key", "by_norm", "statistics_of_one_sentence", "real_bert", "bertviz_notebook",
    ),
    "A corpus": (
        "at_a_glance", "where_attention_goes", "how_broad", "heads_that_are_alike", "four_maps", "error_bars",
        "your_own_figure", "your_own_class",
    ),
    "What heads do": (
        "names_of_heads", "which_relations", "shapes_of_maps", "contact_sheet", "what_a_head_writes",
        "who_wrote_the_key",
    ),
    "What the model needs": ("switch_off_a_layer", "which_head_matters", "edited_view"),
}  # fmt: skip
HEAD = """\
# Gallery

Each picture is made by the few lines below it. Those that read `mini.attlas` start from the atlas that
`attlas report mini` leaves (for what heads write, `attlas writes mini --atlas mini.attlas`). Copy them, and
put your model in the place of `mini`.

<!-- made by docs/gallery.py: edit the scripts in examples/gallery -->
"""


def small_atlas(folder: Path) -> Path:
    """An atlas with every chapter that the scripts read, over a few segments."""
    import attlas

    atlas = folder / "mini.attlas"
    kept = {"atlas": atlas, "progress": False}
    attlas.map("mini", segments=4, sample=2, length=48, twin=False, **kept)
    attlas.patterns("mini", segments=10, length=32, hidden=0, repeated=2, maps=6, tasks=0, twin=False, **kept)
    attlas.writes("mini", segments=2, length=32, **kept)
    attlas.probe.dependencies("mini", windows=30, min_count=5, **kept)
    return atlas


def run_script(script: Path, folder: Path) -> tuple[Path, str]:
    """The picture that a script leaves in this folder, and what it prints."""
    import matplotlib.pyplot as plt

    shutil.copy(ATTENTION, folder)
    before, printed = Path.cwd(), io.StringIO()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), {"__name__": "__main__"})
    finally:
        os.chdir(before)
        plt.close("all")
    return (folder / "picture.png").rename(folder / f"{script.stem}.png"), printed.getvalue()


def save_small(picture: Path, target: Path) -> None:
    """At most 900 pixels wide, on white, in 96 colours: a tenth of the bytes."""
    from PIL import Image

    image = Image.open(picture).convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image)
    white.thumbnail((900, 1400), Image.Resampling.LANCZOS)
    white.convert("RGB").quantize(96, dither=Image.Dither.NONE).save(target, optimize=True)


def section(script: Path, printed: str) -> Iterator[str]:
    """Title, sentence, picture, code and output of one script."""
    code = script.read_text(encoding="utf-8")
    about = ast.get_docstring(ast.parse(code)) or ""
    title, _, rest = about.partition("\n\n")
    title = title.removesuffix(".")
    body = code.split('"""', 2)[2].strip()
    yield f"### {title}\n\n{' '.join(rest.split())}\n\n![{title}](images/gallery/{script.stem}.png)\n"
    yield f"```python\n{body}\n```\n"
    if printed:
        yield f"It prints:\n\n```text\n{printed.strip()}\n```\n"


def write_page(atlas: Path, folder: Path) -> None:
    images = DOCS / "images" / "gallery"
    images.mkdir(exist_ok=True)
    shutil.copytree(atlas, folder / "mini.attlas", dirs_exist_ok=True)
    lines = [HEAD]
    for part, names in PARTS.items():
        lines.append(f"## {part}\n")
        for name in names:
            picture, printed = run_script(SCRIPTS / f"{name}.py", folder)
            save_small(picture, images / picture.name)
            lines.extend(section(SCRIPTS / f"{name}.py", printed))
    (DOCS / "gallery.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    import tempfile

    import matplotlib

    matplotlib.use("agg")
    with tempfile.TemporaryDirectory() as folder:
        write_page(Path(sys.argv[1]), Path(folder))
