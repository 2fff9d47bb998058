"""What the report sends to its page: one JSON document, and one block of bytes for the maps.

A head is a number: its place in `heads`. Numbers per head stand in columns, one list per statistic, so that
1,200 heads stay small; `null` stands where a head has no value. A chapter and a statistic are numbers, too:
places in `chapters` and `statistics`.

A sentence is a list of parts, text and heads: `["Head ", 94, " finds the verb of a direct object."]`. What
it rests on follows after a part that is a line break.
Page, terminal and search write a head as its address; the page makes a link of it.

In the page the document is UTF-8 JSON, deflated (zlib) and in base64, in
`<script type="application/octet-stream" data-attlas="report">`; the block of bytes, likewise deflated, in
`data-attlas="data"`. `<` in tokens and names is therefore harmless until the page shows it.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads typing's own only from Python 3.12 on

from attlas.views.contract import NameKind, Section

SCHEMA: Literal["attlas.report/1"] = "attlas.report/1"

HeadKind = Literal["encoder", "decoder", "cross", "vision"]
#: strongest: the items where the head is strongest, one of each. step: from one of the five steps of the
#: head's distribution over random rows. random: rows drawn at random, the same for every head. at_work: a
#: link of an annotated corpus.
ExampleKind = Literal["strongest", "step", "random", "at_work"]
#: which way a link is looked along: "to" the syntactic head (or antecedent), or "from" it
Direction = Literal["to", "from"]
Sentence = list[str | int]
Numbers = list[float | None]


class Made(TypedDict):
    """Where the page itself comes from."""

    attlas: str  # version
    when: str  # 2026-11-16 07:48
    atlas: str  # the folder's name
    command: str  # makes the page again
    view: str  # the address of a view of the model, to which cards lead; "" where there is none


class Grid(TypedDict):
    """The heads of one kind, and whether they see only what came before."""

    kind: HeadKind
    layers: int
    width: int  # most heads in a layer
    causal: bool


class Model(TypedDict):
    name: str  # as given
    title: str  # as people read it
    type: str  # the class of the model
    dtype: str
    weights: str  # hash
    config: str
    grids: list[Grid]


class PageChapter(TypedDict):
    """What one study found, and where it comes from."""

    name: str  # surface-wikipedia
    title: str  # Where heads look, on wikipedia
    study: str
    corpus: str
    read: list[str]  # ["100 segments", "23 documents", "12,800 tokens"]
    notes: list[str]
    when: str
    seconds: float | None
    software: dict[str, str]
    settings: dict[str, str]
    command: str  # makes the chapter again


class PageStatistic(TypedDict):
    """One number per head."""

    name: str  # as in heads.parquet
    group: str
    key: str  # what conditions and links call it: name, or name.group; unique
    chapter: int
    family: str  # surface, gradient, distance, link, weight, effect, pattern
    title: str  # attention to the previous token
    short: str  # previous
    unit: str  # share, weight, nats, tokens' worth, loss per weight, or nothing
    low: float | None  # the range of its values; null: unbounded
    high: float | None
    chance: str  # what chance would give, in words
    chances: NotRequired[Numbers]  # and in numbers, where each head has one of its own
    baseline: NotRequired[float]  # or where one number holds for all heads
    untrained: NotRequired[Numbers]  # what untrained heads of its kind have, where a twin was measured
    definition: str  # what the value is, and how it was measured: one or two sentences
    more: Literal["better", "worse", ""]
    overview: bool  # one of the few that tables begin with
    values: Numbers
    stderr: Numbers
    n: int | list[int | None]  # one number where all heads have the same
    documents: int | list[int | None]  # that the n come from


class NameChoice(TypedDict):
    name: str  # as atlases and options write it; "none": looked for, and nothing fits
    title: str
    light: str  # its colour in each theme
    dark: str
    quiet: bool  # whether it says least, and is painted so
    meaning: str  # what a head with this name does


class Names(TypedDict):
    """The names of one kind. `heads` and `second` hold places in `choices`; null where nothing was asked. A
    name by programs is the largest part of a head's sum, and its confidence is that part's share."""

    kind: NameKind | Literal["program"]
    chapter: int
    title: str  # what heads attend to
    rules: str  # what it takes to have such a name, in a sentence; "" where choices say it themselves
    choices: list[NameChoice]
    heads: list[int | None]
    confidence: Numbers
    second: list[int | None]
    second_confidence: Numbers


class CardRelation(TypedDict):
    """How well a head tracks a link of an annotated corpus, beside a baseline."""

    chapter: int
    statistic: int | None  # the column that has it for all heads (over all windows)
    group: str  # obj
    title: str  # direct object of a verb
    finds: str  # the verb of a direct object
    direction: Direction
    way: str  # from the object to its verb
    value: float
    low: float | None  # 95 % interval
    high: float | None
    baseline: float | None
    baseline_title: str  # best fixed offset -2
    p: float | None  # corrected for the relations; for all heads too, where `best` is false
    best: bool  # the head that was chosen for it
    sure: bool  # beats the baseline beyond chance
    n: int
    documents: int  # that the n come from; 0 where they do not come from documents


class CardEffect(TypedDict):
    """What disabling the head does."""

    chapter: int
    edit: str  # uniform
    edit_title: str  # even attention instead of its own
    score: str  # loss
    plain: float
    disabled: float
    change: float
    low: float | None
    high: float | None
    p: float | None
    n: int
    documents: int


class Change(TypedDict):
    """What became of the head in another model, in one statistic."""

    chapter: int
    other: str  # the other model
    title: str
    first: float | None
    second: float | None
    low: float | None
    high: float | None
    p: float | None


class Match(TypedDict):
    """The head of the other model that does most nearly the same."""

    chapter: int
    other: str
    layer: int
    head: int
    distance: float
    own_distance: float | None  # to the head of the same address


class HeadExamples(TypedDict):
    """All examples of a head, in columns. `tokens` are places in the report's lists of tokens; `query` and
    `key` count within them."""

    kind: list[ExampleKind]
    step: list[int | None]  # 0 (weakest) to 4 (strongest), of a step
    weight: list[float]
    tokens: list[int]
    query: list[int]
    key: list[int]
    key_tokens: list[int | None]  # where the keys are of another list (cross attention)


class TokenCounts(TypedDict):
    """Tokens that a head looks from, or at, most often, beside how common they are in what was read."""

    tokens: list[str]
    shares: list[float]  # of the head's rows
    common: list[float]  # of all tokens


class TypicalMap(TypedDict):
    """A map of a text in which the head does about what it does on average.

    A byte b means scale * (b / 255)**2.
    """

    weights: Section  # query key
    scale: float
    tokens: int  # a place in the report's `tokens`: its first tokens are the rows and the columns


class Card(TypedDict):
    """What is known of one head beyond its statistics. Lists may be empty."""

    sentences: list[Sentence]  # first of all; never empty
    tells: list[str]  # what the numbers of each are of: "chapter 2", "statistic 12 94", or ""
    known: bool  # False: nothing beyond the statistics
    relations: list[CardRelation]  # best first
    effects: list[CardEffect]
    changes: list[Change]
    matches: list[Match]
    examples: HeadExamples
    looks_from: TokenCounts | None
    looks_at: TokenCounts | None
    map: TypicalMap | None
    alike: list[tuple[int, float]]  # heads most like it, and the distance in nats
    alike_chapter: int | None


class Heads(TypedDict):
    """Columns: one place per head, in reading order."""

    address: list[str]  # 7.10; cross.0.3 where the model has several kinds
    kind: list[HeadKind]
    layer: list[int]
    head: list[int]
    plane: list[tuple[float, float]] | None  # heads that do the same lie near each other


class TokenList(TypedDict):
    """Tokens as shown, and what stands before each: "s" a space, "-" nothing."""

    tokens: list[str]
    gaps: str


class LayerMeans(TypedDict):
    """How the layers of a kind differ in one statistic: means over their heads."""

    kind: HeadKind
    statistic: int
    means: Numbers
    stderr: Numbers


class Missing(TypedDict):
    """Something that Attlas can measure and this atlas lacks."""

    what: str  # which relations of grammar each head tracks
    why: str  # "" where nobody asked; else why it was left out
    command: str  # adds it


class Term(TypedDict):
    """A thing people ask for, their words for it, and what would measure it."""

    term: str  # obj
    title: str  # direct object of a verb
    words: list[str]  # normalised words and phrases: "object", "direct object", "dobj"
    command: str  # measures it, if no topic has it


class Topic(TypedDict):
    """A thing that was measured, and the heads that do it most, by effect over baseline."""

    title: str
    terms: list[str]  # glossary terms and normalised words; the first ones say most
    needs: list[str]  # terms of which a question must have at least one, for the topic to be an answer
    chapter: int
    statistic: int | None
    heads: list[int]
    effects: list[float]  # over the baseline; sorted, largest first
    sure: list[bool]
    sentences: list[Sentence]  # one per head: number, baseline, interval


class Form(TypedDict):
    """A form of question that words alone cannot answer, and what a page says to it."""

    pattern: str  # a regular expression that Python and JavaScript read alike
    named: bool  # whether it is of that form where it names a head, too
    lead: str  # the answer; "" where only `attlas ask` works it out
    missing: list[tuple[str, str]]  # what the atlas lacks, and the command that would measure it


class Finder(TypedDict):
    """What `ask` and the page's finder share. The rules of matching are in `attlas.reports.matching`; those
    of the page must give the same answers (tests compare them)."""

    ignored: list[str]  # words that say nothing: which, head, the
    endings: list[tuple[str, str]]  # of words, longest first: ("ies", "y")
    fillers: list[str]  # words, made alike, that say nothing unless the glossary has them: notice, score
    denials: list[str]  # words that turn a question around unless a phrase of the glossary has them: not
    rewrites: list[tuple[str, str]]  # regular expressions, and what stands for what they match: n't -> not
    after: str  # a regular expression after which words may be examples
    unheeded: str  # one of what words alone do not answer
    glossary: list[Term]
    topics: list[Topic]


class Report(TypedDict):
    schema: Literal["attlas.report/1"]
    made: Made
    model: Model
    chapters: list[PageChapter]
    statistics: list[PageStatistic]
    names: list[Names]
    heads: Heads
    cards: list[Card]  # one per head
    tokens: list[TokenList]
    stands_out: list[Sentence]
    stands_out_tells: list[str]  # as those of a card
    layers: list[LayerMeans]
    missing: list[Missing]
    finder: Finder
    ask: str  # the command that answers a question in words, without the question
    forms: list[Form]  # of questions, tried in order before the finder matches words
    bytes: int  # of the block, inflated
