/** The small pictures of all heads: painted once and kept, and over them the rows of the tokens that are active. */

import type { Cell } from "../core/grid";
import { commonCeiling } from "../core/drawnLinks";
import { LEAST, type Store } from "../core/store.svelte";
import { strength } from "../core/strength";
import { tileThumbnail } from "./coarse";
import { type Mark, paint } from "./marks";
import { raster } from "./ramp";
import { MOST_LINKED, type Pixels, colourBy, thumbnailLines, thumbnailPixels } from "./thumbnail";

export interface Thumbnails {
  /** What the strength of a link or a pixel means. */
  note: string;
  ready: (cell: Cell) => boolean;
  draw: (context: CanvasRenderingContext2D, cell: Cell) => void;
  marks: (cell: Cell) => Mark[];
}

/** Pixels of all maps in a saved picture, and the steps of their colours: hundreds of heads must stay about a megabyte. */
const SAVED_PIXELS = 1_400_000;
const SAVED_STEP = 16;
const inSteps = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => Math.min(255, Math.round(byte / SAVED_STEP) * SAVED_STEP));

export const isLinked = (store: Store) => Math.max(store.queries.length, store.keys.length) <= MOST_LINKED;

/** What is hidden in small squares: weaker links are a haze there, unless somebody chose what to hide. */
export function smallThreshold(store: Store): number {
  const least = isLinked(store) ? 0.03 : LEAST;
  return store.selection.threshold ?? (store.attention.shares ? least : least * commonCeiling(store));
}

/** Whether what is drawn strongest differs from one small square to the next: only where numbers are no shares. */
export const haveOwnScales = (store: Store): boolean => !store.attention.shares;

export function thumbnails(store: Store, size: number): Thumbnails {
  // not `active`: pointing at a token must not paint all heads anew
  const { queries, keys } = store;
  const { colours, dark } = store.shared;
  const { signed, shares } = store.attention;
  const { threshold } = store.selection;
  const least = smallThreshold(store);
  const linked = isLinked(store);
  const painted = new Map<string, HTMLCanvasElement>();
  const name = ({ layer, head }: Cell) => `${layer}.${head}`;
  // a difference is mostly small: all its heads are on one scale, of their own
  const difference = signed && store.shared.panes.length > 1;
  let ownScale: number | undefined;
  const ceilingOf = ({ layer, head }: Cell) => {
    if (difference) return (ownScale ??= commonCeiling(store));
    // one scale for all, where 1 is all of a token's attention: an even head is pale, and a sharp one dark
    return shares ? 1 : store.headCeiling(head, layer);
  };
  const scale = (cell: Cell) => ({ links: store.links(cell.head, cell.layer), ceiling: ceilingOf(cell) });
  const heads = store.attention.layers.reduce((sum, { heads }) => sum + heads.length, 0);
  const savedSide = Math.min(2 * size, Math.max(24, Math.floor(Math.sqrt(SAVED_PIXELS / heads))));

  /** The picture of a head, in maps of at most so many pixels a side. */
  function marks(cell: Cell, most: number, saved = false): Mark[] {
    const picture = ({ bytes, width, height }: Pixels) => raster(saved ? inSteps(bytes) : bytes, width, height, dark, { signed });
    const { x, y, layer, head } = cell;
    const tiles = store.tiles(head, layer);
    const square = { type: "raster", x, y, width: size, height: size } as const;
    if (tiles) return [{ ...square, source: picture(tileThumbnail(tiles, most)) }];
    const { links, ceiling } = scale(cell);
    if (linked) return thumbnailLines(links, queries.length, keys.length, { x, y, size }, least, ceiling, colourBy(signed, colours, store.colourOf(head, layer)));
    return [{ ...square, source: picture(thumbnailPixels(links, queries.length, keys.length, most, least, ceiling, signed)) }];
  }

  /** Links of the active tokens. Several on one side are met by all: only what each of them looks at is lit. */
  function lit(cell: Cell): Mark[] {
    if (!store.hasRows(cell.head, cell.layer)) return [];
    const of = (end: "query" | "key") => new Set(store.active.filter(([which]) => which === end).map(([, unit]) => unit));
    const [from, to] = [of("query"), of("key")];
    const { links, ceiling } = scale(cell);
    const weakest = Math.max(threshold ?? 0.005, 0.001);
    const met = common(links, from, to, weakest);
    const kept = (query: number, key: number) => (to.size === 0 || to.has(key)) && met(query, key);
    const rows = from.size > 0 ? [...from] : [...queries.keys()];
    if (linked) {
      const ink = colourBy(signed, colours, store.colourOf(cell.head, cell.layer));
      const lines = thumbnailLines(links, queries.length, keys.length, { x: cell.x, y: cell.y, size }, weakest, ceiling, ink, kept, rows);
      return lines.map((line) => ({ ...line, width: line.width + 0.6 }));
    }
    // in a map a token is a row or a column of cells
    const at = (index: number, count: number) => ((index + 0.5) / count) * size;
    const result: Mark[] = [];
    for (const query of rows)
      for (let i = links.rows[query]; i < links.rows[query + 1]; i++) {
        if (Math.abs(links.weight[i]) < weakest || !kept(query, links.to[i])) continue;
        const strong = strength(links.weight[i], ceiling);
        result.push({ type: "box", x: cell.x + at(links.to[i], keys.length) - 1.5, y: cell.y + at(query, queries.length) - 1.5, width: 3, height: 3, colour: colours.negative, alpha: 0.25 + 0.75 * strong });
      }
    return result;
  }

  return {
    note: difference ? "all on one scale" : !shares ? "each head on its own scale" : linked ? "links as strong as their weight" : "from 0, pale, to 1, dark",
    ready: (cell) => painted.has(name(cell)),
    draw(context, cell) {
      let picture = painted.get(name(cell));
      if (!picture) {
        const pixels = Math.round(size * Math.min(window.devicePixelRatio || 1, 2));
        picture = document.createElement("canvas");
        picture.width = picture.height = pixels;
        const inside = picture.getContext("2d")!;
        inside.scale(pixels / size, pixels / size);
        paint(inside, marks({ ...cell, x: 0, y: 0 }, pixels));
        painted.set(name(cell), picture);
      }
      const lighting = store.active.length > 0;
      context.globalAlpha = lighting ? 0.22 : 1;
      context.imageSmoothingEnabled = true; // where a pixel of the picture is not one of the screen, none may be lost
      context.drawImage(picture, cell.x, cell.y, size, size);
      context.globalAlpha = 1;
      if (lighting) paint(context, lit(cell));
    },
    marks: (cell) => (store.active.length > 0 ? lit(cell) : marks(cell, savedSide, true)),
  };
}

/** Whether a link meets all tokens that are pinned on one side: its other end is linked to each of them. */
function common(links: { rows: Uint32Array; to: Uint32Array; weight: Float32Array }, from: Set<number>, to: Set<number>, least: number): (query: number, key: number) => boolean {
  const targets = (query: number) => {
    const found = new Set<number>();
    for (let i = links.rows[query]; i < links.rows[query + 1]; i++) if (Math.abs(links.weight[i]) >= least) found.add(links.to[i]);
    return found;
  };
  const rows = from.size > 1 ? [...from].map(targets) : [];
  const meets = new Map<number, boolean>();
  return (query, key) => {
    if (rows.length > 0 && !rows.every((row) => row.has(key))) return false;
    if (to.size < 2) return true;
    let all = meets.get(query);
    if (all === undefined) {
      const found = targets(query);
      meets.set(query, (all = [...to].every((each) => found.has(each))));
    }
    return all;
  };
}
