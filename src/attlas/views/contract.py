"""What Python sends to the front end: a header of plain JSON and one block of bytes.

`scripts/docs` writes the same types for the front end (`web/src/core/contract.ts`) and as a JSON schema
(`web/contract/view.schema.json`) from this file; a test fails when they are stale.

Weights travel as bytes. A byte b of a head with scale s (the head's largest weight) means
s * (b / 255)**2: coding the square root keeps the small weights apart, where most of them are. Where
only the strongest of each row are kept, s is the row's largest weight, t / 65535 squared times the head's.
Signed scores have signed bytes: the sign of b, and s * (b / 127)**2.
"""

from typing import Annotated, Any, Literal, NotRequired, get_args, get_origin, get_type_hints

from pydantic import Field
from typing_extensions import TypedDict  # pydantic reads typing's own only from Python 3.12 on

from attlas.choices import (
    Colouring,
    Direction,
    Layout,
    Level,
    MapKind,
    Sentences,
    Theme,
    ViewKind,
    Weighting,
)

SCHEMA: Literal["attlas.view/4"] = "attlas.view/4"

SideName = Literal["encoder", "decoder", "vision"]
End = Literal["query", "key"]
NameKind = Literal["behaviour", "pattern", "shape"]
VIEW_KINDS: tuple[ViewKind, ...] = get_args(ViewKind)
MAP_KINDS: tuple[MapKind, ...] = get_args(MapKind)
NAME_KINDS: tuple[NameKind, ...] = get_args(NameKind)

Whole = Annotated[int, Field(ge=0)]  # a place counted from 0, or a count
Positive = Annotated[int, Field(ge=1)]
Scale = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
Address = tuple[MapKind, Whole, Whole]  # attention, layer, head
Rated = tuple[MapKind, Whole, Whole, float]  # attention, layer, head, and a number of the head
Pin = tuple[End, Whole]  # a token


class Section(TypedDict):
    """Where an array lies in the block of bytes (after inflating it)."""

    at: Whole
    type: Literal["u8", "u16", "u32", "i8", "i16"]
    shape: list[Whole]


class Vector(TypedDict):
    """Vectors of one layer as 16-bit integers: value = integer / 32767 * scale[head]."""

    values: Section  # head token dim
    scale: list[float]


class Vectors(TypedDict):
    """Queries, keys (both after rotation) and values of one layer, repeated to query heads."""

    scaling: float
    query: Vector
    key: Vector
    value: Vector


class Norms(TypedDict):
    """How long the value vector of each key is: integer / 255 * scale[head]."""

    values: Section  # head key
    scale: list[float]


class Tiles(TypedDict):
    """The maps of a layer's heads in squares: the mean over a square's queries of the weight on its keys.

    A byte b means scale[head] * (b / 255)**2. Where `first` is there, shares are without the first key's,
    and an integer of it is / 65535 of a row's attention.
    """

    shares: Section  # head row column
    first: NotRequired[Section]  # head row: the share on the first key
    scale: list[Scale]
    size: Positive  # tokens on a side


class Layer(TypedDict):
    """The heads of one layer. Dense: every weight. Sparse: each row's strongest and the rest.

    Long inputs have tiles of every head, and rows perhaps of some heads only.
    """

    layer: Whole
    heads: Annotated[list[Whole], Field(min_length=1)]
    scale: list[Scale]  # one per head whose rows are here
    weights: Section  # dense: head query key; sparse: head query k
    columns: NotRequired[Section]  # sparse: which keys, strongest first
    tops: NotRequired[Section]  # sparse, head query: each row's largest, as the square root of its share
    rest: NotRequired[Section]  # sparse, head query: what the others share, scale 1
    with_rows: NotRequired[list[Whole]]  # the heads whose rows are here, where not all are
    tiles: NotRequired[Tiles]
    vectors: NotRequired[Vectors]
    value_norms: NotRequired[Norms]


class Attention(TypedDict):
    """All layers of one kind of map, and which tokens are its queries and keys.

    A rollout has one map per layer, under head 0: the mean of all heads, followed down to the input.
    """

    attention: MapKind
    queries: SideName
    keys: SideName
    causal: bool
    shares: bool  # rows hold weights that sum to 1; else any numbers
    signed: bool  # some are below 0
    layers: Annotated[list[Layer], Field(min_length=1)]


class Side(TypedDict):
    """A list of tokens as shown, the word each belongs to, and where sentence B begins."""

    tokens: Annotated[list[str], Field(min_length=1)]
    words: list[Whole]
    #: what stands before each token in the text: "s" a space, "n" a new line, "-" nothing
    gaps: Annotated[str, Field(pattern="^[sn-]*$")]
    b_start: Whole | None
    generated: Whole | None  # the first token that the model wrote itself; None: it wrote none
    probabilities: list[Share | None]  # of each token given those before; empty: not known


class SceneStatistic(TypedDict):
    """One number per head, to order the model view by, and which end people look for."""

    name: str
    first: Literal["largest", "smallest"]
    values: list[Rated]


class SceneName(TypedDict):
    """One name given to heads, to colour and filter the model view by.

    A head has at most one name of a kind, and at most one that fits second best; each with the confidence in
    it, from 0 to 1.
    """

    kind: NameKind
    name: str  # as atlases and options write it
    title: str  # as people read it
    light: Colour  # in each theme
    dark: Colour
    heads: list[Rated]
    second: list[Rated]


class SceneEdit(TypedDict):
    """A change to attention that was in force when the maps were taken."""

    edit: str
    heads: list[Address]


class Selection(TypedDict):
    """What is chosen in the view; the traits of the widget, and what a link to a page holds."""

    kind: ViewKind
    attention: MapKind
    layer: Whole
    heads: Annotated[list[Whole], Field(min_length=1)]
    pinned: list[Pin]
    level: Level
    layout: Layout
    sentences: Sentences
    threshold: Scale | None  # links below this weight are not drawn; None: the view finds one
    order: str  # of the model view: "layer", a statistic's name, or "asked"
    reverse: bool
    colour: Colouring  # of the model view: a colour a head, or a colour a name
    behaviour: str  # of the model view: only heads with this name; "" for all
    pattern: str
    shape: str
    asked: tuple[Whole, Whole] | None  # from which token to which one all heads are ranked
    weighting: Weighting
    direction: Direction  # of the text view: what a token attends to, or what attends to it
    without_first: bool  # weights on the first token are left out, and rows made to sum to 1 again
    square: (
        Annotated[int, Field(ge=8, le=400)] | None
    )  # pixels on a side of a head in the model view; None: as fits


class WriterPart(TypedDict):
    """What one writer adds to the query or the key of a link."""

    writer: str  # as people read it: 10.2, MLP 3, the tokens' embeddings
    head: Address | None  # of a head
    called: str  # the head's name; "" where none is known
    score: float  # what it adds to the score
    lift: float  # what it adds beyond the mean of the other keys that the query may see
    looks_at: Whole | None  # of a head: where it looks most from that token
    weight: Share | None  # with which it does


class LinkReason(TypedDict):
    """Why a head looks from one token at another.

    All who wrote the key, or the query, add up to `score`; their lifts and `distance_lift` to `lift`. The
    strongest of either are here.
    """

    head: Address
    query: Whole
    key: Whole
    weight: Share
    score: float
    lift: float
    distance: float  # what the model adds to the score for the distance of the two
    distance_lift: float
    wrote_key: list[WriterPart]
    wrote_query: list[WriterPart]
    sentence: str


class Reasons(TypedDict):
    """Why heads look where they look most strongly."""

    links: Section  # a list of `LinkReason` as JSON in UTF-8
    per_head: Positive  # how many links of each head are there, the strongest


class Palette(TypedDict):
    """One colour per head, for each theme."""

    light: Annotated[list[Colour], Field(min_length=1)]
    dark: Annotated[list[Colour], Field(min_length=1)]


class SceneImage(TypedDict):
    """A picture that a model read, as it saw it: its patches are tokens of a side, row after row."""

    source: Annotated[str, Field(pattern="^data:image/")]  # a data URL
    rows: Positive
    columns: Positive
    before: Whole  # tokens before the first patch: the class token, registers, words
    side: SideName


class Pane(TypedDict):
    """Another input or model beside the first, or their difference."""

    name: str
    sides: Annotated[dict[SideName, Side], Field(min_length=1)]
    attentions: Annotated[list[Attention], Field(min_length=1)]


class Scene(TypedDict):
    """The header: everything that a view shows but the bytes."""

    schema: Literal["attlas.view/4"]
    title: str
    theme: Theme
    sides: Annotated[dict[SideName, Side], Field(min_length=1)]
    attentions: Annotated[list[Attention], Field(min_length=1)]
    statistics: list[SceneStatistic]
    names: list[SceneName]
    names_from: Literal["atlas", "text"]  # who named the heads: an atlas, or the rules on this text alone
    palette: Palette
    selection: Selection
    edits: list[SceneEdit]
    notes: list[str]
    why: str  # why it opens on these heads; "" where somebody chose them
    call: str  # the Python call that shows the same, without what is chosen; "" where there is none
    name: NotRequired[str]  # of the first pane, where there are others
    panes: NotRequired[list[Pane]]
    images: NotRequired[Annotated[list[SceneImage], Field(min_length=1)]]
    reasons: NotRequired[Reasons]
    bytes: Whole  # of the block, inflated


#: the names of all choices, in order: the traits of the widget
SELECTION: tuple[str, ...] = tuple(Selection.__annotations__)
#: what can be chosen where that is one of a few
CHOICES: dict[str, tuple[Any, ...]] = {
    name: (True, False) if kind is bool else get_args(kind)
    for name, kind in get_type_hints(Selection).items()
    if kind is bool or get_origin(kind) is Literal
}
