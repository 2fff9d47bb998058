"""At which step of pre-training do heads appear? The recipe of `mini` again, mapped as it goes.

    python training/pretrain.py prepare tokens.npz enwiki.txt.xz
    python training/heads_appear.py out tokens.npz --minutes 3

A map at steps 0, 1, 2, 4, 8, ... and at halves between them, over the embedded text; and every word of the
treebank that ships is asked for its head, so that heads that find objects are seen. `out` gets the atlas, the
curves as figures, and appear.json: for each kind of head, which pass their threshold, and when.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pretrain
from torch import nn
from transformers import AutoTokenizer

from attlas.corpora.alignment import fits
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.window_source import WindowSource
from attlas.corpora.windows import SentenceWindows
from attlas.studies.callback import Callback, curves_of, first_above
from attlas.studies.dependencies import Dependencies
from attlas.subject import Subject

#: what a head is called: its statistic, group, and the value from which on it is one (Clark 2019, figure 6)
APPEAR = {
    "next token": ("to_next", "", 0.5),
    "previous token": ("to_previous", "", 0.5),
    "delimiter": ("to_class", "sep", 0.5),
    "punctuation": ("to_class", "punct", 0.5),
    "object, verb to object": ("head_to_dependent", "obj", 0.5),
    "object, object to verb": ("dependent_to_head", "obj", 0.5),
}


def densely(step: int) -> bool:
    """0, 1, 2, 3, 4, 6, 8, 12, 16, 24, ...: powers of two, and halfway between them."""
    return step < 3 or step.bit_count() == 1 or (step.bit_count() == 2 and step & (step >> 1) != 0)


def objects(sentences: int) -> Any:
    def make(subject: Subject) -> Dependencies:
        source = WindowSource(
            annotated_corpus(None),
            SentenceWindows(shortest=4, longest=30),
            fits(subject, 64),
            limit=sentences,
        )
        return Dependencies(source, min_count=10)

    return make


@contextmanager
def few_cores() -> Iterator[None]:
    """So small a map is not worth the processes that would prepare it."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(before)[:2]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--batch", type=int, default=pretrain.BATCH)
    parser.add_argument("--warm-up", type=int, default=300, help="steps: fewer than in twenty minutes")
    parser.add_argument("--segments", type=int, default=64)
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(str(Path(pretrain.TOKENIZER).parent))
    callback = Callback(
        given.out / "training.attlas",
        tokenizer=tokenizer,
        segments=given.segments,
        studies=[objects(given.sentences)],
    )

    def watch(model: nn.Module, step: int, ended: bool) -> None:
        if densely(step) or ended:
            with few_cores():
                callback.record(model, step)
            told = appear(curves_of(callback.atlas))
            (given.out / "appear.json").write_text(json.dumps(told, indent=1))
            print(step, {name: len(found) for name, found in told.items()}, flush=True)

    pretrain.train(
        str(given.out / "model"), given.paths, given.minutes, given.batch, given.device, watch, given.warm_up
    )
    callback.draw(given.out / "figures")


def appear(curves: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """For each kind of head, those that are one at the end, and since which step."""
    return {
        name: first_above(curves, *asked).to_dict("records")  # type: ignore[misc]
        for name, asked in APPEAR.items()
    }


if __name__ == "__main__":
    main()
