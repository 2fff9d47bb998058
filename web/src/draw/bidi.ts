/** Which way a text runs, as far as laying out its tokens asks: right to left, left to right, or either. */

import { clip } from "./marks";

const RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LEFT = /[\p{L}\p{N}]/u;
/** Letters that join their neighbours in a word. */
const JOINS = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}]/u;
const JOINER = "\u200d";

export type Way = "right" | "left" | null;

/** The way of the first letter that has one. */
export function wayOf(text: string): Way {
  for (const character of text) {
    if (RIGHT.test(character)) return "right";
    if (LEFT.test(character)) return "left";
  }
  return null;
}

/** Markers of a model's own, such as [CLS], [UNK] or <s>: they stand wherever the text around them puts them. */
const MARKER = /^(\[[^\]]+\]|<[^>]+>)$/;

/** The way of a token: that of its letters, where they are the text's. */
export const wayOfToken = (token: string): Way => (MARKER.test(token) ? null : wayOf(token));

/** A token within a sentence of ours: kept to itself, so that it does not turn what stands around it. */
export function isolated(token: string): string {
  return RIGHT.test(token) ? `\u2068${token}\u2069` : token;
}

/** A token within a sentence, in quotes where it would else be taken for the sentence's own punctuation. */
export function quoted(token: string, most = 18): string {
  const short = clip(token, most);
  return /^[\p{P}\p{S}\s]+$/u.test(short) ? `“${short}”` : isolated(short);
}

/** A piece of a word as it looks inside the word: its letters join those of the pieces before and after it. */
export function joinedPiece(text: string, before: string, after: string): string {
  const joins = (character: string | undefined) => character !== undefined && JOINS.test(character);
  const [own, last, next] = [[...text], [...before].at(-1), [...after][0]];
  return (joins(own[0]) && joins(last) ? JOINER : "") + text + (joins(own.at(-1)) && joins(next) ? JOINER : "");
}

/** The way of each token of a line: what has none of its own goes with its neighbours where those agree, else with the line. */
export function resolvedWays(ways: readonly Way[], line: "left" | "right"): ("left" | "right")[] {
  return ways.map((way, i) => {
    if (way) return way;
    const before = ways.slice(0, i).reverse().find((each) => each !== null);
    const after = ways.slice(i + 1).find((each) => each !== null);
    return before && before === after ? before : line;
  });
}

/**
 * The tokens of a line from left to right, those that run one way together. What runs the other way than the line is
 * turned as a whole.
 */
export function visualRuns(ways: readonly Way[], line: "left" | "right"): number[][] {
  const resolved = resolvedWays(ways, line);
  const runs: number[][] = [];
  resolved.forEach((way, i) => {
    if (i > 0 && resolved[i - 1] === way) runs.at(-1)!.push(i);
    else runs.push([i]);
  });
  const placed = line === "left" ? runs : runs.reverse();
  return placed.map((run) => (resolved[run[0]] === "right" ? run.reverse() : run));
}
