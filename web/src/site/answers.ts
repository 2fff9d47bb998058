/** Heads of many models that answer a question. */

import { type Matcher, formOf } from "../report/matching";
import type { Finder } from "../report/contract";

export interface SearchData {
  models: { slug: string; title: string }[];
  /** Model and address; topics name heads by their place here. */
  heads: [number, string][];
  /** Patterns of the questions that words alone cannot answer. */
  forms: string[];
  finder: Finder;
}

export interface ModelAnswer {
  slug: string;
  title: string;
  heads: { address: string; sentence: string; sure: boolean }[];
}

/** Those that are shown to do it; of a model without any, the nearest to it, whose sentence says that it could be chance. */
const told = (answer: ModelAnswer): ModelAnswer => {
  const sure = answer.heads.filter((head) => head.sure);
  return { ...answer, heads: sure.length ? sure : answer.heads.slice(0, 1) };
};

/** The answer model by model, those with the best head first. */
export function answersOf(question: string, data: SearchData, matcher: Matcher, most: number): { models: ModelAnswer[]; nothing: string } {
  const { heads, missing, denies } = matcher.answer(question, most);
  const asks = formOf(matcher.plain(question), data.forms.map((pattern) => ({ pattern, named: true })));
  if (asks || (denies && heads.length > 0)) return { models: [], nothing: "Words alone cannot answer this over several models. Open one: its page, or attlas ask, does." };
  const models = new Map<number, ModelAnswer>();
  for (const { topic, rank } of heads) {
    const [model, address] = data.heads[topic.heads[rank]];
    if (!models.has(model)) models.set(model, { ...data.models[model], heads: [] });
    models.get(model)!.heads.push({ address, sentence: topic.sentences[rank].join(""), sure: topic.sure[rank] });
  }
  const unmeasured = missing.map(({ title }) => title).join(", ");
  const nothing = unmeasured
    ? `No model here was asked for: ${unmeasured}.`
    : heads.length
      ? ""
      : "Nothing that Attlas measures has these words. Ask for places (previous, [SEP]), patterns (induction), relations (subject, object), shapes, breadth, or which heads matter.";
  return { models: [...models.values()].map(told), nothing };
}
