/** What the page shows now. Links change the address; the address changes the state. */

import { rampColour } from "../draw/ramp";
import { COLOURS } from "../draw/theme";
import type { Book } from "./book";
import type { Names } from "./contract";
import { type Found, find } from "./finding";
import { type Route, START, fromHash, toHash } from "./route";
import { written } from "./wording";

const BARS = 16;

export interface Bar {
  from: number;
  to: number;
  heads: number;
  colour: string;
}

export class ReportState {
  dark = $state(false);
  route: Route = $state.raw(START);
  /** What is printed: everything, or the open card. */
  printing: "" | "all" | "card" = $state("");
  /** Whether every head in brief follows the overview on paper: the button asks for it. */
  everything = $state(false);
  /** The address of the overview or of the finder, as the reader left it. */
  back = $state("#");
  /** The head that is pointed at, wherever. */
  pointed: number | null = $state(null);

  readonly colours = $derived(this.dark ? COLOURS.dark : COLOURS.light);
  // each part of the address by itself, so that what is asked does not repaint what is coloured
  private readonly question = $derived(this.route.find);
  private readonly colourKey = $derived(this.route.colour);
  readonly only = $derived(this.route.only);
  readonly x = $derived(this.route.x);
  readonly y = $derived(this.route.y);
  readonly sort = $derived(this.route.sort);
  readonly head: number | null = $derived.by(() => (this.route.head ? this.book.head(this.route.head) : null));
  readonly found: Found = $derived.by(() => find(this.question, this.book));

  constructor(readonly book: Book) {}

  /** Reads the address. */
  follow(hash: string): void {
    this.route = fromHash(hash);
    if (!this.route.head) this.back = toHash(this.route);
  }

  /** Changes the address: a new step for the back button, or the same one. */
  go(changes: Partial<Route>, how: "push" | "replace" = "replace"): void {
    const hash = toHash({ ...this.route, ...changes });
    try {
      if (how === "push") history.pushState(null, "", hash);
      else history.replaceState(null, "", hash);
    } catch {
      // a page inside another may not have an address of its own
    }
    this.follow(hash);
  }

  link(head: number): string {
    return toHash({ head: this.book.address(head) });
  }

  // what heads are coloured by

  /** Names of a kind, or the place of a statistic. */
  readonly colouring: Names | number = $derived.by(() => {
    const { names } = this.book.document;
    const chosen = names.find(({ kind }) => kind === this.colourKey);
    if (chosen) return chosen;
    const statistic = this.book.named(this.colourKey);
    if (this.colourKey && statistic !== null) return statistic;
    return names.find(({ kind }) => kind === "pattern") ?? names[0] ?? 0;
  });

  readonly domain: [number, number] = $derived.by(() => (typeof this.colouring === "number" ? this.book.domain(this.colouring) : [0, 1]));

  readonly bars: Bar[] = $derived.by(() => {
    if (typeof this.colouring !== "number") return [];
    const [low, high] = this.domain;
    const step = (high - low) / BARS;
    const bars = Array.from({ length: BARS }, (_, i) => ({ from: low + i * step, to: low + (i + 1) * step, heads: 0, colour: this.shade(low + (i + 0.5) * step) }));
    for (const value of this.book.document.statistics[this.colouring].values) if (value !== null) bars[this.bar(value)].heads++;
    return bars;
  });

  private bar(value: number): number {
    const [low, high] = this.domain;
    return Math.max(0, Math.min(BARS - 1, Math.floor((BARS * (value - low)) / (high - low))));
  }

  private shade(value: number): string {
    const [low, high] = this.domain;
    if (low >= 0) return rampColour(this.dark, 0.04 + (0.86 * (value - low)) / (high - low));
    return rampColour(this.dark, 0.5 + (0.45 * value) / Math.max(-low, high, Number.MIN_VALUE), true);
  }

  colour(head: number): string {
    if (typeof this.colouring === "number") {
      const value = this.book.document.statistics[this.colouring].values[head];
      return value === null ? "none" : this.shade(value);
    }
    const choice = this.book.name(this.colouring, head);
    return choice ? (this.dark ? choice.dark : choice.light) : "none";
  }

  /** How strongly a head is painted: one without a name, or left out by the legend, only faintly; one whose name says
   * least, quietly. */
  opacity(head: number): number {
    if (!this.stays(head)) return 0.08;
    if (typeof this.colouring === "number" || this.only) return 1;
    const name = this.book.name(this.colouring, head);
    return name?.name === "none" ? 0.28 : name?.quiet ? 0.5 : 1;
  }

  /** The heads of which a sentence of the overview begins, and the letters that mark them: A, B, C. */
  readonly letters: Map<number, string> = $derived.by(() => {
    const heads = this.book.document.stands_out.flatMap((sentence) => sentence.find((part) => typeof part === "number") ?? []);
    return new Map([...new Set(heads)].map((head, i) => [head, String.fromCharCode(65 + (i % 26))]));
  });

  /** Whether the legend leaves the head. */
  stays(head: number): boolean {
    if (!this.only) return true;
    if (typeof this.colouring !== "number") return this.book.name(this.colouring, head)?.name === this.only;
    const value = this.book.document.statistics[this.colouring].values[head];
    return value !== null && this.bar(value) === Number(this.only);
  }

  /** What the colour of a head says. */
  says(head: number): string {
    if (typeof this.colouring !== "number") return this.book.name(this.colouring, head)?.title ?? "";
    const statistic = this.book.document.statistics[this.colouring];
    return `${statistic.title} ${written(statistic, statistic.values[head], statistic.stderr[head])}`;
  }
}
