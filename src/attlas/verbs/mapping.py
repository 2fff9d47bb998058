"""`map` builds an atlas, `plan` says what that would take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attlas.errors import AttlasError
from attlas.files import check_writable
from attlas.verbs.loading import EngineName, load
from attlas.verbs.parameters import explained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attlas.atlas import Atlas
    from attlas.corpora.classes import Membership
    from attlas.studies.plan import Plan
    from attlas.subject import Subject

    File = str | Path
    Corpus = Any
else:
    # the terminal knows strings and paths only, and reads these annotations
    Mapping = dict
    Atlas = File = Plan = Path
    Subject = Membership = Corpus = str


@explained
def map(
    model: str | Path | Subject = "mini",
    *,
    text: Corpus | None = None,
    field: str | None = None,
    segments: int | Literal["all"] = 1000,
    length: int = 128,
    out: File | None = None,
    page: File | None = None,
    chapter: str | None = None,
    resume: bool = False,
    overwrite: bool = False,
    offsets: Sequence[int] = (),
    classes: Mapping[str, Membership] | None = None,
    sample: int = 200,
    faithful: bool = False,
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
) -> Atlas:
    """Build an atlas: the statistics of every head of a model, over a text.

    Example: attlas map mini --text my.txt --segments 500 --out my.attlas

    Parameters
    ----------
    model
        The embedded `mini`, a folder that transformers saved, a GGUF file, a name on the hub, or recorded
        attention (.npz, .safetensors).
    text
        Text (a sentence or paragraph a line, blank line between documents), JSON lines or Parquet (a document
        a record), as it is or as .gz, .xz, .zst; a folder or a pattern of such files, or an address that
        fsspec knows. Without it, the embedded sample of Wikipedia. In Python also a data set of `datasets`.
    segments
        How many segments of the text to take, from its beginning; `all` for all of it.
    length
        Tokens in a segment, special tokens included.
    out
        The atlas; NAME.attlas in the current folder if not given. One that is there gets a further chapter.
    page
        Also write the figures as one self-contained HTML page.
    chapter
        The name of the chapter; made of the study and the corpus if not given.
    resume
        Continue a run that was stopped; the result is the same as that of an unbroken run.
    overwrite
        Replace a chapter of that name, or an unfinished run, that is there already.
    offsets
        Further offsets to measure attention to, beside previous (-1), self (0) and next (1): --offsets=-2.
    classes
        Further token classes: --classes.articles the,a,an. In Python, names to sets of tokens or functions.
    sample
        Segments, drawn at random, for head distances, examples and gradients; 0 leaves those out.
    faithful
        Use the original papers' definitions, defects included, where ours differ.
    strict
        Stop at a document that cannot be read, instead of skipping and counting it.
    seed
        Seed of everything random.
    batch
        Segments in a batch; chosen to suit the device if not given.
    shard
        Tokens in a shard, the part of a text that is run and kept as one; some batches' if not given.
    kernel
        How attention is computed: triton (on a GPU), tiled, or eager (the reference); chosen to suit the
        device if not given.
    engine
        Where the work runs: local (this process), processes (of this machine), or ray (a cluster).
    workers
        How many processes, or how many parts of the text at once on a cluster.
    address
        Of the Ray cluster; without it, Ray starts on this machine.
    """
    from attlas.atlas import load_atlas
    from attlas.engines import engine_named
    from attlas.studies.carry_out import carry_out
    from attlas.studies.mapping import surface_study

    if page is not None:
        check_writable(page, "--page")
    runner = engine_named(engine, workers, address)
    subject = load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)
    study = surface_study(
        subject,
        text,
        field=field,
        segments=segments,
        length=length,
        offsets=offsets,
        classes=classes,
        sample=sample,
        faithful=faithful,
        strict=strict,
        seed=seed,
        batch=batch,
        shard=shard,
        kernel=kernel,
    )
    place = Path(f"{Path(subject.name).name}.attlas" if out is None else out)
    made = carry_out(
        study,
        subject,
        runner,
        out=place,
        chapter=chapter,
        resume=resume,
        overwrite=overwrite,
        progress=progress,
    )
    atlas = load_atlas(place)
    if page is not None:
        from attlas.figures import write_page

        write_page(atlas, page, made.name)
    return atlas


@explained
def plan(
    model: str | Path | Subject = "mini",
    *,
    tokens: float = 1e9,
    gpus: int = 1,
    cores: int | None = None,
    text: Corpus | None = None,
    length: int = 128,
    shard: int | None = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
) -> Plan:
    """Estimate what a map of a large corpus would take: time, memory, traffic, and what limits it.

    A short run on this machine is the measure; the estimate is for workers like it.

    Example: attlas plan mini --tokens 1e12 --gpus 512

    Parameters
    ----------
    model
        The embedded `mini`, a folder that transformers saved, a GGUF file, or a name on the hub.
    tokens
        Tokens in the corpus: 1e12 is a trillion.
    gpus
        How many workers: a GPU each, or a core each where there is no GPU here.
    cores
        Cores beside each GPU, which tokenise; this machine's share if not given.
    text
        A text like the corpus, to measure on; the embedded sample of Wikipedia if not given.
    length
        Tokens in a segment, special tokens included.
    shard
        Tokens in a shard: larger ones cost the driver less, and a loss more.
    """
    from attlas.studies.mapping import surface_study
    from attlas.studies.plan import plan_for

    for name, value in (("tokens", tokens), ("gpus", gpus), ("cores", 1 if cores is None else cores)):
        if not 1 <= value <= 1e18:
            raise AttlasError(f"--{name} {value:g}: at least 1 is needed")
    subject = load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)
    return plan_for(
        surface_study(subject, text, segments="all", length=length, shard=shard), tokens, gpus, cores
    )
