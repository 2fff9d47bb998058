/** Made by `scripts/docs` from `web/contract/openapi.json`: do not edit. */

import type { Scene as ViewScene } from "../core/contract";
import type { LinkReason } from "../core/contract";
import type { Report } from "../report/contract";

/** Heads to switch off, and what they do instead. */
export interface EditRequest {
  /** "7.9", "7.*" for a layer, "cross.0.3" */
  heads?: string[];
  /** or all heads of a named group of an atlas (`Group.id`) */
  group?: string | null;
  /**
   * mean: gives its mean output over the embedded text. uniform: attends evenly. pattern: attends as its
   * name says. patch: gives what it gives in the run's `patch_text`
   */
  by?: "mean" | "zero" | "uniform" | "pattern" | "patch";
  /** with `by="pattern"`: a pattern of `ModelAbout.patterns`; None: the name that the atlas gives each head */
  pattern?: string | null;
}

/** What differs in a second run beside the first: what is None is the same. */
export interface Beside {
  model?: string | null;
  text?: string | null;
  text_b?: string | null;
  edits?: EditRequest[] | null;
}

/** A model reads a text, perhaps without some of its heads, perhaps beside a second run. */
export interface RunRequest {
  model: string;
  text: string;
  /** a second sentence, for encoders; what the decoder reads, for an encoder-decoder */
  text_b?: string | null;
  edits?: EditRequest[];
  /**
   * the prediction that edits and heads are judged by: a mask, or the token after which a decoder predicts.
   * None: the first mask, the last token
   */
  place?: number | null;
  /** a token that may stand there. None: what the model finds likeliest, without edits */
  token?: number | null;
  /**
   * sets of as many random heads of the same layers, beside which the edits stand. None: 19, or fewer of a
   * long text, down to five
   */
  random_sets?: number | null;
  /** what heads are taken from with `by="patch"`: a text with as many tokens */
  patch_text?: string | null;
  beside?: Beside | null;
  /** whether the answer has the maps, with the edits in force */
  scene?: boolean;
  /** whether it ranks heads by what they write into the prediction */
  ranked?: boolean;
}

/** Which heads raise or lower one predicted token. */
export interface WritesRequest {
  model: string;
  text: string;
  text_b?: string | null;
  place?: number | null;
  token?: number | null;
}

/** Who wrote the query and the key of a link, in the text that a run reads, with its edits. */
export interface WhyRequest {
  run: RunRequest;
  /** as heads are written: "7.9", "cross.0.3" */
  head: string;
  query: number;
  key: number;
}

/** A run that is done, to be saved as a page, and the part of the address after # that it opens with. */
export interface SaveRequest {
  job: string;
  address?: string;
}

/** Heads that an atlas gives the same name. */
export interface Group {
  /** "pattern:induction" */
  id: string;
  kind: "behaviour" | "pattern" | "shape";
  /** as people read it: "induction" */
  title: string;
  heads: string[];
}

/** A text to begin with, and why. */
export interface PreparedText {
  id: string;
  title: string;
  why: string;
  request: RunRequest;
}

/** The heads of one kind: how many in each layer. */
export interface Grid {
  kind: "encoder" | "decoder" | "cross" | "vision";
  heads: number[];
}

/** What is known of a model once it was loaded. */
export interface ModelAbout {
  kind: "masked" | "causal" | "encoder_decoder" | "embedding";
  /** its class */
  type: string;
  grids: Grid[];
  parameters: number;
  bytes: number;
  /** the most of a text */
  tokens: number;
  /** whether it reads a second text */
  text_b: boolean;
  /** how it writes what is to be predicted: "[MASK]" */
  mask: string | null;
  /** why heads cannot be switched off; None where they can */
  uneditable: string | null;
  /** why nothing is predicted; None where something is */
  unpredicting: string | null;
  /** why heads cannot be ranked by what they write into a prediction; None where they can */
  unranked: string | null;
  /** patterns that a head can be made to follow, and as people call them */
  patterns: Record<string, string>;
  /** that loading took */
  seconds: number;
}

/** A model that was given when the server began. */
export interface Model {
  id: string;
  title: string;
  state: "not loaded" | "loading" | "loaded" | "failed";
  /** why it could not be loaded */
  message: string;
  about: ModelAbout | null;
  /** the id of its atlas */
  atlas: string | null;
  groups: Group[];
  texts: PreparedText[];
}

export interface Atlas {
  id: string;
  title: string;
  /** the id of the model that it is of, where that is served */
  model: string | null;
}

export interface Limits {
  characters: number;
  tokens: number;
  edits: number;
  random_sets: number;
  /** jobs that wait; beyond them the server answers 429 */
  queue: number;
  /** that a job may run */
  seconds: number;
}

/** Everything that the page begins with. */
export interface Models {
  contract: "attlas.app/1";
  version: string;
  models: Model[];
  atlases: Atlas[];
  limits: Limits;
}

/** Work that was asked for, and where it stands. Its events are these, one after the other. */
export interface Job {
  id: string;
  phase: "queued" | "loading" | "running" | "done" | "failed" | "cancelled";
  /** jobs before it */
  behind: number;
  /** what it is doing: "reading the text" */
  doing: string;
  done: number;
  /** 0 where nobody knows */
  total: number;
  /** why it failed, in one sentence */
  message: string;
}

/** A token of the text that the model read. */
export interface TextToken {
  /** as people read it */
  text: string;
  /** what stands before it: a space, a new line, nothing */
  gap: "s" | "n" | "-";
  special: boolean;
  /** which text it is from, and its characters there; None for what the tokenizer added */
  side: "a" | "b" | null;
  start: number | null;
  end: number | null;
}

/** A token of the vocabulary, and how likely the model finds it. */
export interface Likely {
  token: number;
  /** as people read it */
  text: string;
  /** what to put into the text to have it there */
  raw: string;
  probability: number;
  logprob: number;
}

/** What a model predicts at one place, the likeliest first. */
export interface Prediction {
  place: number;
  /** of a decoder: the token that stands next in the text; None at the end, and for a mask */
  next: Likely | null;
  top: Likely[];
}

/** A token's probability without edits and with them. */
export interface Shift {
  token: number;
  text: string;
  raw: string;
  before: number;
  after: number;
}

/** A prediction without edits and with them. */
export interface Changed {
  place: number;
  target: Shift;
  /** of the target's log-probability, in nats */
  change: number;
  /** the ten likeliest before and the ten likeliest after, by what they were before */
  top: Shift[];
}

/** As many heads at random, changed in the same way. */
export interface RandomSet {
  heads: string[];
  /** the target's probability */
  after: number;
  change: number;
}

/** What edits do to the predictions, beside random heads. */
export interface Effect {
  /** every head that is switched off */
  heads: string[];
  /** of a decoder, at the target's place alone; of a masked model, at every mask */
  predictions: Changed[];
  /** of the target */
  place: number;
  random: RandomSet[];
  control: "same layers" | "other layers" | "none";
  /** whether the random heads are all others of the layer */
  every_other: boolean;
  /** beyond: further than every random set. within: no further. none: too little to matter */
  verdict: "beyond" | "within" | "none" | "no control";
  sentence: string;
}

/** A token that a head looks at from a prediction's place, and what it adds to the logit from there. */
export interface KeyWrite {
  place: number;
  weight: number;
  logit: number;
}

/** What a head adds to the target's logit by itself, the mean over the vocabulary taken off. */
export interface HeadWrite {
  kind: "encoder" | "decoder" | "cross" | "vision";
  layer: number;
  head: number;
  logit: number;
  /** what of it comes from where heads rest ([SEP], or the first token), and the weight there */
  resting: number;
  resting_weight: number;
  /** without what comes from there: by this heads are ranked */
  counted: number;
  /** where the most of that comes from */
  keys: KeyWrite[];
}

/**
 * Heads ranked by what they write into one prediction, the strongest first, whether they raise or lower
 * it.
 */
export interface Writes {
  place: number;
  target: Likely;
  heads: HeadWrite[];
  /** a write smaller than this, either way, moves the target's probability by less than anybody sees */
  smallest: number;
  /** what else adds to the logit: "embeddings", "feed_forward.0", "biases" */
  others: Record<string, number>;
  logit: number;
}

/** What an encoder without predictions makes of a text: the mean over tokens of its last layer. */
export interface Embedding {
  values: number[];
  /** with edits: the cosine with the unedited one, and the same for random heads */
  cosine: number | null;
  random: number[];
  sentence: string;
}

/** Maps, as the views take them. */
export interface Scene {
  scene: ViewScene;
  /** base64 of the deflated bytes */
  data: string;
}

/** What a model makes of a text. */
export interface Run {
  model: string;
  kind: "masked" | "causal" | "encoder_decoder" | "embedding";
  tokens: TextToken[];
  /** of a decoder, one for every token; of a masked model, one for every mask */
  predictions: Prediction[];
  /** why there are none */
  unpredicted: string | null;
  ranked: Writes | null;
  /** why heads are not ranked */
  unranked: string | null;
  effect: Effect | null;
  embedding: Embedding | null;
  /** what cannot be shown, and why */
  notes: string[];
}

/** A run, the one beside it, and the maps of both; with their difference, if both have as many tokens. */
export interface RunResult {
  run: Run;
  beside: Run | null;
  scene: Scene | null;
  seconds: number;
}

/** What a job that is done has found: what was asked for is there. */
export interface JobResult {
  run: RunResult | null;
  writes: Writes | null;
  why: LinkReason | null;
}

/** What gives the same numbers in Python. */
export interface PythonLines {
  code: string;
}

/** An atlas as the report's page takes it: cards, names, finder. */
export interface AtlasReport {
  report: Report;
  /** base64 of the deflated bytes */
  data: string;
}

/** Why a request was not answered, in one sentence. */
export interface Problem {
  message: string;
}

/** Every route: what it takes, and what it gives. */
export interface Routes {
  /** The app. */
  "GET /": { takes: null; gives: unknown };
  /** The app's script. */
  "GET /app.js": { takes: null; gives: unknown };
  /** The app's style. */
  "GET /app.css": { takes: null; gives: unknown };
  /** Whether the server answers. */
  "GET /health": { takes: null; gives: Record<string, string> };
  /** The API, as people read it. */
  "GET /docs": { takes: null; gives: unknown };
  /** The API, as programs read it. */
  "GET /openapi.json": { takes: null; gives: Record<string, unknown> };
  /** Models, atlases, prepared texts and limits. */
  "GET /api/models": { takes: null; gives: Models };
  /** Run a text: what the model predicts, which heads write it, what edits change, and the maps. */
  "POST /api/runs": { takes: RunRequest; gives: Job };
  /** Rank heads by what they write into one predicted token. */
  "POST /api/writes": { takes: WritesRequest; gives: Job };
  /** Say who wrote the query and the key by which a head looks from one token at another. */
  "POST /api/why": { takes: WhyRequest; gives: Job };
  /** The lines of Python that give the same numbers. */
  "POST /api/python": { takes: RunRequest; gives: PythonLines };
  /** A run as a page of its own, which needs no server. */
  "POST /api/pages": { takes: SaveRequest; gives: unknown };
  /** How a job stands. */
  "GET /api/jobs/{id}": { takes: null; gives: Job };
  /** Cancel a job: in the queue, or in the middle of the model. */
  "DELETE /api/jobs/{id}": { takes: null; gives: Job };
  /** How a job stands, whenever that changes: events named `job`, the last of which has ended. */
  "GET /api/jobs/{id}/events": { takes: null; gives: unknown };
  /** What a job has found, once it is done. */
  "GET /api/jobs/{id}/result": { takes: null; gives: JobResult };
  /** An atlas: the cards of its heads, and what finds them. */
  "GET /api/atlases/{id}/report": { takes: null; gives: AtlasReport };
}
