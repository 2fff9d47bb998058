"""`patterns` names what every head attends to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attlas.verbs.loading import EngineName, load
from attlas.verbs.parameters import explained

if TYPE_CHECKING:
    from attlas.studies.patterns.results import PatternResult
    from attlas.subject import Subject

    File = str | Path
    Corpus = Any
else:
    # the terminal knows strings and paths only, and reads these annotations
    File = PatternResult = Path
    Subject = Corpus = str


@explained
def patterns(
    model: str | Path | Subject = "mini",
    *,
    text: Corpus | None = None,
    field: str | None = None,
    atlas: File | None = None,
    segments: int = 200,
    length: int = 128,
    repeated: int = 64,
    needles: Sequence[int] | None = None,
    hidden: int = 16,
    maps: int = 4,
    words: File | None = None,
    chapter: str | None = None,
    resume: bool = False,
    overwrite: bool = False,
    strict: bool = False,
    seed: int = 0,
    batch: int | None = None,
    shard: int | None = None,
    kernel: str | None = None,
    engine: EngineName | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    progress: bool = True,
) -> PatternResult:
    """Name what every head attends to: scores of patterns, beside what chance would give, over a text.

    Example: attlas patterns mini --atlas out/mini.attlas

    Parameters
    ----------
    text
        A file of text, a folder, a pattern or an address; the embedded sample of Wikipedia if not given. In
        Python also a list of texts.
    atlas
        The atlas that the chapter goes to; without it, names are only printed.
    segments
        Segments of the text that are read.
    length
        Tokens in a segment, special tokens included.
    repeated
        Texts of random tokens that repeat, in which induction is looked for.
    needles
        Lengths, in tokens, of texts out of which a decoder copies a needle: --needles 128 --needles 512. Up
        to 2,048 tokens, or what the model takes, if not given; 0 for none.
    hidden
        Texts whose tokens are hidden one at a time, to find predictive ones; 0 for none.
    maps
        Typical maps that are kept of each head; 0 for none.
    words
        A file of word vectors in GloVe's format, to say which tokens are related; the model's own input
        embeddings if not given.
    chapter
        The name of the chapter; made of the study and the corpus if not given.
    seed
        Seed of everything random.
    batch
        Segments in a batch; chosen to suit the device if not given.
    shard
        Tokens in a shard, the part of a text that is run and kept as one; some batches' if not given.
    kernel
        How attention is computed: triton (on a GPU), tiled, or eager (the reference); chosen to suit the
        device if not given.
    """
    from attlas.studies.mapping import surface_study
    from attlas.studies.patterns.asking import pattern_study
    from attlas.studies.patterns.results import PatternResult
    from attlas.studies.shapes.study import Shapes
    from attlas.verbs.outputs import Outputs

    out = None if atlas is None else Path(atlas)
    outputs = Outputs(
        out,
        chapter,
        resume=resume,
        overwrite=overwrite,
        engine=engine,
        workers=workers,
        address=address,
        progress=progress,
    ).refuse_unwritable()
    subject = load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)
    read = surface_study(
        subject, text, field=field, segments=segments, length=length, strict=strict, seed=seed, batch=batch,
        shard=shard, kernel=kernel,
    )  # fmt: skip
    named = outputs.run(pattern_study(subject, read, repeated, needles, hidden, maps, words), subject)
    # the name that was given is that of the patterns alone
    shaped = replace(outputs, chapter=None).run(Shapes.over(read), subject)
    return PatternResult((named, shaped), out)
