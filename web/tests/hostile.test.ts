// @vitest-environment happy-dom
/** Addresses that anybody may have written: whatever they say, a page opens, and shows what there is. */

import { flushSync } from "svelte";
import { describe, expect, it, test } from "vitest";
import { fromHash as asked, toHash as ofAsked } from "../src/app/asked";
import { fromHash as chosen, toHash as ofChosen } from "../src/core/link.svelte";
import { openScene } from "../src/core/shared.svelte";
import { fromHash as route, toHash as ofRoute } from "../src/report/route";
import { NAMES, opened } from "./fixtures";

const WORDS = ["constructor", "__proto__", "toString", "hasOwnProperty", "kind", "layer", "heads", "pinned", "asked", "order", "threshold", "square", "find", "off", "token", "colour", "view"];
const VALUES = ["", "1", "-1", "1e999", "null", "[]", "{}", "[[]]", '["query"]', '[["query",99999999]]', "[null]", '"neuron"', '"image"', '"asked"', "99999999999999999999", "%", "%ff", "%00", "\ud800", "a".repeat(9999), "[".repeat(9999), "=", "&", "#"];

/** The same numbers on every machine. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) yield (state = (state * 48271) % 2147483647) / 2147483647;
}

function addresses(count: number): string[] {
  const random = numbers(7);
  const one = <T>(of: readonly T[]) => of[Math.floor(random.next().value * of.length)];
  const part = () => `${one(WORDS)}=${random.next().value < 0.5 ? one(VALUES) : encodeURIComponent(one(VALUES.filter((value) => !value.includes("\ud800"))))}`;
  return Array.from({ length: count }, () => `#${Array.from({ length: 1 + Math.floor(random.next().value * 4) }, part).join("&")}`);
}

const HOSTILE = [...WORDS.flatMap((word) => VALUES.map((value) => `#${word}=${value}`)), ...addresses(300)];
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

describe.each(NAMES)("a view of %s", (name) => {
  it("opens at every address with what it has", () => {
    const { scene, buffer } = opened(name);
    const store = openScene(scene, buffer, false);
    const wrong = HOSTILE.filter((address) => {
      const selection = chosen(address, scene);
      Object.assign(store.selection, selection);
      flushSync();
      const there = [store.queries, store.keys, store.heads].every(({ length }) => length > 0) && store.links(store.heads[0]);
      return !there || !same(Object.keys(selection), Object.keys(scene.selection)) || !same(chosen(`#${ofChosen(selection, scene.selection)}`, scene), selection);
    });
    expect(wrong).toEqual([]);
  });
});

test("the report and the app read every address, and the same again from what they write", () => {
  const wrong = HOSTILE.filter((address) => !same(route(ofRoute(route(address))), route(address)) || !same(asked(ofAsked(asked(address))), asked(address)));
  expect(wrong).toEqual([]);
});
