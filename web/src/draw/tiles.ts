/**
 * A map of any size as tiles: at level L one pixel stands for a square of 2^L tokens and shows the
 * strongest weight in it, so that a single strong link is still seen from far away.
 */

import type { UnitMap } from "../core/units";

export const TILE = 256;
const KEPT = 160;

/** The level at which a pixel of a tile is about as large as a pixel of the screen. */
export function levelFor(cell: number): number {
  return cell >= 1 ? 0 : Math.ceil(-Math.log2(cell) - 1e-9);
}

/** The tiles that a part of the map touches: [column, row]. */
export function tilesIn(level: number, left: number, top: number, right: number, bottom: number, columns: number, rows: number): [number, number][] {
  const span = TILE << level;
  const clamp = (value: number, most: number) => Math.max(0, Math.min(Math.floor(value / span), Math.floor((most - 1) / span)));
  const result: [number, number][] = [];
  for (let row = clamp(top, rows); row <= clamp(bottom, rows); row++)
    for (let column = clamp(left, columns); column <= clamp(right, columns); column++) result.push([column, row]);
  return result;
}

/** A weight as the index of its colour; signed, 128 is nothing. */
export function shade(weight: number, ceiling: number, signed = false): number {
  const root = Math.min(1, Math.sqrt(Math.abs(weight) / ceiling));
  return signed ? Math.round(128 + 127 * root * Math.sign(weight)) : Math.round(255 * root);
}

/**
 * The bytes of one tile: the colour of the strongest weight in each square. Keys that were left out of
 * a row get what they share, evenly, unless something else is drawn behind them.
 */
export function tileBytes(map: UnitMap, ceiling: number, causal: boolean, level: number, column: number, row: number, { spread = true, signed = false } = {}): Uint8Array {
  const bytes = new Uint8Array(TILE * TILE);
  if (signed) bytes.fill(128);
  const span = TILE << level;
  const [left, top] = [column * span, row * span];
  const bottom = Math.min(top + span, map.queries.length);
  if (causal && left >= bottom) return bytes;
  for (let query = top; query < bottom; query++) {
    const line = ((query - top) >> level) * TILE;
    const end = causal ? query + 1 : map.keys.length;
    const others = end - map.map.width;
    const even = spread && others > 0 ? shade(map.rest(query) / others, ceiling) : 0;
    if (even > 0)
      for (let at = 0; at < TILE && left + (at << level) < end; at++) if (bytes[line + at] < even) bytes[line + at] = even;
    map.visit(query, (key, weight) => {
      if (key < left || key >= left + span) return;
      const at = line + ((key - left) >> level);
      const byte = shade(weight, ceiling, signed);
      if (signed ? Math.abs(byte - 128) > Math.abs(bytes[at] - 128) : byte > bytes[at]) bytes[at] = byte;
    });
  }
  return bytes;
}

/** The key that a row attends to most, and how much. */
export function strongestIn(map: UnitMap, row: number): { column: number; weight: number } {
  const found = { column: 0, weight: 0 };
  map.visit(row, (column, weight) => Math.abs(weight) > Math.abs(found.weight) && Object.assign(found, { column, weight }));
  return found;
}

/** Tiles once made are kept, the longest unused thrown out first. */
export class TileCache<T> {
  private readonly kept = new Map<string, T>();

  get(key: string, make: () => T): T {
    const found = this.kept.get(key) ?? make();
    this.kept.delete(key);
    this.kept.set(key, found);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    return found;
  }

  has(key: string): boolean {
    return this.kept.has(key);
  }
}
