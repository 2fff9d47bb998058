"""A text with pictures to look at: which tokens are patches, and the pictures as they were read."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from attlas import view
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.views.images import images_of, name_patches
from image_zoo import SEEING, inputs_with_images
from made_pictures import pictures as made
from made_pictures import save_model, write_pictures


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pictured")


@pytest.fixture(scope="module")
def model(folder: Path) -> str:
    return str(save_model(folder / "model"))


@pytest.fixture(scope="module")
def files(folder: Path) -> list[str]:
    return [str(folder / name) for name in write_pictures(folder, 2)]


def shown(source: str) -> np.ndarray:
    with Image.open(io.BytesIO(base64.b64decode(source.split(",", 1)[1]))) as picture:
        return np.asarray(picture)


def test_patches_are_named_and_the_pictures_are_those_that_were_read(model: str, files: list[str]) -> None:
    looked = view(model, "where is the square", images=files)
    scene = looked.scene
    assert scene["selection"]["kind"] == "image"
    decoder = [image for image in scene["images"] if image["side"] == "decoder"]
    vision = [image for image in scene["images"] if image["side"] == "vision"]
    cells = made.GRID**2
    assert [(i["rows"], i["columns"], i["before"]) for i in decoder] == [
        (made.GRID, made.GRID, 1),
        (made.GRID, made.GRID, 1 + cells),
    ]
    assert [image["before"] for image in vision] == [1, 2 + cells], "after the class token of each"
    tokens = scene["sides"]["decoder"]["tokens"]
    assert tokens[:3] == ["<s>", "1:0·0", "1:0·1"]
    assert tokens[1 + cells] == "2:0·0"
    assert tokens[-1] == "square"
    for image, file in zip(decoder, files, strict=True):
        with Image.open(file) as picture:
            assert np.abs(shown(image["source"]).astype(int) - np.asarray(picture)).max() <= 1


@pytest.mark.parametrize("name", [n for n in SEEING if n not in ("qwen2_5_vl",)])
def test_the_token_of_a_patch_is_where_the_patch_is(name: str) -> None:
    """What changes in one corner of a picture changes the token that stands for that corner most."""
    model = SEEING[name].build()
    subject = Subject(model, name=name, images=True)
    inputs = inputs_with_images(name, 1)
    batch = subject.annotate(inputs)
    (image,) = (i for i in images_of(subject, batch, 0) if i["side"] == "decoder")
    assert image["rows"] * image["columns"] == int(batch.sides["decoder"].members("image").sum())
    packed = "image_grid_thw" in inputs
    grid = inputs["image_grid_thw"] if packed else None
    grids = {"image_grid_thw": grid} if packed else {}

    def features(pixels: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            made_of = model.get_image_features(pixel_values=pixels, **grids).pooler_output
        return torch.cat([part.reshape(-1, part.shape[-1]) for part in made_of])

    pixels = inputs["pixel_values"]
    changed = pixels.clone()
    if packed:
        changed[-4:] += 3  # the last square of patches is the corner below, on the right
    else:
        high, wide = (pixels.shape[-1] // n for n in (image["rows"], image["columns"]))
        changed[..., -high:, -wide:] += 3
    apart = (features(changed) - features(pixels)).norm(dim=-1)
    assert int(apart.argmax()) == image["rows"] * image["columns"] - 1


def test_pieces_that_make_no_grid_are_not_painted() -> None:
    assert name_patches(["a", "b"], [], "decoder") == ["a", "b"]


def test_a_model_of_text_alone_has_no_pictures_to_show(files: list[str]) -> None:
    with pytest.raises(AttlasError, match="mini has no processor that can read pictures"):
        view("mini", "a text", images=files)


def test_a_still_picture_is_drawn(model: str, files: list[str], tmp_path: Path) -> None:
    file = tmp_path / "still.png"
    view(model, "where is the square", images=files[:1], figure=file)
    with Image.open(file) as picture:
        assert picture.width > 200
