/** A picture as a list of marks: painted on a canvas for the screen, written as SVG for export. */

import { FONT } from "./theme";

export interface Line {
  type: "line";
  from: [number, number];
  to: [number, number];
  /** The direction a link leaves its token in; straight where there is none. */
  bend?: "x" | "y";
  colour: string;
  alpha: number;
  width: number;
  /** The link that it is, where one may ask about it. */
  link?: { head: number; query: number; key: number };
}

export interface Box {
  type: "box";
  x: number;
  y: number;
  width: number;
  height: number;
  colour: string;
  alpha: number;
}

export interface Words {
  type: "words";
  x: number;
  y: number;
  text: string;
  size: number;
  colour: string;
  anchor: "start" | "middle" | "end";
  bold?: boolean;
  /** Letters that join those beside them do so only in their own direction. */
  direction?: "ltr" | "rtl";
  /** Degrees around x, y. */
  turn?: number;
}

export interface Raster {
  type: "raster";
  x: number;
  y: number;
  width: number;
  height: number;
  source: HTMLCanvasElement;
  alpha?: number;
}

export type Mark = Line | Box | Words | Raster;

export interface Picture {
  width: number;
  height: number;
  marks: Mark[];
}

export function paint(context: CanvasRenderingContext2D, marks: Mark[]): void {
  context.lineCap = "butt";
  for (let i = 0; i < marks.length; i++) {
    const mark = marks[i];
    switch (mark.type) {
      case "line":
        i = paintLines(context, marks, i);
        break;
      case "box":
        context.globalAlpha = mark.alpha;
        context.fillStyle = mark.colour;
        context.fillRect(mark.x, mark.y, mark.width, mark.height);
        break;
      case "words":
        paintWords(context, mark);
        break;
      case "raster":
        context.globalAlpha = mark.alpha ?? 1;
        context.imageSmoothingEnabled = false;
        context.drawImage(mark.source, mark.x, mark.y, mark.width, mark.height);
    }
  }
  context.globalAlpha = 1;
}

/** Steps of opacity and width that lines are rounded to where there are many, so that one stroke draws several. */
const STEPS = 24;
const MANY = 400;

/** Draws a run of lines and says where it ends: thousands of strokes of their own would take too long. */
function paintLines(context: CanvasRenderingContext2D, marks: Mark[], start: number): number {
  let end = start;
  while (end < marks.length && marks[end].type === "line") end++;
  const run = marks.slice(start, end) as Line[];
  if (run.length < MANY) run.forEach((line) => stroke(context, line, [line]));
  else {
    const groups = new Map<string, Line[]>();
    for (const line of run) {
      const key = `${Math.ceil(line.alpha * STEPS)} ${line.colour}`;
      const group = groups.get(key);
      if (group) group.push(line);
      else groups.set(key, [line]);
    }
    // lines come with the weakest first, and so do their groups
    for (const group of groups.values()) stroke(context, group[group.length >> 1], group);
  }
  return end - 1;
}

function stroke(context: CanvasRenderingContext2D, { colour, alpha, width }: Line, lines: Line[]): void {
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  for (const { from, to, bend } of lines) {
    context.moveTo(...from);
    if (bend) context.bezierCurveTo(...controls(from, to, bend), ...to);
    else context.lineTo(...to);
  }
  context.stroke();
}

function paintWords(context: CanvasRenderingContext2D, mark: Words): void {
  context.globalAlpha = 1;
  context.fillStyle = mark.colour;
  context.font = `${mark.bold ? "600 " : ""}${mark.size}px ${FONT}`;
  context.textAlign = mark.anchor === "middle" ? "center" : mark.anchor === "end" ? "right" : "left";
  context.textBaseline = "middle";
  context.direction = mark.direction ?? "ltr";
  context.save();
  context.translate(mark.x, mark.y);
  if (mark.turn) context.rotate((mark.turn * Math.PI) / 180);
  context.fillText(mark.text, 0, 0);
  context.restore();
}

export function controls(from: [number, number], to: [number, number], bend: "x" | "y"): [number, number, number, number] {
  const reach = 0.45;
  if (bend === "x") {
    const dx = (to[0] - from[0]) * reach;
    return [from[0] + dx, from[1], to[0] - dx, to[1]];
  }
  const dy = (to[1] - from[1]) * reach;
  return [from[0], from[1] + dy, to[0], to[1] - dy];
}

export function toSvg({ width, height, marks }: Picture, page: string): string {
  const body = elements(marks).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}" font-family="${escape(FONT)}">
<rect width="100%" height="100%" fill="${page}"/>
${body}
</svg>
`;
}

/** Marks as elements; lines that follow each other and look alike are one path, as thousands of links are many bytes. */
function elements(marks: Mark[]): string[] {
  const result: string[] = [];
  for (let i = 0; i < marks.length; i++) {
    const mark = marks[i];
    if (mark.type !== "line") {
      result.push(element(mark));
      continue;
    }
    const look = lookOf(mark);
    const parts = [pathOf(mark)];
    for (let next = marks[i + 1]; next?.type === "line" && lookOf(next) === look; next = marks[i + 1]) {
      parts.push(pathOf(next));
      i++;
    }
    result.push(`<path d="${parts.join("")}" ${look}/>`);
  }
  return result;
}

const lookOf = ({ colour, alpha, width }: Line): string => `fill="none" stroke="${colour}" stroke-opacity="${round(alpha, 50)}" stroke-width="${round(width, 10)}"`;

function pathOf({ from, to, bend }: Line): string {
  const points = (all: number[]) => all.map((each) => round(each, 10)).join(" ");
  return `M${points(from)}${bend ? `C${points(controls(from, to, bend))} ${points(to)}` : `L${points(to)}`}`;
}

function element(mark: Exclude<Mark, Line>): string {
  switch (mark.type) {
    case "box":
      return `<rect x="${round(mark.x)}" y="${round(mark.y)}" width="${round(mark.width)}" height="${round(mark.height)}" fill="${mark.colour}" fill-opacity="${round(mark.alpha)}"/>`;
    case "words": {
      const turn = mark.turn ? ` transform="rotate(${mark.turn} ${round(mark.x)} ${round(mark.y)})"` : "";
      const bold = mark.bold ? ' font-weight="600"' : "";
      return `<text x="${round(mark.x)}" y="${round(mark.y)}" font-size="${mark.size}" fill="${mark.colour}" text-anchor="${mark.anchor}" dominant-baseline="central"${bold}${turn}>${escape(mark.text)}</text>`;
    }
    case "raster":
      return `<image x="${round(mark.x)}" y="${round(mark.y)}" width="${round(mark.width)}" height="${round(mark.height)}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${mark.source.toDataURL("image/png")}"/>`;
  }
}

const round = (value: number, parts = 1000): number => Math.round(value * parts) / parts;

/** Text for XML, without the control characters and lone surrogates that XML cannot hold. */
export function escape(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}

/** The same marks elsewhere. */
export function moved(marks: Mark[], dx: number, dy: number): Mark[] {
  return marks.map((mark) =>
    mark.type === "line"
      ? { ...mark, from: [mark.from[0] + dx, mark.from[1] + dy], to: [mark.to[0] + dx, mark.to[1] + dy] }
      : { ...mark, x: mark.x + dx, y: mark.y + dy },
  );
}

/** A text cut to a length that fits a drawing; whole characters only. */
export function clip(text: string, most = 28): string {
  const characters = [...text];
  return characters.length > most ? characters.slice(0, most - 1).join("") + "…" : text;
}
