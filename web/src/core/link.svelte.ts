/** What is chosen, in words that leave the page: the address of the page, and a call in Python. */

import type { Scene, Selection } from "./contract";
import { fittingSelection } from "./selection";
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
  const named: Record<string, unknown> = {};
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [name, value] = part.split("=", 2);
    if (value === undefined) continue;
    try {
      named[name] = JSON.parse(decodeURIComponent(value));
    } catch {
      // an address that somebody cut off, or wrote by hand
    }
  }
  return fittingSelection(named, scene);
}

/** Keeps the address of the page up to date; returns how to stop. */
export function keepAddress(store: Store): () => void {
  const placeOf = ({ kind, attention, layer, order, asked }: Selection) => JSON.stringify([kind, attention, layer, order, asked]);
  let place = placeOf($state.snapshot(store.selection) as Selection);
  return $effect.root(() => {
    $effect(() => {
      const selection = $state.snapshot(store.selection) as Selection;
      const hash = toHash(selection, store.shared.scene.selection);
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
  const { call, selection: opened } = store.shared.scene;
  if (!call) return null;
  const plain: Selection = { ...opened, kind: "head", layout: "columns", level: "pieces", sentences: "all", order: "layer", reverse: false, colour: "head", behaviour: "", pattern: "", shape: "", threshold: null, weighting: "weights", direction: "from", without_first: opened.without_first, square: null, asked: null, pinned: [] };
  const selection = $state.snapshot(store.selection) as Selection;
  const always: Name[] = selection.kind === "model" ? ["kind"] : ["kind", "layer"];
  const all = store.heads.length === store.layer.heads.length;
  const names = new Set<Name>([...always, ...changed(selection, plain)]);
  if (store.shared.scene.attentions.length === 1 || selection.attention === store.shared.scene.attentions[0].attention) names.delete("attention");
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
