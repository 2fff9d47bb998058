/** Made by `scripts/docs` from `src/attlas/views/contract.py`: do not edit. */

export type Colouring = "head" | "behaviour" | "pattern" | "shape";
export type Direction = "from" | "to";
export type Layout = "columns" | "rows";
export type Level = "pieces" | "words";
export type MapKind = "encoder" | "decoder" | "cross" | "vision" | "encoder rollout" | "decoder rollout";
export type Sentences = "all" | "a-a" | "b-b" | "a-b" | "b-a";
export type Theme = "system" | "light" | "dark";
export type ViewKind = "head" | "model" | "text" | "matrix" | "neuron" | "image";
export type Weighting = "weights" | "norm";
export const SCHEMA = "attlas.view/4";
export type SideName = "encoder" | "decoder" | "vision";
export type End = "query" | "key";
export type NameKind = "behaviour" | "pattern" | "shape";
export const VIEW_KINDS: readonly ViewKind[] = ["head", "model", "text", "matrix", "neuron", "image"];
export const MAP_KINDS: readonly MapKind[] = ["encoder", "decoder", "cross", "vision", "encoder rollout", "decoder rollout"];
export const NAME_KINDS: readonly NameKind[] = ["behaviour", "pattern", "shape"];
/** a place counted from 0, or a count */
export type Whole = number;
export type Positive = number;
export type Scale = number;
export type Share = number;
export type Colour = string;
/** attention, layer, head */
export type Address = [MapKind, Whole, Whole];
/** attention, layer, head, and a number of the head */
export type Rated = [MapKind, Whole, Whole, number];
/** a token */
export type Pin = [End, Whole];

/** Where an array lies in the block of bytes (after inflating it). */
export interface Section {
  at: Whole;
  type: "u8" | "u16" | "u32" | "i8" | "i16";
  shape: Whole[];
}

/** Vectors of one layer as 16-bit integers: value = integer / 32767 * scale[head]. */
export interface Vector {
  /** head token dim */
  values: Section;
  scale: number[];
}

/** Queries, keys (both after rotation) and values of one layer, repeated to query heads. */
export interface Vectors {
  scaling: number;
  query: Vector;
  key: Vector;
  value: Vector;
}

/** How long the value vector of each key is: integer / 255 * scale[head]. */
export interface Norms {
  /** head key */
  values: Section;
  scale: number[];
}

/**
 * The maps of a layer's heads in squares: the mean over a square's queries of the weight on its keys.
 *
 * A byte b means scale[head] * (b / 255)**2. Where `first` is there, shares are without the first key's,
 * and an integer of it is / 65535 of a row's attention.
 */
export interface Tiles {
  /** head row column */
  shares: Section;
  /** head row: the share on the first key */
  first?: Section;
  scale: Scale[];
  /** tokens on a side */
  size: Positive;
}

/**
 * The heads of one layer. Dense: every weight. Sparse: each row's strongest and the rest.
 *
 * Long inputs have tiles of every head, and rows perhaps of some heads only.
 */
export interface Layer {
  layer: Whole;
  heads: Whole[];
  /** one per head whose rows are here */
  scale: Scale[];
  /** dense: head query key; sparse: head query k */
  weights: Section;
  /** sparse: which keys, strongest first */
  columns?: Section;
  /** sparse, head query: each row's largest, as the square root of its share */
  tops?: Section;
  /** sparse, head query: what the others share, scale 1 */
  rest?: Section;
  /** the heads whose rows are here, where not all are */
  with_rows?: Whole[];
  tiles?: Tiles;
  vectors?: Vectors;
  value_norms?: Norms;
}

/**
 * All layers of one kind of map, and which tokens are its queries and keys.
 *
 * A rollout has one map per layer, under head 0: the mean of all heads, followed down to the input.
 */
export interface Attention {
  attention: MapKind;
  queries: SideName;
  keys: SideName;
  causal: boolean;
  /** rows hold weights that sum to 1; else any numbers */
  shares: boolean;
  /** some are below 0 */
  signed: boolean;
  layers: Layer[];
}

/** A list of tokens as shown, the word each belongs to, and where sentence B begins. */
export interface Side {
  tokens: string[];
  words: Whole[];
  /** what stands before each token in the text: "s" a space, "n" a new line, "-" nothing */
  gaps: string;
  b_start: Whole | null;
  /** the first token that the model wrote itself; None: it wrote none */
  generated: Whole | null;
  /** of each token given those before; empty: not known */
  probabilities: (Share | null)[];
}

/** One number per head, to order the model view by, and which end people look for. */
export interface SceneStatistic {
  name: string;
  first: "largest" | "smallest";
  values: Rated[];
}

/**
 * One name given to heads, to colour and filter the model view by.
 *
 * A head has at most one name of a kind, and at most one that fits second best; each with the confidence in
 * it, from 0 to 1.
 */
export interface SceneName {
  kind: NameKind;
  /** as atlases and options write it */
  name: string;
  /** as people read it */
  title: string;
  /** in each theme */
  light: Colour;
  dark: Colour;
  heads: Rated[];
  second: Rated[];
}

/** A change to attention that was in force when the maps were taken. */
export interface SceneEdit {
  edit: string;
  heads: Address[];
}

/** What is chosen in the view; the traits of the widget, and what a link to a page holds. */
export interface Selection {
  kind: ViewKind;
  attention: MapKind;
  layer: Whole;
  heads: Whole[];
  pinned: Pin[];
  level: Level;
  layout: Layout;
  sentences: Sentences;
  /** links below this weight are not drawn; None: the view finds one */
  threshold: Scale | null;
  /** of the model view: "layer", a statistic's name, or "asked" */
  order: string;
  reverse: boolean;
  /** of the model view: a colour a head, or a colour a name */
  colour: Colouring;
  /** of the model view: only heads with this name; "" for all */
  behaviour: string;
  pattern: string;
  shape: string;
  /** from which token to which one all heads are ranked */
  asked: [Whole, Whole] | null;
  weighting: Weighting;
  /** of the text view: what a token attends to, or what attends to it */
  direction: Direction;
  /** weights on the first token are left out, and rows made to sum to 1 again */
  without_first: boolean;
  /** pixels on a side of a head in the model view; None: as fits */
  square: number | null;
}

/** What one writer adds to the query or the key of a link. */
export interface WriterPart {
  /** as people read it: 10.2, MLP 3, the tokens' embeddings */
  writer: string;
  /** of a head */
  head: Address | null;
  /** the head's name; "" where none is known */
  called: string;
  /** what it adds to the score */
  score: number;
  /** what it adds beyond the mean of the other keys that the query may see */
  lift: number;
  /** of a head: where it looks most from that token */
  looks_at: Whole | null;
  /** with which it does */
  weight: Share | null;
}

/**
 * Why a head looks from one token at another.
 *
 * All who wrote the key, or the query, add up to `score`; their lifts and `distance_lift` to `lift`. The
 * strongest of either are here.
 */
export interface LinkReason {
  head: Address;
  query: Whole;
  key: Whole;
  weight: Share;
  score: number;
  lift: number;
  /** what the model adds to the score for the distance of the two */
  distance: number;
  distance_lift: number;
  wrote_key: WriterPart[];
  wrote_query: WriterPart[];
  sentence: string;
}

/** Why heads look where they look most strongly. */
export interface Reasons {
  /** a list of `LinkReason` as JSON in UTF-8 */
  links: Section;
  /** how many links of each head are there, the strongest */
  per_head: Positive;
}

/** One colour per head, for each theme. */
export interface Palette {
  light: Colour[];
  dark: Colour[];
}

/** A picture that a model read, as it saw it: its patches are tokens of a side, row after row. */
export interface SceneImage {
  /** a data URL */
  source: string;
  rows: Positive;
  columns: Positive;
  /** tokens before the first patch: the class token, registers, words */
  before: Whole;
  side: SideName;
}

/** Another input or model beside the first, or their difference. */
export interface Pane {
  name: string;
  sides: Partial<Record<SideName, Side>>;
  attentions: Attention[];
}

/** The header: everything that a view shows but the bytes. */
export interface Scene {
  schema: "attlas.view/4";
  title: string;
  theme: Theme;
  sides: Partial<Record<SideName, Side>>;
  attentions: Attention[];
  statistics: SceneStatistic[];
  names: SceneName[];
  /** who named the heads: an atlas, or the rules on this text alone */
  names_from: "atlas" | "text";
  palette: Palette;
  selection: Selection;
  edits: SceneEdit[];
  notes: string[];
  /** why it opens on these heads; "" where somebody chose them */
  why: string;
  /** the Python call that shows the same, without what is chosen; "" where there is none */
  call: string;
  /** of the first pane, where there are others */
  name?: string;
  panes?: Pane[];
  images?: SceneImage[];
  reasons?: Reasons;
  /** of the block, inflated */
  bytes: Whole;
}
/** the names of all choices, in order: the traits of the widget */
export const SELECTION: readonly string[] = ["kind", "attention", "layer", "heads", "pinned", "level", "layout", "sentences", "threshold", "order", "reverse", "colour", "behaviour", "pattern", "shape", "asked", "weighting", "direction", "without_first", "square"];
/** what can be chosen where that is one of a few */
export const CHOICES: Record<string, readonly unknown[]> = {"kind": ["head", "model", "text", "matrix", "neuron", "image"], "attention": ["encoder", "decoder", "cross", "vision", "encoder rollout", "decoder rollout"], "level": ["pieces", "words"], "layout": ["columns", "rows"], "sentences": ["all", "a-a", "b-b", "a-b", "b-a"], "reverse": [true, false], "colour": ["head", "behaviour", "pattern", "shape"], "weighting": ["weights", "norm"], "direction": ["from", "to"], "without_first": [true, false]};
