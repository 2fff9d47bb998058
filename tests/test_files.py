"""What libraries say when they cannot write a file becomes one line that names the place."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import safetensors.torch
import torch

from attlas.errors import AttlasError
from attlas.files import check_writable, file_hash, libraries_write
from attlas.subject import Subject


def test_torch_on_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "full").symlink_to("/dev/full")
    with (
        pytest.raises(AttlasError, match=r"m cannot be written: .*is the disk full\?; --resume goes on"),
        libraries_write(tmp_path / "m", "--resume goes on"),
    ):
        torch.save(torch.zeros(10**5), tmp_path / "full")


def test_safetensors_and_tokenizers_that_cannot_write(tmp_path: Path, mini: Subject) -> None:
    missing = tmp_path / "none" / "file"
    for write in (
        lambda: safetensors.torch.save_file({"a": torch.zeros(2)}, missing),
        lambda: mini.tokenizer.backend_tokenizer.save(str(missing)),
        lambda: missing.write_text("x"),
    ):
        with (
            pytest.raises(AttlasError, match=r"m cannot be written: .*No such file or directory"),
            libraries_write(tmp_path / "m"),
        ):
            write()


def test_other_errors_stay_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), libraries_write(tmp_path):
        print(1 / 0)


def test_a_folder_that_cannot_be_written_is_called_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("x")
    with pytest.raises(AttlasError, match=r"^--atlas \S+/words.txt cannot be written: \S+ is not a folder$"):
        check_writable(tmp_path / "words.txt", "--atlas", folder=True)


def test_a_files_hash_is_that_of_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"strawberries")
    assert file_hash(tmp_path / "a.txt") == hashlib.sha256(b"strawberries").hexdigest()
