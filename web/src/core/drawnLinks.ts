/** Which links of some heads are drawn, and what is drawn strongest. */

import type { Store } from "./store.svelte";
import { drawable, massOf, strongestOf, thresholdFor } from "./strength";
import type { Incoming, Links } from "./units";

/** Links are drawn at full strength from this many times the weight of even attention on. */
const TIMES_EVEN = 4;

/** The links of one head, ready to be drawn. */
export interface HeadLinks {
  head: number;
  colour: string;
  links: Links;
  incoming: Incoming;
  /** The strongest link of each row, where those are drawn whatever they weigh. */
  best: Int32Array | null;
}

/** What is drawn of some heads, and how. */
export interface DrawnLinks {
  heads: HeadLinks[];
  /** Links of at least this weight are drawn. */
  least: number;
  /** Whether that is more than was chosen, since all would be too many. */
  cut: boolean;
  /** The weight that is drawn strongest. */
  ceiling: number;
  /** The share of all attention that is drawn. */
  mass: number;
  signed: boolean;
  withoutFirst: boolean;
}

/** Where nobody chose a threshold, each row has at least its strongest link. */
export function drawnLinks(store: Store, heads: number[], layer = store.layer.layer): DrawnLinks {
  const chosen = store.selection.threshold;
  const own = heads.filter((head) => store.hasHead(layer, head)).map((head): HeadLinks => {
    const cached = store.cached(head, layer);
    const best = chosen === null ? (cached.best ??= strongestOf(cached.links)) : null;
    return { head, colour: store.colourOf(head, layer), links: cached.links, incoming: store.incoming(head, layer), best };
  });
  const all = own.map(({ links }) => links);
  const { shares, signed } = store.attention;
  // even attention is pale: hundreds of links at full strength would be one dark mass
  const ceiling = Math.max(ceilingOfPanes(store, heads, layer), shares ? Math.min(1, TIMES_EVEN / store.keys.length) : 0);
  const wanted = chosen ?? thresholdFor(all, shares ? 1 : ceiling);
  const least = drawable(all, wanted);
  const whole = store.keys.length === store.keySide.tokens.length || store.selection.sentences === "all";
  const total = shares && whole ? store.total(own.map(({ head }) => [head, layer])) : own.reduce((sum, { links }) => links.weight.reduce((a, w) => a + Math.abs(w), sum), 0);
  return { heads: own, least, cut: least > wanted, ceiling, mass: massOf(own, least, total), signed, withoutFirst: store.withoutFirst };
}

/** The weight that is drawn strongest, on one scale for all panes: nine rows in ten stay below it. */
export function ceilingOfPanes(store: Store, heads: number[], layer = store.layer.layer): number {
  return Math.max(...store.shared.panes.map((pane) => ceilingOfHeads(pane, heads, layer)));
}

function ceilingOfHeads(store: Store, heads: number[], layer: number): number {
  return Math.max(0, ...withRows(store, heads, layer).map((head) => store.headCeiling(head, layer))) || 1;
}

const withRows = (store: Store, heads: number[], layer: number): number[] => heads.filter((head) => store.hasHead(layer, head) && store.hasRows(head, layer));

/** The weight that is drawn strongest where all heads of this pane are on one scale: nine heads in ten stay below. */
export function commonCeiling(store: Store): number {
  const all = store.attention.layers.flatMap(({ layer, heads }) => heads.map((head) => ceilingOfHeads(store, [head], layer))).sort((a, b) => a - b);
  return all[Math.floor((all.length - 1) * 0.9)];
}

/** The strongest link of the active tokens: what is pointed at or pinned is drawn on a scale of its own. */
export function activeCeiling(store: Store, heads: number[], layer = store.layer.layer): number {
  let most = 0;
  for (const head of withRows(store, heads, layer)) {
    const [links, incoming] = [store.links(head, layer), store.incoming(head, layer)];
    for (const [end, unit] of store.active) {
      if (end === "query") for (let i = links.rows[unit]; i < links.rows[unit + 1]; i++) most = Math.max(most, Math.abs(links.weight[i]));
      else for (let i = incoming.columns[unit]; i < incoming.columns[unit + 1]; i++) most = Math.max(most, Math.abs(links.weight[incoming.at[i]]));
    }
  }
  return most || 1;
}
