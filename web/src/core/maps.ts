/** One head's map: its rows, whether all weights are there or the strongest, and its tiles on long inputs. */

import type { Attention, Layer, Tiles } from "./contract";
import { arrayOf } from "./payload";

const SQUARE = Float32Array.from({ length: 256 }, (_, byte) => (byte / 255) ** 2);
/** Of signed bytes, from -128 on. */
const SIGNED = Float32Array.from({ length: 256 }, (_, at) => Math.sign(at - 128) * ((at - 128) / 127) ** 2);

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
  private readonly origin: number;

  /** With `normed`, weights are times the norm of the value they bring, and rows made to sum to 1 again. */
  constructor(buffer: ArrayBuffer, layer: Layer, head: number, keys: number, normed = false) {
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
  }

  get sparse(): boolean {
    return this.columns !== null;
  }

  /** Calls back with each key of a row that has a weight. */
  entries(query: number, visit: (key: number, weight: number) => void): void {
    const { norms } = this;
    if (!norms) return this.stored(query, visit);
    const total = this.normed(query);
    this.stored(query, (key, weight) => visit(key, (weight * norms[key]) / total));
  }

  private stored(query: number, visit: (key: number, weight: number) => void): void {
    const start = (this.origin + query) * this.width;
    const scale = this.tops ? this.scale * (this.tops[this.origin + query] / 65535) ** 2 : this.scale;
    const { bytes, columns, signed } = this;
    for (let i = 0; i < this.width; i++) {
      const byte = bytes[start + i];
      if (byte !== 0) visit(columns ? columns[start + i] : i, (signed ? SIGNED[byte + 128] : SQUARE[byte]) * scale);
    }
  }

  /** The sum of a row's weights times norms; keys that were left out have the mean norm. */
  private normed(query: number): number {
    const norms = this.norms!;
    let sum = this.storedRest(query) * norms[this.keys];
    this.stored(query, (key, weight) => (sum += weight * norms[key]));
    return sum || 1;
  }

  private storedRest(query: number): number {
    return this.rests ? SQUARE[this.rests[this.origin + query]] : 0;
  }

  /** What the keys that were left out share; 0 where none were. */
  rest(query: number): number {
    if (!this.hasRows) return 1;
    const rest = this.storedRest(query);
    return this.norms ? (rest * this.norms[this.keys]) / this.normed(query) : rest;
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
  private readonly origin: number;

  constructor(buffer: ArrayBuffer, tiles: Tiles, index: number) {
    this.size = tiles.size;
    [, this.rows, this.columns] = tiles.shares.shape;
    this.scale = tiles.scale[index];
    this.origin = index * this.rows * this.columns;
    this.bytes = arrayOf(buffer, tiles.shares);
  }

  share(row: number, column: number): number {
    return SQUARE[this.bytes[this.origin + row * this.columns + column]] * this.scale;
  }
}

/** The map of a head, or null where that layer has no such head. */
export function headMap(keys: number, buffer: ArrayBuffer, attention: Attention, layer: number, head: number, normed = false): HeadMap | null {
  const found = attention.layers.find((each) => each.layer === layer);
  if (!found?.heads.includes(head)) return null;
  return new HeadMap(buffer, found, head, keys, normed);
}

/** The tiles of a head, or null where the input is short enough to do without. */
export function tileMap(buffer: ArrayBuffer, attention: Attention, layer: number, head: number): TileMap | null {
  const found = attention.layers.find((each) => each.layer === layer);
  return found?.tiles ? new TileMap(buffer, found.tiles, found.heads.indexOf(head)) : null;
}
