"""What Python sends to the front end: a header of plain JSON and one block of bytes.

The same words are in `scene.schema.json` and in `web/src/contract.ts`; the tests of both sides
read the same fixture files, so neither can drift alone.

Weights travel as bytes. A byte b of a head with scale s (the head's largest weight) means
s * (b / 255)**2: coding the square root keeps the small weights apart, where most of them are. Where
only the strongest of each row are kept, s is the row's largest weight, t / 65535 squared times the head's.
"""

from typing import Literal, NotRequired, TypedDict

from attlas.address import KINDS, Kind

SCHEMA: Literal["attlas.view/1"] = "attlas.view/1"

ViewKind = Literal["head", "model", "neuron", "matrix"]
AttentionKind = Kind  # the kind of a head's address; `kind` alone is the kind of view here
SideName = Literal["encoder", "decoder"]
Theme = Literal["system", "light", "dark"]
Level = Literal["pieces", "words"]
Layout = Literal["columns", "rows"]
Sentences = Literal["all", "a-a", "b-b", "a-b", "b-a"]
VIEW_KINDS: tuple[ViewKind, ...] = ("head", "model", "neuron", "matrix")
ATTENTION_KINDS: tuple[AttentionKind, ...] = KINDS


class Section(TypedDict):
    """Where an array lies in the block of bytes (after inflating it)."""

    at: int
    type: Literal["u8", "u16", "u32", "i16"]
    shape: list[int]


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


class Tiles(TypedDict):
    """The maps of a layer's heads in squares: the mean over a square's queries of the weight on its keys.

    A byte b means scale[head] * (b / 255)**2.
    """

    shares: Section  # head row column
    scale: list[float]
    size: int  # tokens on a side


class Layer(TypedDict):
    """The heads of one layer. Dense: every weight. Sparse: each row's strongest and the rest.

    Long inputs have tiles of every head, and rows perhaps of some heads only.
    """

    layer: int
    heads: list[int]
    scale: list[float]  # one a head whose rows are here
    weights: Section  # dense: head query key; sparse: head query k
    columns: NotRequired[Section]  # sparse: which keys, strongest first
    tops: NotRequired[Section]  # sparse, head query: each row's largest, as the square root of its share
    rest: NotRequired[Section]  # sparse, head query: what the others share, scale 1
    with_rows: NotRequired[list[int]]  # the heads whose rows are here, where not all are
    tiles: NotRequired[Tiles]
    vectors: NotRequired[Vectors]


class Attention(TypedDict):
    """All layers of one kind of attention, and which tokens are its queries and keys."""

    attention: AttentionKind
    queries: SideName
    keys: SideName
    causal: bool
    layers: list[Layer]


class Side(TypedDict):
    """A list of tokens as shown, the word each belongs to, and where sentence B begins."""

    tokens: list[str]
    words: list[int]
    b_start: int | None


class Statistic(TypedDict):
    """One number a head, to order the model view by."""

    name: str
    values: list[tuple[AttentionKind, int, int, float]]


class Label(TypedDict):
    """One name given to heads, to filter the model view by."""

    name: str
    heads: list[tuple[AttentionKind, int, int]]


class Selection(TypedDict):
    """What is chosen in the view; the traits of the widget."""

    kind: ViewKind
    attention: AttentionKind
    layer: int
    heads: list[int]
    pinned: list[tuple[Literal["query", "key"], int]]
    level: Level
    layout: Layout
    sentences: Sentences


class Palette(TypedDict):
    """A colour a head, for each theme."""

    light: list[str]
    dark: list[str]


class Scene(TypedDict):
    """The header."""

    schema: Literal["attlas.view/1"]
    title: str
    theme: Theme
    sides: dict[SideName, Side]
    attentions: list[Attention]
    statistics: list[Statistic]
    labels: list[Label]
    palette: Palette
    selection: Selection
    notes: list[str]
    bytes: int
