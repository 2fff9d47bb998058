/** Which way a text runs, as far as laying out its tokens asks: right to left, left to right, or either. */

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

/** A token within a sentence of ours: kept to itself, so that it does not turn what stands around it. */
export function isolated(token: string): string {
  return RIGHT.test(token) ? `\u2068${token}\u2069` : token;
}

/** A piece of a word as it looks inside the word: its letters join those of the pieces beside it. */
export function joinedPiece(text: string, goesOnBefore: boolean, goesOnAfter: boolean): string {
  if (!text || !JOINS.test(text)) return text;
  return (goesOnBefore && JOINS.test([...text][0]) ? JOINER : "") + text + (goesOnAfter && JOINS.test([...text].at(-1)!) ? JOINER : "");
}

/**
 * The tokens of a line from left to right, those that run one way together. What runs the other way than the line is
 * turned as a whole; what has no way of its own goes with its neighbours where those agree, else with the line.
 */
export function visualRuns(ways: readonly Way[], line: "left" | "right"): number[][] {
  const resolved = ways.map((way, i) => {
    if (way) return way;
    const before = ways.slice(0, i).reverse().find((each) => each !== null);
    const after = ways.slice(i + 1).find((each) => each !== null);
    return before && before === after ? before : line;
  });
  const runs: number[][] = [];
  resolved.forEach((way, i) => {
    if (i > 0 && resolved[i - 1] === way) runs.at(-1)!.push(i);
    else runs.push([i]);
  });
  const placed = line === "left" ? runs : runs.reverse();
  return placed.map((run) => (resolved[run[0]] === "right" ? run.reverse() : run));
}
