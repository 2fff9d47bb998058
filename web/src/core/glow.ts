/** Where the text glows: what some tokens attend to, or what attends to them, the mean over tokens and heads. */

import type { Direction } from "./contract";
import type { Store } from "./store.svelte";

export interface Glow {
  weights: Float32Array;
  /** What the keys that were left out share, evenly. */
  rest: number;
}

export function glowOf(store: Store, heads: number[], units: number[], direction: Direction): Glow {
  const count = (direction === "from" ? store.keys : store.queries).length;
  const weights = new Float32Array(count);
  let rest = 0;
  const part = 1 / Math.max(1, heads.length * units.length);
  for (const head of heads) {
    if (!store.hasRows(head)) {
      fromTiles(store, head, units, direction, part, weights);
      continue;
    }
    if (direction === "from") {
      const map = store.unitMap(head);
      for (const unit of units) {
        map.visit(unit, (key, weight) => (weights[key] += weight * part));
        rest += map.rest(unit) * part;
      }
    } else {
      const [links, incoming] = [store.links(head), store.incoming(head)];
      for (const unit of units)
        for (let i = incoming.columns[unit]; i < incoming.columns[unit + 1]; i++) weights[incoming.from[i]] += links.weight[incoming.at[i]] * part;
    }
  }
  return { weights, rest };
}

/** Of a head without rows, each token has its part of what its tile got. */
function fromTiles(store: Store, head: number, units: number[], direction: Direction, part: number, weights: Float32Array): void {
  const tiles = store.tiles(head);
  if (!tiles) return;
  for (const unit of units) {
    const own = Math.floor(unit / tiles.size);
    for (let i = 0; i < weights.length; i++) {
      const other = Math.floor(i / tiles.size);
      weights[i] += ((direction === "from" ? tiles.share(own, other) : tiles.share(other, own)) / tiles.size) * part;
    }
  }
}
