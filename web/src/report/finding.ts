/** What the finder answers: heads in order, sentences for words, and what could not be asked. */

import type { Book } from "./book";
import { type Query, parse } from "./conditions";
import type { Sentence } from "./document";
import type { Answer } from "./matching";

/** As `ask` shows. */
export const MOST_ANSWERS = 5;
const ADDRESS = /(?<![\p{L}\p{N}_.])(?:(?:encoder|decoder|cross)\.)?\d+\.\d+(?![\p{L}\p{N}_.]*\d)/gu;

export interface Found {
  query: Query;
  /** In the order of the answer where there are words, else in reading order. */
  heads: number[];
  answers: { head: number; sentences: Sentence[]; sure: boolean; about: string }[];
  missing: Answer["missing"];
  unknown: boolean;
}

export function find(text: string, book: Book): Found {
  const query = parse(text, book);
  const holds = (head: number) => query.conditions.every((condition) => condition.holds(head));
  const nothing = { missing: [], unknown: false };
  if (!query.words) return { query, heads: [...Array(book.count).keys()].filter(holds), answers: [], ...nothing };
  const named = [...new Set(query.words.match(ADDRESS) ?? [])];
  if (named.length > 0) {
    const heads = named.flatMap((address) => book.head(address) ?? []).filter(holds);
    const answers = heads.map((head) => ({ head, sentences: book.document.cards[head].sentences, sure: true, about: "" }));
    return { query, heads, answers, missing: [], unknown: heads.length === 0 };
  }
  const { heads, missing, unknown } = book.matcher.answer(query.words, Infinity);
  const ranked = heads.map(({ topic, rank }) => ({ head: topic.heads[rank], sentences: [topic.sentences[rank]], sure: topic.sure[rank], about: topic.title })).filter(({ head }) => holds(head));
  return { query, heads: ranked.map(({ head }) => head), answers: ranked.slice(0, MOST_ANSWERS), missing, unknown };
}
