"""What the app's page and its server say to each other. `scripts/docs` writes it as
`web/contract/openapi.json` and as types for the page (`web/src/app/api.ts`); a test fails when either is
stale.

Heads are written as everywhere: `7.9`, all of a layer `7.*`, `cross.0.3`. Places count tokens from 0. All
probabilities are after the softmax; `logprob` is a natural logarithm.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA: Literal["attlas.app/1"] = "attlas.app/1"

# ---- limits: what one request may hold ------------------------------------------------------------

MOST_CHARACTERS = 4000  # of a text
MOST_TOKENS = 512
MOST_EDITS = 16
MOST_HEADS = 2048  # named in one edit
MOST_RANDOM_SETS = 20

Text = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]
Name = Annotated[str, Field(min_length=1, max_length=120)]
Place = Annotated[int, Field(ge=0, le=MOST_TOKENS)]
Token = Annotated[int, Field(ge=0, lt=2**31)]
Share = Annotated[float, Field(ge=0)]

ModelKind = Literal["masked", "causal", "encoder_decoder", "embedding"]
By = Literal["mean", "zero", "uniform", "pattern", "patch"]
Phase = Literal["queued", "loading", "running", "done", "failed", "cancelled"]
Verdict = Literal["beyond", "within", "none", "no control"]
Control = Literal["same layers", "other layers", "none"]
Gap = Literal["s", "n", "-"]
HeadKind = Literal["encoder", "decoder", "cross", "vision"]


class Message(BaseModel):
    """A part of the contract. Nothing may be in it that it does not name."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# ---- what is asked --------------------------------------------------------------------------------


class EditRequest(Message):
    """Heads to switch off, and what they do instead."""

    #: "7.9", "7.*" for a layer, "cross.0.3"
    heads: Annotated[list[Name], Field(max_length=MOST_HEADS)] = []
    #: or all heads of a named group of an atlas (`Group.id`)
    group: Name | None = None
    #: mean: gives its mean output over the embedded text. uniform: attends evenly. pattern: attends as its
    #: name says. patch: gives what it gives in the run's `patch_text`
    by: By = "mean"
    #: with `by="pattern"`: a pattern of `ModelAbout.patterns`; None: the name that the atlas gives each head
    pattern: Name | None = None


class Beside(Message):
    """What differs in a second run beside the first: what is None is the same."""

    model: Name | None = None
    text: Text | None = None
    text_b: Text | None = None
    edits: Annotated[list[EditRequest], Field(max_length=MOST_EDITS)] | None = None


class RunRequest(Message):
    """A model reads a text, perhaps without some of its heads, perhaps beside a second run."""

    model: Name
    text: Text
    #: a second sentence, for encoders; what the decoder reads, for an encoder-decoder
    text_b: Text | None = None
    edits: Annotated[list[EditRequest], Field(max_length=MOST_EDITS)] = []
    #: the prediction that edits and heads are judged by: a mask, or the token after which a decoder predicts.
    #: None: the first mask, the last token
    place: Place | None = None
    #: a token that may stand there. None: what the model finds likeliest, without edits
    token: Token | None = None
    #: sets of as many random heads of the same layers, beside which the edits stand. None: 19, or fewer of a
    #: long text, down to five
    random_sets: Annotated[int, Field(ge=0, le=MOST_RANDOM_SETS)] | None = None
    #: what heads are taken from with `by="patch"`: a text with as many tokens
    patch_text: Text | None = None
    beside: Beside | None = None
    #: whether the answer has the maps, with the edits in force
    scene: bool = True
    #: whether it ranks heads by what they write into the prediction
    ranked: bool = True


class WritesRequest(Message):
    """Which heads raise or lower one predicted token."""

    model: Name
    text: Text
    text_b: Text | None = None
    place: Place | None = None
    token: Token | None = None


class WhyRequest(Message):
    """Who wrote the query and the key of a link, in the text that a run reads, with its edits."""

    run: RunRequest
    #: as heads are written: "7.9", "cross.0.3"
    head: Name
    query: Place
    key: Place


class SaveRequest(Message):
    """A run that is done, to be saved as a page, and the part of the address after # that it opens with."""

    job: Name
    address: Annotated[str, Field(max_length=4 * MOST_CHARACTERS)] = ""


# ---- what is there ---------------------------------------------------------------------------------


class Group(Message):
    """Heads that an atlas gives the same name."""

    id: str  # "pattern:induction"
    kind: Literal["behaviour", "pattern", "shape"]
    title: str  # as people read it: "induction"
    heads: list[str]


class PreparedText(Message):
    """A text to begin with, and why."""

    id: str
    title: str
    why: str
    request: RunRequest


class Grid(Message):
    """The heads of one kind: how many in each layer."""

    kind: HeadKind
    heads: list[int]


class ModelAbout(Message):
    """What is known of a model once it was loaded."""

    kind: ModelKind
    type: str  # its class
    grids: list[Grid]
    parameters: int
    bytes: int
    tokens: int  # the most of a text
    text_b: bool  # whether it reads a second text
    mask: str | None  # how it writes what is to be predicted: "[MASK]"
    #: why heads cannot be switched off; None where they can
    uneditable: str | None
    #: why nothing is predicted; None where something is
    unpredicting: str | None
    #: why heads cannot be ranked by what they write into a prediction; None where they can
    unranked: str | None
    #: patterns that a head can be made to follow, and as people call them
    patterns: dict[str, str]
    seconds: float  # that loading took


class Model(Message):
    """A model that was given when the server began."""

    id: str
    title: str
    state: Literal["not loaded", "loading", "loaded", "failed"]
    message: str  # why it could not be loaded
    about: ModelAbout | None
    atlas: str | None  # the id of its atlas
    groups: list[Group]
    texts: list[PreparedText]


class Atlas(Message):
    id: str
    title: str
    model: str | None  # the id of the model that it is of, where that is served


class Limits(Message):
    characters: int
    tokens: int
    edits: int
    random_sets: int
    queue: int  # jobs that wait; beyond them the server answers 429
    seconds: int  # that a job may run


class Models(Message):
    """Everything that the page begins with."""

    contract: Literal["attlas.app/1"] = SCHEMA
    version: str
    models: list[Model]
    atlases: list[Atlas]
    limits: Limits


# ---- jobs -----------------------------------------------------------------------------------------


class Job(Message):
    """Work that was asked for, and where it stands. Its events are these, one after the other."""

    id: str
    phase: Phase
    #: jobs before it
    behind: int
    #: what it is doing: "reading the text"
    doing: str
    done: int
    total: int  # 0 where nobody knows
    #: why it failed, in one sentence
    message: str


# ---- results --------------------------------------------------------------------------------------


class TextToken(Message):
    """A token of the text that the model read."""

    text: str  # as people read it
    gap: Gap  # what stands before it: a space, a new line, nothing
    special: bool
    #: which text it is from, and its characters there; None for what the tokenizer added
    side: Literal["a", "b"] | None
    start: int | None
    end: int | None


class Likely(Message):
    """A token of the vocabulary, and how likely the model finds it."""

    token: int
    text: str  # as people read it
    raw: str  # what to put into the text to have it there
    probability: Share
    logprob: float


class Prediction(Message):
    """What a model predicts at one place, the likeliest first."""

    place: int
    #: of a decoder: the token that stands next in the text; None at the end, and for a mask
    next: Likely | None
    top: list[Likely]


class Shift(Message):
    """A token's probability without edits and with them."""

    token: int
    text: str
    raw: str
    before: Share
    after: Share


class Changed(Message):
    """A prediction without edits and with them."""

    place: int
    target: Shift
    change: float  # of the target's log-probability, in nats
    #: the ten likeliest before and the ten likeliest after, by what they were before
    top: list[Shift]


class RandomSet(Message):
    """As many heads at random, changed in the same way."""

    heads: list[str]
    after: Share  # the target's probability
    change: float


class Effect(Message):
    """What edits do to the predictions, beside random heads."""

    heads: list[str]  # every head that is switched off
    #: of a decoder, at the target's place alone; of a masked model, at every mask
    predictions: list[Changed]
    place: int  # of the target
    random: list[RandomSet]
    control: Control
    #: whether the random heads are all others of the layer
    every_other: bool
    #: beyond: further than every random set. within: no further. none: too little to matter
    verdict: Verdict
    sentence: str


class KeyWrite(Message):
    """A token that a head looks at from a prediction's place, and what it adds to the logit from there."""

    place: int
    weight: float
    logit: float


class HeadWrite(Message):
    """What a head adds to the target's logit by itself, the mean over the vocabulary taken off."""

    kind: HeadKind
    layer: int
    head: int
    logit: float
    #: what of it comes from where heads rest ([SEP], or the first token), and the weight there
    resting: float
    resting_weight: float
    #: without what comes from there: by this heads are ranked
    counted: float
    #: where the most of that comes from
    keys: list[KeyWrite]


class Writes(Message):
    """Heads ranked by what they write into one prediction, the strongest first, whether they raise or lower
    it."""

    place: int
    target: Likely
    heads: list[HeadWrite]
    #: a write smaller than this, either way, moves the target's probability by less than anybody sees
    smallest: Share
    #: what else adds to the logit: "embeddings", "feed_forward.0", "biases"
    others: dict[str, float]
    logit: float


class Embedding(Message):
    """What an encoder without predictions makes of a text: the mean over tokens of its last layer."""

    values: list[float]
    #: with edits: the cosine with the unedited one, and the same for random heads
    cosine: float | None
    random: list[float]
    sentence: str


class Scene(Message):
    """Maps, as the views take them."""

    scene: Annotated[dict[str, Any], Field(json_schema_extra={"x-typescript": "ViewScene"})]
    data: str  # base64 of the deflated bytes


class Run(Message):
    """What a model makes of a text."""

    model: str
    kind: ModelKind
    tokens: list[TextToken]
    #: of a decoder, one for every token; of a masked model, one for every mask
    predictions: list[Prediction]
    #: why there are none
    unpredicted: str | None
    ranked: Writes | None
    #: why heads are not ranked
    unranked: str | None
    effect: Effect | None
    embedding: Embedding | None
    #: what cannot be shown, and why
    notes: list[str]


class RunResult(Message):
    """A run, the one beside it, and the maps of both; with their difference, if both have as many tokens."""

    run: Run
    beside: Run | None
    scene: Scene | None
    seconds: float


class JobResult(Message):
    """What a job that is done has found: what was asked for is there."""

    run: RunResult | None = None
    writes: Writes | None = None
    why: Annotated[dict[str, Any], Field(json_schema_extra={"x-typescript": "LinkReason"})] | None = None


class PythonLines(Message):
    """What gives the same numbers in Python."""

    code: str


class AtlasReport(Message):
    """An atlas as the report's page takes it: cards, names, finder."""

    report: Annotated[dict[str, Any], Field(json_schema_extra={"x-typescript": "Report"})]
    data: str  # base64 of the deflated bytes


class Problem(Message):
    """Why a request was not answered, in one sentence."""

    message: str
