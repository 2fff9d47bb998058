"""What `ask` answers, and how it looks in the terminal, in a notebook and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attlas.wording.printing import notes_html, safe

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class AnsweredHead:
    """A head, what it does, and what that rests on. `effect` is over the baseline; `sure`: beyond chance."""

    head: str
    sentence: str
    about: str
    chapter: str
    effect: float | None = None
    sure: bool = True
    evidence: str = ""


def about_head(head: str, claim: str) -> str:
    """A claim with its head: Without 7.10 the loss rises · 7.10 looks at the next token"""
    for without in ("Without it ", "without it "):
        if without in claim:
            return claim.replace(without, f"{without.removesuffix('it ')}{head} ", 1)
    if claim.startswith("Best of all heads"):
        return f"{head} is {claim[:1].lower()}{claim[1:]}"
    return f"{head} {claim[:1].lower()}{claim[1:]}"


@dataclass(frozen=True, repr=False)
class Answer:
    """`lead` is the answer in a sentence, `heads` are those that it is about, best first; `missing` says what
    the atlas has not measured, and which command would measure it; `note` says why there is no answer, and
    `nearest` which questions have one."""

    question: str
    heads: tuple[AnsweredHead, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    note: str = ""
    lead: str = ""
    nearest: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "answer": self.lead,
            "heads": [vars(head) for head in self.heads],
            "missing": [{"what": what, "command": command} for what, command in self.missing],
            "note": self.note,
            "nearest": list(self.nearest),
        }

    def __str__(self) -> str:
        """The sentences alone."""
        first = [self.lead] if self.lead else [f"{head.head}: {head.sentence}" for head in self.heads[:1]]
        return "\n".join([*first, *self._lines()])

    def __repr__(self) -> str:
        heads = ", ".join(head.head for head in self.heads) or "no head"
        return f"Answer({self.question[:60]!r}: {heads})"

    def _repr_html_(self) -> str:
        heads = (f"{head.head}: {head.sentence} {head.evidence}" for head in self.heads)
        return notes_html([*([self.lead] if self.lead else []), *heads, *self._lines()])

    def show(self, console: Console) -> None:
        for line in self.lead.splitlines():
            console.print(f"[bold]{safe(line)}[/bold]", soft_wrap=True, highlight=False)
        for head in self.heads:
            said = f"  [bold]{safe(head.head)}[/bold]  {safe(head.sentence)}"
            console.print(said, soft_wrap=True, highlight=False)
            if head.evidence:
                console.print(f"        {safe(head.evidence)}", style="dim", soft_wrap=True, highlight=False)
        for line in self._lines():
            console.print(safe(line), soft_wrap=True, highlight=False)

    def _lines(self) -> list[str]:
        return [
            *([self.note] if self.note else []),
            *(f"  {question}" for question in self.nearest),
            *(f"The atlas has not measured {what}: {command}" for what, command in self.missing),
        ]
