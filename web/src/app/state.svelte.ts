/** The app: what is asked, how that stands, and what came of it. Asking changes the address; the address asks. */

import type { LinkReason } from "../core/contract";
import { Names } from "../core/names";
import type { AskedLink } from "../core/reasons";
import { prefersDark } from "../draw/theme";
import type { Mounted } from "../view";
import type { Changed, HeadWrite, Job, Model, Models, Prediction, Run, RunRequest, RunResult, Scene } from "./api";
import { type Asked, type HeadKind, NOTHING, addressOf, fromHash, fromRequest, headAt, headsOff, toHash, toRequest } from "./asked";
import { type Backend, Unanswered, Unwanted } from "./backend";
import { type Corpus, openCorpus } from "./corpus.svelte";
import { sameRequest } from "./kept";
import { Tour } from "./tour.svelte";

/** Milliseconds after the last key until the model reads a text. */
const PAUSE = 350;
/** How many tokens a model writes at most, when it writes on. */
const WRITES_ON = 20;

export class AppState {
  dark = $state(prefersDark("system"));
  readonly tour = new Tour(this);
  asked: Asked = $state.raw(NOTHING);
  models: Models = $state.raw()!;
  result: RunResult | null = $state.raw(null);
  /** Of the newest answer that had maps: while only a target changes, they stay. */
  scene: Scene | null = $state.raw(null);
  /** What the result answers. */
  answered: RunRequest | null = $state.raw(null);
  job: Job | null = $state.raw(null);
  problem = $state("");
  /** What the address asked for and is not here. */
  notice = $state("");
  /** Whether the model is writing on. */
  writing = $state(false);
  /** The atlas that is open: cards of heads, and what finds them. */
  corpus: Corpus | null = $state.raw(null);
  corpusProblem = $state("");
  /** The view that is mounted: links and numbers of this text are read from it. */
  view: Mounted | null = $state.raw(null);

  readonly model: Model | undefined = $derived.by(() => this.models.models.find(({ id }) => id === this.asked.model));
  readonly about = $derived(this.model?.about ?? null);
  readonly run: Run | null = $derived(this.result?.run ?? null);
  /** The heads that are switched off, one by one. */
  readonly off: string[] = $derived.by(() => headsOff(this.asked.off, this.model));
  /** without 8.10 · with 3 heads changed */
  readonly changedHeads: string = $derived.by(() => {
    const heads = this.off.length === 1 ? this.off[0] : `${this.off.length} heads`;
    return ["patch", "pattern"].includes(this.asked.by) ? `with ${heads} changed` : `without ${heads}`;
  });
  readonly ranked: HeadWrite[] = $derived(this.run?.ranked?.heads ?? []);
  /** The head that writes most, if that is worth a sentence. */
  readonly strongest: HeadWrite | null = $derived.by(() => {
    const [first] = this.ranked;
    return first && Math.abs(first.counted) >= this.run!.ranked!.smallest ? first : null;
  });
  /** The head that is looked at: the chosen one, or the one that writes most. */
  readonly head: string = $derived.by(() => {
    if (this.asked.head && headAt(this.model, this.asked.head)) return this.asked.head;
    const first = this.ranked[0];
    return first ? this.written(first) : "";
  });
  readonly write: HeadWrite | undefined = $derived.by(() => this.ranked.find((write) => this.written(write) === this.head));
  /** The place that everything is about. */
  readonly place: number | null = $derived.by(() => this.run?.ranked?.place ?? this.run?.effect?.place ?? this.asked.place ?? this.run?.predictions.at(this.run.kind === "masked" ? 0 : -1)?.place ?? null);
  readonly prediction: Prediction | undefined = $derived.by(() => this.run?.predictions.find(({ place }) => place === this.place));
  readonly changed: Changed | undefined = $derived.by(() => this.run?.effect?.predictions.find(({ place }) => place === this.run?.effect?.place));
  readonly target = $derived.by(() => this.changed?.target ?? this.run?.ranked?.target ?? this.prediction?.top[0]);
  /** What heads of this model are called: by its atlas, or by the rules on this text alone. */
  readonly names: Names | null = $derived.by(() => (this.scene ? new Names(this.scene.scene.names) : null));
  /** What stands beside it. */
  readonly beside: Run | null = $derived(this.result?.beside ?? null);
  /** The atlas of this model; else the first that there is. */
  readonly ownAtlas: string = $derived(this.model?.atlas ?? this.models.atlases[0]?.id ?? "");
  readonly atlas: string = $derived(this.models.atlases.find(({ id }) => id === this.asked.atlas)?.id ?? this.ownAtlas);
  readonly busy = $derived(this.job !== null);
  /** Whether what is shown answers what is asked. */
  readonly current = $derived.by(() => this.answered !== null && sameRequest(this.answered) === sameRequest(this.request));
  readonly request: RunRequest = $derived.by(() => toRequest(this.asked, this.model));

  /** The newest job that is done: what a saved page is made of. */
  private lastJob = "";
  private opening = "";
  private unwanted: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sceneOf = "";

  constructor(
    readonly backend: Backend,
    models: Models,
  ) {
    this.models = models;
  }

  written({ kind, layer, head }: { kind: HeadKind; layer: number; head: number }): string {
    return addressOf(this.model, kind, layer, head);
  }

  /** The first name of a head that says something. Without an atlas, and its untrained twin, "broad" says nothing. */
  nameOf(address: string) {
    const at = headAt(this.model, address);
    const name = at && this.names?.called(at.kind, at.layer, at.head);
    return name && (this.model?.atlas || name.name !== "broad") ? name : null;
  }

  // ---- the address ----

  /** Reads the address, and asks what it says. */
  follow(hash: string): void {
    const asked = fromHash(hash);
    const known = this.models.models.find(({ id }) => id === asked.model);
    const first = this.models.models[0]?.id ?? "";
    this.notice = asked.model && !known ? `This server has no model ${asked.model}.` : "";
    // heads and places of a model that is not here say nothing of another
    this.asked = known || !asked.model ? { ...asked, model: known?.id ?? first } : { ...NOTHING, model: first, embed: asked.embed };
    if (!this.asked.text && this.backend.opens && hash !== this.backend.opens) this.follow(this.backend.opens);
    else if (!this.asked.text) this.begin();
    else this.ask();
  }

  /** Changes what is asked: a new step for the back button, or the same one. */
  change(changes: Partial<Asked>, how: "push" | "replace" = "push", wait = 0): void {
    const before = toHash(this.asked);
    this.asked = { ...this.asked, ...changes };
    const hash = toHash(this.asked);
    if (hash === before) return;
    try {
      if (how === "push") history.pushState(null, "", hash);
      else history.replaceState(null, "", hash);
    } catch {
      // a page inside another may not have an address of its own
    }
    clearTimeout(this.timer);
    if (wait > 0) this.timer = setTimeout(() => this.ask(), wait);
    else this.ask();
  }

  /** The first text that has something to predict: nobody begins with an empty page. */
  private begin(): void {
    const { texts } = this.model ?? { texts: [] };
    const first = texts.find(({ id }) => id === (this.about ? "capital" : "vig")) ?? texts[0];
    if (!first) return;
    const { find } = this.asked;
    this.asked = { ...this.asked, ...fromRequest(first.request), find };
    this.ask();
  }

  // ---- what people do ----

  chooseModel(id: string): void {
    const next = this.models.models.find((model) => model.id === id);
    const mask = [this.about?.mask, next?.about?.mask];
    // a text with a mask of one model is read by another with its own
    const text = mask[0] && mask[1] ? this.asked.text.replaceAll(mask[0], mask[1]) : this.asked.text;
    const prepared = this.model?.texts.find(({ request }) => request.text === this.asked.text);
    const same = prepared && next?.texts.find((each) => each.id === prepared.id);
    const kept = same ? fromRequest(same.request) : { text, text_b: next?.about?.text_b === false ? null : this.asked.text_b };
    this.change({ ...kept, model: id, off: [], place: null, token: null, head: "", view: "", beside: this.asked.beside === "model" ? "model" : "", other_model: this.asked.model, atlas: "" });
  }

  type(text: string): void {
    this.change({ text, place: null, token: null }, "replace", PAUSE);
  }

  typeSecond(text_b: string | null): void {
    this.change({ text_b, place: null, token: null }, "replace", PAUSE);
  }

  select(head: string, tab = this.asked.tab): void {
    this.change({ head, tab });
  }

  isOff(head: string): boolean {
    return this.off.includes(head);
  }

  /** Switches a head, a layer or a group off, or on again. */
  toggle(item: string): void {
    const { off } = this.asked;
    if (off.includes(item)) return this.change({ off: off.filter((each) => each !== item) });
    if (this.isOff(item)) return this.change({ off: this.off.filter((each) => each !== item) }); // out of a layer or group
    this.change({ off: [...off, item] });
  }

  /** Hides a token of the text behind the mask, or shows it again. */
  mask(place: number): void {
    const token = this.run?.tokens[place];
    const { mask } = this.about ?? {};
    if (!mask || !token || token.start === null || token.end === null) return;
    const side = token.side === "b" ? "text_b" : "text";
    const text = this.asked[side] ?? "";
    this.change({ [side]: text.slice(0, token.start) + mask + text.slice(token.end), place: null, token: null, off: [...this.asked.off] });
  }

  /** Puts a predicted token into the text: in place of its mask, or after the last token. */
  accept(place: number, raw: string): void {
    const at = this.run?.tokens[place];
    if (this.run?.kind === "masked") {
      if (!at || at.start === null || at.end === null) return;
      const side = at.side === "b" ? "text_b" : "text";
      const text = this.asked[side] ?? "";
      this.change({ [side]: text.slice(0, at.start) + raw.trim() + text.slice(at.end), place: null, token: null });
    } else if (this.run?.kind === "encoder_decoder") this.change({ text_b: (this.asked.text_b ?? "") + raw, place: null, token: null });
    else {
      const end = at?.end;
      const kept = end === null || end === undefined || place === this.run!.tokens.length - 1 ? this.asked.text : this.asked.text.slice(0, end);
      this.change({ text: kept + raw, place: null, token: null });
    }
  }

  /** Lets a decoder write on, each time the token that it finds likeliest. */
  async writeOn(): Promise<void> {
    if (this.writing) {
      this.writing = false;
      return;
    }
    this.writing = true;
    const field = this.run?.kind === "encoder_decoder" ? "text_b" : "text";
    try {
      for (let step = 0; step < WRITES_ON && this.writing; step++) {
        const { run } = await this.answer({ ...this.request, place: null, token: null, beside: null, scene: false, ranked: false });
        const likeliest = run?.run.effect?.predictions[0]?.top.reduce((best, each) => (each.after > best.after ? each : best)) ?? run?.run.predictions.at(-1)?.top[0];
        if (!likeliest?.raw || !this.writing) break;
        this.asked = { ...this.asked, [field]: (this.asked[field] ?? "") + likeliest.raw, place: null, token: null };
      }
    } catch (error) {
      if (!(error instanceof Unwanted)) this.problem = messageOf(error);
    } finally {
      this.writing = false;
      history.replaceState(null, "", toHash(this.asked));
      this.ask();
    }
  }

  /** Asks once more what was cancelled or failed. */
  again(): void {
    this.answered = null;
    this.ask();
  }

  cancel(): void {
    this.writing = false;
    clearTimeout(this.timer);
    this.unwanted?.abort();
    this.unwanted = null;
    this.job = null;
  }

  /** Puts another text, another model or the same without edits beside it; or nothing. */
  putBeside(beside: Asked["beside"]): void {
    const other = this.models.models.find(({ id }) => id !== this.asked.model)?.id ?? this.asked.model;
    this.change({ beside, ...(beside === "text" && !this.asked.other_text ? { other_text: this.asked.text, other_text_b: this.asked.text_b } : {}), ...(beside === "model" ? { other_model: this.asked.other_model || other } : {}), ...(beside !== "text" && this.asked.by === "patch" ? { by: "mean" as const } : {}) });
  }

  typeBeside(other_text: string): void {
    this.change({ other_text }, "replace", PAUSE);
  }

  /** Opens the atlas that is asked, once. */
  async openCorpus(): Promise<void> {
    const id = this.atlas;
    if (!id || this.opening === id) return;
    this.opening = id;
    try {
      this.corpusProblem = "";
      const opened = await openCorpus(await this.backend.report(id), this, id);
      if (this.opening === id) this.corpus = opened;
    } catch (error) {
      this.opening = "";
      this.corpusProblem = messageOf(error);
    }
  }

  /** The run that is shown as a page of its own. */
  save(): Promise<Blob> {
    return this.backend.page(this.lastJob, toHash({ ...this.asked, embed: false }));
  }

  python(): Promise<string> {
    return this.backend.python(this.request);
  }

  // ---- asking ----

  /** Asks what is not answered yet. What was asked before and is not wanted any more ends in the model. */
  ask(): void {
    clearTimeout(this.timer);
    if (!this.asked.text || this.writing) return;
    const request = this.request;
    if (this.answered && sameRequest(this.answered) === sameRequest(request)) {
      this.cancel();
      this.problem = "";
      return;
    }
    const drawn = sameRequest({ ...request, place: null, token: null });
    const scene = drawn !== this.sceneOf;
    void this.settle({ ...request, scene: scene || this.backend.kept }, drawn);
  }

  private async settle(request: RunRequest, drawn: string): Promise<void> {
    this.problem = "";
    try {
      const { run } = await this.answer(request);
      if (!run) return;
      this.result = run;
      this.answered = request;
      if (run.scene) {
        this.scene = run.scene;
        this.sceneOf = drawn;
      }
      if (!this.about) await this.know();
    } catch (error) {
      if (!(error instanceof Unwanted)) this.problem = messageOf(error);
    }
  }

  /** What is known of models once they are loaded; then a text of its own kind can be read. */
  private async know(): Promise<void> {
    const before = this.model?.texts ?? [];
    this.models = await this.backend.models();
    const began = before.some(({ request }) => request.text === this.asked.text) && location.hash.length < 2;
    if (began) this.begin();
  }

  /** Why a head looks from one token at another, in the text that is shown. */
  async why({ head: [kind, layer, head], query, key }: AskedLink): Promise<LinkReason> {
    const asked = { run: { ...this.answered!, beside: null }, head: this.written({ kind: kind as HeadKind, layer, head }), query, key };
    const { why } = await this.backend.answer("why", asked, () => {}, new AbortController().signal);
    return why!;
  }

  private async answer(request: RunRequest) {
    this.unwanted?.abort();
    const unwanted = (this.unwanted = new AbortController());
    this.job = { id: "", phase: "queued", behind: 0, doing: "", done: 0, total: 0, message: "" };
    try {
      return await this.backend.answer(
        "runs",
        request,
        (job) => {
          if (this.unwanted !== unwanted) return;
          this.job = job;
          if (job.phase === "done") this.lastJob = job.id;
        },
        unwanted.signal,
      );
    } finally {
      if (this.unwanted === unwanted) this.unwanted = this.job = null;
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Unanswered ? error.message : error instanceof Error ? `The page failed: ${error.message}` : String(error));
