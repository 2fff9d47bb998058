/** What is shown of one pane: its attention, layer, heads and tokens, and what its weights are. */

import { type Attention, type End, type Layer, type MapKind, NAME_KINDS, type Pane, type Pin, type Scene, type Selection, type Side, type WriterPart } from "./contract";
import type { Picture } from "../draw/marks";
import { type HeadMap, type TileMap, headMap, tileMap } from "./maps";
import type { Shared } from "./shared.svelte";
import { ceilingOf } from "./strength";
import { type Incoming, type Links, type Range, type Unit, UnitMap, incoming, membership, sentencesOf, unitsOf } from "./units";

/** A rollout with more than this on the first token tells nothing else. */
const ROLLED_AWAY = 0.75;

/** Weights below this are not counted as links at all: nobody could see them. */
export const LEAST = 0.001;

/** What is remembered of a head. */
export interface Cached {
  links: Links;
  /** What all rows sum to. */
  total: number;
  incoming?: Incoming;
  ceiling?: number;
  best?: Int32Array;
  first?: number;
}

/** A pair of tokens of which one asks why a head links them, and the heads that may have, the heaviest first. */
export interface ExplainedLink {
  layer: number;
  head: number;
  heads: { head: number; weight: number }[];
  query: number;
  key: number;
}

/** One pane: what is shown of it, and how its weights are read. */
export class Store {
  readonly selection: Selection;
  /** What the current view looks like, for export; each view sets it. */
  picture: (() => Picture | null) | null = null;

  private linkCache = new Map<string, Cached>();

  constructor(
    readonly shared: Shared,
    /** Which pane; the scene itself is the first. */
    private readonly place: number,
  ) {
    this.selection = shared.selection;
  }

  readonly pane: Pane | Scene = $derived.by(() => this.shared.scene.panes?.[this.place - 1] ?? this.shared.scene);

  /** A head's own colour; in the model view that of its name, where names are what colours tell. */
  colourOf(head: number, layer = this.layer.layer): string {
    const { kind, colour } = this.selection;
    if (kind === "model" && colour !== "head" && !this.rollout) {
      const called = this.shared.names.best(colour, this.attention.attention, layer, head);
      return called ? called.name[this.shared.dark ? "dark" : "light"] : this.shared.colours.quiet;
    }
    const palette = this.shared.dark ? this.shared.scene.palette.dark : this.shared.scene.palette.light;
    return palette[head % palette.length];
  }

  attention: Attention = $derived.by(
    () => this.pane.attentions.find((each) => each.attention === this.selection.attention) ?? this.pane.attentions[0],
  );

  get rollout(): boolean {
    return this.attention.attention.endsWith("rollout");
  }

  layer: Layer = $derived.by(
    () => this.attention.layers.find((each) => each.layer === this.selection.layer) ?? this.attention.layers[0],
  );

  /** The chosen heads that this layer has, in order. */
  heads: number[] = $derived.by(() => {
    const chosen = this.layer.heads.filter((head) => this.selection.heads.includes(head));
    return chosen.length > 0 ? chosen : this.layer.heads;
  });

  /** What a head is called: its address, or that it is a rollout. */
  nameOf(head: number, layer = this.layer.layer): string {
    return this.rollout ? `rollout to ${layer}` : `${layer}.${head}`;
  }

  /** Whether a head has the names that were chosen. */
  hasNames(layer: number, head: number): boolean {
    return NAME_KINDS.every((kind) => {
      const wanted = this.selection[kind];
      return wanted === "" || this.shared.names.best(kind, this.attention.attention, layer, head)?.name.name === wanted;
    });
  }

  querySide: Side = $derived.by(() => this.pane.sides[this.attention.queries]!);
  keySide: Side = $derived.by(() => this.pane.sides[this.attention.keys]!);

  /** Sentences can be told apart where both sides are the same text of two sentences. */
  hasSentences: boolean = $derived.by(() => this.attention.queries === this.attention.keys && this.querySide.b_start !== null);

  hasWords: boolean = $derived.by(() =>
    [this.querySide, this.keySide].some((side) => side.words.some((word, i) => i > 0 && word === side.words[i - 1])),
  );

  hasNorms: boolean = $derived.by(() => this.attention.layers.some((layer) => layer.value_norms));

  private get normed(): boolean {
    return this.selection.weighting === "norm" && this.hasNorms && this.selection.kind !== "neuron";
  }

  /** The first token can be left out where rows are shares, and tiles say what it has. */
  hasFirst: boolean = $derived.by(() => this.attention.shares && this.keySide.tokens.length > 1 && this.attention.layers.every(({ tiles }) => !tiles || tiles.first));

  /** Whether weights are those that are left without the first token's; neurons show the softmax itself. */
  get withoutFirst(): boolean {
    return this.selection.without_first && this.hasFirst && this.selection.kind !== "neuron";
  }

  /** Whether the model says how likely it found the tokens that attend. */
  get hasProbabilities(): boolean {
    return this.querySide.probabilities.length > 0;
  }

  /** How likely the model found a token, given those before it; of a word, all its pieces. */
  probability(query: number): number | null {
    const { start, end } = this.queries[query] ?? { start: 0, end: 0 };
    const pieces = this.querySide.probabilities.slice(start, end);
    return pieces.length === 0 || pieces.some((each) => each === null) ? null : pieces.reduce<number>((product, each) => product * each!, 1);
  }

  /** Whether the model wrote a token itself. */
  isGenerated(end: End, unit: number): boolean {
    const { generated } = end === "query" ? this.querySide : this.keySide;
    return generated !== null && this.unitsAt(end)[unit].start >= generated;
  }

  /** The share of a token's attention that is on the first token, the mean over these heads. */
  firstShare(query: number, heads: number[] = this.heads, layer = this.layer.layer): number {
    const first = (head: number) => (this.hasRows(head, layer) ? this.unitMap(head, layer).first(query) : this.tileFirst(query, head, layer));
    return heads.reduce((sum, head) => sum + first(head) / heads.length, 0);
  }

  /** The same of a head without rows: that of its tile. */
  private tileFirst(query: number, head: number, layer: number): number {
    const tiles = this.tiles(head, layer);
    return tiles ? tiles.first(Math.floor(this.queries[query].start / tiles.size)) : 0;
  }

  /** The share of a head's attention that is on the first token: the mean over tokens that can look elsewhere. */
  headFirst(head: number, layer = this.layer.layer): number {
    const tiles = this.tiles(head, layer);
    if (tiles) return tiles.meanFirst(this.querySide.tokens.length, this.attention.causal);
    const found = this.cached(head, layer);
    return (found.first ??= this.meanFirst(head, layer));
  }

  private meanFirst(head: number, layer: number): number {
    const map = this.map(head, layer);
    const from = this.attention.causal ? 1 : 0;
    let sum = 0;
    for (let query = from; query < map.queries; query++) sum += map.first(query);
    return sum / Math.max(1, map.queries - from);
  }

  queries: Unit[] = $derived.by(() => this.units(this.querySide, 0));
  keys: Unit[] = $derived.by(() => this.units(this.keySide, 1));

  /** Which key unit each piece belongs to: the same in all heads. */
  private unitOfKey: Int32Array = $derived.by(() => membership(this.keys, this.keySide.tokens.length));

  private units(side: Side, end: 0 | 1): Unit[] {
    const filter = this.hasSentences ? sentencesOf(this.selection.sentences)[end] : "all";
    return unitsOf(side, this.selection.level, filter);
  }

  map(head: number, layer = this.layer.layer, withoutFirst = this.withoutFirst): HeadMap {
    return headMap(this.keySide.tokens.length, this.shared.buffer, this.attention, layer, head, { normed: this.normed, withoutFirst })!;
  }

  tiles(head: number, layer = this.layer.layer): TileMap | null {
    return tileMap(this.shared.buffer, this.attention, layer, head, this.withoutFirst);
  }

  /** Whether the rows of a head are here; on long inputs only its tiles may be. */
  hasRows(head: number, layer = this.layer.layer): boolean {
    const { with_rows } = this.attention.layers.find((each) => each.layer === layer)!;
    return with_rows?.includes(head) ?? true;
  }

  hasHead(layer: number, head: number): boolean {
    return this.attention.layers.find((each) => each.layer === layer)?.heads.includes(head) ?? false;
  }

  unitMap(head: number, layer = this.layer.layer, withoutFirst = this.withoutFirst): UnitMap {
    return new UnitMap(this.map(head, layer, withoutFirst), this.queries, this.keys, this.unitOfKey);
  }

  links(head: number, layer = this.layer.layer): Links {
    return this.cached(head, layer).links;
  }

  incoming(head: number, layer = this.layer.layer): Incoming {
    const found = this.cached(head, layer);
    return (found.incoming ??= incoming(found.links, this.keys.length));
  }

  /** Forgets the weights that were read: others are here now. */
  forget(): void {
    this.linkCache.clear();
  }

  /** The links of a head, and what is known of them once somebody asked. */
  cached(head: number, layer = this.layer.layer): Cached {
    const { level, sentences } = this.selection;
    const key = [this.attention.attention, layer, head, level, this.hasSentences ? sentences : "all", this.normed, this.withoutFirst].join(" ");
    let found = this.linkCache.get(key);
    if (!found) {
      if (this.linkCache.size > 400) this.linkCache.clear();
      const map = this.unitMap(head, layer);
      const least = this.attention.shares ? LEAST : LEAST * map.map.scale;
      found = { links: map.links(least), total: this.queries.reduce((sum, _, query) => sum + map.sum(query), 0) };
      this.linkCache.set(key, found);
    }
    return found;
  }

  headCeiling(head: number, layer = this.layer.layer): number {
    const found = this.cached(head, layer);
    return (found.ceiling ??= ceilingOf(found.links, this.attention.shares));
  }

  /** What the rows of these heads and layers sum to: 1 each, but for those that leave too little beside the first token. */
  total(heads: [number, number][]): number {
    return heads.reduce((sum, [head, layer]) => sum + this.cached(head, layer).total, 0);
  }

  /** Pinned tokens and the one under the pointer, as units of the current level and filter. */
  active: Pin[] = $derived.by(() => {
    const pins = this.selection.pinned.map(([end, piece]): Pin => [end, this.unitAt(end, piece)]);
    const all = this.shared.hover ? [...pins, this.shared.hover] : pins;
    const seen = new Set<string>();
    return all.filter(([end, unit]) => unit >= 0 && unit < this.unitsAt(end).length && !seen.has(`${end}${unit}`) && seen.add(`${end}${unit}`));
  });

  isPinned(end: End, unit: number): boolean {
    return this.selection.pinned.some(([which, piece]) => which === end && this.unitAt(end, piece) === unit);
  }

  togglePin(end: End, unit: number): void {
    const { pinned } = this.selection;
    this.selection.pinned = this.isPinned(end, unit)
      ? pinned.filter(([which, piece]) => which !== end || this.unitAt(end, piece) !== unit)
      : [...pinned, [end, this.unitsAt(end)[unit].start]];
  }

  unpin(): void {
    this.shared.asking = null;
    this.selection.pinned = [];
  }

  unitsAt(end: End): Unit[] {
    return end === "query" ? this.queries : this.keys;
  }

  unitAt(end: End, piece: number): number {
    return this.unitsAt(end).findIndex((unit) => unit.start <= piece && piece < unit.end);
  }

  /** Ranks all heads by what they put from one token on another, and shows them all. */
  ask(query: number, key: number): void {
    this.selection.asked = [this.queries[query].start, this.keys[key].start];
    if (this.keys[key].start === 0) this.selection.without_first = false; // it is what was asked about
    this.selection.order = "asked";
    this.selection.reverse = false;
    this.selection.kind = "model";
    this.selection.pinned = [];
    this.shared.hover = null;
  }

  unask(): void {
    this.selection.asked = null;
    if (this.selection.order === "asked") this.selection.order = "layer";
  }

  /** The tokens asked about, as units; null where nothing is asked or a filter has left one out. */
  asked: [number, number] | null = $derived.by(() => {
    if (!this.selection.asked) return null;
    const found: [number, number] = [this.unitAt("query", this.selection.asked[0]), this.unitAt("key", this.selection.asked[1])];
    return found[0] >= 0 && found[1] >= 0 ? found : null;
  });

  /** One query and one key are pinned, so that one can ask which heads link them. */
  pair: [number, number] | null = $derived.by(() => {
    const of = (end: End) => this.selection.pinned.filter(([which]) => which === end);
    const [queries, keys] = [of("query"), of("key")];
    if (queries.length !== 1 || keys.length !== 1) return null;
    const found: [number, number] = [this.unitAt("query", queries[0][1]), this.unitAt("key", keys[0][1])];
    return found[0] >= 0 && found[1] >= 0 ? found : null;
  });

  /** Whether one may ask why a link is there. */
  get explains(): boolean {
    return !this.shared.scene.panes && !this.rollout && (this.shared.reasons !== null || this.shared.explain !== null);
  }

  /** The pair that is pinned, where a view shows heads that may link it. */
  explained: ExplainedLink | null = $derived.by(() => {
    const { kind } = this.selection;
    const shown = kind === "head" ? this.heads : kind === "matrix" || (kind === "model" && this.shared.detail) ? this.heads.slice(0, 1) : [];
    if (!this.explains || !this.pair || shown.length === 0) return null;
    const [query, key] = this.pair;
    const layer = this.layer.layer;
    const heads = shown
      .map((head) => ({ head, weight: this.weight(head, layer, [query, key])?.high ?? 0 }))
      .filter(({ head, weight }) => weight >= LEAST || head === this.shared.asking)
      .sort((a, b) => b.weight - a.weight);
    if (heads.length === 0) return null;
    const head = heads.find(({ head }) => head === this.shared.asking)?.head ?? heads[0].head;
    return { layer, head, heads, query, key };
  });

  /** Asks why a head looks from one piece at another. */
  pinLink(head: number, query: number, key: number): void {
    this.selection.pinned = [["query", query], ["key", key]];
    if (key === 0) this.selection.without_first = false; // it is what was asked about
    this.shared.asking = head;
    this.shared.hover = null;
  }

  /** Whether the head that wrote a part of a query or key is here. */
  canFollow({ head }: WriterPart): boolean {
    return head !== null && (this.pane.attentions.find(({ attention }) => attention === head[0])?.layers.some((each) => each.layer === head[1] && each.heads.includes(head[2])) ?? false);
  }

  /** Goes on to the head that wrote a part: why does that look where it looks, from this token? */
  follow({ head, looks_at }: WriterPart, from: number): void {
    const [attention, layer, number] = head!;
    Object.assign(this.selection, { attention, layer, heads: [number] });
    this.pinLink(number, from, looks_at!);
  }

  /** What a head puts from one unit on another, at least and at most; null where its rows are not here. Heads are
   * compared by all of their attention, also where the first token is left out of what is drawn. */
  weight(head: number, layer: number, [query, key]: [number, number], withoutFirst = false): Range | null {
    return this.hasRows(head, layer) ? this.unitMap(head, layer, withoutFirst).between(query, key, this.attention.causal) : null;
  }

  /** Switches a head on or off; the last one stays on. */
  toggleHead(head: number): void {
    const on = this.heads.includes(head);
    const next = on ? this.heads.filter((each) => each !== head) : [...this.heads, head].sort((a, b) => a - b);
    if (next.length > 0) this.selection.heads = next;
  }

  /** Shows this head alone; if it is alone already, all heads again. */
  isolateHead(head: number): void {
    const alone = this.heads.length === 1 && this.heads[0] === head;
    this.selection.heads = alone ? [...this.layer.heads] : [head];
  }

  chooseAttention(kind: MapKind): void {
    this.shared.hover = null;
    this.shared.detail = false;
    const { attentions } = this.pane;
    const was = this.rollout;
    const next = attentions.find((each) => each.attention === kind)!;
    if (next.queries !== this.attention.queries || next.keys !== this.attention.keys) this.selection.pinned = [];
    this.selection.attention = kind;
    if (kind.endsWith("rollout") && !was) this.selection.layer = this.tellingRollout();
    if (!next.layers.some((each) => each.layer === this.selection.layer)) this.selection.layer = next.layers[0].layer;
    const heads = next.layers.find((each) => each.layer === this.selection.layer)!.heads;
    if (!this.selection.heads.some((head) => heads.includes(head)) || this.selection.heads.length === 1) this.selection.heads = [...heads];
  }

  /** The last layer whose rollout leaves a quarter beside the first token: the first layer's is little more than a
   * diagonal, and the last ones of a decoder may have everything there. */
  private tellingRollout(): number {
    const { layers } = this.attention;
    return (layers.filter(({ layer, heads }) => this.headFirst(heads[0], layer) < ROLLED_AWAY).at(-1) ?? layers.at(-1)!).layer;
  }

  stepLayer(by: number): void {
    const layers = this.attention.layers.map((each) => each.layer);
    const next = layers[layers.indexOf(this.layer.layer) + by];
    if (next !== undefined) this.selection.layer = next;
  }

  /** The tokens that hold a text, small and capital letters alike. */
  matches(text: string): number[] {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return [];
    return this.queries.flatMap((unit, i) => (unit.text.toLowerCase().includes(wanted) ? [i] : []));
  }
}
