/** Links between two lists of tokens, as marks. */

import type { End, Pin } from "../core/contract";
import { LEAST_LEFT } from "../core/maps";
import type { DrawnLinks } from "../core/drawnLinks";
import { litOpacity, opacity, strength } from "../core/strength";
import type { Range, UnitMap, Unit } from "../core/units";
import { type Geometry, LANE, NUMBER, TEXT, anchor, numberSpot } from "./geometry";
import type { Box, Line, Mark } from "./marks";
import { clip } from "./marks";
import type { Colours } from "./theme";

/** What the active tokens send to each key and get from each query, a row a head. */
export interface Focus {
  toKeys: Float32Array[];
  fromQueries: Float32Array[];
}

/** Weights of the active tokens, the mean over them, for every head; empty where no token is active. */
export function focus(maps: UnitMap[], active: Pin[]): Focus {
  const of = (end: End): number[] => active.filter(([which]) => which === end).map(([, unit]) => unit);
  const queries = of("query");
  const keys = of("key");
  return {
    toKeys: queries.length ? maps.map((map) => mean(queries.map((query) => map.row(query)))) : [],
    fromQueries: keys.length ? maps.map((map) => mean(keys.map((key) => map.column(key)))) : [],
  };
}

export function mean(rows: Float32Array[]): Float32Array {
  const sum = new Float32Array(rows[0].length);
  for (const row of rows) for (let i = 0; i < sum.length; i++) sum[i] += row[i] / rows.length;
  return sum;
}

/** Which tokens of a side are in sight, from one to before another. */
export type InSight = Record<End, [number, number]>;

export const everything = (geometry: Geometry): InSight => ({ query: [0, geometry.query.length], key: [0, geometry.key.length] });

/** The links to draw: all that have an end in sight, or only those of the active tokens. Weak ones come first. */
export function lines(geometry: Geometry, drawn: DrawnLinks, active: Pin[], seen: InSight, colours: Colours): Line[] {
  const of = (end: End) => new Set(active.filter(([which]) => which === end).map(([, unit]) => unit));
  const [queries, keys] = [of("query"), of("key")];
  const all = active.length === 0;
  const bend = geometry.layout === "columns" ? "x" : "y";
  const result: Line[] = [];
  const { heads, least, ceiling, signed } = drawn;
  const thick = !all ? 2.6 : heads.length > 4 ? 1.1 : 2;
  heads.forEach(({ head, colour, links, incoming, best }, index) => {
    // heads that do the same would hide each other: each leaves and reaches a token at its own place
    const aside = (index - (heads.length - 1) / 2) * Math.min(3, 15 / heads.length);
    const add = (query: number, key: number, at: number) => {
      const weight = links.weight[at];
      if (Math.abs(weight) < least && !(best && (best[query] === at || !all))) return;
      const strong = strength(weight, ceiling);
      const [from, to] = [anchor(geometry, "query", query), anchor(geometry, "key", key)];
      from[bend === "x" ? 1 : 0] += aside;
      to[bend === "x" ? 1 : 0] += aside;
      const ink = signed ? (weight > 0 ? colours.positive : colours.negative) : colour;
      result.push({ type: "line", from, to, bend, colour: ink, alpha: all ? opacity(strong, heads.length) : litOpacity(strong), width: 0.6 + thick * strong, link: { head, query, key } });
    };
    const [firstQuery, lastQuery] = seen.query;
    const fromQuery = (query: number) => {
      for (let i = links.rows[query]; i < links.rows[query + 1]; i++) if (all || queries.has(query) || keys.has(links.to[i])) add(query, links.to[i], i);
    };
    const toKey = (key: number) => {
      for (let i = incoming.columns[key]; i < incoming.columns[key + 1]; i++) {
        const query = incoming.from[i];
        const elsewhere = all ? query < firstQuery || query >= lastQuery : !queries.has(query);
        if (elsewhere) add(query, key, incoming.at[i]);
      }
    };
    if (all) {
      for (let query = firstQuery; query < lastQuery; query++) fromQuery(query);
      for (let key = seen.key[0]; key < seen.key[1]; key++) toKey(key);
    } else {
      for (const query of queries) fromQuery(query);
      for (const key of keys) toKey(key);
    }
  });
  return result.sort((a, b) => a.alpha - b.alpha);
}

/** Behind each token a block a head, as strong as its weight beside the strongest of these tokens. */
export function cells(geometry: Geometry, end: End, weights: Float32Array[], colours: string[], ceiling: number, signed: Colours | null): Box[] {
  const result: Box[] = [];
  weights.forEach((row, h) =>
    row.forEach((weight, i) => {
      const strong = strength(weight, ceiling);
      if (strong < 0.004) return;
      const spot = geometry[end][i];
      const width = spot.width / weights.length;
      result.push({
        type: "box",
        x: spot.x + h * width,
        y: spot.y + 1,
        width,
        height: spot.height - 2,
        colour: signed ? (weight > 0 ? signed.positive : signed.negative) : colours[h],
        alpha: 0.85 * litOpacity(strong),
      });
    }),
  );
  return result;
}

/** Beside the strongest link of the active tokens in each head the head's number, so that colour is not all that tells heads apart. */
export function headLabels(geometry: Geometry, focused: Focus, heads: { head: number; colour: string }[], { page }: Colours): Mark[] {
  const atEnd = new Map<string, number>();
  const marks: Mark[] = [];
  const ends: [End, Float32Array[]][] = [
    ["key", focused.toKeys],
    ["query", focused.fromQueries],
  ];
  for (const [end, rows] of ends)
    rows.forEach((row, i) => {
      const best = row.reduce((most, weight, at) => (Math.abs(weight) > Math.abs(row[most]) ? at : most), 0);
      if (Math.abs(row[best] ?? 0) < 0.02) return;
      const place = `${end} ${best}`;
      const before = atEnd.get(place) ?? 0;
      atEnd.set(place, before + 1);
      const [x, y] = anchor(geometry, end, best);
      const inColumns = geometry.layout === "columns";
      const away = (12 + before * 17) * (end === "key" ? -1 : 1);
      const [cx, cy] = inColumns ? [x + away, y] : [x, y + away];
      marks.push({ type: "box", x: cx - 8, y: cy - 6, width: 16, height: 12, colour: page, alpha: 0.85 });
      marks.push({ type: "words", x: cx, y: cy, text: String(heads[i].head), size: 11, colour: heads[i].colour, anchor: "middle", bold: true });
    });
  return marks;
}

/** Beside each token that attends a bar as long as it was likely; below it, where tokens stand side by side. */
export function lane(geometry: Geometry, [first, last]: [number, number], probability: (query: number) => number | null, { quiet, raised }: Colours): Box[] {
  const result: Box[] = [];
  if (geometry.layout === "columns" && (geometry.query[0]?.x ?? 0) < NUMBER + LANE) return []; // a narrow screen has no room
  for (let i = first; i < last; i++) {
    const likely = probability(i);
    if (likely === null) continue;
    const spot = geometry.query[i];
    const inColumns = geometry.layout === "columns";
    const [x, y, whole, thick] = inColumns ? [spot.x - NUMBER - LANE, spot.y + spot.height / 2 - 3, LANE - 6, 6] : [spot.x + 2, spot.y - 20, spot.width - 4, 4];
    result.push({ type: "box", x, y, width: whole, height: thick, colour: raised, alpha: 1 });
    result.push({ type: "box", x: inColumns ? x + whole * (1 - likely) : x, y, width: whole * likely, height: thick, colour: quiet, alpha: 0.9 });
  }
  return result;
}

/** Tokens and their weights, for pictures that leave the page. */
export function tokens(geometry: Geometry, units: { query: Unit[]; key: Unit[] }, weights: { query: Float32Array | null; key: Float32Array | null }, colours: Colours): Mark[] {
  return (["query", "key"] as const).flatMap((end) =>
    units[end].flatMap((unit, i): Mark[] => {
      const spot = geometry[end][i];
      const inColumns = geometry.layout === "columns";
      const side = inColumns ? (end === "query" ? "end" : "start") : "middle";
      const x = side === "end" ? spot.x + spot.width - 8 : side === "start" ? spot.x + 8 : spot.x + spot.width / 2;
      const name: Mark = { type: "words", x, y: spot.y + spot.height / 2, text: clip(unit.text), size: TEXT, colour: colours.ink, anchor: side };
      const weight = weights[end]?.[i] ?? 0;
      if (Math.abs(weight) < 0.005) return [name];
      return [name, { type: "words", ...numberSpot(geometry, end, i), text: weightText(weight), size: 12, colour: colours.quiet }];
    }),
  );
}

/** Of rows with these shares on the first token, which is left out: those that leave too little to make 1 of it. */
export function tooLittle(shares: number[]): string {
  const few = shares.filter((share) => share > 1 - LEAST_LEFT).length;
  if (few === 0) return "";
  return `; ${shares.length > 1 ? `in ${few} of ${shares.length} rows ` : ""}the rest is too little to scale up`;
}

/** A weight of which only its bounds may be known, since it was cut off with the weak ones. */
export function rangeText({ low, high }: Range): string {
  const [least, most] = [weightText(low), weightText(high)];
  if (least === most) return least;
  return low === 0 ? `< ${most.replace("<", "")}` : `${least} to ${most}`;
}

/** A weight as people read it: two digits that mean something. */
export function weightText(weight: number): string {
  const size = Math.abs(weight);
  const sign = weight < 0 ? "−" : "";
  if (size < 0.0005) return size > 0 ? "<0.001" : "0";
  return sign + (size >= 9.995 ? size.toPrecision(3) : size >= 0.0995 ? size.toFixed(2) : size.toFixed(3));
}
