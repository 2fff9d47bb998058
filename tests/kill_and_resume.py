"""Kills a run at random moments and resumes it, again and again: every atlas must equal that of a quiet run.

    python tests/kill_and_resume.py --times 50

Each time a command is started into a new folder and killed (SIGKILL, sometimes SIGTERM or SIGINT) at a random
moment of its work, resumed, half of the time killed again, resumed, and left to end. Moments are counted from
when a run begins to write, over the time that a quiet run takes from there to its end: before it, Python
starts, and there is nothing to lose. A time at which a run ended before its moment came is done over.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.resources import files
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
import transformers

from attlas.corpora import windows
from attlas.engines.unfinished import UnfinishedRun
from own_process import CONTEXT, OwnProcess, command

# many small documents and shards, so that there are many moments between two checkpoints
TEXT = "--text {text} --segments 48 --length 24 --batch 2 --shard 48"
COMMANDS = {
    "map": f"map {{model}} {TEXT} --sample 6 --atlas {{out}}",
    "map on 2 workers": f"map {{model}} {TEXT} --sample 6 --atlas {{out}} --workers 2",
    "map on ray": f"map {{model}} {TEXT} --sample 6 --atlas {{out}} --engine ray --address {{address}}",
    "probe": "probe dependencies {model} --windows 400 --min-count 20 --atlas {out}",
    "disable": "disable {model} --text {text} --segments 12 --length 12 --batch 2 --atlas {out}",
    "patterns": f"patterns {{model}} {TEXT} --repeated 8 --hidden 4 --atlas {{out}}",
    "patterns --test": f"patterns {{model}} {TEXT} --repeated 8 --hidden 0 --test 6 --atlas {{out}}",
    "probe tree": "probe tree {model} {treebank} --quick --epochs 1 --probes attention --probes distances "
    "--trained {out}-trained --atlas {out}",
    "prune": "prune {model} --text {text} --segments 12 --length 12 --batch 2 --shard 48 --steps 3 "
    "--random-orders 1 --atlas {out}",
    "patch": "patch {model} agreement --count 6 --atlas {out}",
    "writes": "writes {model} --text {text} --segments 24 --length 12 --batch 2 --shard 48 --atlas {out}",
    "finetune": "finetune {model} SST-2 --data {glue} --epochs 3 --batch 8 --length 12 --save {out}",
    "report": "report {model} --text {text} --atlas {out}/a.attlas --page {out}/page.html",
    "reproduce": "reproduce vig2019 {model} --folder {out}",
}
#: what a file says of itself that no second run says again
TIMES = ("time", "checksum", "seconds", "minutes", "page", "files", "folder")
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def contents(made: Path) -> dict[str, Any]:
    """Every file of a folder that a command leaves; of JSON all but times and paths. A page is there or not:
    what it is made of is compared."""
    content: dict[str, Any] = {
        str(f.relative_to(made)): f.read_bytes() for f in sorted(made.rglob("*")) if f.is_file()
    }
    for name in content:
        if name.endswith(".json"):
            content[name] = _timeless(json.loads(content[name]))
        elif name.endswith(".html"):
            content[name] = "a page"
    return content


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(inner) for key, inner in value.items() if key not in TIMES}
    return [_timeless(inner) for inner in value] if isinstance(value, list) else value


def write_text(path: Path) -> None:
    """Short documents of words in no order."""
    rng = random.Random(0)
    words = "the a red old ship sea wind house of in on and but saw took gave , . her they".split()  # noqa: SIM905
    documents = (" ".join(rng.choices(words, k=40)) + "." for _ in range(80))
    path.write_text("".join(json.dumps({"text": document}) + "\n" for document in documents))


def write_glue(folder: Path) -> None:
    """SST-2, as GLUE has it: a film is good or bad."""
    (folder / "SST-2").mkdir(parents=True)
    rng = random.Random(1)
    for split, count in (("train", 72), ("dev", 16)):
        words = [" ".join(rng.choices("the a film was one very old red".split(), k=4)) for _ in range(count)]  # noqa: SIM905
        lines = [f"{text} {('bad', 'good')[n % 2]}\t{n % 2}" for n, text in enumerate(words)]
        (folder / "SST-2" / f"{split}.tsv").write_text("\n".join(["sentence\tlabel", *lines]) + "\n")


def write_treebank(path: Path) -> None:
    """The first sentences of the sample that ships."""
    sample = (files("attlas") / "data" / "treebank" / "en_ewt-sample.conllu").read_text(encoding="utf-8")
    path.write_text("\n\n".join(sample.split("\n\n")[:60]) + "\n\n", encoding="utf-8")


def save_model(folder: Path) -> None:
    """A small one: most of a run is then what is done between shards and passes."""
    mini = files("attlas") / "data" / "mini"
    torch.manual_seed(0)
    config = transformers.AutoConfig.from_pretrained(mini, num_hidden_layers=2)
    model = transformers.AutoModelForPreTraining.from_config(config)
    folder.mkdir()
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    config.save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(mini).save_pretrained(folder)


class Runs:
    """One command, into whatever folder it is told."""

    def __init__(self, command: str, **places: object) -> None:
        self.command, self.places = command, places

    def to_the_end(self, out: Path) -> float:
        """Seconds of its work, from when it begins to write."""
        process = self._begun(out)
        began = time.monotonic()
        _end(process)
        return time.monotonic() - began

    def killed(self, out: Path, after: float, sent: signal.Signals) -> bool:
        """Whether the signal ended it, so many seconds after it began to write."""
        process = self._begun(out)
        if process.ended(within=after) is None:
            process.send(sent)
            status = process.ended()
            if status in (-sent, 128 + sent):
                return True
            if status:
                raise SystemExit(f"it ended with {status} on {sent.name}: {process.said}")
        _end(process)
        return False

    def _begun(self, out: Path) -> OwnProcess:
        resume = ["--resume"] if out.exists() or part_of(out).exists() else []  # else there is nothing
        words = [*self.command.format(out=out, **self.places).split(), "--no-progress", *resume]
        ours, theirs = CONTEXT.Pipe(duplex=False)
        process = OwnProcess(command_that_says_when_it_writes, theirs, words)
        theirs.close()
        with suppress(EOFError):  # it may end before
            ours.recv()
        return process


def command_that_says_when_it_writes(begins: Connection, words: list[str]) -> None:
    """On shards of a few sentences."""

    def enter_and_say(
        self: UnfinishedRun, enter: Callable[[UnfinishedRun], UnfinishedRun] = UnfinishedRun.__enter__
    ) -> UnfinishedRun:
        with suppress(OSError):  # a verb may write several times: nobody listens after the first
            begins.send(None)
        return enter(self)

    UnfinishedRun.__enter__ = enter_and_say  # type: ignore[method-assign]
    windows.WindowSource = partial(windows.WindowSource, shard_words=512)  # type: ignore[misc, assignment]
    command(*words)


def part_of(out: Path) -> Path:
    return out.with_name(out.name + ".part")


def _end(process: OwnProcess) -> None:
    if status := process.ended():
        raise SystemExit(f"attlas ended with {status}: {process.said}")


def kill_and_resume(name: str, times: int, seed: int, folder: Path) -> int:
    """How often runs were killed, over all times. Ends at the first atlas that differs."""
    rng, quiet, kills = random.Random(seed), folder / "quiet.attlas", 0
    text, model = folder / "text.jsonl", folder / "model"
    glue, treebank = folder / "glue", folder / "part.conllu"
    write_text(text)
    write_glue(glue)
    write_treebank(treebank)
    save_model(model)
    with _cluster("{address}" in COMMANDS[name]) as address:
        runs = Runs(COMMANDS[name], text=text, model=model, address=address, glue=glue, treebank=treebank)
        seconds = runs.to_the_end(quiet)
        for n in range(times):
            kills += _killed_and_resumed(runs, folder / f"{n}.attlas", seconds, rng)
            _check_same(quiet, folder / f"{n}.attlas", f"{name}, time {n}")
            print(f"{name}: {n + 1} of {times}, killed {kills} times", flush=True)
    return kills


def _killed_and_resumed(runs: Runs, out: Path, seconds: float, rng: random.Random) -> int:
    """How often it was killed until it was left to end."""
    wanted, kills = rng.choice((1, 2)), 0
    while kills < wanted and runs.killed(out, rng.uniform(0, seconds), rng.choice(SIGNALS)):
        kills += 1
    if kills == wanted:
        runs.to_the_end(out)
    elif kills == 0:  # it ended before its moment came
        shutil.rmtree(out)
        return _killed_and_resumed(runs, out, 0.8 * seconds, rng)
    return kills


def _check_same(quiet: Path, out: Path, when: str) -> None:
    expected, left_after = contents(quiet), contents(out)
    different = sorted(f for f in {*expected, *left_after} if expected.get(f) != left_after.get(f))
    different += [str(f) for f in out.rglob("*") if f.name.endswith((".new", ".part", ".unfinished"))]
    if different:
        raise SystemExit(f"{when}: {', '.join(different)} differ")
    left = [p.name for p in out.parent.iterdir() if p.name.startswith((f"{out.name}.", f".{out.name}"))]
    if left:
        raise SystemExit(f"{when}: {', '.join(left)} are left behind")


@contextmanager
def _cluster(wanted: bool) -> Iterator[str]:
    """The address of a Ray cluster of one node on this machine."""
    if not wanted:
        yield ""
        return
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        yield cluster.address
    finally:
        cluster.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=COMMANDS, nargs="+", default=list(COMMANDS))
    arguments = parser.parse_args()
    for name in arguments.only:
        with tempfile.TemporaryDirectory() as folder:
            kills = kill_and_resume(name, arguments.times, arguments.seed, Path(folder))
        print(f"{name}: killed {kills} times, all {arguments.times} atlases are like that of a quiet run")


if __name__ == "__main__":
    main()
