/** The heads of a model in a grid: a row a layer, or in the order of a statistic. */

import type { Attention, Statistic } from "./contract";

export interface RankedHead {
  layer: number;
  head: number;
  value: number | null;
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
const GAP = 4;
const CAPTION = 14;
const TOP = 6;

export interface Order {
  by: string;
  reverse: boolean;
  /** Whether a head is shown at all; all are if not given. */
  kept?: (layer: number, head: number) => boolean;
  /** What each head has, where the order is by an answer to a question rather than a statistic. */
  answer?: (layer: number, head: number) => number | null;
}

/** The heads that are kept, those that people look for first. */
export function ordered(attention: Attention, statistics: Statistic[], { by, reverse, kept, answer }: Order): RankedHead[] {
  const statistic = statistics.find((each) => each.name === by);
  const key = (layer: number, head: number) => `${layer}.${head}`;
  const own = <T extends [string, number, number, ...unknown[]]>(rows: T[]) => rows.filter(([kind]) => kind === attention.attention);
  const values = new Map(own(statistic?.values ?? []).map(([, layer, head, value]) => [key(layer, head), value]));
  const heads = attention.layers.flatMap(({ layer, heads }) =>
    heads.map((head): RankedHead => ({ layer, head, value: answer ? answer(layer, head) : (values.get(key(layer, head)) ?? null) })),
  );
  const chosen = heads.filter(({ layer, head }) => !kept || kept(layer, head));
  if (!statistic && !answer) return reverse ? chosen.reverse() : chosen;
  const up = (statistic?.first === "smallest") !== reverse ? 1 : -1;
  // heads without a number come last either way
  return chosen.sort((a, b) => (a.value === null || b.value === null ? Number(a.value === null) - Number(b.value === null) : up * (a.value - b.value)));
}

/** Places for all heads in the room there is; squares shrink to fit a layer into a row, but not for ever. */
export function arrange(heads: RankedHead[], byLayer: boolean, room: number): Grid {
  const left = byLayer ? LABELS : GAP;
  if (byLayer) {
    const layers = [...new Set(heads.map(({ layer }) => layer))];
    const perRow = Math.max(1, ...layers.map((layer) => heads.filter((each) => each.layer === layer).length));
    const size = Math.max(24, Math.min(112, Math.floor((room - left - GAP) / perRow) - GAP));
    const captioned = size >= 44 ? CAPTION : 0;
    const rowTop = (row: number) => TOP + row * (size + GAP + captioned);
    const filled = new Map<number, number>();
    const cells = heads.map((head) => {
      const column = filled.get(head.layer) ?? 0;
      filled.set(head.layer, column + 1);
      return { ...head, x: left + column * (size + GAP), y: rowTop(layers.indexOf(head.layer)) };
    });
    return { cells, size, perRow, width: Math.max(room, left + perRow * (size + GAP)), height: rowTop(layers.length) + TOP, rowTop };
  }
  const size = room < 500 ? 62 : 78;
  const perRow = Math.max(1, Math.floor((room - left) / (size + GAP)));
  const rowTop = (row: number) => TOP + row * (size + GAP + CAPTION);
  const cells = heads.map((head, i) => ({ ...head, x: left + (i % perRow) * (size + GAP), y: rowTop(Math.floor(i / perRow)) }));
  return { cells, size, perRow, width: room, height: rowTop(Math.ceil(heads.length / perRow)) + TOP, rowTop };
}
