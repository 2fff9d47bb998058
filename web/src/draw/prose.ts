/** A text as prose: where each token stands in lines of a given width. */

import type { Side } from "../core/contract";
import type { Unit } from "../core/units";

export interface Word {
  x: number;
  width: number;
}

export interface Prose {
  words: Word[];
  /** The first word of each line, and past the last line the number of words. */
  lines: number[];
  height: number;
}

export const LINE = 30;
export const MARGIN = 14;

export type Width = (text: string) => number;

/** What stands before a unit, as before its first piece. */
export const gapBefore = (side: Side, unit: Unit): string => side.gaps[unit.start] ?? "s";

/** What has no letters of its own must still be pointed at. */
const NARROWEST = 6;

/** A unit as the text has it: without WordPiece's mark, spaces as spaces, a character of several tokens only once. */
export function written(units: Unit[], i: number): string {
  const text = units[i].text;
  const before = units[i - 1]?.text ?? "";
  const shared = before.endsWith("…") ? [...before].at(-2) : undefined;
  if (shared && text.startsWith(`…${shared}`)) return text.slice(1 + shared.length);
  if (text.length > 1 && text.endsWith("…") && units[i + 1]?.text.startsWith(`…${[...text].at(-2)}`)) return text.slice(0, -1);
  if (/^[␣ ]+$/.test(text)) return text.replaceAll(" ", "").replaceAll("␣", " ");
  return text.replace(/^##(?=[\p{L}\p{N}\p{M}])/u, "");
}

/** Breaks a text into lines; words of several pieces are not torn apart where that can be helped. */
export function flow(units: Unit[], side: Side, room: number, width: Width): Prose {
  const space = width(" ");
  const words: Word[] = [];
  const lines: number[] = [0];
  let x = MARGIN;
  const widths = units.map((_, i) => Math.max(NARROWEST, width(written(units, i))));
  const glued = (i: number) => gapBefore(side, units[i]) === "-";
  for (let i = 0; i < units.length; i++) {
    const gap = gapBefore(side, units[i]);
    const first = i === lines.at(-1);
    if (!first && gap === "s") x += space;
    // a word goes on for as long as nothing stands between its pieces
    let whole = widths[i];
    if (!glued(i)) for (let j = i + 1; j < units.length && glued(j) && whole < room; j++) whole += widths[j];
    const full = x + (glued(i) ? widths[i] : whole) > room - MARGIN;
    if (!first && (gap === "n" || full)) {
      lines.push(i);
      x = MARGIN;
    }
    words.push({ x, width: widths[i] });
    x += widths[i];
  }
  const count = lines.length;
  lines.push(units.length);
  return { words, lines, height: count * LINE + 2 * MARGIN };
}

/** The line that a word stands in. */
export function lineOf({ lines }: Prose, word: number): number {
  let [low, high] = [0, lines.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lines[middle] <= word) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The sum of weights along a text in so many parts, for a strip beside it; the largest is 1. */
export function strip(weights: Float32Array, parts: number): Float32Array {
  const sums = new Float32Array(parts);
  weights.forEach((weight, i) => (sums[Math.min(parts - 1, Math.floor((i * parts) / weights.length))] += Math.abs(weight)));
  const most = sums.reduce((a, b) => Math.max(a, b), 0) || 1;
  return sums.map((sum) => sum / most);
}

/** Where the largest few are, the largest first: sorting a hundred thousand at each move of the pointer takes too long. */
export function largest(weights: Float32Array, count: number): number[] {
  const found: number[] = [];
  const size = (i: number) => Math.abs(weights[i]);
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0 || (found.length === count && size(i) <= size(found[count - 1]))) continue;
    let at = found.length;
    while (at > 0 && size(found[at - 1]) < size(i)) at--;
    found.splice(at, 0, i);
    if (found.length > count) found.pop();
  }
  return found;
}
