/** What part of a map is seen: zoom and pan. The middle of what is seen never leaves the map. */

export interface Camera {
  /** The token at the left and top edge; below 0 where the map begins further in. */
  x: number;
  y: number;
  /** Pixels a token. */
  cell: number;
}

export interface Room {
  width: number;
  height: number;
  columns: number;
  rows: number;
}

export const LARGEST_CELL = 48;

/** All of the map; where it is narrower than its room, in the middle. */
export function fit({ width, height, columns, rows }: Room): Camera {
  const cell = Math.min(LARGEST_CELL, width / columns, height / rows);
  return { x: Math.min(0, (columns - width / cell) / 2), y: 0, cell };
}

/** Zooms by a factor around a point of the screen, which stays where it is. */
export function zoom(camera: Camera, room: Room, by: number, px: number, py: number): Camera {
  const whole = fit(room);
  const cell = Math.max(whole.cell, Math.min(LARGEST_CELL, camera.cell * by));
  if (cell <= whole.cell) return whole;
  return keep({ x: camera.x + px / camera.cell - px / cell, y: camera.y + py / camera.cell - py / cell, cell }, room);
}

export function pan(camera: Camera, room: Room, dx: number, dy: number): Camera {
  return keep({ ...camera, x: camera.x - dx / camera.cell, y: camera.y - dy / camera.cell }, room);
}

/** Moves just enough that a cell is seen. */
export function reveal(camera: Camera, room: Room, column: number, row: number): Camera {
  const into = (start: number, at: number, length: number) => Math.min(at, Math.max(start, at + 1 - length / camera.cell));
  return keep({ ...camera, x: into(camera.x, column, room.width), y: into(camera.y, row, room.height) }, room);
}

/** Moves so that a place of the map is in the middle. */
export function centre(camera: Camera, room: Room, column: number, row: number): Camera {
  return keep({ ...camera, x: column - room.width / camera.cell / 2, y: row - room.height / camera.cell / 2 }, room);
}

/** Zooming in never needs this: the middle moves towards the pointer, and both are within the map. */
function keep(camera: Camera, { width, height, columns, rows }: Room): Camera {
  const within = (start: number, count: number, length: number) => {
    const half = length / camera.cell / 2;
    return Math.max(-half, Math.min(start, count - half));
  };
  return { ...camera, x: within(camera.x, columns, width), y: within(camera.y, rows, height) };
}
