/** Links between two lists of tokens, as marks. */

import type { End, Pin } from "../core/contract";
import type { Links, UnitMap, Unit } from "../core/units";
import { type Geometry, type Spot, TEXT, anchor, numberSpot } from "./geometry";
import type { Box, Line, Mark } from "./marks";
import { clip } from "./marks";
import type { Colours } from "./theme";

/** Links to tokens out of sight: of a long input there are too many to draw, or to tell apart. */
const MOST_LEAVING = 3000;

export interface HeadLinks {
  colour: string;
  links: Links;
}

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

/** The links to draw: all of them, or only those of the active tokens. */
export function lines(geometry: Geometry, heads: HeadLinks[], active: Pin[], least: number, seen: (y: number) => boolean): Line[] {
  const queries = new Set(active.filter(([end]) => end === "query").map(([, unit]) => unit));
  const keys = new Set(active.filter(([end]) => end === "key").map(([, unit]) => unit));
  const all = active.length === 0;
  const bend = geometry.layout === "columns" ? "x" : "y";
  // many heads at once would cover each other: weak links fade faster then, and strong ones come on top
  const fade = all ? Math.min(1.6, 0.65 + 0.1 * (heads.length - 1)) : 0.5;
  const inSight = ({ y, height }: Spot) => geometry.layout === "rows" || seen(y + height / 2);
  const result: Line[] = [];
  const leaving: Line[] = [];
  heads.forEach(({ colour, links }, index) => {
    // heads that do the same would hide each other: each leaves and reaches a token at its own place
    const aside = (index - (heads.length - 1) / 2) * Math.min(3, 15 / heads.length);
    const at = (end: End, token: number): [number, number] => {
      const [x, y] = anchor(geometry, end, token);
      return bend === "x" ? [x, y + aside] : [x + aside, y];
    };
    for (let query = 0; query < geometry.query.length; query++) {
      const queryIsSeen = inSight(geometry.query[query]);
      for (let i = links.rows[query]; i < links.rows[query + 1]; i++) {
        const weight = links.weight[i];
        const key = links.to[i];
        if (weight < least || !(all || queries.has(query) || keys.has(key))) continue;
        const keyIsSeen = inSight(geometry.key[key]);
        if (!queryIsSeen && !keyIsSeen) continue;
        const alpha = weight ** fade;
        if (alpha < 0.008) continue;
        const line: Line = { type: "line", from: at("query", query), to: at("key", key), bend, colour, alpha, width: 0.8 + (heads.length > 4 ? 1.2 : 2.2) * weight };
        (queryIsSeen && keyIsSeen ? result : leaving).push(line);
      }
    }
  });
  result.push(...strongest(leaving, MOST_LEAVING));
  return result.length < 20_000 ? result.sort((a, b) => a.alpha - b.alpha) : result;
}

/** About as many of the strongest lines, without sorting them all. */
function strongest(lines: Line[], most: number): Line[] {
  if (lines.length <= most) return lines;
  const counts = new Uint32Array(257);
  const bin = (line: Line) => Math.ceil(line.alpha * 256);
  for (const line of lines) counts[bin(line)]++;
  let least = 256;
  for (let kept = 0; least > 0 && kept + counts[least] <= most; least--) kept += counts[least];
  const kept = lines.filter((line) => bin(line) > least);
  return kept.concat(lines.filter((line) => bin(line) === least).slice(0, most - kept.length));
}

/** Behind each token a cell a head, as strong as its weight. */
export function cells(geometry: Geometry, end: End, weights: Float32Array[], colours: string[]): Box[] {
  const result: Box[] = [];
  weights.forEach((row, h) =>
    row.forEach((weight, i) => {
      if (weight < 0.004) return;
      const spot = geometry[end][i];
      const width = spot.width / weights.length;
      result.push({
        type: "box",
        x: spot.x + h * width,
        y: spot.y + 1,
        width,
        height: spot.height - 2,
        colour: colours[h],
        alpha: 0.75 * weight ** 0.8,
      });
    }),
  );
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
      if (weight < 0.005) return [name];
      return [name, { type: "words", ...numberSpot(geometry, end, i), text: weightText(weight), size: 12, colour: colours.quiet }];
    }),
  );
}

/** A weight as people read it: two digits that mean something. */
export function weightText(weight: number): string {
  if (weight < 0.0005) return weight > 0 ? "<0.001" : "0";
  return weight >= 0.0995 ? weight.toFixed(2) : weight.toFixed(3);
}
