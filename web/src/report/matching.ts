/** From a question to topics, by the rules of `attlas/reports/matching.py`: a test compares the answers of both. */

import type { Finder, Form, Topic } from "./contract";

const LONGEST = 4; // words in a phrase
const ALIKE = 6; // letters that two words have in common at least, to mean the same
const EXAMPLE = "="; // before a word that is itself an example of what is meant
const KEPT = ["ss", "us", "is"]; // endings that stay
const IN_QUOTES = /"[^"]*"|“[^”]*”|‘[^’]*’/gu;

/** One thing that a question names: its words, and the glossary terms that have them. */
export interface Unit {
  words: string;
  terms: Set<string>;
  /** The terms and the phrase. */
  all: Set<string>;
}

export interface Answer {
  /** Topic and rank, best first; no head twice. */
  heads: { topic: Topic; rank: number }[];
  missing: { title: string; command: string }[];
  /** The terms that the question names. */
  asked: Set<string>;
  /** Words that mean nothing here; where they are as many as the others, there is no answer. */
  unknown: string[];
  understood: boolean;
  /** Whether it asks for the opposite of its words. */
  denies: boolean;
}

export class Matcher {
  private readonly ignored: Set<string>;
  private readonly fillers: Set<string>;
  private readonly phrases = new Map<string, Set<string>>();
  private readonly measured: Set<string>;
  private readonly vocabulary: Set<string>;
  private readonly rewrites: [RegExp, string][];
  private readonly after: RegExp;
  private readonly unheeded: RegExp;

  constructor(readonly finder: Finder) {
    this.ignored = new Set(finder.ignored);
    this.fillers = new Set(finder.fillers);
    for (const { term, words } of finder.glossary)
      for (const phrase of words) {
        const key = phrase.split(/\s+/).filter(Boolean).join(" ");
        if (key) this.phrases.set(key, (this.phrases.get(key) ?? new Set()).add(term));
      }
    this.vocabulary = new Set([...[...this.phrases.keys()].flatMap((phrase) => phrase.split(" ").map((word) => word.replace(EXAMPLE, ""))), ...this.ignored, ...this.fillers]);
    this.rewrites = finder.rewrites.map(([from, to]) => [new RegExp(from, "gu"), to]);
    this.after = new RegExp(finder.after, "u");
    this.unheeded = new RegExp(finder.unheeded, "u");
    this.measured = new Set(finder.topics.flatMap(({ needs, terms }) => [...needs, ...terms]));
  }

  /** Lower case, "not" as a word, and slips made good: don't, isn’t, importnat. */
  plain(question: string): string {
    let text = this.rewrites.reduce((said, [from, to]) => said.replace(from, to), question.toLowerCase().trim());
    for (const [word] of new Set(text.matchAll(/\p{L}{6,}/gu))) {
      const stem = this.stem(word);
      if (this.vocabulary.has(word) || this.vocabulary.has(stem)) continue;
      const near = [...this.vocabulary].filter((other) => isSlip(word, other) || isSlip(stem, other));
      if (near.length === 1) text = text.replaceAll(new RegExp(`\\b${word}\\b`, "gu"), near[0]);
    }
    return text;
  }

  /** What a question names that counts. */
  units(question: string): Unit[] {
    const words = this.words(question);
    const units: Unit[] = [];
    for (let at = 0; at < words.length; ) {
      let length = Math.min(LONGEST, words.length - at);
      while (length > 1 && (!this.phrases.has(words.slice(at, at + length).join(" ")) || this.cuts(words.slice(at), length))) length--;
      const phrase = words.slice(at, at + length);
      const terms = this.phrases.get(phrase.join(" ")) ?? this.alike(phrase[0]);
      units.push({ words: phrase.join(" "), terms, all: new Set([...terms, phrase.join(" ")]) });
      at += length;
    }
    return units;
  }

  /** Whether a denial takes the first word of a longer phrase: not special, of "not special token". */
  private cuts(words: string[], length: number): boolean {
    if (!this.finder.denials.includes(words[0])) return false;
    for (let end = length + 1; end <= Math.min(LONGEST, words.length); end++) if (this.phrases.has(words.slice(1, end).join(" "))) return true;
    return false;
  }

  private words(text: string): string[] {
    const lower = this.plain(text);
    const quoted = [...lower.matchAll(IN_QUOTES)].map((match) => [match.index, match.index + match[0].length]);
    const after = this.after.exec(lower);
    const matches = [...lower.matchAll(/[\p{L}\p{N}]+/gu)];
    const onlyExamples = matches.every(([word]) => this.phrases.has(EXAMPLE + word));
    const words: string[] = [];
    for (const { 0: word, index } of matches) {
      const mayBeExample = onlyExamples || quoted.some(([start, end]) => start < index && index < end) || (after !== null && index >= after.index + after[0].length);
      if (mayBeExample && this.phrases.has(EXAMPLE + word)) words.push(EXAMPLE + word);
      else if (!this.ignored.has(word)) words.push(this.stem(word));
    }
    return words;
  }

  /** The terms of the glossary's words that begin like this one: adjectival, adjective. */
  private alike(word: string): Set<string> {
    const terms = new Set<string>();
    if ([...word].length < ALIKE || this.fillers.has(word)) return terms;
    const begins = (other: string) => [...other].slice(0, ALIKE).join("");
    for (const [phrase, those] of this.phrases) if (!phrase.includes(" ") && [...phrase].length >= ALIKE && begins(phrase) === begins(word)) for (const term of those) terms.add(term);
    return terms;
  }

  private stem(word: string): string {
    if (KEPT.some((ending) => word.endsWith(ending))) return word;
    const rule = this.finder.endings.find(([ending]) => word.endsWith(ending) && [...word].length - ending.length >= 3);
    return rule ? word.slice(0, word.length - rule[0].length) + rule[1] : word;
  }

  /** The topics that score highest, in their own order. */
  topics(units: Unit[]): Topic[] {
    const scored = this.finder.topics.map((topic) => ({ topic, points: score(topic, units) }));
    const most = Math.max(0, ...scored.map(({ points }) => points));
    return most > 0 ? scored.filter(({ points }) => points === most).map(({ topic }) => topic) : [];
  }

  answer(question: string, most: number): Answer {
    const units = this.units(question);
    const known = units.filter(({ terms, words }) => terms.size > 0 || this.measured.has(words));
    const examples = this.examples(question);
    const unknown = units.flatMap(({ words }) => (this.fillers.has(words) || examples.has(words) || /^\d+$/u.test(words) ? [] : [words])).filter((words) => !known.some((unit) => unit.words === words));
    const understood = unknown.length < Math.max(1, known.length);
    const heeded = understood && !this.unheeded.test(this.plain(question));
    const found = heeded ? inTurns(this.topics(units), most) : [];
    const lacks = heeded ? this.missing(known.slice(0, 1), found.length > 0) : [];
    const heads = lacks.length > 0 ? [] : found;
    const missing = lacks.length > 0 || !heeded ? lacks : this.missing(units, heads.length > 0);
    const denies = units.some(({ words }) => this.finder.denials.includes(words));
    return { heads, missing, asked: new Set(units.flatMap(({ terms }) => [...terms])), unknown, understood, denies };
  }

  /** The words in quotes, or after "like" or "such as". */
  private examples(text: string): Set<string> {
    const lower = this.plain(text);
    const after = /\b(?:like|such as)\b(.*)/u.exec(lower)?.[1] ?? "";
    const said = [...lower.matchAll(IN_QUOTES)].map(([quoted]) => quoted).join(" ");
    return new Set([...`${said} ${after}`.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => this.stem(word)));
  }

  /** What the units name and the atlas has not measured. */
  private missing(units: Unit[], answered: boolean): { title: string; command: string }[] {
    const terms = new Map(this.finder.glossary.map((term) => [term.term, term]));
    const lacking = units.filter((unit) => unit.terms.size > 0 && ![...(answered ? unit.all : unit.terms)].some((term) => this.measured.has(term)));
    const titles = new Map<string, string>();
    for (const unit of lacking) for (const term of [...unit.terms].sort()) titles.set(terms.get(term)!.command, terms.get(term)!.title);
    return [...titles].map(([command, title]) => ({ title, command }));
  }
}

/** 0 where the topic is no answer. */
function score(topic: Topic, units: Unit[]): number {
  const unmet = new Set(topic.needs);
  let [points, asked] = [0, false];
  for (const { all } of units) {
    const needs = topic.needs.filter((need) => all.has(need));
    needs.forEach((need) => unmet.delete(need));
    if (needs.length > 0) asked = true;
    points += needs.length > 0 ? 2 : topic.terms.some((term) => all.has(term)) ? 1 : 0;
  }
  return asked ? points - 0.5 * unmet.size : 0;
}

/** Every topic's best head, then every second; no head twice. */
export function inTurns(topics: Topic[], most: number): { topic: Topic; rank: number }[] {
  const taken = new Map<number, { topic: Topic; rank: number }>();
  const longest = Math.max(0, ...topics.map(({ heads }) => heads.length));
  for (let rank = 0; rank < longest; rank++)
    for (const topic of topics) if (rank < topic.heads.length && !taken.has(topic.heads[rank])) taken.set(topic.heads[rank], { topic, rank });
  return [...taken.values()].slice(0, most);
}

/** Whether one letter is missing, doubled or wrong, or two have changed places; the first stays. */
export function isSlip(word: string, other: string): boolean {
  if (word === other || word[0] !== other[0] || Math.abs(word.length - other.length) > 1 || Math.min(word.length, other.length) < 5) return false;
  let at = 0;
  while (at < Math.min(word.length, other.length) && word[at] === other[at]) at++;
  const swapped = word[at] === other[at + 1] && word[at + 1] === other[at] && word.slice(at + 2) === other.slice(at + 2);
  const rests = [word.slice(at + 1) === other.slice(at + 1), word.slice(at + 1) === other.slice(at), word.slice(at) === other.slice(at + 1)];
  return (at < Math.min(word.length, other.length) && swapped) || rests.includes(true);
}

/** The form of a question, plainly written, that words alone cannot answer, if it has one. */
export const formOf = <F extends Pick<Form, "pattern" | "named">>(plain: string, forms: F[], named = false): F | undefined => forms.find((form) => (form.named || !named) && new RegExp(form.pattern).test(plain));
