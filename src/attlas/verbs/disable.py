"""`disable`: what a model loses without each of its heads and layers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attlas.corpora.source import check_seed
from attlas.errors import AttlasError
from attlas.probe.parameters import at_least, explained
from attlas.verbs.loading import EngineName, load

if TYPE_CHECKING:
    from attlas.studies.disable_result import DisableResult
    from attlas.subject import Subject

    Corpus = Any
else:
    # the terminal knows strings and paths only, and reads these annotations
    Subject = DisableResult = Corpus = str

Edit = Literal["uniform", "zero", "mean", "shuffle"]


@explained
def disable(
    model: str | Path | Subject = "mini",
    *,
    text: Corpus | None = None,
    field: str | None = None,
    edit: Edit = "uniform",
    heads: Sequence[str] = (),
    segments: int = 100,
    length: int = 128,
    strict: bool = False,
    seed: int = 0,
    batch: int | None = None,
    kernel: str | None = None,
    atlas: Path | None = None,
    chapter: str | None = None,
    figures: Path | None = None,
    csv: Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    engine: EngineName | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    progress: bool = True,
) -> DisableResult:
    """What does the model lose without each of its heads and layers?

    Each head, and each layer, is disabled by itself; the loss on the same items is compared with that of the
    model as it is, with an interval over items and a p-value corrected for the number of heads. The loss is
    that of masked words, or of the next token. An edit that leaves the output as it was is an error.

    Example: attlas disable mini --edit zero --segments 50 --atlas out/mini.attlas --figures out/figures

    Parameters
    ----------
    text
        Text, JSON lines or Parquet, as `attlas map` takes it. Without it, the embedded sample of Wikipedia.
    field
        The field of a record that holds its text, where that is not called `text`.
    edit
        `uniform`: even weights over what may be seen, as in Kovaleva 2019; `zero`: the head gives nothing;
        `mean`: it gives its mean output over the corpus; `shuffle`: it attends as in another input of the
        same length.
    heads
        Only these, each by itself: 7.9, "layer 7" or 7.*, cross.0.3; 7.9,7.10 are disabled together. All
        heads and layers if not given.
    segments
        How many segments of the text to take, from its beginning.
    length
        Tokens in a segment, special tokens included.
    batch
        Segments in a batch; chosen to suit the device if not given.
    kernel
        How attention is computed: triton (on a GPU), tiled, or eager; chosen to suit the device if not given.
    seed
        Seed of masked words and of the bootstrap.
    chapter
        Name of the chapter, instead of disable-CORPUS, with the edit where it is not uniform.
    """
    from attlas.probe.running import Outputs
    from attlas.studies.disable import Disable, sets_named
    from attlas.studies.disable_result import DisableResult as Result
    from attlas.studies.disable_source import loss_source

    at_least(segments=segments, length=length, batch=1 if batch is None else batch)
    check_seed(seed)
    outputs = Outputs(
        atlas, chapter, figures, csv, resume, overwrite, engine, workers, address, progress
    ).refuse_unwritable()
    subject = load(model, device=device, dtype=dtype, trust_remote_code=trust_remote_code)
    source = loss_source(subject, text, field, segments, length, seed, batch, strict)
    study = Disable(subject, source, edit, sets_named(heads, subject.heads), seed, kernel=kernel)
    return outputs.carry_out(study, subject, Result)
