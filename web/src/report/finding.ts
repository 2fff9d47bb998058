/** What the finder answers: heads in order, sentences for words, and what could not be asked. */

import type { Book } from "./book";
import { type Query, parse } from "./conditions";
import type { Sentence, Topic } from "./contract";
import { type Answer, formOf } from "./matching";

/** As `ask` shows. */
export const MOST_ANSWERS = 5;
const UNKNOWN = "Nothing that Attlas measures has these words. Ask for places (previous, [SEP]), patterns (induction), relations (subject, object), shapes, breadth, or which heads matter.";
const ADDRESS = /(?<![\p{L}\p{N}_.])(?:(?:encoder|decoder|cross)\.)?\d+\.\d+(?![\p{L}\p{N}_.]*\d)/gu;

export interface Found {
  query: Query;
  /** In the order of the answer where there are words, else in reading order. */
  heads: number[];
  answers: { head: number; sentences: Sentence[]; tells: string[]; sure: boolean; about: string }[];
  missing: Answer["missing"];
  /** The answer in words, where it is of no heads. */
  said: string;
  /** Why there is no answer, or what of the question was not understood. */
  note: string;
}

/** What answers a question that words alone cannot. */
const inTerminal = (question: string, book: Book) => `Words alone cannot answer this. In a terminal: ${book.document.ask} "${question.replace(/["$`\\]/g, "")}"`;

export function find(text: string, book: Book): Found {
  const query = parse(text, book);
  const holds = (head: number) => query.conditions.every((condition) => condition.holds(head));
  const nothing = { missing: [], said: "", note: "" };
  if (!query.words) return { query, heads: [...Array(book.count).keys()].filter(holds), answers: [], ...nothing };
  const named = [...new Set(query.words.match(ADDRESS) ?? [])];
  const form = formOf(book.matcher.plain(query.words), book.document.forms, named.length > 0);
  if (named.length > 0 && !form) {
    const heads = named.flatMap((address) => book.head(address) ?? []).filter(holds);
    const answers = heads.map((head) => ({ head, sentences: book.document.cards[head].sentences, tells: book.document.cards[head].tells, sure: true, about: "" }));
    return { query, heads, answers, missing: [], said: "", note: heads.length === 0 ? `The heads are ${book.address(0)} to ${book.address(book.count - 1)}.` : "" };
  }
  const { heads, missing, asked, unknown, denies } = book.matcher.answer(query.words, Infinity);
  if (form || (denies && heads.length > 0)) {
    const lacks = (form?.missing ?? []).map(([title, command]) => ({ title, command }));
    const said = form?.lead || (lacks.length > 0 ? "" : inTerminal(query.words, book));
    return { query, heads: [], answers: [], missing: lacks, said, note: "" };
  }
  const cannot = heads.length === 0 ? impossible(asked, book) : "";
  const nothingFound = heads.length === 0 && missing.length === 0 ? UNKNOWN : "";
  const note = cannot || nothingFound || (unknown.length > 0 ? `Not understood: ${unknown.join(", ")}.` : "");
  const ranked = heads.map(({ topic, rank }) => ({ head: topic.heads[rank], sentences: [topic.sentences[rank]], tells: [noteOf(topic, topic.heads[rank])], sure: topic.sure[rank], about: topic.title })).filter(({ head }) => holds(head));
  return { query, heads: ranked.map(({ head }) => head), answers: ranked.slice(0, MOST_ANSWERS), missing: cannot ? [] : missing, said: "", note };
}

/** What the numbers of an answer are of. */
const noteOf = ({ statistic, chapter }: Topic, head: number) => (statistic === null ? `chapter ${chapter}` : `statistic ${statistic} ${head}`);

/** Why no head of this model can do what was asked; "" where it may. */
function impossible(asked: Set<string>, book: Book): string {
  const { heads, statistics } = book.document;
  if (asked.has("next") && heads.kind.every((kind) => kind === "decoder")) return "No head can: in a decoder, a token sees only those before it.";
  const has = (name: string, group: string) => statistics.some((each) => each.name === name && each.group === group);
  for (const [term, token] of [
    ["sep", "[SEP]"],
    ["cls", "[CLS]"],
  ])
    if (asked.has(term) && has("entropy", "all") && !has("to_class", term)) return `No head can: the model reads no ${token}.`;
  const reads = has("to_class", "sep") || has("to_class", "cls");
  return asked.has("delimiter") && has("entropy", "all") && !reads ? "No head can: the model reads no special tokens." : "";
}
