"""`attlas.load`: a model to study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from attlas.options.option_groups import LoadOptions, Written
from attlas.options.verb import verb

if TYPE_CHECKING:
    from attlas.subject import Subject


@verb(panel=None)
def load(
    model: Annotated[Any, Written("str | Path | Module | Subject")] = "mini",
    tokenizer: Any = None,
    *,
    load_options: LoadOptions = LoadOptions(),
) -> Subject:
    """Load a model to study.

    Weights are read from safetensors, GGUF, or a pickle of nothing but tensors. Code shipped with a model
    runs only with `trust_remote_code`.

    Parameters
    ----------
    model
        The embedded `mini`, a folder that transformers saved, a GGUF file, a name on the hub, or a model in
        memory: of transformers, in a `pipeline`, or wrapped by nnsight.
    tokenizer
        The tokenizer of a model in memory.
    """
    return load_options.load(model, tokenizer)
