/** The widget of a notebook, as anywidget calls it. */

import { answerFrames } from "./core/bridge";
import type { Scene, Selection } from "./core/contract";
import { type WidgetModel, bytesOf, follow, followScene } from "./core/traits.svelte";
import { prefersDark } from "./draw/theme";
import { mount } from "./view";

const namesOf = (scene: Scene) => Object.keys(scene.selection) as (keyof Selection)[];

/** The model of a widget, also where nothing shows it: a page in a frame may be its view. */
export function initialize({ model }: { model: WidgetModel }): () => void {
  return answerFrames(model.get("key") as string, model, namesOf(model.get("scene") as Scene), () => prefersDark("system", document.body));
}

/** The view of a widget in an element of the notebook. */
export async function render({ model, el }: { model: WidgetModel; el: HTMLElement }): Promise<() => void> {
  const scene = structuredClone(model.get("scene") as Scene);
  for (const name of namesOf(scene)) Object.assign(scene.selection, { [name]: model.get(name) });
  const mounted = await mount(el, scene, bytesOf(model.get("data") as DataView));
  const stops = [followScene(mounted, model), follow(mounted.store, model)];
  return () => {
    stops.forEach((stop) => stop());
    mounted.destroy();
  };
}
