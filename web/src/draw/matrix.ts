/** What stands around a map: the names of its tokens, its edges, and where in the whole one is. */

import type { Unit } from "../core/units";
import type { Camera, Room } from "./camera";
import { type Mark, clip } from "./marks";
import type { Colours } from "./theme";

/** A part of a map on a canvas: what is seen of it, and where it lies. */
export interface Frame {
  camera: Camera;
  room: Room;
  /** Where the room for the map begins on the canvas. */
  left: number;
  top: number;
}

export interface Bounds {
  /** The first and the past-the-last column and row in sight. */
  first: { column: number; row: number };
  last: { column: number; row: number };
  /** The box of the canvas that they take. */
  x: number;
  y: number;
  right: number;
  bottom: number;
}

export function boundsOf({ camera, room, left, top }: Frame): Bounds {
  const first = { column: Math.max(0, camera.x), row: Math.max(0, camera.y) };
  const last = { column: Math.min(room.columns, camera.x + room.width / camera.cell), row: Math.min(room.rows, camera.y + room.height / camera.cell) };
  const across = (column: number) => left + (column - camera.x) * camera.cell;
  const down = (row: number) => top + (row - camera.y) * camera.cell;
  return { first, last, x: across(first.column), y: down(first.row), right: across(last.column), bottom: down(last.row) };
}

export interface Names {
  queries: Unit[];
  keys: Unit[];
  /** From afar on long inputs, tokens have numbers instead of names. */
  numbered: boolean;
  narrow: boolean;
  cursor: { row: number; column: number } | null;
}

/** Names where they fit; else names of some tokens, evenly apart; from afar their numbers. */
export function axisMarks(frame: Frame, { queries, keys, numbered, narrow, cursor }: Names, { ink, quiet }: Colours): Mark[] {
  const { cell, x, y } = frame.camera;
  const bounds = boundsOf(frame);
  const numbers = numbered && cell < 1;
  const every = numbers ? 2 ** Math.ceil(Math.log2(40 / cell)) : Math.max(1, Math.ceil(13 / cell));
  const name = (units: Unit[], index: number, most: number) => (numbers ? index.toLocaleString("en") : clip(units[index].text, most));
  const marks: Mark[] = [];
  const start = (first: number) => Math.ceil(Math.floor(first) / every) * every;
  for (let row = start(bounds.first.row); row < bounds.last.row; row += every) {
    const at = frame.top + (row + 0.5 - y) * cell;
    if (at < bounds.y) continue;
    const here = cursor?.row === row;
    marks.push({ type: "words", x: bounds.x - 6, y: at, text: name(queries, row, narrow ? 9 : 15), size: 12, colour: here ? ink : quiet, anchor: "end", bold: here });
  }
  for (let column = start(bounds.first.column); column < bounds.last.column; column += every) {
    const at = frame.left + (column + 0.5 - x) * cell;
    if (at < bounds.x) continue;
    const here = cursor?.column === column;
    marks.push({ type: "words", x: at, y: bounds.y - 6, text: name(keys, column, narrow ? 9 : 13), size: 12, colour: here ? ink : quiet, anchor: "start", turn: -90, bold: here });
  }
  return marks;
}

/** A line around the map, and where the second sentence begins. */
export function edgeMarks(frame: Frame, split: number | null, { edge, quiet }: Colours): Mark[] {
  const { camera, left, top } = frame;
  const { x, y, right, bottom } = boundsOf(frame);
  const line = (x1: number, y1: number, x2: number, y2: number, colour: string): Mark => ({ type: "line", from: [x1, y1], to: [x2, y2], colour, alpha: 1, width: 1 });
  const marks = [line(x, y, right, y, edge), line(x, bottom, right, bottom, edge), line(x, y, x, bottom, edge), line(right, y, right, bottom, edge)];
  if (split === null) return marks;
  const [sx, sy] = [left + (split - camera.x) * camera.cell, top + (split - camera.y) * camera.cell];
  if (sx > x && sx < right) marks.push(line(sx, y, sx, bottom, quiet));
  if (sy > y && sy < bottom) marks.push(line(x, sy, right, sy, quiet));
  return marks;
}

export interface Overview {
  x: number;
  y: number;
  width: number;
  height: number;
  scale: number;
}

/** Where the whole of a map is drawn small: in the corner that the names of tokens leave free. */
export function overviewOf({ room, left, top }: Frame): Overview {
  const scale = Math.min(left - 20, top - 14) / Math.max(room.columns, room.rows);
  return { x: 8, y: 6, width: room.columns * scale, height: room.rows * scale, scale };
}

export function paintOverview(context: CanvasRenderingContext2D, source: HTMLCanvasElement, { x, y, width, height, scale }: Overview, frame: Frame, colours: Colours): void {
  const { first, last } = boundsOf(frame);
  context.imageSmoothingEnabled = true;
  context.drawImage(source, x, y, width, height);
  context.lineWidth = 1;
  context.strokeStyle = colours.edge;
  context.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
  context.lineWidth = 2;
  context.strokeStyle = colours.negative;
  const seen = { width: Math.max(4, (last.column - first.column) * scale), height: Math.max(4, (last.row - first.row) * scale) };
  context.strokeRect(Math.min(x + first.column * scale, x + width - seen.width), Math.min(y + first.row * scale, y + height - seen.height), seen.width, seen.height);
}
