"""How results look in the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from attlas.address import Head
from attlas.atlas import Atlas
from attlas.atlas.atlas import contents as contents_of
from attlas.atlas.catalogue.result_tables import records
from attlas.atlas.passages import Passage, PassagePart
from attlas.atlas.registry import REGISTRY, statistic
from attlas.atlas.summaries import Contents, HeadReport, Provenance, in_words, strongest
from attlas.atlas.untrained_heads import Untrained
from attlas.errors import in_full, printable
from attlas.studies.chapter_result import ChapterResult
from attlas.wording.names import NONE
from attlas.wording.numbers import brief, count, model_title, number, uncertain
from attlas.wording.printing import ResultTable

SLIGHT = 0.05  # a head whose strongest weight is less looks nowhere in particular
#: how examples were chosen -> what stands above them; the strongest are never the only ones where others are
_SAMPLE_TITLES = {
    "strongest": "where it is strongest",
    "step": "from the weakest fifth of random rows to the strongest",
    "random": "at random",
    "link": "links that it was chosen for",
}
_SAMPLE_ORDER = {sample: place for place, sample in enumerate(_SAMPLE_TITLES)}
BRIEF = 3  # examples of a head, where not all is asked for
MOST = 12  # of the relations that were asked of a head, those it does best


def show(console: Console, result: Any, arguments: dict[str, Any]) -> None:
    match result:
        case Contents():
            _contents(console, result)
        case Provenance():
            _provenance(console, result)
        case HeadReport():
            _head(console, result)
        case Atlas():
            _made_by_map(console, result, _newest(result))
            console.print(f"\nThe atlas is in [bold]{_safe(result.path)}[/bold]", soft_wrap=True)
            if arguments.get("page"):
                console.print(f"The page is [bold]{_safe(arguments['page'])}[/bold]", soft_wrap=True)
        case list():
            for path in result:
                console.print(_safe(path), soft_wrap=True, highlight=False)
        case ChapterResult():
            _chapter(console, result)
        case _:
            result.show(console)


def _made_by_map(console: Console, atlas: Atlas, chapter: str | None) -> None:
    summary(console, atlas, chapter)
    for note in atlas.about(chapter).get("notes") or ():
        console.print(_safe(note), soft_wrap=True, highlight=False)


def _chapter(console: Console, result: ChapterResult) -> None:
    """What was printed when it was made; of a map, also one line per head."""
    for row in contents_of(result.atlas).to_dict("records"):
        if row["chapter"] == result.chapter:
            _chapter_heading(console, row)
    if result.made is not None:
        result.made.show(console)
        return
    _made_by_map(console, result.atlas, result.chapter)
    if len(result.heads.columns) > 4:  # more than address and behaviour
        console.print()
        _overview_table(result.heads).show(console)


def as_data(result: Any) -> Any:
    """The result as JSON takes it."""
    match result:
        case Atlas():
            return {"atlas": str(result.path), **result.manifest}
        case pd.DataFrame():
            return records(result)
        case list():
            return [str(path) for path in result]
        case _:
            return result.as_data()


def summary(console: Console, atlas: Atlas, chapter: str | None = None) -> None:
    """What a chapter found, in a dozen lines."""
    chapter = chapter or atlas.first_surface()
    about = atlas.about(chapter)
    corpus = about.get("corpus") or {}
    heads = " + ".join(f"{n:,} {k}" for k, n in atlas.model["heads"].items())
    read = (
        f" over {count(corpus['segments'], 'segment')} ({count(corpus['tokens'], 'token')}) of "
        f"{count(corpus['documents'], 'document') + ' of ' if corpus.get('documents') else ''}"
        f"{_safe(corpus.get('name', ''))}"
        if {"segments", "tokens"} <= corpus.keys()
        else ""
    )
    console.print(
        f"[bold]{_safe(model_title(atlas.model['name']))}[/bold]: {heads} heads{read}", soft_wrap=True
    )
    sampled = {name: n for name, n in about.get("sampled", {}).items() if name != "statistics"}
    if sampled:
        said = ", ".join(f"{name} on a sample of {n:,}" for name, n in sampled.items())
        console.print(escape(said), style="dim")
    if said := _was_read(about.get("counts") or {}):
        console.print(escape(said), style="dim", soft_wrap=True)
    strongest_heads, twins = list(strongest(atlas, chapter)), Untrained.of(atlas, chapter or "")
    for title, of_rest in (
        ("Heads that look most at ...", False),
        ("... and, of what does not fall on the first token, at ...", True),
    ):
        lines = [
            [
                *(REGISTRY[known.apart_from_first or name].write_title(group), _write_head(head, atlas)),
                *(uncertain(value, stderr, 3), *_write_untrained(twins, name, group, head)),
            ]
            for name, group, head, value, stderr in strongest_heads
            if bool((known := REGISTRY[name]).apart_from_first) is of_rest
        ]
        if lines:
            console.print(f"[italic]{title}[/italic]")
            columns = ("", "head", "share ± s.e.", *(["untrained"] if twins is not None else []))
            ResultTable(columns, lines, words={""}).show(console, indent=1)
    behaviours = pd.Series(list(atlas.names("behaviour", chapter=chapter).values()), dtype=str).value_counts()
    if len(behaviours):
        counted = ", ".join(f"{n:,} {_safe(_name_group('behaviour', str(b)))}" for b, n in behaviours.items())
        others = len(atlas.addresses) - int(behaviours.sum())
        rest = f"; the other {others:,} have none of these" if others else ""
        console.print(f"Behaviour: {counted}{rest}", soft_wrap=True)
    for kind in atlas.kinds:
        if all(atlas.has(f"distance_{w}", kind=kind, chapter=chapter) for w in ("within", "between")):
            near, far = (
                float(atlas.grid(f"distance_{w}", kind=kind, chapter=chapter).mean())
                for w in ("within", "between")
            )
            console.print(
                f"Mean distance between {kind} heads: {near:.3f} within a layer, {far:.3f} between layers"
            )
        if points := atlas.groups("rest_to_near", kind, chapter):
            grids = {p: atlas.grid("rest_to_near", p, kind, chapter=chapter) for p in points}
            means = _write_points((p, float(np.nanmean(grid))) for p, grid in grids.items())
            said = f"Of what does not fall on the first token, share within the last k tokens: {means}"
            console.print(said, highlight=False, soft_wrap=True)


def _write_untrained(twins: Untrained | None, name: str, group: str, head: Head) -> tuple[str, ...]:
    if twins is None:
        return ()
    beside = twins.beside(name, group, head.kind)
    return ("" if beside is None else number(beside, 3),)


def _was_read(counts: dict[str, Any]) -> str:
    """Say which sentences of a text did not go into segments whole."""
    known = {name: n for name, n in counts.items() if isinstance(n, int)}
    parts = []
    if cut := known.get("cut"):
        parts.append(f"{cut:,} longer than a segment {'was' if cut == 1 else 'were'} cut")
    if trimmed := known.get("trimmed"):
        parts.append(f"{trimmed:,} of {known.get('pieces', 0):,} pieces left out to fit segments")
    if not parts or not known.get("sentences"):
        return ""
    return f"of {count(known['sentences'], 'sentence')} read, {'; '.join(parts)}"


def _newest(atlas: Atlas) -> str | None:
    """The chapter of surface statistics that was finished last: the one that has just been made."""
    names = [c for c in atlas.chapters if atlas.about(c).get("study") == "surface"]
    done = {c: str((atlas.about(c).get("time") or {}).get("finished", "")) for c in names}
    return max(names, key=done.__getitem__) if names else atlas.first_surface()


def _contents(console: Console, contents: Contents) -> None:
    atlas = contents.atlas
    model = atlas.model
    heads = " + ".join(f"{n:,} {k}" for k, n in model["heads"].items())
    kind = ", ".join(_safe(model[name]) for name in ("class", "dtype") if model.get(name))
    console.print(
        f"[bold]{_safe(model_title(model['name']))}[/bold]: {heads} heads{f' ({kind})' if kind else ''}"
    )
    if contents.stands_out:
        console.print("\n[bold]What stands out[/bold]")
    _claims(console, contents.claims or [(sentence, "") for sentence in contents.stands_out])
    for row in contents.chapters.to_dict("records"):
        console.print()
        _chapter_heading(console, row)
        if row["notes"]:
            console.print(_in(Text(printable(row["notes"]), style="dim")))
    console.print(
        "\n--chapter NAME shows a chapter's tables; --head LAYER.HEAD, what is known of a head; "
        "--provenance, where it comes from"
    )


def _chapter_heading(console: Console, row: dict[Any, Any]) -> None:
    over = " over ".join(_safe(row[name]) for name in ("study", "corpus") if row[name])
    line = ", ".join(part for part in (over, _safe(row["items"]), _safe(row["when"])) if part)
    console.print(f"[bold]{_safe(row['chapter'])}[/bold]")
    if line:
        console.print(_in(line))


def _overview_table(rows: pd.DataFrame) -> ResultTable:
    several = rows["kind"].nunique() > 1
    values = [c for c in rows.columns if c not in ("kind", "layer", "head", "behaviour")]
    if {"cls", "first"} <= set(values) and rows["cls"].equals(rows["first"]):
        values.remove("first")  # [CLS] is the first token, and the same numbers need not be seen twice
    lines = []
    for row in rows.to_dict("records"):
        name = f"{row['layer']}.{row['head']}"
        cells = ["" if pd.isna(row[c]) else brief(row[c]) for c in values]
        lines.append([f"{row['kind']}.{name}" if several else name, str(row["behaviour"]), *cells])
    columns = ["head", "behaviour", *(column.replace("_", " ") for column in values)]
    return ResultTable(columns, lines, words={"behaviour"}, gap=1)


def _provenance(console: Console, provenance: Provenance) -> None:
    console.print("[bold]model[/bold]")
    for line in _lines(provenance.model, 1):
        console.print(line, soft_wrap=True)
    for name, about in provenance.chapters.items():
        console.print(f"\n[bold]{_safe(name)}[/bold]")
        for line in _lines(about, 1):
            console.print(line, soft_wrap=True)


def _lines(value: Any, level: int) -> Iterator[Text]:
    """key: value, a line each; what is nested stands further in."""
    for key, inner in value.items() if isinstance(value, dict) else (("-", item) for item in value):
        name = f"{'  ' * level}{printable(str(key))}{'' if key == '-' else ':'}"
        nested = isinstance(inner, dict | list) and any(isinstance(i, dict | list | str) for i in inner)
        if isinstance(inner, dict) or (nested and isinstance(inner, list)):
            yield Text(name, style="dim")
            yield from _lines(inner, level + 1)
        else:
            shown = ", ".join(map(str, inner)) if isinstance(inner, list) else str(inner)
            yield Text.assemble((name, "dim"), f" {printable(shown)}")


def _head(console: Console, report: HeadReport) -> None:
    """The card's sentences, names, what studies found and examples; the column of statistics last."""
    console.print(f"[bold]head {report.head}[/bold] ({report.head.kind})")
    _claims(console, report.claims or [(sentence, "") for sentence in report.sentences])
    if not report.whole:
        _in_brief(console, report)
        return
    if report.names:
        console.print("\n[bold]Names[/bold]")
    for called in report.names:
        second = f", then {_safe(_name_group(called.kind, called.second))}" if called.second else ""
        said = f"{called.kind}: {_safe(called.says or _name_group(called.kind, called.name))}{second}"
        console.print(_in(f"{said} [dim]({_safe(called.chapter)}, confidence {called.confidence:.2f})[/dim]"))
    if report.relations:
        console.print("\n[bold]What studies found[/bold]")
    for relation in report.relations:
        console.print(_in(f"{_safe(relation.says)}, [dim]chapter {_safe(relation.chapter)}[/dim]"))
    _examples(console, report)
    for name, rows in report.statistics.groupby("chapter", sort=False):
        console.print(f"\n[bold]{_safe(name)}[/bold]")
        _statistics_table(rows).show(console, indent=2)
        if any((relation.chapter, relation.table) == (name, "best") for relation in report.relations):
            console.print(
                _in("[dim]over all windows; what studies found, over those that they report on[/dim]")
            )
        for line in _curves(rows):
            console.print(_in(line))
        if any(statistic(str(name)).apart_from_first for name in rows["statistic"]):
            console.print(_in("[dim]the rest: what does not fall on the first token[/dim]"))


def _claims(console: Console, claims: Iterable[tuple[str, str]]) -> None:
    """What is claimed; what it rests on, on a muted line below."""
    for claim, evidence in claims:
        console.print(_in(_safe(claim)), highlight=False)
        if evidence:
            console.print(_in(f"  [dim]{_safe(evidence)}[/dim]"), highlight=False)


def _in_brief(console: Console, report: HeadReport) -> None:
    """Its names in a line, its three strongest examples, and how to see the rest."""
    names = dict.fromkeys(_name_group(c.kind, c.name) for c in report.names if c.name != NONE)
    if names:
        console.print(_in(f"[dim]names:[/dim] {_safe(' · '.join(names))}"), highlight=False)
    strongest = sorted(report.examples, key=lambda example: -example.weight)[:BRIEF]
    _examples(console, replace(report, examples=tuple(strongest)))
    console.print("\n--all shows every study, example and statistic", style="dim")


def _examples(console: Console, report: HeadReport) -> None:
    if report.examples:
        slight = max(e.weight for e in report.examples) < SLIGHT and report.head.kind == "decoder"
        but = "; this head hardly looks at anything but the first token" if slight else ""
        console.print(f"\n[bold]Examples[/bold]: ‹from› and «to»{but}")
    before, several = "", len({example.chapter for example in report.examples}) > 1
    order = sorted(
        report.examples, key=lambda e: (_SAMPLE_ORDER[e.sample.partition(" ")[0]], several and e.chapter)
    )
    for example in order:
        title = _SAMPLE_TITLES[example.sample.partition(" ")[0]]
        heading = f"{title}, in {_safe(example.chapter)}" if several else title
        if heading != before:
            console.print(_in(f"[dim]{heading}[/dim]"))
            before = heading
        if console.is_terminal:
            console.print(_in(_example(example)))
        else:  # a line each, for programs that read lines
            console.print(Text("  ") + _example(example), soft_wrap=True)


def _statistics_table(rows: pd.DataFrame) -> ResultTable:
    """All surface statistics; of the many relations that a probe asks for, those the head does best. What
    chance would give a pattern stands beside its score."""
    nulls = rows[rows["statistic"] == "pattern_null"].set_index("group")["value"]
    rows = rows[(rows["statistic"] != "pattern_null") & _has_own_line(rows)]
    families = rows["statistic"].map(lambda name: statistic(name).family)
    many = rows[families.isin(["link", "weight"])]
    shown = pd.concat([rows[~families.isin(["link", "weight"])], many.nlargest(MOST, "value")])
    lines: list[list[str | Text]] = []
    for row in shown.to_dict("records"):
        about, value = in_words(str(row["statistic"]), str(row["group"]), row["value"], row["stderr"])
        if row["statistic"] == "pattern_score" and row["group"] in nulls.index:
            value += f" (by chance {number(float(nulls[row['group']]))})"
        documents = f"{row['documents']:,}" if row["documents"] else ""
        twin = "" if pd.isna(row["untrained"]) else number(float(row["untrained"]))
        lines.append([about, value, twin, f"{row['n']:,}", documents])
    if len(many) > MOST:
        lines.append([Text(f"and {len(many) - MOST:,} more: {in_full()} lists all", "dim"), *[""] * 4])
    if all(pd.isna(shown["untrained"])):
        lines = [[*line[:2], *line[3:]] for line in lines]
        return ResultTable(("", "value ± s.e.", "n", "documents"), lines, words={""})
    return ResultTable(("", "value ± s.e.", "untrained", "n", "documents"), lines, words={""})


def _curves(rows: pd.DataFrame) -> Iterator[str]:
    """A line for each statistic whose groups are points of a curve: how far back: 1 0.30 · 2 0.37 · 4 0.46"""
    for name in rows.loc[~_has_own_line(rows), "statistic"].unique():
        points_of = rows[rows["statistic"] == name]
        points = sorted(zip(points_of["group"], points_of["value"], strict=True), key=lambda p: int(p[0]))
        of = "of the rest" if statistic(name).apart_from_first else "of all"
        yield f"[dim]within the last k tokens, {of}:[/dim] {_write_points(points)}"


def _write_points(points: Iterable[tuple[str, float]]) -> str:
    return " · ".join(f"{escape(point)} {number(value, 2)}" for point, value in points)


def _has_own_line(rows: pd.DataFrame) -> pd.Series[bool]:
    """Say which rows have a line of their own."""
    keys = zip(rows["statistic"], rows["group"], strict=True)
    return pd.Series([bool(statistic(n).list_groups([g])) for n, g in keys], index=rows.index, dtype=bool)


def _example(example: Passage) -> Text:
    """0.98  the text, with query and key marked."""
    weight = f"{example.weight:.2f}" if example.weight >= 0.005 else f"{example.weight:.0e}"
    text = Text.assemble((f"{weight}  ", "bold"))
    for pieces in (example.text, example.key_text):
        if pieces is example.key_text and pieces:
            text.append("  →  ", "dim")
        for piece in pieces:
            text.append(*_mark_piece(piece))
    return text


def _mark_piece(piece: PassagePart) -> tuple[str, str]:
    """Quotes as well as style: a pipe or a file has no style."""
    shown = printable(piece.text)
    match piece.role:
        case "query":
            return f"‹{shown}›", "underline"
        case "key":
            return f"«{shown}»", "reverse"
        case "both":
            return f"‹«{shown}»›", "underline reverse"
        case _:
            return shown, "dim"


def _in(what: Any) -> Padding:
    return Padding(what, (0, 0, 0, 2), expand=False)


def _name_group(kind: str, name: str) -> str:
    return REGISTRY[kind].group_name(name)


def _write_head(head: Head, atlas: Atlas) -> str:
    return str(head) if len(atlas.kinds) == 1 else head.full


def _safe(text: Any) -> str:
    return escape(printable(str(text)))
