/** The same files that Python's tests read and write. */

import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import type { Scene } from "../src/core/contract";
import type { Report } from "../src/report/contract";

export const NAMES = ["dense", "sparse", "tiles", "vectors", "encoder_decoder", "signed", "named", "panes", "why"] as const;

export interface Fixture {
  scene: Scene;
  data: string;
  rows: { attention: string; layer: number; head: number; weights: number[][] }[];
}

export function fixture(name: (typeof NAMES)[number]): Fixture {
  return JSON.parse(readFileSync(`../tests/views/fixtures/${name}.json`, "utf8")) as Fixture;
}

export function opened(name: (typeof NAMES)[number]): Fixture & { buffer: ArrayBuffer } {
  const found = fixture(name);
  return { ...found, buffer: inflated(found.data) };
}

/** A report of four heads, and the bytes of their maps. */
export function reportFixture(): { report: Report; data: string; buffer: ArrayBuffer } {
  const found = JSON.parse(readFileSync("../tests/report/fixtures/tiny.json", "utf8")) as { report: Report; data: string };
  return { ...found, buffer: inflated(found.data) };
}

/** The schema that a document from Python keeps to. */
export const schemaOf = (document: "view" | "report") => JSON.parse(readFileSync(`contract/${document}.schema.json`, "utf8")) as object;

const inflated = (data: string): ArrayBuffer => new Uint8Array(inflateSync(Buffer.from(data, "base64"))).buffer;
