"""At which step of pre-training do heads appear? The recipe of `mini` again, mapped as it goes.

    python research/pretrain.py prepare tokens.npz enwiki.txt.xz
    python research/heads_appear.py train out tokens.npz --minutes 4
    python research/heads_appear.py report out --images docs/images

`train` is the recipe (its rate falls over 20 minutes) for as long as there is time; --batch and --warm-up
make it shorter. Weights are kept at chosen steps; processes beside it give them to `attlas.Callback`, on the
CPU, so that training need not wait. Each map has the statistics of `attlas map` over a little of the embedded
text, and asks objects in the treebank that ships for their verbs, and back. `map` does what was left.
`report` says which heads pass the threshold of their kind, and when, and draws their curves.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from attlas.atlas.chapter import Chapter
from attlas.corpora.alignment import fits
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.source import Source
from attlas.corpora.windows import SentenceWindows, Window, WindowSource
from attlas.engines import Pass
from attlas.studies.callback import Callback, curves_of, first_above
from attlas.studies.dependency_study import DependencyLinks
from attlas.studies.links.accuracy import LinkAccuracy
from attlas.studies.links.link_questions import Link
from attlas.studies.provenance import about, chapter_name, described
from attlas.studies.study import RunPass
from attlas.subject import Subject

COLOURED = 5  # heads that end highest
RECIPE = 20.0  # minutes over which the rate falls
#: at which weights are kept: the first hundreds tell little, most happens while the loss falls
STEPS = {0, 10, 30, 100, *range(200, 1600, 200), *range(1600, 3600, 100), *range(3600, 25_000, 400)}
#: what a head is called: its statistic, group, and the value from which on it is one
APPEAR = {
    "next token": ("to_next", "", 0.5),
    "previous token": ("to_previous", "", 0.5),
    "[SEP]": ("to_class", "sep", 0.5),
    "punctuation": ("to_class", "punct", 0.5),
    "verb to object": ("head_to_dependent", "obj", 0.5),
    "object to verb": ("dependent_to_head", "obj", 0.5),
}


@dataclass(frozen=True)
class Objects:
    """How often each head points from an object to its verb, and back. One pass, and no choice of heads:
    `attlas probe dependencies` is the whole study."""

    source: Source

    @property
    def name(self) -> str:
        return chapter_name("objects", self.source)

    def describe(self) -> dict[str, Any]:
        return described("objects", self.source, {"seed": 0, "faithful": False})

    def conclude(self, run: RunPass) -> Chapter:
        statistics = {"to": "dependent_to_head", "from": "head_to_dependent"}
        asked = LinkAccuracy("links", object_links, statistics)  # type: ignore[arg-type]
        done = run(Pass("links", self.source, [asked], kernel="eager"))
        return Chapter(self.name, about(self.describe(), done, []), done.reducers[0].rows())


def object_links(window: Window) -> list[Link]:
    return [link for link in DependencyLinks(offsets=())(window) if "obj" in link.groups]


def objects(sentences: int, subject: Subject) -> Objects:
    windows = SentenceWindows(shortest=4, longest=30)
    return Objects(WindowSource(annotated_corpus(None), windows, fits(subject, 64), limit=sentences))


# training, and the process beside it


def train(options: argparse.Namespace) -> None:
    import pretrain
    import torch

    kept = options.out / "kept"
    kept.mkdir(parents=True, exist_ok=True)

    def watch(model: Any, step: int, ended: bool) -> None:
        if step == 0:
            model.config.save_pretrained(kept)
        if step in STEPS or ended:
            weights = {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()}
            torch.save(weights, kept / "new")
            (kept / "new").replace(kept / f"{step:08d}.pt")

    beside = _mappers(options, True)
    model, how = str(options.out / "model"), {"stop": options.minutes, "warm_up": options.warm_up}
    pretrain.train(model, options.paths, RECIPE, options.batch, options.device, watch, **how)
    (kept / "ended").touch()
    for process in beside:
        process.join()


def map_kept(options: argparse.Namespace) -> None:
    """Maps what was kept and is not mapped yet."""
    for process in _mappers(options, False):
        process.join()


def _mappers(options: argparse.Namespace, wait: bool) -> list[Any]:
    context = multiprocessing.get_context("spawn")
    mappers = [
        context.Process(target=_map, args=(options, i, wait), daemon=True) for i in range(options.mappers)
    ]
    for process in mappers:
        process.start()
    return mappers


def _map(options: argparse.Namespace, number: int, wait: bool) -> None:
    """A process's share of what is kept, each step into an atlas of its own; `wait`: until training ends."""
    import torch
    from pretrain import TOKENIZER
    from transformers import AutoTokenizer, BertConfig, BertForPreTraining

    if hasattr(os, "sched_setaffinity"):
        # so small a map is not worth the processes that would prepare it beside more cores
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[-1 - number % len(cores)]})
    torch.set_num_threads(1)
    kept, tokenizer = options.out / "kept", AutoTokenizer.from_pretrained(str(Path(TOKENIZER).parent))
    while True:
        ended = not wait or (kept / "ended").exists()
        for path in sorted(kept.glob("*.pt"))[number :: options.mappers]:
            atlas = options.out / "maps" / f"{path.stem}.attlas"
            if atlas.exists():
                continue
            model = BertForPreTraining(BertConfig.from_pretrained(kept))
            model.load_state_dict(torch.load(path, weights_only=True))
            asked = [partial(objects, options.sentences)]
            callback = Callback(atlas, tokenizer=tokenizer, segments=options.segments, studies=asked)
            callback.record(model, int(path.stem))
            counts = {name: len(heads) for name, heads in appear(callback.curves()).items()}
            print(f"mapped step {int(path.stem)}: {counts}", flush=True)
        if ended:
            return
        time.sleep(0.5)


# what was found


def appear(curves: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """For each kind of head, those that are one at the end, and since which step."""
    return {
        name: first_above(curves, *asked).to_dict("records")  # type: ignore[misc]
        for name, asked in APPEAR.items()
    }


def report(options: argparse.Namespace) -> None:
    from attlas.atlas import load_atlas

    atlases = sorted((options.out / "maps").glob("*.attlas"))
    curves = pd.concat([curves_of(load_atlas(path)) for path in atlases], ignore_index=True)
    appeared = appear(curves)
    (options.out / "appear.json").write_text(json.dumps(appeared, indent=1))
    last = int(curves["step"].max())
    print(f"steps 0 to {last:,}, {curves['step'].nunique()} maps\n")
    print("| heads | twice the start, from step | above 0.5, from step | how many | the best, at the end |")
    print("|---|---|---|---|---|")
    for name, (statistic, group, _) in APPEAR.items():
        by_head = curve(curves, statistic, group)
        rising = first_above(curves, statistic, group, 2 * by_head.iloc[0].max()).to_dict("records")
        best, start = by_head.iloc[-1].idxmax(), by_head.iloc[0].max()
        top = f"{best[0]}.{best[1]}, {by_head.iloc[-1].max():.2f} (from {start:.2f})"
        print(f"| {name} | {_first(rising)} | {_first(appeared[name])} | {len(appeared[name])} | {top} |")
    if options.images is not None:
        for path in draw(curves, options.images, steepest(options.out / "model" / "training_log.json")):
            print(path)


def steepest(log: Path) -> tuple[int, int]:
    """The steps between which the loss on masked words falls most, of all that are 400 apart."""
    losses = {row["step"]: row["mlm"] for row in json.loads(log.read_text())}
    first = max((step for step in losses if step + 400 in losses), key=lambda s: losses[s] - losses[s + 400])
    return first, first + 400


def _first(heads: list[dict[str, Any]]) -> str:
    """`1,200 (7.3)`: the step, and the head that was first to pass and stay above."""
    return f"{heads[0]['step']:,} ({heads[0]['layer']}.{heads[0]['head']})" if heads else "none"


def curve(curves: pd.DataFrame, statistic: str, group: str) -> pd.DataFrame:
    """step by head"""
    rows = curves[(curves["statistic"] == statistic) & (curves["group"] == group)]
    return rows.pivot(index="step", columns=["layer", "head"], values="value").sort_index()


def draw(curves: pd.DataFrame, images: Path, falls: tuple[int, int]) -> list[Path]:
    from attlas.figures.drawing import save_specs
    from attlas.figures.layout import FigureSpec, Group, Panel

    panels = []
    for name, (statistic, group, threshold) in APPEAR.items():
        by_head = curve(curves, statistic, group)
        above = int((by_head.iloc[-1] > threshold).sum())
        panels.append(
            Panel(
                title=name,
                subtitle=f"{above} of {by_head.shape[1]} heads end above {threshold}",
                says=f"{name}: a line a head over the steps of training.",
                draw=partial(_lines, by_head=by_head, threshold=threshold, falls=falls),
                height=230,
            )
        )
    caption = (
        f"A line a head over the steps of training, the {COLOURED} that end highest in colour. Shaded: steps "
        f"{falls[0]:,} to {falls[1]:,}, where the loss on masked words falls most."
    )
    spec = FigureSpec("appear", "heads-appear", "appear", caption, (Group("encoder", tuple(panels)),))
    return save_specs([spec], images, ("svg", "png"))


def _lines(ax: Any, theme: Any, by_head: pd.DataFrame, threshold: float, falls: tuple[int, int]) -> None:
    ax.axvspan(*falls, color=theme.muted, alpha=0.15, linewidth=0)
    heads = sorted(by_head.columns, key=lambda head: by_head[head].iloc[-1])
    for rank, head in enumerate(heads):
        first = rank >= len(heads) - COLOURED
        colour, width = (theme.series[0], 1.3) if first else (theme.muted, 0.4)
        ax.plot(by_head.index, by_head[head], color=colour, linewidth=width, alpha=0.9 if first else 0.45)
    top = float(by_head.max().max())
    if top > 0.6 * threshold:
        ax.axhline(threshold, color=theme.muted, linestyle=":", linewidth=1)
    ax.set_xlim(0, by_head.index.max())
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_ylim(0, 1 if top > threshold else max(1.1 * top, 0.1))
    ax.set_xlabel("step")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, do in (("train", train), ("map", map_kept), ("report", report)):
        command = commands.add_parser(name)
        command.set_defaults(do=do)
        command.add_argument("out", type=Path)
        if name == "train":
            command.add_argument("paths", nargs="+")
            command.add_argument("--minutes", type=float, default=4)
            command.add_argument("--batch", type=int, default=1024)
            command.add_argument("--warm-up", type=int, default=1_500)
            command.add_argument("--device", default="cuda")
        if name != "report":
            command.add_argument("--mappers", type=int, default=4)
            command.add_argument("--segments", type=int, default=32)
            command.add_argument("--sentences", type=int, default=200)
        else:
            command.add_argument("--images", type=Path)
    options = parser.parse_args()
    options.do(options)


if __name__ == "__main__":
    main()
