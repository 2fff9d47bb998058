"""`attlas map`: the statistics of every head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.outputs import check_output, write_output

if TYPE_CHECKING:
    from attlas.atlas import Atlas


@verb("Measure")
def map(
    model: o.Model = "mini",
    *,
    sample: o.CountOrZero = 200,
    offsets: Sequence[o.Whole] = (),
    classes: Annotated[dict[str, Any] | None, o.Written("Mapping[str, Membership] | None")] = None,
    faithful: o.Faithful = False,
    text_options: o.TextOptions = o.TextOptions(),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    batch_options: o.BatchOptions = o.BatchOptions(),
    row_options: o.RowOptions = o.RowOptions(),
    twin_options: o.TwinOptions = o.TwinOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> Atlas:
    """Build an atlas: the statistics of every head of a model, over a text.

    The atlas is NAME.attlas in the current folder, or --atlas. If it exists, it gets another chapter.

    Example: attlas map mini --text my.txt --segments 500 --atlas my.attlas

    Parameters
    ----------
    model
        Or recorded attention (.npz, .safetensors).
    sample
        Segments, drawn at random, for head distances, examples and gradients; 0 leaves those out.
    offsets
        More offsets to measure attention to, beside previous (-1), self (0) and next (1): --offsets=-2.
    classes
        More token classes: --classes.articles the,a,an. In Python, names to sets of tokens or functions.
    faithful
        Uses the papers' definitions where ours differ.
    """
    from attlas.atlas import load_atlas
    from attlas.studies.study_run import run_chapters
    from attlas.studies.surface.surface_study import surface_study

    engine = run_options.chosen_engine()
    subject = load_options.load(model, text=text_options.text)
    study = surface_study(
        subject,
        text_options,
        batch_options,
        row_options,
        offsets=offsets,
        classes=classes,
        sample=sample,
        faithful=faithful,
        twin=twin_options.twin,
    )
    folder = keep_options.atlas or Path(f"{Path(subject.name).name}.attlas")
    check_output(folder, "atlas", "atlas")
    kept = replace(keep_options, atlas=folder)
    (chapter,) = run_chapters([study], subject, run_options, kept, engine=engine)
    atlas = load_atlas(folder)
    if keep_options.csv is not None:
        write_output(keep_options.csv, atlas.overview(chapter.name).to_csv(index=False))
    if keep_options.figures is not None:
        from attlas.figures import save_figures

        save_figures(atlas, keep_options.figures, chapter=chapter.name)
    return atlas
