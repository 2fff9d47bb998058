/** One head's map, read row by row from its bytes, whether all weights are there or the strongest. */

import type { Attention, Layer, Scene } from "./contract";
import { arrayOf } from "./payload";

const SQUARE = Float32Array.from({ length: 256 }, (_, byte) => (byte / 255) ** 2);

export class HeadMap {
  readonly queries: number;
  readonly keys: number;
  readonly scale: number;
  /** How many entries a row has: all keys, or the strongest few. */
  readonly width: number;
  private readonly bytes: ArrayLike<number>;
  private readonly columns: ArrayLike<number> | null;
  private readonly tops: ArrayLike<number> | null;
  private readonly rests: ArrayLike<number> | null;
  private readonly origin: number;

  constructor(buffer: ArrayBuffer, layer: Layer, index: number, keys: number) {
    const [, queries, width] = layer.weights.shape;
    this.queries = queries;
    this.keys = keys;
    this.width = width;
    this.scale = layer.scale[index];
    this.origin = index * queries;
    this.bytes = arrayOf(buffer, layer.weights);
    this.columns = layer.columns ? arrayOf(buffer, layer.columns) : null;
    this.tops = layer.tops ? arrayOf(buffer, layer.tops) : null;
    this.rests = layer.rest ? arrayOf(buffer, layer.rest) : null;
  }

  get sparse(): boolean {
    return this.columns !== null;
  }

  /** Calls back with each key of a row that has a weight. */
  entries(query: number, visit: (key: number, weight: number) => void): void {
    const start = (this.origin + query) * this.width;
    const scale = this.tops ? this.scale * (this.tops[this.origin + query] / 65535) ** 2 : this.scale;
    for (let i = 0; i < this.width; i++) {
      const byte = this.bytes[start + i];
      if (byte > 0) visit(this.columns ? this.columns[start + i] : i, SQUARE[byte] * scale);
    }
  }

  /** What the keys that were left out share; 0 where none were. */
  rest(query: number): number {
    return this.rests ? SQUARE[this.rests[this.origin + query]] : 0;
  }

  row(query: number): Float32Array {
    const weights = new Float32Array(this.keys);
    this.entries(query, (key, weight) => (weights[key] = weight));
    return weights;
  }
}

/** The map of a head, or null where that layer has no such head. */
export function headMap(scene: Scene, buffer: ArrayBuffer, attention: Attention, layer: number, head: number): HeadMap | null {
  const found = attention.layers.find((each) => each.layer === layer);
  const index = found?.heads.indexOf(head) ?? -1;
  if (!found || index < 0) return null;
  return new HeadMap(buffer, found, index, scene.sides[attention.keys]!.tokens.length);
}
