/** Three homes for one view: a page of its own, a notebook's widget, or any element of a web app. */

import { flushSync, mount as mountComponent, unmount } from "svelte";
import App from "./App.svelte";
import "./page.css";
import { type Scene, type Selection, checkScene } from "./core/contract";
import { answerFrames, seekModel } from "./core/bridge";
import { fromHash, keepAddress } from "./core/link.svelte";
import { fromBase64, inflate } from "./core/payload";
import { Store } from "./core/store.svelte";
import { follow, type WidgetModel } from "./core/traits.svelte";
import { prefersDark } from "./draw/theme";

export interface Mounted {
  store: Store;
  destroy: () => void;
}

/** Shows a scene in an element; `fill` takes the height of the window. */
export async function mount(element: HTMLElement, scene: Scene, data: Uint8Array<ArrayBuffer>, fill = false): Promise<Mounted> {
  try {
    const buffer = await inflate(data);
    checkScene(scene, buffer.byteLength);
    const store = new Store(scene, buffer, prefersDark(scene.theme, fill ? null : element));
    for (const pane of scene.panes ?? []) new Store(scene, buffer, store.dark, pane, store);
    const app = mountComponent(App, { target: element, props: { store, fill } });
    flushSync();
    return { store, destroy: () => void unmount(app) };
  } catch (error) {
    const message = document.createElement("p");
    message.setAttribute("role", "alert");
    message.textContent = error instanceof Error ? error.message : String(error);
    element.replaceChildren(message);
    throw error;
  }
}

function bytesOf(view: DataView | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength);
}

const namesOf = (scene: Scene) => Object.keys(scene.selection) as (keyof Selection)[];

/** The model of a widget, also where nothing shows it: a page in a frame may be its view. */
function initialize({ model }: { model: WidgetModel }): () => void {
  const scene = model.get("scene") as Scene;
  return answerFrames(model.get("key") as string, model, namesOf(scene), () => bytesOf(model.get("data") as DataView), () => prefersDark("system", document.body));
}

/** The widget, as anywidget calls it. */
async function render({ model, el }: { model: WidgetModel; el: HTMLElement }): Promise<() => void> {
  const scene = structuredClone(model.get("scene") as Scene);
  for (const name of namesOf(scene)) Object.assign(scene.selection, { [name]: model.get(name) });
  const { store, destroy } = await mount(el, scene, bytesOf(model.get("data") as DataView));
  const unfollow = follow(store, model);
  return () => {
    unfollow();
    destroy();
  };
}

export default { initialize, render };

/** A page of its own, or in a frame of a notebook. */
async function showPage(element: HTMLElement, scene: Scene): Promise<void> {
  const kept = document.querySelector('script[data-attlas="data"]')?.textContent;
  const { key } = element.dataset;
  const sought = key && window.parent !== window ? seekModel(key) : null;
  // what is too large for a notebook comes from the kernel; until then, and without one, a picture is behind the frame
  const data = kept ? fromBase64(kept) : (await sought)?.data;
  if (!data) return;
  const opened = structuredClone(scene.selection);
  if (location.hash.length > 1) {
    scene.selection = fromHash(location.hash, scene);
    scene.why = ""; // whoever wrote the address chose
  }
  const { store } = await mount(element, scene, data, true);
  scene.selection = opened;
  keepAddress(store);
  window.addEventListener("hashchange", () => Object.assign(store.selection, fromHash(location.hash, scene)));
  performance.mark("attlas-drawn");
  void sought?.then(({ model, dark }) => {
    if (dark !== null && scene.theme === "system") scene.theme = dark ? "dark" : "light";
    store.dark = prefersDark(scene.theme);
    follow(store, model);
  });
}

const inPage = document.querySelector('script[data-attlas="scene"]');
if (inPage?.textContent) void showPage(document.getElementById("attlas")!, JSON.parse(inPage.textContent) as Scene);
