"""The answers of the tools: each number with its interval, what it is compared with, and the command that
measures it again."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Number(BaseModel):
    """One measured number of one head."""

    statistic: str = Field(description="What was measured, in a phrase")
    value: float
    low: float | None = Field(description="Lower end of the 95 % interval over documents")
    high: float | None = Field(description="Upper end of the 95 % interval over documents")
    baseline: str = Field(description="What even attention, or chance, would give")
    documents: int | None = Field(description="How many documents it was measured on")
    unit: str = ""


class Finding(BaseModel):
    """A head, and a sentence about it that has its numbers and their baseline."""

    head: str = Field(description="LAYER.HEAD, counted from 0")
    sentence: str
    shown: bool = Field(description="False: the sentence is a best guess, not shown beyond chance")
    command: str = Field(description="Measures it again")


class Missing(BaseModel):
    """What the atlas has not measured, and the command that would measure it."""

    what: str
    command: str


class AskAnswer(BaseModel):
    atlas: str
    question: str
    answer: str = Field(description="The answer in words; says so when the question was not understood")
    heads: list[Finding]
    missing: list[Missing]


class HeadAnswer(BaseModel):
    atlas: str
    head: str
    sentences: list[str] = Field(description="What is known of the head, the strongest first")
    names: dict[str, str] = Field(description="What chapters call it: its behaviour, pattern, shape")
    numbers: list[Number]
    commands: list[str] = Field(description="Measure again what was measured")


class RankedHead(BaseModel):
    head: str
    number: Number


class FindAnswer(BaseModel):
    atlas: str
    statistic: str
    meaning: str
    heads: list[RankedHead] = Field(description="Best first")
    command: str


class ComparedHead(BaseModel):
    head: str
    first: Number
    second: Number
    apart: bool = Field(description="Whether the two 95 % intervals do not overlap")


class CompareAnswer(BaseModel):
    first: str
    second: str
    statistic: str
    caution: str
    heads: list[ComparedHead] = Field(description="The largest difference first")
    command: str = Field(description="Compares the two models head by head, with paired tests")


class DisabledSet(BaseModel):
    heads: str
    score: str = Field(description="loss, or the metric of a task")
    unmodified: float
    disabled: float
    change: float
    low: float | None
    high: float | None
    p: float | None = Field(description="Corrected for all sets of this answer")


class DisableAnswer(BaseModel):
    model: str
    sets: list[DisabledSet]
    notes: list[str]
    command: str


class ViewAnswer(BaseModel):
    model: str
    command: str = Field(description="Writes the picture; with --page instead of --figure, a page to explore")
