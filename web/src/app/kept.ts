/**
 * A page that needs no server: the file holds what one answered. A block `app` says what there is, as JSON; every
 * answer is a block of its own, deflated and in base64, so that only what is looked at is read.
 */

import { fromBase64, inflate } from "../core/payload";
import type { AtlasReport, JobResult, Models, RunRequest, RunResult } from "./api";
import { type Asks, type Backend, Unanswered } from "./backend";

export interface KeptApp {
  contract: "attlas.kept/1";
  models: Models;
  /** what was asked, the block with its `RunResult`, and the Python that gives the same */
  answers: { request: RunRequest; block: string; python: string }[];
  /** an atlas's id -> the block with its `AtlasReport` */
  reports: Record<string, string>;
  /** the part of an address that it begins with */
  opens: string;
}

const textOf = (block: string) => document.querySelector(`script[data-attlas="${CSS.escape(block)}"]`)?.textContent;

/** What this page keeps; null where it came from a server. */
export function heldApp(): KeptApp | null {
  const text = textOf("app");
  return text ? (JSON.parse(text) as KeptApp) : null;
}

async function unpacked<T>(block: string): Promise<T> {
  return JSON.parse(new TextDecoder().decode(await inflate(fromBase64(textOf(block) ?? "")))) as T;
}

export class Kept implements Backend {
  readonly kept = true;

  readonly opens: string;

  constructor(readonly app: KeptApp) {
    this.opens = app.opens;
  }

  async page(): Promise<Blob> {
    throw new Unanswered("This page is saved already.");
  }

  models(): Promise<Models> {
    return Promise.resolve(this.app.models);
  }

  async answer<Route extends keyof Asks>(route: Route, body: Asks[Route]): Promise<JobResult> {
    const found = route === "runs" ? this.find(body as RunRequest) : undefined;
    if (!found) throw new Unanswered("This page keeps no answer to that: it was saved without its model. Go back, or open the app with attlas serve.");
    const run = await unpacked<RunResult>(found.block);
    // maps are large: with heads switched off, those of the text itself stay
    const plain = run.scene ? undefined : this.find({ ...(body as RunRequest), edits: [] });
    return { run: plain ? { ...run, scene: (await unpacked<RunResult>(plain.block)).scene } : run, writes: null, why: null };
  }

  async python(request: RunRequest): Promise<string> {
    return this.find(request)?.python ?? "";
  }

  async report(atlas: string): Promise<AtlasReport> {
    const block = this.app.reports[atlas];
    if (!block) throw new Unanswered("This page keeps no cards.");
    return unpacked<AtlasReport>(block);
  }

  private find(request: RunRequest) {
    const wanted = sameRequest(request);
    return this.app.answers.find((each) => sameRequest(each.request) === wanted);
  }
}

/** Equal for requests that have the same answer, whether or not they write out what is so by default. */
export function sameRequest({ model, text, text_b, edits, place, token, patch_text, beside }: RunRequest): string {
  const plain = (of: RunRequest["edits"]) => (of ?? []).map(({ heads, group, by, pattern }) => [heads ?? [], group ?? null, by ?? "mean", pattern ?? null]);
  const other = beside ? [beside.model ?? null, beside.text ?? null, beside.text_b ?? null, beside.edits ? plain(beside.edits) : null] : null;
  return JSON.stringify([model, text, text_b ?? null, plain(edits), place ?? null, token ?? null, patch_text ?? null, other]);
}
