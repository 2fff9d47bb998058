/** The one store: what is shown, what is chosen, and what the pointer is on. */

import type { Address, Attention, AttentionKind, End, Layer, Pin, Scene, Selection, Side } from "./contract";
import type { Picture } from "../draw/marks";
import { COLOURS, type Colours } from "../draw/theme";
import { type HeadMap, type TileMap, headMap, tileMap } from "./maps";
import { type Links, type Unit, UnitMap, sentencesOf, unitsOf } from "./units";

/** Links weaker than this are never drawn: they would not be seen, and are most of all links. */
export const FAINT = 0.01;

export class Store {
  readonly scene: Scene;
  readonly buffer: ArrayBuffer;
  selection: Selection = $state()!;
  hover: Pin | null = $state(null);
  /** Links below this weight are hidden. */
  least = $state(FAINT);
  order = $state("layer");
  label = $state("");
  /** The head opened beside the grid of the model view. */
  opened: Address | null = $state(null);
  dark = $state(false);
  /** What the current view looks like, for export; each view sets it. */
  picture: (() => Picture | null) | null = null;

  private linkCache = new Map<string, Links>();

  constructor(scene: Scene, buffer: ArrayBuffer, dark: boolean) {
    this.scene = scene;
    this.buffer = buffer;
    this.dark = dark;
    this.selection = structuredClone(scene.selection);
  }

  get colours(): Colours {
    return this.dark ? COLOURS.dark : COLOURS.light;
  }

  colourOf(head: number): string {
    const palette = this.dark ? this.scene.palette.dark : this.scene.palette.light;
    return palette[head % palette.length];
  }

  attention: Attention = $derived.by(
    () => this.scene.attentions.find((each) => each.attention === this.selection.attention) ?? this.scene.attentions[0],
  );

  layer: Layer = $derived.by(
    () => this.attention.layers.find((each) => each.layer === this.selection.layer) ?? this.attention.layers[0],
  );

  /** The chosen heads that this layer has, in order. */
  heads: number[] = $derived.by(() => {
    const chosen = this.layer.heads.filter((head) => this.selection.heads.includes(head));
    return chosen.length > 0 ? chosen : this.layer.heads;
  });

  querySide: Side = $derived.by(() => this.scene.sides[this.attention.queries]!);
  keySide: Side = $derived.by(() => this.scene.sides[this.attention.keys]!);

  /** Sentences can be told apart where both sides are the same text of two sentences. */
  hasSentences: boolean = $derived.by(() => this.attention.queries === this.attention.keys && this.querySide.b_start !== null);

  hasWords: boolean = $derived.by(() =>
    [this.querySide, this.keySide].some((side) => side.words.some((word, i) => i > 0 && word === side.words[i - 1])),
  );

  queries: Unit[] = $derived.by(() => this.units(this.querySide, 0));
  keys: Unit[] = $derived.by(() => this.units(this.keySide, 1));

  private units(side: Side, end: 0 | 1): Unit[] {
    const filter = this.hasSentences ? sentencesOf(this.selection.sentences)[end] : "all";
    return unitsOf(side, this.selection.level, filter);
  }

  map(head: number, layer = this.layer.layer): HeadMap {
    return headMap(this.scene, this.buffer, this.attention, layer, head)!;
  }

  tiles(head: number, layer = this.layer.layer): TileMap | null {
    return tileMap(this.buffer, this.attention, layer, head);
  }

  /** Whether the rows of a head are here; on long inputs only its tiles may be. */
  hasRows(head: number, layer = this.layer.layer): boolean {
    const { with_rows } = this.attention.layers.find((each) => each.layer === layer)!;
    return with_rows?.includes(head) ?? true;
  }

  unitMap(head: number, layer = this.layer.layer): UnitMap {
    return new UnitMap(this.map(head, layer), this.queries, this.keys);
  }

  links(head: number, layer = this.layer.layer): Links {
    const { level, sentences } = this.selection;
    const key = [this.attention.attention, layer, head, level, this.hasSentences ? sentences : "all"].join(" ");
    let links = this.linkCache.get(key);
    if (!links) {
      if (this.linkCache.size > 160) this.linkCache.clear();
      links = this.unitMap(head, layer).links(FAINT);
      this.linkCache.set(key, links);
    }
    return links;
  }

  /** Pinned tokens and the one under the pointer, as units of the current level and filter. */
  active: Pin[] = $derived.by(() => {
    const pins = this.selection.pinned.map(([end, piece]): Pin => [end, this.unitAt(end, piece)]);
    const all = this.hover ? [...pins, this.hover] : pins;
    const seen = new Set<string>();
    return all.filter(([end, unit]) => unit >= 0 && !seen.has(`${end}${unit}`) && seen.add(`${end}${unit}`));
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
    this.selection.pinned = [];
  }

  unitsAt(end: End): Unit[] {
    return end === "query" ? this.queries : this.keys;
  }

  private unitAt(end: End, piece: number): number {
    return this.unitsAt(end).findIndex((unit) => unit.start <= piece && piece < unit.end);
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

  chooseAttention(kind: AttentionKind): void {
    this.hover = null;
    this.opened = null;
    this.selection.pinned = [];
    this.selection.attention = kind;
    const layers = this.scene.attentions.find((each) => each.attention === kind)!.layers;
    if (!layers.some((each) => each.layer === this.selection.layer)) this.selection.layer = layers[0].layer;
  }

  stepLayer(by: number): void {
    const layers = this.attention.layers.map((each) => each.layer);
    const next = layers[layers.indexOf(this.layer.layer) + by];
    if (next !== undefined) this.selection.layer = next;
  }
}
