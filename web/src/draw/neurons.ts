/** Vectors as strips of cells, one a dimension: one colour above zero, another below. */

import { weightText } from "./bipartite";
import { ROW, TEXT } from "./geometry";
import { type Box, type Mark, clip } from "./marks";
import type { Colours } from "./theme";

export const HEADER = 2 * ROW + 16;

export interface NeuronGeometry {
  from: number;
  to: number;
  key: number;
  product: number;
  dot: number;
  softmax: number;
  value: number;
  names: number;
  cell: number;
  dim: number;
  valueDim: number;
  width: number;
}

const DOT = 62;
const SOFTMAX = 92;
const GAP = 14;

/** Columns that share the room there is; cells shrink as far as can be seen, then the view scrolls. */
export function columnsOf(room: number, names: number, dim: number, valueDim: number): NeuronGeometry {
  const fixed = 2 * names + DOT + SOFTMAX + 6 * GAP + 8;
  const least = Math.max(1, Math.ceil(64 / dim));
  const cell = Math.max(least, Math.min(12, Math.floor((room - fixed) / (2 * dim + valueDim))));
  const strip = dim * cell;
  const from = 8;
  const to = from + names + GAP;
  const key = to + names + GAP;
  const product = key + strip + GAP;
  const dot = product + strip + GAP;
  const softmax = dot + DOT + GAP;
  const value = softmax + SOFTMAX + GAP;
  return { from, to, key, product, dot, softmax, value, names, cell, dim, valueDim, width: value + valueDim * cell + 8 };
}

/** One vector, each cell as strong as its value is large against what is typical. */
export function strip(x: number, y: number, cell: number, dim: number, typical: number, colours: Colours, at: (d: number) => number): Box[] {
  const result: Box[] = [];
  for (let d = 0; d < dim; d++) {
    const value = at(d);
    const alpha = Math.tanh(Math.abs(value) / (2 * typical));
    if (alpha > 0.02)
      result.push({ type: "box", x: x + d * cell, y: y + 3, width: cell, height: ROW - 6, colour: value > 0 ? colours.positive : colours.negative, alpha });
  }
  return result;
}

export function frame(x: number, y: number, width: number, colours: Colours): Box {
  return { type: "box", x, y: y + 3, width, height: ROW - 6, colour: colours.raised, alpha: 1 };
}

/** The softmax of a row as a bar as long as its weight. */
export function bar(x: number, y: number, weight: number, colour: string): Box {
  return { type: "box", x, y: y + 5, width: Math.max(weight > 0.002 ? 1 : 0, weight * (SOFTMAX - 42)), height: ROW - 10, colour, alpha: 0.85 };
}

export interface NeuronRow {
  text: string;
  dot: number;
  weight: number;
  masked: boolean;
}

/** Names and numbers, for pictures that leave the page. */
export function labels(g: NeuronGeometry, queries: string[], rows: NeuronRow[], chosen: number, colours: Colours): Mark[] {
  const words = (x: number, y: number, text: string, colour: string, anchor: "start" | "end", bold = false, size = TEXT): Mark => ({
    type: "words",
    x,
    y,
    text: clip(text, 16),
    size,
    colour,
    anchor,
    bold,
  });
  const marks = titles(g).map(({ x, text }) => words(x, ROW / 2, text, colours.quiet, "start", false, 12));
  marks.push(words(g.key - 8, 1.5 * ROW + 4, "query", colours.quiet, "end", false, 12));
  queries.forEach((text, i) => marks.push(words(g.from + g.names - 8, HEADER + (i + 0.5) * ROW, text, colours.ink, "end", i === chosen)));
  rows.forEach((row, i) => {
    const y = HEADER + (i + 0.5) * ROW;
    marks.push(words(g.to + 8, y, row.text, row.masked ? colours.quiet : colours.ink, "start"));
    if (row.masked) return;
    marks.push(words(g.dot + DOT - 8, y, row.dot.toFixed(2), colours.ink, "end", false, 12));
    marks.push(words(g.softmax + SOFTMAX, y, weightText(row.weight), colours.ink, "end", false, 12));
  });
  return marks;
}

/** What each column is called. */
export function titles(g: NeuronGeometry): { x: number; text: string }[] {
  return [
    { x: g.from, text: "From" },
    { x: g.to + 8, text: "To" },
    { x: g.key, text: "Key k" },
    { x: g.product, text: "q × k" },
    { x: g.dot, text: "q·k scaled" },
    { x: g.softmax, text: "Softmax" },
    { x: g.value, text: "Value v" },
  ];
}
