/** A card as one picture: its sentences, where the head looks among all, its relations and effects. */

import { FONT } from "../draw/theme";
import type { Book } from "./book";
import { chanceOf, plain, sampleSize, shareWithin, signed, written } from "./wording";

export interface Picture {
  text: string;
  width: number;
  height: number;
}

interface Colours {
  page: string;
  ink: string;
  quiet: string;
  edge: string;
  accent: string;
}

const [WIDTH, MARGIN, LETTERS] = [720, 32, 92]; // letters of a line, about
const [STRIP, VALUE] = [250, 470];

export function cardPicture(book: Book, head: number, colours: Colours): Picture {
  const { model, heads, statistics, cards, made } = book.document;
  const card = cards[head];
  const parts: string[] = [];
  let y = 48;
  const line = (text: string, { x = MARGIN, size = 14, fill = colours.ink, weight = 400 } = {}) => parts.push(`<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${escaped(text)}</text>`);
  const heading = (text: string) => {
    y += 20;
    line(text, { size: 16, weight: 650 });
    y += 24;
  };

  line(`Head ${book.address(head)} of ${model.title}`, { size: 24, weight: 650 });
  y += 30;
  for (const sentence of card.sentences)
    for (const words of wrapped(plain(sentence, heads.address), LETTERS)) {
      line(words);
      y += 20;
    }
  heading("Where it looks");
  for (const [i, statistic] of statistics.entries()) {
    if (!statistic.overview || statistic.values[head] === null) continue;
    line(statistic.title);
    parts.push(strip(book, i, head, y - 11, colours));
    line(`${written(statistic, statistic.values[head], statistic.stderr[head])}   ${book.rankText(i, head)}`, { x: VALUE, size: 12 });
    y += 20;
  }
  if (card.relations.length > 0) {
    heading("Relations it tracks");
    for (const relation of card.relations) {
      line(relation.title);
      line([shareWithin(relation.value, relation.low, relation.high), relation.baseline === null ? "" : `${relation.baseline_title} ${shareWithin(relation.baseline, null, null)}`, chanceOf(relation.p), sampleSize(relation.n, relation.documents)].filter(Boolean).join(" · "), { x: STRIP, size: 12 });
      y += 20;
    }
  }
  if (card.effects.length > 0) {
    heading("Without it");
    for (const effect of card.effects) {
      line(effect.score);
      line([signed(effect.change), effect.low === null || effect.high === null ? "" : `95 %: ${signed(effect.low)} to ${signed(effect.high)}`, chanceOf(effect.p), sampleSize(effect.n, effect.documents)].filter(Boolean).join(" · "), { x: STRIP, size: 12 });
      y += 20;
    }
  }
  y += 16;
  line(`Attlas ${made.attlas}, ${made.when}${made.atlas ? `, ${made.atlas}` : ""}`, { size: 11, fill: colours.quiet });
  const height = y + 24;
  const ground = `<rect width="100%" height="100%" fill="${colours.page}"/>`;
  return { text: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="${escaped(FONT)}">${ground}${parts.join("")}</svg>`, width: WIDTH, height };
}

/** A tick for each head of its kind, and a dot for this one. */
function strip(book: Book, statistic: number, head: number, y: number, colours: Colours): string {
  const { values } = book.document.statistics[statistic];
  const kinds = book.document.heads.kind;
  const [low, high] = book.domain(statistic);
  const x = (value: number) => (STRIP + (180 * (value - low)) / (high - low)).toFixed(1);
  const ticks = values.map((value, other) => (value === null || kinds[other] !== kinds[head] ? "" : `M${x(value)} ${y + 1}V${y + 11}`)).join("");
  return `<path d="M${STRIP} ${y + 11}H${STRIP + 180}" stroke="${colours.edge}"/><path d="${ticks}" stroke="${colours.quiet}" stroke-opacity="0.35"/><circle cx="${x(values[head]!)}" cy="${y + 6}" r="4.5" fill="${colours.accent}"/>`;
}

function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** As XML takes it: characters that it does not know become marks. */
const escaped = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, "\ufffd").replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
