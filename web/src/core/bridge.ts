/**
 * A view in a notebook is a page in a frame of its own, so that it is still there when the kernel is gone. While
 * there is a kernel, the widget's model in the notebook's page and the view in the frame speak through messages.
 */

import type { Scene } from "./contract";
import { type WidgetModel, bytesOf } from "./traits.svelte";

/** From the frame: that it is there, or what was chosen in it. */
interface Said {
  attlas: string;
  changed?: Record<string, unknown>;
}

/** From the model: what is chosen; at first also the scene and its data, and whether the notebook is dark. */
interface Answer {
  attlas: string;
  selection: Record<string, unknown>;
  scene?: Scene;
  data?: Uint8Array<ArrayBuffer>;
  dark?: boolean | null;
}

/** In the notebook's page: answers every frame that shows this model; returns how to stop. */
export function answerFrames(id: string, model: WidgetModel, names: string[], isDark: () => boolean | null): () => void {
  const frames = new Set<MessageEventSource>();
  const chosen = () => Object.fromEntries(names.map((name) => [name, model.get(name)]));
  const shown = () => ({ scene: model.get("scene") as Scene, data: bytesOf(model.get("data") as DataView) });
  function onmessage({ data: said, source }: MessageEvent<Said | undefined>) {
    if (said?.attlas !== id || !source) return;
    if (said.changed) {
      for (const [name, value] of Object.entries(said.changed)) if (names.includes(name)) model.set(name, value);
      model.save_changes();
    } else {
      frames.add(source);
      source.postMessage({ attlas: id, selection: chosen(), ...shown(), dark: isDark() } satisfies Answer, { targetOrigin: "*" });
    }
  }
  const tell = (more: Partial<Answer> = {}) => frames.forEach((frame) => frame.postMessage({ attlas: id, selection: chosen(), ...more } satisfies Answer, { targetOrigin: "*" }));
  const listeners: [string, () => void][] = names.map((name) => [`change:${name}`, () => tell()]);
  for (const name of ["scene", "data"]) listeners.push([`change:${name}`, () => tell(shown())]);
  window.addEventListener("message", onmessage);
  for (const [event, callback] of listeners) model.on(event, callback);
  return () => {
    window.removeEventListener("message", onmessage);
    for (const [event, callback] of listeners) model.off(event, callback);
  };
}

export interface Bridged {
  model: WidgetModel;
  data: Uint8Array<ArrayBuffer>;
  dark: boolean | null;
}

/** In the frame: waits for the model to answer, for as long as there may be one. */
export function seekModel(id: string): Promise<Bridged> {
  const values: Record<string, unknown> = {};
  const changed: Record<string, unknown> = {};
  const listeners = new Map<string, Set<() => void>>();
  const send = (said: Said) => window.parent.postMessage(said, "*");
  const model: WidgetModel = {
    get: (name) => values[name],
    set: (name, value) => void (values[name] = changed[name] = value),
    save_changes() {
      send({ attlas: id, changed: { ...changed } });
      for (const name of Object.keys(changed)) delete changed[name];
    },
    on: (event, callback) => void listeners.set(event, (listeners.get(event) ?? new Set()).add(callback)),
    off: (event, callback) => void listeners.get(event)?.delete(callback),
  };
  return new Promise((found) => {
    window.addEventListener("message", ({ data: answer, source }: MessageEvent<Answer | undefined>) => {
      if (source !== window.parent || answer?.attlas !== id) return;
      const { scene, data, selection } = answer;
      if (scene && data) {
        Object.assign(values, { scene, data });
        listeners.get("change:scene")?.forEach((callback) => callback());
      }
      for (const [name, value] of Object.entries(selection)) {
        if (JSON.stringify(values[name]) === JSON.stringify(value)) continue;
        values[name] = value;
        listeners.get(`change:${name}`)?.forEach((callback) => callback());
      }
      if (data) found({ model, data, dark: answer.dark ?? null });
    });
    // the model may still be on its way
    const asking = setInterval(() => send({ attlas: id }), 500);
    setTimeout(() => clearInterval(asking), 20_000);
    send({ attlas: id });
  });
}
