/** What a person has asked of the app: the address of the page holds all of it, and a request is made of it. */

import type { EditRequest, Grid, Model, RunRequest } from "./api";

export type HeadKind = Grid["kind"];
export type By = NonNullable<EditRequest["by"]>;
export type Second = "" | "text" | "model" | "edits";

export interface Asked {
  model: string;
  text: string;
  /** a second sentence, if there is one */
  text_b: string | null;
  /** heads that are switched off: "8.10", a layer "8.*", a group "pattern:induction" */
  off: string[];
  by: By;
  /** with `by` pattern: which; "" for the name that the atlas gives each head */
  pattern: string;
  /** the prediction that everything is about, and the token that it is judged by */
  place: number | null;
  token: number | null;
  /** the head that is looked at; "" for the one that writes most */
  head: string;
  tab: "text" | "corpus";
  /** what stands beside it: another text or model, or the same without edits */
  beside: Second;
  other_model: string;
  other_text: string;
  other_text_b: string | null;
  /** what is chosen in the view, as its own address */
  view: string;
  /** what is asked of an atlas, and of which */
  find: string;
  atlas: string;
  /** whether the frame of the page is hidden */
  embed: boolean;
}

export const NOTHING: Asked = { model: "", text: "", text_b: null, off: [], by: "mean", pattern: "", place: null, token: null, head: "", tab: "text", beside: "", other_model: "", other_text: "", other_text_b: null, view: "", find: "", atlas: "", embed: false };

const BYS: readonly string[] = ["mean", "zero", "uniform", "pattern", "patch"] satisfies By[];
const SECONDS: readonly string[] = ["", "text", "model", "edits"] satisfies Second[];

/** As the part of an address after #: what is not as at first. */
export function toHash(asked: Asked): string {
  const parts = Object.entries(asked).flatMap(([name, value]: [string, unknown]) => {
    if (JSON.stringify(value) === JSON.stringify(NOTHING[name as keyof Asked])) return [];
    if (value === true) return [name];
    return [`${name}=${encode(Array.isArray(value) ? value.join(",") : String(value))}`];
  });
  return parts.length > 0 ? `#${parts.join("&")}` : "#";
}

/** From an address; what is unknown or makes no sense is left as at first. */
export function fromHash(hash: string): Asked {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name: keyof Asked) => given.get(name) ?? "";
  const number = (name: keyof Asked) => (/^\d{1,9}$/.test(text(name)) ? Number(text(name)) : null);
  const among = <T extends string>(name: keyof Asked, choices: readonly string[], otherwise: T) => (choices.includes(text(name)) ? (text(name) as T) : otherwise);
  return {
    model: text("model"),
    text: text("text"),
    text_b: given.get("text_b"),
    off: [...new Set(text("off").split(",").filter(Boolean))],
    by: among<By>("by", BYS, "mean"),
    pattern: text("pattern"),
    place: number("place"),
    token: number("token"),
    head: text("head"),
    tab: among("tab", ["text", "corpus"], "text"),
    beside: among<Second>("beside", SECONDS, ""),
    other_model: text("other_model"),
    other_text: text("other_text"),
    other_text_b: given.get("other_text_b"),
    view: text("view"),
    find: text("find"),
    atlas: text("atlas"),
    embed: given.has("embed"),
  };
}

/** As URLSearchParams reads it, with the signs left that addresses may have. */
const encode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+").replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("*", "*");

/** What a prepared text asks. */
export function fromRequest(request: RunRequest): Partial<Asked> {
  const { beside, edits } = request;
  const second: Partial<Asked> = beside?.text ? { beside: "text", other_text: beside.text, other_text_b: beside.text_b ?? null } : beside?.model ? { beside: "model", other_model: beside.model } : beside?.edits ? { beside: "edits" } : {};
  const off = (edits ?? []).flatMap(({ heads, group }) => [...(heads ?? []), ...(group ? [group] : [])]);
  const ofText = ["text_b", "off", "by", "pattern", "place", "token", "head", "beside", "other_model", "other_text", "other_text_b", "view", "find"] as const;
  const anew = Object.fromEntries(ofText.map((name) => [name, NOTHING[name]]));
  return { ...anew, text: request.text, text_b: request.text_b ?? null, ...(off.length > 0 ? { off, by: edits![0].by ?? "mean", pattern: edits![0].pattern ?? "" } : {}), place: request.place ?? null, token: request.token ?? null, ...second };
}

/** What the server is asked. */
export function toRequest(asked: Asked, model: Model | undefined): RunRequest {
  const edits = editsOf(asked, model);
  const request: RunRequest = { model: asked.model, text: asked.text, text_b: asked.text_b, edits, place: asked.place, token: asked.token, patch_text: null, beside: null };
  if (edits[0]?.by === "patch") request.patch_text = asked.other_text;
  if (asked.beside === "text" && asked.other_text) request.beside = { text: asked.other_text, text_b: asked.other_text_b, ...(asked.by === "patch" ? { edits: [] } : {}) };
  else if (asked.beside === "model" && asked.other_model) request.beside = { model: asked.other_model };
  else if (asked.beside === "edits" && edits.length > 0) request.beside = { edits: [] };
  return request;
}

function editsOf(asked: Asked, model: Model | undefined): EditRequest[] {
  const heads = headsOff(asked.off, model);
  if (heads.length === 0) return [];
  if (asked.by === "patch" && !(asked.beside === "text" && asked.other_text)) return [{ heads, by: "mean" }];
  return [{ heads, by: asked.by, ...(asked.by === "pattern" && asked.pattern ? { pattern: asked.pattern } : {}) }];
}

/** Every head that is switched off, once each; a layer of a model that nobody knows yet, as it was written. */
export function headsOff(off: readonly string[], model: Model | undefined): string[] {
  const heads = off.flatMap((item) => {
    if (item.includes(":")) return model?.groups.find(({ id }) => id === item)?.heads ?? [];
    return item.endsWith(".*") && model?.about ? headsOfLayer(item, model) : [item];
  });
  return [...new Set(heads)];
}

/** "8.*" -> "8.0", "8.1" ... */
function headsOfLayer(item: string, model: Model): string[] {
  const grids = model.about!.grids;
  const parts = item.split(".");
  const grid = parts.length === 3 ? grids.find(({ kind }) => kind === parts[0]) : grids[0];
  const many = grid?.heads[Number(parts.at(-2))] ?? 0;
  return Array.from({ length: many }, (_, head) => `${item.slice(0, -1)}${head}`);
}

/** How a head is written: 7.9; cross.0.3, where a model has several kinds. */
export function addressOf(model: Model | undefined, kind: string, layer: number, head: number): string {
  return (model?.about?.grids.length ?? 1) > 1 ? `${kind}.${layer}.${head}` : `${layer}.${head}`;
}

/** Where a written head stands; null where the model has no such head. */
export function headAt(model: Model | undefined, address: string): { kind: HeadKind; layer: number; head: number } | null {
  const found = /^(?:([a-z]+)\.)?(\d+)\.(\d+)$/.exec(address);
  if (!found || !model?.about) return null;
  const [layer, head] = [Number(found[2]), Number(found[3])];
  const grid = model.about.grids.find(({ kind }) => !found[1] || kind === found[1]);
  return grid && head < (grid.heads[layer] ?? 0) ? { kind: grid.kind, layer, head } : null;
}
