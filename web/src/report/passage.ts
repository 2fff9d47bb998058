/** An example in its sentence: the tokens around both ends of a link, and where something is left out. */

import type { TokenList } from "./contract";

export interface Piece {
  text: string;
  /** A space stands before it. */
  apart: boolean;
  role: "" | "query" | "key" | "both" | "gap";
}

/** Tokens within `around` of either end. */
export function passage({ tokens, gaps }: TokenList, query: number | null, key: number | null, around = 12): Piece[] {
  const ends = [query, key].filter((end) => end !== null);
  const shown = (at: number) => ends.some((end) => Math.abs(at - end) <= around);
  const pieces: Piece[] = [];
  tokens.forEach((text, at) => {
    if (!shown(at)) {
      if (pieces.at(-1)?.role !== "gap") pieces.push({ text: "…", apart: pieces.length > 0, role: "gap" });
      return;
    }
    const role = at === query && at === key ? "both" : at === query ? "query" : at === key ? "key" : "";
    pieces.push({ text, apart: pieces.length > 0 && (gaps[at] === "s" || pieces.at(-1)!.role === "gap"), role });
  });
  return pieces;
}
