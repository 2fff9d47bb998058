"""Everything that users get wrong: one clear line, a non-zero exit, no traceback, nothing lost."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import transformers

import attlas
import bad_inputs
from attlas.cli import COMMANDS, main
from attlas.errors import AttlasError
from attlas.extras import version_of
from attlas.subject import Subject

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in this process: status, output, errors."""

    def command(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            main([str(a) for a in arguments])
        output, errors = capfd.readouterr()
        return int(stopped.value.code or 0), output, errors

    return command


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory, mini: Subject) -> Path:
    out = tmp_path_factory.mktemp("bad") / "good.attlas"
    attlas.map(mini, atlas=out, segments=4, length=16, sample=0, progress=False)
    return out


def assert_one_line(outcome: tuple[int, str, str], *words: str) -> None:
    status, output, errors = outcome
    assert status == 1
    assert output == ""
    assert errors.startswith("attlas: ")
    assert errors.count("\n") == 1, errors
    for word in words:
        assert word in errors


def test_a_missing_text(run: Run, tmp_path: Path) -> None:
    assert_one_line(
        run("map", "--text", tmp_path / "no.txt", "--atlas", tmp_path / "a"), "no.txt", "no such file"
    )


def test_an_empty_text(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    assert_one_line(
        run("map", "--text", tmp_path / "empty.txt", "--atlas", tmp_path / "a"), "empty.txt is empty"
    )


def test_a_text_of_blank_lines(run: Run, tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text("\n \n\n")
    outcome = run("map", "--text", tmp_path / "blank.txt", "--atlas", tmp_path / "a")
    assert_one_line(outcome, "blank.txt", "holds no segment")


def test_a_folder_for_a_text(run: Run, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    assert_one_line(run("map", "--text", tmp_path / "texts", "--atlas", tmp_path / "a"), "is a folder")


def test_a_text_that_is_not_utf_8(run: Run, tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"A good line.\nA caf\xe9 in Latin-1.\n")
    for strict in ([], ["--strict"]):
        outcome = run("map", "--text", tmp_path / "latin.txt", "--atlas", tmp_path / "a", *strict)
        assert_one_line(outcome, "latin.txt, line", "not UTF-8", "0xe9", "iconv")


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "\udcff\udcfe"),
        ("map", "--text", "a\udcff.txt"),
        ("map", "\udcff"),
        ("view", "mini", "a \udcff text"),
        ("ask", "a.attlas", "\udcff"),
        ("plan", "--tokens", "\udcff"),
        ("disable", "mini", "--heads", "\udcff"),
    ],
)
def test_an_argument_that_is_not_utf_8(run: Run, arguments: tuple[str, ...]) -> None:
    """Bytes of it that are no character come as halves of surrogate pairs."""
    assert_one_line(run(*arguments))


def test_an_unknown_model_with_no_network(run: Run, tmp_path: Path) -> None:
    outcome = run("map", "nobody/nothing", "--atlas", tmp_path / "a")
    assert_one_line(outcome, "nobody/nothing", "no network", "`mini` needs no network")


def test_a_name_that_no_hub_could_have(run: Run, tmp_path: Path) -> None:
    assert_one_line(
        run("map", "../a b/c/d", "--atlas", tmp_path / "a"), "neither a folder here nor a name on the hub"
    )


def test_a_folder_that_is_no_model(run: Run, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    outcome = run("map", tmp_path / "model", "--atlas", tmp_path / "a")
    assert_one_line(outcome, "is not a model", "config.json")


def test_a_model_folder_without_weights(run: Run, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    shutil.copy(Path(attlas.__file__).parent / "data" / "mini" / "config.json", tmp_path / "model")
    assert_one_line(run("map", tmp_path / "model", "--atlas", tmp_path / "a"), "no *.safetensors")


def test_weights_that_are_cut_short(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(Path(attlas.__file__).parent / "data" / "mini", folder)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100_000])
    assert_one_line(run("map", folder, "--atlas", tmp_path / "a"), "model cannot be read")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the embedded model, to be spoilt."""
    copy = tmp_path / "model"
    shutil.copytree(Path(attlas.__file__).parent / "data" / "mini", copy)
    return copy


def spoil(folder: Path, **changes: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **changes}))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"num_hidden_layers": 14}, "do not fit its config.json"),
        ({"hidden_size": 96}, "192, and 96 by the config"),
        ({"vocab_size": 10**13}, "memory is too small"),
        ({"num_hidden_layers": 10_000_000}, "num_hidden_layers is 10,000,000"),
        ({"hidden_size": "many"}, "Field 'hidden_size' expected int, got str"),
        ({"id2label": 5}, "has a value that a model of type bert cannot be built with"),
        ({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"}, "do not fit its config.json"),
        ({"architectures": ["pipeline"], "model_type": "unheard-of"}, "cannot be loaded"),
        ({"num_attention_heads": 0}, "cannot be loaded"),
        ({"hidden_act": "no such function"}, "names 'no such function', which is unknown"),
    ],
)
def test_weights_and_config_that_do_not_belong_together(
    changes: dict[str, object], words: str, run: Run, folder: Path, tmp_path: Path
) -> None:
    """transformers would fill what is missing at random: an atlas of noise."""
    spoil(folder, **changes)
    assert_one_line(run("map", folder, "--atlas", tmp_path / "a"), words)


def test_a_model_without_its_tokenizer(run: Run, folder: Path, tmp_path: Path) -> None:
    """transformers would make up one that knows no word."""
    (folder / "tokenizer.json").unlink()
    assert_one_line(run("map", folder, "--atlas", tmp_path / "a"), "has no tokenizer")


def test_a_tokenizer_that_is_damaged(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "tokenizer.json").write_text("{")
    assert_one_line(run("map", folder, "--atlas", tmp_path / "a"), "the tokenizer of", "cannot be read")


def test_a_tokenizer_of_another_model(mini: Subject) -> None:
    config = transformers.BertConfig(
        vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    subject = attlas.load(transformers.BertModel(config), mini.tokenizer)
    with pytest.raises(AttlasError, match="give it the tokenizer it was trained with"):
        subject.encode("Strawberries and other words.")


def test_code_that_comes_with_a_model_does_not_run(run: Run, folder: Path, tmp_path: Path) -> None:
    bait = tmp_path / "ran"
    (folder / "mine.py").write_text(f"open({str(bait)!r}, 'w')\nclass Mine: pass\n")
    spoil(folder, model_type="mine", auto_map={"AutoConfig": "mine.Mine", "AutoModel": "mine.Mine"})
    status, _, errors = run("map", folder, "--atlas", tmp_path / "a")
    assert status == 1
    assert errors.count("\n") == 1
    assert "--trust-remote-code" in errors
    assert not bait.exists()


def test_a_pickle_runs_no_code(run: Run, tmp_path: Path) -> None:
    """A model folder whose weights are a pickle that would run code: torch reads tensors from it, or
    nothing."""
    folder = tmp_path / "model"
    folder.mkdir()
    shutil.copy(Path(attlas.__file__).parent / "data" / "mini" / "config.json", folder)
    bait = tmp_path / "ran"
    (folder / "pytorch_model.bin").write_bytes(f"cposix\nsystem\n(S'touch {bait}'\ntR.".encode())
    assert_one_line(run("map", folder, "--atlas", tmp_path / "a"), "could run code", "save_pretrained")
    assert not bait.exists()


def test_a_file_for_a_model(run: Run, tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_text("x")
    assert_one_line(run("map", tmp_path / "model.bin", "--atlas", tmp_path / "a"), "is a file")


def test_a_segment_longer_than_the_model_takes(run: Run, tmp_path: Path) -> None:
    outcome = run("map", "--length", "513", "--atlas", tmp_path / "a")
    assert_one_line(outcome, "--length 513", "at most 512")


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--segments", "0", "should be greater than or equal to 1, or should be 'all'"),
        ("--segments", "many", "should be a valid integer"),
        ("--segments", "1.5", "should be a valid integer"),
        ("--length", "3", "should be greater than or equal to 4"),
        ("--sample", "-1", "should be greater than or equal to 0"),
        ("--batch", "0", "should be greater than or equal to 1"),
        ("--kernel", "magic", "should be 'triton', 'tiled' or 'eager'"),
        ("--dtype", "int4", "should be 'float32', 'bfloat16' or 'float16'"),
        ("--device", "abacus", "there is no device 'abacus'"),
        ("--seed", "-1", "should be greater than or equal to 0"),
        ("--offsets", "128", "no such neighbours"),
        ("--classes.cls", "x", "cannot be called 'cls'"),
        ("--classes.mine", "notatokenofthisvocabulary", "no token of this vocabulary"),
    ],
)
def test_a_bad_option(option: str, value: str, words: str, run: Run, tmp_path: Path) -> None:
    assert_one_line(run("map", f"{option}={value}", "--atlas", tmp_path / "a"), words)


def test_an_unknown_option_and_an_unknown_command(run: Run) -> None:
    assert_one_line(run("map", "--colour", "red"), "--colour")
    assert_one_line(run("paint"), "paint")


def test_a_value_too_many_is_named(run: Run) -> None:
    assert_one_line(
        run("map", "mini", "--segments", "128", "512"), "512: it is not clear what this belongs to"
    )


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("show",), "show needs ATLAS: The folder of an atlas"),
        (("map", "mini", "--segments"), "map needs a value for --segments: How many segments"),
        (("probe", "dependencies", "mini", "--csv"), "probe dependencies needs a value for --csv"),
    ],
)
def test_what_is_missing_is_named_and_explained(command: tuple[str, ...], words: str, run: Run) -> None:
    assert_one_line(run(*command), words, "--help")


@pytest.mark.parametrize("command", [(), ("probe",)])
def test_no_command_at_all_lists_the_commands(command: tuple[str, ...], run: Run) -> None:
    status, output, errors = run(*command)
    assert status == 0
    assert "Usage" in output
    for name in [c.__name__ for c in COMMANDS if (c.panel == "Probes") == (command == ("probe",))]:
        assert re.search(rf"^│ {name} ", output, re.MULTILINE), output
    assert errors == ""


@pytest.mark.parametrize(
    "command",
    [
        "--json show ATLAS --head 7.9",
        "show --json ATLAS --head 7.9",
        "show ATLAS --head --json 7.9",
        "show ATLAS --head 7.9 --json=true",
        "show --head 7.9 --json -- ATLAS",
    ],
)
def test_json_is_asked_for_anywhere_in_a_command(command: str, run: Run, atlas: Path) -> None:
    status, output, errors = run(*command.replace("ATLAS", str(atlas)).split())
    assert (status, errors) == (0, "")
    assert json.loads(output)["statistics"]


def test_what_follows_two_dashes_is_no_flag(run: Run) -> None:
    assert_one_line(run("show", "--", "--json"), "--json: no such atlas")


@pytest.mark.parametrize("flag", ["--json=maybe", "--debug=maybe"])
@pytest.mark.parametrize("command", ["{} show a.attlas", "show a.attlas {}", "probe {} paint"])
def test_a_flag_of_every_command_with_a_wrong_value(command: str, flag: str, run: Run) -> None:
    assert_one_line(run(*command.format(flag).split()), flag.partition("=")[0], "maybe")


@pytest.mark.parametrize(
    "command", ["--version", "map --version", "probe tree --version", "--json --version"]
)
def test_every_command_says_the_version_of_attlas(command: str, run: Run) -> None:
    assert run(*command.split()) == (0, f"{version_of('attlas')}\n", "")


def test_an_output_folder_that_exists(run: Run, atlas: Path, tmp_path: Path) -> None:
    assert_one_line(run("map", "--atlas", atlas), "has a chapter surface-wikipedia already", "--overwrite")
    (tmp_path / "thesis.docx").write_text("ten years of work")
    assert_one_line(run("map", "--atlas", tmp_path, "--overwrite"), "is not an atlas")
    assert (tmp_path / "thesis.docx").exists()


def test_an_output_that_cannot_be_written(run: Run) -> None:
    assert_one_line(run("map", "--atlas", "/proc/nowhere/a.attlas", "--segments", "2"), "cannot be written")


def test_a_folder_for_figures_that_cannot_be_written(run: Run, atlas: Path, tmp_path: Path) -> None:
    """Refused by its own name, before anything is drawn."""
    (tmp_path / "words.txt").write_text("x")
    assert_one_line(
        run("draw", atlas, "--figures", tmp_path / "words.txt"), "--figures", "words.txt is not a folder"
    )


def test_overwriting_an_atlas_replaces_it(mini: Subject, atlas: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.attlas"
    shutil.copytree(atlas, copy)
    made = attlas.map(mini, atlas=copy, overwrite=True, segments=5, length=16, sample=0, progress=False)
    assert made.about()["corpus"]["segments"] == 5
    assert [p.name for p in tmp_path.iterdir()] == ["copy.attlas"]


@pytest.mark.parametrize("name", ["heads.parquet", "arrays.safetensors", "examples.parquet", "manifest.json"])
def test_an_atlas_with_a_flipped_byte(name: str, run: Run, atlas: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.attlas"
    shutil.copytree(atlas, copy)
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 0x01
    (copy / name).write_bytes(content)
    assert_one_line(run("show", copy), "is damaged", name)


def test_an_atlas_with_a_missing_file(run: Run, atlas: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.attlas"
    shutil.copytree(atlas, copy)
    (copy / "heads.parquet").unlink()
    assert_one_line(run("show", copy), "heads.parquet is missing")


def test_an_atlas_of_a_newer_schema(run: Run, atlas: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.attlas"
    shutil.copytree(atlas, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, "schema": 3}))
    assert_one_line(run("show", copy), "schema 3", "reads up to 2", "update attlas")


def test_what_is_no_atlas(run: Run, tmp_path: Path) -> None:
    assert_one_line(run("show", tmp_path), "is not an atlas")
    assert_one_line(run("show", tmp_path / "none"), "no such atlas")


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("12.0", "there is no head 12.0"),
        ("7-9", "LAYER.HEAD counted from 0"),
        ("cross.1.1", "there is no head"),
    ],
)
def test_a_head_that_is_not_there(head: str, words: str, run: Run, atlas: Path) -> None:
    assert_one_line(run("show", atlas, "--head", head), words)


@pytest.mark.parametrize("damage", ["not ours", "other json"])
def test_a_checkpoint_that_is_not_what_it_was_is_not_resumed(
    damage: str, run: Run, mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damaged parts of the work are done again: see engines/test_unfinished.py."""

    def cut(*_: object, **__: object) -> None:
        raise RuntimeError("power cut")

    options = {"segments": 4, "length": 16, "sample": 0, "progress": False, "batch": 2}
    out, part = tmp_path / "a.attlas", tmp_path / "a.attlas.part" / "surface-wikipedia"
    monkeypatch.setattr("attlas.studies.study_run.add_chapter", cut)
    with pytest.raises(RuntimeError):
        attlas.map(mini, atlas=out, **options)  # type: ignore[arg-type]
    monkeypatch.undo()
    if damage == "not ours":
        (part / "thesis.docx").write_text("ten years of work")
    else:
        (part / "settings.json").write_text("[]")
    with pytest.raises(AttlasError, match=r"other settings|not an unfinished run"):
        attlas.map(mini, atlas=out, resume=True, **options)  # type: ignore[arg-type]
    if damage == "not ours":
        with pytest.raises(AttlasError, match="not an unfinished run"):
            attlas.map(mini, atlas=out, overwrite=True, **options)  # type: ignore[arg-type]
        assert (part / "thesis.docx").exists()


@pytest.fixture(scope="module")
def bad_files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("bad-inputs")
    bad_inputs.make_files(folder)
    return folder, bad_inputs.names_of(folder)


@pytest.mark.parametrize("case", bad_inputs.cases())
def test_a_bad_input_ends_in_one_clear_line(case: str, bad_files: tuple[Path, dict[str, Any]]) -> None:
    assert bad_inputs.wrong_with(case, *bad_files) is None


@pytest.mark.parametrize(
    ("said", "width"),
    [("0", 80), ("1", 20), ("2", 20), ("-5", 80), ("wide", 80), ("²", 80), ("9" * 5000, 1000), ("60", 60)],
)
def test_help_ends_however_wide_the_terminal_says_it_is(
    said: str, width: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", said)
    monkeypatch.setattr(os, "get_terminal_size", lambda *_: os.terminal_size((80, 24)))
    status, output, _ = run("report", "--help")
    assert status == 0
    assert os.environ["COLUMNS"] == str(width)
    assert "--overwrite" in output or width == 20
    assert max(map(len, output.splitlines())) <= max(width, 80)


def test_what_was_not_foreseen_is_one_line_too(
    run: Run, atlas: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attlas.atlas.Atlas.overview", lambda *_: 1 / 0)
    assert_one_line(run("show", atlas), "should not happen", "ZeroDivisionError", "--debug")


def test_a_full_device_for_the_output(atlas: Path) -> None:
    command = f"{sys.executable} -c 'from attlas.cli import main; main()' show {atlas} > /dev/full"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("attlas: ")
    assert done.stderr.count("\n") == 1


def test_debug_shows_the_traceback(atlas: Path) -> None:
    with pytest.raises(AttlasError, match="there is no head"):
        main(["show", str(atlas), "--head", "99.0", "--debug"])


def test_an_interrupt_while_libraries_load_is_one_line(tmp_path: Path) -> None:
    """Somebody presses Ctrl-C at once: here, when the terminal's own library is being imported."""
    (tmp_path / "cyclopts.py").write_text("raise KeyboardInterrupt\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from attlas.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "attlas: stopped\n")


def test_a_closed_pipe_ends_quietly(atlas: Path) -> None:
    command = f"{sys.executable} -c 'from attlas.cli import main; main()' show {atlas} | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=os.environ, check=False)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_a_terminal_is_told_what_is_loading_and_keeps_nothing_of_it(atlas: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "attlas", "draw", str(atlas), "--figures", str(atlas.parent / "drawn")]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    printed = b""
    with contextlib.suppress(OSError):  # how a terminal ends
        while some := os.read(ours, 1000):
            printed += some
    written, _ = started.communicate()
    assert started.returncode == 0
    assert written.count("\n") >= 3
    assert b"draw: loading what it needs ..." in printed
    assert b"drawing figure-1-maps ..." in printed
    assert printed.endswith(b"\r\x1b[K")


def test_a_line_says_how_long_it_already_takes(capfd: pytest.CaptureFixture[str]) -> None:
    """Loading takes long at times: something must move."""
    ours, theirs = pty.openpty()
    script = (
        "import sys; from attlas.progress import status_line, tell\n"
        "with status_line():\n    tell('loading'); sys.stdin.read(); tell('running')\n"
    )
    started = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    printed = b""
    assert started.stdin is not None
    with contextlib.suppress(OSError):
        while some := os.read(ours, 1000):
            printed += some
            if re.search(rb"loading \.\.\. \d+ s", printed):
                started.stdin.close()
    assert started.wait() == 0
    assert re.search(rb"loading \.\.\..*loading \.\.\. \d+ s.*running \.\.\.", printed, re.DOTALL)
    assert printed.endswith(b"\r\x1b[K")


def test_show_prints_every_head_and_json_is_valid(run: Run, atlas: Path) -> None:
    (chapter,) = attlas.load_atlas(atlas).chapters
    status, output, _ = run("show", atlas, "--chapter", chapter)
    assert status == 0
    assert len(re.findall(r"^ *\d+\.\d+ ", output, re.MULTILINE)) == 144
    status, output, _ = run("--json", "show", atlas, "--head", "7.9")
    data = json.loads(output)
    assert status == 0
    columns = {"chapter", "statistic", "group", "value", "stderr", "n", "documents", "effective", "untrained"}
    assert columns == data["statistics"][0].keys()


def test_text_with_odd_characters_is_mapped(mini: Subject, tmp_path: Path) -> None:
    """A byte-order mark, Windows lines, emoji, right-to-left text, control characters, one endless line."""
    text = tmp_path / "odd.txt"
    odd = [
        "\ufeffFirst sentence. Second one 🦜.",
        "مرحبا بالعالم. שלום.",
        "\x01\x07 control. \u200b zero width.",
        "word " * 3000,
    ]
    text.write_bytes("\r\n".join(odd).encode())
    made = attlas.map(
        mini, text=text, atlas=tmp_path / "a.attlas", segments=6, length=32, sample=2, progress=False
    )
    assert made.heads["value"].notna().all()
