/** A tour of six steps, each about what the page shows at that moment. */

import type { HeadWrite } from "./api";
import { fromRequest } from "./asked";
import { percent, probability, signed, typeset, visible } from "./numbers";
import type { AppState } from "./state.svelte";

const SEEN = "attlas-tour";

export interface Step {
  title: string;
  /** Goes there: the text, and what is chosen. */
  enter: (app: AppState) => void;
  /** What there is to see, with the numbers of this model; "" while they are on their way. */
  says: (app: AppState) => string;
  /** The part of the page that it is about. */
  at: string;
}

/** Opens a prepared text, with nothing switched off. */
function open(app: AppState, id: string, changes: Partial<AppState["asked"]> = {}): void {
  const { texts } = app.model ?? { texts: [] };
  const text = texts.find((each) => each.id === id) ?? texts[0];
  if (text) app.change({ ...fromRequest(text.request), beside: "", off: [], tab: "text", find: "", ...changes });
}

const LOOKS = [["next", "the next token"], ["previous", "the token before"]] as const;

/** A head that looks at its neighbour on this text, by the name that it has here. */
function neighbour(app: AppState): { head: string; where: string } | null {
  for (const [name, where] of LOOKS)
    for (const names of app.scene?.scene.names ?? []) {
      if (names.name !== name) continue;
      const [first] = [...names.heads].sort((a, b) => Number(b[3] ?? 0) - Number(a[3] ?? 0));
      if (first) return { head: app.written({ kind: first[0] as HeadWrite["kind"], layer: first[1], head: first[2] }), where };
    }
  return null;
}

/** The head that rests most, of those whose attention from the prediction's place is known. */
const resting = (app: AppState) => [...app.ranked].sort((a, b) => b.resting_weight - a.resting_weight)[0];
const tokenAt = (app: AppState, place: number) => visible(app.run?.tokens[place]?.text ?? "");

const STEPS: Step[] = [
  {
    title: "A text, as the model reads it",
    enter: (app) => open(app, "vig"),
    says: (app) => (app.run ? `These are the sentences of Vig's article of 2019, in ${app.run.tokens.length} tokens. Below, every line is a head that looks from one token to another. Type over them whenever you like.` : ""),
    at: ".text",
  },
  {
    title: "A head that looks next door",
    enter: (app) => {
      open(app, "vig");
      const found = neighbour(app);
      if (found) app.select(found.head);
    },
    says: (app) => {
      const found = neighbour(app);
      return app.scene ? (found ? `Head ${found.head} looks at ${found.where}, nearly whatever you type. Many heads keep to such a place.` : "On this text, no head of this model keeps to the next token or to the one before.") : "";
    },
    at: ".look",
  },
  {
    title: "A head that finds the word",
    enter: (app) => open(app, "object"),
    says: (app) => {
      const write = app.strongest;
      const from = write?.keys.find(({ logit }) => Math.sign(logit) === Math.sign(write.counted));
      return write && app.target ? `${app.model!.title} expects “${visible(app.target.text)}”. Of all heads, ${app.written(write)} writes most into that: ${signed(write.counted)}${from ? `, looking at “${tokenAt(app, from.place)}” with ${percent(from.weight)} of its attention` : ""}.` : app.run?.ranked ? "In this model no head by itself writes much into the prediction. A trained one has such heads." : "";
    },
    at: ".heads",
  },
  {
    title: "Where heads rest",
    enter: (app) => {
      open(app, "object");
      const head = resting(app);
      if (head) app.select(app.written(head));
    },
    says: (app) => {
      const head = resting(app);
      return head ? `Head ${app.written(head)} ${head.resting_weight > 0.5 ? "rests" : "comes nearest to rest"}: ${percent(head.resting_weight)} of its attention goes to a separator or the first token, where there is nothing to read. What heads take from there (${signed(head.resting)} here) is left out of the ranking.` : "";
    },
    at: ".panel",
  },
  {
    title: "Switch a head off, beside chance",
    enter: (app) => {
      const [write] = app.ranked;
      const head = write ? app.written(write) : app.head;
      app.change({ off: [head], by: "mean", head, tab: "text" });
    },
    says: (app) => {
      const { effect } = app.run ?? {};
      if (!effect) return "";
      const { before, after } = effect.predictions.find(({ place }) => place === effect.place)!.target;
      return `${typeset(effect.sentence)} ${probability(before) === probability(after) ? "" : "The dot is this head, the circles are random heads: only what lies beyond them is a finding."}`.trim();
    },
    at: ".switching",
  },
  {
    title: "What the head does elsewhere",
    enter: (app) => app.change({ off: [], tab: app.model?.atlas ? "corpus" : "text" }),
    says: (app) => (app.model?.atlas ? `This is the card of head ${app.head}: what it does over a whole corpus, with examples, and how sure that is. “Share” keeps what you see.` : "One text is one text. Begin the server with --atlas, and this panel shows what the head does over a whole corpus. “Share” keeps what you see."),
    at: ".panel",
  },
];

export class Tour {
  /** -1: it is offered. null: it is not shown. */
  step: number | null = $state(null);

  constructor(private readonly app: AppState) {}

  /** Those that make sense for the model: one that predicts nothing has nothing to switch off for. */
  get steps(): Step[] {
    return this.app.about?.kind === "embedding" ? [STEPS[0], STEPS[1], STEPS[5]] : STEPS;
  }

  get now(): Step | null {
    return this.step === null || this.step < 0 ? null : this.steps[this.step];
  }

  /** Offers the tour to who is here for the first time. */
  offer(): void {
    try {
      if (!localStorage.getItem(SEEN)) this.step = -1;
    } catch {
      // a page inside another may keep nothing
    }
  }

  start(): void {
    this.go(0);
  }

  go(step: number): void {
    if (step >= this.steps.length) return this.stop();
    this.step = step;
    this.now?.enter(this.app);
  }

  stop(): void {
    this.step = null;
    try {
      localStorage.setItem(SEEN, "seen");
    } catch {
      // as above
    }
  }
}
