/** Numbers as people read them: the same digits as the terminal's. */

import type { Sentence, PageStatistic } from "./contract";

export const NOTHING = "–";

/** 70.1 % · 2.31 nats · 0.0003 */
export function written(statistic: Pick<PageStatistic, "unit">, value: number | null, stderr: number | null = null): string {
  if (value === null) return NOTHING;
  if (statistic.unit === "share") {
    const error = stderr === null ? "" : ` ± ${small(100 * stderr, 1)}`;
    return `${percent(value, 1).slice(0, -2)}${error} %`;
  }
  const error = stderr === null ? "" : ` ± ${small(stderr, digitsFor(value))}`;
  const unit = ["nats", "tokens' worth", "tokens", "tokens²"].includes(statistic.unit) ? ` ${statistic.unit}` : "";
  return `${plainNumber(value)}${error}${unit}`;
}

/** Sums of single precision are off by this many percent. */
const ROUNDING = 1e-4;

/** 70 % · <1 % · >99 %: only nothing is 0 %, and only all of it is 100 %. */
export function percent(share: number, digits = 0): string {
  const part = 100 * share;
  const size = Math.abs(part);
  const least = 10 ** -digits;
  const sign = part < 0 ? "−" : "";
  if (size > ROUNDING && size < least / 2) return `${part < 0 ? ">" : "<"}${sign}${least.toFixed(digits)} %`;
  if (size >= 100 - least / 2 && size < 100 - ROUNDING) return `${part < 0 ? "<" : ">"}${sign}${(100 - least).toFixed(digits)} %`;
  return `${size < least / 2 ? "" : sign}${size.toFixed(digits)} %`;
}

/** How sure a name is, which a probability tells: sure · 62 % sure. No probability is 100 %. */
export function certainty(probability: number): string {
  return probability >= 0.95 ? "sure" : `${percent(probability)} sure`;
}

/** An error as long as its value: 0.02 · <0.01 */
function small(error: number, digits: number): string {
  return error > 0 && error < 0.5 * 10 ** -digits ? `<${(10 ** -digits).toFixed(digits)}` : error.toFixed(digits);
}

/** Without unit and error, for narrow columns. */
export function brief(statistic: Pick<PageStatistic, "unit">, value: number | null): string {
  if (value === null) return NOTHING;
  return statistic.unit === "share" ? (100 * value).toFixed(1) : plainNumber(value);
}

/** Numbers of an axis, as long as they need be. */
export function axisNumbers(statistic: Pick<PageStatistic, "unit">, ticks: number[]): string[] {
  const shown = ticks.map((tick) => (statistic.unit === "share" ? 100 * tick : tick));
  const step = Math.abs((shown[1] ?? 1) - (shown[0] ?? 0));
  const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
  return shown.map((tick) => minus(tick.toFixed(digits)));
}

const digitsFor = (value: number) => (Math.abs(value) >= 0.1 ? 2 : 4);

export function plainNumber(value: number, digits = digitsFor(value)): string {
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits) return minus(value.toExponential(1));
  return minus(formatter(digits).format(value));
}

/** Made once for each number of digits: a table has thousands of numbers. */
const formatters: Intl.NumberFormat[] = [];

function formatter(digits: number): Intl.NumberFormat {
  return (formatters[digits] ??= new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
}

/** With its sign: +0.0065 · −0.0003 */
export function signed(value: number): string {
  return (value > 0 ? "+" : "") + plainNumber(value, 4);
}

const minus = (text: string) => text.replaceAll("-", "−");

/** 63 % (95 %: 52–74) */
export function shareWithin(value: number, low: number | null, high: number | null): string {
  const whole = (share: number) => Math.round(100 * share);
  return low === null || high === null ? percent(value) : `${percent(value)} (95 %: ${whole(low)}–${whole(high)})`;
}

export function chanceOf(p: number | null): string {
  if (p === null) return "";
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
}

export function count(many: number, what: string): string {
  return `${many.toLocaleString("en-US")} ${what}${many === 1 ? "" : "s"}`;
}

/** n = 87 · n = 87 in 31 documents, where they come from documents */
export function sampleSize(n: number, documents: number): string {
  return `n = ${n.toLocaleString("en-US")}${documents > 0 ? ` in ${count(documents, "document")}` : ""}`;
}

/** 1st · 2nd · 113th */
export function ordinal(n: number): string {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
}

/** How a note in print names a chapter: a, b, … z, aa */
export function chapterMark(chapter: number): string {
  return chapter < 26 ? String.fromCharCode(97 + chapter) : chapterMark(Math.floor(chapter / 26) - 1) + chapterMark(chapter % 26);
}

/** How a note in print names what a sentence is about: a chapter's letter, or a statistic's number. */
export function noteMark(about: string): string {
  const [what, number] = about.split(" ");
  return what === "chapter" ? chapterMark(Number(number)) : String(Number(number) + 1);
}

/** The part of a sentence between its claim and its evidence. */
export const BESIDE = "\n";

/** A sentence as plain text: its claim, then its evidence. */
export function plain(sentence: Sentence, addresses: string[]): string {
  const [claim, evidence] = sentence
    .map((part) => (typeof part === "number" ? addresses[part] : part))
    .join("")
    .split(BESIDE);
  return evidence ? `${claim} ${evidence[0].toUpperCase()}${evidence.slice(1)}` : claim;
}
