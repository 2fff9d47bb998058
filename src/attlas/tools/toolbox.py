"""The tools themselves: questions to atlases and models that were named when the program started.

Nothing else on disk can be reached: an atlas or model is asked for by the name it was given then, never by a
path. What runs a model runs as a command of its own, which is ended when its time is over.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from attlas.address import Head
from attlas.atlas import Atlas
from attlas.atlas.atlas import contents
from attlas.atlas.registry import REGISTRY, statistic
from attlas.atlas.summaries import report_head
from attlas.errors import AttlasError, printable
from attlas.reports.asking import ask, card_sentences, folder_name, model_name
from attlas.reports.programme import command_again
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import student_interval
from attlas.tools.answers import (
    AskAnswer,
    CompareAnswer,
    ComparedHead,
    DisableAnswer,
    DisabledSet,
    FindAnswer,
    Finding,
    HeadAnswer,
    Missing,
    Number,
    RankedHead,
    ViewAnswer,
)

MOST_HEADS, MOST_NUMBERS, MOST_CHARACTERS = 50, 60, 2_000
MOST_SECONDS = 600
ACROSS_MODELS = (
    "Each atlas was measured on its own: if texts or settings differ, so may the numbers for that alone. The "
    "command compares the same inputs, head by head."
)


@dataclass(frozen=True)
class Toolbox:
    """The atlases and models that may be asked, by name."""

    atlases: Mapping[str, Atlas]
    models: Mapping[str, str]  # name -> what `attlas` takes as MODEL

    def ask(self, question: str, atlas: str = "") -> AskAnswer:
        name, opened = self._atlas(atlas)
        answer = ask(opened, _check_text("question", question))
        heads = [
            Finding(
                head=ranked.head,
                sentence=ranked.sentence,
                shown=ranked.sure,
                command=self._again(opened, ranked.chapter),
            )
            for ranked in answer.heads
        ]
        words = " ".join(f"Head {first.head}: {first.sentence}" for first in answer.heads[:1])
        return AskAnswer(
            atlas=name,
            question=question,
            answer=words or answer.note or "Nothing in this atlas answers the question.",
            heads=heads,
            missing=[Missing(what=what, command=command) for what, command in answer.missing],
        )

    def head(self, head: str, atlas: str = "") -> HeadAnswer:
        name, opened = self._atlas(atlas)
        card = report_head(opened, _check_text("head", head))
        rows = card.statistics.head(MOST_NUMBERS).to_dict("records")
        return HeadAnswer(
            atlas=name,
            head=card.head.full,
            sentences=[*card_sentences(opened, card.head), *(relation.says for relation in card.relations)],
            names={named.kind: named.name for named in card.names},
            numbers=[_number(row) for row in rows],
            commands=[c for chapter in opened.chapters if (c := self._again(opened, chapter))],
        )

    def find(
        self, statistic_name: str, group: str = "", lowest: bool = False, count: int = 10, atlas: str = ""
    ) -> FindAnswer:
        name, opened = self._atlas(atlas)
        rows = _rows_of(opened, statistic_name, group)
        ranked = rows.sort_values("value", ascending=lowest, kind="stable").head(_bound_count(count))
        known = statistic(statistic_name)
        several = len(opened.kinds) > 1
        return FindAnswer(
            atlas=name,
            statistic=known.write_name(group),
            meaning=known.meaning,
            heads=[
                RankedHead(head=Head.from_row(row).write(several), number=_number(row))
                for row in ranked.to_dict("records")
            ],
            command=self._again(opened, str(rows["chapter"].iloc[0])),
        )

    def compare(
        self, first: str, second: str, statistic_name: str, group: str = "", count: int = 10
    ) -> CompareAnswer:
        (first_name, a), (second_name, b) = self._atlas(first), self._atlas(second)
        sides = [
            {Head.from_row(row): row for row in _rows_of(opened, statistic_name, group).to_dict("records")}
            for opened in (a, b)
        ]
        shared = [head for head in sides[0] if head in sides[1]]
        if not shared:
            raise AttlasError(f"{first_name} and {second_name} share no head: their models have other shapes")
        shared.sort(key=lambda head: -abs(sides[0][head]["value"] - sides[1][head]["value"]))
        several = len(a.kinds) > 1
        pairs = [(h, _number(sides[0][h]), _number(sides[1][h])) for h in shared[: _bound_count(count)]]
        return CompareAnswer(
            first=first_name,
            second=second_name,
            statistic=statistic(statistic_name).write_name(group),
            caution=ACROSS_MODELS,
            heads=[
                ComparedHead(head=h.write(several), first=x, second=y, apart=_are_apart(x, y))
                for h, x, y in pairs
            ],
            command=f"attlas compare {model_name(a)} {model_name(b)}",
        )

    def disable(
        self, heads: list[str], model: str = "", edit: str = "mean", segments: int = 24, seconds: int = 120
    ) -> DisableAnswer:
        name, source = self._model(model)
        chosen = [_check_text("heads", head) for head in heads[:MOST_HEADS]]
        if not chosen:
            raise AttlasError('name heads, as in ["7.10", "layer 3", "7.9,7.10"]')
        options = ["--edit", edit, "--segments", str(max(2, min(segments, 200))), "--length", "64"]
        command = ["disable", source, "--heads", *chosen, *options]
        printed = json.loads(_run([*command, "--json"], seconds))
        rows = [*printed["heads"], *printed["together"]]
        return DisableAnswer(
            model=name,
            sets=[
                DisabledSet(
                    heads=_set_name(row),
                    score=row["score"],
                    unmodified=row["plain"],
                    **{key: row.get(key) for key in ("disabled", "change", "low", "high", "p")},
                )
                for row in rows
            ],
            notes=printed["notes"],
            command=shlex.join(["attlas", *command]),
        )

    def view(
        self, text: str, layer: int = 0, heads: list[int] | None = None, model: str = "", seconds: int = 120
    ) -> tuple[ViewAnswer, bytes]:
        """The answer, and a picture as PNG."""
        from attlas.views.images import is_picture

        if is_picture(text):
            raise AttlasError("text: it names a picture on the disk, which this tool does not read")
        name, source = self._model(model)
        shown = [str(head) for head in (heads or [])[:MOST_HEADS]]
        chosen = ["--layer", str(layer), *(["--heads", *shown] if shown else [])]
        command = ["view", source, _check_text("text", text), "--theme", "light", *chosen]
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder, "view.png")
            _run([*command, "--figure", str(picture)], seconds)
            drawn = picture.read_bytes()
        return ViewAnswer(model=name, command=shlex.join(["attlas", *command, "--figure", "view.png"])), drawn

    def overview(self) -> str:
        """What can be asked: a program reads this first."""
        lines = []
        for name, atlas in self.atlases.items():
            studies = ", ".join(contents(atlas)["study"].astype(str).unique())
            lines.append(
                f"- {name}: {len(atlas.addresses)} heads of {model_name(atlas)}; measured: {studies}"
            )
        return "\n".join([*lines, f"Models that can run here: {', '.join(self.models)}"])

    def statistics(self, atlas: str = "") -> list[str]:
        """What `find` and `compare` take: statistic, and its groups after a colon."""
        _, opened = self._atlas(atlas)
        pairs = opened.heads.groupby("statistic", sort=False)["group"].unique()
        return [f"{name}: {', '.join(filter(None, groups))}".rstrip(": ") for name, groups in pairs.items()]

    def _atlas(self, name: str) -> tuple[str, Atlas]:
        return _pick(self.atlases, name, "atlas")

    def _model(self, name: str) -> tuple[str, str]:
        return _pick(self.models, name, "model")

    def _again(self, atlas: Atlas, chapter: str) -> str:
        return command_again(atlas, chapter, model_name(atlas), folder_name(atlas))


def _pick(choices: Mapping[str, Any], name: str, what: str) -> tuple[str, Any]:
    """The one that is named; the first where no name is given."""
    if not name and choices:
        return next(iter(choices.items()))
    if name not in choices:
        raise AttlasError(
            f"there is no {what} {printable(name)!r} here: there are {', '.join(choices) or 'none'}"
        )
    return name, choices[name]


def _check_text(what: str, text: str) -> str:
    """Text from a program that must not pass for an option."""
    if not text.strip() or len(text) > MOST_CHARACTERS:
        raise AttlasError(f"{what}: give 1 to {MOST_CHARACTERS} characters")
    if text.startswith("-"):
        raise AttlasError(f"{what}: {printable(text[:40])!r} cannot begin with a dash")
    return text


def _bound_count(count: int) -> int:
    return max(1, min(count, MOST_HEADS))


def _rows_of(atlas: Atlas, name: str, group: str) -> pd.DataFrame:
    """The rows of a statistic in the first chapter that has it."""
    if name not in REGISTRY:
        raise AttlasError(
            f"there is no statistic {printable(name)!r}: the resource attlas://statistics lists them"
        )
    rows = atlas.heads[(atlas.heads["statistic"] == name) & (atlas.heads["group"] == group)]
    if rows.empty:
        groups = sorted(set(atlas.heads.loc[atlas.heads["statistic"] == name, "group"]))
        there = f"its groups are {', '.join(map(repr, groups))}" if groups else "this atlas does not have it"
        raise AttlasError(f"{name} has no group {printable(group)!r}: {there}")
    of_first: pd.DataFrame = rows[rows["chapter"] == rows["chapter"].iloc[0]]
    return of_first


def _number(row: Mapping[Any, Any]) -> Number:
    known = statistic(str(row["statistic"]))
    low = high = None
    if pd.notna(row["stderr"]) and row["stderr"] > 0:
        freedom = degrees(row["n"], row.get("effective") or row.get("documents") or 0)
        low, high = (float(end) for end in student_interval(row["value"], row["stderr"], freedom))
    measured = row.get("documents")
    return Number(
        statistic=known.write_name(str(row["group"])),
        value=float(row["value"]),
        low=low,
        high=high,
        baseline=known.chance,
        documents=None if measured is None or pd.isna(measured) else int(measured),
        unit=known.unit,
    )


def _are_apart(a: Number, b: Number) -> bool:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return False
    return a.low > b.high or b.low > a.high


def _set_name(row: Mapping[str, Any]) -> str:
    """layer 3, or 7.9,7.10, as it was asked for; 7.10 of a single head"""
    return str(row.get("what") or f"{row['layer']}.{row['head']}")


def _run(arguments: list[str], seconds: int) -> str:
    """What an `attlas` command prints; ended when its time is over."""
    limit = max(1, min(seconds, MOST_SECONDS))
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "attlas", *arguments],  # -P: no code from the folder we are in
            capture_output=True,
            text=True,
            timeout=limit,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise AttlasError(
            f"not done in {limit} seconds: ask for fewer heads or segments, or run "
            f"attlas {shlex.join(arguments)}"
        ) from None
    if done.returncode:
        raise AttlasError(
            (done.stderr.strip().splitlines() or ["the command failed"])[-1].removeprefix("attlas: ")
        )
    return done.stdout
