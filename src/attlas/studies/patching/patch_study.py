"""Patching (`attlas patch`): which heads carry what tells two texts apart?

A head's output, or its weights alone, is taken from the run over the corrupt text into that over the clean
one, and the other way. What that does to the logit difference between the answer and a wrong one is the
head's effect. Beside it stands its estimate to first order, and for the strongest heads which reach which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from attlas.address import Head
from attlas.array_types import Floats
from attlas.atlas.chapter import Chapter
from attlas.corpora.source import ItemId
from attlas.engines import Merged, Pass
from attlas.engines.passes import BatchSweep
from attlas.statistics.claims import CLAIMS
from attlas.statistics.hypotheses import student_interval
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.disabling.sweep_trial import TrialAnswers
from attlas.studies.patching.circuits import CircuitPlan, CircuitSweep, circuit_sentence, circuit_tables
from attlas.studies.patching.head_runs import STEPS
from attlas.studies.patching.pair_texts import PairSource
from attlas.studies.patching.patch_sweep import (
    INTO,
    ControlSweep,
    Patched,
    PatchSweep,
    PathSweep,
    SharingTrial,
)
from attlas.studies.patching.patch_tables import (
    KIND,
    TOP,
    agreement_table,
    control_table,
    gap_of,
    head_rows,
    head_table,
    known_of,
    pair_table,
    path_table,
    strongest,
)
from attlas.studies.patching.stability import (
    ATTRIBUTED,
    DIRECT,
    EXACT,
    INTEGRATED,
    stability_sentence,
    stability_table,
)
from attlas.studies.provenance import about, chapter_name, described
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.wording.numbers import count, model_title, number

HEADS, AGREEMENT, PATHS, RUNS = "patched", "attribution", "paths", "runs"  # the tables
PAIRS = "pairs"
STABILITY, CONTROL, CIRCUITS, FAITHFULNESS = "stability", "control", "circuits", "faithfulness"
LEAST = 4  # pairs: of fewer, no half is enough to choose the heads of a circuit
TRIED = 4  # pairs
NAMED = 3  # heads and paths in a sentence
LEAST_EFFECT = f"{CLAIMS[KIND].size:g}"  # that matters


@dataclass(frozen=True, kw_only=True)
class Patching:
    subject: Subject
    source: PairSource
    kernel: str | None = None
    seed: int = 0  # of redraws and random orders

    @property
    def name(self) -> str:
        return chapter_name("patch", self.source)

    def describe(self) -> dict[str, Any]:
        settings = {"paths_between": TOP, "kernel": self.kernel, "steps": STEPS, "seed": self.seed}
        return described("patch", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        first = self.source.only([item.id for item in self.source.items[:TRIED]])
        trying = SharingTrial(self.kernel)
        trial = run(Pass("trial", first, [TrialAnswers()], sweep=trying, doing="trying the edits"))
        shared = bool(trial.reducer(TrialAnswers).answers.all())
        sweep = PatchSweep(shared, self.kernel)
        done = self._sweep(run, "patches", "patching each head", sweep)
        outcomes, heads = done.reducer(Outcomes), self.subject.heads
        patched, ids = sweep.read(outcomes.table(), len(heads)), outcomes.ids()
        table = head_table(patched, heads, ids, self.seed)
        paths = PathSweep(self._strongest(patched), shared, self.kernel)
        followed = self._sweep(run, "paths", "following paths from head to head", paths)
        changed = followed.reducer(Outcomes).table()[1:]
        tables = {
            HEADS: table,
            AGREEMENT: agreement_table(table),
            PATHS: path_table(paths.paths, changed, gap_of(patched), ids),
            RUNS: runs_table(patched, ids),
            STABILITY: stability_table(self._scores(patched), ids, self.seed),
            PAIRS: pair_table(self.source.items, patched, ids),
        }
        tables |= self._control(run, patched, shared) | self._circuits(run, patched, ids, shared)
        notes = self._notes(tables)
        if not shared:
            name = type(self.subject.model).__name__
            notes.append(f"{name} cannot be run from the middle on: every patch is a whole run")
        return Chapter(self.name, about(self.describe(), done, notes), head_rows(table, ids), tables)

    def _sweep(self, run: RunPass, name: str, doing: str, sweep: BatchSweep) -> Merged:
        items = len(self.source.items)
        return run(Pass(name, self.source, [Outcomes()], sweep=sweep, doing=doing, items=items))

    def _scores(self, patched: Mapping[str, Patched]) -> dict[str, Floats]:
        """head pair: by how much each head speaks for the answer, in every way that is known."""
        clean = patched["clean"]
        ways = {EXACT: clean.exact, ATTRIBUTED: clean.attributed, INTEGRATED: clean.integrated}
        scores = {way: -several["output"] for way, several in ways.items()} | {DIRECT: clean.direct}
        return {way: values for way, values in scores.items() if np.isfinite(values).all()}

    def _control(self, run: RunPass, patched: Mapping[str, Patched], shared: bool) -> dict[str, pd.DataFrame]:
        """What texts with the same answer move, where there are any."""
        controls = self.source.controls
        if len(controls.items) < 2:
            return {}
        doing, sweep = "patching from texts with the same answer", ControlSweep(shared, self.kernel)
        swept = run(
            Pass("controls", controls, [Outcomes()], sweep=sweep, doing=doing, items=len(controls.items))
        ).reducer(Outcomes)
        return {CONTROL: control_table(swept.table()[1:], patched, self.subject.heads, swept.ids())}

    def _circuits(
        self, run: RunPass, patched: Mapping[str, Patched], ids: list[ItemId], shared: bool
    ) -> dict[str, pd.DataFrame]:
        """How faithful circuits are, of heads that are chosen on one half of the documents, on the other."""
        if len(ids) < LEAST:
            return {}
        chosen_on, tested_on = halve(ids)
        scores = {way: values[:, chosen_on] for way, values in self._scores(patched).items()}
        plan = CircuitPlan.of(self.subject.heads, scores, self.seed)
        others, doing = self.source.only([ids[at] for at in tested_on]), "circuits of the strongest heads"
        sweep = CircuitSweep(plan.circuits, shared, self.kernel)
        swept = run(
            Pass("circuits", others, [Outcomes()], sweep=sweep, doing=doing, items=len(tested_on))
        ).reducer(Outcomes)
        points, areas = circuit_tables(plan, swept.table(), swept.ids(), self.seed)
        return {CIRCUITS: points, FAITHFULNESS: areas}

    def _strongest(self, patched: Mapping[str, Patched]) -> tuple[Head, ...]:
        """By what their output from the corrupt text does to the clean one, in the order of the model."""
        effects = patched["clean"].exact["output"].mean(-1)
        return tuple(self.subject.heads[place] for place in sorted(strongest(effects, TOP)))

    def _notes(self, tables: Mapping[str, pd.DataFrame]) -> list[str]:
        dropped, unit = dict(self.source.about).get("dropped"), self.source.unit
        return [
            task_sentence(model_title(self.subject.name), tables[RUNS]),
            *([str(dropped)] if dropped else []),
            *_over_documents(tables[HEADS], unit),
            *heads_sentences(tables[HEADS], unit),
            *attribution_sentences(tables[AGREEMENT]),
            *paths_sentence(tables[PATHS], unit),
            stability_sentence(tables[STABILITY]),
            *([control_sentence(tables[CONTROL], unit)] if CONTROL in tables else []),
            *([circuit_sentence(tables[FAITHFULNESS])] if FAITHFULNESS in tables else []),
        ]


def _over_documents(table: pd.DataFrame, unit: str) -> list[str]:
    documents, pairs = int(table["documents"].max()), int(table["n"].max())
    if documents == pairs:
        return []
    return [
        f"intervals and tests count {count(documents, unit)}, not {count(pairs, 'pair')}: pairs of one "
        f"{unit} are alike"
    ]


def halve(ids: Sequence[ItemId]) -> tuple[list[int], list[int]]:
    """The places of the pairs of every second document, and of the others; of one document, of its pairs."""
    documents = sorted({id.document for id in ids})
    if len(documents) < 2:
        return [*range(0, len(ids), 2)], [*range(1, len(ids), 2)]
    first = set(documents[::2])
    chosen = [at for at, id in enumerate(ids) if id.document in first]
    return chosen, [at for at, id in enumerate(ids) if id.document not in first]


def runs_table(patched: Mapping[str, Patched], ids: list[ItemId]) -> pd.DataFrame:
    """The logit difference without a patch, in both texts, and the gap between them."""
    rows = []
    for text, values in (*((into, patched[into].plain) for into in INTO), ("gap", gap_of(patched))):
        known = known_of(values, ids)
        low, high = student_interval(known.mean, known.stderr, known.degrees)
        numbers = (float(x) for x in (known.mean, known.stderr, low, high))
        rows.append((text, *numbers, int((values > 0).sum()), len(ids)))
    return pd.DataFrame(rows, columns=["text", "value", "stderr", "low", "high", "above_zero", "n"])


def task_sentence(model: str, runs: pd.DataFrame) -> str:
    """Whether the model can do the task at all: before anything is concluded."""
    clean, corrupt = (row for row in runs.to_dict("records")[:2])
    said = (
        f"the answer's logit is {clean['value']:+.2f} above the wrong one's in the clean texts "
        f"(95 % {clean['low']:+.2f} to {clean['high']:+.2f}; above 0 in {clean['above_zero']:,} of "
        f"{count(clean['n'], 'pair')}), and {corrupt['value']:+.2f} in the corrupt ones"
    )
    if clean["value"] <= 0:
        return f"{model} cannot do this task, so its heads say nothing of how it is done: {said}"
    if not clean["low"] > 0:
        return f"it is not sure that {model} can do this task: {said}"
    return f"{model} does this task: {said}"


def heads_sentences(table: pd.DataFrame, unit: str = "pair") -> list[str]:
    """For output and weights, the heads that matter, and the strongest."""
    said = []
    for what, named in (("output", "output"), ("weights", "weights alone")):
        into_clean, other = (table[(table["what"] == what) & (table["into"] == into)] for into in INTO)
        said.append(
            f"patching a head's {named} from the corrupt text into the clean one is shown to move the logit "
            f"difference by {LEAST_EFFECT} or more for {_by_verdict(into_clean, unit)}. The other way: "
            f"{_by_verdict(other, unit)}"
        )
    return said


def _by_verdict(table: pd.DataFrame, unit: str, named: str = "head") -> str:
    """7 of 270 heads, most 23.3 (-3.01), 29.1 (-0.86), 20.8 (-0.83); 250 are shown to move it less; 13 are
    undecided, and 120 subjects would decide half of these"""
    many = table["verdict"].value_counts()
    shown, small, undecided = (int(many.get(v, 0)) for v in ("shown", "small", "undecided"))
    parts = [f"{shown or 'none':{',' if shown else ''}} of {count(len(table), named)}{_strongest_of(table)}"]
    parts += [f"{small:,} {'is' if small == 1 else 'are'} shown to move it less"] if small else []
    if undecided:
        needed = int(table.loc[table["verdict"] == "undecided", "documents_needed"].median())
        parts.append(f"{undecided:,} undecided, of which {count(needed, unit)} would decide half")
    return "; ".join(parts)


def _strongest_of(table: pd.DataFrame) -> str:
    sure = table[table["verdict"] == "shown"]
    if not len(sure):
        return ""
    order = strongest(sure["effect"].to_numpy(float), NAMED)
    return f", most for {', '.join(_name_effect(row) for row in _records(sure.iloc[order]))}"


def _name_effect(row: Mapping[str, Any]) -> str:
    to = f" to {row['to']}" if "to" in row else ""
    return f"{row['layer']}.{row['head']}{to} ({row['effect']:+.2f})"


def attribution_sentences(agreement: pd.DataFrame) -> list[str]:
    """How far one backward pass says the same, and how far several do."""
    said = []
    for way, named in (
        (ATTRIBUTED, "attribution patching, from one backward pass,"),
        (INTEGRATED, f"attribution with integrated gradients, from {STEPS} backward passes,"),
    ):
        parts = [
            f"for the {row['what']} the correlation over heads is {number(row['correlation'], 2)}, and "
            f"{row['both']} of the {row['top']} strongest are the same ({row['by_chance']:.1f} by chance)"
            for row in _records(agreement[(agreement["into"] == "clean") & (agreement["way"] == way)])
        ]
        said.append(f"{named} beside patching every head: {'; '.join(parts)}")
    return said


def control_sentence(control: pd.DataFrame, unit: str = "pair") -> str:
    """What a text with the same answer moves, which is to be nothing."""
    sizes = (control[name].abs() for name in ("effect", "corrupt"))
    same, corrupt = (float(size.mean()) for size in sizes)
    pairs = count(int(control["n"].max()), "pair")
    return (
        f"patched from a text that differs but has the same answer ({pairs}), heads are shown to move the "
        f"logit difference by {LEAST_EFFECT} or more: {_by_verdict(control, unit)}. On average over heads "
        f"they move it by {same:.3f}, and by {corrupt:.3f} from the corrupt text"
    )


def paths_sentence(paths: pd.DataFrame, unit: str = "pair") -> list[str]:
    between = paths[paths["to_layer"] >= 0]
    if not len(between):
        return []
    return [
        f"paths from one of the strongest heads to another are shown to move the logit difference by "
        f"{LEAST_EFFECT} or more: {_by_verdict(between, unit, 'path')}"
    ]


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return table.to_dict("records")  # type: ignore[return-value]
