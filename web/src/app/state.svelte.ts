/** The app: what is asked, how that stands, and what came of it. Asking changes the address; the address asks. */

import { Names } from "../core/names";
import type { Mounted } from "../view";
import type { Changed, HeadWrite, Job, Model, Models, Prediction, Run, RunRequest, RunResult, Scene } from "./api";
import { type Asked, type HeadKind, NOTHING, addressOf, fromHash, fromRequest, headAt, headsOff, toHash, toRequest } from "./asked";
import { type Backend, Unanswered, Unwanted } from "./backend";
import { sameRequest } from "./kept";

/** Milliseconds after the last key until the model reads a text. */
const PAUSE = 350;
/** How many tokens a model writes at most, when it writes on. */
const WRITES_ON = 20;

export class AppState {
  asked: Asked = $state.raw(NOTHING);
  models: Models = $state.raw()!;
  result: RunResult | null = $state.raw(null);
  /** Of the newest answer that had maps: while only a target changes, they stay. */
  scene: Scene | null = $state.raw(null);
  /** What the result answers. */
  answered: RunRequest | null = $state.raw(null);
  job: Job | null = $state.raw(null);
  problem = $state("");
  /** Whether the model is writing on. */
  writing = $state(false);
  /** The view that is mounted: links and numbers of this text are read from it. */
  view: Mounted | null = $state.raw(null);

  readonly model: Model | undefined = $derived.by(() => this.models.models.find(({ id }) => id === this.asked.model));
  readonly about = $derived(this.model?.about ?? null);
  readonly run: Run | null = $derived(this.result?.run ?? null);
  /** The heads that are switched off, one by one. */
  readonly off: string[] = $derived.by(() => headsOff(this.asked.off, this.model));
  readonly ranked: HeadWrite[] = $derived(this.run?.ranked?.heads ?? []);
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
  readonly busy = $derived(this.job !== null);
  /** Whether what is shown answers what is asked. */
  readonly current = $derived.by(() => this.answered !== null && sameRequest(this.answered) === sameRequest(this.request));
  readonly request: RunRequest = $derived.by(() => toRequest(this.asked, this.model));

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

  /** The first name of a head that says something. */
  nameOf(address: string) {
    const at = headAt(this.model, address);
    return at && (this.names?.called(at.kind, at.layer, at.head) ?? null);
  }

  // ---- the address ----

  /** Reads the address, and asks what it says. */
  follow(hash: string): void {
    const asked = fromHash(hash);
    const known = this.models.models.find(({ id }) => id === asked.model) ?? this.models.models[0];
    this.asked = { ...asked, model: known?.id ?? "" };
    if (!this.asked.text) this.begin();
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
    this.asked = { ...this.asked, ...fromRequest(first.request), embed: this.asked.embed };
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
      if (!this.about || this.about === null) await this.know();
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

  private async answer(request: RunRequest) {
    this.unwanted?.abort();
    const unwanted = (this.unwanted = new AbortController());
    this.job = { id: "", phase: "queued", behind: 0, doing: "", done: 0, total: 0, message: "" };
    try {
      return await this.backend.answer("runs", request, (job) => this.unwanted === unwanted && (this.job = job), unwanted.signal);
    } finally {
      if (this.unwanted === unwanted) this.unwanted = this.job = null;
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Unanswered ? error.message : error instanceof Error ? `The page failed: ${error.message}` : String(error));
