"""Texts with pictures: what is read, and what a map says of attention to images."""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image as pillow

import attlas
from attlas.corpora.pictured_texts import PicturedTexts, has_pictures
from attlas.errors import AttlasError
from attlas.subject import Subject, load
from attlas.tap.tap import capture
from made_pictures import save_model, write_pictures, write_records


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pictured")


@pytest.fixture(scope="module")
def model(folder: Path) -> Path:
    return save_model(folder / "model")


@pytest.fixture(scope="module")
def records(folder: Path) -> Path:
    names = write_pictures(folder, 4)
    texts = ["where is the red square ?", "<image> blue ? <image> green ?", "square", "the row0"]
    images = [names[:1], names[1:3], names[3:], names[2:3]]
    return write_records(folder, [{"text": t, "images": i} for t, i in zip(texts, images, strict=True)])


@pytest.fixture(scope="module")
def atlas(model: Path, records: Path, folder: Path) -> attlas.Atlas:
    return attlas.map(model, text=records, atlas=folder / "a.attlas", progress=False)


@pytest.fixture(scope="module")
def maps(model: Path, records: Path) -> list[tuple[Any, dict[tuple[str, int], torch.Tensor]]]:
    """Of every item, its tokens and each layer's weights: head query key."""
    subject = load(str(model), device="cpu", images=True)
    items = []
    for item in PicturedTexts.of(records).items:
        batch = subject.encode_images(item.text, item.images)
        calls = {(c.kind, c.layer): c.weights.double() for c in capture(subject, batch)}
        items.append((batch.sides["decoder"], calls))
    return items


def test_a_map_has_the_heads_that_read_text_and_those_that_read_images(atlas: attlas.Atlas) -> None:
    assert {kind: sum(h.kind == kind for h in atlas.addresses) for kind in atlas.kinds} == {
        "decoder": 8,
        "vision": 4,
    }
    about = atlas.about()
    assert about["counts"]["images"] == 5
    assert not atlas.heads["value"].isna().any()


@pytest.mark.reference("to_image", "rest_to_image", "image_sink")
def test_attention_to_images_is_what_its_definition_says(
    atlas: attlas.Atlas,
    maps: list[tuple[Any, dict[tuple[str, int], torch.Tensor]]],
    compared: Callable[..., None],
) -> None:
    expected: dict[tuple[str, str, int, int], list[float]] = {}
    for tokens, calls in maps:
        images = tokens.members("image")[0]
        last = int(images.nonzero().max())
        for (kind, layer), weights in calls.items():
            for head, rows in enumerate(weights):
                if kind == "vision":
                    sinks = rows.mean(0).max()
                    expected.setdefault(("image_sink", kind, layer, head), []).append(float(sinks))
                    continue
                text = [q for q in range(len(rows)) if not images[q]]
                shares = [float(rows[q][images].sum()) for q in text]
                expected.setdefault(("to_image", kind, layer, head), []).append(sum(shares) / len(shares))
                asking = [q for q in text if q > 1]
                rest = sum(float(1 - rows[q][0]) for q in asking)
                to_image = sum(float(rows[q][images].sum()) for q in asking)
                expected.setdefault(("rest_to_image", kind, layer, head), []).append(to_image / rest)
                after = rows[last + 1 :].mean(0)[images].max()
                expected.setdefault(("image_sink", kind, layer, head), []).append(float(after))
    heads = atlas.heads
    for (statistic, kind, layer, head), values in expected.items():
        here = heads[(heads["statistic"] == statistic) & (heads["kind"] == kind)]
        row = here[(here["layer"] == layer) & (here["head"] == head)].iloc[0]
        compared(statistic, row["value"], sum(values) / len(values), 1e-5)
        assert row["n"] == len(values)


def test_a_folder_of_pictures_is_asked_one_question(model: Path, folder: Path, tmp_path: Path) -> None:
    made = attlas.map(model, text=folder, atlas=tmp_path / "f.attlas", sample=0, progress=False)
    assert made.about()["counts"]["images"] == 4
    assert made.about()["corpus"]["name"] == folder.name


def test_what_is_wrong_with_a_record_is_said_and_the_record_skipped(
    model: Path, folder: Path, tmp_path: Path
) -> None:
    good = {"text": "square", "images": [str(folder / "0.png")]}
    bad = [{"text": "a", "images": ["nowhere.png"]}, {"images": ["0.png"]}, {"text": "b", "images": 7}]
    file = write_records(tmp_path, [good, *bad])
    problems = [item.problem for item in PicturedTexts.of(file).items]
    assert problems[0] == ""
    assert problems[1].endswith("nowhere.png")
    assert "no field 'text'" in problems[2]
    assert "is not a list of files" in problems[3]
    made = attlas.map(model, text=file, atlas=tmp_path / "b.attlas", sample=0, progress=False)
    assert made.about()["counts"]["skipped"] == 3
    with pytest.raises(AttlasError, match="there is no picture"):
        attlas.map(model, text=file, atlas=tmp_path / "c.attlas", strict=True, progress=False)


def test_heads_that_read_images_are_disabled_by_themselves(model: Path, records: Path) -> None:
    result = attlas.disable(model, text=records, edit="zero", heads=["vision.0.1", "1.3"], progress=False)
    disabled = result.table[["kind", "layer", "head"]].itertuples(index=False, name=None)
    assert set(disabled) == {("vision", 0, 1), ("decoder", 1, 3)}
    assert (result.table["change"].abs() > 0).all()


def test_patterns_and_other_models_refuse_pictures_in_a_line(
    model: Path, records: Path, mini: Subject
) -> None:
    with pytest.raises(AttlasError, match="patterns are looked for in text alone"):
        attlas.patterns(model, text=records, progress=False)
    with pytest.raises(AttlasError, match="mini has no processor that can read pictures"):
        attlas.map("mini", text=records, progress=False)


def test_only_records_that_name_images_have_pictures(records: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.jsonl"
    plain.write_text(json.dumps({"text": "no picture"}))
    assert has_pictures(records)
    assert has_pictures([{"text": "a", "images": ["a.png"]}])
    assert not has_pictures(plain)
    assert not has_pictures(tmp_path)
    assert not has_pictures(["a text"])
    assert not has_pictures(None)


def bomb(side: int) -> bytes:
    """A PNG of side x side pixels in a few bytes."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


def test_what_cannot_be_read_is_skipped_and_counted_and_the_others_are_mapped(
    model: Path, tmp_path: Path
) -> None:
    names = write_pictures(tmp_path, 2)
    pillow.new("RGB", (64, 64), "red").save(tmp_path / "whole.jpg")
    (tmp_path / "cut.jpg").write_bytes((tmp_path / "whole.jpg").read_bytes()[:400])
    (tmp_path / "huge.png").write_bytes(bomb(50_000))
    (tmp_path / "large.png").write_bytes(bomb(10_000))
    (tmp_path / "printed.png").write_text("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nshowpage\n")
    os.mkfifo(tmp_path / "pipe.png")
    bad = ["cut.jpg", "huge.png", "large.png", "printed.png", "pipe.png", "x" * 5000, "a\0b"]
    asked = [{"text": "square", "images": [name]} for name in (names[0], *bad, names[1])]
    asked.append({"text": "square " * 5000, "images": [names[0]]})
    records = write_records(tmp_path, asked)
    options: dict[str, Any] = {"sample": 0, "progress": False, "twin": False}
    about = attlas.map(model, text=records, atlas=tmp_path / "a", **options).about()
    assert about["counts"]["images"] == 2
    assert about["counts"]["skipped"] == len(bad) + 1
    said = " ".join(str(note) for note in about["notes"])
    assert f"{len(bad) + 1} documents could not be read" in said, said
    with pytest.raises(AttlasError, match=r"cut\.jpg"):
        attlas.map(model, text=records, atlas=tmp_path / "b", strict=True, **options)


def test_a_folder_of_pictures_with_a_pipe_in_it(model: Path, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    pillow.new("RGB", (32, 32), "blue").save(pictures / "blue.png")
    os.mkfifo(pictures / "pipe.png")
    options: dict[str, Any] = {"sample": 0, "progress": False, "twin": False}
    counts = attlas.map(model, text=pictures, atlas=tmp_path / "a", **options).about()["counts"]
    assert (counts["images"], counts["skipped"]) == (1, 1)
