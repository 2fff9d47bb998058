/** The map of one head, painted: cells from near, and on long inputs tiles from afar. */

import type { TileMap } from "../core/maps";
import { ceilingOfPanes } from "../core/drawnLinks";
import type { Store } from "../core/store.svelte";
import type { UnitMap } from "../core/units";
import { type Camera, type Room, fit } from "./camera";
import { clipToPast, meanPixels, nearness, sharePixels, tileCeiling } from "./coarse";
import { type Mark, paint } from "./marks";
import { type Frame, boundsOf } from "./matrix";
import { raster, rampColour } from "./ramp";
import { TILE, type TileCache, levelFor, shade, tileBytes, tilesIn } from "./tiles";

export class MapPainter {
  readonly map: UnitMap;
  readonly tiles: TileMap | null;
  readonly ceiling: number;
  /** The share that gets the strongest colour, of tiles. */
  readonly most: number;
  readonly shares: HTMLCanvasElement | null;
  private readonly means: HTMLCanvasElement | null;
  private readonly name: string;
  private readonly dark: boolean;
  private readonly causal: boolean;
  readonly signed: boolean;
  /** The share of each row on the first key, where that is left out of the map. */
  readonly firsts: Float32Array | null;
  private readonly ink: string;

  constructor(
    store: Store,
    head: number,
    private readonly cache: TileCache<HTMLCanvasElement>,
  ) {
    this.map = store.unitMap(head);
    this.tiles = store.tiles(head);
    this.ceiling = this.map.map.hasRows ? ceilingOfPanes(store, [head]) : 1;
    this.dark = store.shared.dark;
    ({ causal: this.causal, signed: this.signed } = store.attention);
    this.firsts = store.withoutFirst && this.map.map.hasRows ? Float32Array.from(this.map.queries, (_, query) => this.map.first(query)) : null;
    this.ink = store.shared.colours.quiet;
    const { tiles } = this;
    this.most = tiles ? tileCeiling(tiles) : 1;
    this.shares = tiles && raster(sharePixels(tiles, this.most), tiles.columns, tiles.rows, this.dark);
    this.means = tiles && this.map.map.hasRows ? raster(meanPixels(tiles, this.map.map.keys, this.causal, this.ceiling), tiles.columns, tiles.rows, this.dark) : null;
    this.name = [store.attention.attention, store.layer.layer, head, store.selection.level, store.selection.sentences, store.selection.weighting, store.withoutFirst, this.ceiling, this.dark].join(" ");
  }

  /** From 0, where tiles are seen, to 1, where cells are. */
  near(camera: Camera, room: Room): number {
    if (!this.tiles) return 1;
    return this.map.map.hasRows ? nearness(this.tiles.size * camera.cell, this.tiles.size * fit(room).cell) : 0;
  }

  /** With `again`, what takes too long for one frame is left for the next, and `again` called. */
  paint(context: CanvasRenderingContext2D, frame: Frame, again: (() => void) | null): void {
    const near = this.near(frame.camera, frame.room);
    context.imageSmoothingEnabled = false;
    if (this.means && near > 0) this.paintTiles(context, frame, this.means, 1);
    if (this.shares && near < 1) this.paintTiles(context, frame, this.shares, 1 - near);
    if (near > 0) paint(context, this.cells(frame, near, again));
    paint(context, this.firstColumn(frame));
  }

  /** Where the first key is left out, its column holds what was left out, in another colour. */
  private firstColumn(frame: Frame): Mark[] {
    const { camera, left, top } = frame;
    const { first, last } = boundsOf(frame);
    if (!(this.firsts || this.tiles?.withoutFirst) || first.column >= 1) return [];
    // a box for each row; of many rows in a pixel, or of none that are kept, one for each row of tiles
    const tiles = !this.firsts || camera.cell < 1 ? this.tiles : null;
    const span = tiles?.size ?? 1;
    const share = (at: number) => (tiles ? tiles.first(at) : this.firsts![at]);
    const [start, end] = [Math.floor(first.row / span), Math.ceil(last.row / span)];
    const box = { type: "box", x: left - camera.x * camera.cell, width: Math.max(3, camera.cell), height: span * camera.cell, colour: this.ink } as const;
    return Array.from({ length: end - start }, (_, i) => ({ ...box, y: top + ((start + i) * span - camera.y) * camera.cell, alpha: share(start + i) }));
  }

  private cells(frame: Frame, near: number, again: (() => void) | null): Mark[] {
    const { camera, room, left, top } = frame;
    const { first, last } = boundsOf(frame);
    const level = levelFor(camera.cell);
    const span = TILE << level;
    const side = span * camera.cell;
    const started = performance.now();
    const marks: Mark[] = [];
    for (const [column, row] of tilesIn(level, first.column, first.row, last.column, last.row, room.columns, room.rows)) {
      const key = `${this.name} ${level} ${column} ${row}`;
      if (again && !this.cache.has(key) && performance.now() - started > 14) {
        requestAnimationFrame(again);
        break;
      }
      const { signed } = this;
      const source = this.cache.get(key, () =>
        raster(tileBytes(this.map, this.ceiling, this.causal, level, column, row, { spread: !this.tiles, signed }), TILE, TILE, this.dark, { clear: this.tiles !== null, signed }),
      );
      marks.push({ type: "raster", x: left + (column * span - camera.x) * camera.cell, y: top + (row * span - camera.y) * camera.cell, width: side, height: side, source, alpha: near });
    }
    return marks;
  }

  /** The part of a picture with a pixel a tile that is in sight: all of it, enlarged, would be too large to draw. */
  private paintTiles(context: CanvasRenderingContext2D, frame: Frame, source: HTMLCanvasElement, alpha: number): void {
    const { size, columns, rows } = this.tiles!;
    const { x, y, cell } = frame.camera;
    const { first, last } = boundsOf(frame);
    const [column, row] = [Math.floor(first.column / size), Math.floor(first.row / size)];
    const wide = Math.min(columns, Math.ceil(last.column / size)) - column;
    const high = Math.min(rows, Math.ceil(last.row / size)) - row;
    context.save();
    if (this.causal) clipToPast(context, frame.left, frame.top, x, y, last.row, cell);
    context.globalAlpha = alpha;
    context.drawImage(source, column, row, wide, high, frame.left + (column * size - x) * cell, frame.top + (row * size - y) * cell, wide * size * cell, high * size * cell);
    context.restore();
  }

  /** Cells as vectors where they can be told apart, else as the pixels of the screen. */
  picture(frame: Frame): Mark[] {
    const { camera, left, top } = frame;
    const bounds = boundsOf(frame);
    const { first, last } = bounds;
    const marks: Mark[] = [];
    if ((last.column - first.column) * (last.row - first.row) <= 4200 && this.near(camera, frame.room) === 1) {
      for (let row = Math.floor(first.row); row < last.row; row++)
        this.map.visit(row, (column, weight) => {
          if (column < Math.floor(first.column) || column >= last.column) return;
          const colour = rampColour(this.dark, shade(weight, this.ceiling, this.signed) / 255, this.signed);
          marks.push({ type: "box", x: left + (column - camera.x) * camera.cell, y: top + (row - camera.y) * camera.cell, width: camera.cell, height: camera.cell, colour, alpha: 1 });
        });
      return [...marks, ...this.firstColumn(frame)];
    }
    const scale = 2;
    const source = document.createElement("canvas");
    const [width, height] = [bounds.right - bounds.x, bounds.bottom - bounds.y];
    source.width = Math.round(width * scale);
    source.height = Math.round(height * scale);
    const context = source.getContext("2d")!;
    context.scale(scale, scale);
    context.translate(-bounds.x, -bounds.y);
    this.paint(context, frame, null);
    return [{ type: "raster", x: bounds.x, y: bounds.y, width, height, source }];
  }
}

/** A bar of colours with its two ends written beside it. */
export function scaleMarks(x: number, y: number, dark: boolean, signed: boolean, low: string, high: string, colour: string): Mark[] {
  const words = (at: number, text: string, anchor: "start" | "end"): Mark => ({ type: "words", x: at, y: y + 5, text, size: 11, colour, anchor });
  const steps = 24;
  const boxes = Array.from({ length: steps }, (_, i): Mark => ({ type: "box", x: x + 30 + i * 5, y, width: 5.2, height: 10, colour: rampColour(dark, i / (steps - 1), signed), alpha: 1 }));
  return [words(x + 25, low, "end"), ...boxes, words(x + 35 + steps * 5, high, "start")];
}

