// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { rangeText, tooLittle } from "../src/draw/bipartite";
import { describe, expect, it } from "vitest";
import { ceilingOfPanes, drawnLinks } from "../src/core/drawnLinks";
import { fromHash, toHash, toPython } from "../src/core/link.svelte";
import { HeadMap, type Reading } from "../src/core/maps";
import { openScene } from "../src/core/shared.svelte";
import type { Store } from "../src/core/store.svelte";
import { type WidgetModel, follow } from "../src/core/traits.svelte";
import { opened } from "./fixtures";

function store(name: Parameters<typeof opened>[0]): Store {
  const { scene, buffer } = opened(name);
  return openScene(scene, buffer, false);
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
    const { model, state, saved } = widget(structuredClone({ ...it.shared.scene.selection }));
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

  it("takes what Python set while the view was being made, and sends nothing back", () => {
    const it = store("dense");
    const { model, state, saved } = widget(structuredClone({ ...it.shared.scene.selection }));
    // between the moment that the traits were read and that in which the view listens
    state.layer = 0;
    state.heads = [1];
    const stop = follow(it, model);
    flushSync();
    expect([it.layer.layer, it.heads]).toEqual([0, [1]]);
    expect([state.layer, state.heads, saved()]).toEqual([0, [1], 0]);
    stop();
  });

  it("never sends back an older value than Python's, when several traits change at once", () => {
    const it = store("dense");
    const { model, fromPython, state } = widget(structuredClone({ ...it.shared.scene.selection }));
    const stop = follow(it, model);
    flushSync();
    // both are in the model already when the view hears of the first
    state.heads = [2];
    fromPython("layer", 0);
    flushSync();
    expect(state.heads).toEqual([2]);
    fromPython("heads", [2]);
    flushSync();
    expect([it.layer.layer, it.heads, state.layer, state.heads]).toEqual([0, [2], 0, [2]]);
    stop();
  });

  it("tells the view what Python chooses, without an echo", () => {
    const it = store("dense");
    const { model, fromPython, saved, listeners } = widget(structuredClone({ ...it.shared.scene.selection }));
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

describe("a question", () => {
  it("is asked of all heads, and its answer orders them", () => {
    const it = store("dense");
    it.ask(1, 2);
    expect(it.selection).toMatchObject({ kind: "model", order: "asked", asked: [1, 2], pinned: [] });
    expect(it.weight(0, 0, it.asked!)!.low).toBeCloseTo(it.map(0, 0).row(1)[2], 6);
    it.unask();
    expect([it.selection.asked, it.selection.order]).toEqual([null, "layer"]);
  });

  it("can be asked of two tokens that are pinned", () => {
    const it = store("dense");
    it.togglePin("query", 1);
    expect(it.pair).toBeNull();
    it.togglePin("key", 3);
    expect(it.pair).toEqual([1, 3]);
  });
});

describe("an address", () => {
  it("holds what is chosen, and gives it back", () => {
    const it = store("dense");
    expect(toHash(it.selection, it.shared.scene.selection)).toBe("");
    it.selection.layer = 0;
    it.selection.heads = [1];
    it.togglePin("key", 3);
    it.selection.threshold = 0.05;
    const hash = toHash(it.selection, it.shared.scene.selection);
    expect(fromHash(`#${hash}`, it.shared.scene)).toEqual(JSON.parse(JSON.stringify(it.selection)));
  });

  it("that names what is not here changes nothing", () => {
    const { scene } = opened("dense");
    for (const hash of ["#layer=99", "#heads=[77]", "#kind=%22hat%22", "#pinned=[[%22query%22,99]]", "#threshold=-1", "#order=%22x%22", "#a=b", "#layer=%", "#kind", "#asked=[1]"])
      expect(fromHash(hash, scene)).toEqual(hash.startsWith("#layer=99") ? { ...scene.selection, layer: 0 } : hash.startsWith("#heads") ? { ...scene.selection, heads: [0, 1, 2] } : scene.selection);
  });

  it("has a call in Python beside it", () => {
    const it = store("dense");
    it.selection.kind = "matrix";
    it.isolateHead(1);
    expect(toPython(it)).toBe('attlas.view(attentions, tokens, kind="matrix", layer=1, heads=[1])');
    it.togglePin("query", 2);
    expect(toPython(it)).toContain('pinned=[("query", 2)]');
  });
});

describe("panes", () => {
  const all = () => {
    const { scene, buffer } = opened("panes");
    return openScene(scene, buffer, false).shared.panes;
  };

  it("choose together", () => {
    const [first, second, third] = all();
    first.selection.heads = [0, 1];
    second.isolateHead(1);
    expect([first.heads, third.heads]).toEqual([[1], [1]]);
    third.shared.hover = ["query", 2];
    expect(first.active).toEqual([["query", 2]]);
  });

  it("are on one scale", () => {
    const [first, second] = all();
    expect(ceilingOfPanes(first, [0])).toBe(ceilingOfPanes(second, [0]));
  });
});

it("a token is found whatever its letters' size", () => {
  expect(store("dense").matches("STRAW")).toEqual([1]);
  expect(store("dense").matches(" ")).toEqual([]);
});

describe("names of heads", () => {
  it("colour heads in the model view alone, those without a name quietly", () => {
    const it = store("named");
    const [induction] = it.shared.scene.names.filter(({ name }) => name === "induction");
    const [none] = it.shared.scene.names.filter(({ name, kind }) => name === "none" && kind === "pattern");
    expect([it.colourOf(0, 0), it.colourOf(1, 0)]).toEqual([induction.light, none.light]);
    it.shared.dark = true;
    expect(it.colourOf(0, 0)).toBe(induction.dark);
    it.selection.colour = "shape";
    expect(it.colourOf(0, 0)).toBe(it.shared.colours.quiet);
    it.selection.kind = "head";
    expect(it.colourOf(0, 0)).toBe(it.shared.scene.palette.dark[0]);
  });

  it("filter heads, several kinds at once", () => {
    const it = store("named");
    expect([it.hasNames(0, 0), it.hasNames(0, 1)]).toEqual([true, false]);
    it.selection.shape = "vertical";
    expect([it.hasNames(0, 0), it.hasNames(0, 1)]).toEqual([false, false]);
    it.selection.pattern = "none";
    expect([it.hasNames(0, 0), it.hasNames(0, 1)]).toEqual([false, true]);
  });

  it("are counted, with the second best told apart", () => {
    const it = store("named");
    expect(it.shared.names.kinds).toEqual(["behaviour", "pattern", "shape"]);
    expect(it.shared.names.counted("pattern", "encoder").map(({ name, count }) => [name.name, count])).toEqual([["induction", 1], ["none", 1]]);
    expect(it.shared.names.secondBest("pattern", "encoder", 0, 0)?.name.title).toBe("duplicate token");
  });

  it("go into addresses and calls, and only names that are there come back", () => {
    const it = store("named");
    const chosen = fromHash(`#shape=${encodeURIComponent('"vertical"')}&pattern=${encodeURIComponent('"sink"')}&colour=${encodeURIComponent('"behaviour"')}`, it.shared.scene);
    expect([chosen.shape, chosen.pattern, chosen.colour]).toEqual(["vertical", "induction", "behaviour"]);
    expect(toHash(chosen, it.shared.scene.selection)).toBe("colour=%22behaviour%22&shape=%22vertical%22");
  });
});

describe("without the first token", () => {
  const both = () => {
    const it = store("dense");
    it.selection.without_first = true;
    return it;
  };

  it("rows are what is left, made to sum to 1 again, and its share is told", () => {
    const [whole, left] = [store("dense"), both()];
    for (const query of [1, 4]) {
      const row = whole.map(0).row(query);
      const rest = row.slice(1).reduce((a, b) => a + b, 0);
      expect([...left.map(0).row(query)]).toEqual([0, ...[...row.slice(1)].map((each) => expect.closeTo(each / rest, 5))]);
      expect(left.unitMap(0).first(query)).toBeCloseTo(row[0] / (rest + row[0]), 5);
    }
  });

  /** A made head of one byte a weight, as Python rounds them. */
  function made(rows: number[][], reading: Reading): HeadMap {
    const bytes = Uint8Array.from(rows.flat(), (weight) => Math.round(255 * Math.sqrt(weight)));
    const layer = { layer: 0, heads: [0], scale: [1], weights: { at: 0, type: "u8" as const, shape: [1, rows.length, rows[0].length] } };
    return new HeadMap(bytes.buffer, layer, 0, rows[0].length, reading);
  }

  it("a row that leaves next to nothing is not scaled up", () => {
    const rows = [
      [1, 0, 0],
      [0.9968, 0.003, 0.0002],
      [0.9, 0.08, 0.02],
    ];
    const map = made(rows, { withoutFirst: true });
    expect([...map.row(1)].map((weight) => weight.toFixed(3))).toEqual(["0.000", "0.003", "0.000"]);
    expect([...map.row(2)].map((weight) => weight.toFixed(1))).toEqual(["0.0", "0.8", "0.2"]);
    expect([map.sum(0), map.sum(2)]).toEqual([0, 1]);
    expect(map.sum(1)).toBeCloseTo(0.0032, 3);
    expect([tooLittle([map.first(2)]), tooLittle([map.first(1)]), tooLittle([map.first(1), map.first(2)])]).toEqual([
      "",
      "; the rest is too little to scale up",
      "; in 1 of 2 rows the rest is too little to scale up",
    ]);
  });

  it("what was rounded to nothing may be as large as rows are scaled up", () => {
    const rows = [[0.9, 0.1, 0]];
    const [plain, left] = [made(rows, {}), made(rows, { withoutFirst: true })];
    expect(left.bound(0)).toBeCloseTo(plain.bound(0) / 0.1, 5);
  });

  it("weights that were cut off are bounded as rows are scaled up, also where the first key is among those kept", () => {
    const [whole, left] = [store("sparse"), store("sparse")];
    left.selection.without_first = true;
    const query = [...whole.queries.keys()].find((each) => whole.map(0).row(each)[0] > 0 && whole.map(0).row(each)[0] < 0.9)!;
    const scaled = 1 / (1 - whole.map(0).first(query));
    expect(left.map(0).bound(query) / whole.map(0).bound(query)).toBeCloseTo(scaled, 3); // rounded rows do not sum to 1 exactly
  });

  it("heads are asked for all of their attention", () => {
    const [whole, left] = [store("dense"), both()];
    expect(left.weight(0, 0, [4, 2])).toEqual(whole.weight(0, 0, [4, 2]));
    expect(left.weight(0, 0, [4, 2], true)!.low).toBeCloseTo(left.map(0, 0).row(4)[2], 6);
    expect(left.weight(0, 0, [4, 2], true)!.low).toBeGreaterThan(whole.weight(0, 0, [4, 2])!.low);
  });

  it("asking about it brings it back", () => {
    const it = both();
    it.ask(3, 0);
    expect(it.selection.without_first).toBe(false);
  });

  it("signed scores keep it", () => {
    const it = store("signed");
    it.selection.without_first = true;
    expect(it.withoutFirst).toBe(false);
  });
});

describe("neurons", () => {
  it("show the softmax itself, whatever other views leave out", () => {
    const it = store("vectors");
    const weights = [...it.map(0).row(3)];
    it.selection.without_first = true;
    it.selection.weighting = "norm";
    expect([...it.map(0).row(3)]).toEqual(weights);
    it.selection.kind = "head";
    expect(it.map(0).row(3)[0]).toBe(0);
  });
});

describe("links", () => {
  it("of even attention are pale, and those of sharp heads are not", () => {
    const it = store("dense");
    const even = 1 / it.keys.length;
    const { ceiling } = drawnLinks(it, [0]);
    expect(ceiling).toBe(Math.max(ceilingOfPanes(it, [0]), 4 * even));
    expect(even / ceiling).toBeLessThanOrEqual(0.25);
  });
});

describe("weights that were cut off", () => {
  it("are known by their bounds, and heads are ranked by those", () => {
    const it = store("sparse");
    const map = it.map(0);
    const row = map.row(2);
    const kept = [...row].flatMap((weight, key) => (weight > 0 ? [key] : []));
    const missing = [...row.keys()].find((key) => !kept.includes(key))!;
    const smallest = Math.min(...kept.map((key) => row[key]));
    expect(it.weight(0, 0, [2, kept[0]])).toEqual({ low: expect.closeTo(row[kept[0]], 6), high: expect.closeTo(row[kept[0]], 6) });
    expect(it.weight(0, 0, [2, missing])).toEqual({ low: 0, high: expect.closeTo(Math.min(smallest, map.rest(2)), 6) });
    expect(rangeText(it.weight(0, 0, [2, missing])!)).toMatch(/^< 0\.\d+$/);
  });
});
