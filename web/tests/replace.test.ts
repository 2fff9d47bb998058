// @vitest-environment happy-dom
import { deflateSync } from "node:zlib";
import { flushSync, tick } from "svelte";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Scene } from "../src/core/contract";
import { keptSelection } from "../src/core/selection";
import { openScene } from "../src/core/shared.svelte";
import { type WidgetModel, followScene } from "../src/core/traits.svelte";
import { type Mounted, mountInflated } from "../src/view";
import { opened } from "./fixtures";

const { scene, buffer } = opened("dense");
const deflated = (bytes: ArrayBuffer) => new Uint8Array(deflateSync(Buffer.from(bytes)));

/** The same heads on another text, of which the first tokens are the same. */
function otherText(): Scene {
  const other = structuredClone(scene);
  other.title = "another text";
  other.sides.encoder!.tokens = ["[CLS]", "straw", "##men", "[SEP]", "say", "nothing", "[SEP]"];
  return other;
}

/** The same text after an edit: weights of head 0 are those of head 1. */
function edited(): ArrayBuffer {
  const bytes = new Uint8Array(buffer.slice(0));
  for (const { weights } of scene.attentions[0].layers) {
    const [, queries, keys] = weights.shape;
    bytes.copyWithin(weights.at, weights.at + queries * keys, weights.at + 2 * queries * keys);
  }
  return bytes.buffer;
}

describe("another scene in place of one", () => {
  it("keeps the view, layer and heads, and tokens that stand where they stood", () => {
    const store = openScene(scene, buffer, false);
    store.selection.kind = "matrix";
    store.selection.layer = 0;
    store.isolateHead(1);
    store.togglePin("query", 1);
    store.togglePin("key", 4);
    store.shared.hover = ["query", 2];
    store.shared.replace(otherText(), buffer);
    expect(store.selection).toMatchObject({ kind: "matrix", layer: 0, heads: [1], pinned: [["query", 1]] });
    expect(store.queries.map(({ text }) => text)).toContain("nothing");
    expect([store.shared.hover, store.shared.texts]).toEqual([null, 1]);
  });

  it("of the same text keeps what is pointed at, and reads the new weights", () => {
    const store = openScene(scene, buffer, false);
    const before = [...store.map(1).row(2)];
    const links = store.links(0);
    store.shared.hover = ["query", 2];
    store.shared.replace(structuredClone(scene), edited());
    expect([store.shared.hover, store.shared.texts]).toEqual([["query", 2], 0]);
    const scale = scene.attentions[0].layers.find(({ layer }) => layer === store.layer.layer)!.scale;
    [...store.map(0).row(2)].forEach((weight, key) => expect(weight / scale[0]).toBeCloseTo(before[key] / scale[1], 6));
    expect(store.links(0)).not.toEqual(links);
  });

  it("without the chosen layer or head opens as it would by itself", () => {
    const small = otherText();
    small.attentions[0].layers = small.attentions[0].layers.slice(0, 1);
    small.attentions[0].layers[0].heads = [0];
    small.selection = { ...small.selection, layer: 0, heads: [0] };
    const kept = keptSelection({ ...scene.selection, layer: 1, heads: [2] }, scene, small);
    expect(kept).toMatchObject({ layer: 0, heads: [0] });
  });

  it("forgets a question about tokens that are gone", () => {
    const asking = { ...scene.selection, asked: [1, 5] as [number, number], order: "asked" };
    expect(keptSelection(asking, scene, otherText())).toMatchObject({ asked: null, order: "layer" });
    expect(keptSelection(asking, scene, scene)).toMatchObject({ asked: [1, 5], order: "asked" });
  });

  it("may have other panes", () => {
    const two = opened("panes");
    const store = openScene(two.scene, two.buffer, false);
    expect(store.shared.panes).toHaveLength(3);
    store.shared.replace(scene, buffer);
    expect(store.shared.panes).toEqual([store]);
    expect(store.pane).toBe(scene);
  });
});

describe("a mounted view", () => {
  let element: HTMLElement;
  let mounted: Mounted;

  beforeAll(() => {
    // nothing is painted here
    HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ width: 0 }), set: () => true })) as never;
  });
  beforeEach(() => {
    element = document.createElement("div");
    document.body.replaceChildren(element);
    mounted = mountInflated(element, { ...structuredClone(scene), theme: "light" }, buffer);
    return () => mounted.destroy();
  });
  const shown = () => element.querySelector("h1")!.textContent;

  it("shows the new text in the same view, with the same heads", async () => {
    mounted.store.isolateHead(1);
    await mounted.replace(otherText(), deflated(buffer));
    expect(shown()).toBe("another text");
    expect(element.textContent).toContain("nothing");
    expect([...element.querySelectorAll(".picker [aria-pressed=true]")].map((head) => head.textContent)).toEqual(["1"]);
  });

  it("stays as it was where the new data does not fit, and says why", async () => {
    await expect(mounted.replace(otherText(), deflated(buffer.slice(4)))).rejects.toThrow(/cut off/);
    expect(shown()).toBe(scene.title);
  });

  it("shows the last of several that were asked for at once", async () => {
    const names = ["first", "second", "third"];
    await Promise.all(names.map((title) => mounted.replace({ ...otherText(), title }, deflated(buffer))));
    expect(shown()).toBe("third");
  });

  it("follows a widget to its next scene, and stops when it is told to", async () => {
    const listeners = new Map<string, () => void>();
    const state: Record<string, unknown> = { scene, data: deflated(buffer) };
    const model: WidgetModel = { get: (name) => state[name], set: () => {}, save_changes: () => {}, on: (event, callback) => void listeners.set(event, callback), off: (event) => void listeners.delete(event) };
    const stop = followScene(mounted, model);
    Object.assign(state, { scene: otherText() });
    for (const name of ["scene", "data"]) listeners.get(`change:${name}`)!();
    for (let i = 0; i < 50 && shown() !== "another text"; i++) await new Promise((done) => setTimeout(done, 5));
    await tick();
    flushSync();
    expect(shown()).toBe("another text");
    stop();
    expect(listeners.size).toBe(0);
  });
});
