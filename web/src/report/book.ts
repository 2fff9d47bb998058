/** The report as the page asks it: ranks, domains, names and sentences of heads. */

import { arrayOf } from "../core/payload";
import { type NameChoice, type Names, type PageStatistic, type Report, SCHEMA, type TypicalMap } from "./contract";
import { Matcher } from "./matching";
import { ordinal, plain, sampleSize } from "./wording";

export interface Rank {
  /** From the largest: 1 is the largest; equal heads share a place. */
  place: number;
  sharing: number;
  of: number;
}

export class Book {
  readonly count: number;
  readonly matcher: Matcher;
  /** The statistics that tables begin with. */
  readonly overview: number[];
  private readonly places: Map<string, number>;
  private readonly keys: Map<string, number>;
  private readonly ranks = new Map<number, Map<number, Rank>>();

  constructor(
    readonly document: Report,
    readonly data: ArrayBuffer,
  ) {
    const { address, kind } = document.heads;
    this.count = address.length;
    this.matcher = new Matcher(document.finder);
    this.places = new Map(address.map((written, place) => [written, place]));
    // a model of several kinds: 3.1 alone means the first kind's
    address.forEach((written, place) => {
      const short = written.split(".").slice(-2).join(".");
      if (!this.places.has(short)) this.places.set(short, place);
      this.places.set(`${kind[place]}.${short}`, place);
    });
    const { statistics } = document;
    this.keys = new Map(statistics.map(({ key }, i) => [key.toLowerCase(), i]));
    this.overview = statistics.flatMap(({ overview, family, name }, i) => (overview || (family === "effect" && name !== "gate_gradient") ? [i] : []));
    for (const [i, { name, short }] of statistics.entries())
      for (const other of [name, short.replaceAll(" ", "_")]) {
        const before = this.keys.get(other.toLowerCase());
        if (before === undefined || (!statistics[before].overview && statistics[i].overview && statistics[before].name === name)) this.keys.set(other.toLowerCase(), i);
      }
    const effect = statistics.findIndex(({ family }) => family === "effect");
    if (effect >= 0 && !this.keys.has("effect")) this.keys.set("effect", effect);
  }

  /** The head of an address, or null. */
  head(address: string): number | null {
    return this.places.get(address.trim()) ?? null;
  }

  address(head: number): string {
    return this.document.heads.address[head];
  }

  /** The statistic that a reader calls so, or null. */
  named(name: string): number | null {
    return this.keys.get(name.toLowerCase()) ?? null;
  }

  sentences(head: number): string {
    return this.document.cards[head].sentences.map((sentence) => plain(sentence, this.document.heads.address)).join(" ");
  }

  name(names: Names, head: number): NameChoice | null {
    const choice = names.heads[head];
    return choice === null ? null : names.choices[choice];
  }

  /** The first name that says something: of programs, then pattern, behaviour, shape. */
  calledFirst(head: number): NameChoice | null {
    for (const kind of ["program", "pattern", "behaviour", "shape"]) {
      const names = this.document.names.find((each) => each.kind === kind);
      const choice = names && this.name(names, head);
      if (choice && choice.name !== "none") return choice;
    }
    return null;
  }

  /** Where the head stands among those of its kind; null where it has no value. */
  rank(statistic: number, head: number): Rank | null {
    let ranks = this.ranks.get(statistic);
    if (!ranks) this.ranks.set(statistic, (ranks = this.ranked(statistic)));
    return ranks.get(head) ?? null;
  }

  private ranked(statistic: number): Map<number, Rank> {
    const { values } = this.document.statistics[statistic];
    const ranks = new Map<number, Rank>();
    for (const { kind } of this.document.model.grids) {
      const heads = [...values.keys()].filter((head) => values[head] !== null && this.document.heads.kind[head] === kind);
      heads.sort((a, b) => values[b]! - values[a]!);
      for (let first = 0, next: number; first < heads.length; first = next) {
        next = first + 1;
        while (next < heads.length && values[heads[next]] === values[heads[first]]) next++;
        for (const head of heads.slice(first, next)) ranks.set(head, { place: first + 1, sharing: next - first, of: heads.length });
      }
    }
    return ranks;
  }

  /** highest of 144 · 3rd lowest of 144 */
  rankText(statistic: number, head: number): string {
    const rank = this.rank(statistic, head);
    if (!rank || rank.of < 2) return "";
    const { place, sharing, of } = rank;
    if (sharing === of) return `the same in all ${of}`;
    const fromBelow = of - place - sharing + 2;
    const [n, end] = place <= fromBelow ? [place, "highest"] : [fromBelow, "lowest"];
    return `${n === 1 ? "" : `${ordinal(n)} `}${end} of ${of}`;
  }

  /** From where to where a statistic is drawn: from 0 where values cannot be less, to the largest. */
  domain(statistic: number): [number, number] {
    const { values, low, baseline } = this.document.statistics[statistic];
    const known = values.filter((value) => value !== null);
    if (baseline !== undefined) known.push(baseline);
    if (known.length === 0) return [0, 1];
    const [least, most] = [Math.min(...known), Math.max(...known)];
    const from = low === 0 ? 0 : Math.min(least, 0);
    return most > from ? [from, most] : [from, from + 1];
  }

  /** How a number was measured: definition, corpus and items, error, and what chance gives. */
  note(statistic: PageStatistic, head: number | null = null): string[] {
    const lines = [statistic.definition];
    const n = head === null ? null : ofHead(statistic.n, head);
    const documents = head === null ? null : ofHead(statistic.documents, head);
    if (n !== null) lines.push(`For this head: ${sampleSize(n, documents ?? 0)}; ± is one standard error.`);
    const own = head === null ? null : (statistic.chances?.[head] ?? null);
    if (own !== null) lines.push(`By chance: ${own.toPrecision(2)}.`);
    else if (statistic.baseline !== undefined) lines.push(`Baseline: ${(100 * statistic.baseline).toFixed(1)} %.`);
    else if (statistic.chance) lines.push(`By chance: ${statistic.chance}.`);
    const untrained = head === null ? null : (statistic.untrained?.[head] ?? null);
    if (untrained !== null) lines.push(`Untrained: ${untrained.toPrecision(2)}.`);
    return lines;
  }

  /** What a chapter read: 100 segments, 23 documents, 12,714 tokens */
  read(chapter: number): string {
    return this.document.chapters[chapter].read.join(", ");
  }

  /** All that is known of one head, for programs. */
  cardData(head: number): unknown {
    const { statistics, names, cards, model, made } = this.document;
    const measured = statistics.flatMap(({ key, unit, definition, values, stderr, n, documents }) => (values[head] === null ? [] : [{ key, value: values[head], stderr: stderr[head], n: ofHead(n, head), documents: ofHead(documents, head), unit, definition }]));
    const named = names.map((each) => ({ kind: each.kind, name: this.name(each, head)?.name ?? null, confidence: each.confidence[head] }));
    const { relations, effects, changes, matches } = cards[head];
    return { model: model.name, head: this.address(head), sentences: cards[head].sentences.map((sentence) => plain(sentence, this.document.heads.address)), names: named, statistics: measured, relations, effects, changes, matches, made };
  }

  weights(map: TypicalMap): { bytes: Uint8Array; rows: number; columns: number } {
    const [rows, columns] = map.weights.shape;
    return { bytes: arrayOf(this.data, map.weights) as Uint8Array, rows, columns };
  }
}

/** Of a count that is one number where all heads have the same. */
function ofHead(counts: number | (number | null)[], head: number): number | null {
  return typeof counts === "number" ? counts : counts[head];
}

/** Throws where the document is not one that this page can show. */
export function checkReport(report: Report, bytes: number): void {
  if (report.schema !== SCHEMA) throw new Error(`This page shows ${SCHEMA}; the file holds ${String(report.schema)}.`);
  if (report.bytes !== bytes) throw new Error(`The file was cut: ${bytes} of ${report.bytes} bytes of maps are here.`);
  const heads = report.heads.address.length;
  if (report.cards.length !== heads || report.statistics.some(({ values }) => values.length !== heads)) throw new Error(`The file does not fit its ${heads} heads.`);
}
