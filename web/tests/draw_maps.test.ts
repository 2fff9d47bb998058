import { describe, expect, it } from "vitest";
import { arrange, ordered } from "../src/core/grid";
import { type HeadMap, type TileMap } from "../src/core/maps";
import { UnitMap, type Unit } from "../src/core/units";
import { ceilingOf } from "../src/core/strength";
import { centre, fit, pan, reveal, zoom } from "../src/draw/camera";
import { meanPixels, nearness, sharePixels, tileCeiling, tileThumbnail } from "../src/draw/coarse";
import { TILE, TileCache, levelFor, tileBytes, tilesIn } from "../src/draw/tiles";
import { thumbnailPixels } from "../src/draw/thumbnail";
import { fixture } from "./fixtures";

const units = (count: number): Unit[] => Array.from({ length: count }, (_, i) => ({ text: `t${i}`, start: i, end: i + 1 }));

describe("the camera", () => {
  const room = { width: 400, height: 300, columns: 1000, rows: 1000 };

  it("fits the whole map", () => {
    expect(fit(room)).toMatchObject({ y: 0, cell: 0.3 });
  });

  it("puts a map that is narrower than its room in the middle of it", () => {
    const { x, cell } = fit(room);
    expect(-x * cell).toBeCloseTo((400 - 300) / 2, 6);
  });

  it("zooms around the pointer", () => {
    const before = zoom(fit(room), room, 8, 200, 150);
    const after = zoom(before, room, 2, 100, 100);
    expect(after.x + 100 / after.cell).toBeCloseTo(before.x + 100 / before.cell, 6);
    expect(after.y + 100 / after.cell).toBeCloseTo(before.y + 100 / before.cell, 6);
  });

  it.each([[60, 10], [195, 20], [340, 290], [200, 150]])("keeps what is under the pointer from the first step on, at %i, %i", (px, py) => {
    const whole = fit(room);
    const under = (camera: typeof whole) => [camera.x + px / camera.cell, camera.y + py / camera.cell];
    let camera = whole;
    for (let step = 0; step < 20; step++) {
      camera = zoom(camera, room, 1.25, px, py);
      under(camera).forEach((at, i) => expect(at).toBeCloseTo(under(whole)[i], 6));
    }
  });

  it("keeps its middle within the map", () => {
    const near = zoom(fit(room), room, 100, 200, 150);
    const middle = ({ x, y, cell }: typeof near) => [x + room.width / cell / 2, y + room.height / cell / 2];
    middle(pan(near, room, 1e9, 1e9)).forEach((at) => expect(at).toBeCloseTo(0, 6));
    middle(pan(near, room, -1e9, -1e9)).forEach((at) => expect(at).toBeCloseTo(1000, 6));
    expect(zoom(near, room, 1e-9, 0, 0)).toEqual(fit(room));
  });

  it("puts a place in the middle, as far as the map goes", () => {
    const near = zoom(fit(room), room, 10, 0, 0);
    const there = centre(near, room, 500, 400);
    expect([there.x + room.width / near.cell / 2, there.y + room.height / near.cell / 2]).toEqual([500, 400]);
    expect(centre(near, room, -9, 0).x + room.width / near.cell / 2).toBeCloseTo(0, 6);
  });

  it("moves just enough to show a cell", () => {
    const near = zoom(fit(room), room, 100, 0, 0);
    const shown = reveal(near, room, 500, 2);
    expect(shown.x).toBeCloseTo(501 - room.width / near.cell, 6);
    expect(shown.y).toBe(near.y);
  });
});

describe("tiles", () => {
  const strong = 700;
  const map = new UnitMap(
    { scale: 1, keys: 1000, queries: 1000, width: 1000, rest: () => 0, entries: (query: number, visit: (key: number, weight: number) => void) => query === strong && visit(strong, 1) } as unknown as HeadMap,
    units(1000),
    units(1000),
  );

  it("use the level whose pixels are about those of the screen", () => {
    expect([2, 1, 0.5, 0.3, 0.05].map(levelFor)).toEqual([0, 0, 1, 2, 5]);
  });

  it("cover what is seen and nothing else", () => {
    expect(tilesIn(0, 0, 0, 10, 10, 1000, 1000)).toEqual([[0, 0]]);
    expect(tilesIn(0, 250, 0, 300, 10, 1000, 1000)).toEqual([[0, 0], [1, 0]]);
    expect(tilesIn(2, 0, 0, 1000, 1000, 1000, 1000)).toEqual([[0, 0]]);
  });

  it.each([0, 1, 2])("show one strong link at level %i", (level) => {
    const at = strong >> level;
    const tile = Math.floor(at / TILE);
    const bytes = tileBytes(map, 1, false, level, tile, tile);
    const inside = at - tile * TILE;
    expect(bytes[inside * TILE + inside]).toBe(255);
    expect(bytes.reduce((sum, byte) => sum + byte)).toBe(255);
  });

  it("spread the rest of a row evenly over the keys it may see", () => {
    const broad = { scale: 1, keys: 100, queries: 100, width: 0, rest: () => 0.5, entries: () => undefined } as unknown as HeadMap;
    const bytes = tileBytes(new UnitMap(broad, units(100), units(100)), 0.02, true, 0, 0, 0);
    expect(bytes[24 * TILE + 24]).toBe(255); // 0.5 over 25 keys
    expect(bytes[24 * TILE + 25]).toBe(0); // later than the query
    expect(bytes[99 * TILE]).toBe(128); // 0.5 over 100 keys
  });

  it("take their strongest colour from nearly the largest weight, not from one sharp row", () => {
    const rows = Array.from({ length: 100 }, (_, i) => (i === 7 ? 1 : 0.01));
    const broad = { scale: 1, keys: 100, entries: (query: number, visit: (key: number, weight: number) => void) => visit(0, rows[query]) } as unknown as HeadMap;
    expect(ceilingOf(new UnitMap(broad, units(100), units(100)).links(0), true)).toBeCloseTo(0.01, 6);
    expect(ceilingOf(new UnitMap(broad, units(100), units(100)).links(0), false)).toBe(1);
  });

  it("are made once and the longest unused go first", () => {
    const cache = new TileCache<number>();
    let made = 0;
    for (let i = 0; i < 200; i++) cache.get(String(i), () => made++);
    cache.get("199", () => made++);
    expect(made).toBe(200);
    expect(cache.has("0")).toBe(false);
  });

  it("are one thumbnail for the model view", () => {
    const { bytes, width } = thumbnailPixels(map.links(0.01), 1000, 1000, 100, 0, 1);
    expect(bytes[70 * width + 70]).toBe(255);
  });

  it("are a pixel a token where there are few, on each side by itself, so that no row stays empty", () => {
    const links = { rows: Uint32Array.of(0, 3, 6), to: Uint32Array.of(0, 1, 2, 0, 1, 2), weight: new Float32Array(6).fill(1) };
    const { bytes, width, height } = thumbnailPixels(links, 2, 3, 100, 0, 1);
    expect([width, height]).toEqual([3, 2]);
    expect([...bytes]).toEqual(Array(6).fill(255));
  });
});

describe("tiles of a long input", () => {
  const shares = [
    [1, 0, 0],
    [0.5, 0.5, 0],
    [0.25, 0.25, 0.5],
  ];
  const tiles = { size: 4, rows: 3, columns: 3, scale: 1, share: (row: number, column: number) => shares[row][column] } as unknown as TileMap;

  it("take their strongest colour from what nine rows in ten stay below", () => {
    expect(tileCeiling(tiles)).toBe(0.5);
    expect([...sharePixels(tiles, 0.5)]).toEqual([255, 0, 0, 255, 255, 0, 180, 180, 255]);
  });

  it("are the mean weight of the pairs that may see each other, from near", () => {
    const bytes = meanPixels(tiles, 10, true, 1);
    expect(bytes[3]).toBe(Math.round(255 * Math.sqrt(0.5 / 4))); // four keys
    expect(bytes[4]).toBe(Math.round(255 * Math.sqrt(0.5 / 2.5))); // on the diagonal 1, 2, 3 or 4
    expect(bytes[8]).toBe(Math.round(255 * Math.sqrt(0.5 / 1.5))); // the last tile has two
  });

  it("are a thumbnail whose pixels show the strongest", () => {
    expect([...tileThumbnail(tiles, 1).bytes]).toEqual([255]);
    expect(tileThumbnail(tiles, 128)).toEqual({ bytes: sharePixels(tiles, 1), width: 3, height: 3 });
  });

  it("give way to cells little by little, and never while all is seen", () => {
    expect([2, 8, 16, 32, 4000].map((tile) => nearness(tile, 2))).toEqual([0, 0, 0.5, 1, 1]);
    expect(nearness(20, 20)).toBe(0);
  });
});

describe("the grid of heads", () => {
  const attention = fixture("dense").scene.attentions[0];
  const statistics = [{ name: "next", first: "largest" as const, values: [["encoder", 0, 1, 0.2], ["encoder", 1, 2, 0.9], ["decoder", 0, 0, 5]] as never }];
  const by = (name: string) => ({ by: name, reverse: false });
  const names = (heads: { layer: number; head: number }[]) => heads.map(({ layer, head }) => `${layer}.${head}`);

  it("has a row a layer", () => {
    const grid = arrange(ordered(attention, statistics, by("layer")), true, 600);
    expect(grid.perRow).toBe(3);
    expect(new Set(grid.cells.map((cell) => cell.y)).size).toBe(2);
  });

  it("is ordered by a statistic, heads without one last", () => {
    expect(names(ordered(attention, statistics, by("next")))).toEqual(["1.2", "0.1", "0.0", "0.2", "1.0", "1.1"]);
  });

  it("turns round, heads without a number still last", () => {
    expect(names(ordered(attention, statistics, { ...by("next"), reverse: true }))).toEqual(["0.1", "1.2", "0.0", "0.2", "1.0", "1.1"]);
  });

  it("begins with the smallest where that is what people look for", () => {
    const entropy = [{ ...statistics[0], first: "smallest" as const }];
    expect(names(ordered(attention, entropy, by("next")))[0]).toBe("0.1");
  });

  it("is ordered by the answer to a question", () => {
    const answer = (layer: number, head: number) => (layer === 1 && head === 1 ? { low: 0.9, high: 0.9 } : layer === 0 ? { low: 0, high: 0.1 * head } : null);
    const found = ordered(attention, statistics, { ...by("asked"), answer });
    expect(names(found).slice(0, 4)).toEqual(["1.1", "0.2", "0.1", "0.0"]);
    expect(found[0].value).toBe(0.9);
  });

  it("shows only the heads that are kept", () => {
    expect(names(ordered(attention, statistics, { ...by("next"), kept: (layer) => layer === 1 }))).toEqual(["1.2", "1.0", "1.1"]);
  });

  it("fits 32 heads into the width of a laptop", () => {
    const heads = Array.from({ length: 36 * 32 }, (_, i) => ({ layer: Math.floor(i / 32), head: i % 32, value: null }));
    const grid = arrange(heads, true, 1300);
    expect(grid.width).toBe(1300);
    expect(Math.max(...grid.cells.map((cell) => cell.x + grid.size))).toBeLessThanOrEqual(1300);
  });
});
