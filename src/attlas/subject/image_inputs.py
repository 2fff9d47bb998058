"""What a model that reads images with its text takes, and a text with its pictures as those inputs."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from attlas.errors import AttlasError
from attlas.files import refuse_irregular
from attlas.subject.checkpoints import first_line
from attlas.subject.weights import home_of

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from attlas.subject import Subject

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
_CHANNELS = ("num_channels", "in_channels", "in_chans")  # what configs call the number of colours


def image_token(model: Any) -> int | None:
    """The id of the token that stands for a piece of an image; None for a model that reads text alone."""
    names = ("image_token_id", "image_token_index")
    return next((i for name in names if isinstance(i := getattr(model.config, name, None), int)), None)


def reads_images(model: Any) -> bool:
    """Whether the model takes images with its text, and shows what it makes of them."""
    return image_token(model) is not None and hasattr(model, "get_image_features")


def small_images(model: Any) -> Iterator[dict[str, Tensor]]:
    """One small image, in each form that the model may take: as a picture, as one of an item's pictures, or
    as a list of patches with the grid they make."""
    first: nn.Parameter = next(model.parameters())
    device, vision = home_of(model), model.config.vision_config
    channels = next((getattr(vision, name) for name in _CHANNELS if hasattr(vision, name)), 3)
    if "image_grid_thw" in inspect.signature(model.get_image_features).parameters:
        side = 2 * vision.spatial_merge_size
        numbers = channels * vision.temporal_patch_size * vision.patch_size**2
        patches = torch.zeros(side * side, numbers, dtype=first.dtype, device=device)
        yield {
            "pixel_values": patches,
            "image_grid_thw": torch.tensor([[1, side, side]], device=device),
        }
        return
    size = vision.image_size
    height, width = (size, size) if isinstance(size, int) else size
    # pictures of nothing but zeros are padding to some
    picture = torch.ones(1, channels, height, width, dtype=first.dtype, device=device)
    yield {"pixel_values": picture}
    yield {"pixel_values": picture[None]}


@dataclass(frozen=True)
class PictureReader:
    """Makes a model's inputs of a text with pictures. It goes to other processes without the model."""

    name: str
    processor: Any
    accepts: frozenset[str]
    longest: int | None

    @classmethod
    def of(cls, subject: Subject) -> PictureReader:
        return cls(subject.name, subject.processor, frozenset(subject.accepts), subject.longest)

    def __call__(self, text: str, images: Sequence[Any]) -> dict[str, Tensor]:
        """The inputs. The pictures are files, PIL images or arrays."""
        if self.processor is None:
            raise AttlasError(f"{self.name} has no processor, so it cannot read pictures")
        pictures = [open_picture(image) for image in images]
        try:
            prompt = _prompt(self.processor, text, len(pictures))
            made = self.processor(text=prompt, images=pictures, return_tensors="pt")
        except Exception as error:
            raise AttlasError(
                f"{self.name} cannot read {len(pictures)} pictures with {text[:40]!r}: {first_line(error)}"
            ) from error
        length = made["input_ids"].shape[1]
        if self.longest is not None and length > self.longest:
            what = f"{text[:40]!r} with its pictures"
            raise AttlasError(f"{what} has {length:,} tokens, and {self.name} takes at most {self.longest:,}")
        return {name: tensor for name, tensor in made.items() if name in self.accepts}


def read_images(subject: Subject, text: str, images: Sequence[Any]) -> dict[str, Tensor]:
    """The model's inputs for a text with pictures, where the model is."""
    dtype = next(subject.model.parameters()).dtype
    return {
        name: tensor.to(subject.device, dtype if tensor.is_floating_point() else None)
        for name, tensor in PictureReader.of(subject)(text, images).items()
    }


def _prompt(processor: Any, text: str, images: int) -> str:
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


def open_picture(image: Any) -> Picture:
    """A picture in colours from a file, PIL's picture or an array: [high, wide, 3] or [3, high, wide]."""
    if isinstance(image, str | Path):
        return _open_file(Path(image))
    if hasattr(image, "convert"):
        return image.convert("RGB")  # type: ignore[no-any-return]
    array = np.asarray(image.detach().cpu() if hasattr(image, "detach") else image)
    while array.ndim > 3 and array.shape[0] == 1:
        array = array[0]
    if array.ndim == 3 and array.shape[0] in (1, 3) and array.shape[2] not in (1, 3):
        array = array.transpose(1, 2, 0)
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3)):
        raise AttlasError(f"an image has shape {array.shape}: it must be [high, wide, 3] or [3, high, wide]")
    if array.dtype.kind == "f":
        array = (array.clip(0, 1) * 255).astype(np.uint8)
    return picture_of(array)


def _open_file(path: Path) -> Picture:
    """Only these formats are read: others start programs of their own."""
    from PIL import Image as pillow
    from PIL import UnidentifiedImageError

    refuse_irregular(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pillow.DecompressionBombWarning)
            with pillow.open(path, formats=FORMATS) as picture:
                return picture.convert("RGB")
    except UnidentifiedImageError:
        raise AttlasError(f"{path} is not an image that can be read: {', '.join(FORMATS)} are") from None
    except (pillow.DecompressionBombError, pillow.DecompressionBombWarning) as error:
        raise AttlasError(f"{path} has more pixels than can be read: {first_line(error)}") from error
    except OSError as error:
        raise AttlasError(f"{path}: {error.strerror or first_line(error)}") from error
    except Exception as error:  # a damaged picture fails in as many ways as there are formats
        raise AttlasError(f"{path} is damaged: {first_line(error)}") from error


def picture_of(array: Any) -> Picture:
    from PIL import Image as pillow

    return pillow.fromarray(array.squeeze().astype(np.uint8)).convert("RGB")
