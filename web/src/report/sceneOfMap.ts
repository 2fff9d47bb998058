/** The typical map of a head as a scene, so that a card can open it as a view: its bytes mean the same in both. */

import { type Scene, SCHEMA, type SideName } from "../core/contract";
import { COLOURS } from "../draw/theme";
import type { Book } from "./book";

export function sceneOfMap(book: Book, head: number): Scene {
  const { heads, cards, tokens, model } = book.document;
  const map = cards[head].map!;
  const [rows, columns] = map.weights.shape;
  const kind = heads.kind[head];
  // a typical map is of one text: both its sides
  const side: SideName = kind === "cross" ? "decoder" : kind;
  const [layer, own] = [heads.layer[head], heads.head[head]];
  const text = tokens[map.tokens];
  return {
    schema: SCHEMA,
    title: `Head ${book.address(head)} of ${model.title}: a typical map`,
    theme: "system",
    sides: { [side]: { tokens: text.tokens.slice(0, rows), words: [], gaps: text.gaps.slice(0, rows), b_start: null, generated: null, probabilities: [] } },
    attentions: [
      {
        attention: kind,
        queries: side,
        keys: side,
        causal: model.grids.find((grid) => grid.kind === kind)!.causal,
        shares: true,
        signed: false,
        layers: [{ layer, heads: [own], scale: [map.scale], weights: { ...map.weights, shape: [1, rows, columns] } }],
      },
    ],
    statistics: [],
    names: [],
    names_from: "atlas",
    palette: { light: [COLOURS.light.accent], dark: [COLOURS.dark.accent] },
    selection: {
      kind: "head",
      attention: kind,
      layer,
      heads: [own],
      pinned: [],
      level: "pieces",
      layout: "columns",
      sentences: "all",
      threshold: null,
      order: "layer",
      reverse: false,
      colour: "head",
      behaviour: "",
      pattern: "",
      shape: "",
      asked: null,
      weighting: "weights",
      direction: "from",
      without_first: false,
      square: null,
    },
    edits: [],
    notes: [],
    why: "",
    call: "",
    bytes: book.data.byteLength,
  };
}
