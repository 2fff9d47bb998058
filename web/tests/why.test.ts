// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { Reasons, rowsOf } from "../src/core/reasons";
import { openScene } from "../src/core/shared.svelte";
import type { Store } from "../src/core/store.svelte";
import { lineAt } from "../src/draw/hit";
import type { Line } from "../src/draw/marks";
import { opened } from "./fixtures";

const { scene, buffer } = opened("why");
const piece = (start: number, end = start + 1) => ({ start, end, text: "" });
const store = (): Store => openScene(structuredClone(scene), buffer, false);

describe("reasons", () => {
  it("are read from the bytes of a view, and found by the tokens or words of a link", () => {
    const reasons = Reasons.of(scene, buffer)!;
    expect(reasons.perHead).toBe(8);
    expect(reasons.ofHead("encoder", 2, 1).map(({ query, key }) => [query, key])).toEqual([[3, 1], [2, 0]]);
    expect(reasons.find("encoder", 2, 1, piece(2), piece(0))?.sentence).toBe("2.1 looks: ß");
    expect(reasons.find("encoder", 2, 1, piece(2, 4), piece(0, 2))).not.toBeNull();
    expect(reasons.find("encoder", 2, 1, piece(0), piece(0))).toBeNull();
    expect(reasons.find("encoder", 2, 0, piece(2), piece(0))).toBeNull();
  });

  it("are not there where Python sent none", () => {
    const { scene, buffer } = opened("dense");
    expect(Reasons.of(scene, buffer)).toBeNull();
    const it = openScene(scene, buffer, false);
    it.pinLink(0, 2, 1);
    expect(it.explained).toBeNull();
  });

  it("add up to the score and its lift, with all others and the distance", () => {
    for (const reason of Reasons.of(scene, buffer)!.ofHead("encoder", 2, 1))
      for (const parts of [reason.wrote_key, reason.wrote_query]) {
        const rows = rowsOf(reason, parts);
        const sum = (of: "score" | "lift") => rows.reduce((total, row) => total + row[of], 0);
        expect(sum("score")).toBeCloseTo(reason.score + reason.distance, 9);
        expect(sum("lift")).toBeCloseTo(reason.lift, 9);
        expect(rows.some(({ writer }) => writer === "their distance")).toBe(reason.distance !== 0);
      }
  });
});

describe("the link that is asked about", () => {
  it("is the pair that is pinned, of the head that was clicked, else of the heaviest that is shown", () => {
    const it = store();
    expect(it.selection.pinned).toEqual([["query", 3], ["key", 1]]); // the strongest link of the heads that are shown
    const [heaviest, other] = it.explained!.heads.map(({ head }) => head);
    expect(it.explained!.head).toBe(heaviest);
    it.pinLink(other, 3, 1);
    expect(it.explained).toMatchObject({ head: other, query: 3, key: 1 });
    it.unpin();
    expect(it.explained).toBeNull();
    expect(it.shared.asking).toBeNull();
  });

  it("goes on to the head that wrote a part of it", () => {
    const it = store();
    const { wrote_key: parts } = it.shared.reasons!.ofHead("encoder", 2, 1)[0];
    expect(parts.map((part) => it.canFollow(part))).toEqual([true, false]);
    it.follow(parts[0], 1);
    expect(it.selection).toMatchObject({ layer: 1, heads: [0], pinned: [["query", 1], ["key", 0]] });
    expect(it.explained).toMatchObject({ layer: 1, head: 0, query: 1, key: 0 });
  });
});

describe("a click on a link", () => {
  const line = (from: [number, number], to: [number, number], bend?: "x"): Line => ({ type: "line", from, to, bend, colour: "", alpha: 1, width: 1, link: { head: 0, query: from[1], key: to[1] } });

  it("is on the nearest one, along its bend", () => {
    const lines = [line([0, 0], [100, 100], "x"), line([0, 60], [100, 60])];
    expect(lineAt(lines, 50, 50)?.link?.key).toBe(100);
    expect(lineAt(lines, 25, 12)?.link?.key).toBe(100); // the curve leaves its token level
    expect(lineAt(lines, 25, 25)).toBeNull(); // and not straight
    expect(lineAt(lines, 20, 57)?.link?.key).toBe(60);
    expect(lineAt(lines, 50, 90)).toBeNull();
  });

  it("is on the one drawn last, where two lie upon each other", () => {
    const lines = [line([0, 0], [10, 0]), { ...line([0, 0], [10, 0]), link: { head: 1, query: 0, key: 0 } }];
    expect(lineAt(lines, 5, 1)?.link?.head).toBe(1);
  });
});
