/** The heads of a model in a grid: a row a layer, or in the order of a statistic. */

import type { Attention, SceneStatistic } from "./contract";
import type { Range } from "./units";

export interface RankedHead {
  layer: number;
  head: number;
  /** What the order goes by; of an answer that is known only by its bounds, the upper one. */
  value: number | null;
  answer?: Range | null;
}

export interface Cell extends RankedHead {
  x: number;
  y: number;
}

export interface Grid {
  cells: Cell[];
  size: number;
  perRow: number;
  width: number;
  height: number;
  rowTop: (row: number) => number;
}

const LABELS = 34;
/** Between squares: room for their frames, which never cover what is inside. */
const GAP = 6;
const CAPTION = 14;
const gapOf = (size: number): number => (size < 40 ? GAP / 2 : GAP);
/** Whether a square has room for a caption below it. */
export const isCaptioned = (size: number): boolean => size >= 44;
const TOP = 6;

export interface Order {
  by: string;
  reverse: boolean;
  /** Whether a head is shown at all; all are if not given. */
  kept?: (layer: number, head: number) => boolean;
  /** What each head has, where the order is by an answer to a question rather than a statistic. */
  answer?: (layer: number, head: number) => Range | null;
}

/** The heads that are kept, those that people look for first. */
export function ordered(attention: Attention, statistics: SceneStatistic[], { by, reverse, kept, answer }: Order): RankedHead[] {
  const statistic = statistics.find((each) => each.name === by);
  const key = (layer: number, head: number) => `${layer}.${head}`;
  const own = <T extends [string, number, number, ...unknown[]]>(rows: T[]) => rows.filter(([kind]) => kind === attention.attention);
  const values = new Map(own(statistic?.values ?? []).map(([, layer, head, value]) => [key(layer, head), value]));
  const heads = attention.layers.flatMap(({ layer, heads }) =>
    heads.map((head): RankedHead => {
      if (!answer) return { layer, head, value: values.get(key(layer, head)) ?? null };
      const range = answer(layer, head);
      // of scores below 0 only one number is known
      return { layer, head, value: range && (range.low < 0 ? range.low : range.high), answer: range };
    }),
  );
  const chosen = heads.filter(({ layer, head }) => !kept || kept(layer, head));
  if (!statistic && !answer) return reverse ? chosen.reverse() : chosen;
  const up = (statistic?.first === "smallest") !== reverse ? 1 : -1;
  // heads without a number come last either way
  return chosen.sort((a, b) => (a.value === null || b.value === null ? Number(a.value === null) - Number(b.value === null) : up * (a.value - b.value)));
}

/** Places for all heads in the room there is; squares of the size that was chosen, or as fits a layer into a row. */
export function arrange(heads: RankedHead[], byLayer: boolean, room: number, chosen: number | null = null): Grid {
  const left = byLayer ? LABELS : GAP;
  if (byLayer) {
    const layers = [...new Set(heads.map(({ layer }) => layer))];
    const perRow = Math.max(1, ...layers.map((layer) => heads.filter((each) => each.layer === layer).length));
    const size = chosen ?? Math.max(24, Math.min(112, Math.floor((room - left - GAP) / perRow) - GAP));
    const gap = gapOf(size);
    const rowTop = (row: number) => TOP + row * (size + gap + (isCaptioned(size) ? CAPTION : 0));
    const filled = new Map<number, number>();
    const cells = heads.map((head) => {
      const column = filled.get(head.layer) ?? 0;
      filled.set(head.layer, column + 1);
      return { ...head, x: left + column * (size + gap), y: rowTop(layers.indexOf(head.layer)) };
    });
    return { cells, size, perRow, width: Math.max(room, left + perRow * (size + gap)), height: rowTop(layers.length) + TOP, rowTop };
  }
  const size = chosen ?? (room < 500 ? 62 : 78);
  const gap = gapOf(size);
  const perRow = Math.max(1, Math.floor((room - left) / (size + gap)));
  const rowTop = (row: number) => TOP + row * (size + gap + (isCaptioned(size) ? CAPTION : 0));
  const cells = heads.map((head, i) => ({ ...head, x: left + (i % perRow) * (size + gap), y: rowTop(Math.floor(i / perRow)) }));
  return { cells, size, perRow, width: room, height: rowTop(Math.ceil(heads.length / perRow)) + TOP, rowTop };
}
