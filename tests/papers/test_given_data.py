"""What a folder has of the papers' data, packed or not."""

from __future__ import annotations

import io
import lzma
import tarfile
from pathlib import Path

import pytest

from attlas.errors import AttlasError
from attlas.papers.runs import find_data, unpack_archives


def _pack(archive: Path, *names: str) -> None:
    with tarfile.open(archive, "w:xz") as tar:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 1
            tar.addfile(member, io.BytesIO(b"x"))


def test_data_are_found_by_the_names_they_come_with(tmp_path: Path) -> None:
    for name in ("ud/en_ewt-ud-dev.conllu", "ud/de_gsd-ud-dev.conllu", "glue/MRPC/train.tsv", "glove.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    data = find_data(tmp_path)
    assert data.treebank == tmp_path / "ud/en_ewt-ud-dev.conllu"
    assert data.tasks == ("MRPC",)
    assert data.word_vectors == tmp_path / "glove.txt"
    assert data.framenet is None


def test_a_treebank_is_known_by_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "wsj.conllu").write_text("")
    assert find_data(tmp_path).treebank == tmp_path / "wsj.conllu", "whatever its name"
    (tmp_path / "train-wsj.conllu").write_text("")
    assert find_data(tmp_path).training == tmp_path / "train-wsj.conllu"
    (tmp_path / "dev.txt").write_text("a text\n")
    assert find_data(tmp_path).treebank == tmp_path / "wsj.conllu"
    (tmp_path / "dev.txt").write_text("the 2-det\ncat 0-root\n\n")
    assert find_data(tmp_path).treebank == tmp_path / "dev.txt", "the lines are those of Clark's files"


def test_archives_that_a_paper_needs_are_unpacked_once(tmp_path: Path) -> None:
    packed, into = tmp_path / "packed", tmp_path / "data"
    packed.mkdir()
    _pack(packed / "framenet_v17-sample.tar.xz", "framenet_v17/frame/A.xml", "framenet_v17/lu/a.xml")
    _pack(packed / "gum.tar.xz", "gum/a.conllu")
    (packed / "glove.20k.txt.xz").write_bytes(lzma.compress(b"the 0.1\n"))
    frames = find_data(packed, unpack_archives("kovaleva2019", packed, into))
    assert frames.framenet == into / "framenet_v17-sample/framenet_v17"
    assert frames.coreference is None, "Kovaleva et al. need none, and it stays packed"
    words = find_data(packed, unpack_archives("clark2019", packed, into))
    assert words.coreference == into / "gum/gum"
    assert words.word_vectors is not None
    assert words.word_vectors.read_text() == "the 0.1\n"
    (into / "gum/gum/a.conllu").unlink()
    unpack_archives("clark2019", packed, into)
    assert not (into / "gum/gum/a.conllu").exists(), "what is there is not unpacked again"


def test_an_archive_that_is_broken_is_said_and_nothing_is_left_of_it(tmp_path: Path) -> None:
    (tmp_path / "glue.tar.xz").write_bytes(b"no archive")
    with pytest.raises(AttlasError, match=r"glue.tar.xz cannot be unpacked"):
        unpack_archives("kovaleva2019", tmp_path, tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []
