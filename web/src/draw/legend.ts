/** What a saved picture says below itself: which colour is which head, how strong a full line is, what is left out. */

import type { NameKind } from "../core/contract";
import type { DrawnLinks } from "../core/drawnLinks";
import type { Store } from "../core/store.svelte";
import { opacity } from "../core/strength";
import { weightText } from "./bipartite";
import { textWidth } from "./geometry";
import type { Mark } from "./marks";
import type { Colours } from "./theme";

export const LEGEND = 22;

const LEFT_OUT = "without the first token; percentages: its share of the attention";

/** In words: which links are drawn, and how much of the attention that is. */
export function shownText({ least, cut, mass, heads, withoutFirst }: DrawnLinks): string {
  const strongest = heads.some(({ best }) => best) ? ", and each token's strongest" : "";
  const share = mass > 0.995 ? "all" : `${Math.round(mass * 100)}%`;
  return `links of ${weightText(least)} and more${strongest}: ${share} of the ${withoutFirst ? "other " : ""}attention${cut ? " (more would be too many to draw)" : ""}`;
}

/** Marks from the left at this height, and how far down they reach. */
export function legend(drawn: DrawnLinks, names: string[], colours: Colours, left: number, top: number, width: number): { marks: Mark[]; height: number } {
  const marks: Mark[] = [];
  let [x, y] = [left, top + LEGEND / 2];
  const entry = (colour: string, strong: number, text: string) => {
    const room = 22 + textWidth(text) * (12 / 14) + 14;
    if (x + room > left + width && x > left) [x, y] = [left, y + LEGEND];
    marks.push({ type: "line", from: [x, y], to: [x + 16, y], colour, alpha: opacity(strong), width: 0.6 + 2.4 * strong });
    marks.push({ type: "words", x: x + 21, y, text, size: 12, colour: colours.ink, anchor: "start" });
    x += room;
  };
  if (drawn.signed) {
    entry(colours.positive, 1, "above 0");
    entry(colours.negative, 1, "below 0");
  } else if (names.length > 1) drawn.heads.forEach(({ colour }, i) => entry(colour, 1, names[i]));
  const ink = names.length === 1 && !drawn.signed ? drawn.heads[0].colour : colours.quiet;
  for (const strong of [0.25, 0.5, 1]) entry(ink, strong, (strong === 1 ? "≥ " : "") + weightText(strong * drawn.ceiling));
  y += LEGEND;
  for (const text of [shownText(drawn), ...(drawn.withoutFirst ? [LEFT_OUT] : [])]) {
    marks.push({ type: "words", x: left, y, text, size: 11, colour: colours.quiet, anchor: "start" });
    y += LEGEND;
  }
  y -= LEGEND;
  return { marks, height: y + LEGEND / 2 - top };
}

/** Which colour is which name, from the left at this height, and how far down that reaches. */
export function nameLegend(store: Store, kind: NameKind, left: number, top: number, width: number): { marks: Mark[]; height: number } {
  const marks: Mark[] = [];
  let [x, y] = [left, top + LEGEND / 2];
  for (const { name, count } of store.shared.names.counted(kind, store.attention.attention)) {
    const text = `${name.title} ${count}`;
    const room = 15 + textWidth(text) * (12 / 14) + 14;
    if (x + room > left + width && x > left) [x, y] = [left, y + LEGEND];
    marks.push({ type: "box", x, y: y - 5, width: 10, height: 10, colour: name[store.shared.dark ? "dark" : "light"], alpha: 1 });
    marks.push({ type: "words", x: x + 15, y, text, size: 12, colour: store.shared.colours.ink, anchor: "start" });
    x += room;
  }
  return { marks, height: y + LEGEND / 2 - top };
}
