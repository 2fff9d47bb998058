/** Where the tokens of both sides lie: two columns with links left to right, or two rows. */

import type { End, Layout } from "../core/contract";
import type { Unit } from "../core/units";
import { wayOf } from "./bidi";
import { FONT } from "./theme";

export interface Spot {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Geometry {
  layout: Layout;
  width: number;
  height: number;
  query: Spot[];
  key: Spot[];
}

export const ROW = 24;
export const TEXT = 14;
export const NUMBER = 46;
/** Beside the tokens that attend: how likely each was. */
export const LANE = 40;
const MARGIN = 8;
let ruler: CanvasRenderingContext2D | null = null;

/** Width of a text on screen; only its beginning is measured, since long ones are cut. */
export function textWidth(text: string): number {
  ruler ??= document.createElement("canvas").getContext("2d")!;
  ruler.font = `${TEXT}px ${FONT}`;
  ruler.direction = wayOf(text) === "right" ? "rtl" : "ltr"; // letters join what stands beside them in their own direction alone
  return ruler.measureText(text.slice(0, 80)).width;
}

export type Measure = (text: string) => number;

/** `lane` is room beside the tokens that attend, where they stand in a column. */
export function place(layout: Layout, queries: Unit[], keys: Unit[], room: number, measure: Measure = textWidth, lane = 0): Geometry {
  return layout === "columns" ? columns(queries, keys, room, measure, lane) : rows(queries, keys, room, measure);
}

function columns(queries: Unit[], keys: Unit[], room: number, measure: Measure, lane: number): Geometry {
  const most = Math.max(56, room * 0.3 - NUMBER);
  const [left, right] = [queries, keys].map((units) => Math.min(most, widest(units, measure) + 16));
  const fixed = lane + left + right + 2 * (NUMBER + MARGIN);
  const gap = Math.min(Math.max(room - fixed, 90), Math.max(260, Math.min(460, room * 0.4)));
  const width = Math.max(room, fixed + gap);
  const start = Math.floor((width - fixed - gap) / 2) + lane + MARGIN + NUMBER;
  return {
    layout: "columns",
    width,
    height: Math.max(queries.length, keys.length) * ROW + 2 * MARGIN,
    query: queries.map((_, i) => ({ x: start, y: MARGIN + i * ROW, width: left, height: ROW })),
    key: keys.map((_, i) => ({ x: start + left + gap, y: MARGIN + i * ROW, width: right, height: ROW })),
  };
}

function rows(queries: Unit[], keys: Unit[], room: number, measure: Measure): Geometry {
  const gap = 260;
  const line = (units: Unit[], y: number): Spot[] => {
    let x = MARGIN;
    return units.map((unit) => {
      const width = Math.min(200, Math.max(40, measure(unit.text) + 14));
      const spot = { x, y, width, height: ROW + 4 };
      x += width;
      return spot;
    });
  };
  const query = line(queries, MARGIN + ROW);
  const key = line(keys, MARGIN + 2 * ROW + gap);
  const used = Math.max(...[query, key].map((spots) => (spots.at(-1)?.x ?? 0) + (spots.at(-1)?.width ?? 0))) + MARGIN;
  const shift = Math.max(0, (room - used) / 2);
  for (const spot of [...query, ...key]) spot.x += shift;
  return { layout: "rows", width: Math.max(room, used), height: 2 * MARGIN + 4 * ROW + gap, query, key };
}

function widest(units: Unit[], measure: Measure): number {
  // measuring thousands of texts takes long; the longest strings are the widest, nearly always
  const longest = [...units].sort((a, b) => b.text.length - a.text.length).slice(0, 40);
  return Math.max(24, ...longest.map((unit) => measure(unit.text)));
}

/** Where the links of a token begin or end. */
export function anchor(geometry: Geometry, end: End, index: number): [number, number] {
  const spot = geometry[end][index];
  if (geometry.layout === "columns") return [end === "query" ? spot.x + spot.width : spot.x, spot.y + spot.height / 2];
  return [spot.x + spot.width / 2, end === "query" ? spot.y + spot.height : spot.y];
}

/** Where the weight of a token is written: outside of it, away from the links. */
export function numberSpot(geometry: Geometry, end: End, index: number): { x: number; y: number; anchor: "start" | "middle" | "end" } {
  const spot = geometry[end][index];
  if (geometry.layout === "columns")
    return end === "query"
      ? { x: spot.x - 6, y: spot.y + spot.height / 2, anchor: "end" }
      : { x: spot.x + spot.width + 6, y: spot.y + spot.height / 2, anchor: "start" };
  return { x: spot.x + spot.width / 2, y: end === "query" ? spot.y - 11 : spot.y + spot.height + 11, anchor: "middle" };
}
