import { expect, test } from "vitest";
import { Matcher } from "../src/report/matching";
import type { Topic } from "../src/report/contract";
import { type SearchData, answersOf } from "../src/site/answers";

const topic: Topic = {
  title: "object of a verb",
  terms: ["obj"],
  needs: ["obj"],
  chapter: 0,
  statistic: null,
  heads: [2, 0, 1, 3],
  effects: [0.5, 0.4, 0.3, 0.2],
  sure: [true, true, false, false],
  sentences: [["Finds it well."], ["Finds it."], ["Hardly."], ["By chance."]],
};
const data: SearchData = {
  models: [
    { slug: "a", title: "A" },
    { slug: "b", title: "B" },
    { slug: "c", title: "C" },
  ],
  heads: [
    [0, "1.0"],
    [0, "1.1"],
    [1, "0.3"],
    [2, "5.5"],
  ],
  forms: ["\\bhow many\\b"],
  finder: { ignored: ["which", "heads", "find", "do"], endings: [["s", ""]], fillers: ["not"], denials: ["not"], rewrites: [["n['’]t\\b", " not"]], after: ":", unheeded: "\\bhow often\\b", glossary: [{ term: "obj", title: "object", words: ["object"], command: "" }, { term: "sink", title: "sink", words: ["sink"], command: "" }], topics: [topic] },
};
const ask = (question: string) => answersOf(question, data, new Matcher(data.finder), 10);

test("heads are listed model by model, the model with the best head first", () => {
  expect(ask("which heads find objects?").models.map(({ slug, heads }) => [slug, heads.map(({ address }) => address)])).toEqual([
    ["b", ["0.3"]],
    ["a", ["1.0"]],
    ["c", ["5.5"]],
  ]);
});

test("of a model in which no head is shown to do it, the nearest is named", () => {
  expect(ask("objects").models[2].heads).toEqual([{ address: "5.5", sentence: "By chance.", sure: false }]);
});

test("what words alone cannot answer is answered by no head", () => {
  expect(ask("how many heads find objects?").models).toEqual([]);
  expect(ask("which heads do not find objects?").nothing).toContain("attlas ask");
});

test("what no model was asked for is said", () => {
  expect(ask("sinks")).toEqual({ models: [], nothing: "No model here was asked for: sink." });
  expect(ask("frobnicate").nothing).toContain("Nothing that Attlas measures");
});
