/** Keeps a view and the traits of a widget the same, whoever changes them. */

import type { Scene, Selection } from "./contract";
import type { Store } from "./store.svelte";

export interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, callback: () => void): void;
  off(event: string, callback: () => void): void;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Begins with what the model says, since Python may have spoken while the view was being made; from then on,
 * who speaks last is right. Returns how to stop.
 */
export function follow(store: Store, model: WidgetModel): () => void {
  const names = Object.keys(store.selection) as (keyof Selection)[];
  const take = (name: keyof Selection) => {
    const value = model.get(name);
    if (!same(value, $state.snapshot(store.selection[name]))) Object.assign(store.selection, { [name]: value });
  };
  const listeners = names.map((name) => {
    take(name);
    const changed = () => take(name);
    model.on(`change:${name}`, changed);
    return () => model.off(`change:${name}`, changed);
  });
  // what the view last knew of each trait: only what changed in the view is sent, never what Python has just set
  const known = new Map(names.map((name) => [name, JSON.stringify($state.snapshot(store.selection[name]))]));
  const stop = $effect.root(() => {
    $effect(() => {
      let dirty = false;
      for (const name of names) {
        const value = $state.snapshot(store.selection[name]);
        const written = JSON.stringify(value);
        if (known.get(name) === written) continue;
        known.set(name, written);
        if (same(value, model.get(name))) continue;
        model.set(name, value);
        dirty = true;
      }
      if (dirty) model.save_changes();
    });
  });
  return () => {
    stop();
    listeners.forEach((remove) => remove());
  };
}

export const bytesOf = (data: DataView | Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);

/** What of a scene the bytes are read by; the rest may differ where an address chose something else. */
const shownOf = ({ sides, attentions, bytes }: Scene) => ({ sides, attentions, bytes });

/** Shows another scene whenever Python gives the model one, and at once where it has one already. Returns how to stop. */
export function followScene({ store, replace }: { store: Store; replace: (scene: Scene, data: Uint8Array<ArrayBuffer>) => Promise<void> }, model: WidgetModel): () => void {
  const show = () => replace(structuredClone(model.get("scene") as Scene), bytesOf(model.get("data") as DataView));
  let waits = false;
  // header and bytes come together, and each says that it changed
  const changed = () => {
    if (waits) return;
    waits = true;
    queueMicrotask(() => {
      waits = false;
      void show();
    });
  };
  if (!same(shownOf(model.get("scene") as Scene), shownOf(store.shared.scene))) changed();
  for (const name of ["scene", "data"]) model.on(`change:${name}`, changed);
  return () => ["scene", "data"].forEach((name) => model.off(`change:${name}`, changed));
}
