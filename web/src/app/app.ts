/** The app's page: from a server, or from a file that keeps what a server answered. */

import "../page.css";
import { mount } from "svelte";
import { alerting } from "../view";
import type { Backend } from "./backend";
import AppPage from "./AppPage.svelte";
import { Kept, heldApp } from "./kept";
import { Server } from "./server";
import { AppState } from "./state.svelte";

const target = document.getElementById("attlas")!;

void alerting(target, async () => {
  const held = heldApp();
  const backend: Backend = held ? new Kept(held) : new Server();
  const state = new AppState(backend, await backend.models());
  state.follow(location.hash);
  mount(AppPage, { target, props: { state } });
});
