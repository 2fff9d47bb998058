"""The folder that fine-tuning leaves, whole or not there; `NAME.part` beside it has an unfinished run."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attlas.engines import UnfinishedRun
from attlas.engines.unfinished import SETTINGS
from attlas.errors import AttlasError, option
from attlas.files import libraries_write, write_whole
from attlas.studies.finetuning.card import card
from attlas.studies.finetuning.finetuned import REPORT, plain
from attlas.subject import Subject


@contextmanager
def unfinished_run(
    out: Path, identity: dict[str, Any], resume: bool, overwrite: bool
) -> Iterator[Path | None]:
    """The folder of an unfinished run, for this run alone; None where the finished model is there already."""
    if resume and overwrite:
        raise AttlasError(
            f"{option('resume', True)} continues a run and {option('overwrite', True)} begins "
            "it again: give one of them"
        )
    out = Path(os.path.realpath(out))
    run = UnfinishedRun.beside(out)
    written = json.loads(json.dumps(identity))
    if resume and _is_finished(out, written) and run.settings() != written:
        yield None
        return
    _refuse_replacing(out, overwrite or (resume and run.settings() is not None))
    with run:
        if not run.begin(identity, resume, overwrite):
            shutil.rmtree(run.folder / "checkpoints", ignore_errors=True)
            run.keep("begun", {}, None)  # one that is to replace a model is resumed from its very beginning
        yield run.folder
        if out.is_dir():
            shutil.rmtree(run.folder, ignore_errors=True)


def leave(model: Subject, report: dict[str, Any], part: Path, out: Path) -> None:
    """The finished folder, in one step."""
    made = part / "finished"
    shutil.rmtree(made, ignore_errors=True)
    with libraries_write(out, f"the work is kept: {option('resume', True)} writes it"):
        network: Any = model.model
        network.save_pretrained(made)
        model.tokenizer.save_pretrained(made)
        write_whole(made / REPORT, json.dumps(plain(report), indent=1))
        write_whole(made / "README.md", card(plain(report)))
        out = Path(os.path.realpath(out))
        old = part / "replaced"
        if out.exists():
            shutil.rmtree(old, ignore_errors=True)  # of a run that was killed here
            out.replace(old)
        made.replace(out)
        (part / SETTINGS).unlink(missing_ok=True)
        shutil.rmtree(old, ignore_errors=True)


def _refuse_replacing(out: Path, wanted: bool) -> None:
    """What is there is replaced only where that is wanted, and only a model."""
    if out.exists() and not out.is_dir():
        raise AttlasError(f"{out} is a file, where a folder would go: move it, or choose another folder")
    if not out.is_dir() or not any(out.iterdir()):
        return
    if not wanted:
        raise AttlasError(f"{out} is there already: {option('overwrite', True)} replaces it")
    if not (out / "config.json").is_file():
        raise AttlasError(f"{out} is not a model, so it is not overwritten: choose another folder")


def _is_finished(out: Path, identity: dict[str, Any]) -> bool:
    """Whether the model that this run would make is there."""
    try:
        report = json.loads((out / REPORT).read_text())
    except (OSError, ValueError):
        return False
    return all(report.get(key) == value for key, value in identity.items())
