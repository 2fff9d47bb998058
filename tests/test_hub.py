"""Atlases pushed to and fetched from a stand-in of the Hugging Face Hub on loopback. The real hub was not
tried: large files go there by LFS or Xet, which the hub's own library does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from huggingface_hub import constants

import attlas
from attlas import cli
from attlas.atlas import load_atlas
from attlas.atlas.hub import fetch_atlas, is_hub_address, repository_of
from attlas.errors import AttlasError
from attlas.site.pushing import card_of
from hub_stand_in import TOKEN, StandIn, stand_in_hub

ASK = Path(__file__).parent / "data" / "ask"


@pytest.fixture(scope="module")
def hub() -> Any:
    with stand_in_hub() as running:
        yield running


@pytest.fixture
def run(hub: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Any:
    """Runs commands as somebody who is logged in at the stand-in: exit status, what they print, errors."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))

    def done(*arguments: str, token: str = TOKEN, address: str = hub.address) -> tuple[int, str, str]:
        monkeypatch.setenv("HF_ENDPOINT", address)
        monkeypatch.setenv("HF_TOKEN", token)
        status = cli.run(arguments)
        return status, *capsys.readouterr()

    return done


def run_apart(hub: StandIn, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, with the hub's own settings."""
    env = {**os.environ, "HF_ENDPOINT": hub.address, "HF_HUB_OFFLINE": "0", "HF_HOME": str(folder)}
    command = [sys.executable, "-m", "attlas", *arguments]
    return subprocess.run(
        command, env={**env, "HF_TOKEN": TOKEN}, capture_output=True, text=True, timeout=300, check=False
    )


def test_an_atlas_that_was_pushed_is_read_by_its_address(hub, tmp_path):
    pushed = run_apart(hub, tmp_path, "push", str(ASK / "mini.attlas"), "me/mini-atlas")
    assert pushed.returncode == 0, pushed.stderr
    assert "hf://me/mini-atlas" in pushed.stdout
    repository = hub.repositories["me/mini-atlas"]
    assert repository.private
    assert repository.files["heads.parquet"] == (ASK / "mini.attlas" / "heads.parquet").read_bytes()
    asked = run_apart(hub, tmp_path, "ask", "hf://me/mini-atlas", "what does head 7.10 do?")
    assert asked.returncode == 0, asked.stderr
    here = attlas.ask(ASK / "mini.attlas", "what does head 7.10 do?").heads[0].sentence
    assert here.split(". ")[0] in " ".join(asked.stdout.split())


def test_what_was_changed_on_the_way_is_refused(hub, run):
    assert run("push", str(ASK / "minilm.attlas"), "me/spoiled", "--public")[0] == 0
    assert not hub.repositories["me/spoiled"].private
    status, _, error = run("push", str(ASK / "minilm.attlas"), "me/spoiled")
    assert status == 1
    assert "me/spoiled is public on the hub" in error
    hub.repositories["me/spoiled"].files["heads.parquet"] += b"!"
    status, _, error = run("show", "hf://me/spoiled")
    assert status == 1
    assert "heads.parquet does not match its checksum" in error
    hub.repositories["me/spoiled"].files["manifest.json"] = b'{"schema": 2, "files": {"../../x": "0"}}'
    before = len(hub.requests)
    status, _, error = run("show", "hf://me/spoiled")
    assert status == 1
    assert "its files are not those of an atlas" in error
    assert not any(".." in request for request in hub.requests[before:])


@pytest.mark.parametrize(
    ("arguments", "options", "says"),
    [
        (("show", "hf://me/nothing-there"), {}, "no such atlas on the hub"),
        (("push", str(ASK / "minilm.attlas"), "me/x"), {"token": "hf_wrong"}, "the hub refused"),
        (("show", "hf://me/x"), {"address": "http://no-such-host.invalid"}, "there is no network"),
        (
            ("push", str(ASK / "minilm.attlas"), "me/x"),
            {"address": "http://no.invalid"},
            "there is no network",
        ),
        (("report", "hf://me"), {}, "write hf://OWNER/NAME"),
    ],
)
def test_what_goes_wrong_at_the_hub_is_one_line(run, arguments, options, says):
    status, _, error = run(*arguments, **options)
    assert status == 1
    assert says in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("name", ["mini", "a/b/c", "../x", "me/..%2f", "me/a b", ".x/y"])
def test_what_is_no_name_on_the_hub_is_refused(name):
    with pytest.raises(AttlasError, match="is not a name on the hub: write OWNER/NAME"):
        attlas.push(ASK / "mini.attlas", name)


def test_addresses_are_read_as_text_and_as_paths():
    assert repository_of("hf://me/mini-atlas") == ("me/mini-atlas", None)
    assert repository_of(Path("hf://me/mini-atlas@v1")) == ("me/mini-atlas", "v1")
    assert not is_hub_address("out/hf/mini")
    with pytest.raises(AttlasError, match="write hf://OWNER/NAME"):
        fetch_atlas("hf://mini", lambda _: [])


def test_the_card_says_what_stands_out_and_lets_the_viewer_open_the_numbers():
    atlas = load_atlas(ASK / "mini.attlas")
    _, front, text = card_of(atlas, "me/mini").split("---\n", 2)
    about = yaml.safe_load(front)
    assert about["configs"][0] == {"config_name": "heads", "data_files": "heads.parquet", "default": True}
    assert "Head 8.10 finds the noun of a preposition" in text
    atlas.manifest["model"]["name"] = "evil]\n---\n<script>|"
    _, front, text = card_of(atlas, "me/mini").split("---\n", 2)
    assert list(yaml.safe_load(front)) == list(about)
    assert not re.search(r"(?<!\\)<script", text)


def test_the_space_runs_a_command_that_there_is():
    folder = Path(__file__).parents[1] / "examples" / "space"
    command = (folder / "Dockerfile").read_text().split("\nCMD attlas ")[1]
    words = re.sub(r"\$(\w+)", r"\1", command).split()
    verb, bound, _ = cli.app.parse_args(words, print_error=False, exit_on_error=False)
    assert verb is attlas.serve
    assert bound.arguments["host"] == "0.0.0.0"
    about = yaml.safe_load((folder / "README.md").read_text().split("---\n")[1])
    assert about["app_port"] == int(bound.arguments["port"])
