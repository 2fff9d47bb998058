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

/** The bytes of one tile: the square root of weight over scale, strongest of each square. */
export function tileBytes(map: UnitMap, level: number, column: number, row: number): Uint8Array {
  const bytes = new Uint8Array(TILE * TILE);
  const span = TILE << level;
  const [left, top] = [column * span, row * span];
  const scale = map.map.scale || 1;
  const bottom = Math.min(top + span, map.queries.length);
  for (let query = top; query < bottom; query++) {
    const line = ((query - top) >> level) * TILE;
    map.visit(query, (key, weight) => {
      if (key < left || key >= left + span) return;
      const at = line + ((key - left) >> level);
      const byte = Math.min(255, Math.round(255 * Math.sqrt(weight / scale)));
      if (byte > bytes[at]) bytes[at] = byte;
    });
  }
  return bytes;
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
