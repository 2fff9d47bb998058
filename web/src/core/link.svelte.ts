/** What is chosen, in words that leave the page: the address of the page, and a call in Python. */

import type { Scene, Selection } from "./contract";
import type { Store } from "./store.svelte";

type Name = keyof Selection;

/** What is chosen and not as the view opened, as the part of an address after #. */
export function toHash(selection: Selection, opened: Selection): string {
  return changed(selection, opened)
    .map((name) => `${name}=${encodeURIComponent(JSON.stringify(selection[name]))}`)
    .join("&");
}

/** The selection that an address names; what is unknown or does not fit this scene is left as it was. */
export function fromHash(hash: string, scene: Scene): Selection {
  const selection = structuredClone(scene.selection);
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [name, value] = part.split("=", 2);
    if (!(name in selection) || value === undefined) continue;
    try {
      const read: unknown = JSON.parse(decodeURIComponent(value));
      if (fits(name as Name, read, scene)) Object.assign(selection, { [name]: read });
    } catch {
      // an address that somebody cut off, or wrote by hand
    }
  }
  const layers = scene.attentions.find((each) => each.attention === selection.attention)!.layers;
  const layer = layers.find((each) => each.layer === selection.layer) ?? layers[0];
  selection.layer = layer.layer;
  selection.heads = selection.heads.filter((head) => layer.heads.includes(head));
  if (selection.heads.length === 0) selection.heads = [...layer.heads];
  return selection;
}

const CHOICES: Partial<Record<Name, readonly unknown[]>> = {
  kind: ["head", "model", "text", "matrix", "neuron", "image"],
  level: ["pieces", "words"],
  layout: ["columns", "rows"],
  sentences: ["all", "a-a", "b-b", "a-b", "b-a"],
  weighting: ["weights", "norm"],
  direction: ["from", "to"],
  reverse: [true, false],
  without_first: [true, false],
};

function fits(name: Name, value: unknown, scene: Scene): boolean {
  const whole = (n: unknown): n is number => Number.isInteger(n) && (n as number) >= 0;
  const token = (n: unknown) => whole(n) && Object.values(scene.sides).some(({ tokens }) => n < tokens.length);
  if (name === "kind" && value === "image" && !scene.images) return false;
  if (name === "kind" && value === "neuron" && !scene.attentions.some(({ layers }) => layers.some((layer) => layer.vectors))) return false;
  if (CHOICES[name]) return CHOICES[name].includes(value);
  switch (name) {
    case "attention":
      return scene.attentions.some((each) => each.attention === value);
    case "layer":
      return whole(value);
    case "heads":
      return Array.isArray(value) && value.every(whole);
    case "pinned":
      return Array.isArray(value) && value.every((pin) => Array.isArray(pin) && (pin[0] === "query" || pin[0] === "key") && token(pin[1]));
    case "asked":
      return value === null || (Array.isArray(value) && value.length === 2 && value.every(token));
    case "threshold":
      return value === null || (typeof value === "number" && value >= 0);
    case "square":
      return value === null || (whole(value) && value >= 8 && value <= 400);
    case "order":
      return ["layer", "asked", ...scene.statistics.map((each) => each.name)].includes(value as string);
    case "behaviour":
    case "pattern":
    case "shape":
      return value === "" || scene.names.some((each) => each.kind === name && each.name === value);
    case "colour":
      return value === "head" || scene.names.some((each) => each.kind === value);
  }
  return false;
}

/** Keeps the address of the page up to date; returns how to stop. */
export function keepAddress(store: Store): () => void {
  const placeOf = ({ kind, attention, layer, order, asked }: Selection) => JSON.stringify([kind, attention, layer, order, asked]);
  let place = placeOf($state.snapshot(store.selection) as Selection);
  return $effect.root(() => {
    $effect(() => {
      const selection = $state.snapshot(store.selection) as Selection;
      const hash = toHash(selection, store.scene.selection);
      const moved = placeOf(selection) !== place;
      place = placeOf(selection);
      if (location.hash.replace(/^#/, "") === hash) return;
      const address = hash ? `#${hash}` : location.pathname + location.search;
      try {
        // "back" goes to the view, layer or order before, and not through every token that was pinned there
        if (moved) history.pushState(null, "", address);
        else history.replaceState(null, "", address);
      } catch {
        // a page inside another may not have an address of its own
      }
    });
  });
}

/** The call in Python that draws just this; null where a view was made of what no call names. */
export function toPython(store: Store): string | null {
  const { call, selection: opened } = store.scene;
  if (!call) return null;
  const plain: Selection = { ...opened, kind: "head", layout: "columns", level: "pieces", sentences: "all", order: "layer", reverse: false, colour: "head", behaviour: "", pattern: "", shape: "", threshold: null, weighting: "weights", direction: "from", without_first: opened.without_first, square: null, asked: null, pinned: [] };
  const selection = $state.snapshot(store.selection) as Selection;
  const always: Name[] = selection.kind === "model" ? ["kind"] : ["kind", "layer"];
  const all = store.heads.length === store.layer.heads.length;
  const names = new Set<Name>([...always, ...changed(selection, plain)]);
  if (store.scene.attentions.length === 1 || selection.attention === store.scene.attentions[0].attention) names.delete("attention");
  names.delete("heads");
  if (selection.kind === "model") names.delete("layer");
  const order: Name[] = ["kind", "attention", "layer", "heads", "level", "layout", "sentences", "threshold", "order", "reverse", "colour", "behaviour", "pattern", "shape", "asked", "weighting", "without_first", "square", "direction", "pinned"];
  if (!all && selection.kind !== "model") names.add("heads");
  const given = order.filter((name) => names.has(name)).map((name) => `${name}=${python(selection[name])}`);
  return `${[call, ...given].join(", ")})`;
}

function python(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map((each) => (Array.isArray(each) ? `(${each.map(python).join(", ")})` : python(each))).join(", ")}]`;
  return JSON.stringify(value);
}

function changed(selection: Selection, from: Selection): Name[] {
  return (Object.keys(from) as Name[]).filter((name) => JSON.stringify(selection[name]) !== JSON.stringify(from[name]));
}
