/** What heads are called, by each kind of rules: behaviour, pattern, shape. */

import { type MapKind, NAME_KINDS, type SceneName, type NameKind } from "./contract";

export interface Called {
  name: SceneName;
  confidence: number;
}

type Place = [attention: MapKind, layer: number, head: number];

export class Names {
  /** The kinds that any head has a name of. */
  readonly kinds: NameKind[];
  private readonly first = new Map<string, Called>();
  private readonly second = new Map<string, Called>();

  constructor(readonly all: readonly SceneName[]) {
    this.kinds = NAME_KINDS.filter((kind) => all.some((name) => name.kind === kind && name.heads.length > 0));
    for (const name of all) {
      for (const row of name.heads) this.first.set(key(name.kind, row), { name, confidence: row[3] });
      for (const row of name.second) this.second.set(key(name.kind, row), { name, confidence: row[3] });
    }
  }

  best(kind: NameKind, ...place: Place): Called | undefined {
    return this.first.get(key(kind, place));
  }

  /** The first name that says something, of any kind. */
  called(...place: Place): SceneName | null {
    for (const kind of this.kinds) {
      const found = this.best(kind, ...place)?.name;
      if (found && found.name !== "none") return found;
    }
    return null;
  }

  secondBest(kind: NameKind, ...place: Place): Called | undefined {
    return this.second.get(key(kind, place));
  }

  /** The names of a kind that heads of this attention have, and how many heads each. */
  counted(kind: NameKind, attention: MapKind): { name: SceneName; count: number }[] {
    const own = this.all.filter((name) => name.kind === kind);
    return own.map((name) => ({ name, count: name.heads.filter(([of]) => of === attention).length })).filter(({ count }) => count > 0);
  }
}

const key = (kind: NameKind, [attention, layer, head]: readonly [MapKind, number, number, ...unknown[]]) => `${kind} ${attention} ${layer}.${head}`;
