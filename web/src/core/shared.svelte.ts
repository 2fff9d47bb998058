/** What all panes have in common: the scene and its bytes, what is chosen in one and so in all, and what is pointed at. */

import { COLOURS, type Colours } from "../draw/theme";
import type { Pin, Scene, Selection } from "./contract";
import { Names } from "./names";
import { type Explain, Reasons } from "./reasons";
import { keptSelection } from "./selection";
import { Store } from "./store.svelte";

export class Shared {
  scene: Scene = $state.raw()!;
  buffer: ArrayBuffer = $state.raw()!;
  /** One object for life: a choice changes it. */
  readonly selection: Selection = $state()!;
  hover: Pin | null = $state(null);
  /** Whether the chosen head is open beside the grid of the model view. */
  detail = $state(false);
  /** The head whose square is pointed at: its links are shown alone meanwhile. */
  pointed: number | null = $state(null);
  /** Of a pair of tokens that is pinned, the head of which one asks why; null: the one of most weight. */
  asking: number | null = $state(null);
  /** Who knows why a link is there, beside the page. */
  explain: Explain | null = $state.raw(null);
  /** The token that was looked for: views scroll to it. */
  found: { unit: number } | null = $state.raw(null);
  dark = $state(false);
  /** The scene itself, and what is beside it. */
  panes: readonly Store[] = $state.raw([]);
  /** How many texts were shown before this one: views begin anew with each. */
  texts = $state(0);

  readonly names: Names = $derived(new Names(this.scene.names));
  readonly reasons: Reasons | null = $derived(Reasons.of(this.scene, this.buffer));
  readonly colours: Colours = $derived(this.dark ? COLOURS.dark : COLOURS.light);

  constructor(scene: Scene, buffer: ArrayBuffer, dark: boolean) {
    this.scene = scene;
    this.buffer = buffer;
    this.selection = structuredClone(scene.selection);
    this.dark = dark;
    this.panes = this.opened();
  }

  /** Shows another scene. What is chosen stays as far as it fits; of the same text and heads, also what is pointed at. */
  replace(scene: Scene, buffer: ArrayBuffer): void {
    const kept = keptSelection($state.snapshot(this.selection) as Selection, this.scene, scene);
    if (placesOf(scene) !== placesOf(this.scene)) {
      this.hover = this.pointed = this.found = this.asking = null;
      this.texts++;
    }
    this.scene = scene;
    this.buffer = buffer;
    Object.assign(this.selection, kept);
    this.panes = this.opened();
  }

  /** Nothing is under the pointer any more, unless something else is by the next frame: on the way from a token to
   * the next one the links of all need not be drawn. */
  leave(): void {
    const left = this.hover;
    requestAnimationFrame(() => {
      if (this.hover === left) this.hover = null;
    });
  }

  /** A store per pane: those that are there stay, without what they remember of their weights. */
  private opened(): Store[] {
    return [this.scene, ...(this.scene.panes ?? [])].map((_, place) => {
      const store = this.panes[place] ?? new Store(this, place);
      store.forget();
      return store;
    });
  }
}

/** Shows a scene: the store of its first pane. */
export const openScene = (scene: Scene, buffer: ArrayBuffer, dark: boolean): Store => new Shared(scene, buffer, dark).panes[0];

/** The tokens and heads of a scene, which places in it count. */
function placesOf(scene: Scene): string {
  const panes = [scene, ...(scene.panes ?? [])];
  return JSON.stringify(panes.map(({ sides, attentions }) => [Object.entries(sides).map(([name, { tokens, words, b_start }]) => [name, tokens, words, b_start]), attentions.map(({ attention, queries, keys, layers }) => [attention, queries, keys, layers.map(({ layer, heads, with_rows }) => [layer, heads, with_rows])])]));
}
