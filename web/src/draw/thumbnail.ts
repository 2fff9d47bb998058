/** One head in a small square: links for short inputs, the map itself for long ones. */

import { ceilingOf, strength } from "../core/strength";
import type { Links } from "../core/units";
import type { Line } from "./marks";
import { shade } from "./tiles";
import type { Colours } from "./theme";

/** Above this many tokens links in a small square are only a smear. */
export const MOST_LINKED = 96;

export interface Square {
  x: number;
  y: number;
  size: number;
}

/** The links of a head, as strong as their weight; only those of some rows or columns, where those are given. */
export function thumbnailLines(
  links: Links,
  queries: number,
  keys: number,
  { x, y, size }: Square,
  least: number,
  ceiling: number,
  colour: (weight: number) => string,
  kept: (query: number, key: number) => boolean = () => true,
  rows: Iterable<number> = Array(queries).keys(),
): Line[] {
  const inset = 3;
  // the smaller the square, the thinner the links that can be told apart
  const thin = Math.min(1, size / 64);
  const step = (index: number, count: number) => y + inset + ((index + 0.5) * (size - 2 * inset)) / count;
  const result: Line[] = [];
  for (const query of rows)
    for (let i = links.rows[query]; i < links.rows[query + 1]; i++) {
      const weight = links.weight[i];
      if (Math.abs(weight) < least || !kept(query, links.to[i])) continue;
      const strong = strength(weight, ceiling);
      result.push({
        type: "line",
        from: [x + inset, step(query, queries)],
        to: [x + size - inset, step(links.to[i], keys)],
        colour: colour(weight),
        // no floor here: hundreds of weak links must stay paler together than one strong link
        alpha: strong ** 1.2,
        width: (0.5 + strong * 0.9) * thin,
      });
    }
  return result.sort((a, b) => a.alpha - b.alpha);
}

/** A small map: its bytes are the indexes of colours, row by row. */
export interface Pixels {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/**
 * The map in at most so many pixels a side, each the strongest weight in it; a pixel a token where there are fewer.
 * `most` is how many the screen has for it: shrunk once more, a column of one pixel could be lost.
 */
export function thumbnailPixels(links: Links, queries: number, keys: number, most: number, least: number, ceiling: number, signed = false): Pixels {
  const [width, height] = [Math.min(most, keys), Math.min(most, queries)];
  const bytes = new Uint8Array(width * height);
  if (signed) bytes.fill(128);
  for (let query = 0; query < queries; query++) {
    const row = Math.floor((query * height) / queries) * width;
    for (let i = links.rows[query]; i < links.rows[query + 1]; i++) {
      if (Math.abs(links.weight[i]) < least) continue;
      const at = row + Math.floor((links.to[i] * width) / keys);
      const byte = shade(links.weight[i], ceiling, signed);
      if (signed ? Math.abs(byte - 128) > Math.abs(bytes[at] - 128) : byte > bytes[at]) bytes[at] = byte;
    }
  }
  return { bytes, width, height };
}

/** The mean map of several heads in at most so many pixels a side, on a scale of its own. */
export function meanThumbnail(heads: Links[], keys: number, most: number, signed = false): Pixels {
  const queries = heads[0].rows.length - 1;
  const rows: number[] = [0];
  const [to, weight]: [number[], number[]] = [[], []];
  const sums = new Float32Array(keys);
  for (let query = 0; query < queries; query++) {
    sums.fill(0);
    for (const links of heads) for (let i = links.rows[query]; i < links.rows[query + 1]; i++) sums[links.to[i]] += links.weight[i] / heads.length;
    sums.forEach((sum, key) => sum !== 0 && (to.push(key), weight.push(sum)));
    rows.push(to.length);
  }
  const mean: Links = { rows: Uint32Array.from(rows), to: Uint32Array.from(to), weight: Float32Array.from(weight) };
  return thumbnailPixels(mean, queries, keys, most, 0, ceilingOf(mean, !signed), signed);
}

/** The colour of a weight: its head's, or by its sign. */
export function colourBy(signed: boolean, colours: Colours, own: string): (weight: number) => string {
  return signed ? (weight) => (weight > 0 ? colours.positive : colours.negative) : () => own;
}
