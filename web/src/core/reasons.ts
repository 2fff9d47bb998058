/** Why heads look where they look, as far as a page knows: for the strongest links of each head. */

import type { Address, LinkReason, MapKind, Scene, WriterPart } from "./contract";
import { arrayOf } from "./payload";
import type { Unit } from "./units";

/** A link of a head, as places in its tokens. */
export interface AskedLink {
  head: Address;
  query: number;
  key: number;
}

/** Answers why a link is there; the app asks its server. */
export type Explain = (link: AskedLink) => Promise<LinkReason>;

export class Reasons {
  private readonly byHead = new Map<string, LinkReason[]>();

  constructor(
    links: readonly LinkReason[],
    readonly perHead: number,
  ) {
    for (const link of links) {
      const known = this.byHead.get(String(link.head));
      if (known) known.push(link);
      else this.byHead.set(String(link.head), [link]);
    }
  }

  /** What the bytes of a scene have; null where there is nothing. */
  static of(scene: Scene, buffer: ArrayBuffer): Reasons | null {
    if (!scene.reasons) return null;
    const written = new TextDecoder().decode(arrayOf(buffer, scene.reasons.links));
    return new Reasons(JSON.parse(written) as LinkReason[], scene.reasons.per_head);
  }

  ofHead(attention: MapKind, layer: number, head: number): readonly LinkReason[] {
    return this.byHead.get(String([attention, layer, head])) ?? [];
  }

  /** The link of a head between these tokens or words: of several pieces, the one of most weight. */
  find(attention: MapKind, layer: number, head: number, query: Unit, key: Unit): LinkReason | null {
    const within = (unit: Unit, piece: number) => unit.start <= piece && piece < unit.end;
    const found = this.ofHead(attention, layer, head).filter((link) => within(query, link.query) && within(key, link.key));
    return found.length > 0 ? found.reduce((a, b) => (b.weight > a.weight ? b : a)) : null;
  }
}

/** A row of a list of writers; the last ones have no writer of their own. */
export interface Row {
  writer: string;
  part: WriterPart | null;
  score: number;
  lift: number;
}

/** Who wrote one end of a link, with all others and the distance, so that rows add up to the score and its lift. */
export function rowsOf(reason: LinkReason, parts: readonly WriterPart[]): Row[] {
  const rows: Row[] = parts.map((part) => ({ writer: part.writer, part, score: part.score, lift: part.lift }));
  const sum = (of: "score" | "lift") => parts.reduce((total, part) => total + part[of], 0);
  rows.push({ writer: "all others", part: null, score: reason.score - sum("score"), lift: reason.lift - reason.distance_lift - sum("lift") });
  if (reason.distance !== 0 || reason.distance_lift !== 0) rows.push({ writer: "their distance", part: null, score: reason.distance, lift: reason.distance_lift });
  return rows;
}
