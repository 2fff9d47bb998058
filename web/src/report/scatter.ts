/** Where the points of a scatter lie, which of them are named, and round numbers for its axes. */

export interface Point {
  head: number;
  x: number;
  y: number;
}

export interface Label extends Point {
  text: string;
  anchor: "start" | "end";
}

/** Round numbers within a range, about so many. */
export function ticks(low: number, high: number, about = 4): number[] {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough)!;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

/** Names for the points farthest from the middle, where they cover no other name, no point and, from `left` on, no axis. */
export function labels(points: Point[], text: (head: number) => string[], width: number, height: number, most = 16, left = 0): Label[] {
  const middle = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const [mx, my] = [middle(points.map(({ x }) => x)), middle(points.map(({ y }) => y))];
  const far = ({ x, y }: Point) => ((x - mx) / width) ** 2 + ((y - my) / height) ** 2;
  const taken: [number, number, number, number][] = [];
  const placed: Label[] = [];
  for (const point of [...points].sort((a, b) => far(b) - far(a))) {
    if (placed.length >= most) break;
    for (const words of text(point.head)) {
      const room = 6.1 * words.length;
      const label = (["start", "end"] as const)
        .map((anchor): { anchor: "start" | "end"; box: [number, number, number, number] } => {
          const from = anchor === "start" ? point.x + 8 : point.x - 8 - room;
          return { anchor, box: [from, point.y - 7, from + room, point.y + 7] };
        })
        .find(({ box }) => box[0] >= left && box[2] <= width && !taken.some((other) => overlap(box, other)) && points.filter(({ x, y }) => x > box[0] - 4 && x < box[2] + 4 && y > box[1] - 2 && y < box[3] + 2).length === 0);
      if (!label) continue;
      taken.push(label.box);
      placed.push({ ...point, text: words, anchor: label.anchor });
      break;
    }
  }
  return placed;
}

function overlap(a: [number, number, number, number], b: [number, number, number, number]): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}
