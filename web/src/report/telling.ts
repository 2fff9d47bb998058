/**
 * What the page tells of a thing that is pointed at, focused or tapped. The thing says what it is in `data-tells`:
 * "head 94", "statistic 12 94" (of a head), "statistic 12", "chapter 3".
 */

import type { Book } from "./book";
import { written } from "./wording";

export interface Told {
  title: string;
  lines: string[];
}

export function tell(tells: string, book: Book): Told | null {
  const [what, ...numbers] = tells.split(" ");
  const [first, second] = numbers.map(Number);
  if (what === "head") return { title: `Head ${book.address(first)}`, lines: [shortened(book.sentences(first))] };
  if (what === "statistic") {
    const statistic = book.document.statistics[first];
    const head = Number.isInteger(second) ? second : null;
    const value = head === null ? "" : `: ${written(statistic, statistic.values[head], statistic.stderr[head])}`;
    return { title: statistic.title + value, lines: book.note(statistic, head) };
  }
  if (what === "chapter") {
    const { title, notes } = book.document.chapters[first];
    return { title, lines: [`Read ${book.read(first) || "nothing that was counted"}.`, ...notes] };
  }
  return null;
}

const shortened = (text: string, most = 260) => (text.length > most ? `${text.slice(0, most)}…` : text);
