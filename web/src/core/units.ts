/**
 * What a token means in the view: a piece, or a word of several pieces. Weights to a word are the sum
 * over its pieces, weights from a word the mean over its pieces, so rows still sum to 1.
 */

import type { Level, Sentences, Side } from "./contract";
import type { HeadMap } from "./maps";

export interface Unit {
  text: string;
  start: number;
  end: number;
}

/** The links of one head between units, from the first query on; `rows[i]` is where query i begins. */
export interface Links {
  rows: Uint32Array;
  to: Uint32Array;
  weight: Float32Array;
}

/** A number of which only its bounds may be known. */
export interface Range {
  low: number;
  high: number;
}

/** The same links by key: `columns[i]` is where those to key i begin; each is `from` a query, and is link `at`. */
export interface Incoming {
  columns: Uint32Array;
  from: Uint32Array;
  at: Uint32Array;
}

export function incoming(links: Links, keys: number): Incoming {
  const columns = new Uint32Array(keys + 1);
  for (const key of links.to) columns[key + 1]++;
  for (let key = 0; key < keys; key++) columns[key + 1] += columns[key];
  const next = columns.slice();
  const from = new Uint32Array(links.to.length);
  const at = new Uint32Array(links.to.length);
  for (let query = 0; query + 1 < links.rows.length; query++)
    for (let i = links.rows[query]; i < links.rows[query + 1]; i++) {
      const place = next[links.to[i]]++;
      from[place] = query;
      at[place] = i;
    }
  return { columns, from, at };
}

export function unitsOf(side: Pick<Side, "tokens" | "words" | "b_start">, level: Level, sentence: "all" | "a" | "b"): Unit[] {
  const split = side.b_start ?? side.tokens.length;
  const units: Unit[] = [];
  for (let i = 0; i < side.tokens.length; i++) {
    const last = units.at(-1);
    if (level === "words" && last && side.words.length > 0 && side.words[i] === side.words[i - 1]) {
      last.text = joined(last.text, side.tokens[i]);
      last.end = i + 1;
    } else units.push({ text: side.tokens[i], start: i, end: i + 1 });
  }
  return units.filter((unit) => sentence === "all" || (sentence === "a") === unit.start < split);
}

/** Two pieces of a word: without WordPiece's mark, and a character that both show only once. */
function joined(before: string, token: string): string {
  const last = [...before].at(-2);
  if (last && before.endsWith("…") && token.startsWith(`…${last}`)) return before.slice(0, -1) + token.slice(1 + last.length);
  return before + token.replace(/^##/, "");
}

/** The sentences a filter leaves on the side of the queries and on that of the keys. */
export function sentencesOf(filter: Sentences): ["all" | "a" | "b", "all" | "a" | "b"] {
  if (filter === "all") return ["all", "all"];
  return filter.split("-") as ["a" | "b", "a" | "b"];
}

/** Which unit each piece belongs to; -1 for pieces that a filter left out. */
export function membership(units: Unit[], pieces: number): Int32Array {
  const of = new Int32Array(pieces).fill(-1);
  units.forEach((unit, index) => of.fill(index, unit.start, unit.end));
  return of;
}

export class UnitMap {
  /** Whether units are simply all pieces, so that nothing needs adding up. */
  private readonly plainKeys: boolean;

  constructor(
    readonly map: HeadMap,
    readonly queries: Unit[],
    readonly keys: Unit[],
    private readonly unitOfKey: Int32Array = membership(keys, map.keys),
  ) {
    this.plainKeys = keys.length === map.keys;
  }

  /** Weights from one query unit to every key unit. */
  row(query: number): Float32Array {
    const weights = new Float32Array(this.keys.length);
    const { start, end } = this.queries[query];
    for (let piece = start; piece < end; piece++)
      this.map.entries(piece, (key, weight) => {
        const unit = this.unitOfKey[key];
        if (unit >= 0) weights[unit] += weight / (end - start);
      });
    return weights;
  }

  /** Weights from every query unit to one key unit. */
  column(key: number): Float32Array {
    const weights = new Float32Array(this.queries.length);
    this.queries.forEach(({ start, end }, query) => {
      for (let piece = start; piece < end; piece++)
        this.map.entries(piece, (to, weight) => {
          if (this.unitOfKey[to] === key) weights[query] += weight / (end - start);
        });
    });
    return weights;
  }

  /** What a row's left-out keys share. */
  rest(query: number): number {
    const { start, end } = this.queries[query];
    let sum = 0;
    for (let piece = start; piece < end; piece++) sum += this.map.rest(piece);
    return sum / (end - start);
  }

  /** The share of a row that is on the first key. */
  first(query: number): number {
    const { start, end } = this.queries[query];
    let sum = 0;
    for (let piece = start; piece < end; piece++) sum += this.map.first(piece);
    return sum / (end - start);
  }

  /** What a row sums to as it is read. */
  sum(query: number): number {
    const { start, end } = this.queries[query];
    let sum = 0;
    for (let piece = start; piece < end; piece++) sum += this.map.sum(piece);
    return sum / (end - start);
  }

  /** What a query puts on a key: at least and at most, since of long rows only the strongest weights are kept. */
  between(query: number, key: number, causal: boolean): Range {
    const { start, end } = this.queries[query];
    const wanted = this.keys[key];
    const range = { low: 0, high: 0 };
    for (let piece = start; piece < end; piece++) {
      const missing = new Set<number>();
      for (let to = wanted.start; to < wanted.end; to++) if (!causal || to <= piece) missing.add(to);
      this.map.entries(piece, (to, weight) => {
        if (to < wanted.start || to >= wanted.end) return;
        missing.delete(to);
        range.low += weight / (end - start);
        range.high += weight / (end - start);
      });
      if (missing.size > 0) range.high += (missing.size * this.map.bound(piece)) / (end - start);
    }
    return range;
  }

  /** All links of at least this weight. */
  links(least: number): Links {
    const rows = new Uint32Array(this.queries.length + 1);
    const to: number[] = [];
    const weight: number[] = [];
    for (let query = 0; query < this.queries.length; query++) {
      this.visit(query, (unit, value) => {
        if (Math.abs(value) < least) return;
        to.push(unit);
        weight.push(value);
      });
      rows[query + 1] = to.length;
    }
    return { rows, to: Uint32Array.from(to), weight: Float32Array.from(weight) };
  }

  /** Calls back with each key unit of a row that has a weight. */
  visit(query: number, callback: (key: number, weight: number) => void): void {
    const { start, end } = this.queries[query];
    if (end - start === 1 && this.plainKeys) return this.map.entries(start, callback);
    const sums = new Map<number, number>();
    for (let piece = start; piece < end; piece++)
      this.map.entries(piece, (key, weight) => {
        const unit = this.unitOfKey[key];
        if (unit >= 0) sums.set(unit, (sums.get(unit) ?? 0) + weight / (end - start));
      });
    sums.forEach((weight, unit) => callback(unit, weight));
  }
}
