// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { describe, expect, it } from "vitest";
import { Store } from "../src/core/store.svelte";
import { type WidgetModel, follow } from "../src/core/traits.svelte";
import { opened } from "./fixtures";

function store(name: Parameters<typeof opened>[0]): Store {
  const { scene, buffer } = opened(name);
  return new Store(scene, buffer, false);
}

/** A widget's model as anywidget gives it. */
function widget(state: Record<string, unknown>) {
  const listeners = new Map<string, () => void>();
  let saved = 0;
  const model: WidgetModel = {
    get: (name) => state[name],
    set: (name, value) => void (state[name] = value),
    save_changes: () => void saved++,
    on: (event, callback) => void listeners.set(event, callback),
    off: (event) => void listeners.delete(event),
  };
  const fromPython = (name: string, value: unknown) => {
    state[name] = value;
    listeners.get(`change:${name}`)?.();
  };
  return { model, fromPython, state, saved: () => saved, listeners };
}

describe("heads", () => {
  it("are switched on and off, but the last one stays", () => {
    const it = store("dense");
    expect(it.heads).toEqual([0, 2]);
    it.toggleHead(0);
    expect(it.heads).toEqual([2]);
    it.toggleHead(2);
    expect(it.heads).toEqual([2]);
    it.toggleHead(1);
    expect(it.heads).toEqual([1, 2]);
  });

  it("are shown alone, and all again when the one alone is chosen once more", () => {
    const it = store("dense");
    it.isolateHead(1);
    expect(it.heads).toEqual([1]);
    it.isolateHead(1);
    expect(it.heads).toEqual([0, 1, 2]);
  });
});

describe("tokens", () => {
  it("are pinned, several at once, and unpinned", () => {
    const it = store("dense");
    it.togglePin("query", 1);
    it.togglePin("key", 3);
    expect(it.active).toEqual([["query", 1], ["key", 3]]);
    it.togglePin("query", 1);
    expect(it.active).toEqual([["key", 3]]);
    it.unpin();
    expect(it.active).toEqual([]);
  });

  it("stay pinned as the word they are part of", () => {
    const it = store("dense");
    it.togglePin("query", 2);
    it.selection.level = "words";
    expect(it.active).toEqual([["query", 1]]);
    expect(it.queries[1].text).toBe("strawberries");
    expect(it.isPinned("query", 1)).toBe(true);
  });

  it("of a sentence that is filtered out are not active", () => {
    const it = store("dense");
    it.togglePin("query", 1);
    it.selection.sentences = "b-a";
    expect(it.active).toEqual([]);
    expect(it.queries.map((unit) => unit.start)).toEqual([4, 5, 6]);
    expect(it.keys).toHaveLength(4);
  });
});

it("choosing another attention brings its tokens, and drops what was pinned", () => {
  const it = store("encoder_decoder");
  expect([it.queries.length, it.keys.length]).toEqual([3, 4]);
  it.togglePin("query", 0);
  it.chooseAttention("encoder");
  expect([it.queries.length, it.keys.length]).toEqual([4, 4]);
  expect(it.selection.pinned).toEqual([]);
});

describe("a widget", () => {
  it("hears what is chosen in the view, and says so once", () => {
    const it = store("dense");
    const { model, state, saved } = widget(structuredClone({ ...it.scene.selection }));
    const stop = follow(it, model);
    flushSync();
    expect(saved()).toBe(0);
    it.isolateHead(1);
    flushSync();
    expect(state.heads).toEqual([1]);
    expect(saved()).toBe(1);
    stop();
    it.isolateHead(0);
    flushSync();
    expect(state.heads).toEqual([1]);
  });

  it("tells the view what Python chooses, without an echo", () => {
    const it = store("dense");
    const { model, fromPython, saved, listeners } = widget(structuredClone({ ...it.scene.selection }));
    const stop = follow(it, model);
    flushSync();
    fromPython("layer", 0);
    fromPython("pinned", [["key", 2]]);
    flushSync();
    expect(it.layer.layer).toBe(0);
    expect(it.active).toEqual([["key", 2]]);
    expect(saved()).toBe(0);
    stop();
    expect(listeners.size).toBe(0);
  });
});
