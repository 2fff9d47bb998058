/**
 * Tiles of a long input as pictures. From afar a tile shows its share of attention; from near the mean weight
 * in it, as a ground on which the strongest weights stand.
 */

import type { TileMap } from "../core/maps";
import type { Pixels } from "./thumbnail";
import { shade } from "./tiles";

/** What tiles of one head or of several say. */
export type TileShares = Pick<TileMap, "rows" | "columns" | "share">;

/** The mean of the tiles of several heads. */
export function meanTiles(heads: TileMap[]): TileShares {
  const [{ rows, columns }] = heads;
  return { rows, columns, share: (row, column) => heads.reduce((sum, tiles) => sum + tiles.share(row, column) / heads.length, 0) };
}

/** The share that gets the strongest colour: nine rows of tiles in ten stay below. */
export function tileCeiling(tiles: TileShares): number {
  const largest = largestOfRows(tiles);
  return largest[Math.floor((largest.length - 1) * 0.9)] || 1;
}

/** The largest share of all. */
export const largestTile = (tiles: TileShares): number => largestOfRows(tiles).at(-1)!;

/** The largest share of every row of tiles, the smallest of them first. */
function largestOfRows(tiles: TileShares): number[] {
  return Array.from({ length: tiles.rows }, (_, row) => {
    let most = 0;
    for (let column = 0; column < tiles.columns; column++) most = Math.max(most, tiles.share(row, column));
    return most;
  }).sort((a, b) => a - b);
}

/** A pixel a tile, as strong as its share. */
export function sharePixels(tiles: TileShares, ceiling: number): Uint8Array {
  return pixels(tiles, (row, column) => shade(tiles.share(row, column), ceiling));
}

/** A pixel a tile, as strong as the mean weight between its tokens that may see each other. */
export function meanPixels(tiles: TileMap, keys: number, causal: boolean, ceiling: number): Uint8Array {
  return pixels(tiles, (row, column) => {
    const seen = Math.min(tiles.size, keys - column * tiles.size) - (tiles.withoutFirst && column === 0 ? 1 : 0);
    return shade(tiles.share(row, column) / Math.max(1, causal && row === column ? (seen + 1) / 2 : seen), ceiling);
  });
}

function pixels(tiles: TileShares, byte: (row: number, column: number) => number): Uint8Array {
  const result = new Uint8Array(tiles.rows * tiles.columns);
  for (let row = 0; row < tiles.rows; row++)
    for (let column = 0; column < tiles.columns; column++) result[row * tiles.columns + column] = byte(row, column);
  return result;
}

/** The map of a head in at most so many pixels a side, each the strongest tile in it. */
export function tileThumbnail(tiles: TileShares, most: number): Pixels {
  const [width, height] = [Math.min(most, tiles.columns), Math.min(most, tiles.rows)];
  const result = new Uint8Array(width * height);
  const bytes = sharePixels(tiles, 1);
  for (let row = 0; row < tiles.rows; row++)
    for (let column = 0; column < tiles.columns; column++) {
      const at = Math.floor((row * height) / tiles.rows) * width + Math.floor((column * width) / tiles.columns);
      result[at] = Math.max(result[at], bytes[row * tiles.columns + column]);
    }
  return { bytes: result, width, height };
}

/**
 * How near one is: 0 where tiles are drawn, 1 where cells are, and between the two a step of the zoom by four.
 * It begins where a tile is 8 pixels wide, and never while all of the map is seen.
 */
export function nearness(tile: number, whole: number): number {
  const step = Math.log2(tile / Math.max(8, whole * 1.5)) / 2;
  return Math.max(0, Math.min(1, step));
}

/** Leaves only what a causal head may see to be drawn on: a stair along the diagonal. */
export function clipToPast(context: CanvasRenderingContext2D, left: number, top: number, x: number, y: number, bottom: number, cell: number): void {
  const stride = Math.max(1, Math.round(1 / cell));
  const across = (column: number) => Math.max(left, left + (column - x) * cell);
  const down = (row: number) => top + (row - y) * cell;
  const first = Math.floor(y / stride) * stride;
  context.beginPath();
  context.moveTo(left, down(first));
  for (let row = first; row < bottom; row += stride) {
    context.lineTo(across(row + stride), down(row));
    context.lineTo(across(row + stride), down(row + stride));
  }
  context.lineTo(left, down(Math.ceil(bottom / stride) * stride));
  context.closePath();
  context.clip();
}
