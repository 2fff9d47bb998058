/** What Python sends to the report's page: the same words as in `attlas/reports/page_contract.py`. */

import type { NameKind, Section } from "../core/contract";

export const SCHEMA = "attlas.report/1";

export type HeadKind = "encoder" | "decoder" | "cross" | "vision";
export type ExampleKind = "strongest" | "step" | "random" | "at_work";
/** Text, and heads as their places. */
export type Sentence = (string | number)[];
export type Numbers = (number | null)[];

export interface Chapter {
  name: string;
  title: string;
  study: string;
  corpus: string;
  read: string[];
  notes: string[];
  when: string;
  seconds: number | null;
  software: Record<string, string>;
  settings: Record<string, string>;
  command: string;
}

export interface Statistic {
  name: string;
  group: string;
  key: string;
  chapter: number;
  family: string;
  title: string;
  short: string;
  unit: string;
  low: number | null;
  high: number | null;
  chance: string;
  chances?: Numbers;
  baseline?: number;
  definition: string;
  more: "better" | "worse" | "";
  overview: boolean;
  values: Numbers;
  stderr: Numbers;
  n: number | (number | null)[];
  documents: number | (number | null)[];
}

export interface NameChoice {
  name: string;
  title: string;
  light: string;
  dark: string;
  meaning: string;
}

export interface Names {
  kind: NameKind;
  chapter: number;
  title: string;
  rules: string;
  choices: NameChoice[];
  heads: (number | null)[];
  confidence: Numbers;
  second: (number | null)[];
  second_confidence: Numbers;
}

export interface Relation {
  chapter: number;
  statistic: number | null;
  group: string;
  title: string;
  finds: string;
  direction: "to" | "from";
  way: string;
  value: number;
  low: number | null;
  high: number | null;
  baseline: number | null;
  baseline_title: string;
  p: number | null;
  best: boolean;
  sure: boolean;
  n: number;
  documents: number;
}

export interface Effect {
  chapter: number;
  edit: string;
  edit_title: string;
  score: string;
  plain: number;
  disabled: number;
  change: number;
  low: number | null;
  high: number | null;
  p: number | null;
  n: number;
  documents: number;
}

export interface Change {
  chapter: number;
  other: string;
  title: string;
  first: number | null;
  second: number | null;
  low: number | null;
  high: number | null;
  p: number | null;
}

export interface Match {
  chapter: number;
  other: string;
  layer: number;
  head: number;
  distance: number;
  own_distance: number | null;
}

export interface Examples {
  kind: ExampleKind[];
  step: (number | null)[];
  weight: number[];
  tokens: number[];
  query: number[];
  key: number[];
  key_tokens: (number | null)[];
}

export interface TokenCounts {
  tokens: string[];
  shares: number[];
  common: number[];
}

export interface TypicalMap {
  weights: Section;
  scale: number;
  tokens: number;
}

export interface Card {
  sentences: Sentence[];
  tells: string[];
  known: boolean;
  relations: Relation[];
  effects: Effect[];
  changes: Change[];
  matches: Match[];
  examples: Examples;
  looks_from: TokenCounts | null;
  looks_at: TokenCounts | null;
  map: TypicalMap | null;
  alike: [head: number, distance: number][];
  alike_chapter: number | null;
}

export interface TokenList {
  tokens: string[];
  gaps: string;
}

export interface Term {
  term: string;
  title: string;
  words: string[];
  command: string;
}

export interface Topic {
  title: string;
  terms: string[];
  needs: string[];
  chapter: number;
  statistic: number | null;
  heads: number[];
  effects: number[];
  sure: boolean[];
  sentences: Sentence[];
}

export interface Finder {
  ignored: string[];
  endings: [ending: string, instead: string][];
  glossary: Term[];
  topics: Topic[];
}

export interface Grid {
  kind: HeadKind;
  layers: number;
  width: number;
  causal: boolean;
}

export interface ReportDocument {
  schema: typeof SCHEMA;
  made: { attlas: string; when: string; atlas: string; command: string; view: string };
  model: { name: string; title: string; type: string; dtype: string; weights: string; config: string; grids: Grid[] };
  chapters: Chapter[];
  statistics: Statistic[];
  names: Names[];
  heads: { address: string[]; kind: HeadKind[]; layer: number[]; head: number[]; plane: [number, number][] | null };
  cards: Card[];
  tokens: TokenList[];
  stands_out: Sentence[];
  stands_out_tells: string[];
  layers: { kind: HeadKind; statistic: number; means: Numbers; stderr: Numbers }[];
  missing: { what: string; why: string; command: string }[];
  finder: Finder;
  bytes: number;
}

/** Throws where the document is not one that this page can show. */
export function checkDocument(report: ReportDocument, bytes: number): void {
  if (report.schema !== SCHEMA) throw new Error(`This page shows ${SCHEMA}; the file holds ${String(report.schema)}.`);
  if (report.bytes !== bytes) throw new Error(`The file was cut: ${bytes} of ${report.bytes} bytes of maps are here.`);
  const heads = report.heads.address.length;
  if (report.cards.length !== heads || report.statistics.some(({ values }) => values.length !== heads)) throw new Error(`The file does not fit its ${heads} heads.`);
}
