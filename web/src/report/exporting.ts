/** What leaves the page: pictures, a table, a card as text. */

import { FONT } from "../draw/theme";
import type { Book } from "./book";
import { certainty, chanceOf, percent, plain, sampleSize, shareWithin, signed, written } from "./wording";

function standalone(picture: SVGSVGElement, page: string): { text: string; width: number; height: number } {
  const { width, height } = picture.viewBox.baseVal;
  const copy = picture.cloneNode(true) as SVGSVGElement;
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes); // the file has no cards to lead to
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("font-family", FONT);
  for (const name of ["class", "style", "role"]) copy.removeAttribute(name);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", page);
  copy.prepend(ground);
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

export function svgOf(picture: SVGSVGElement, page: string): Blob {
  return new Blob([standalone(picture, page).text], { type: "image/svg+xml" });
}

export const pngOf = (picture: SVGSVGElement, page: string): Promise<Blob> => pngOfText(standalone(picture, page));

export async function pngOfText({ text, width, height }: { text: string; width: number; height: number }, scale = 2): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const context = canvas.getContext("2d")!;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("The picture is too large."))), "image/png"));
}

/** All statistics and names of some heads, with standard errors. */
export function csvOf(book: Book, heads: number[]): string {
  const { names, statistics, heads: columns } = book.document;
  const header = ["head", "kind", "layer", "number", ...names.flatMap(({ kind }) => [kind, `${kind} confidence`]), ...statistics.flatMap(({ key }) => [key, `${key} stderr`])];
  const rows = heads.map((head) => [
    book.address(head),
    columns.kind[head],
    columns.layer[head],
    columns.head[head],
    ...names.flatMap((each) => [book.name(each, head)?.name ?? "", each.confidence[head] ?? ""]),
    ...statistics.flatMap(({ values, stderr }) => [values[head] ?? "", stderr[head] ?? ""]),
  ]);
  return [header, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** A spreadsheet must not take a name for a formula. */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) && !/^-?\d/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A card as Markdown. */
export function markdownOf(book: Book, head: number): string {
  const { cards, names, statistics, chapters, heads, model, made } = book.document;
  const card = cards[head];
  const lines = [`# Head ${book.address(head)} of ${escaped(model.title)}`, "", ...card.sentences.map((sentence) => escaped(plain(sentence, heads.address))), ""];
  const named = names.flatMap((each) => {
    const choice = book.name(each, head);
    return choice ? [`- ${each.title}: ${escaped(choice.title)} (${each.kind === "program" ? percent(each.confidence[head] ?? 0) : certainty(each.confidence[head] ?? 0)})`] : [];
  });
  if (named.length > 0) lines.push("## Names", "", ...named, "");
  if (card.relations.length > 0) {
    lines.push("## Relations", "", "| relation | way | found | baseline | p | n | documents |", "|---|---|---|---|---|---|---|");
    for (const r of card.relations) lines.push(`| ${escaped(r.title)} | ${escaped(r.way)} | ${shareWithin(r.value, r.low, r.high)} | ${r.baseline === null ? "" : `${shareWithin(r.baseline, null, null)} (${escaped(r.baseline_title)})`} | ${chanceOf(r.p)} | ${r.n} | ${r.documents || ""} |`);
    lines.push("");
  }
  if (card.effects.length > 0) {
    lines.push("## Disabled", "");
    for (const e of card.effects) lines.push(`- ${escaped(e.edit_title)}: ${escaped(e.score)} ${signed(e.change)}${e.low === null || e.high === null ? "" : ` (95 %: ${signed(e.low)} to ${signed(e.high)})`}${e.p === null ? "" : `, ${chanceOf(e.p)}`}, ${sampleSize(e.n, e.documents)}`);
    lines.push("");
  }
  lines.push("## Statistics", "", "| statistic | value | among heads | corpus |", "|---|---|---|---|");
  statistics.forEach((each, i) => {
    if (each.values[head] !== null) lines.push(`| ${escaped(each.title)} | ${written(each, each.values[head], each.stderr[head])} | ${book.rankText(i, head)} | ${escaped(chapters[each.chapter].corpus)} |`);
  });
  return [...lines, "", `Made with Attlas ${made.attlas} from ${escaped(made.atlas)}, ${made.when}.`, ""].join("\n");
}

const escaped = (text: string) => text.replace(/[\\`*_{}[\]<>|#]/g, "\\$&").replace(/\s+/g, " ");
