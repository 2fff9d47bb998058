"""The public verbs: the same names and defaults in Python and in the terminal, from one definition.

Heavy libraries load when a verb runs, not when it is imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attlas.atlas import Atlas
    from attlas.corpora.classes import Membership
    from attlas.subject import Subject


def map(
    model: str | Path | Subject = "mini",
    *,
    text: Path | None = None,
    segments: int = 1000,
    length: int = 128,
    out: Path | None = None,
    page: Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    offsets: Sequence[int] = (),
    classes: Mapping[str, Membership] | None = None,
    sample: int = 200,
    faithful: bool = False,
    seed: int = 0,
    batch: int | None = None,
    kernel: str = "tiled",
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    progress: bool = True,
) -> Atlas:
    """Build an atlas: the statistics of every head of a model, over a text.

    Example: attlas map mini --text my.txt --segments 500 --out my.attlas

    Parameters
    ----------
    model
        The embedded `mini`, a folder that transformers saved, or a name on the hub.
    text
        A UTF-8 text file, a sentence or paragraph a line, blank line between documents. Without it, the
        embedded sample of Wikipedia.
    segments
        How many segments of the text to take, from its beginning.
    length
        Tokens in a segment, special tokens included.
    out
        Where the atlas goes; NAME.attlas in the current folder if not given.
    page
        Also write the figures as one self-contained HTML page.
    resume
        Continue a run that was stopped; the result is the same as that of an unbroken run.
    overwrite
        Replace an atlas or an unfinished run that is there already.
    offsets
        Further offsets to measure attention to, beside previous (-1), self (0) and next (1).
    classes
        Further token classes, as NAME=TOKEN,TOKEN,...; in Python, NAME to a set or a function.
    sample
        Segments, drawn at random, for head distances, examples and gradients; 0 leaves those out.
    faithful
        Use the original papers' definitions, defects included, where ours differ.
    seed
        Seed of everything random.
    batch
        Segments in a batch; chosen to suit the device if not given.
    kernel
        How attention is computed: tiled, or eager (the reference).
    device
        Where the model runs; a GPU if there is one.
    dtype
        float32, bfloat16 or float16.
    trust_remote_code
        Run code that comes with the model. Off for a reason.
    progress
        Show a progress bar.
    """
    from attlas.mapping import Settings, build

    settings = Settings(
        segments=segments,
        length=length,
        offsets=tuple(offsets),
        sample=sample,
        faithful=faithful,
        seed=seed,
        batch=batch,
        kernel=kernel,
        dtype=dtype,
    )
    atlas = build(
        model,
        text,
        settings,
        out=out,
        resume=resume,
        overwrite=overwrite,
        classes=classes,
        device=device,
        trust_remote_code=trust_remote_code,
        progress=progress,
    )
    if page is not None:
        from attlas.figures import write_page

        write_page(atlas, page)
    return atlas


def show(atlas: Path | Atlas, *, head: str | None = None) -> Atlas:
    """Say what an atlas says: an overview, or everything about one head.

    Example: attlas show out/mini.attlas --head 7.9

    Parameters
    ----------
    atlas
        The folder of an atlas.
    head
        A head, LAYER.HEAD counted from 0, as in 7.9 (cross.0.3 where the kind must be said).
    """
    raise NotImplementedError
