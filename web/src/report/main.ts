/** The report's page: reads the document inside the file and shows it. */

import { flushSync, mount } from "svelte";
import "../page.css";
import "./print.css";
import { fromBase64, inflate } from "../core/payload";
import { prefersDark } from "../draw/theme";
import { Book } from "./book";
import { type ReportDocument, checkDocument } from "./document";
import Report from "./Report.svelte";
import { ReportState } from "./state.svelte";

async function block(name: string): Promise<ArrayBuffer> {
  return inflate(fromBase64(document.querySelector(`script[data-attlas="${name}"]`)!.textContent!));
}

async function show(target: HTMLElement): Promise<void> {
  try {
    const [text, data] = await Promise.all([block("report"), block("data")]);
    const report = JSON.parse(new TextDecoder().decode(text)) as ReportDocument;
    checkDocument(report, data.byteLength);
    const state = new ReportState(new Book(report, data));
    state.dark = prefersDark("system");
    state.follow(location.hash);
    mount(Report, { target, props: { state } });
    flushSync();
    performance.mark("attlas-drawn");
  } catch (error) {
    const message = document.createElement("p");
    message.setAttribute("role", "alert");
    message.textContent = error instanceof Error ? error.message : String(error);
    target.replaceChildren(message);
    throw error;
  }
}

void show(document.getElementById("attlas")!);
