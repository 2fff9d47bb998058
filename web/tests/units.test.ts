import { describe, expect, it } from "vitest";
import type { HeadMap } from "../src/core/maps";
import { UnitMap, incoming, sentencesOf, unitsOf } from "../src/core/units";

const side = { tokens: ["[CLS]", "straw", "##berries", "[SEP]", "ok"], words: [0, 1, 1, 2, 3], gaps: "-s-ss", b_start: 4 };

/** A map by hand: a row a query. */
function map(rows: number[][], rest = 0): HeadMap {
  return {
    queries: rows.length,
    keys: rows[0].length,
    entries: (query: number, visit: (key: number, weight: number) => void) => rows[query].forEach((weight, key) => weight > 0 && visit(key, weight)),
    rest: () => rest,
  } as unknown as HeadMap;
}

const weights = [
  [0.2, 0.1, 0.3, 0.4, 0],
  [0.5, 0.5, 0, 0, 0],
  [0.1, 0.1, 0.1, 0.1, 0.6],
  [0, 0, 0, 1, 0],
  [0.2, 0.2, 0.2, 0.2, 0.2],
];

describe("units", () => {
  it("are the pieces, or the words they make without their marks", () => {
    expect(unitsOf(side, "pieces", "all").map((unit) => unit.text)).toEqual(side.tokens);
    expect(unitsOf(side, "words", "all").map((unit) => unit.text)).toEqual(["[CLS]", "strawberries", "[SEP]", "ok"]);
  });

  it("of one sentence keep their places in the whole", () => {
    expect(unitsOf(side, "pieces", "b")).toEqual([{ text: "ok", start: 4, end: 5 }]);
    expect(unitsOf(side, "words", "a").map((unit) => unit.start)).toEqual([0, 1, 3]);
    expect(sentencesOf("b-a")).toEqual(["b", "a"]);
  });
});

describe("weights between words", () => {
  const words = unitsOf(side, "words", "all");
  const between = new UnitMap(map(weights), words, words);

  it("are the sum over the pieces attended to", () => {
    expect([...between.row(0)]).toEqual([0.2, 0.4, 0.4, 0].map((value) => expect.closeTo(value, 5)));
  });

  it("are the mean over the pieces that attend", () => {
    expect([...between.row(1)]).toEqual([0.3, 0.35, 0.05, 0.3].map((value) => expect.closeTo(value, 5)));
  });

  it("still sum to 1", () => {
    words.forEach((_, i) => expect(between.row(i).reduce((a, b) => a + b)).toBeCloseTo(1, 5));
  });

  it("are the same by row, by column and as links", () => {
    const links = between.links(0.001);
    words.forEach((_, query) =>
      words.forEach((_, key) => {
        const weight = between.row(query)[key];
        expect(between.column(key)[query]).toBeCloseTo(weight, 5);
        const at = [...links.to.slice(links.rows[query], links.rows[query + 1])].indexOf(key);
        expect(at < 0 ? 0 : links.weight[links.rows[query] + at]).toBeCloseTo(weight, 5);
      }),
    );
  });
});

it("a filter to one sentence leaves weights as they are, without making them sum to 1 again", () => {
  const [a, b] = [unitsOf(side, "pieces", "a"), unitsOf(side, "pieces", "b")];
  expect([...new UnitMap(map(weights), b, a).row(0)]).toEqual([0.2, 0.2, 0.2, 0.2].map((value) => expect.closeTo(value, 5)));
});

it("links below the threshold are left out", () => {
  const pieces = unitsOf(side, "pieces", "all");
  expect([...new UnitMap(map(weights), pieces, pieces).links(0.45).rows]).toEqual([0, 0, 2, 3, 4, 4]);
});

it("a character that two pieces show is in their word once", () => {
  const chinese = { tokens: ["你…", "…你", "好"], words: [0, 0, 0], gaps: "---", b_start: null };
  expect(unitsOf(chinese, "words", "all")).toEqual([{ text: "你好", start: 0, end: 3 }]);
});

it("links by key are the same links", () => {
  const pieces = unitsOf(side, "pieces", "all");
  const links = new UnitMap(map(weights), pieces, pieces).links(0.001);
  const { columns, from, at } = incoming(links, 5);
  weights.forEach((_, key) => {
    const got = Array.from({ length: columns[key + 1] - columns[key] }, (_, i) => [from[columns[key] + i], links.weight[at[columns[key] + i]]]);
    expect(got).toEqual(weights.flatMap((row, query) => (row[key] > 0 ? [[query, expect.closeTo(row[key], 5)]] : [])));
  });
});
