/** Both themes in one place: the page reads them as CSS variables, the drawings as values. */

import type { Theme } from "../core/contract";

export interface Colours {
  page: string;
  raised: string;
  ink: string;
  quiet: string;
  edge: string;
  accent: string;
  positive: string;
  negative: string;
  glow: string;
}

export const COLOURS: { light: Colours; dark: Colours } = {
  light: {
    page: "#ffffff",
    raised: "#f3f5f8",
    ink: "#1b2028",
    quiet: "#5a6472",
    edge: "#cfd6df",
    accent: "#0067b1",
    positive: "#0067b1",
    negative: "#c1470a",
    glow: "#ffb01f",
  },
  dark: {
    page: "#14171c",
    raised: "#1e232b",
    ink: "#e8ebf0",
    quiet: "#a3adbb",
    edge: "#3a424e",
    accent: "#58b4f5",
    positive: "#58b4f5",
    negative: "#f08a4b",
    glow: "#a36a00",
  },
};

export const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/**
 * Whether the view is on a dark page: what was asked for, else the colour that lies behind it. Notebooks have
 * themes of their own, whatever the system's is, and each tells it otherwise; what is behind the view is seen.
 */
export function prefersDark(theme: Theme, element: Element | null = null): boolean {
  if (theme !== "system") return theme === "dark";
  const behind = element && background(element);
  return behind ?? matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Whether the first ground behind an element that is not transparent is dark; null where there is none. */
function background(element: Element): boolean | null {
  let at: Element | null = element;
  while (at) {
    const [r, g, b, a] = pixelOf(getComputedStyle(at).backgroundColor);
    if (a > 127) return 0.2126 * r + 0.7152 * g + 0.0722 * b < 110;
    const root: Node = at.getRootNode();
    at = at.assignedSlot ?? at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return null;
}

/** A colour as bytes. CSS has a dozen ways to write one, and a canvas knows them all. */
function pixelOf(colour: string): Uint8ClampedArray {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d")!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data;
}

/** Calls back when the system or the notebook may have changed its theme; returns how to stop. */
export function onThemeChange(changed: () => void): () => void {
  const media = matchMedia("(prefers-color-scheme: dark)");
  // colours behind the view change a moment after the attribute that names the theme
  const later = () => {
    changed();
    setTimeout(changed, 250);
  };
  const observer = new MutationObserver(later);
  media.addEventListener("change", later);
  for (const each of [document.documentElement, document.body]) observer.observe(each, { attributes: true });
  return () => {
    media.removeEventListener("change", later);
    observer.disconnect();
  };
}
