import { expect, test } from "vitest";
import type { Model } from "../src/app/api";
import { type Asked, NOTHING, addressOf, fromHash, fromRequest, headAt, headsOff, toHash, toRequest } from "../src/app/asked";
import { sameRequest } from "../src/app/kept";

const MODEL: Model = {
  id: "tiny",
  title: "tiny",
  state: "loaded",
  message: "",
  about: { kind: "masked", type: "Tiny", grids: [{ kind: "encoder", heads: [2, 3] }], parameters: 1, bytes: 4, tokens: 512, text_b: true, mask: "[MASK]", uneditable: null, unpredicting: null, unranked: null, patterns: {}, seconds: 0 },
  atlas: "tiny",
  groups: [{ id: "pattern:induction", kind: "pattern", title: "induction", heads: ["0.1", "1.2"] }],
  texts: [],
};
const BOTH: Model = { ...MODEL, about: { ...MODEL.about!, grids: [{ kind: "encoder", heads: [2] }, { kind: "cross", heads: [4] }] } };
const asked = (changes: Partial<Asked>): Asked => ({ ...NOTHING, model: "tiny", text: "a b", ...changes });

test("the address holds everything that was asked", () => {
  const all: Asked = { model: "tiny", text: "50 % of #1 & “more”,\n[MASK]+", text_b: "", off: ["0.1", "1.*", "pattern:induction"], by: "pattern", pattern: "induction", place: 0, token: 12, head: "1.2", tab: "corpus", beside: "text", other_model: "other", other_text: "an=other", other_text_b: "b", view: 'kind="model"&layer=3', find: "layer:3 object", atlas: "tiny", embed: true };
  expect(fromHash(toHash(all))).toEqual(all);
  expect(fromHash(toHash(NOTHING))).toEqual(NOTHING);
  expect(toHash(NOTHING)).toBe("#");
});

test("an address that nobody wrote so asks for nothing strange", () => {
  expect(fromHash("#by=rm&place=-1&token=1e9&beside=x&tab=&off=,,0.1,0.1&unknown=1&%")).toEqual({ ...NOTHING, off: ["0.1"] });
});

test("a head that a layer or a group switches off too is switched off once", () => {
  expect(headsOff(["1.2", "1.*", "pattern:induction"], MODEL)).toEqual(["1.2", "1.0", "1.1", "0.1"]);
  expect(headsOff(["cross.0.*"], BOTH)).toEqual(["cross.0.0", "cross.0.1", "cross.0.2", "cross.0.3"]);
  expect(headsOff(["pattern:unknown", "9.*"], MODEL)).toEqual([]);
});

test("the request names what is switched off, and how", () => {
  expect(toRequest(asked({ off: ["0.*"], by: "zero" }), MODEL).edits).toEqual([{ heads: ["0.0", "0.1"], by: "zero" }]);
  expect(toRequest(asked({ off: ["0.1"], by: "pattern" }), MODEL).edits).toEqual([{ heads: ["0.1"], by: "pattern" }]);
  expect(toRequest(asked({ off: ["0.1"], by: "pattern", pattern: "next" }), MODEL).edits).toEqual([{ heads: ["0.1"], by: "pattern", pattern: "next" }]);
});

test("heads are patched from the text beside, which itself stays as it is", () => {
  const patched = toRequest(asked({ off: ["0.1"], by: "patch", beside: "text", other_text: "a c" }), MODEL);
  expect([patched.patch_text, patched.beside]).toEqual(["a c", { text: "a c", text_b: null, edits: [] }]);
  // without another text there is nothing to patch from
  expect(toRequest(asked({ off: ["0.1"], by: "patch" }), MODEL)).toMatchObject({ patch_text: null, beside: null, edits: [{ by: "mean" }] });
});

test("what is the same as without edits does not stand beside", () => {
  expect(toRequest(asked({ beside: "edits" }), MODEL).beside).toBeNull();
  expect(toRequest(asked({ beside: "edits", off: ["0.1"] }), MODEL).beside).toEqual({ edits: [] });
});

test("a prepared text takes the place of what was asked, with its edits and what stands beside", () => {
  const request = { model: "tiny", text: "new", edits: [{ heads: ["0.*"], by: "zero" as const }], beside: { text: "other" } };
  const after = { ...asked({ text_b: "old", head: "1.2", token: 3, find: "object", embed: true }), ...fromRequest(request) };
  expect(after).toEqual({ ...NOTHING, model: "tiny", text: "new", off: ["0.*"], by: "zero", beside: "text", other_text: "other", embed: true });
});

test("heads are written with their kind only where a model has several", () => {
  expect([addressOf(MODEL, "encoder", 1, 2), addressOf(BOTH, "cross", 0, 3)]).toEqual(["1.2", "cross.0.3"]);
  expect([headAt(MODEL, "1.2"), headAt(MODEL, "1.3"), headAt(BOTH, "cross.0.3"), headAt(MODEL, "x")]).toEqual([{ kind: "encoder", layer: 1, head: 2 }, null, { kind: "cross", layer: 0, head: 3 }, null]);
});

test("requests are the same whether or not they write out what is so by default", () => {
  expect(sameRequest({ model: "m", text: "a" })).toBe(sameRequest({ model: "m", text: "a", text_b: null, edits: [], place: null, token: null, patch_text: null, beside: null, scene: true, random_sets: 5 }));
  expect(sameRequest({ model: "m", text: "a", edits: [{ heads: ["0.1"] }] })).not.toBe(sameRequest({ model: "m", text: "a", edits: [{ heads: ["0.1"], by: "zero" }] }));
});
