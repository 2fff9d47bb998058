"""From a text and its pictures to what a model reads, by the model's own processor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torch import Tensor

from attlas.errors import AttlasError
from attlas.subject.checkpoints import first_line

if TYPE_CHECKING:
    from attlas.subject import Subject


def read_images(subject: Subject, text: str, images: Sequence[Any]) -> dict[str, Tensor]:
    """The model's inputs: of a text with pictures, which are files, PIL images or arrays."""
    if subject.processor is None:
        raise AttlasError(f"{subject.name} has no processor, so it cannot read pictures")
    pictures = [opened(image) for image in images]
    prompt = prompt_of(subject.processor, text, len(pictures))
    try:
        made = subject.processor(text=prompt, images=pictures, return_tensors="pt")
    except Exception as error:
        raise AttlasError(
            f"{subject.name} cannot read {len(pictures)} pictures with {text[:40]!r}: {first_line(error)}"
        ) from error
    dtype = next(subject.model.parameters()).dtype
    return {
        name: tensor.to(subject.device, dtype if tensor.is_floating_point() else None)
        for name, tensor in made.items()
        if name in subject.accepts
    }


def prompt_of(processor: Any, text: str, images: int) -> str:
    """The text with a place for each picture: as the model's chat begins, or before the text; unless the text
    has such places itself."""
    place = str(getattr(processor, "image_token", "<image>"))
    if text.count(place) == images:
        return text
    if getattr(processor, "chat_template", None):
        content = [*({"type": "image"} for _ in range(images)), {"type": "text", "text": text}]
        turns = [{"role": "user", "content": content}]
        return str(processor.apply_chat_template(turns, add_generation_prompt=True, tokenize=False))
    return f"{place * images}{text}"


def opened(image: Any) -> Any:
    """A picture of PIL's, in colours."""
    import numpy as np
    from PIL import Image, UnidentifiedImageError

    if hasattr(image, "convert"):
        return image.convert("RGB")
    if not isinstance(image, str | Path):
        return Image.fromarray(np.asarray(image)).convert("RGB")
    try:
        with Image.open(image) as picture:
            return picture.convert("RGB")
    except UnidentifiedImageError:
        raise AttlasError(f"{image} is not a picture that can be read") from None
    except OSError as error:
        raise AttlasError(f"{image}: {error.strerror or error}") from error
