/** Which link a pointer is on. */

import { type Line, controls } from "./marks";

/** Pixels around a link that still count as on it. */
const NEAR = 6;
const STEPS = 24;

/** The line that passes nearest to a point, of those that pass near it. */
export function lineAt(lines: readonly Line[], x: number, y: number): Line | null {
  let best: Line | null = null;
  let least = NEAR;
  for (const line of lines) {
    const [top, bottom] = [Math.min(line.from[1], line.to[1]), Math.max(line.from[1], line.to[1])];
    if (y < top - NEAR || y > bottom + NEAR) continue;
    const distance = distanceTo(line, x, y);
    // of links that lie upon each other the last is on top
    if (distance <= least) [best, least] = [line, distance];
  }
  return best;
}

function distanceTo({ from, to, bend }: Line, x: number, y: number): number {
  const [ax, ay, bx, by] = bend ? controls(from, to, bend) : [...from, ...to];
  let [px, py] = from;
  let least = Infinity;
  for (let step = 1; step <= STEPS; step++) {
    const t = step / STEPS;
    const of = (p: number, a: number, b: number, q: number) => p * (1 - t) ** 3 + 3 * a * t * (1 - t) ** 2 + 3 * b * t ** 2 * (1 - t) + q * t ** 3;
    const [nx, ny] = [of(from[0], ax, bx, to[0]), of(from[1], ay, by, to[1])];
    least = Math.min(least, toSegment(x, y, px, py, nx, ny));
    [px, py] = [nx, ny];
  }
  return least;
}

function toSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
  return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay));
}
