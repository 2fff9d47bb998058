/** One head in a small square: links for short inputs, the map itself for long ones. */

import type { Links } from "../core/units";
import type { Line } from "./marks";

/** Above this many tokens links in a small square are only a smear. */
export const MOST_LINKED = 96;

export function thumbnailLines(links: Links, queries: number, keys: number, size: number, colour: string, x: number, y: number): Line[] {
  const inset = 3;
  // the smaller the square, the fewer and the thinner the links that can be told apart
  const least = size < 40 ? 0.15 : 0.04;
  const thin = Math.min(1, size / 64);
  const step = (index: number, count: number) => y + inset + ((index + 0.5) * (size - 2 * inset)) / count;
  const result: Line[] = [];
  for (let query = 0; query < queries; query++)
    for (let i = links.rows[query]; i < links.rows[query + 1]; i++) {
      const weight = links.weight[i];
      if (weight < least) continue;
      result.push({
        type: "line",
        from: [x + inset, step(query, queries)],
        to: [x + size - inset, step(links.to[i], keys)],
        colour,
        alpha: Math.min(1, 0.08 + weight ** 0.8),
        width: (0.5 + weight * 0.7) * thin,
      });
    }
  return result;
}

/** The map shrunk to a square of pixels, each the strongest weight in it: one byte each. */
export function thumbnailPixels(links: Links, queries: number, keys: number, size: number): Uint8Array {
  const pixels = new Uint8Array(size * size);
  for (let query = 0; query < queries; query++) {
    const row = Math.floor((query * size) / queries) * size;
    for (let i = links.rows[query]; i < links.rows[query + 1]; i++) {
      const at = row + Math.floor((links.to[i] * size) / keys);
      const byte = Math.min(255, Math.round(Math.sqrt(links.weight[i]) * 255));
      if (byte > pixels[at]) pixels[at] = byte;
    }
  }
  return pixels;
}
