"""`attlas.load`, and what else the verbs take that is not in their hands yet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attlas.arguments import checked
from attlas.errors import AttlasError

if TYPE_CHECKING:
    from torch.nn import Module

    from attlas.atlas import Atlas
    from attlas.subject import Subject

EngineName = Literal["local", "processes", "ray"]


@checked
def load(
    model: str | Path | Module | Subject = "mini",
    tokenizer: Any = None,
    *,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
) -> Subject:
    """The subject to study: the embedded `mini`, a folder, a GGUF file, a name on the hub, or a model in
    memory.

    Weights are read from safetensors, GGUF, or a pickle of nothing but tensors; code that comes with a model
    runs only if `trust_remote_code` is given.
    """
    from attlas.subject import load as load_subject

    return load_subject(model, tokenizer, device=device, dtype=dtype, trust_remote_code=trust_remote_code)


def opened(atlas: str | Path | Atlas) -> Atlas:
    """The atlas itself, where its folder may be given."""
    from attlas.atlas import Atlas as Opened
    from attlas.atlas import load_atlas

    if isinstance(atlas, Opened):
        return atlas
    if not isinstance(atlas, str | Path):
        raise AttlasError(f"an atlas is needed, or the path of its folder, not a {type(atlas).__name__}")
    return load_atlas(atlas)
