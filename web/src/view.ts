/** A view in an element, and as a page of its own. */

import { flushSync, mount as mountComponent, unmount } from "svelte";
import App from "./App.svelte";
import { seekModel } from "./core/bridge";
import type { Scene } from "./core/contract";
import { fromHash, keepAddress } from "./core/link.svelte";
import { fromBase64, inflate } from "./core/payload";
import { checkScene } from "./core/sceneChecks";
import { openScene } from "./core/shared.svelte";
import type { Store } from "./core/store.svelte";
import { follow, followScene } from "./core/traits.svelte";
import { prefersDark } from "./draw/theme";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Mounted {
  store: Store;
  /** Shows another scene in place of this one, with what is chosen kept as far as it fits. */
  replace: (scene: Scene, data: Bytes) => Promise<void>;
  destroy: () => void;
}

/** Shows a scene in an element, its bytes deflated; `fill` takes the height of the window. */
export async function mount(element: HTMLElement, scene: Scene, data: Bytes, fill = false): Promise<Mounted> {
  return alerting(element, async () => {
    const mounted = mountInflated(element, scene, await inflate(data), fill);
    flushSync();
    return mounted;
  });
}

/** The same with bytes that are inflated already. */
export function mountInflated(element: HTMLElement, scene: Scene, buffer: ArrayBuffer, fill = false): Mounted {
  checkScene(scene, buffer.byteLength);
  const store = openScene(scene, buffer, prefersDark(scene.theme, fill ? null : element));
  const app = mountComponent(App, { target: element, props: { store, fill } });
  let latest = 0;
  async function replace(next: Scene, data: Bytes): Promise<void> {
    const turn = ++latest;
    const inflated = await inflate(data);
    checkScene(next, inflated.byteLength);
    // another one was asked for meanwhile
    if (turn !== latest) return;
    store.shared.replace(next, inflated);
    flushSync();
  }
  return { store, replace, destroy: () => void unmount(app) };
}

/** Says in the element what went wrong, so that a page is never empty. */
export async function alerting<T>(element: HTMLElement, show: () => Promise<T>): Promise<T> {
  try {
    return await show();
  } catch (error) {
    const message = document.createElement("p");
    message.setAttribute("role", "alert");
    message.textContent = error instanceof Error ? error.message : String(error);
    element.replaceChildren(message);
    throw error;
  }
}

/** The page that holds this scene: of its own, or in a frame of a notebook. */
export async function showView(element: HTMLElement, scene: Scene): Promise<void> {
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
  const mounted = await mount(element, scene, data, true);
  const { store } = mounted;
  scene.selection = opened;
  keepAddress(store);
  window.addEventListener("hashchange", () => Object.assign(store.selection, fromHash(location.hash, store.shared.scene)));
  performance.mark("attlas-drawn");
  void sought?.then(({ model, dark }) => {
    if (dark !== null && scene.theme === "system") scene.theme = dark ? "dark" : "light";
    store.shared.dark = prefersDark(scene.theme);
    followScene(mounted, model);
    follow(store, model);
  });
}
