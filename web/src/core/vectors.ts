/** Queries, keys and values of one head, and what attention makes of them. */

import type { Layer, Vector } from "./contract";
import type { HeadMap } from "./maps";
import { arrayOf } from "./payload";

/**
 * The query to begin with: the one with the strongest link to another token than itself and the first. Of a
 * causal map only later rows, which have keys to choose among.
 */
export function mostToSee(map: HeadMap, causal: boolean): number {
  const best = { query: map.queries - 1, weight: 0 };
  for (let query = causal ? Math.floor(map.queries / 2) : 0; query < map.queries; query++)
    map.entries(query, (key, weight) => {
      if (key !== 0 && key !== query && Math.abs(weight) > best.weight) Object.assign(best, { query, weight: Math.abs(weight) });
    });
  return best.query;
}

export class HeadVectors {
  readonly scaling: number;
  readonly query: Strip;
  readonly key: Strip;
  readonly value: Strip;

  constructor(buffer: ArrayBuffer, layer: Layer, index: number) {
    if (!layer.vectors) throw new Error(`Layer ${layer.layer} has no vectors.`);
    this.scaling = layer.vectors.scaling;
    this.query = new Strip(buffer, layer.vectors.query, index);
    this.key = new Strip(buffer, layer.vectors.key, index);
    this.value = new Strip(buffer, layer.vectors.value, index);
  }

  /** q·k times the scaling, which the softmax then sees (before any mask or bias). */
  dot(query: number, key: number): number {
    let sum = 0;
    for (let d = 0; d < this.query.dim; d++) sum += this.query.at(query, d) * this.key.at(key, d);
    return sum * this.scaling;
  }

  /** The head's output for a query: the sum of values, each times its weight. */
  output(weights: ArrayLike<number>): Float32Array {
    const sum = new Float32Array(this.value.dim);
    for (let key = 0; key < weights.length; key++)
      if (weights[key] > 0) for (let d = 0; d < sum.length; d++) sum[d] += weights[key] * this.value.at(key, d);
    return sum;
  }
}

/** One vector a token. */
export class Strip {
  readonly tokens: number;
  readonly dim: number;
  /** The root mean square, which the colours are measured against. */
  readonly typical: number;
  private readonly values: ArrayLike<number>;
  private readonly unit: number;
  private readonly origin: number;

  constructor(buffer: ArrayBuffer, vector: Vector, index: number) {
    const [, tokens, dim] = vector.values.shape;
    this.tokens = tokens;
    this.dim = dim;
    this.values = arrayOf(buffer, vector.values);
    this.unit = vector.scale[index] / 32767;
    this.origin = index * tokens * dim;
    let squares = 0;
    for (let i = 0; i < tokens * dim; i++) squares += (this.values[this.origin + i] * this.unit) ** 2;
    this.typical = Math.sqrt(squares / (tokens * dim)) || 1;
  }

  at(token: number, d: number): number {
    return this.values[this.origin + token * this.dim + d] * this.unit;
  }
}
