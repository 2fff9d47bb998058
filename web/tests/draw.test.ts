import { describe, expect, it } from "vitest";
import { type Links, type Unit, incoming } from "../src/core/units";
import { drawable, massOf, strongestOf, thresholdFor } from "../src/core/strength";
import { everything, lines, weightText } from "../src/draw/bipartite";
import { anchor, place } from "../src/draw/geometry";
import { type Mark, clip, escape, moved, toSvg } from "../src/draw/marks";
import { ramp } from "../src/draw/ramp";
import { isolated, quoted, visualRuns } from "../src/draw/bidi";
import { flow, largest, lineOf, shown, written, strip } from "../src/draw/prose";
import { COLOURS } from "../src/draw/theme";
import { shade } from "../src/draw/tiles";

const units = (count: number): Unit[] => Array.from({ length: count }, (_, i) => ({ text: `t${i}`, start: i, end: i + 1 }));
const measure = (text: string) => text.length * 8;

describe("places of tokens", () => {
  it("never overlap within a side", () => {
    for (const layout of ["columns", "rows"] as const) {
      const { query } = place(layout, units(30), units(30), 500, measure);
      for (let i = 1; i < query.length; i++)
        expect(layout === "columns" ? query[i].y - query[i - 1].y - query[i - 1].height : query[i].x - query[i - 1].x - query[i - 1].width).toBeGreaterThanOrEqual(0);
    }
  });

  it("leave room for links on the narrowest screen", () => {
    const long = units(5).map((unit) => ({ ...unit, text: "x".repeat(5000) }));
    const geometry = place("columns", long, long, 360, measure);
    expect(anchor(geometry, "key", 0)[0] - anchor(geometry, "query", 0)[0]).toBeGreaterThanOrEqual(90);
    expect(geometry.key[0].x + geometry.key[0].width).toBeLessThanOrEqual(geometry.width);
  });
});

describe("links", () => {
  const geometry = place("columns", units(2), units(2), 500, measure);
  const links: Links = { rows: Uint32Array.of(0, 2, 3), to: Uint32Array.of(0, 1, 1), weight: Float32Array.of(0.9, 0.1, 1) };
  const drawn = (least: number, best = false, of = links, keys = 2) => ({
    heads: [{ head: 0, colour: "#123456", links: of, incoming: incoming(of, keys), best: best ? strongestOf(of) : null }],
    least,
    cut: false,
    ceiling: 1,
    mass: 1,
    signed: false,
    withoutFirst: false,
  });
  const all = everything(geometry);
  const ends = (found: ReturnType<typeof lines>) => found.map((line) => [line.from[1], line.to[1]]);
  const y = (end: "query" | "key", index: number) => anchor(geometry, end, index)[1];

  it("are all drawn, stronger ones more so and later", () => {
    const found = lines(geometry, drawn(0.01), [], all, COLOURS.light);
    expect(found.map((line) => line.alpha)).toEqual([...found.map((line) => line.alpha)].sort((a, b) => a - b));
    expect(found).toHaveLength(3);
  });

  it("of an active query are only its own", () => {
    expect(ends(lines(geometry, drawn(0.01), [["query", 1]], all, COLOURS.light))).toEqual([[y("query", 1), y("key", 1)]]);
  });

  it("of an active key are those that end there, each once", () => {
    expect(lines(geometry, drawn(0.01), [["key", 1]], all, COLOURS.light)).toHaveLength(2);
    expect(lines(geometry, drawn(0.01), [["key", 1], ["query", 0]], all, COLOURS.light)).toHaveLength(3);
  });

  it("are drawn where one end is in sight, each once", () => {
    const tall = place("columns", units(50), units(50), 500, measure);
    const of: Links = { rows: Uint32Array.from({ length: 51 }, (_, i) => i), to: Uint32Array.from({ length: 50 }, (_, i) => (i + 25) % 50), weight: new Float32Array(50).fill(0.5) };
    expect(lines(tall, drawn(0.01, false, of, 50), [], { query: [0, 5], key: [0, 5] }, COLOURS.light)).toHaveLength(10);
    expect(lines(tall, drawn(0.01, false, of, 50), [], everything(tall), COLOURS.light)).toHaveLength(50);
  });

  it("of just the weight that is said and more are drawn, however weak", () => {
    expect(lines(geometry, drawn(0.5), [], all, COLOURS.light)).toHaveLength(2);
    const weak: Links = { rows: Uint32Array.of(0, 2, 2), to: Uint32Array.of(0, 1), weight: Float32Array.of(0.011, 0.009) };
    expect(lines(geometry, drawn(0.01, false, weak), [], all, COLOURS.light)).toHaveLength(1);
  });

  it("include each row's strongest where nobody chose a threshold", () => {
    const weak: Links = { rows: Uint32Array.of(0, 2, 3), to: Uint32Array.of(0, 1, 1), weight: Float32Array.of(0.02, 0.01, 0.03) };
    expect(lines(geometry, drawn(0.5, true, weak), [], all, COLOURS.light)).toHaveLength(2);
  });

  it("below zero have a colour of their own", () => {
    const signed = { ...drawn(0.01, false, { ...links, weight: Float32Array.of(0.9, -0.8, 0.1) }), signed: true };
    expect(lines(geometry, signed, [], all, COLOURS.light).map((line) => line.colour)).toEqual([COLOURS.light.positive, COLOURS.light.negative, COLOURS.light.positive]);
  });
});

describe("what is drawn", () => {
  const many: Links = { rows: Uint32Array.of(0, 20_000), to: new Uint32Array(20_000), weight: Float32Array.from({ length: 20_000 }, (_, i) => (i + 1) / 20_000) };

  it("begins at 0.01, or where few enough links are left", () => {
    expect(thresholdFor([{ rows: Uint32Array.of(0, 1), to: Uint32Array.of(0), weight: Float32Array.of(0.5) }])).toBe(0.01);
    expect(thresholdFor([many])).toBe(0.5);
  });

  it("is cut where all would be too many, and the cut is known", () => {
    const least = drawable([many], 0.01, 1000);
    expect(many.weight.filter((weight) => weight >= least)).toHaveLength(1000);
    expect(drawable([many], 0.99, 1000)).toBe(0.99);
  });

  it("is a share of all attention that is said", () => {
    const links: Links = { rows: Uint32Array.of(0, 2, 4), to: Uint32Array.of(0, 1, 0, 1), weight: Float32Array.of(0.7, 0.3, 0.5, 0.5) };
    expect(massOf([{ links, best: null }], 0.5, 2)).toBeCloseTo(0.85, 6);
    expect(massOf([{ links, best: null }], 0.6, 2)).toBeCloseTo(0.35, 6);
    expect(massOf([{ links, best: strongestOf(links) }], 0.6, 2)).toBeCloseTo(0.6, 6);
  });
});

describe("prose", () => {
  const side = { tokens: ["The", "straw", "##berries", ",", "red", "."], words: [], gaps: "-s--s-", b_start: null };
  const words = side.tokens.map((text, i) => ({ text, start: i, end: i + 1 }));

  it("puts spaces where the text has them, and marks nowhere", () => {
    const { words: at } = flow(words, side, 800, measure);
    expect(at[1].x - (at[0].x + at[0].width)).toBe(8);
    expect(at[2].x).toBe(at[1].x + at[1].width);
    expect(at[2].width).toBe(7 * 8);
  });

  it("breaks lines between words, not within", () => {
    const { lines } = flow(words, side, 160, measure);
    expect(lines).toEqual([0, 1, 4, 6]);
    expect([0, 1, 2, 3, 4, 5].map((word) => lineOf({ lines }, word))).toEqual([0, 1, 1, 1, 2, 2]);
  });

  it("names the words that glow most", () => {
    expect(largest(Float32Array.of(0, 0.2, -0.9, 0.1, 0.2), 3)).toEqual([2, 1, 4]);
    expect(largest(Float32Array.of(0, 0.5), 3)).toEqual([1]);
  });

  it("has a strip of where it glows", () => {
    expect([...strip(Float32Array.of(0, 0.5, 0, 0.25), 2)]).toEqual([1, 0.5]);
  });
});

it("signed weights are coloured from the middle of the ramp", () => {
  expect([-1, 0, 1].map((weight) => shade(weight, 1, true))).toEqual([1, 128, 255]);
});

describe("pictures", () => {
  it("hold tokens as text only, without what XML cannot hold", () => {
    const svg = toSvg({ width: 10, height: 10, marks: [{ type: "words", x: 1, y: 2, text: '<script>"&\u0000\ud800', size: 12, colour: "#000000", anchor: "start" }] }, "#ffffff");
    expect(svg).toContain(">&lt;script&gt;&quot;&amp;\ufffd\ufffd</text>");
  });

  it("keep emoji and other whole characters", () => {
    expect(escape("👩‍🔬é")).toBe("👩‍🔬é");
    expect(clip("👩".repeat(40), 5)).toBe("👩👩👩👩…");
  });

  it("can be put beside each other", () => {
    const line = { type: "line", from: [0, 0], to: [1, 1], colour: "#000000", alpha: 1, width: 1 } as const;
    expect(moved([{ ...line, from: [0, 0], to: [1, 1] }], 10, 20)[0]).toMatchObject({ from: [10, 20], to: [11, 21] });
  });

  it("write weights with the digits that mean something", () => {
    expect([1, 0.456, 0.0997, 0.0123, 0.0001, 0].map(weightText)).toEqual(["1.00", "0.46", "0.10", "0.012", "<0.001", "0"]);
  });

  it("have a ramp whose lightness goes one way", () => {
    for (const dark of [false, true]) {
      const colours = ramp(dark);
      const light = Array.from({ length: 256 }, (_, i) => 0.2126 * colours[i * 4] + 0.7152 * colours[i * 4 + 1] + 0.0722 * colours[i * 4 + 2]);
      for (let i = 1; i < 256; i++) expect(dark ? light[i] - light[i - 1] : light[i - 1] - light[i]).toBeGreaterThanOrEqual(-0.5);
    }
  });
});

describe("a text", () => {
  const units = (...texts: string[]) => texts.map((text, i) => ({ text, start: i, end: i + 1 }));
  const all = (...texts: string[]) => units(...texts).map((_, i) => written(units(...texts), i));

  it("is written without WordPiece's marks, but headings keep theirs", () => {
    expect(all("straw", "##berries", "##", "###")).toEqual(["straw", "berries", "##", "###"]);
  });

  it("has a character of several tokens only once", () => {
    expect(all("你…", "…你", "好…", "…好!", "so…", "…x")).toEqual(["你", "", "好", "!", "so…", "…x"]);
    const parts = units("你…", "…你");
    const { words } = flow(parts, { gaps: "--" }, 800, measure);
    expect(words[1].width).toBeGreaterThan(0); // there is still something to point at
  });

  it("has spaces as spaces, and ends of lines as marks", () => {
    expect(all("a", "␣", "␣ ␣", "⏎")).toEqual(["a", " ", "  ", "⏎"]);
  });
});

describe("a text that runs from right to left", () => {
  const unit = (text: string, start: number): Unit => ({ text, start, end: start + 1 });

  it("stands with its first word on the right, and what runs the other way inside it is turned as a whole", () => {
    expect(visualRuns(["right", "left", null, "left", "right"], "right").flat()).toEqual([4, 1, 2, 3, 0]);
    expect(visualRuns(["left", "right", null, "right", "left"], "left").flat()).toEqual([0, 3, 2, 1, 4]);
  });

  it("is laid out so, with spaces where the text has them", () => {
    const words = ["مع", "GPT", "-", "2", "صديقه"].map(unit);
    const { words: at, way } = flow(words, { gaps: "-s--s" }, 800, (text) => 10 * [...text].length);
    expect(way).toBe("right");
    const [from, gpt, hyphen, two, friend] = at.map(({ x }) => x);
    expect(from + 20).toBe(800 - 14);
    expect(gpt + 30).toBe(hyphen); // nothing between them
    expect(hyphen + 10).toBe(two);
    expect(two + 10 + 10).toBe(from); // a space
    expect(friend + 50 + 10).toBe(gpt);
  });

  it("joins the letters of pieces that one word has, and only those", () => {
    const pieces = ["سل", "ام", " "].map(unit);
    expect([0, 1].map((i) => shown(pieces, { gaps: "---" }, i))).toEqual(["سل\u200d", "\u200dام"]);
  });

  it("joins letters across a token that only goes on with a character", () => {
    const pieces = ["س…", "…س", "ل"].map(unit);
    expect([0, 1, 2].map((i) => shown(pieces, { gaps: "---" }, i))).toEqual(["س\u200d", "", "\u200dل"]);
    expect(shown(pieces, { gaps: "--s" }, 0)).toBe("س");
  });

  it("runs so whatever markers of the model's own stand in it", () => {
    const words = ["[CLS]", "[UNK]", "مع", "[UNK]", "[SEP]"].map(unit);
    const { words: at, way } = flow(words, { gaps: "-ssss" }, 800, (text) => 10 * [...text].length);
    expect(way).toBe("right");
    const order = [...at.keys()].sort((a, b) => at[b].x - at[a].x);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  it("does not turn the sentence around its tokens, and punctuation is quoted there", () => {
    expect(isolated("سلام")).toBe("\u2068سلام\u2069");
    expect([quoted(","), quoted("store"), quoted("“")]).toEqual(["“,”", "store", "““”"]);
  });
});

describe("characters of several tokens", () => {
  const units = (...texts: string[]): Unit[] => texts.map((text, i) => ({ text, start: i, end: i + 1 }));

  it("are written once, of two, three or four", () => {
    const emoji = units("🙂…", "…🙂…", "…🙂…", "…🙂");
    expect(emoji.map((_, i) => written(emoji, i))).toEqual(["🙂", "", "", ""]);
    const word = units("П…", "…П", "ривет");
    expect(word.map((_, i) => written(word, i))).toEqual(["П", "", "ривет"]);
  });

  it("take the room of one, shared out among their tokens", () => {
    const { words } = flow(units("П…", "…П", "ривет"), { gaps: "---" }, 800, (text) => 10 * [...text].length);
    expect(words.map(({ x, width }) => [x - 14, width])).toEqual([
      [0, 5],
      [5, 5],
      [10, 50],
    ]);
  });
});

describe("a saved picture", () => {
  it("has lines that look alike in one path", () => {
    const line = (alpha: number): Mark => ({ type: "line", from: [0, 0], to: [1, 1], colour: "#000000", alpha, width: 1 });
    const svg = toSvg({ width: 10, height: 10, marks: [line(0.5), line(0.501), line(0.9)] }, "#fff");
    expect(svg.match(/<path/g)).toHaveLength(2);
  });
});
