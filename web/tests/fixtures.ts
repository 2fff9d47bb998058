/** The same files that Python's tests read and write. */

import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import type { Scene } from "../src/core/contract";

export const NAMES = ["dense", "sparse", "tiles", "vectors", "encoder_decoder", "signed", "named", "panes"] as const;

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
  return { ...found, buffer: new Uint8Array(inflateSync(Buffer.from(found.data, "base64"))).buffer };
}
