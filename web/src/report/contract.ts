/** Made by `scripts/docs` from `src/attlas/reports/page_contract.py`: do not edit. */

import type { NameKind, Section } from "../core/contract";

export const SCHEMA = "attlas.report/1";
export type HeadKind = "encoder" | "decoder" | "cross" | "vision";
/**
 * strongest: the items where the head is strongest, one of each. step: from one of the five steps of the
 * head's distribution over random rows. random: rows drawn at random, the same for every head. at_work: a
 * link of an annotated corpus.
 */
export type ExampleKind = "strongest" | "step" | "random" | "at_work";
/** which way a link is looked along: "to" the syntactic head (or antecedent), or "from" it */
export type Direction = "to" | "from";
export type Sentence = (string | number)[];
export type Numbers = (number | null)[];

/** Where the page itself comes from. */
export interface Made {
  /** version */
  attlas: string;
  /** 2026-11-16 07:48 */
  when: string;
  /** the folder's name */
  atlas: string;
  /** makes the page again */
  command: string;
  /** the address of a view of the model, to which cards lead; "" where there is none */
  view: string;
}

/** The heads of one kind, and whether they see only what came before. */
export interface Grid {
  kind: HeadKind;
  layers: number;
  /** most heads in a layer */
  width: number;
  causal: boolean;
}

export interface Model {
  /** as given */
  name: string;
  /** as people read it */
  title: string;
  /** the class of the model */
  type: string;
  dtype: string;
  /** hash */
  weights: string;
  config: string;
  grids: Grid[];
}

/** What one study found, and where it comes from. */
export interface PageChapter {
  /** surface-wikipedia */
  name: string;
  /** Where heads look, on wikipedia */
  title: string;
  study: string;
  corpus: string;
  /** ["100 segments", "23 documents", "12,800 tokens"] */
  read: string[];
  notes: string[];
  when: string;
  seconds: number | null;
  software: Record<string, string>;
  settings: Record<string, string>;
  /** makes the chapter again */
  command: string;
}

/** One number per head. */
export interface PageStatistic {
  /** as in heads.parquet */
  name: string;
  group: string;
  /** what conditions and links call it: name, or name.group; unique */
  key: string;
  chapter: number;
  /** surface, gradient, distance, link, weight, effect, pattern */
  family: string;
  /** attention to the previous token */
  title: string;
  /** previous */
  short: string;
  /** share, weight, nats, tokens' worth, loss per weight, or nothing */
  unit: string;
  /** the range of its values; null: unbounded */
  low: number | null;
  high: number | null;
  /** what chance would give, in words */
  chance: string;
  /** and in numbers, where each head has one of its own */
  chances?: Numbers;
  /** or where one number holds for all heads */
  baseline?: number;
  /** what untrained heads of its kind have, where a twin was measured */
  untrained?: Numbers;
  /** what the value is, and how it was measured: one or two sentences */
  definition: string;
  more: "better" | "worse" | "";
  /** one of the few that tables begin with */
  overview: boolean;
  values: Numbers;
  stderr: Numbers;
  /** one number where all heads have the same */
  n: number | (number | null)[];
  /** that the n come from */
  documents: number | (number | null)[];
}

export interface NameChoice {
  /** as atlases and options write it; "none": looked for, and nothing fits */
  name: string;
  title: string;
  /** its colour in each theme */
  light: string;
  dark: string;
  /** whether it says least, and is painted so */
  quiet: boolean;
  /** what a head with this name does */
  meaning: string;
}

/**
 * The names of one kind. `heads` and `second` hold places in `choices`; null where nothing was asked. A
 * name by programs is the largest part of a head's sum, and its confidence is that part's share.
 */
export interface Names {
  kind: NameKind | "program";
  chapter: number;
  /** what heads attend to */
  title: string;
  /** what it takes to have such a name, in a sentence; "" where choices say it themselves */
  rules: string;
  choices: NameChoice[];
  heads: (number | null)[];
  confidence: Numbers;
  second: (number | null)[];
  second_confidence: Numbers;
}

/** How well a head tracks a link of an annotated corpus, beside a baseline. */
export interface CardRelation {
  chapter: number;
  /** the column that has it for all heads (over all windows) */
  statistic: number | null;
  /** obj */
  group: string;
  /** direct object of a verb */
  title: string;
  /** the verb of a direct object */
  finds: string;
  direction: Direction;
  /** from the object to its verb */
  way: string;
  value: number;
  /** 95 % interval */
  low: number | null;
  high: number | null;
  baseline: number | null;
  /** best fixed offset -2 */
  baseline_title: string;
  /** corrected for the relations; for all heads too, where `best` is false */
  p: number | null;
  /** the head that was chosen for it */
  best: boolean;
  /** beats the baseline beyond chance */
  sure: boolean;
  n: number;
  /** that the n come from; 0 where they do not come from documents */
  documents: number;
}

/** What disabling the head does. */
export interface CardEffect {
  chapter: number;
  /** uniform */
  edit: string;
  /** even attention instead of its own */
  edit_title: string;
  /** loss */
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

/** What became of the head in another model, in one statistic. */
export interface Change {
  chapter: number;
  /** the other model */
  other: string;
  title: string;
  first: number | null;
  second: number | null;
  low: number | null;
  high: number | null;
  p: number | null;
}

/** The head of the other model that does most nearly the same. */
export interface Match {
  chapter: number;
  other: string;
  layer: number;
  head: number;
  distance: number;
  /** to the head of the same address */
  own_distance: number | null;
}

/**
 * All examples of a head, in columns. `tokens` are places in the report's lists of tokens; `query` and
 * `key` count within them.
 */
export interface HeadExamples {
  kind: ExampleKind[];
  /** 0 (weakest) to 4 (strongest), of a step */
  step: (number | null)[];
  weight: number[];
  tokens: number[];
  query: number[];
  key: number[];
  /** where the keys are of another list (cross attention) */
  key_tokens: (number | null)[];
}

/** Tokens that a head looks from, or at, most often, beside how common they are in what was read. */
export interface TokenCounts {
  tokens: string[];
  /** of the head's rows */
  shares: number[];
  /** of all tokens */
  common: number[];
}

/**
 * A map of a text in which the head does about what it does on average.
 *
 * A byte b means scale * (b / 255)**2.
 */
export interface TypicalMap {
  /** query key */
  weights: Section;
  scale: number;
  /** a place in the report's `tokens`: its first tokens are the rows and the columns */
  tokens: number;
}

/** What is known of one head beyond its statistics. Lists may be empty. */
export interface Card {
  /** first of all; never empty */
  sentences: Sentence[];
  /** what the numbers of each are of: "chapter 2", "statistic 12 94", or "" */
  tells: string[];
  /** False: nothing beyond the statistics */
  known: boolean;
  /** best first */
  relations: CardRelation[];
  effects: CardEffect[];
  changes: Change[];
  matches: Match[];
  examples: HeadExamples;
  looks_from: TokenCounts | null;
  looks_at: TokenCounts | null;
  map: TypicalMap | null;
  /** heads most like it, and the distance in nats */
  alike: [number, number][];
  alike_chapter: number | null;
}

/** Columns: one place per head, in reading order. */
export interface Heads {
  /** 7.10; cross.0.3 where the model has several kinds */
  address: string[];
  kind: HeadKind[];
  layer: number[];
  head: number[];
  /** heads that do the same lie near each other */
  plane: [number, number][] | null;
}

/** Tokens as shown, and what stands before each: "s" a space, "-" nothing. */
export interface TokenList {
  tokens: string[];
  gaps: string;
}

/** How the layers of a kind differ in one statistic: means over their heads. */
export interface LayerMeans {
  kind: HeadKind;
  statistic: number;
  means: Numbers;
  stderr: Numbers;
}

/** Something that Attlas can measure and this atlas lacks. */
export interface Missing {
  /** which relations of grammar each head tracks */
  what: string;
  /** "" where nobody asked; else why it was left out */
  why: string;
  /** adds it */
  command: string;
}

/** A thing people ask for, their words for it, and what would measure it. */
export interface Term {
  /** obj */
  term: string;
  /** direct object of a verb */
  title: string;
  /** normalised words and phrases: "object", "direct object", "dobj" */
  words: string[];
  /** measures it, if no topic has it */
  command: string;
}

/** A thing that was measured, and the heads that do it most, by effect over baseline. */
export interface Topic {
  title: string;
  /** glossary terms and normalised words; the first ones say most */
  terms: string[];
  /** terms of which a question must have at least one, for the topic to be an answer */
  needs: string[];
  chapter: number;
  statistic: number | null;
  heads: number[];
  /** over the baseline; sorted, largest first */
  effects: number[];
  sure: boolean[];
  /** one per head: number, baseline, interval */
  sentences: Sentence[];
}

/** A form of question that words alone cannot answer, and what a page says to it. */
export interface Form {
  /** a regular expression that Python and JavaScript read alike */
  pattern: string;
  /** whether it is of that form where it names a head, too */
  named: boolean;
  /** the answer; "" where only `attlas ask` works it out */
  lead: string;
  /** what the atlas lacks, and the command that would measure it */
  missing: [string, string][];
}

/**
 * What `ask` and the page's finder share. The rules of matching are in `attlas.reports.matching`; those
 * of the page must give the same answers (tests compare them).
 */
export interface Finder {
  /** words that say nothing: which, head, the */
  ignored: string[];
  /** of words, longest first: ("ies", "y") */
  endings: [string, string][];
  /** words, made alike, that say nothing unless the glossary has them: notice, score */
  fillers: string[];
  /** words that turn a question around unless a phrase of the glossary has them: not */
  denials: string[];
  /** regular expressions, and what stands for what they match: n't -> not */
  rewrites: [string, string][];
  /** a regular expression after which words may be examples */
  after: string;
  /** one of what words alone do not answer */
  unheeded: string;
  glossary: Term[];
  topics: Topic[];
}

export interface Report {
  schema: "attlas.report/1";
  made: Made;
  model: Model;
  chapters: PageChapter[];
  statistics: PageStatistic[];
  names: Names[];
  heads: Heads;
  /** one per head */
  cards: Card[];
  tokens: TokenList[];
  stands_out: Sentence[];
  /** as those of a card */
  stands_out_tells: string[];
  layers: LayerMeans[];
  missing: Missing[];
  finder: Finder;
  /** the command that answers a question in words, without the question */
  ask: string;
  /** of questions, tried in order before the finder matches words */
  forms: Form[];
  /** of the block, inflated */
  bytes: number;
}
