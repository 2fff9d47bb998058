/** Selections that fit a scene: from an address, or kept from the scene before. */

import { CHOICES, type End, type Scene, type Selection } from "./contract";

type Name = keyof Selection;

/** The selection that a scene opened with, with what is wanted instead; what is unknown or does not fit is left out. */
export function fittingSelection(wanted: Record<string, unknown>, scene: Scene): Selection {
  const selection = structuredClone(scene.selection);
  for (const [name, value] of Object.entries(wanted)) if (Object.hasOwn(selection, name) && fits(name as Name, value, scene)) Object.assign(selection, { [name]: structuredClone(value) });
  const layers = attentionOf(scene, selection)!.layers;
  const layer = layers.find((each) => each.layer === selection.layer) ?? layers[0];
  selection.layer = layer.layer;
  selection.heads = selection.heads.filter((head) => layer.heads.includes(head));
  if (selection.heads.length === 0) selection.heads = [...layer.heads];
  return selection;
}

/** What stays chosen when another scene takes the place of one: all that fits it, and tokens that stand where they stood. */
export function keptSelection(chosen: Selection, before: Scene, after: Scene): Selection {
  const stands = (end: End, token: number) => {
    const now = tokenAt(after, chosen, end, token);
    return now !== undefined && now === tokenAt(before, chosen, end, token);
  };
  const pinned = chosen.pinned.filter(([end, token]) => stands(end, token));
  const asked = chosen.asked && stands("query", chosen.asked[0]) && stands("key", chosen.asked[1]) ? chosen.asked : null;
  const order = chosen.order === "asked" && !asked ? "layer" : chosen.order;
  return fittingSelection({ ...chosen, pinned, asked, order }, after);
}

const attentionOf = (scene: Scene, { attention }: Selection) => scene.attentions.find((each) => each.attention === attention);

function tokenAt(scene: Scene, selection: Selection, end: End, token: number): string | undefined {
  const attention = attentionOf(scene, selection);
  return attention && scene.sides[end === "query" ? attention.queries : attention.keys]?.tokens[token];
}

function fits(name: Name, value: unknown, scene: Scene): boolean {
  const whole = (n: unknown): n is number => Number.isInteger(n) && (n as number) >= 0;
  const token = (n: unknown) => whole(n) && Object.values(scene.sides).some(({ tokens }) => n < tokens.length);
  if (name === "kind" && value === "image" && !scene.images) return false;
  if (name === "kind" && value === "neuron" && !scene.attentions.some(({ layers }) => layers.some((layer) => layer.vectors))) return false;
  switch (name) {
    case "attention":
      return scene.attentions.some((each) => each.attention === value);
    case "layer":
      return whole(value);
    case "heads":
      return Array.isArray(value) && value.every(whole);
    case "pinned":
      return Array.isArray(value) && value.every((pin) => Array.isArray(pin) && (pin[0] === "query" || pin[0] === "key") && token(pin[1]));
    case "asked":
      return value === null || (Array.isArray(value) && value.length === 2 && value.every(token));
    case "threshold":
      return value === null || (Number.isFinite(value) && (value as number) >= 0);
    case "square":
      return value === null || (whole(value) && value >= 8 && value <= 400);
    case "order":
      return ["layer", "asked", ...scene.statistics.map((each) => each.name)].includes(value as string);
    case "behaviour":
    case "pattern":
    case "shape":
      return value === "" || scene.names.some((each) => each.kind === name && each.name === value);
    case "colour":
      return value === "head" || scene.names.some((each) => each.kind === value);
    default:
      return CHOICES[name].includes(value);
  }
}
