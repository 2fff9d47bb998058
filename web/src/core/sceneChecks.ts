/** Checks that a scene and its bytes belong together, beyond what types say. */

import { type Layer, type Pane, SCHEMA, type Scene, type Section } from "./contract";

const WIDTH = { u8: 1, u16: 2, u32: 4, i8: 1, i16: 2 } as const;

/** Throws, in words, when a header is of another version or points outside its bytes. */
export function checkScene(scene: Scene, available: number): void {
  if (scene.schema !== SCHEMA)
    throw new Error(`This view reads ${SCHEMA}, and the data is ${String(scene.schema)}: make it again with the same Attlas.`);
  if (available !== scene.bytes)
    throw new Error(`The data of this view is cut off: ${available} bytes of ${scene.bytes}. Save the page again.`);
  const told = scene.reasons?.links;
  if (told && told.at + sizeOf(told) > scene.bytes) throw new Error("What the view says of why heads look lies outside the data.");
  for (const pane of [scene, ...(scene.panes ?? [])]) checkPane(pane, scene.bytes);
}

function checkPane({ sides, attentions }: Pick<Pane, "sides" | "attentions">, bytes: number): void {
  for (const attention of attentions) {
    const queries = sides[attention.queries]?.tokens.length;
    const keys = sides[attention.keys]?.tokens.length;
    for (const layer of attention.layers) {
      const { shape } = layer.weights;
      const having = (layer.with_rows ?? layer.heads).length;
      if (shape[0] !== having || shape[1] !== queries || (!layer.columns && shape[2] !== keys) || !tilesFit(layer, queries, keys ?? 0))
        throw new Error(`Layer ${layer.layer} of ${attention.attention} attention does not fit its tokens.`);
      for (const section of sectionsOf(layer))
        if (section.at + sizeOf(section) > bytes) throw new Error(`Layer ${layer.layer} of ${attention.attention} attention lies outside the data.`);
    }
  }
}

function tilesFit({ tiles, heads }: Layer, queries: number, keys: number): boolean {
  if (!tiles) return true;
  const [count, rows, columns] = tiles.shares.shape;
  if (tiles.first && (tiles.first.shape[0] !== count || tiles.first.shape[1] !== rows)) return false;
  return count === heads.length && rows === Math.ceil(queries / tiles.size) && columns === Math.ceil(keys / tiles.size);
}

function sectionsOf(layer: Layer): Section[] {
  const vectors = layer.vectors ? [layer.vectors.query, layer.vectors.key, layer.vectors.value].map((v) => v.values) : [];
  return [layer.weights, layer.columns, layer.tops, layer.rest, layer.tiles?.shares, layer.tiles?.first, layer.value_norms?.values, ...vectors].filter((section) => section !== undefined);
}

export function sizeOf(section: Section): number {
  return section.shape.reduce((product, length) => product * length, WIDTH[section.type]);
}
