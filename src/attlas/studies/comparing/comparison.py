"""What a comparison found, and how it looks in the terminal, in a notebook and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console

from attlas.address import Head
from attlas.atlas.catalogue.comparison_declaration import COMPARE
from attlas.atlas.catalogue.result_tables import printed_table, records
from attlas.atlas.chapter import Chapter
from attlas.atlas.registry import REGISTRY
from attlas.statistics.claims import LARGE_CHANGE
from attlas.statistics.verdicts import judge_row
from attlas.studies.study_result import StudyResult
from attlas.wording.names import NAMES
from attlas.wording.numbers import count, model_title, number
from attlas.wording.printing import notes_html, print_notes, safe

MOST = 8  # heads, changes and flows that are printed


@dataclass(frozen=True, repr=False)
class Comparison(StudyResult):
    """A chapter for every model that the first, `model`, was compared with."""

    @property
    def titles(self) -> list[str]:
        """Names of the first model and of the others, each of them once."""
        return distinguish_titles([self.model, *(str(c.about["other"]["name"]) for c in self.chapters)])

    @property
    def others(self) -> list[str]:
        return self.titles[1:]

    @property
    def layers(self) -> pd.DataFrame:
        """A row a layer, and for every other model its mean cosine, distance, gradients and movement."""
        parts = [c.tables["layers"].assign(model=n) for c, n in zip(self.chapters, self.others, strict=True)]
        return pd.concat(parts, ignore_index=True)

    @property
    def table(self) -> pd.DataFrame:
        return self.layers

    @property
    def curves(self) -> pd.DataFrame:
        """Every statistic of every head in the first model (`step` 0) and in each of the others."""
        keys = ["kind", "layer", "head", "statistic", "group"]
        parts = [self.chapters[0].tables["changes"][[*keys, "first"]].rename(columns={"first": "value"})]
        parts[0] = parts[0].assign(step=0, model=model_title(self.model))
        for step, (chapter, name) in enumerate(zip(self.chapters, self.others, strict=True), 1):
            values = chapter.tables["changes"][[*keys, "second"]].rename(columns={"second": "value"})
            parts.append(values.assign(step=step, model=name))
        return pd.concat(parts, ignore_index=True)

    def as_data(self) -> dict[str, Any]:
        return {
            "first": self.model,
            "compared": [
                {
                    "model": name,
                    "chapter": chapter.name,
                    "items": chapter.about["corpus"]["items"],
                    "documents": chapter.about["corpus"].get("documents"),
                    **{
                        k: records(chapter.tables[k])
                        for k in ("layers", "flows", "matching")
                        if k in chapter.tables
                    },
                    "changes": records(strongest_changes(chapter, 50)),
                }
                for name, chapter in zip(self.others, self.chapters, strict=True)
            ],
            "written": list(self.written),
        }

    def show(self, console: Console) -> None:
        for name, chapter in zip(self.others, self.chapters, strict=True):
            _show(console, self.titles[0], name, chapter)
        print_notes(console, self.written)

    def __repr__(self) -> str:
        return f"Comparison({self.titles[0]} with {', '.join(self.others)})"

    def _repr_html_(self) -> str:
        parts = []
        for name, chapter in zip(self.others, self.chapters, strict=True):
            layers, strongest = chapter.tables["layers"], strongest_changes(chapter)
            parts.append(notes_html([f"{self.titles[0]} and {name}"]))
            parts.append(printed_table(COMPARE.table("layers"), layers).html())
            parts.append(notes_html([_how_many(chapter.tables["changes"])]))
            parts += (
                [printed_table(COMPARE.table("changes"), strongest, _several_kinds(chapter)).html()]
                if len(strongest)
                else []
            )
            parts.append(notes_html([*flow_sentences(chapter.tables["flows"]), *chapter.about["notes"]]))
        return "".join(parts) + notes_html(self.written)


def unlike(names: Sequence[str]) -> list[str]:
    """Names that occur more than once, numbered: checkpoint, checkpoint 2."""
    return [n if names[:i].count(n) == 0 else f"{n} {names[:i].count(n) + 1}" for i, n in enumerate(names)]


def distinguish_titles(models: Sequence[str]) -> list[str]:
    """Titles of models: of folders with one name, as much of their paths as tells them apart (a/model,
    b/model)."""
    titles = [model_title(name) for name in models]
    for deeper in range(2, 1 + max(len(PurePath(name).parts) for name in models)):
        if len(set(titles)) == len(set(models)):
            break
        titles = [
            "/".join(PurePath(name).parts[-deeper:]) if titles.count(title) > 1 else title
            for name, title in zip(models, titles, strict=True)
        ]
    return unlike(titles)


def strongest_changes(chapter: Chapter, most: int = MOST) -> pd.DataFrame:
    """The changes of shares and entropies that are shown, largest first."""
    changes = _on_one_scale(chapter.tables["changes"])
    kept = changes[np.array([judge_row("change", row).shown for row in records(changes)], bool)]
    order = kept["change"].abs().sort_values(ascending=False, kind="stable").index
    return kept.loc[order].head(most)


def _on_one_scale(changes: pd.DataFrame) -> pd.DataFrame:
    """Those of which a change has a size that matters."""
    comparable = {name for name, known in REGISTRY.items() if known.changes_by_size}
    return changes[changes["statistic"].isin(comparable)]


def gradient_correlations(layers: pd.DataFrame) -> dict[str, float]:
    """Spearman's, over layers: do those change most whose gradients were largest, or whose weights moved?"""
    from scipy.stats import spearmanr

    correlations = {}
    for name in ("gradient", "query_key_gradient", "weights_moved"):
        known = layers[[name, "map_distance"]].dropna()
        if len(known) > 2 and known[name].nunique() > 1 and known["map_distance"].nunique() > 1:
            correlations[name] = float(spearmanr(known[name], known["map_distance"]).statistic)
    return correlations


def moved_heads(chapter: Chapter) -> pd.DataFrame:
    """Heads whose match has another address, those that gained most by it first."""
    if "matching" not in chapter.tables:
        return pd.DataFrame()
    matches = chapter.tables["matching"]
    away = matches[(matches["layer"] != matches["match_layer"]) | (matches["head"] != matches["match_head"])]
    return away.loc[(away["own_distance"] - away["distance"]).sort_values(ascending=False).index]


def flow_sentences(flows: pd.DataFrame) -> list[str]:
    """A line for each kind of name: how many heads have another one, and the largest flows."""
    sentences = []
    for naming, table in flows.groupby("naming", sort=False):
        gone = table[table["first"] != table["second"]]
        changed = f"{gone['heads'].sum()} of {table['heads'].sum()} heads have another {naming}"
        some = [
            f"{r.heads} from {_title(naming, r.first)} to {_title(naming, r.second)}"
            for r in gone.head(MOST).itertuples()
        ]
        more = f"; and {len(gone) - MOST} other changes" if len(gone) > MOST else ""
        sentences.append(f"{changed}{': ' if some else ''}{'; '.join(some)}{more}")
    return sentences


def _title(naming: object, name: object) -> str:
    return NAMES.get(str(naming), {}).get(str(name), str(name))


#: what a layer's distance is correlated with
_OF_TRAINING = {
    "gradient": "gradients",
    "query_key_gradient": "gradients of queries and keys",
    "weights_moved": "movement of weights",
}


def _show(console: Console, first: str, other: str, chapter: Chapter) -> None:
    corpus = chapter.about["corpus"]
    console.print(
        f"[bold]{safe(first)}[/bold] and [bold]{safe(other)}[/bold] on "
        f"{count(corpus['items'], 'input')} of {_documents(corpus)}{safe(corpus['name'])}",
        soft_wrap=True,
    )
    _show_layers(console, chapter.tables["layers"])
    _show_heads(console, chapter)
    for line in flow_sentences(chapter.tables["flows"]):
        console.print(safe(line), soft_wrap=True, highlight=False)
    if "matching" in chapter.tables:
        _show_matching(console, chapter)
    print_notes(console, chapter.about["notes"])
    console.print()


def _documents(corpus: Mapping[str, Any]) -> str:
    """29 documents of; nothing where each input is one."""
    many = corpus.get("documents", 0)
    return "" if many in (0, corpus["items"]) else f"{count(many, 'document')} of "


def _show_layers(console: Console, layers: pd.DataFrame) -> None:
    trained = bool(layers["gradient"].notna().any())
    printed_table(COMPARE.table("layers"), layers).show(console)
    correlations = gradient_correlations(layers) if trained else {}
    if correlations:
        listed = ", ".join(
            f"{value:+.2f} with its {_OF_TRAINING[name]}" for name, value in correlations.items()
        )
        console.print(
            f"A layer's distance correlates {listed} (Spearman, over layers)", style="dim", soft_wrap=True
        )


def _show_heads(console: Console, chapter: Chapter) -> None:
    """Print whose maps changed most, and which of their statistics did."""
    cosines = {Head(*r[:3]): r.value for r in chapter.rows if r.statistic == "map_cosine"}
    least = sorted(cosines, key=lambda head: cosines[head])[:MOST]
    several = _several_kinds(chapter)
    digits = 2 if least and cosines[least[0]] < 0.95 else 4  # where all are near 1, as the sink makes them
    some = ", ".join(f"{head.write(several)} {cosines[head]:.{digits}f}" for head in least)
    console.print(f"Heads that changed most (cosine): {some}", soft_wrap=True)
    changes = chapter.tables["changes"]
    console.print(_how_many(changes), soft_wrap=True)
    strongest = strongest_changes(chapter)
    if len(strongest):
        printed_table(COMPARE.table("changes"), strongest, several).show(console)


def _how_many(changes: pd.DataFrame) -> str:
    """The size of changes first: with many inputs the slightest is significant."""
    shares = _on_one_scale(changes)
    if shares.empty:
        return "There are too few documents to say which statistics of heads changed"
    many = Counter(judge_row("change", row).verdict for row in records(shares))
    return (
        f"{many['shown']:,} of {len(shares):,} statistics of heads are shown to change by {LARGE_CHANGE} or "
        f"more, {many['small']:,} by less, and {many['undecided']:,} are undecided; the median change is "
        f"{number(float(shares['change'].abs().median()), 4)}"
    )


def _show_matching(console: Console, chapter: Chapter) -> None:
    away, several = moved_heads(chapter), _several_kinds(chapter)
    some = ", ".join(
        f"{Head(r['kind'], r['layer'], r['head']).write(several)} → {r['match_layer']}.{r['match_head']}"
        for r in records(away.head(MOST))
    )
    console.print(
        f"Matched by distance, {len(away)} of {len(chapter.tables['matching'])} heads are best matched "
        f"by one of another address{': ' + some if some else ''}",
        soft_wrap=True,
    )


def _several_kinds(chapter: Chapter) -> bool:
    return chapter.tables["layers"]["kind"].nunique() > 1
