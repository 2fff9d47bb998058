"""What libraries say when they cannot write a file becomes one line that names the place."""

from __future__ import annotations

import fcntl
import hashlib
from pathlib import Path

import pytest
import safetensors.torch
import torch

from attlas.errors import AttlasError
from attlas.files import check_writable, file_hash, libraries_write, write_whole
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


def test_what_a_killed_run_left_beside_a_file_is_cleared_by_the_next_write(tmp_path: Path) -> None:
    left, other = tmp_path / ".page.html.0123abcd.new", tmp_path / ".mine.html.0123abcd.new"
    for path in (left, other):
        path.write_text("half")
    with left.open("rb") as held:  # a run that is alive holds its lock
        fcntl.flock(held, fcntl.LOCK_EX)
        write_whole(tmp_path / "page.html", "whole")
        assert left.exists()
    write_whole(tmp_path / "page.html", "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".mine.html.0123abcd.new", "page.html"]
