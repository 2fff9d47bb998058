"""A paper's figures, drawn from the atlas of a reproduction, in the paper's order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from attlas.array_types import Floats
from attlas.atlas.chapter import chapter_in
from attlas.atlas.registry import statistic
from attlas.figures.charts.relations import relation_specs
from attlas.figures.comparison_figures import comparison_specs
from attlas.figures.disabling_figures import disabling_specs
from attlas.figures.figure_specs import figure_spec
from attlas.figures.heat_map import heat_panel, heat_top
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.tree_figures import tree_specs
from attlas.figures.weight_marks import links
from attlas.papers.paper_evidence import ChapterNumbers, FineTuned, PaperEvidence
from attlas.papers.vig2019 import PATTERNS
from attlas.studies.comparing.comparison import Comparison

HIS_SENTENCES = (
    "The head that shows the pattern best, on Vig's own sentences, as his article shows it: all tokens, and "
    "beside them the one that shows it best. The stronger the line, the more the token on the left attends "
    "to the one on the right."
)
FEATURE_WEIGHT = "feature_weight"
#: of figure 6, in the paper's order: delimiters, words by their tags, words by their part in the sentence
FEATURES = ("cls", "sep", "nouns", "pronouns", "verbs", "subjects", "objects", "negation")
BEFORE_AND_AFTER = (
    "How much of all attention goes to the most attended token that has the feature, for each head: on the "
    "left before fine-tuning, on the right after it, in the same colours. Sentences without the feature are "
    "left out."
)


@dataclass(frozen=True)
class PaperFigure:
    """`place`: the section of the page that it stands in; `title`: what it is in the paper."""

    place: str
    title: str
    spec: FigureSpec


def paper_figures(paper: str, evidence: PaperEvidence) -> list[PaperFigure]:
    """The figures that the atlas has the numbers for."""
    make = {"clark2019": _clark, "kovaleva2019": _kovaleva, "vig2019": _vig}[paper]
    return [figure for figure in make(evidence) if not figure.spec.absent]


def _clark(evidence: PaperEvidence) -> Iterator[PaperFigure]:
    atlas = evidence.atlas
    if evidence.chapter("surface") is not None:
        for title, name in (
            ("Figure 1", "maps"),
            ("Figure 2", "targets"),
            ("Figure 3", "gradients"),
            ("Figure 4", "entropy"),
            ("Figure 6", "plane"),
        ):
            yield PaperFigure(title, title, figure_spec(atlas, name))
    for study, place, figure in (
        ("dependencies", "Table 1", "Figure 5"),
        ("coreference", "Table 2", "Figure 5"),
    ):
        for spec in _specs_of_study(evidence, study):
            at_work = spec.name == "at-work"
            yield PaperFigure(
                place, f"{figure}: heads at work" if at_work else f"{place}, head by head", spec
            )
    trees = evidence.chapter("tree")
    if trees is not None:
        for spec in tree_specs(chapter_in(atlas, trees), "tree"):
            yield PaperFigure("Table 3", f"Table 3: {spec.title.lower()}", spec)


def _kovaleva(evidence: PaperEvidence) -> Iterator[PaperFigure]:
    if evidence.chapter("shapes") is not None:
        yield PaperFigure("section 4.1", "Figures 1 and 2", figure_spec(evidence.atlas, "shapes"))
    for spec in _specs_of_study(evidence, "frames"):
        yield PaperFigure("Figure 3", "Figure 4" if spec.name == "at-work" else "Figure 3", spec)
    for task, tuned in evidence.tuned.items():
        for spec in _specs_of_comparison(evidence, task, tuned):
            yield PaperFigure("Figure 5", f"Figure 5, {task}: {spec.name}", spec)
    yield from _features(evidence)
    for task, tuned in evidence.tuned.items():
        disabled = None if tuned.atlas is None else PaperEvidence(tuned.atlas).chapter("disable")
        if tuned.atlas is not None and disabled is not None:
            for spec in disabling_specs(tuned.atlas, disabled, task):
                yield PaperFigure("Figure 8", f"Figures 8 and 9, {task}", spec)
    for spec in _specs_of_study(evidence, "disable"):
        yield PaperFigure("Figure 8", "Figures 8 and 9, on a text", spec)


def _specs_of_comparison(evidence: PaperEvidence, task: str, tuned: FineTuned) -> list[FigureSpec]:
    """The maps before and after, where the model after is called by its task, not by its folder."""
    if tuned.compared is None:
        return []
    chapter = chapter_in(tuned.compared.atlas, tuned.compared.chapter)
    named = replace(chapter, about={**chapter.about, "other": {**chapter.about["other"], "name": task}})
    return comparison_specs(Comparison((named,), evidence.model), task)


def _features(evidence: PaperEvidence) -> Iterator[PaperFigure]:
    """Figure 6 before and after fine-tuning; before alone where nothing was fine-tuned."""
    before = evidence.numbers("features")
    after = {task: tuned.features for task, tuned in evidence.tuned.items() if tuned.features is not None}
    if before is not None:
        for task, numbers in after.items():
            yield PaperFigure("Figure 6", f"Figure 6, {task}", before_and_after(before, numbers, task))
    for spec in _specs_of_study(evidence, "features"):
        place = "Figure 6" if spec.name == "heads" else "Figure 7"
        if place != "Figure 6" or not after:
            yield PaperFigure(place, f"{place}: {spec.name}", spec)


def before_and_after(before: ChapterNumbers, after: ChapterNumbers, task: str) -> FigureSpec:
    """Two heat maps for each feature that both have, side by side in the same colours."""
    panels: list[Panel] = []
    for feature in FEATURES:
        if before.has(FEATURE_WEIGHT, feature) and after.has(FEATURE_WEIGHT, feature):
            grids = [numbers.grid(FEATURE_WEIGHT, feature) for numbers in (before, after)]
            top = max(heat_top(grid) for grid in grids)
            for grid, when in zip(grids, ("before", f"after {task}"), strict=True):
                title = f"{statistic(FEATURE_WEIGHT).group_name(feature)}, {when}"
                mean = f"mean {grid.mean():.3f}, largest {grid.max():.3f}"
                panels.append(
                    heat_panel(
                        title,
                        f"{mean}\ncolours from 0 to {top:.3f}",
                        f"Heat map of layers by heads: attention to {title}, {mean}.",
                        grid,
                        top,
                    )
                )
    title, groups = f"Attention to features, {task}", (Group(before.kind, tuple(panels)),)
    return FigureSpec("features", f"features-{task}", title, BEFORE_AND_AFTER, groups)


def _vig(evidence: PaperEvidence) -> Iterator[PaperFigure]:
    table, chapter = evidence.table("vig_sentences", "vig2019"), evidence.chapter("vig2019")
    if table is not None and chapter is not None:
        tokens = [str(t) for t in evidence.atlas.about(chapter)["corpus"]["tokens"]]
        for row in table.to_dict("records"):
            weights = evidence.atlas.array(f"pattern_{row['pattern']}", chapter)
            if weights is None:
                continue
            panels = tuple(_all_and_one(row, np.asarray(weights, float), tokens))
            name, shows = f"pattern-{row['pattern']}", PATTERNS[row["pattern"]][0]
            spec = FigureSpec(name, name, shows, HIS_SENTENCES, (Group(evidence.kind, panels),))
            yield PaperFigure(f"pattern {row['pattern']}", f"Pattern {row['pattern']}", spec)
    if evidence.chapter("patterns") is not None:
        yield PaperFigure("pattern 6", "All patterns, over a corpus", figure_spec(evidence.atlas, "patterns"))


def _all_and_one(row: Mapping[str, Any], weights: Floats, tokens: Sequence[str]) -> Iterator[Panel]:
    """The layout of his article: attention of all tokens, and beside it that of one selected token."""
    head, shows = f"{row['layer']}.{row['head']}", PATTERNS[row["pattern"]][0]
    drawn = {"": ("all tokens", weights)}
    if (place := row.get("token")) is not None:  # atlases made before have none
        alone = np.where(np.arange(len(tokens))[:, None] == int(place), weights, 0.0)
        drawn[f" from “{tokens[int(place)]}”"] = (f"from “{tokens[int(place)]}” alone", alone)
    for selected, (subtitle, shown) in drawn.items():
        yield Panel(
            f"Head {head}",
            f"Attention of head {head}{selected} to Vig's sentences: {shows}.",
            partial(links, weights=shown, queries=tokens, keys=tokens),
            subtitle,
            width=300,
            height=24 + 19 * len(tokens),
            margins=(0, 0, 2, 2),
        )


def _specs_of_study(evidence: PaperEvidence, study: str) -> Iterator[FigureSpec]:
    chapter = evidence.chapter(study)
    if chapter is not None:
        yield from relation_specs(evidence.atlas, chapter, study)


def number_files(figures: Sequence[PaperFigure]) -> list[FigureSpec]:
    """The figures with files that sort as the paper goes: 01-figure-1-maps."""
    slugs = [figure.title.split(":")[0].replace(",", "").replace(" ", "-").lower() for figure in figures]
    return [
        replace(figure.spec, file=f"{number:02d}-{slug}-{figure.spec.name}")
        for number, (figure, slug) in enumerate(zip(figures, slugs, strict=True), 1)
    ]
