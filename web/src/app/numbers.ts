/** Numbers as the app writes them: the same digits as the server's sentences. */

/** The least that two digits show of a probability. */
export const SEEN = 0.01;

/** 0.35 · 0.004 */
export const probability = (value: number): string => (value >= SEEN || value === 0 ? value.toFixed(2) : value < 1e-9 ? "0" : Number(value.toPrecision(1)).toString());

/** +0.95 · −0.02 · 0.00 */
export function signed(value: number, digits = 2): string {
  const written = Math.abs(value).toFixed(digits);
  return Number(written) === 0 ? written : `${value < 0 ? "−" : "+"}${written}`;
}

export { percent } from "../report/wording";

/** A token that people can see: its spaces and line ends as signs. */
export const visible = (text: string): string => (text.trim() === "" ? text.replaceAll("\n", "↵").replaceAll(" ", "␣") || "∅" : text.trim());

/** A sentence of the server's with the minus signs that people write. */
export const typeset = (sentence: string): string => sentence.replace(/(?<= )-(?=\d)/g, "−");
