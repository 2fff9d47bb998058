/** A text as prose: where each token stands in lines of a given width. */

import type { Side } from "../core/contract";
import type { Unit } from "../core/units";
import { joinedPiece, resolvedWays, visualRuns, wayOfToken } from "./bidi";

export interface Word {
  x: number;
  width: number;
  /** The way that its letters run, from the side that the first of them stands on. */
  way: "left" | "right";
}

export interface Prose {
  words: Word[];
  /** The first word of each line, and past the last line the number of words. */
  lines: number[];
  height: number;
  /** The way that the text runs. */
  way: "left" | "right";
}

export const LINE = 30;
export const MARGIN = 14;

type Gaps = Pick<Side, "gaps">;

export type Width = (text: string) => number;

/** What stands before a unit, as before its first piece. */
export const gapBefore = (side: Gaps, unit: Unit): string => side.gaps[unit.start] ?? "s";

/** What has no letters of its own must still be pointed at. */
const NARROWEST = 6;

/** The character that a token only goes on with: several tokens can make one. */
const goesOn = (before: Unit | undefined, unit: Unit): string | null => {
  const shared = before?.text.endsWith("…") ? [...before.text].at(-2) : undefined;
  return shared && unit.text.startsWith(`…${shared}`) ? shared : null;
};

/** A unit as the text has it: without WordPiece's mark, spaces as spaces, a character of several tokens only in its first. */
export function written(units: Unit[], i: number): string {
  let text = units[i].text;
  const shared = goesOn(units[i - 1], units[i]);
  const next = units[i + 1];
  if (next && goesOn(units[i], next)) text = text.slice(0, -1);
  if (shared) return text.slice(1 + shared.length);
  if (/^[␣ ]+$/.test(text)) return text.replaceAll(" ", "").replaceAll("␣", " ");
  return text.replace(/^##(?=[\p{L}\p{N}\p{M}])/u, "");
}

/** The width of each unit: a character of several tokens is shared out among them, and takes no more room than one. */
function widthsOf(units: Unit[], side: Gaps, width: Width): number[] {
  const widths = units.map((_, i) => width(shown(units, side, i)));
  const shares = (i: number) => i + 1 < units.length && goesOn(units[i], units[i + 1]) !== null;
  const isMiddle = (i: number) => [...units[i].text].length === 3 && shares(i) && i > 0 && shares(i - 1);
  units.forEach((_, first) => {
    if (!shares(first) || isMiddle(first)) return;
    let last = first + 1;
    while (isMiddle(last)) last++;
    const letters = [...written(units, first)];
    const [before, shared] = [letters.slice(0, -1).join(""), letters.at(-1) ?? ""];
    const character = widths[first] - (before ? width(joinedPiece(before, beside(units, side, first, -1), shared)) : 0);
    const part = character / (last - first + 1);
    widths[first] -= character;
    for (let i = first; i <= last; i++) widths[i] += part;
  });
  return widths.map((each) => (each > 0 ? each : NARROWEST));
}

/** What the same word has before (-1) or after (1) a unit; tokens that only go on with a character have no letters. */
function beside(units: Unit[], side: Gaps, i: number, step: -1 | 1): string {
  const glued = (at: number) => at > 0 && at < units.length && gapBefore(side, units[at]) === "-";
  let text = "";
  for (let at = i; text === "" && glued(step > 0 ? at + 1 : at); ) text = written(units, (at += step));
  return text;
}

/** A unit as it is drawn: joined to its neighbours within a word, where its script does so. */
export function shown(units: Unit[], side: Gaps, i: number): string {
  return joinedPiece(written(units, i), beside(units, side, i, -1), beside(units, side, i, 1));
}

/** Breaks a text into lines; words of several pieces are not torn apart where that can be helped. */
export function flow(units: Unit[], side: Gaps, room: number, width: Width): Prose {
  const space = width(" ");
  const lines: number[] = [0];
  let x = MARGIN;
  const widths = widthsOf(units, side, width);
  const gaps = units.map((unit) => gapBefore(side, unit));
  const glued = (i: number) => gaps[i] === "-";
  for (let i = 0; i < units.length; i++) {
    const first = i === lines.at(-1);
    if (!first && gaps[i] === "s") x += space;
    // a word goes on for as long as nothing stands between its pieces
    let whole = widths[i];
    if (!glued(i)) for (let j = i + 1; j < units.length && glued(j) && whole < room; j++) whole += widths[j];
    const full = x + (glued(i) ? widths[i] : whole) > room - MARGIN;
    if (!first && (gaps[i] === "n" || full)) {
      lines.push(i);
      x = MARGIN;
    }
    x += widths[i];
  }
  const count = lines.length;
  lines.push(units.length);
  const way = mostWay(units);
  const words: Word[] = widths.map((each) => ({ x: 0, width: each, way: "left" }));
  for (let line = 0; line < count; line++) placeLine(units.slice(lines[line], lines[line + 1]), words.slice(lines[line], lines[line + 1]), gaps.slice(lines[line], lines[line + 1]), way, room, space);
  return { words, lines, height: count * LINE + 2 * MARGIN, way };
}

/** The way that most letters of a text run. */
function mostWay(units: Unit[]): "left" | "right" {
  let [left, right] = [0, 0];
  for (const { text } of units) {
    const way = wayOfToken(text);
    if (way === "right") right += text.length;
    else if (way === "left") left += text.length;
  }
  return right > left ? "right" : "left";
}

/** Puts the words of a line side by side, from the margin that the text begins at. */
function placeLine(units: Unit[], words: Word[], gaps: string[], way: "left" | "right", room: number, space: number): void {
  const ways = resolvedWays(units.map(({ text }) => wayOfToken(text)), way);
  words.forEach((word, i) => (word.way = ways[i]));
  const runs = visualRuns(ways, way);
  const spaced = (i: number) => i > 0 && gaps[i] === "s";
  const total = words.reduce((sum, word, i) => sum + word.width + (spaced(i) ? space : 0), 0);
  let x = way === "left" ? MARGIN : Math.max(MARGIN, room - MARGIN - total);
  runs.forEach((run, at) => {
    // what stands between two runs stands before the one that is read later
    if (at > 0 && spaced(Math.max(Math.min(...runs[at - 1]), Math.min(...run)))) x += space;
    run.forEach((i, place) => {
      if (place > 0 && spaced(Math.max(run[place - 1], i))) x += space;
      words[i].x = x;
      x += words[i].width;
    });
  });
}

/** The line that a word stands in. */
export function lineOf({ lines }: Pick<Prose, "lines">, word: number): number {
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
