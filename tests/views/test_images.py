"""Images: what a vision model's heads look at, over the picture."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import transformers as tr
from PIL import Image

from attlas import view
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.views import view_image
from patience import expect, steady, until


@pytest.fixture(scope="module")
def vit():
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 32}
    model = tr.ViTModel(tr.ViTConfig(**sizes, image_size=32, patch_size=8))
    for parameter in model.parameters():
        if parameter.ndim > 1:
            parameter.data.mul_(5)
    return Subject(model, None, "tiny-vit")


@pytest.fixture
def picture(tmp_path):
    rows, columns = np.mgrid[0:48, 0:64]
    pixels = np.stack([rows * 5, columns * 3, rows + columns], -1).astype(np.uint8)
    path = tmp_path / "photo.png"
    Image.fromarray(pixels).save(path)
    return path


def test_a_file_an_image_an_array_and_a_tensor_show_the_same(vit, picture):
    opened = Image.open(picture).convert("RGB")
    first = view(vit, str(picture))
    assert first.scene["selection"]["kind"] == "image"
    assert {k: first.scene["images"][0][k] for k in ("rows", "columns", "before")} == {
        "rows": 4,
        "columns": 4,
        "before": 1,
    }
    assert first.scene["sides"]["encoder"]["tokens"][:3] == ["[CLS]", "0·0", "0·1"]
    resized = np.asarray(opened.resize((32, 32), resample=2), np.float32) / 255
    values = torch.tensor((resized - 0.5) / 0.5).permute(2, 0, 1)[None]
    for other in (opened, np.asarray(opened), torch.tensor(np.asarray(opened)), values):
        made = view(vit, other)
        np.testing.assert_allclose(made.maps[0].layers[1].weights, first.maps[0].layers[1].weights, atol=1e-5)


def test_the_weights_are_the_models_own(vit, picture):
    model = tr.ViTModel._from_config(vit.model.config, attn_implementation="eager").eval()
    model.load_state_dict(vit.model.state_dict())
    image = Image.open(picture).convert("RGB").resize((32, 32), resample=2)
    values = torch.tensor((np.asarray(image, np.float32) / 255 - 0.5) / 0.5).permute(2, 0, 1)[None]
    with torch.no_grad():
        expected = model(values, output_attentions=True).attentions
    for layer, weights in zip(view(vit, picture).maps[0].layers, expected, strict=True):
        np.testing.assert_allclose(layer.weights, weights[0].numpy(), atol=1e-5)


def test_the_figure_has_a_picture_a_head(vit, picture, tmp_path):
    with Image.open(view(vit, picture, heads=[0, 2]).figure(tmp_path / "f.png")) as drawn:
        assert drawn.width > 400


@pytest.mark.parametrize(
    ("image", "message"),
    [
        ("text.png", "reads images, and 'text.png' is not an image file"),
        (np.zeros((2, 2, 2, 2)), r"shape \(2, 2, 2, 2\): it must be"),
    ],
)
def test_what_is_not_an_image_is_said(vit, image, message):
    with pytest.raises(AttlasError, match=message):
        view(vit, image)


def test_a_broken_file_and_a_model_of_text_are_said(vit, mini, tmp_path, picture):
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    with pytest.raises(AttlasError, match="is not an image that can be read"):
        view(vit, broken)
    with pytest.raises(AttlasError, match="mini does not read images"):
        view_image(mini, picture)


def has_largest(page, weight):
    """Waits until this is the largest weight on a patch, as written under the second head."""
    said = page.locator("figure").nth(1)
    near = pytest.approx(weight, abs=0.006)
    until(page, lambda: float(said.inner_text().split("up to ")[1].split(",")[0]), near)


def test_pointing_at_a_patch_shows_where_heads_look_from_there(show, vit, picture):
    made = view(vit, picture)
    page = show(made)
    weights = made.maps[0].layers[0].weights
    head = page.get_by_role("button", name="Head 0.1 from [CLS]: 4 by 4 patches")
    has_largest(page, weights[1, 0, 1:].max())
    box = steady(page, head.bounding_box)
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.1)
    page.get_by_role("button", name="Head 0.1 from patch 0·3: 4 by 4 patches").wait_for()
    has_largest(page, weights[1, 4, 1:].max())
    page.mouse.click(box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.1)
    page.keyboard.press("ArrowDown")
    page.mouse.move(5, 5)
    page.get_by_role("button", name="Head 0.1 from patch 1·3: 4 by 4 patches").wait_for()
    page.get_by_role("button", name="[CLS]", exact=True).click()
    expect(page.get_by_role("button", name="Head 0.1 from [CLS]: 4 by 4 patches")).to_be_visible()
