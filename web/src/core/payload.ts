/** The bytes behind a header: undone from base64 and zlib, and read as arrays. */

import type { Section } from "./contract";

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** The array of a section; sections begin at multiples of four, so no copy is needed. */
export function arrayOf(buffer: ArrayBuffer, section: Section): Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array {
  const length = section.shape.reduce((product, n) => product * n, 1);
  switch (section.type) {
    case "u8":
      return new Uint8Array(buffer, section.at, length);
    case "u16":
      return new Uint16Array(buffer, section.at, length);
    case "u32":
      return new Uint32Array(buffer, section.at, length);
    case "i8":
      return new Int8Array(buffer, section.at, length);
    case "i16":
      return new Int16Array(buffer, section.at, length);
  }
}
