/** Weights as colours: from the page's own colour to one dark (or bright) end, even to the eye. */

/** Stops of the ramp, from no weight to the largest; lightness moves one way only. */
const STOPS = {
  light: ["#ffffff", "#dcebf7", "#9dc9ea", "#4a98d0", "#0f67ad", "#083b73", "#041d3f"],
  dark: ["#14171c", "#16304d", "#135a8c", "#2a8bbd", "#5cbccb", "#b3e2c0", "#fbf9c4"],
};

export type Ramp = Uint8ClampedArray<ArrayBuffer>;

const built: Partial<Record<"light" | "dark", Ramp>> = {};

/** 256 colours of four bytes, indexed by the square root of weight over scale, as bytes code it. */
export function ramp(dark: boolean): Ramp {
  const name = dark ? "dark" : "light";
  return (built[name] ??= build(STOPS[name]));
}

function build(stops: string[]): Ramp {
  const colours = stops.map((stop) => [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16)));
  const result = new Uint8ClampedArray(256 * 4);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (colours.length - 1);
    const low = Math.min(Math.floor(at), colours.length - 2);
    for (let c = 0; c < 3; c++) result[i * 4 + c] = colours[low][c] + (at - low) * (colours[low + 1][c] - colours[low][c]);
    result[i * 4 + 3] = 255;
  }
  return result;
}

export function rampColour(dark: boolean, share: number): string {
  const at = Math.max(0, Math.min(255, Math.round(share * 255))) * 4;
  const [r, g, b] = ramp(dark).slice(at, at + 3);
  return `#${[r, g, b].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** A canvas of these bytes in colour; with `clear`, nothing where a byte is 0. */
export function raster(bytes: Uint8Array, width: number, height: number, dark: boolean, clear = false): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(width, height);
  const colours = new Uint32Array(ramp(dark).buffer);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < bytes.length; i++) if (bytes[i] > 0 || !clear) pixels[i] = colours[bytes[i]];
  canvas.getContext("2d")!.putImageData(image, 0, 0);
  return canvas;
}
