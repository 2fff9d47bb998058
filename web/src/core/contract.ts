/**
 * What Python sends: the types of `scene.schema.json`, and the checks that a header keeps its word.
 * A byte b of a head with scale s means the weight s * (b / 255) ** 2; where only the strongest of each
 * row are kept, s is the row's own: the head's times (t / 65535) ** 2. Signed scores have signed bytes: the sign
 * of b, and s * (b / 127) ** 2.
 */

export const SCHEMA = "attlas.view/4";

export type ViewKind = "head" | "model" | "text" | "matrix" | "neuron" | "image";
export type MapKind = "encoder" | "decoder" | "cross" | "vision" | "encoder rollout" | "decoder rollout";
export type SideName = "encoder" | "decoder" | "vision";
export type Theme = "system" | "light" | "dark";
export type Level = "pieces" | "words";
export type Layout = "columns" | "rows";
export type Sentences = "all" | "a-a" | "b-b" | "a-b" | "b-a";
export type End = "query" | "key";
export type Pin = [End, number];
export type Weighting = "weights" | "norm";
export type Direction = "from" | "to";
export type NameKind = "behaviour" | "pattern" | "shape";
export type Colouring = "head" | NameKind;
export type Address = [MapKind, number, number];

export interface Section {
  at: number;
  type: "u8" | "u16" | "u32" | "i8" | "i16";
  shape: number[];
}

export interface Vector {
  values: Section;
  scale: number[];
}

export interface Vectors {
  scaling: number;
  query: Vector;
  key: Vector;
  value: Vector;
}

export interface Norms {
  values: Section;
  scale: number[];
}

export interface Tiles {
  shares: Section;
  /** What a row of tiles puts on the first key; shares are then without that. */
  first?: Section;
  scale: number[];
  size: number;
}

export interface Layer {
  layer: number;
  heads: number[];
  scale: number[];
  weights: Section;
  columns?: Section;
  tops?: Section;
  rest?: Section;
  with_rows?: number[];
  tiles?: Tiles;
  vectors?: Vectors;
  value_norms?: Norms;
}

export interface Attention {
  attention: MapKind;
  queries: SideName;
  keys: SideName;
  causal: boolean;
  shares: boolean;
  signed: boolean;
  layers: Layer[];
}

export interface Side {
  tokens: string[];
  words: number[];
  gaps: string;
  b_start: number | null;
  /** The first token that the model wrote itself. */
  generated: number | null;
  /** What the model gave each token, having read those before; empty where that is not known. */
  probabilities: (number | null)[];
}

export interface SceneStatistic {
  name: string;
  first: "largest" | "smallest";
  values: [MapKind, number, number, number][];
}

/** A name that heads have, or have as their second best, each with the confidence in it. */
export interface SceneName {
  kind: NameKind;
  name: string;
  title: string;
  light: string;
  dark: string;
  heads: [MapKind, number, number, number][];
  second: [MapKind, number, number, number][];
}

export interface SceneEdit {
  edit: string;
  heads: Address[];
}

export interface Selection {
  kind: ViewKind;
  attention: MapKind;
  layer: number;
  heads: number[];
  pinned: Pin[];
  level: Level;
  layout: Layout;
  sentences: Sentences;
  threshold: number | null;
  order: string;
  reverse: boolean;
  colour: Colouring;
  behaviour: string;
  pattern: string;
  shape: string;
  asked: [number, number] | null;
  weighting: Weighting;
  direction: Direction;
  without_first: boolean;
  square: number | null;
}

export interface Picture {
  source: string;
  rows: number;
  columns: number;
  before: number;
  side: SideName;
}

/** What a pane shows; the scene itself is the first. */
export interface Pane {
  name: string;
  sides: Partial<Record<SideName, Side>>;
  attentions: Attention[];
}

export interface Scene {
  schema: typeof SCHEMA;
  title: string;
  theme: Theme;
  sides: Partial<Record<SideName, Side>>;
  attentions: Attention[];
  statistics: SceneStatistic[];
  names: SceneName[];
  names_from: "atlas" | "text";
  palette: { light: string[]; dark: string[] };
  selection: Selection;
  edits: SceneEdit[];
  notes: string[];
  why: string;
  call: string;
  name?: string;
  panes?: Pane[];
  images?: Picture[];
  bytes: number;
}

export const NAME_KINDS: readonly NameKind[] = ["behaviour", "pattern", "shape"];

const WIDTH = { u8: 1, u16: 2, u32: 4, i8: 1, i16: 2 } as const;

/** Throws, in words, when a header is of another version or points outside its bytes. */
export function checkScene(scene: Scene, available: number): void {
  if (scene.schema !== SCHEMA)
    throw new Error(`This view reads ${SCHEMA}, and the data is ${String(scene.schema)}: make it again with the same Attlas.`);
  if (available !== scene.bytes)
    throw new Error(`The data of this view is cut off: ${available} bytes of ${scene.bytes}. Save the page again.`);
  for (const pane of [scene, ...(scene.panes ?? [])]) checkPane(pane, scene.bytes);
}

function checkPane({ sides, attentions }: Pick<Pane, "sides" | "attentions">, bytes: number): void {
  for (const attention of attentions) {
    const queries = sides[attention.queries]?.tokens.length;
    const keys = sides[attention.keys]?.tokens.length;
    for (const layer of attention.layers) {
      const { shape } = layer.weights;
      const having = (layer.with_rows ?? layer.heads).length;
      if (shape[0] !== having || shape[1] !== queries || (!layer.columns && shape[2] !== keys) || !tilesFit(layer, queries, keys ?? 0))
        throw new Error(`Layer ${layer.layer} of ${attention.attention} attention does not fit its tokens.`);
      for (const section of sectionsOf(layer))
        if (section.at + sizeOf(section) > bytes) throw new Error(`Layer ${layer.layer} of ${attention.attention} attention lies outside the data.`);
    }
  }
}

function tilesFit({ tiles, heads }: Layer, queries: number, keys: number): boolean {
  if (!tiles) return true;
  const [count, rows, columns] = tiles.shares.shape;
  if (tiles.first && (tiles.first.shape[0] !== count || tiles.first.shape[1] !== rows)) return false;
  return count === heads.length && rows === Math.ceil(queries / tiles.size) && columns === Math.ceil(keys / tiles.size);
}

function sectionsOf(layer: Layer): Section[] {
  const vectors = layer.vectors ? [layer.vectors.query, layer.vectors.key, layer.vectors.value].map((v) => v.values) : [];
  return [layer.weights, layer.columns, layer.tops, layer.rest, layer.tiles?.shares, layer.tiles?.first, layer.value_norms?.values, ...vectors].filter((section) => section !== undefined);
}

export function sizeOf(section: Section): number {
  return section.shape.reduce((product, length) => product * length, WIDTH[section.type]);
}
