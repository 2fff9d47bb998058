/** One head's map: its rows, whether all weights are there or the strongest, and its tiles on long inputs. */

import type { Attention, Layer, Tiles } from "./contract";
import { arrayOf } from "./payload";

const SQUARE = Float32Array.from({ length: 256 }, (_, byte) => (byte / 255) ** 2);
/** Of signed bytes, from -128 on. */
const SIGNED = Float32Array.from({ length: 256 }, (_, at) => Math.sign(at - 128) * ((at - 128) / 127) ** 2);

/** A row that leaves less than this part of its attention beside the first key is not scaled up to 1: next to
 * nothing, and what rounding made of it, would look like all that the token does. */
export const LEAST_LEFT = 0.05;

/** What weights beside the first key are divided by, where they have so much of the whole of their row. */
const dividedBy = (left: number, whole: number): number => (left < LEAST_LEFT * whole ? whole : left);

/** How weights are read: times the norm of the value they bring, and without those on the first key. */
export interface Reading {
  normed?: boolean;
  withoutFirst?: boolean;
}

/** Read row by row. A head whose rows were left out has them all in the rest. */
export class HeadMap {
  readonly queries: number;
  readonly keys: number;
  readonly scale: number;
  /** How many entries a row has: all keys, or the strongest few. */
  readonly width: number;
  readonly hasRows: boolean;
  private readonly bytes: ArrayLike<number>;
  private readonly signed: boolean;
  private readonly columns: ArrayLike<number> | null;
  private readonly tops: ArrayLike<number> | null;
  private readonly rests: ArrayLike<number> | null;
  private readonly norms: Float32Array | null;
  private readonly withoutFirst: boolean;
  private readonly origin: number;

  /** Rows that are read otherwise than as they are stored are made to sum to 1 again, but for those that leave too little. */
  constructor(buffer: ArrayBuffer, layer: Layer, head: number, keys: number, { normed = false, withoutFirst = false }: Reading = {}) {
    const [, queries, width] = layer.weights.shape;
    const index = (layer.with_rows ?? layer.heads).indexOf(head);
    this.queries = queries;
    this.keys = keys;
    this.hasRows = index >= 0;
    this.width = this.hasRows ? width : 0;
    this.scale = layer.scale[index] ?? 0;
    this.origin = index * queries;
    this.bytes = arrayOf(buffer, layer.weights);
    this.signed = layer.weights.type === "i8";
    this.columns = layer.columns ? arrayOf(buffer, layer.columns) : null;
    this.tops = layer.tops ? arrayOf(buffer, layer.tops) : null;
    this.rests = layer.rest ? arrayOf(buffer, layer.rest) : null;
    this.norms = normed && layer.value_norms ? normsOf(buffer, layer, head, keys) : null;
    this.withoutFirst = withoutFirst;
  }

  get sparse(): boolean {
    return this.columns !== null;
  }

  /** Calls back with each key of a row that has a weight. */
  entries(query: number, visit: (key: number, weight: number) => void): void {
    const { norms, withoutFirst } = this;
    if (!norms && !withoutFirst) return this.stored(query, visit);
    const total = this.total(query);
    this.stored(query, (key, weight) => {
      if (!withoutFirst || key > 0) visit(key, (weight * (norms ? norms[key] : 1)) / total);
    });
  }

  private stored(query: number, visit: (key: number, weight: number) => void): void {
    const start = (this.origin + query) * this.width;
    const scale = this.rowScale(query);
    const { bytes, columns, signed } = this;
    for (let i = 0; i < this.width; i++) {
      const byte = bytes[start + i];
      if (byte !== 0) visit(columns ? columns[start + i] : i, (signed ? SIGNED[byte + 128] : SQUARE[byte]) * scale);
    }
  }

  private rowScale(query: number): number {
    return this.tops ? this.scale * (this.tops[this.origin + query] / 65535) ** 2 : this.scale;
  }

  /** What a row sums to, and what of that is on other keys than the first; keys that were cut off have the mean norm. */
  private sums(query: number): { whole: number; left: number } {
    const { norms } = this;
    let [first, left] = [0, this.storedRest(query) * (norms ? norms[this.keys] : 1)];
    this.stored(query, (key, weight) => {
      const brought = weight * (norms ? norms[key] : 1);
      if (key === 0) first += brought;
      else left += brought;
    });
    return { whole: first + left || 1, left };
  }

  /** What the weights of a row as they are read are divided by. */
  private total(query: number): number {
    const { whole, left } = this.sums(query);
    return this.withoutFirst ? dividedBy(left, whole) : whole;
  }

  /** The share of a row that is on the first key, whether or not that is left out. */
  first(query: number): number {
    const { whole, left } = this.sums(query);
    return this.hasRows ? (whole - left) / whole : 0;
  }

  /** What a row sums to as it is read: 1, unless the first key is left out and leaves too little. */
  sum(query: number): number {
    if (!this.withoutFirst || !this.hasRows) return 1;
    const { whole, left } = this.sums(query);
    return left / dividedBy(left, whole);
  }

  private storedRest(query: number): number {
    return this.rests ? SQUARE[this.rests[this.origin + query]] : 0;
  }

  /** What the keys that were left out share; 0 where none were. */
  rest(query: number): number {
    if (!this.hasRows) return 1;
    const rest = this.storedRest(query);
    if (!this.norms && !this.withoutFirst) return rest;
    return (rest * (this.norms ? this.norms[this.keys] : 1)) / this.total(query);
  }

  /** No weight of a row that was cut off, or rounded to nothing, is larger than this. */
  bound(query: number): number {
    let least = Infinity;
    let kept = 0;
    this.stored(query, (_, weight) => {
      least = Math.min(least, Math.abs(weight));
      kept++;
    });
    const rounded = this.rowScale(query) * (0.5 / (this.signed ? 127 : 255)) ** 2;
    const largest = this.sparse && kept === this.width ? Math.min(least, this.storedRest(query)) : rounded;
    if (!this.norms && !this.withoutFirst) return largest;
    return (largest * (this.norms?.reduce((a, b) => Math.max(a, b)) ?? 1)) / this.total(query);
  }

  row(query: number): Float32Array {
    const weights = new Float32Array(this.keys);
    this.entries(query, (key, weight) => (weights[key] = weight));
    return weights;
  }
}

/** The norm of each key's value, and after them their mean. */
function normsOf(buffer: ArrayBuffer, layer: Layer, head: number, keys: number): Float32Array {
  const index = layer.heads.indexOf(head);
  const { values, scale } = layer.value_norms!;
  const bytes = arrayOf(buffer, values);
  const norms = new Float32Array(keys + 1);
  for (let key = 0; key < keys; key++) {
    norms[key] = (bytes[index * keys + key] / 255) * scale[index];
    norms[keys] += norms[key] / keys;
  }
  return norms;
}

/** Squares of neighbouring tokens: the mean over a square's queries of what they put on its keys. */
export class TileMap {
  readonly size: number;
  readonly rows: number;
  readonly columns: number;
  readonly scale: number;
  private readonly bytes: ArrayLike<number>;
  private readonly firsts: ArrayLike<number> | null;
  private readonly index: number;

  constructor(
    buffer: ArrayBuffer,
    tiles: Tiles,
    index: number,
    readonly withoutFirst = false,
  ) {
    this.size = tiles.size;
    [, this.rows, this.columns] = tiles.shares.shape;
    this.scale = tiles.scale[index];
    this.index = index;
    this.bytes = arrayOf(buffer, tiles.shares);
    this.firsts = tiles.first ? arrayOf(buffer, tiles.first) : null;
  }

  /** What the queries of a row of tiles put on the keys of a column; without the first key, of what they put elsewhere. */
  share(row: number, column: number): number {
    const { withoutFirst } = this;
    const share = SQUARE[this.bytes[(this.index * this.rows + row) * this.columns + column]] * this.scale;
    if (withoutFirst) return share / dividedBy(1 - this.first(row), 1);
    return column === 0 ? share + this.first(row) : share;
  }

  /** What a row of tiles puts on the first key; 0 where that is among the shares. */
  first(row: number): number {
    return this.firsts ? this.firsts[this.index * this.rows + row] / 65535 : 0;
  }

  /** What a head puts on the first key: the mean over queries that can look elsewhere. */
  meanFirst(queries: number, causal: boolean): number {
    let sum = causal ? -1 : 0;
    for (let row = 0; row < this.rows; row++) sum += this.first(row) * Math.min(this.size, queries - row * this.size);
    return sum / Math.max(1, queries - (causal ? 1 : 0));
  }
}

/** The map of a head, or null where that layer has no such head. */
export function headMap(keys: number, buffer: ArrayBuffer, attention: Attention, layer: number, head: number, reading: Reading = {}): HeadMap | null {
  const found = attention.layers.find((each) => each.layer === layer);
  if (!found?.heads.includes(head)) return null;
  return new HeadMap(buffer, found, head, keys, reading);
}

/** The tiles of a head, or null where the input is short enough to do without. */
export function tileMap(buffer: ArrayBuffer, attention: Attention, layer: number, head: number, withoutFirst = false): TileMap | null {
  const found = attention.layers.find((each) => each.layer === layer);
  return found?.tiles ? new TileMap(buffer, found.tiles, found.heads.indexOf(head), withoutFirst) : null;
}
