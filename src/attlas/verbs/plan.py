"""`attlas plan`: what a large run would take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from attlas.options import option_groups as o
from attlas.options.verb import verb

if TYPE_CHECKING:
    from attlas.studies.estimate import Plan


@verb("Measure")
def plan(
    model: o.Model = "mini",
    *,
    tokens: Annotated[o.Number, Field(ge=1, le=1e18)] = 1e9,
    gpus: o.Count = 1,
    cores: o.Count | None = None,
    text: o.Corpus = None,
    length: Annotated[o.Whole, Field(ge=4)] = 128,
    shard: o.Count | None = None,
    row_options: o.RowOptions = o.RowOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> Plan:
    """Estimate what a map of a large corpus would take: time, memory, traffic, and what limits it.

    It extrapolates from a short run on this machine.

    Example: attlas plan mini --tokens 1e12 --gpus 512

    Parameters
    ----------
    tokens
        Tokens in the corpus: 1e12 is a trillion.
    gpus
        How many workers: one GPU per worker, or one core where there is no GPU here.
    cores
        Cores beside each GPU that tokenise. Default: this machine's share.
    text
        What the model reads. A text like the corpus, to measure on. Default: the embedded sample of
        Wikipedia.
    length
        Most tokens that the model reads at once, special tokens included. Segments have this length.
    shard
        Tokens per shard, the unit of checkpointing. Larger shards load the driver less, but lose more work
        when one fails.
    """
    from attlas.studies.estimate import plan_for
    from attlas.studies.surface.surface_study import surface_study

    subject = load_options.load(model)
    text_options = o.TextOptions(text=text, segments="all", length=length)
    study = surface_study(subject, text_options, o.BatchOptions(shard=shard), row_options)
    return plan_for(study, tokens, gpus, cores)
