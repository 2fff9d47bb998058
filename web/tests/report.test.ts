import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { fromBase64, inflate } from "../src/core/payload";
import { checkScene } from "../src/core/sceneChecks";
import { openScene } from "../src/core/shared.svelte";
import { Book, checkReport } from "../src/report/book";
import { completions, parse } from "../src/report/conditions";
import type { Finder, Form, Report, Topic } from "../src/report/contract";
import { csvOf, markdownOf } from "../src/report/exporting";
import { find } from "../src/report/finding";
import { Matcher, inTurns } from "../src/report/matching";
import { passage } from "../src/report/passage";
import { sceneOfMap } from "../src/report/sceneOfMap";
import { START, fromHash, toHash } from "../src/report/route";
import { labels, ticks } from "../src/report/scatter";
import { axisNumbers, certainty, chapterMark, ordinal, percent, written } from "../src/report/wording";
import { reportFixture, schemaOf } from "./fixtures";

const topic = (title: string, needs: string[], terms: string[], heads: number[]): Topic => ({
  title,
  needs,
  terms: [...needs, ...terms],
  chapter: 0,
  statistic: null,
  heads,
  effects: heads.map((_, i) => 1 - i / 10),
  sure: heads.map(() => true),
  sentences: heads.map((head) => ["Head ", head, ` does ${title}.`]),
});

const FINDER: Finder = {
  ignored: ["which", "head", "heads", "the", "to", "at", "looks", "look", "do"],
  fillers: ["not"],
  denials: ["not"],
  rewrites: [["n['’]t\\b", " not"]],
  after: "\\blike\\b|:",
  unheeded: "\\bhow often\\b",
  endings: [
    ["ies", "y"],
    ["ing", ""],
    ["ed", ""],
    ["s", ""],
  ],
  glossary: [
    { term: "obj", title: "direct object", words: ["object", "direct object"], command: "attlas probe dependencies" },
    { term: "previous", title: "the previous token", words: ["previous", "word before"], command: "attlas map" },
    { term: "coreference", title: "antecedents", words: ["antecedent"], command: "attlas probe coreference" },
  ],
  topics: [topic("objects", ["obj"], ["verb"], [2, 1]), topic("previous token", ["previous"], ["token"], [3, 0]), topic("previous, from objects", ["previous", "obj"], [], [1])],
};

/** What Python sends, with few words to ask by. */
const FORMS = [
  { pattern: "\\bhow big\\b", named: false, lead: "It has 4 heads.", missing: [] },
  { pattern: "\\bhow many\\b", named: true, lead: "", missing: [] },
] satisfies Form[];
const DOCUMENT: Report = { ...reportFixture().report, finder: FINDER, forms: FORMS };
const book = new Book(DOCUMENT, reportFixture().buffer);
const matcher = new Matcher(FINDER);
const asked = (question: string) => matcher.answer(question, 5).heads.map(({ topic: { heads }, rank }) => heads[rank]);

describe("the document from Python", () => {
  const { report, data, buffer } = reportFixture();

  it("keeps to the schema", () => {
    const ajv = new Ajv2020({ strictTuples: false, allowUnionTypes: true });
    expect(ajv.validate(schemaOf("report"), report), ajv.errorsText()).toBe(true);
  });

  it("fits its bytes, as a browser inflates them", async () => {
    const inflated = await inflate(fromBase64(data));
    expect(new Uint8Array(inflated)).toEqual(new Uint8Array(buffer));
    expect(() => checkReport(report, inflated.byteLength)).not.toThrow();
  });

  it("is refused where it is of another version, was cut, or lacks a head", () => {
    expect(() => checkReport({ ...report, schema: "attlas.report/0" as never }, report.bytes)).toThrow(/attlas.report\/0/);
    expect(() => checkReport(report, report.bytes - 1)).toThrow(/was cut/);
    expect(() => checkReport({ ...report, cards: report.cards.slice(1) }, report.bytes)).toThrow(/its 4 heads/);
  });

  it("has maps, examples and neighbours of heads", () => {
    const { map, examples, alike } = report.cards[0];
    const { bytes, rows, columns } = book.weights(map!);
    expect([rows, columns, map!.scale]).toEqual([5, 5, 1]);
    expect([...bytes]).toEqual(Array.from({ length: 25 }, (_, i) => (i % 6 === 0 ? 255 : 0)));
    expect(passage(report.tokens[examples.tokens[0]], examples.query[0], examples.key[0], 0).map(({ text }) => text)).toContain("straw");
    expect(alike.map(([head]) => head)).toEqual([1, 2, 3]);
  });
});

it("a typical map is a scene that keeps to the schema of views, of the same bytes", () => {
  const scene = sceneOfMap(book, 3);
  const ajv = new Ajv2020({ strictTuples: false });
  expect(ajv.validate(schemaOf("view"), scene), ajv.errorsText()).toBe(true);
  expect(() => checkScene(scene, book.data.byteLength)).not.toThrow();
  const store = openScene(scene, book.data, false);
  expect(store.nameOf(store.heads[0])).toBe("1.1");
  expect(store.queries.map(({ text }) => text)).toEqual(DOCUMENT.tokens[DOCUMENT.cards[3].map!.tokens].tokens);
  expect([...store.map(1).row(2)]).toEqual([0, 0, 1, 0, 0]);
});

describe("a question", () => {
  it("is cut into the longest phrases of the glossary, with endings gone", () => {
    expect(matcher.units("Which head looks at direct objects?").map(({ words }) => words)).toEqual(["direct object"]);
    expect(matcher.units("the word before, queries, class").map(({ words }) => words)).toEqual(["word before", "query", "class"]);
  });

  it("is answered by the topic that has most of its words", () => {
    expect(asked("objects of verbs")).toEqual([2, 1]);
    expect(asked("the word before objects")).toEqual([1]);
  });

  it("about what is not measured names the command", () => {
    expect(find("antecedents", book)).toMatchObject({ heads: [], missing: [{ title: "antecedents", command: "attlas probe coreference" }], note: "" });
    expect(find("frobnicate", book).note).toMatch(/^Nothing that Attlas measures/);
  });

  it("that words alone cannot answer is never answered by words", () => {
    expect(find("how big is it?", book)).toMatchObject({ heads: [], said: "It has 4 heads." });
    expect(find("how many look at objects?", book)).toMatchObject({ heads: [], answers: [] });
    for (const denied of ["which heads don't look at objects?", "not objects"]) expect(find(denied, book).said).toMatch(/attlas ask/);
  });

  it("of which most words mean nothing here is not understood", () => {
    expect(find("frobnicated quux objects", book).heads).toEqual([]);
    expect(find("frobnicate the verb objects", book).note).toBe("Not understood: frobnicate.");
  });

  it("lets topics take turns, and no head comes twice", () => {
    const heads = inTurns([topic("a", [], [], [1, 2, 3]), topic("b", [], [], [2, 4])], 5).map(({ topic: { heads }, rank }) => heads[rank]);
    expect(heads).toEqual([1, 2, 4, 3]);
  });
});

describe("a condition", () => {
  const heads = (text: string) => find(text, book).heads;

  it("is about layers, names or any statistic", () => {
    expect(heads("layer:1")).toEqual([2, 3]);
    expect(heads("layer:0-0 pattern:previous")).toEqual([1]);
    expect(heads("to_previous>=0.3")).toEqual([1, 2]);
    expect(heads("to_previous<50%")).toEqual([0, 2]);
    expect(heads("effect>0")).toEqual([0, 3]);
    expect(heads("effect>-0.02 effect<0")).toEqual([1]);
    expect(heads("head:1.0")).toEqual([2]);
  });

  it("takes a statistic's short name for the group that tables show", () => {
    expect(heads("entropy>1")).toEqual([0, 2, 3]);
    expect(heads("entropy.cls>1")).toEqual([]);
  });

  it("stands beside words, whose order stays", () => {
    expect(heads("objects layer:0")).toEqual([1]);
    expect(heads("1.1")).toEqual([3]);
  });

  it("that means nothing says what would", () => {
    expect(parse("pattern:next", book).conditions[0].problem).toBe("no head has it; there are previous, none");
    expect(parse("layer:x", book).conditions[0].problem).toBe("write layer:3, layer:3-5 or layer>3");
    expect(heads("nonsense>1")).toEqual([]);
  });

  it("is completed from what there is", () => {
    expect(completions("layer:1 patt", book).map(({ text }) => text)).toContain("pattern:");
    expect(completions("pattern:", book).map(({ text }) => text)).toEqual(["pattern:previous", "pattern:none"]);
    expect(completions("ent", book).map(({ text }) => text)).toContain("entropy.all>");
  });
});

describe("an address", () => {
  it("comes back as it was", () => {
    const route = { ...START, find: "pattern:induction effect>0.01 100% a+b&c=d", sort: "-entropy.all" };
    expect(fromHash(toHash(route))).toEqual(route);
    expect(toHash({ head: "7.10" })).toBe("#head=7.10");
  });

  it("that somebody cut off opens what it can", () => {
    expect(fromHash("#head=7.1&nonsense&find=%E0%A4%A")).toMatchObject({ head: "7.1" });
  });
});

describe("a number", () => {
  it("is written as the terminal writes it", () => {
    expect(written({ unit: "share" }, 0.5412, 0.009)).toBe("54.1 ± 0.9 %");
    expect(written({ unit: "share" }, 0.5, 0.0001)).toBe("50.0 ± <0.1 %");
    expect(written({ unit: "share" }, 0.9999)).toBe(">99.9 %");
    expect([0, 0.004, 0.005, 0.5, 0.996, 1].map((share) => percent(share))).toEqual(["0 %", "<1 %", "1 %", "50 %", ">99 %", "100 %"]);
    expect([1, 0.95, 0.62].map(certainty)).toEqual(["sure", "sure", "62 % sure"]);
    expect(written({ unit: "nats" }, 2.3, 0.01)).toBe("2.30 ± 0.01 nats");
    expect(written({ unit: "nats" }, -0.00031)).toBe("−0.0003 nats");
    expect(written({ unit: "share" }, null)).toBe("–");
  });

  it("has a rank among heads, where equal ones share a place", () => {
    expect(book.rankText(0, 1)).toBe("highest of 3");
    expect(book.rankText(2, 2)).toBe("2nd highest of 4");
    expect(book.rankText(2, 3)).toBe("2nd highest of 4");
    expect(book.rankText(1, 0)).toBe("the same in all 4");
    expect(book.rankText(0, 0)).toBe("lowest of 3");
    expect(book.rank(0, 3)).toBeNull();
    expect([1, 2, 3, 11, 12, 13, 21, 112].map(ordinal)).toEqual(["1st", "2nd", "3rd", "11th", "12th", "13th", "21st", "112th"]);
  });

  it("on an axis is round", () => {
    expect(ticks(0, 4.6, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(axisNumbers({ unit: "share" }, [0, 0.5, 1])).toEqual(["0", "50", "100"]);
    expect(axisNumbers({ unit: "nats" }, [-0.02, 0, 0.02])).toEqual(["−0.02", "0.00", "0.02"]);
  });

  it("has notes that count on after z", () => {
    expect([0, 25, 26, 52].map(chapterMark)).toEqual(["a", "z", "aa", "ba"]);
  });
});

describe("an example", () => {
  const tokens = [..."abcdefghijkl"];

  it("keeps what is around both ends, and a mark for what is left out", () => {
    const pieces = passage({ tokens, gaps: "-sssssssssss" }, 1, 10, 1);
    expect(pieces.map(({ text }) => text).join(" ")).toBe("a b c … j k l");
    expect(pieces.filter(({ role }) => role === "query" || role === "key").map(({ text, role }) => text + role)).toEqual(["bquery", "kkey"]);
  });

  it("of a token that looks at itself marks it once", () => {
    expect(passage({ tokens, gaps: "-sssssssssss" }, 3, 3, 0).map(({ role }) => role)).toEqual(["gap", "both", "gap"]);
  });
});

it("names in a scatter never cover each other", () => {
  const points = Array.from({ length: 200 }, (_, head) => ({ head, x: 20 + ((head * 37) % 360), y: 20 + ((head * 53) % 260) }));
  const placed = labels(points, (head) => [`name ${head}`], 400, 300);
  const boxes = placed.map(({ x, y, text, anchor }) => (anchor === "start" ? [x + 8, y - 7, x + 8 + 6.1 * text.length, y + 7] : [x - 8 - 6.1 * text.length, y - 7, x - 8, y + 7]));
  expect(placed.length).toBeGreaterThan(0);
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => expect(a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]).toBe(false)));
});

it("names in a scatter never cover its axis", () => {
  const points = [{ head: 0, x: 60, y: 50 }, { head: 1, x: 74, y: 50 }, { head: 2, x: 300, y: 200 }];
  const named = (left: number) => labels(points, () => ["7.11"], 400, 300, 16, left).map(({ head }) => head);
  expect(named(0)).toContain(0);
  expect(named(44)).not.toContain(0);
});

describe("what leaves the page", () => {
  it("is a table that a spreadsheet takes for data only", () => {
    const evil = structuredClone(DOCUMENT);
    evil.names[0].choices[0].name = '=HYPERLINK("x")';
    const [header, row] = csvOf(new Book(evil, new ArrayBuffer(0)), [1]).split("\r\n");
    expect(header.split(",").slice(0, 6)).toEqual(["head", "kind", "layer", "number", "pattern", "pattern confidence"]);
    expect(row).toContain(`"'=HYPERLINK(""x"")",0.9,0.9,0.01`);
  });

  it("is a card in Markdown whose words mean nothing to Markdown", () => {
    const evil = structuredClone(DOCUMENT);
    evil.cards[0].sentences = [["<b>*bold*</b>"]];
    expect(markdownOf(new Book(evil, new ArrayBuffer(0)), 0)).toContain("\\<b\\>\\*bold\\*\\</b\\>");
  });
});
