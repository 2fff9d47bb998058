/** Weights as colours: from the page's own colour to one dark (or bright) end, even to the eye. */

/** Stops of the ramps, from no weight to the largest, where lightness moves one way only; signed, from below 0 to above. */
const STOPS = {
  "light signed": ["#7a2a02", "#c1470a", "#ee9a66", "#ffffff", "#79b4e2", "#0067b1", "#06386a"],
  "dark signed": ["#ffd9bd", "#f08a4b", "#8a4520", "#14171c", "#1f5d8f", "#58b4f5", "#d3ecff"],
  light: ["#ffffff", "#dcebf7", "#9dc9ea", "#4a98d0", "#0f67ad", "#083b73", "#041d3f"],
  dark: ["#14171c", "#16304d", "#135a8c", "#2a8bbd", "#5cbccb", "#b3e2c0", "#fbf9c4"],
};

export type Ramp = Uint8ClampedArray<ArrayBuffer>;

const built: Partial<Record<keyof typeof STOPS, Ramp>> = {};

/** 256 colours of four bytes, indexed by the square root of weight over scale, as bytes code it. */
export function ramp(dark: boolean, signed = false): Ramp {
  const name = `${dark ? "dark" : "light"}${signed ? " signed" : ""}` as const;
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

export function rampColour(dark: boolean, share: number, signed = false): string {
  const at = Math.max(0, Math.min(255, Math.round(share * 255))) * 4;
  const [r, g, b] = ramp(dark, signed).slice(at, at + 3);
  return `#${[r, g, b].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** A canvas of these bytes in colour; with `clear`, nothing where a byte is 0. */
export function raster(bytes: Uint8Array, width: number, height: number, dark: boolean, { clear = false, signed = false } = {}): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(width, height);
  const colours = new Uint32Array(ramp(dark, signed).buffer);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < bytes.length; i++) if (bytes[i] > 0 || !clear) pixels[i] = colours[bytes[i]];
  canvas.getContext("2d")!.putImageData(image, 0, 0);
  return canvas;
}
