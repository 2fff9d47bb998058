/** What a reader types into the finder: conditions (`pattern:induction effect>0.01 layer:10-20`), and words. */

import type { Book } from "./book";

export interface Condition {
  written: string;
  /** What is wrong with it, in words; "" where nothing is. */
  problem: string;
  holds: (head: number) => boolean;
  /** The column that it looks at. */
  statistic: number | null;
}

export interface Query {
  words: string;
  conditions: Condition[];
}

const CONDITION = /^([^\s:<>=]+)(>=|<=|:|>|<|=)(.+)$/;
const never = () => false;

export function parse(text: string, book: Book): Query {
  const words: string[] = [];
  const conditions: Condition[] = [];
  for (const part of text.trim().split(/\s+/).filter(Boolean)) {
    const match = CONDITION.exec(part);
    if (match) conditions.push(condition(part, match[1].toLowerCase(), match[2], match[3], book));
    else words.push(part);
  }
  return { words: words.join(" "), conditions };
}

function condition(written: string, name: string, sign: string, value: string, book: Book): Condition {
  const made = (holds: Condition["holds"], statistic: number | null = null): Condition => ({ written, problem: "", holds, statistic });
  const wrong = (problem: string): Condition => ({ written, problem, holds: never, statistic: null });
  const { heads } = book.document;
  if (name === "layer" || name === "head") {
    if (name === "head" && /\./.test(value)) return made((head) => heads.address[head] === value);
    const within = range(sign, value);
    return within ? made((head) => within(heads[name][head])) : wrong(`write ${name}:3, ${name}:3-5 or ${name}>3`);
  }
  if (name === "kind") {
    const kinds = [...new Set(heads.kind)];
    return kinds.some((kind) => kind === value) ? made((head) => heads.kind[head] === value) : wrong(`its heads are ${kinds.join(", ")}`);
  }
  const names = book.document.names.filter(({ kind }) => kind === name || name === "name");
  if (names.length > 0) {
    const wanted = value.toLowerCase().replaceAll("_", " ");
    const fits = names.map(({ choices }) => choices.map((choice) => choice.name.toLowerCase() === value.toLowerCase() || choice.title.toLowerCase() === wanted));
    if (!fits.some((choices) => choices.includes(true))) return wrong(`no head has it; there are ${names.flatMap(({ choices }) => choices.map((choice) => choice.name)).join(", ")}`);
    return made((head) => names.some((each, i) => each.heads[head] !== null && fits[i][each.heads[head]!]));
  }
  if (name === "relation") {
    const having = book.document.cards.map(({ relations }) => relations.some(({ group, title }) => group === value || title.split(" ").includes(value)));
    return having.includes(true) ? made((head) => having[head]) : wrong("no card lists this relation");
  }
  const statistic = book.named(name);
  if (statistic === null) return wrong("no statistic has this name");
  const within = range(sign, value);
  if (!within) return wrong(`write ${name}>0.1, ${name}<0.1 or ${name}:0.1-0.2`);
  const { values } = book.document.statistics[statistic];
  return made((head) => values[head] !== null && within(values[head]!), statistic);
}

/** What a number must be; a share may be written 5%. */
function range(sign: string, value: string): ((number: number) => boolean) | null {
  const read = (text: string) => (/^-?(\d+\.?\d*|\.\d+)(e-?\d+)?%?$/i.test(text) ? Number(text.replace("%", "")) / (text.endsWith("%") ? 100 : 1) : NaN);
  const between = /^(-?[\d.e%]+)-(-?[\d.e%]+)$/i.exec(value);
  if (between && (sign === ":" || sign === "=")) {
    const [low, high] = [read(between[1]), read(between[2])];
    return Number.isNaN(low + high) ? null : (number) => number >= low && number <= high;
  }
  const bound = read(value);
  if (Number.isNaN(bound)) return null;
  const signs: Record<string, (number: number) => boolean> = {
    ">": (number) => number > bound,
    "<": (number) => number < bound,
    ">=": (number) => number >= bound,
    "<=": (number) => number <= bound,
  };
  return signs[sign] ?? ((number) => number === bound);
}

export interface Completion {
  /** What stands in place of the last word. */
  text: string;
  about: string;
}

/** What the last word of a text may become. */
export function completions(text: string, book: Book, most = 8): Completion[] {
  const last = /\S*$/.exec(text)![0].toLowerCase();
  if (!last) return [];
  const from = last.includes(":") ? values(last, book) : words(book);
  const begins = from.filter((each) => each.text.toLowerCase().startsWith(last) && each.text.toLowerCase() !== last);
  const within = from.filter((each) => !begins.includes(each) && last.length > 2 && each.text.toLowerCase() !== last && ` ${each.text} ${each.about}`.toLowerCase().replace(/[:_.]/g, " ").includes(` ${last}`));
  return [...begins, ...within].slice(0, most);
}

function values(last: string, book: Book): Completion[] {
  const name = last.slice(0, last.indexOf(":"));
  if (name === "kind") return [...new Set(book.document.heads.kind)].map((kind) => ({ text: `kind:${kind}`, about: "" }));
  if (name === "relation") {
    const groups = new Map(book.document.cards.flatMap(({ relations }) => relations.map(({ group, title }) => [group, title] as const)));
    return [...groups].map(([group, title]) => ({ text: `relation:${group}`, about: title }));
  }
  return book.document.names.filter(({ kind }) => kind === name).flatMap(({ choices }) => choices.map((choice) => ({ text: `${name}:${choice.name}`, about: choice.meaning })));
}

function words(book: Book): Completion[] {
  const { document } = book;
  const fields = [
    ...document.names.map(({ kind, title }) => ({ text: `${kind}:`, about: title })),
    { text: "layer:", about: "layer:3, layer:3-5" },
    ...(document.model.grids.length > 1 ? [{ text: "kind:", about: "encoder, decoder or cross attention" }] : []),
    ...(document.cards.some(({ relations }) => relations.length > 0) ? [{ text: "relation:", about: "heads whose card lists a relation" }] : []),
    ...(book.named("effect") === null ? [] : [{ text: "effect>", about: document.statistics[book.named("effect")!].title }]),
  ];
  const measured = new Set(document.finder.topics.flatMap(({ needs }) => needs));
  const terms = document.finder.glossary.filter(({ term }) => measured.has(term)).map(({ words, title }) => ({ text: words[0] ?? "", about: title }));
  const statistics = document.statistics.map(({ key, title }) => ({ text: `${key}>`, about: title }));
  return [...fields, ...terms.filter(({ text }) => text), ...statistics];
}
