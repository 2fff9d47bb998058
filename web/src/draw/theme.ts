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
  },
};

export const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** Whether the page around the view is dark: what was asked for, else the notebook's theme, else the system's. */
export function prefersDark(theme: Theme): boolean {
  if (theme !== "system") return theme === "dark";
  const { body } = document;
  if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false";
  if (body.classList.contains("vscode-dark") || body.classList.contains("vscode-high-contrast")) return true;
  if (body.classList.contains("vscode-light")) return false;
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Calls back when the system or the notebook changes its theme; returns how to stop. */
export function onThemeChange(changed: () => void): () => void {
  const media = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(changed);
  media.addEventListener("change", changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light"] });
  return () => {
    media.removeEventListener("change", changed);
    observer.disconnect();
  };
}
