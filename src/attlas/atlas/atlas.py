"""Atlas: the chapters of one model, and the questions one asks of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.address import KINDS, Head, Kind
from attlas.atlas.registry import REGISTRY, causal_cannot, in_order
from attlas.atlas.schema import ADDRESS
from attlas.errors import AttlasError, printable
from attlas.wording.names import NAMING, NONE
from attlas.wording.numbers import model_title

if TYPE_CHECKING:
    from attlas.reports.ask_answer import Answer

#: how a head may be named: `Head`, "7.9", "cross.7.9", (7, 9) or ("cross", 7, 9)
AnyHead = Head | str | tuple[int, int] | tuple[str, int, int]

_NEVER = 1e-6  # a share that is never larger is 0 by construction


@dataclass(frozen=True, eq=False, repr=False)
class Atlas:
    """`heads` is tidy, one row per value; `examples` is where each head attends most strongly, as places in
    the lists of `tokens`; `tables` are what studies concluded; `arrays` hold what is not a scalar per head.
    The last three are kept under CHAPTER/NAME. `manifest` says where it all came from.

    A question without a chapter is answered by the first chapter that has the answer.
    """

    manifest: dict[str, Any]
    heads: pd.DataFrame
    arrays: dict[str, npt.NDArray[Any]] = field(default_factory=dict)
    examples: pd.DataFrame = field(default_factory=pd.DataFrame)
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    tokens: Mapping[str, Sequence[str]] = field(default_factory=dict)
    path: Path | None = None

    @property
    def model(self) -> dict[str, Any]:
        """name, class, weights (hash), config (hash), dtype, heads of each kind."""
        return cast(dict[str, Any], self.manifest["model"])

    @property
    def chapters(self) -> tuple[str, ...]:
        """Their names, in the order in which they were added."""
        return tuple(self.manifest["chapters"])

    def about(self, chapter: str | None = None) -> dict[str, Any]:
        """Where a chapter comes from: study, corpus, settings, software, what was read, notes."""
        if chapter is None and self.chapters:
            chapter = self.chapters[0]
        self._check(chapter)
        return cast(dict[str, Any], self.manifest["chapters"][chapter])

    @property
    def kinds(self) -> tuple[Kind, ...]:
        have = set(self.heads["kind"])
        return tuple(k for k in KINDS if k in have)

    @property
    def addresses(self) -> tuple[Head, ...]:
        """Every head, in reading order."""
        return _addresses(self.heads)

    def has(
        self, statistic: str, group: str = "", kind: Kind | None = None, chapter: str | None = None
    ) -> bool:
        return not self._rows(statistic, group, kind, chapter).empty

    def grid(
        self,
        statistic: str,
        group: str = "",
        kind: Kind | None = None,
        column: str = "value",
        chapter: str | None = None,
    ) -> npt.NDArray[np.float64]:
        """layer head: one statistic of every head; NaN where a head has none."""
        if not isinstance(statistic, str):
            raise AttlasError(f"statistic={statistic!r}: give the name of a statistic")
        if column not in ("value", "stderr", "n", "documents", "effective"):
            raise AttlasError(
                f"there is no column {column!r}: choose value, stderr, n, documents or effective"
            )
        if kind is None:
            having = set(self._rows(statistic, group, None, chapter)["kind"])
            kind = next((k for k in self.kinds if k in having), None)
        rows = self._rows(statistic, group, kind, chapter)
        if rows.empty:
            raise AttlasError(self._explain_missing(statistic, group, kind, chapter))
        of_kind = self.heads[self.heads["kind"] == kind]
        grid = np.full((int(of_kind["layer"].max()) + 1, int(of_kind["head"].max()) + 1), np.nan)
        grid[rows["layer"], rows["head"]] = rows[column]
        return grid

    def head(self, head: AnyHead, chapter: str | None = None) -> pd.DataFrame:
        """Everything about one head: chapter, statistic, group, value, stderr, n, documents."""
        address = self.address(head)
        rows = self.heads if chapter is None else self.heads[self.heads["chapter"] == self._check(chapter)]
        return rows[_is(rows, address)].drop(columns=list(ADDRESS)).reset_index(drop=True)

    def address(self, head: AnyHead) -> Head:
        """The head that is meant, if the atlas has it."""
        if isinstance(head, Head):
            head = head.full
        elif isinstance(head, tuple | list) and len(head) in (2, 3):
            head = ".".join(str(part) for part in head)
        if not isinstance(head, str):
            raise AttlasError(f"{head!r} is not a head: write '7.9', (7, 9) or ('cross', 0, 3)")
        return Head.parse(head, self.addresses)

    def overview(self, chapter: str | None = None) -> pd.DataFrame:
        """A row a head: its behaviour and its main statistics. What no head of a kind can do is left out."""
        chapter = self._check(chapter) if chapter else self.first_surface()
        rows = self.heads[self.heads["chapter"] == chapter]
        behaviours = self.names("behaviour", chapter=chapter)
        index = list(ADDRESS)
        table = pd.DataFrame(
            [(h.kind, h.layer, h.head, behaviours.get(h, "")) for h in _addresses(rows)],
            columns=[*index, "behaviour"],
        ).set_index(index)
        for name, statistic in REGISTRY.items():
            for group in statistic.overview:
                chosen = rows[(rows["statistic"] == name) & (rows["group"] == group)]
                chosen = chosen[~chosen["kind"].isin([k for k in KINDS if _cannot(chosen, name, group, k)])]
                if len(chosen):
                    table[column_of(name, group)] = chosen.set_index(index)["value"]
        return table.reset_index()

    def names(
        self, of: str = "behaviour", kind: Kind | None = None, chapter: str | None = None
    ) -> dict[Head, str]:
        """What heads are called: their `behaviour`, `pattern` or `shape`, or the second best of these. Heads
        that no name fits are left out."""
        if of not in NAMING:
            raise AttlasError(f"{of!r} is not a kind of name: there are {', '.join(NAMING)}")
        rows = self._of_first(self.heads[self.heads["statistic"] == of], chapter)
        rows = rows[rows["group"] != NONE]
        if kind is not None:
            rows = rows[rows["kind"] == kind]
        return {
            Head(k, int(la), int(h)): str(g)
            for k, la, h, g in rows[[*ADDRESS, "group"]].itertuples(index=False)
        }

    def groups(self, statistic: str, kind: Kind | None = None, chapter: str | None = None) -> tuple[str, ...]:
        """The groups that a statistic has: the special classes first, numbers by size."""
        rows = self.heads[self.heads["statistic"] == statistic]
        rows = self._of_first(rows if kind is None else rows[rows["kind"] == kind], chapter)
        first = {"sep": 0, "cls": 1, "punct": 2}

        def place(group: str) -> tuple[int, int, str]:
            return first.get(group, 3), int(group) if group.isdecimal() else 0, group

        return tuple(sorted((str(g) for g in rows["group"].unique()), key=place))

    def table(self, name: str, chapter: str | None = None) -> pd.DataFrame:
        """What a study concluded: `best`, `weights` ..."""
        kept = self._look_up(self.tables, name, chapter)
        if kept is None:
            there = ", ".join(self.tables) or "none"
            where = f" in the chapter {chapter}" if chapter else ""
            raise AttlasError(f"there is no table {name!r}{where}: there are {there}")
        return cast(pd.DataFrame, kept)

    def tables_of(self, chapter: str) -> dict[str, pd.DataFrame]:
        """The tables of a chapter, by their names within it."""
        return {
            name.removeprefix(f"{chapter}/"): t
            for name, t in self.tables.items()
            if name.startswith(f"{chapter}/")
        }

    def array(self, name: str, chapter: str | None = None) -> npt.NDArray[Any] | None:
        """What is not a scalar per head, by its name within the chapter; None where there is none."""
        return cast("npt.NDArray[Any] | None", self._look_up(self.arrays, name, chapter))

    def token_list(self, name: str, chapter: str | None = None) -> Sequence[str] | None:
        """A list of tokens that examples or maps point into, by its name within the chapter."""
        return cast("Sequence[str] | None", self._look_up(self.tokens, name, chapter))

    def chapter_with(self, *, array: str | None = None, about: str | None = None) -> str | None:
        """The first chapter that has an array of that name, or that is said of it in its `about`."""
        fits = (
            c
            for c in self.chapters
            if (array is None or f"{c}/{array}" in self.arrays) and (about is None or about in self.about(c))
        )
        return next(fits, None)

    def ask(self, question: str) -> Answer:
        """The heads that a question in your own words is about: as `attlas.ask`."""
        from attlas.reports.asking import ask

        return ask(self, question)

    def __repr__(self) -> str:
        where = f", {self.path}" if self.path else ""
        return f"Atlas({self._gist()}{where})"

    def _repr_html_(self) -> str:
        from html import escape

        table = contents(self).to_html(index=False, escape=True, border=0, justify="left")
        return f"<p><b>{escape(self._gist())}</b><br>{escape(str(self.path or ''))}</p>{table}"

    def _gist(self) -> str:
        """mini: 144 encoder heads; 2 chapters: surface-wikipedia, dependencies-en_ewt"""
        counted = ", ".join(f"{sum(h.kind == k for h in self.addresses)} {k}" for k in self.kinds)
        named = ", ".join(self.chapters[:6]) + (", ..." if len(self.chapters) > 6 else "")
        many = f"{len(self.chapters)} chapter{'' if len(self.chapters) == 1 else 's'}"
        name = printable(model_title(str(self.manifest.get("model", {}).get("name", "?"))))[:80]
        return f"{name}: {counted or 'no'} heads; {many}{f': {named}' if named else ''}"

    def first_surface(self) -> str | None:
        surface = [s.name for s in REGISTRY.values() if s.overview]
        having = set(self.heads["chapter"][self.heads["statistic"].isin(surface)])
        return next((c for c in self.chapters if c in having), next(iter(self.chapters), None))

    def _check(self, chapter: str | None) -> str:
        if chapter is None or chapter not in self.manifest["chapters"]:
            there = ", ".join(self.chapters) or "none"
            raise AttlasError(
                f"there is no chapter {chapter!r} in {self.path or 'the atlas'}: there are {there}"
            )
        return chapter

    def _look_up(self, among: Mapping[str, Any], name: str, chapter: str | None) -> Any:
        wanted = self.chapters if chapter is None else (self._check(chapter),)
        return next((among[key] for c in wanted if (key := f"{c}/{name}") in among), None)

    def _of_first(self, rows: pd.DataFrame, chapter: str | None) -> pd.DataFrame:
        """The rows of the chapter, or of the first that has any."""
        if chapter is None:
            having = set(rows["chapter"])
            chapter = next((c for c in self.chapters if c in having), None)
        else:
            self._check(chapter)
        return rows[rows["chapter"] == chapter]

    def _rows(self, statistic: str, group: str, kind: Kind | None, chapter: str | None) -> pd.DataFrame:
        chosen = (self.heads["statistic"] == statistic) & (self.heads["group"] == group)
        if kind is not None:
            chosen &= self.heads["kind"] == kind
        return self._of_first(self.heads[chosen], chapter)

    def _explain_missing(self, statistic: str, group: str, kind: Kind | None, chapter: str | None) -> str:
        """What is wrong with a question that has no answer, and what could be asked."""
        of = f" for {kind} heads" if kind else ""
        where = f"the chapter {chapter}" if chapter else "the atlas"
        rows = self.heads if chapter is None else self.heads[self.heads["chapter"] == chapter]
        there = sorted(set(rows["statistic"]), key=lambda s: (in_order(s), s))
        if statistic not in there:
            return f"{where} has no {statistic}{of}: it has {', '.join(there) or 'nothing'}"
        groups = [repr(g) for g in self.groups(statistic, kind, chapter)]
        if not groups:
            return f"{where} has no {statistic}{of}"
        asked = f"no {statistic} of the group {group!r}" if group else f"{statistic} of several groups"
        return f"{where} has {asked}{of}: name one of {', '.join(groups)}"


def column_of(statistic: str, group: str) -> str:
    """The name of a column of the overview: previous, cls, entropy."""
    return group if statistic == "to_class" else statistic.removeprefix("to_")


def contents(atlas: Atlas) -> pd.DataFrame:
    """A row a chapter: name, study, corpus, when, items, notes."""
    return pd.DataFrame(
        [_line(name, atlas.about(name)) for name in atlas.chapters],
        columns=["chapter", "study", "corpus", "when", "items", "notes"],
    )


def _line(name: str, about: dict[str, Any]) -> tuple[str, ...]:
    corpus = about.get("corpus")
    title = corpus.get("name", "") if isinstance(corpus, dict) else corpus or ""
    notes = about.get("notes") or []
    return (
        name,
        str(about.get("study", "")),
        str(title),
        _format_time(about),
        ", ".join(_items(about)),
        "; ".join(str(note) for note in notes) if isinstance(notes, list) else str(notes),
    )


def _format_time(about: dict[str, Any]) -> str:
    """2026-11-15 16:42"""
    time = about.get("time")
    finished = time.get("finished") if isinstance(time, dict) else None
    return str(finished or "").replace("T", " ")[:16]


def _items(about: dict[str, Any]) -> Iterator[str]:
    """What was read: 1,000 segments, 29 documents, 125,000 tokens."""
    counts, corpus = about.get("counts"), about.get("corpus")
    known = {**(corpus if isinstance(corpus, dict) else {}), **(counts if isinstance(counts, dict) else {})}
    if known.keys() & {"segments", "windows"}:
        known.pop("items", None)  # which is what they are
    if "segments" in known:
        known.pop("sentences", None)  # those that were read, of which segments may hold the first alone
    for name in ("segments", "windows", "items", "sentences", "links", "documents", "tokens"):
        if isinstance(many := known.get(name), int) and many:
            yield f"{many:,} {name if many != 1 else name.removesuffix('s')}"


def _addresses(rows: pd.DataFrame) -> tuple[Head, ...]:
    once = rows[list(ADDRESS)].drop_duplicates()
    heads = [Head(k, int(la), int(h)) for k, la, h in once.itertuples(index=False)]
    return tuple(sorted(heads, key=lambda h: (KINDS.index(h.kind), h.layer, h.head)))


def _is(rows: pd.DataFrame, head: Head) -> pd.Series[bool]:
    return (rows["kind"] == head.kind) & (rows["layer"] == head.layer) & (rows["head"] == head.head)


def _cannot(rows: pd.DataFrame, statistic: str, group: str, kind: Kind) -> bool:
    """Whether heads of this kind cannot do it: causal ones, that see nothing of what comes after."""
    if kind != "decoder" or not causal_cannot(statistic, group):
        return False
    return bool((rows["value"][rows["kind"] == kind] <= _NEVER).all())
