/** Where the reader is, as the part of an address after #. */

export interface Route {
  head: string;
  find: string;
  /** The column that the table is sorted by; "-" before it: largest last. */
  sort: string;
  colour: string;
  /** Only the heads of this name, or of this bar of the legend. */
  only: string;
  x: string;
  y: string;
}

export const START: Route = { head: "", find: "", sort: "", colour: "", only: "", x: "", y: "" };

export function toHash(route: Partial<Route>): string {
  const parts = (Object.keys(START) as (keyof Route)[]).filter((name) => route[name]).map((name) => `${name}=${encode(route[name]!)}`);
  return `#${parts.join("&")}`;
}

/** What is unknown is left out. */
export function fromHash(hash: string): Route {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const route = { ...START };
  for (const name of Object.keys(START) as (keyof Route)[]) route[name] = given.get(name) ?? "";
  return route;
}

/** As URLSearchParams reads it, with the signs left that addresses may have. */
const encode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+").replaceAll("%3A", ":").replaceAll("%2C", ",");
