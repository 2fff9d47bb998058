/** What a published site does beside its plain pages: search over all models, short addresses, and pages in frames. */

import { Matcher } from "../report/matching";
import { type SearchData, answersOf } from "./answers";

const LIMIT = 120; // heads in an answer: three of each of forty models

const asked = new URLSearchParams(location.search);
const root = document.documentElement;
if (asked.has("embed")) root.classList.add("embed");

/** Where this script lies: the site's own folder is above. */
const here = (document.currentScript as HTMLScriptElement).src;

function shortenLinks(): void {
  if (location.protocol === "file:") return; // which has no page for a folder
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) link.href = link.href.replace(/\/index\.html(?=$|[?#])/, "/");
}

function openOutside(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) link.target = "_top";
}

let loading: Promise<SearchData> | undefined;
/** The data of the search, which only a page that is asked loads. */
function data(): Promise<SearchData> {
  loading ??= new Promise((resolve, reject) => {
    (window as unknown as { attlasSearch: (data: SearchData) => void }).attlasSearch = resolve;
    const script = document.createElement("script");
    script.src = here.replace(/site\.js.*$/, "search.js");
    script.onerror = () => reject(new Error("search.js is missing"));
    document.head.append(script);
  });
  return loading;
}

function element(name: string, text: string, more: { class?: string; href?: string } = {}): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  if (more.class) made.className = more.class;
  if (more.href) (made as HTMLAnchorElement).href = more.href;
  return made;
}

let matcher: Matcher | undefined;
async function answer(question: string, into: HTMLElement): Promise<void> {
  if (!question.trim()) return into.replaceChildren();
  const found = await data();
  matcher ??= new Matcher(found.finder);
  const { models, nothing } = answersOf(question, found, matcher, LIMIT);
  const end = location.protocol === "file:" ? "index.html" : "";
  const lists = models.map(({ slug, title, heads }) => {
    const section = element("section", "");
    section.append(element("h3", title));
    const list = element("ul", "");
    for (const { address, sentence } of heads) {
      const line = element("li", "");
      line.append(element("a", address, { href: `${slug}/${address}/${end}` }), ` ${sentence}`);
      list.append(line);
    }
    section.append(list);
    return section;
  });
  into.replaceChildren(...(nothing ? [element("p", nothing, { class: "quiet" })] : []), ...lists);
}

document.addEventListener("DOMContentLoaded", () => {
  shortenLinks();
  if (asked.has("embed")) openOutside();
  const [box, into] = [document.querySelector<HTMLInputElement>("#question"), document.getElementById("answers")];
  if (!box || !into) return;
  const show = () => {
    const address = new URL(location.href);
    if (box.value) address.searchParams.set("find", box.value);
    else address.searchParams.delete("find");
    history.replaceState(null, "", address);
    answer(box.value, into).catch((error: Error) => into.replaceChildren(element("p", error.message)));
  };
  box.addEventListener("input", show);
  box.form!.addEventListener("submit", (event) => event.preventDefault());
  box.value = asked.get("find") ?? "";
  if (box.value) show();
});
