import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { checkScene } from "../src/core/sceneChecks";
import { headMap, tileMap } from "../src/core/maps";
import { fromBase64, inflate } from "../src/core/payload";
import { HeadVectors } from "../src/core/vectors";
import { NAMES, fixture, opened, schemaOf } from "./fixtures";

describe.each(NAMES)("what Python sends: %s", (name) => {
  it("keeps to the schema", () => {
    const ajv = new Ajv2020({ strictTuples: false });
    expect(ajv.validate(schemaOf("view"), fixture(name).scene), ajv.errorsText()).toBe(true);
  });

  it("fits its bytes, as a browser inflates them", async () => {
    const { scene, data, buffer } = opened(name);
    const inflated = await inflate(fromBase64(data));
    expect(new Uint8Array(inflated)).toEqual(new Uint8Array(buffer));
    expect(() => checkScene(scene, inflated.byteLength)).not.toThrow();
  });

  it("gives back every weight it kept, to within a byte", () => {
    const { scene, buffer, rows } = opened(name);
    for (const { attention, layer, head, weights } of rows) {
      const of = scene.attentions.find((each) => each.attention === attention)!;
      const map = headMap(scene.sides[of.keys]!.tokens.length, buffer, of, layer, head)!;
      // half a step of the square root; signed bytes have half as many steps
      const near = of.signed ? 0.008 * map.scale : 0.005;
      weights.forEach((row, query) => {
        const got = map.row(query);
        let rest = 0;
        row.forEach((weight, key) => {
          if (map.sparse && got[key] === 0) rest += weight;
          else expect(Math.abs(got[key] - weight)).toBeLessThan(near);
        });
        expect(Math.abs(map.rest(query) - rest)).toBeLessThan(0.005);
      });
    }
  });
});

describe("tiles", () => {
  const { scene, buffer, rows } = opened("tiles");
  const [attention] = scene.attentions;

  it("are means over a tile's queries of sums over its keys", () => {
    for (const { head, weights } of rows) {
      const tiles = tileMap(buffer, attention, 0, head)!;
      expect([tiles.size, tiles.rows, tiles.columns]).toEqual([4, 3, 3]);
      for (let row = 0; row < 3; row++)
        for (let column = 0; column < 3; column++) {
          const queries = weights.slice(row * 4, row * 4 + 4);
          const sums = queries.map((keys) => keys.slice(column * 4, column * 4 + 4).reduce((sum, weight) => sum + weight, 0));
          const mean = sums.reduce((sum, each) => sum + each, 0) / queries.length;
          expect(Math.abs(tiles.share(row, column) - mean)).toBeLessThan(0.005);
        }
    }
  });

  it("without the first key hold the shares of what is put elsewhere", () => {
    const total = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0);
    for (const { head, weights } of rows) {
      const tiles = tileMap(buffer, attention, 0, head, true)!;
      for (let row = 0; row < 3; row++) {
        const queries = weights.slice(row * 4, row * 4 + 4);
        const first = total(queries.map((keys) => keys[0])) / queries.length;
        expect(Math.abs(tiles.first(row) - first)).toBeLessThan(0.0001);
        for (let column = 0; column < 3; column++) {
          const elsewhere = queries.map((keys) => total(keys.slice(Math.max(1, column * 4), column * 4 + 4)));
          expect(Math.abs(tiles.share(row, column) - total(elsewhere) / queries.length / (1 - first))).toBeLessThan(0.01);
        }
      }
      const ofOthers = weights.slice(1).map((keys) => keys[0]); // the first token of a decoder can look nowhere else
      expect(Math.abs(tiles.meanFirst(11, true) - total(ofOthers) / 10)).toBeLessThan(0.0001);
    }
  });

  it("are of every head, and rows of the chosen one", () => {
    expect(attention.layers[0].with_rows).toEqual([1]);
    expect([0, 1, 2].map((head) => headMap(11, buffer, attention, 0, head)!.hasRows)).toEqual([false, true, false]);
    expect(headMap(11, buffer, attention, 0, 2)!.rest(5)).toBe(1);
  });

  it("are refused where they do not cover the tokens", () => {
    const other = fixture("tiles").scene;
    other.attentions[0].layers[0].tiles!.size = 2;
    expect(() => checkScene(other, other.bytes)).toThrow(/does not fit its tokens/);
  });

  it("are absent from short inputs", () => {
    const short = opened("dense");
    expect(tileMap(short.buffer, short.scene.attentions[0], 0, 0)).toBeNull();
  });
});

describe("a header that does not fit", () => {
  it("names the version it was made with", () => {
    const { scene } = fixture("dense");
    expect(() => checkScene({ ...scene, schema: "attlas.view/0" as never }, scene.bytes)).toThrow(/attlas.view\/0/);
  });

  it("says that the data is cut off", () => {
    const { scene } = fixture("dense");
    expect(() => checkScene(scene, scene.bytes - 1)).toThrow(/cut off/);
  });

  it("does not read outside its bytes", () => {
    const { scene } = fixture("dense");
    scene.attentions[0].layers[1].weights.at = scene.bytes;
    expect(() => checkScene(scene, scene.bytes)).toThrow(/lies outside/);
  });

  it("is refused when tokens are missing", () => {
    const { scene } = fixture("dense");
    scene.sides.encoder!.tokens.pop();
    expect(() => checkScene(scene, scene.bytes)).toThrow(/does not fit its tokens/);
  });
});

it("makes the dot products, the softmax and the output from the vectors", () => {
  const { scene, buffer, rows } = opened("vectors");
  const layer = scene.attentions[0].layers[0];
  rows.forEach(({ weights }, index) => {
    const vectors = new HeadVectors(buffer, layer, index);
    const dots = weights.map((_, key) => vectors.dot(1, key));
    const total = dots.reduce((sum, dot) => sum + Math.exp(dot), 0);
    dots.forEach((dot, key) => expect(Math.exp(dot) / total).toBeCloseTo(weights[1][key], 3));
    const output = vectors.output(weights[1]);
    const expected = weights[1].reduce((sum, weight, key) => sum + weight * vectors.value.at(key, 2), 0);
    expect(output[2]).toBeCloseTo(expected, 5);
  });
});

it("weights by norm are shares again", () => {
  const { scene, buffer, rows } = opened("vectors");
  const layer = scene.attentions[0].layers[0];
  rows.forEach(({ head, weights }) => {
    const vectors = new HeadVectors(buffer, layer, head);
    const norms = weights.map((_, key) => Math.hypot(...Array.from({ length: vectors.value.dim }, (_, d) => vectors.value.at(key, d))));
    const map = headMap(4, buffer, scene.attentions[0], 0, head, { normed: true })!;
    weights.forEach((row, query) => {
      const brought = row.map((weight, key) => weight * norms[key]);
      const total = brought.reduce((a, b) => a + b);
      expect([...map.row(query)]).toEqual(brought.map((each) => expect.closeTo(each / total, 1.7)));
      expect(map.row(query).reduce((a, b) => a + b)).toBeCloseTo(1, 4);
    });
  });
});

describe("panes", () => {
  it("hold two inputs and their difference in the same bytes", () => {
    const { scene, buffer, rows } = opened("panes");
    expect([scene.name, ...scene.panes!.map((pane) => pane.name)]).toEqual(["one", "other", "one − other"]);
    const [other, difference] = scene.panes!;
    const row = (pane: { attentions: typeof scene.attentions }) => headMap(4, buffer, pane.attentions[0], 0, 1)!.row(2);
    expect(difference.attentions[0]).toMatchObject({ signed: true, shares: false });
    const expected = rows.find(({ head }) => head === 1)!.weights[2].map((weight, key) => weight - row(other)[key]);
    [...row(difference)].forEach((got, key) => expect(Math.abs(got - expected[key])).toBeLessThan(0.02));
  });

  it("are checked like the scene itself", () => {
    const { scene } = fixture("panes");
    scene.panes![0].attentions[0].layers[0].weights.at = scene.bytes;
    expect(() => checkScene(scene, scene.bytes)).toThrow(/lies outside/);
  });
});
