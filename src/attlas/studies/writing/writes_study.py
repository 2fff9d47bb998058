"""What heads write (`attlas writes`): how much each adds to the residual stream, in which direction, and what
it adds to the logits of the tokens to be predicted; which heads rest, by their weights and by their output.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd
from scipy.stats import spearmanr

from attlas.address import Head
from attlas.array_types import Floats
from attlas.atlas.chapter import Chapter
from attlas.corpora.batches import TokenClasses
from attlas.corpora.source import ItemId, Source
from attlas.edits.sweep import Sweep
from attlas.engines import Merged, Pass
from attlas.reducers import Means, sink, surface_by_norm, to_class
from attlas.reducers.items import Lengths
from attlas.row import Row
from attlas.statistics.claims import MASSIVE, RESTS_BY_OUTPUT, RESTS_BY_WEIGHT
from attlas.studies.disabling.disable_study import refuse_no_items
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.provenance import about, chapter_name, described, nothing_in
from attlas.studies.study import RunPass
from attlas.studies.writing.found_again import (
    ItemLogits,
    ShuffledTargets,
    found_again_sentence,
    found_again_table,
)
from attlas.studies.writing.inactivity import (
    BY_WRITING,
    InactivityScores,
    RemovalPlan,
    removal_sentence,
    removal_tables,
)
from attlas.studies.writing.logit_contributions import (
    LogitMeans,
    PartMeans,
    SentVectors,
    contributions,
    token_table,
)
from attlas.studies.writing.stream_writes import (
    GateMeans,
    LargestDimensions,
    StreamEntries,
    WriteLengths,
    entry_table,
)
from attlas.subject import Subject
from attlas.subject.losses import no_objective
from attlas.tap.direct import no_direct_paths
from attlas.tap.stream import output_maps
from attlas.wording.numbers import count

SAID = 4  # tokens of a head that a sentence names
WRITTEN, TOKENS, PARTS, ENTRIES = "written", "tokens", "parts", "entries"  # the tables
CONTRIBUTIONS = "contributions"  # and that of one text
INACTIVITY, INACTIVE = "inactivity", "inactive"  # and those of removed heads
STABILITY = "stability"
_AGREE = {
    (True, True): "both",
    (True, False): "by weight",
    (False, True): "by output",
    (False, False): "neither",
}


@dataclass(frozen=True, kw_only=True)
class Writes:
    subject: Subject
    source: Source
    classes: TokenClasses
    seed: int = 0  # of masked words
    kernel: str | None = None
    sentence: str | None = None  # a text whose every token is looked at
    removing: Source | None = None  # texts on which every head is removed; None: none is

    @property
    def name(self) -> str:
        return chapter_name("writes", self.source)

    def describe(self) -> dict[str, Any]:
        settings: dict[str, Any] = {"on_sink": RESTS_BY_WEIGHT, "short": RESTS_BY_OUTPUT}
        settings |= {"seed": self.seed, "kernel": self.kernel, "sentence": self.sentence}
        settings |= {"remove": None if self.removing is None else self.removing.describe().get("limit")}
        return described("writes", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        weights = Means([*sink(), *to_class(["sep"])], "weights_at_rest")
        norms = surface_by_norm(self.classes)
        entries = [StreamEntries(), LargestDimensions(), GateMeans()]
        done = run(
            self._pass("writes", "what heads write", [WriteLengths(), weights, norms, Lengths(), *entries])
        )
        if not done.counts["items"]:
            raise nothing_in(self.source, done.problems)
        by_weight, by_norm = (reducer.rows() for reducer in done.reducers if isinstance(reducer, Means))
        rows = [*done.reducer(WriteLengths).rows(), *by_norm, *done.reducer(GateMeans).rows()]
        tables = {
            WRITTEN: resting_table(rows, by_weight),
            ENTRIES: entry_table(done.reducer(StreamEntries), done.reducer(LargestDimensions)),
        }
        logits = None
        if self._no_logits is None:
            reducers = [LogitMeans(), PartMeans(), SentVectors(), ItemLogits(self.seed)]
            direct = run(self._pass("logits", "what reaches the logits", reducers))
            by_item = direct.reducer(ItemLogits)
            logits = by_item if by_item.ids() else None  # nothing is predicted of texts this short
            rows += direct.reducer(LogitMeans).rows()
            tables[PARTS] = direct.reducer(PartMeans).table()
            tables[TOKENS] = token_table(self.subject, direct.reducer(SentVectors).means())
            tables[WRITTEN] = with_tokens(tables[WRITTEN], tables[TOKENS])
        removed = None
        if self.removing is not None:
            removal, removed = self._remove(run, rows)
            tables |= removal
        if logits is not None or removed is not None:
            tables[STABILITY] = found_again_table(logits, self._shuffle(run, logits), removed, self.seed)
        if self.sentence is not None:
            tables[CONTRIBUTIONS] = contributions(self.subject, self.sentence)
        corpus = {**self.source.describe()["corpus"], "segments": done.counts["items"]}
        return Chapter(
            self.name,
            {
                **about(self.describe(), done, self._notes(done, rows, tables)),
                "corpus": {**corpus, **done.reducer(Lengths).means()},
            },
            rows,
            tables,
        )

    def _shuffle(self, run: RunPass, logits: ItemLogits | None) -> ItemLogits | None:
        """What heads add to the targets of other places of their text."""
        if logits is None:
            return None
        source, sweep = self.source.only(logits.ids()), ShuffledTargets(self.seed, self.kernel)
        doing = "what heads add to shuffled targets"
        return run(Pass("shuffled", source, [ItemLogits(self.seed)], sweep=sweep, doing=doing)).reducer(
            ItemLogits
        )

    def _remove(
        self, run: RunPass, rows: list[Row]
    ) -> tuple[dict[str, pd.DataFrame], tuple[Floats, list[ItemId]]]:
        """How inactive heads are by several scores, and what removing them costs; then the change of the loss
        in each text (head item), and the texts."""
        looked = run(self._pass("inactivity", "how inactive heads are", [InactivityScores()]))
        beside = {Head(r.kind, r.layer, r.head): r.value for r in rows if r.statistic == "write_beside_layer"}
        scores = looked.reducer(InactivityScores).scores()
        known = {h: {**scores[h], BY_WRITING: beside[h]} for h in scores if h in beside}
        plan = RemovalPlan.of(known, self.seed)
        sweep = Sweep(plan.edits(), seed=self.seed, kernel=self.kernel)
        doing = "removing each head"
        assert self.removing is not None
        swept = run(Pass("removed", self.removing, [Outcomes()], sweep=sweep, doing=doing))
        refuse_no_items(self.removing, swept)
        outcomes = swept.reducer(Outcomes)
        losses, ids = outcomes.table(), outcomes.ids()
        heads, inactive = removal_tables(plan, known, losses, ids)
        changes = losses[1 : 1 + len(plan.heads)] - losses[0]
        return {INACTIVITY: heads, INACTIVE: inactive}, (changes, ids)

    def _pass(self, name: str, doing: str, reducers: list[Any]) -> Pass:
        return Pass(name, self.source, reducers, kernel=self.kernel, seed=self.seed, doing=doing)

    @property
    def _no_logits(self) -> str | None:
        """Why no contribution to logits can be measured."""
        missing = no_objective(self.subject)
        return f"{self.subject.name} has {missing}" if missing else no_direct_paths(self.subject)

    def _notes(self, done: Merged, rows: list[Row], tables: dict[str, pd.DataFrame]) -> list[str]:
        notes = [resting_sentence(tables[WRITTEN])]
        if PARTS in tables:
            notes.append(_parts_sentence(tables[PARTS]))
        else:
            notes.append(f"no contributions to logits: {self._no_logits}")
        if INACTIVE in tables:
            notes.append(removal_sentence(tables[INACTIVE]))
        if STABILITY in tables:
            notes.append(found_again_sentence(tables[STABILITY]))
        notes += [*entry_sentence(tables[ENTRIES]), *_gate_sentence(rows)]
        layers = {(head.kind, head.layer) for head in self.subject.heads}
        if missing := sorted(layers - output_maps(self.subject).keys()):
            notes.append(f"the output map of {missing[0][0]} layer {missing[0][1]} was not found")
        if skipped := done.counts["skipped"]:
            notes.append(
                f"{count(skipped, 'document')} could not be read and were skipped: {done.problems[0]}"
            )
        return notes


def resting_table(writes: list[Row], weights: list[Row]) -> pd.DataFrame:
    """Each head: the weight it puts where attention rests, the same by norm, the length of what it writes
    beside its layer's mean, and by which of weight and length it rests."""
    on_sink = _at_rest(weights, "")
    by_norm = _at_rest(writes, "norm_")
    rows = []
    for row in writes:
        head = Head(row.kind, row.layer, row.head)
        if row.statistic == "write_beside_layer" and head in on_sink:
            by = on_sink[head] > RESTS_BY_WEIGHT, row.value < RESTS_BY_OUTPUT
            shares = on_sink[head], by_norm.get(head, math.nan)
            rows.append((row.kind, row.layer, row.head, *shares, row.value, row.stderr, _AGREE[by]))
    columns = ["kind", "layer", "head", "on_sink", "on_sink_by_norm", "beside_layer", "stderr", "rests"]
    return pd.DataFrame(rows, columns=columns)


def _at_rest(rows: list[Row], prefix: str) -> dict[Head, float]:
    """What goes to the first token, and to separators that are not the first."""
    shares: dict[Head, float] = {}
    for row in rows:
        if (row.statistic, row.group) in ((f"{prefix}to_first", ""), (f"{prefix}to_class", "sep")):
            head = Head(row.kind, row.layer, row.head)
            shares[head] = shares.get(head, 0.0) + row.value
    return shares


def with_tokens(written: pd.DataFrame, tokens: pd.DataFrame) -> pd.DataFrame:
    """With the few tokens that each head raises and lowers most, for a sentence; empty where it has none."""
    said = (
        tokens[tokens["rank"] < SAID]
        .groupby(["kind", "layer", "head", "end"], sort=False)["token"]
        .agg(" ".join)
    )
    addresses = list(zip(written["kind"], written["layer"], written["head"], strict=True))
    columns = {
        name: [str(said.get((*at, end), "")) for at in addresses]
        for name, end in (("raises", "raised"), ("lowers", "lowered"))
    }
    return written.assign(**columns)


def resting_sentence(table: pd.DataFrame) -> str:
    """How many heads rest by weight and by output, and how far the two agree."""
    many = table["rests"].value_counts()
    both, weight, output = (int(many.get(name, 0)) for name in ("both", "by weight", "by output"))
    said = (
        f"of {count(len(table), 'head')}, {both + weight:,} rest by weight: more than half of it is on the "
        f"first token and separators. {both + output:,} rest by output: they write less than half as much as "
        f"their layer's heads on average. {both:,} do both"
    )
    rests, by_norm = table["on_sink"].mean(), table["on_sink_by_norm"].mean()
    said += f". On average {rests:.2f} of the weight rests, and {by_norm:.2f} by norm"
    if len(table) < 3 or table["on_sink"].nunique() == 1:
        return said
    correlation = float(spearmanr(table["on_sink"], table["beside_layer"]).statistic)
    return f"{said} (rank correlation of weight at rest and length: {correlation:+.2f})"


def entry_sentence(table: pd.DataFrame) -> list[str]:
    """Where the stream has the entry that stands out most, and in which layers there are massive ones."""
    if table.empty:
        return []
    most = table.iloc[int(table["medians"].argmax())]
    massive = table[table["medians"] >= MASSIVE]
    layers = f"; above {MASSIVE} in {len(massive):,} of {count(len(table), 'layer')}" if len(massive) else ""
    return [
        f"the stream's largest entry at the first token is {most['first']:,.1f} before layer "
        f"{most['layer']}, {most['medians']:,.0f} times the median entry (dimension {most['dimension']}, in "
        f"{most['share']:.0%} of texts), and {most['others']:,.1f} at other tokens{layers}"
    ]


def _gate_sentence(rows: list[Row]) -> list[str]:
    gates = [row for row in rows if row.statistic == "write_gate"]
    if not gates:
        return []
    least, most = (choose(gates, key=lambda row: row.value) for choose in (min, max))
    mean = sum(row.value for row in gates) / len(gates)
    return [
        f"gates multiply what heads give by {mean:.2f} on average, from {least.value:.2f} "
        f"({least.layer}.{least.head}) to {most.value:.2f} ({most.layer}.{most.head})"
    ]


def _parts_sentence(parts: pd.DataFrame) -> str:
    value = parts.set_index("part")["value"].groupby(level=0).sum()
    heads = float(sum(v for name, v in value.items() if str(name).endswith("heads")))
    others = {name: float(value.get(name, 0.0)) for name in ("embeddings", "feed_forward", "biases")}
    said = ", ".join(f"{name.replace('_', '-')} {v:+.2f}" for name, v in others.items())
    return f"a target's logit is {value['logit']:.2f} above the vocabulary's mean: heads {heads:+.2f}, {said}"
