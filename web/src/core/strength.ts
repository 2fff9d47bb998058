/** How strongly a weight is drawn, and which are drawn at all: one rule for every view. */

import type { Links } from "./units";

/** Thresholds people choose among; of numbers that are no shares, parts of the largest. */
export const LADDER = [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5];
const FIRST = 0.01;
/** More links than this are only a smear, and slow. */
const ENOUGH = 4000;
/** Of all links between tokens of a long text at most so many are drawn. */
export const MOST = 12_000;

/** The weight that nine rows in ten stay below; of scores, the largest. One sharp row would else pale all others. */
export function ceilingOf(links: Links, shares: boolean): number {
  const largest: number[] = [];
  const count = links.rows.length - 1;
  const step = shares ? Math.max(1, Math.floor(count / 512)) : 1;
  for (let row = 0; row < count; row += step) {
    let most = 0;
    for (let i = links.rows[row]; i < links.rows[row + 1]; i++) most = Math.max(most, Math.abs(links.weight[i]));
    largest.push(most);
  }
  largest.sort((a, b) => a - b);
  return (shares ? largest[Math.floor((largest.length - 1) * 0.9)] : largest.at(-1)) || 1;
}

/** The first threshold from 0.01 on that leaves few enough links. */
export function thresholdFor(heads: Links[], unit = 1): number {
  const steps = LADDER.filter((step) => step >= FIRST);
  const counts = new Array<number>(steps.length).fill(0);
  for (const { weight } of heads)
    for (const each of weight) for (let i = 0; i < steps.length && Math.abs(each) >= steps[i] * unit; i++) counts[i]++;
  const found = counts.findIndex((count) => count <= ENOUGH);
  return steps[found < 0 ? steps.length - 1 : found] * unit;
}

/** The weakest link that can still be drawn where all of at least `threshold` would be too many. */
export function drawable(heads: Links[], threshold: number, most = MOST): number {
  let count = 0;
  for (const { weight } of heads) for (const each of weight) if (Math.abs(each) >= threshold) count++;
  if (count <= most) return threshold;
  const all = new Float32Array(count);
  let at = 0;
  for (const { weight } of heads) for (const each of weight) if (Math.abs(each) >= threshold) all[at++] = Math.abs(each);
  all.sort();
  return all[count - most];
}

/** Which link of each row is the strongest; -1 where a row has none. */
export function strongestOf(links: Links): Int32Array {
  const best = new Int32Array(links.rows.length - 1).fill(-1);
  for (let row = 0; row < best.length; row++)
    for (let i = links.rows[row]; i < links.rows[row + 1]; i++) if (best[row] < 0 || Math.abs(links.weight[i]) > Math.abs(links.weight[best[row]])) best[row] = i;
  return best;
}

/** What share of all attention is drawn: links of at least this weight and, where `best` is given, each row's strongest. */
export function massOf(heads: { links: Links; best: Int32Array | null }[], threshold: number, total: number): number {
  let sum = 0;
  for (const { links, best } of heads) {
    for (const each of links.weight) if (Math.abs(each) >= threshold) sum += Math.abs(each);
    for (const at of best ?? []) if (at >= 0 && Math.abs(links.weight[at]) < threshold) sum += Math.abs(links.weight[at]);
  }
  return total > 0 ? Math.min(1, sum / total) : 1;
}

/** From 0 to 1: how strong beside the strongest that is drawn. */
export const strength = (weight: number, ceiling: number): number => Math.min(1, Math.abs(weight) / ceiling);

/** How opaque what is pointed at is: the strongest in full colour, and no haze of a hundred weak ones. */
export const litOpacity = (strong: number): number => strong ** 1.1;

/** How opaque a link of this strength is, never quite invisible; where heads are many, weak ones fade faster. */
export const opacity = (strong: number, heads = 1): number => 0.03 + 0.97 * strong ** Math.min(1.3, 0.75 + 0.05 * (heads - 1));
